"""URLs of published results and of the page *Publish*."""

from django.urls import path

from estimation.pages.publishing import views

# Public pages, below `settings.PUBLISHED_PATH`.
app_name = "published"
urlpatterns = [
    path("<slug:token>/", views.results, name="results"),
    path("<slug:token>/overview.svg", views.chart, name="overview"),
    path("<slug:token>/<int:position>.svg", views.chart, name="chart"),
    path("<slug:token>/estimates.csv", views.estimates, name="estimates"),
]

"""The addresses of published results, below `settings.PUBLISHED_PATH`."""

from django.urls import path

from estimation import public_views

app_name = "published"
urlpatterns = [
    path("<slug:token>/", public_views.results, name="results"),
    path("<slug:token>/overview.svg", public_views.overview, name="overview"),
    path("<slug:token>/<int:number>.svg", public_views.chart, name="chart"),
    path("<slug:token>/estimates.csv", public_views.estimates, name="estimates"),
]

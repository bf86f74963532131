"""Published results for everybody, and the page where researchers decide on them."""

from django.urls import path

from estimation.pages.publishing import desk, views

# For everybody, below `settings.PUBLISHED_PATH`.
app_name = "published"
urlpatterns = [
    path("<slug:token>/", views.results, name="results"),
    path("<slug:token>/overview.svg", views.chart, name="overview"),
    path("<slug:token>/<int:position>.svg", views.chart, name="chart"),
    path("<slug:token>/estimates.csv", views.estimates, name="estimates"),
]

# For researchers; the site asks for the login.
of_a_survey = [
    path("publish/", desk.publish, name="estimation_publish"),
    path("publish/switch/", desk.switch, name="estimation_publish_switch"),
    path("publish/preview/", desk.preview, name="estimation_publish_preview"),
    path(
        "publish/preview/overview.svg", views.chart, name="estimation_publish_overview"
    ),
    path(
        "publish/preview/<int:position>.svg",
        views.chart,
        name="estimation_publish_chart",
    ),
    path(
        "publish/preview/estimates.csv", views.estimates, name="estimation_publish_csv"
    ),
]

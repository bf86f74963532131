from django.urls import path

from respondents import method_views, views

app_name = "respondents"
urlpatterns = [
    path("<slug:slug>/", views.survey, name="survey"),
    path("<slug:slug>/card/", method_views.card, name="card"),
    path("<slug:slug>/reports/", views.reports, name="reports"),
    path("<slug:slug>/thanks/", views.thanks, name="thanks"),
]

# The same for every survey, so at the top of the site: config/urls.py.
method_urlpatterns = [
    path("how-it-works/", method_views.how_it_works, name="how_it_works"),
    path("what-we-store/", method_views.what_we_store, name="what_we_store"),
]

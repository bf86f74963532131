"""The addresses of what respondents may read: cards of a survey, and the method."""

from django.urls import path

from respondents.explaining import views

of_a_survey = [path("<slug:slug>/card/", views.card, name="card")]

# The same for every survey, so at the top of the site.
app_name = "method"
urlpatterns = [
    path("how-it-works/", views.how_it_works, name="how_it_works"),
    path("what-we-store/", views.what_we_store, name="what_we_store"),
]

"""URLs of explanations for respondents, and of the exit page."""

from django.urls import path

from respondents.explaining import views

of_a_survey = [
    path("<slug:slug>/card/", views.card, name="card"),
    path("<slug:slug>/card/code.svg", views.code, name="card_code"),
]

# The same for every survey, so at the top of the site.
app_name = "method"
urlpatterns = [
    path("how-it-works/", views.how_it_works, name="how_it_works"),
    path("what-we-store/", views.what_we_store, name="what_we_store"),
    # What stays behind Back when a respondent has left a survey in a hurry.
    path("leave/", views.leave, name="leave"),
]

"""URLs of explanations for respondents, and of the exit page."""

from django.urls import path

from respondents.explaining import views

of_a_survey = [
    path("<slug:slug>/card/", views.card, name="card"),
    path("<slug:slug>/card/code.svg", views.code, name="card_code"),
]

# These pages are the same for every survey.
app_name = "method"
urlpatterns = [
    path("how-it-works/", views.how_it_works, name="how_it_works"),
    path("what-we-store/", views.what_we_store, name="what_we_store"),
    # The Back button leads here after a respondent has left a survey quickly.
    path("leave/", views.leave, name="leave"),
]

"""Help, for everybody: the documents are public."""

from django.urls import path

from config.help import views

urlpatterns = [
    path("", views.show_page, name="help"),
    path("images/<str:name>", views.show_picture, name="help_picture"),
    path("<path:name>/", views.show_page, name="help_page"),
]

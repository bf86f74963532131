"""The form for a new researcher: who is added here is meant to log in."""

from typing import Any

from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User


class ResearcherForm(UserCreationForm):  # type: ignore[type-arg]
    class Meta:
        model = User
        fields = ("username", "email", "is_staff")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {"is_staff": True, **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)

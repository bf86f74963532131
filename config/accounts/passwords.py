"""Where it is said what is wrong with a new password: at the input that chose it."""

from typing import Any

from django.contrib.admin.forms import AdminPasswordChangeForm
from django.contrib.auth.forms import SetPasswordMixin
from django.contrib.auth.models import AbstractBaseUser


class ToldAtTheFirst(SetPasswordMixin):  # type: ignore[type-arg]
    """Django's says it at the second input, which only repeats the first."""

    def validate_password_for_user(
        self,
        user: AbstractBaseUser,
        password_field_name: str = "password2",  # noqa: S107
    ) -> Any:
        first = password_field_name.replace("2", "1")
        return super().validate_password_for_user(user, password_field_name=first)


class OwnPasswordForm(ToldAtTheFirst, AdminPasswordChangeForm):
    """Changes the password of who is logged in."""

"""Forms for logging in, codes and new passwords."""

from base64 import b32encode
from hashlib import sha256
from typing import Any

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.account.forms import LoginForm, ReauthenticateForm
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.base.forms import ReauthenticateForm as ReauthenticateCodeForm
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django.contrib.admin.forms import AdminPasswordChangeForm
from django.contrib.auth.forms import SetPasswordMixin
from django.contrib.auth.models import AbstractBaseUser
from django.core.cache import cache
from django.utils.translation import gettext_lazy as _

CODE_SECONDS = 3 * 30
"""Seconds for which a code is accepted: its own half minute and one on either side."""

STORED_CHARACTERS = 16
"""Characters of a recovery code's hash that earlier versions stored."""


class Labelled:
    """Mixin that removes placeholders and help texts, which repeat the labels."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():  # type: ignore[attr-defined]
            field.widget.attrs.pop("placeholder", None)
            field.help_text = ""


class PasswordForm(Labelled, LoginForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("Username")
        self.fields["login"].widget.attrs["autofocus"] = True


class ConfirmPasswordForm(Labelled, ReauthenticateForm):  # type: ignore[misc]
    pass


class SetUpForm(Labelled, ActivateTOTPForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("Six digits that the app shows")


class PasskeyForm(Labelled, AddWebAuthnForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name of the passkey")
        self.fields["passwordless"].label = _("Log in without a password")
        self.fields["passwordless"].initial = True


class OneTime(Labelled):
    """Mixin that accepts each code once, and recovery codes of earlier versions."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        label = _("Code from your app, or a recovery code")
        self.fields["code"].label = label  # type: ignore[attr-defined]

    def clean_code(self) -> str:
        typed = normalize_user_code(self.cleaned_data["code"])  # type: ignore[has-type]
        code = typed if typed.isdecimal() else hash_recovery_code(typed)
        self.cleaned_data = {**self.cleaned_data, "code": code}  # type: ignore[has-type]
        code = str(super().clean_code())  # type: ignore[misc]
        # allauth remembers a code for half a minute only.
        if not cache.add(f"code-{self.user.pk}-{code}", True, CODE_SECONDS):  # type: ignore[attr-defined]
            raise get_adapter().validation_error("incorrect_code")
        return code


class CodeForm(OneTime, AuthenticateForm):  # type: ignore[misc]
    pass


class ConfirmCodeForm(OneTime, ReauthenticateCodeForm):  # type: ignore[misc]
    pass


def hash_recovery_code(code: str) -> str:
    """Return the truncated hash of a recovery code that earlier versions stored."""
    return b32encode(sha256(code.encode()).digest()).decode()[:STORED_CHARACTERS]


class ErrorsAtFirstField(SetPasswordMixin):  # type: ignore[type-arg]
    """Reports weak passwords at the first input; Django does so at the second."""

    def validate_password_for_user(
        self,
        user: AbstractBaseUser,
        password_field_name: str = "password2",  # noqa: S107
    ) -> Any:
        first = password_field_name.replace("2", "1")
        return super().validate_password_for_user(user, password_field_name=first)


class OwnPasswordForm(ErrorsAtFirstField, AdminPasswordChangeForm):
    def clean_old_password(self) -> str:
        """Count wrong passwords as the login does, so that none can be guessed here."""
        password = str(self.cleaned_data["old_password"])
        adapter = get_account_adapter()
        if not adapter.reauthenticate(self.user, password):
            raise adapter.validation_error("incorrect_password")
        return password

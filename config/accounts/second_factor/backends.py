"""Who is logged in comes with the number of their second factor, in one query."""

from axes.backends import AxesStandaloneBackend
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.db.models import OuterRef, Subquery
from django_otp.plugins.otp_totp.models import TOTPDevice


class WithFactor:
    def get_user(self, user_id: int) -> User | None:
        factors = TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True)
        users = User.objects.annotate(factor=Subquery(factors.values("pk")[:1]))
        return users.filter(pk=user_id, is_active=True).first()


class LockOut(WithFactor, AxesStandaloneBackend):  # type: ignore[misc]
    """Asks first whether a login is locked."""


class Password(WithFactor, ModelBackend):
    pass

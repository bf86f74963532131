"""A code beside the password: what is stored of it, and whether it was shown.

The codes are those of RFC 6238, by django-otp. Each is good once.
"""

import re
import secrets
from base64 import b32encode
from binascii import unhexlify
from hashlib import sha256

from django.conf import settings
from django.contrib.auth import get_user, login
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.signals import user_login_failed
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django_otp import verify_token
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from config.accounts.login import counts_no_more, unlock
from surveys.models import Visitor

SHOWN = "second_factor"
"""In a session: the number of the factor that was shown in it."""
KEY_BYTES = 20
RECOVERY_CODES = 8
RECOVERY_BYTES = 10
"""80 random bits: sixteen letters and digits, that no thief of the hash finds."""
KEPT_LETTERS = 16
"""Of a recovery code's hash: 80 bits, too, and all that django-otp has room for."""
TOLERANCE = 1
"""Codes of half a minute before and after: clocks differ, and typing takes time."""


def factor_of(user: Visitor) -> TOTPDevice | None:
    return TOTPDevice.objects.filter(user=user.pk, confirmed=True).first()


def who_asks(request: HttpRequest) -> Visitor:
    """Return who is logged in with everything that the account asks for.

    A session tells which factor was shown in it. So the sessions from before end when
    one is turned on, off or reset, and nobody has to find them.
    """
    user = get_user(request)
    if not isinstance(user, User):
        return AnonymousUser()
    if request.session.get(SHOWN) != number_of(user):
        return AnonymousUser()
    return user


def number_of(user: Visitor) -> int | None:
    """Return the number of the factor of `user`, as the backends have looked it up."""
    return getattr(user, "factor", None)


def lacks_factor(user: Visitor) -> bool:
    """Whether `user`, of `who_asks`, has yet to set one up."""
    return (
        settings.SECOND_FACTOR == "required"
        and user.is_authenticated
        and number_of(user) is None
    )


def let_in(request: HttpRequest, user: User) -> None:
    """Log in whoever has shown all that there is to show."""
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[-1])
    note_shown(request, user)


def note_shown(request: HttpRequest, user: User) -> None:
    """Note the factor of now; its sessions in other browsers have another, or none."""
    factor = factor_of(user)
    request.session[SHOWN] = factor.pk if factor else None


def new_key() -> str:
    return secrets.token_hex(KEY_BYTES)


def turn_on(user: User, key: str, code: str) -> bool:
    """Store the key if an app that has it made `code`, and nobody was faster."""
    maker = TOTP(unhexlify(key))
    if not (is_of_app(code) and maker.verify(int(bare(code)), TOLERANCE)):
        return False
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if factor_of(user):
            return False
        TOTPDevice.objects.create(
            user=user,
            key=key,
            tolerance=TOLERANCE,
            last_t=maker.t(),
            drift=maker.drift,
        )
    return True


@transaction.atomic
def turn_off(user: User) -> None:
    for devices in (TOTPDevice, StaticDevice):
        devices.objects.filter(user=user).delete()


@transaction.atomic
def new_recovery_codes(user: User) -> list[str]:
    """Return codes for a lost phone; the earlier ones are worth nothing now."""
    codes = [
        b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode().lower()
        for _number in range(RECOVERY_CODES)
    ]
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user)
    for code in codes:
        device.token_set.create(token=kept_of(code))
    return [spelled(code) for code in codes]


def recovery_codes_left(user: User) -> int:
    return sum(
        device.token_set.count() for device in StaticDevice.objects.filter(user=user)
    )


def refusal(request: HttpRequest, user: User, code: str) -> str:
    """Return why `code` is not taken, and nothing where it is.

    A wrong one counts like a wrong password. So many at once from many addresses wait
    for each other as well, until one is right or the password is a new one.
    """
    name = user.get_username()
    if counts_no_more(request, name):
        return _("Too many attempts")
    devices, typed = (
        (TOTPDevice, bare(code))
        if is_of_app(code)
        else (StaticDevice, kept_of(bare(code)))
    )
    device = devices.objects.filter(user=user, confirmed=True).first()
    if device and not device.verify_is_allowed()[0]:
        return _("Too many wrong codes. Wait a little, then type a new one.")
    if device and verify_token(user, device.persistent_id, typed):
        return ""
    user_login_failed.send(__name__, credentials={"username": name}, request=request)
    return _("This code is wrong, or was used already. Type the one shown now.")


def forgive(user: User) -> None:
    """Let the next password and the next code count as the first ones."""
    unlock(user)
    for devices in (TOTPDevice, StaticDevice):
        devices.objects.filter(user=user).update(
            throttling_failure_count=0, throttling_failure_timestamp=None
        )


def bare(code: str) -> str:
    """Return the code as it was made: people add spaces, and phones large letters."""
    return re.sub(r"[\s-]", "", code).lower()


def spelled(code: str) -> str:
    """Return the code as people copy it, in fours."""
    return "-".join(re.findall("....", code))


def is_of_app(code: str) -> bool:
    return re.fullmatch("[0-9]{6}", bare(code)) is not None


def kept_of(code: str) -> str:
    """Return what is stored of a recovery code."""
    return b32encode(sha256(code.encode()).digest()).decode()[:KEPT_LETTERS]

"""Researchers' logins: what django-axes counts by, and the page of who has to wait."""

from ipaddress import IPv6Address, IPv6Network, ip_address

from axes.handlers.proxy import AxesProxyHandler
from axes.utils import reset
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

NETWORK_BITS = 64
"""The rest of an IPv6 address is free to whoever has the line (RFC 6177)."""


def hashed(username: str) -> str:
    """Return what stands for a name: passwords are typed into its field, too."""
    return salted_hmac(
        "config.accounts.login", username, algorithm="sha256"
    ).hexdigest()


def name_of(request: HttpRequest, credentials: dict[str, str] | None) -> str:
    """Return by which name failures are counted, of an account or of none."""
    return hashed((credentials or request.POST).get("username") or "")


def address_of(request: HttpRequest) -> str | None:
    """Return by which address failures are counted; nothing where there is none."""
    told = request.META.get("REMOTE_ADDR", "")
    if settings.BEHIND_PROXY:
        # deployment.md: the proxy names the address on this page and no other.
        told = request.META.get("HTTP_X_REAL_IP") or told
    try:
        address = ip_address(told)
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        network = IPv6Network((address, NETWORK_BITS), strict=False)
        address = address.ipv4_mapped or network.network_address
    return str(address)


def counts_no_more(request: HttpRequest, username: str) -> bool:
    """Whether this name is locked from here; the answer then says so."""
    is_allowed: bool = AxesProxyHandler.is_allowed(request, {"username": username})
    request.axes_locked_out = not is_allowed  # type: ignore[attr-defined]
    return not is_allowed


def locked_out(request: HttpRequest) -> HttpResponse:
    """Answer who failed too often: known names and unknown ones look the same."""
    context = {
        **admin.site.each_context(request),
        "title": _("Too many attempts"),
        "failures": settings.AXES_FAILURE_LIMIT,
        "minutes": settings.AXES_COOLOFF_TIME.seconds // 60,
    }
    response = render(request, "admin/locked_out.html", context, status=429)
    response["Retry-After"] = str(settings.AXES_COOLOFF_TIME.seconds)
    return response


def unlock(user: AbstractBaseUser) -> None:
    """Forget the failures of a researcher, from every address."""
    reset(username=hashed(user.get_username()))

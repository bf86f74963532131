"""Template tags of the researchers' pages, also before login."""

from django import template
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_ipv46_address
from django.http.request import split_domain_port
from django.template.context import Context
from django.utils.translation import get_language, get_language_info

from config.help.documents import make_help_address_in
from config.help.places import HOME_OF_HELP, PLACES

register = template.Library()


@register.simple_tag
def languages_of_researchers() -> list[tuple[str, str]]:
    codes = settings.LANGUAGES_OF_RESEARCHERS
    return [(code, get_language_info(code)["name_local"]) for code in codes]


@register.simple_tag
def second_factor_required() -> bool:
    return settings.SECOND_FACTOR == "required"


@register.simple_tag(takes_context=True)
def passkeys_possible(context: Context) -> bool:
    """Return whether the site has a domain: passkeys do not work for IP addresses."""
    host, _port = split_domain_port(context["request"].get_host())
    try:
        validate_ipv46_address(host.strip("[]"))
    except ValidationError:
        return True
    return False


@register.simple_tag(takes_context=True)
def help_here(context: Context) -> str:
    """Return the address of the help on this page.

    Django renders its "Database error" page without a request: that page links to the
    start of the help.
    """
    match = getattr(context.get("request"), "resolver_match", None)
    name = match.url_name if match else None
    return help_at(PLACES.get(name or "", HOME_OF_HELP))


@register.simple_tag
def help_at(place: str) -> str:
    """Return the address of a help page, in the language of the page if possible."""
    return make_help_address_in(get_language() or settings.LANGUAGE_CODE, place)


@register.filter
def in_fours(code: str) -> str:
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))

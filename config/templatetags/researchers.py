"""What pages of researchers need, those for who is not logged in included."""

from django import template
from django.conf import settings
from django.utils.translation import get_language_info

register = template.Library()


@register.simple_tag
def languages_of_researchers() -> list[tuple[str, str]]:
    """Return code and own name of each language that these pages can be in."""
    codes = settings.LANGUAGES_OF_RESEARCHERS
    return [(code, get_language_info(code)["name_local"]) for code in codes]

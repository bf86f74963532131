"""Numbers as people and as programs read them."""

from django import template

from surveys.words.numbers import error_of, grouped, percent

register = template.Library()

register.filter("percent", percent)
register.filter("grouped", grouped)
register.filter("error", error_of)


@register.filter
def exactly(number: float) -> str:
    """Return all digits of a number, whatever the language of the page."""
    return repr(number)

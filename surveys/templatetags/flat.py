"""Parts of a page without the spaces that templates are indented by."""

import re

from django import template
from django.utils.safestring import SafeString

register = template.Library()

TYPED = re.compile(r"(<textarea\b.*?</textarea>)", re.DOTALL)
INDENTED = re.compile(r"\n\s+")


@register.simple_block_tag
def flat(content: str) -> SafeString:
    """Return HTML with each line break, and the spaces around it, as one line break."""
    parts = TYPED.split(content)
    parts[::2] = [INDENTED.sub("\n", part) for part in parts[::2]]
    return SafeString("".join(parts))

"""Parts of a page without the spaces that templates are indented by.

They are a seventh of a page of 50 questions. What people typed keeps all of its own.
"""

import re

from django import template
from django.utils.safestring import SafeString

register = template.Library()

INDENTED = re.compile(r"(<textarea\b.*?</textarea>)|\n\s+", re.DOTALL)


@register.simple_block_tag
def flat(content: str) -> SafeString:
    """Return HTML with each line break, and the spaces around it, as one line break."""
    return SafeString(INDENTED.sub(lambda found: found[1] or "\n", content))

"""A text to agree to, to begin with: in the survey's language, to be made one's own."""

from django.utils import translation
from django.utils.translation import gettext as _


def suggest_consent(*, title: str, organiser: str, contact: str, language: str) -> str:
    """Return a text in Markdown; what Candor promises stands above it on the page.

    What nobody has typed yet appears in brackets, to be seen and filled in.
    """
    with translation.override(language):
        given = {
            "title": title.strip() or _("[title]"),
            "organiser": organiser.strip() or _("[who runs it]"),
            "contact": contact.strip() or _("[contact]"),
        }
        text = (
            _(
                "I take part in “%(title)s” because I want to. The survey is run by "
                "%(organiser)s.\n"
                "\n"
                "- I am 18 or older.\n"
                "- I have read why these questions are asked, and could ask before: "
                "%(contact)s.\n"
                "- If I do not take part, or stop, this has no consequences for me.\n"
                "- %(organiser)s may publish shares of the whole group.\n"
            )
            % given
        )
        return text.strip()

from dataclasses import dataclass

from django.utils.translation import gettext as _


@dataclass(frozen=True)
class Problem:
    """What to fix before a survey can be opened, and the field to fix."""

    field: str
    """Field of the survey, or of the question if there is one."""
    text: str
    question: int | None = None
    """Number of the question, 1 for the first."""

    def __str__(self) -> str:
        if self.question is None:
            return self.text
        return _("Question %(number)s: %(problem)s") % {
            "number": self.question,
            "problem": self.text,
        }

from dataclasses import dataclass

from django.utils.translation import gettext as _


@dataclass(frozen=True)
class Problem:
    """What has to be mended before a survey can be opened, and where."""

    field: str
    """Of the survey, or of the question where there is one."""
    text: str
    question: int | None = None
    """Its number, 1 for the first."""

    def __str__(self) -> str:
        if self.question is None:
            return self.text
        return _("Question %(number)s: %(problem)s") % {
            "number": self.question,
            "problem": self.text,
        }

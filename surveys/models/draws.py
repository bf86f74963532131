"""Questions that a survey draws for each respondent: frozen when it opens."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, pairwise

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from candor.mechanisms.composition import MAX_QUESTIONS
from candor.mechanisms.draws import DrawnGroup
from surveys.models.analysis_plan import make_syntax_error
from surveys.problem import Problem

GROUP = re.compile(r"(\d{1,3}) ?(?:of|von) ?(\d{1,3}(?: ?[-,] ?\d{1,3})+)")
RUN = re.compile(r"(\d+)(?: ?- ?(\d+))?")


def read_draws(text: str) -> list[DrawnGroup]:
    """Return the groups of "2 of 3-6; 1 of 7, 8".

    Raises
    ------
    ValidationError
        With the part that cannot be read.
    """
    parts = [part for each in re.split(r"[;\n]", text) if (part := each.strip())]
    groups = [read_group(part) for part in parts]
    numbers = sorted(chain.from_iterable(group.questions for group in groups))
    if twice := [first for first, then in pairwise(numbers) if first == then]:
        raise ValidationError(_("Enter question %s once.") % twice[0])
    return groups


def read_group(part: str) -> DrawnGroup:
    allowed = _("questions such as 2 of 3-6")
    match = GROUP.fullmatch(part)
    if match is None:
        raise make_syntax_error(part, allowed)
    numbers: list[int] = []
    for run in match[2].split(","):
        ends = RUN.fullmatch(run.strip())
        if ends is None or int(ends[2] or ends[1]) > MAX_QUESTIONS:
            raise make_syntax_error(part, allowed)
        numbers += range(int(ends[1]), int(ends[2] or ends[1]) + 1)
    if not 0 < int(match[1]) < len(numbers):
        raise make_syntax_error(
            part, _("at least one question, and fewer than all of them")
        )
    return DrawnGroup(asked=int(match[1]), questions=tuple(sorted(numbers)))


def format_runs(numbers: Iterable[int], dash: str) -> list[str]:
    """Return ascending numbers as text, three or more in a row as "3-6"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    # Two in a row read better as "1 and 2" than as a range.
    parts = [
        [f"{run[0]}{dash}{run[-1]}"] if len(run) > 2 else map(str, run) for run in runs
    ]
    return list(chain.from_iterable(parts))


def write_group(group: DrawnGroup) -> str:
    """Return the group as people write it: "2 of 3-6", "1 of 7, 8"."""
    return f"{group.asked} of {', '.join(format_runs(group.questions, '-'))}"


def renumber_draws(text: str, places: Mapping[int, int | None]) -> str:
    """Return the line with the new numbers of its questions.

    `places` maps old numbers to new ones, None for a deleted question; other numbers
    do not name a question yet, and are unchanged. A group that would no longer leave
    out any question is dropped.
    """
    groups = []
    for group in read_draws(text):
        now = renumber(group.questions, places)
        if group.asked < len(now):
            groups.append(DrawnGroup(asked=group.asked, questions=tuple(sorted(now))))
    return "; ".join(map(write_group, groups))


def renumber(numbers: Iterable[int], places: Mapping[int, int | None]) -> list[int]:
    now = (places.get(number, number) for number in numbers)
    return [number for number in now if number is not None]


def check_draws(text: str) -> None:
    read_draws(text)


class DrawnQuestions(models.Model):
    draws = models.CharField(
        gettext_lazy("questions to draw from"),
        max_length=300,
        blank=True,
        validators=[check_draws],
        help_text=gettext_lazy(
            "2 of 3-6 asks two of the questions 3 to 6, drawn by chance. Separate "
            "groups with ;."
        ),
    )

    class Meta:
        abstract = True

    @property
    def groups(self) -> list[DrawnGroup]:
        return read_draws(self.draws)

    def serialize_groups(self) -> list[dict[str, object]]:
        return [group.to_dict() for group in self.groups]

    def find_draw_problems(
        self, questions: int, pairs: list[tuple[int, int]]
    ) -> Iterator[Problem]:
        """Yield a problem for each draw that names a missing question.

        Parameters
        ----------
        questions : int
            Number of questions of the survey.
        pairs : list of tuple of int
            Numbers of questions whose answers are to be compared within respondents.
        """
        for group in self.groups:
            # Numbers ascend, and are checked against 0 here.
            for number in (group.questions[0], group.questions[-1]):
                if not 1 <= number <= questions:
                    text = _("There is no question %(number)s.")
                    yield Problem("draws", text % {"number": number})
            for pair in pairs:
                if group.asked == 1 and set(pair) <= set(group.questions):
                    text = _(
                        "No respondent is asked both question %(one)s and %(other)s."
                    )
                    numbers = {"one": pair[0], "other": pair[1]}
                    yield Problem("pinned_pairs", text % numbers)

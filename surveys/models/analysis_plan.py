"""The planned analysis of a survey: frozen when it opens."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from candor.mechanisms.parameters import shown
from surveys.problem import Problem

MAX_PLANNED = 50
"""Maximum number of planned tests: more are not a plan."""

CLAIM = re.compile(r"(\d{1,3})(?:\.(\d{1,2}))? ?([<>]) ?(\d{1,3}(?:[.,]\d{1,4})?) ?%?")
PAIR = re.compile(r"(\d{1,3}) ?- ?(\d{1,3})")


@dataclass(frozen=True, kw_only=True)
class PlannedClaim:
    question: int
    """Number of the question, 1 for the first."""
    answer: int
    """Number of the answer, 1 for the first."""
    is_above: bool
    percent: Decimal

    @property
    def share(self) -> float:
        return float(self.percent / 100)


def split_parts(text: str) -> list[str]:
    """Return the parts between semicolons, line breaks, or commas with a space.

    A comma that is not followed by a space belongs to a number.
    """
    return [part for each in re.split(r",\s+|[;\n]", text) if (part := each.strip())]


def read_claims(text: str) -> list[PlannedClaim]:
    """Return the claims of "1 > 20, 3.2 < 10".

    Raises
    ------
    ValidationError
        With the part that cannot be read.
    """
    claims = []
    for part in split_parts(text):
        match = CLAIM.fullmatch(part)
        percent = Decimal(match[4].replace(",", ".")) if match else Decimal(-1)
        if match is None or not 0 <= percent <= 100:
            raise make_syntax_error(part, _("a share such as 1 > 20 or 3.2 < 10"))
        claim = PlannedClaim(
            question=int(match[1]),
            answer=int(match[2] or 1),
            is_above=match[3] == ">",
            percent=percent,
        )
        # No share is above 100 % or below 0 %.
        if percent == (100 if claim.is_above else 0):
            raise make_syntax_error(part, _("a share that can be beaten"))
        claims.append(claim)
    check_plan(claims)
    return claims


def read_pairs(text: str) -> list[tuple[int, int]]:
    """Return the pairs of questions of "1-2, 1-3"; errors as above."""
    pairs = []
    for part in split_parts(text.replace(",", ";")):
        match = PAIR.fullmatch(part)
        if match is None or int(match[1]) == int(match[2]):
            raise make_syntax_error(part, _("questions such as 1-2"))
        pairs.append((int(match[1]), int(match[2])))
    check_plan(pairs)
    return pairs


def renumber_claims(text: str, places: Mapping[int, int | None]) -> str:
    return renumber_parts(split_parts(text), places, numbers=r"^\d+")


def renumber_pairs(text: str, places: Mapping[int, int | None]) -> str:
    return renumber_parts(split_parts(text.replace(",", ";")), places, numbers=r"\d+")


def renumber_parts(
    parts: list[str], places: Mapping[int, int | None], *, numbers: str
) -> str:
    """Return the parts with new numbers, without those that name deleted questions."""
    kept = [
        part
        for part in parts
        if all(
            places.get(int(each), int(each)) is not None
            for each in re.findall(numbers, part)
        )
    ]
    return ", ".join(
        re.sub(numbers, lambda match: str(places.get(int(match[0]), match[0])), part)
        for part in kept
    )


def check_plan(planned: list[Any]) -> None:
    if len(planned) > MAX_PLANNED:
        raise ValidationError(_("At most %s can be planned.") % MAX_PLANNED)
    if len(set(planned)) < len(planned):
        raise ValidationError(_("Enter each one once."))


def make_syntax_error(part: str, allowed: str) -> ValidationError:
    text = _("%(part)s cannot be read. Enter %(allowed)s.")
    return ValidationError(text % {"part": shown(part), "allowed": allowed})


def check_claims(text: str) -> None:
    read_claims(text)


def check_pairs(text: str) -> None:
    read_pairs(text)


class AnalysisPlan(models.Model):
    class Level(models.TextChoices):
        # The labels are those of the results page; the values are those in its URL.
        P80 = "0.8", "80\N{NO-BREAK SPACE}%"
        P90 = "0.9", "90\N{NO-BREAK SPACE}%"
        P95 = "0.95", "95\N{NO-BREAK SPACE}%"
        P99 = "0.99", "99\N{NO-BREAK SPACE}%"
        P999 = "0.999", gettext_lazy("99.9\N{NO-BREAK SPACE}%")

    class Method(models.TextChoices):
        FELDMAN_COUSINS = (
            "feldman-cousins",
            gettext_lazy("Feldman-Cousins (exact, never empty)"),
        )
        PRATT = "pratt", gettext_lazy("Pratt (exact, shortest on average)")
        BAYES = (
            "bayes",
            gettext_lazy(
                "Bayesian (highest density, every share equally likely beforehand)"
            ),
        )

    pinned_level = models.CharField(
        gettext_lazy("planned confidence level"),
        max_length=5,
        choices=Level,
        blank=True,
        help_text=gettext_lazy("If empty: 95 %, Feldman-Cousins."),
    )
    pinned_method = models.CharField(
        gettext_lazy("planned intervals"),
        max_length=20,
        choices=Method,
        blank=True,
    )
    shares_to_beat = models.CharField(
        gettext_lazy("shares to beat"),
        max_length=500,
        blank=True,
        validators=[check_claims],
        help_text=gettext_lazy(
            "3.2 &lt; 10: fewer than 10 % give answer 2 to question 3. Separate with "
            "commas."
        ),
    )
    pinned_pairs = models.CharField(
        gettext_lazy("planned comparisons"),
        max_length=300,
        blank=True,
        validators=[check_pairs],
        help_text=gettext_lazy("1-2: answers to question 1 by those to question 2."),
    )

    PINNED = ("pinned_level", "pinned_method", "shares_to_beat", "pinned_pairs")

    class Meta:
        abstract = True

    def clean(self) -> None:
        super().clean()
        if self.shares_to_beat and self.pinned_method == self.Method.BAYES:
            text = _("A share to beat is tested by an exact interval.")
            raise ValidationError({"pinned_method": text})

    @property
    def has_analysis_plan(self) -> bool:
        return any(getattr(self, name) for name in self.PINNED)

    @property
    def claims(self) -> list[PlannedClaim]:
        return read_claims(self.shares_to_beat)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        return read_pairs(self.pinned_pairs)

    @property
    def planned_tests(self) -> int:
        return len(self.claims) + len(self.pairs)

    @property
    def planned_interval(self) -> dict[str, str]:
        """The planned level and method, if any, by their names in results."""
        chosen = {"confidence_level": self.pinned_level, "method": self.pinned_method}
        return {name: value for name, value in chosen.items() if value}

    def analysis(self) -> dict[str, str]:
        return {
            name: getattr(self, name) for name in self.PINNED if self.has_analysis_plan
        }

    def find_analysis_problems(
        self, answers: list[int], means: list[bool]
    ) -> Iterator[Problem]:
        """Yield a problem for each plan that names a missing question or answer.

        Parameters
        ----------
        answers : list of int
            Number of answers of each question.
        means : list of bool
            Whether each question has only a mean, and no shares.
        """
        if self.shares_to_beat and self.pinned_method == self.Method.BAYES:
            text = _("A share to beat is tested by an exact interval.")
            yield Problem("pinned_method", text)
        compared = sorted({number for pair in self.pairs for number in pair})
        for field, number, answer in (
            *(("shares_to_beat", each.question, each.answer) for each in self.claims),
            *(("pinned_pairs", number, 1) for number in compared),
        ):
            named = {"number": number, "answer": answer}
            if not 1 <= number <= len(answers):
                yield Problem(field, _("There is no question %(number)s.") % named)
            elif not 1 <= answer <= answers[number - 1]:
                text = _("Question %(number)s has no answer “%(answer)s”.")
                yield Problem(field, text % named)
            elif means[number - 1]:
                text = _("Question %s has a mean but no shares.")
                yield Problem(field, text % number)

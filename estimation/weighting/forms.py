"""Which shares of the population are known: typed, or from a file."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple, Self

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from estimation.results.forms import IntervalForm
from estimation.weighting.margins import places_of, read_margins, sums_to
from respondents.arriving.simulation.forms import ALL, Percent, plain
from surveys.authoring.forms.text_file import MemoryFile
from surveys.design import DesignQuestion, design_of
from surveys.files.values import FileError
from surveys.models import Survey

MOST_BYTES = 100_000
"""Margins are some lines."""

DECIMALS_OF_FILE = 4
"""As many as can be typed."""


class AskedMargin(NamedTuple):
    """A direct question with the inputs for its known shares."""

    question: DesignQuestion
    fields: tuple[BoundField, ...]


def name_of(number: int, place: int) -> str:
    """Return the name of the input for an answer, both counted from 1."""
    return f"known{number}_{place}"


class WeightsForm(IntervalForm):
    """Known shares in percent, beside what every result lets choose."""

    def __init__(
        self, chosen: Mapping[str, object], questions: Sequence[DesignQuestion]
    ) -> None:
        super().__init__(chosen)
        self.direct = {
            number: question
            for number, question in enumerate(questions, start=1)
            if not question.mechanism.is_scrambled
        }
        for number, question in self.direct.items():
            for place, label in enumerate(question.choices, start=1):
                field = Percent(_("“%(answer)s” in %%") % {"answer": label}, 0)
                field.required, field.initial = False, None
                self.fields[name_of(number, place)] = field

    @classmethod
    def of(cls, survey: Survey, chosen: Mapping[str, object]) -> Self:
        """Return the form of a survey, with its planned level and method as default."""
        return cls({**survey.pinned_interval, **chosen}, design_of(survey).questions)

    def names(self, number: int) -> list[str]:
        """Return the names of a question's inputs."""
        choices = self.direct[number].choices
        return [name_of(number, place) for place in range(1, len(choices) + 1)]

    def asked(self) -> Iterator[AskedMargin]:
        """Yield each direct question with its inputs."""
        for number, question in self.direct.items():
            names = self.names(number)
            yield AskedMargin(question, tuple(self[name] for name in names))

    @property
    def options(self) -> list[BoundField]:
        """What every result lets choose."""
        return [self[name] for name in IntervalForm.DEFAULTS]

    def clean(self) -> dict[str, Any]:
        """Refuse shares that are not all, and give what is left to a single gap."""
        cleaned: dict[str, Any] = super().clean() or {}
        for number in self.direct:
            names = self.names(number)
            if any(name not in cleaned for name in names):
                continue
            gaps = [name for name in names if cleaned[name] is None]
            if len(gaps) == len(names):
                continue
            total = sum((cleaned[name] or Decimal() for name in names), Decimal())
            if len(gaps) == 1 and total <= ALL:
                cleaned[gaps[0]] = ALL - total
            elif gaps:
                told = _("Enter a share for every answer but one, or for none of them.")
                self.add_error(gaps[0], told)
            elif not sums_to([float(cleaned[name]) for name in names], ALL):
                told = _("Together these shares must be 100 %%; they are %(sum)s %%.")
                told %= {"sum": plain(total)}
                # The field is narrow: no line begins with a percent sign.
                self.add_error(names[0], told.replace(" %", "\N{NO-BREAK SPACE}%"))
        return cleaned

    @property
    def margins(self) -> dict[int, list[float]]:
        """{number of a question: the share of each answer}, each summing to 1."""
        found = {}
        for number in self.direct:
            typed = [self.cleaned_data.get(name) for name in self.names(number)]
            shares = [float(share) for share in typed if share is not None]
            if shares:
                total = sum(shares)
                found[number] = [share / total for share in shares]
        return found

    @property
    def query(self) -> dict[str, str]:
        """What an address has to say to show the same."""
        return {
            name: str(value)
            for name, value in self.cleaned_data.items()
            if value is not None
        }


class MarginsFileForm(forms.Form):
    """Known shares as a file."""

    file = MemoryFile(
        label=gettext_lazy("Shares (CSV)"),
        help_text=gettext_lazy(
            "Columns question, answer, share: the number of a question, or its text; "
            "an answer as the question words it; a share in percent or as a part of 1. "
            "The file is not stored: its shares come into the address of the page."
        ),
        most_bytes=MOST_BYTES,
        size="100 KB",
        accept=".csv,text/csv,text/plain",
    )

    def __init__(
        self,
        questions: Mapping[int, DesignQuestion],
        posted: Any = None,
        files: Any = None,
    ) -> None:
        super().__init__(posted, files, label_suffix="")
        self.questions = questions

    def clean_file(self) -> dict[str, str]:
        """Return the file's shares in percent, by the names of `WeightsForm`."""
        try:
            margins = read_margins(self.cleaned_data["file"])
            known = places_of(margins, self.questions)
        except FileError as error:
            raise ValidationError(list(error.problems)) from error
        found = {}
        for (number, place), share in known.items():
            percent = round(Decimal(repr(ALL * share)), DECIMALS_OF_FILE)
            found[name_of(number, place)] = f"{percent.normalize():f}"
        return found

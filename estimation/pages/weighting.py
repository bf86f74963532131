"""Weighted results of one survey: known shares, page and file."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple, Self

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from candor.files.margins import (
    ALL,
    WrittenShare,
    detect_whole,
    read_margins,
    read_share,
)
from candor.files.table import FileError
from estimation.files.analyses import format_weighted
from estimation.pages.results import IntervalForm, get_opened_survey, refuse, send_file
from estimation.presentation.planned import describe_exploratory
from estimation.presentation.weighted import WeightedSurveyPanel
from estimation.rows.counts import read_one_way, read_patterns
from estimation.rows.groups import MIN_GROUP_SIZE
from estimation.rows.planned import unplanned
from estimation.rows.weighted import (
    WeightedResults,
    estimate_weighted_results,
    find_places,
    to_percent,
)
from respondents.imports.simulation.forms import format_decimal
from surveys.access import has_role
from surveys.authoring.forms.fields import MemoryFile, TypedDecimal
from surveys.authoring.pages import render_page
from surveys.design import DesignQuestion, get_design
from surveys.models import Role, Survey

MAX_BYTES = 100_000
"""A file of margins has a few lines."""


class AskedMargin(NamedTuple):
    question: DesignQuestion
    fields: tuple[BoundField, ...]


def name_input(number: int, place: int) -> str:
    return f"known{number}_{place}"


class KnownShareField(forms.Field):
    """A share of the population, typed or from a file; an empty field is None."""

    widget = TypedDecimal.widget

    def __init__(self, answer: str) -> None:
        label = _("“%(answer)s” in %%") % {"answer": answer}
        super().__init__(label=label, required=False)
        self.answer = answer

    def clean(self, value: Any) -> WrittenShare | None:
        text = str(value or "").strip()
        if not text:
            return None
        share = read_share(text)
        if share is None:
            message = _("“%(answer)s”: enter a share from 0 to 100 %%.")
            raise ValidationError(message % {"answer": self.answer})
        return share


class WeightsForm(IntervalForm):
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
                self.fields[name_input(number, place)] = KnownShareField(label)

    @classmethod
    def of(cls, survey: Survey, chosen: Mapping[str, object]) -> Self:
        return cls({**survey.planned_interval, **chosen}, get_design(survey).questions)

    def names(self, number: int) -> list[str]:
        choices = self.direct[number].choices
        return [name_input(number, place) for place in range(1, len(choices) + 1)]

    def asked(self) -> Iterator[AskedMargin]:
        for number, question in self.direct.items():
            names = self.names(number)
            yield AskedMargin(question, tuple(self[name] for name in names))

    @property
    def options(self) -> list[BoundField]:
        return [self[name] for name in IntervalForm.DEFAULTS]

    def clean(self) -> dict[str, Any]:
        """Return shares in percent; a single empty one is the rest to 100."""
        cleaned: dict[str, Any] = super().clean() or {}
        for number in self.direct:
            names = self.names(number)
            if all(name in cleaned for name in names):
                cleaned |= self.in_percent({name: cleaned[name] for name in names})
        return cleaned

    def in_percent(
        self, typed: Mapping[str, WrittenShare | None]
    ) -> dict[str, Decimal | None]:
        """Return the shares of a question in percent, or add errors."""
        given = {name: share for name, share in typed.items() if share is not None}
        gaps = [name for name in typed if name not in given]
        if not given:
            return {}
        if len(gaps) > 1:
            text = _("Enter all shares but one, or none.")
            self.add_error(gaps[0], text)
            return {}
        whole = detect_whole(given.values(), has_gap=bool(gaps))
        total = sum((share.number for share in given.values()), Fraction())
        if whole is None and gaps and total <= ALL:
            self.ask_whether_percent(next(iter(given)))
        elif whole is None:
            text = _("These shares must sum to 100 %%, not %(sum)s %%.")
            text %= {"sum": format_decimal(to_percent(total / ALL))}
            # The field is narrow, and no line may begin with a percent sign.
            text = text.replace(" %", "\N{NO-BREAK SPACE}%")
            self.add_error(next(iter(typed)), text)
        if whole is None:
            return {}
        shares = {name: share.number / whole for name, share in given.items()}
        shares |= dict.fromkeys(gaps, max(Fraction(), 1 - total / whole))
        return {name: to_percent(share) for name, share in shares.items()}

    def ask_whether_percent(self, name: str) -> None:
        field, share = self.fields[name], self.cleaned_data[name]
        text = _(
            "“%(answer)s”: %(value)s could mean %(value)s %% or %(percent)s %%. Enter "
            "every share in percent."
        ) % {
            "answer": field.answer,  # type: ignore[attr-defined]
            "value": str(self.data[name]).strip(),
            "percent": format_decimal(to_percent(share.number)),
        }
        self.add_error(name, text)

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
        return {
            name: str(value)
            for name, value in self.cleaned_data.items()
            if value is not None
        }


class MarginsFileForm(forms.Form):
    file = MemoryFile(
        label=gettext_lazy("Shares (CSV)"),
        help_text=gettext_lazy(
            "Columns: question (number or text), answer, share. The file is not stored."
        ),
        most_bytes=MAX_BYTES,
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
            known = find_places(margins, self.questions)
        except FileError as error:
            raise ValidationError(list(error.problems)) from error
        return {
            name_input(number, place): str(to_percent(share))
            for (number, place), share in known.items()
        }


@require_http_methods(["GET", "HEAD", "POST"])
def weighted(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    survey = get_opened_survey(request, survey_id)
    form = WeightsForm.of(survey, request.GET.dict())
    if not form.direct:
        messages.info(request, _("No direct question to weight by."))
        return redirect("admin:estimation_results", survey.pk)
    is_valid, file = form.is_valid(), MarginsFileForm(form.direct)
    if request.method == "POST":
        file = MarginsFileForm(form.direct, request.POST, request.FILES)
        if file.is_valid():
            address = reverse("admin:estimation_weighted", args=[survey.pk])
            options = {name: form.data[name] for name in form.DEFAULTS}
            query = urlencode({**options, **file.cleaned_data["file"]})
            return redirect(f"{address}?{query}")
    has_margins = is_valid and bool(form.margins)
    results = get_results(request, survey, form) if has_margins else None
    return render_page(
        request,
        survey,
        "estimation/weighting/weighted.html",
        status=200 if is_valid and not file.errors else 400,
        subtitle=_("Weighted results"),
        form=form,
        file=file,
        panel=WeightedSurveyPanel(results) if results else None,
        exploratory=describe_exploratory(unplanned(survey)),
        smallest_group=MIN_GROUP_SIZE,
        query=urlencode(form.query) if is_valid else "",
    )


@require_safe
def weighted_csv(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = get_opened_survey(request, survey_id)
    form = WeightsForm.of(survey, request.GET.dict())
    if not form.is_valid():
        return refuse(form)
    results = get_results(request, survey, form) if form.margins else None
    if results is None or not results.questions:
        raise Http404("There is no question that can be weighted.")
    return send_file(format_weighted(results), f"{survey.slug}-weighted.csv")


def get_results(
    request: HttpRequest, survey: Survey, form: WeightsForm
) -> WeightedResults:
    read = read_one_way if get_design(survey).tables else read_patterns
    return estimate_weighted_results(
        read(survey, seals=False),
        form.margins,
        sees_reports=has_role(request.user, survey, Role.EDITOR),
        **form.interval,
    )

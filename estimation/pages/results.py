"""The results of a survey; the admin site requires a login."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Self

from django import forms
from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.utils.functional import lazy
from django.utils.http import quote_etag, urlencode
from django.utils.safestring import SafeString
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from estimation.presentation.charts.drawing import FORMATS, write_file
from estimation.presentation.charts.intervals import Chart
from estimation.presentation.charts.waves import WavesChart
from estimation.presentation.methods import METHODS
from estimation.presentation.question import QuestionPanel
from estimation.presentation.survey import Overview, SurveyPanel
from estimation.rows.assumptions import MAX_IGNORING, Supposed
from estimation.rows.counts import CACHED_QUESTIONS, read_one_way
from estimation.rows.shares import get_results, supposed_ignoring, survey_results
from surveys.access import get_survey_for_user
from surveys.authoring.forms.fields import TypedInteger, make_integer_errors
from surveys.authoring.pages import render_page
from surveys.design import get_design
from surveys.models import Survey
from surveys.models.period import MAX_TARGET
from surveys.numbers import format_percent
from surveys.text.language_cache import cache_by_language
from surveys.text.tables import format_question_numbers

LEVEL_CHOICES = [
    (level, lazy(format_percent, str)(level, trimmed=True))
    for level in (0.8, 0.9, 0.95, 0.99, 0.999)
]
METHOD_CHOICES = [(name, method.label) for name, method in METHODS.items()]

EACH, SIMULTANEOUS = "each", "together"
"""Whether the level holds for each interval of a question, or jointly for all."""


class ChoiceForm(forms.Form):
    """A form of choices; missing parameters have their defaults."""

    DEFAULTS: Mapping[str, object] = {}

    def __init__(self, chosen: Mapping[str, object]) -> None:
        super().__init__({**self.DEFAULTS, **chosen}, label_suffix="")


class IntervalForm(ChoiceForm):
    DEFAULTS = {
        "confidence_level": DEFAULT_CONFIDENCE_LEVEL,
        "method": DEFAULT_METHOD,
    }

    confidence_level = forms.TypedChoiceField(
        label=gettext_lazy("Confidence level"), choices=LEVEL_CHOICES, coerce=float
    )
    method = forms.ChoiceField(label=gettext_lazy("Method"), choices=METHOD_CHOICES)

    @classmethod
    def of(cls, survey: Survey, chosen: Mapping[str, object]) -> Self:
        return cls({**survey.planned_interval, **chosen})

    @property
    def interval(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in IntervalForm.DEFAULTS}


class ResultsForm(IntervalForm):
    DEFAULTS = {**IntervalForm.DEFAULTS, "intervals": EACH}

    intervals = forms.ChoiceField(
        label=gettext_lazy("Several answers"),
        choices=[
            (EACH, gettext_lazy("Each interval separately")),
            (SIMULTANEOUS, gettext_lazy("All intervals jointly")),
        ],
    )

    @property
    def interval(self) -> dict[str, Any]:
        is_simultaneous = self.cleaned_data["intervals"] == SIMULTANEOUS
        return {**super().interval, "simultaneous": is_simultaneous}

    @property
    def query(self) -> dict[str, Any]:
        chosen = {name: self.cleaned_data[name] for name in ResultsForm.DEFAULTS}
        if chosen["intervals"] == EACH:
            del chosen["intervals"]
        return chosen


def make_ignoring_field() -> TypedInteger:
    return TypedInteger(
        label=gettext_lazy("Do not follow the instructions, at most (%)"),
        required=False,
        min_value=0,
        max_value=MAX_IGNORING,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 3}),
        error_messages=make_integer_errors(0, MAX_IGNORING),
    )


def suppose(survey: Survey) -> dict[str, object]:
    """Return the planned interval and the assumed percentage of non-compliance."""
    ignoring = supposed_ignoring(survey)
    supposed = {"ignoring": ignoring} if ignoring else {}
    return {**survey.planned_interval, **supposed}


class SupposingForm(ResultsForm):
    confidence_level = forms.TypedChoiceField(
        label=gettext_lazy("Confidence level"),
        choices=[
            (level, format_lazy(gettext_lazy("{level} intervals"), level=shown))
            for level, shown in LEVEL_CHOICES
        ],
        coerce=float,
    )
    forged = TypedInteger(
        label=gettext_lazy("Forged reports, at most"),
        required=False,
        min_value=0,
        max_value=MAX_TARGET,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 6}),
        error_messages=make_integer_errors(0, MAX_TARGET),
    )
    ignoring = make_ignoring_field()
    is_census = forms.BooleanField(
        label=gettext_lazy("Everyone was surveyed (census)"), required=False
    )
    first = forms.IntegerField(
        required=False, min_value=1, widget=forms.HiddenInput(), initial=1
    )

    @classmethod
    def of(cls, survey: Survey, chosen: Mapping[str, object]) -> Self:
        return cls({**suppose(survey), **chosen})

    @property
    def choices(self) -> list[forms.BoundField]:
        return [self[name] for name in ResultsForm.DEFAULTS]

    @property
    def suppositions(self) -> list[forms.BoundField]:
        return [self["ignoring"], self["forged"], self["is_census"]]

    @property
    def supposed(self) -> Supposed:
        return Supposed(
            is_census=self.cleaned_data["is_census"],
            forged=self.cleaned_data["forged"] or 0,
            ignoring=self.cleaned_data["ignoring"] or 0,
        )

    @property
    def page_query(self) -> dict[str, Any]:
        supposed = {"forged": self.supposed.forged, "is_census": "on"}
        return self.query | {
            **{
                name: value
                for name, value in supposed.items()
                if self.cleaned_data[name]
            },
            # With hand scrambling, 0 % is not the default, so it is a choice.
            **({"ignoring": self.supposed.ignoring} if "ignoring" in self.data else {}),
        }


CACHED_OVERVIEWS = 16
"""Cached overviews. With 200 questions one takes 130 kB, without the results."""

CARDS = 12
"""Questions on one page; more are loaded on scrolling or by a link."""


@dataclass(frozen=True)
class Cards:
    first: int
    questions: int

    @property
    def numbers(self) -> range:
        return range(self.first, min(self.first + CARDS, self.questions + 1))

    @property
    def before(self) -> Self | None:
        first = max(1, self.first - CARDS)
        return replace(self, first=first) if first < self.first else None

    @property
    def after(self) -> Self | None:
        first = self.first + CARDS
        return replace(self, first=first) if first <= self.questions else None

    @property
    def name(self) -> str:
        return capfirst(format_question_numbers(self.numbers))

    def find(self, number: int, query: str) -> str:
        if number in self.numbers:
            return f"#question-{number}"
        first = number - (number - 1) % CARDS
        return f"?{query}&first={first}#question-{number}"


@require_safe
def results(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    survey = get_survey_for_user(request.user, survey_id)
    if survey.is_draft:
        messages.info(request, _("Results are shown once the survey is open."))
        return redirect("admin:surveys_survey_change", survey.pk)
    if survey.purged_on:
        gone = "estimation/results/purged.html"
        return render_page(request, survey, gone, subtitle=_("Results"))
    form = SupposingForm.of(survey, request.GET.dict())
    return render_page(
        request,
        survey,
        "estimation/results/results.html",
        status=200 if form.is_valid() else 400,
        subtitle=_("Results"),
        form=form,
        **(show_results(survey, form) if form.is_valid() else {}),
    )


def show_results(survey: Survey, form: SupposingForm) -> dict[str, Any]:
    panel = SurveyPanel(get_results(survey, **form.interval), form.supposed)
    query, page_query = urlencode(form.query), urlencode(form.page_query)
    shown = Cards(form.cleaned_data["first"] or 1, len(panel.questions))
    cards = []
    for tick_list, each in panel.parts:
        if each.result.number in shown.numbers:
            if tick_list:
                context = {"tick_list": tick_list}
                name = "estimation/results/_tick_list.html"
                cards.append(render_to_string(name, context))
            cards.append(card(each, survey.pk, query))
    table = ""
    if panel.overview.shown:
        table = overview_card(panel.overview, survey.pk, shown, query, page_query)
    return {
        "panel": panel,
        "results": panel.results,
        "table": table,
        "cards": cards,
        "shown": shown,
        "query": query,
        "page_query": page_query,
    }


@cache_by_language(maxsize=CACHED_QUESTIONS)
def card(question: QuestionPanel, survey_id: int, query: str) -> SafeString:
    """Return the card of a question, which depends on these arguments alone.

    Cards take three quarters of the time of a page, and most users reload it.
    """
    context = {"question": question, "survey": {"pk": survey_id}, "query": query}
    return render_to_string("estimation/results/_question.html", context)


@cache_by_language(maxsize=CACHED_OVERVIEWS)
def overview_card(
    overview: Overview, survey_id: int, shown: Cards, query: str, page_query: str
) -> SafeString:
    context = {
        "overview": overview,
        "links": [
            (each, shown.find(each.result.number, page_query))
            for each in overview.shown
        ],
        "survey": {"pk": survey_id},
        "query": query,
    }
    return render_to_string("estimation/results/_overview.html", context)


def get_opened_survey(request: HttpRequest, survey_id: int) -> Survey:
    survey = get_survey_for_user(request.user, survey_id)
    if survey.is_draft:
        raise Http404("Results are shown once the survey is open.")
    if survey.purged_on:
        raise Http404("The reports of this survey were deleted.")
    return survey


def make_download_headers(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def send_file(
    content: str | bytes, name: str, content_type: str = "text/csv; charset=utf-8"
) -> HttpResponse:
    headers = make_download_headers(name)
    return HttpResponse(content, content_type=content_type, headers=headers)


def refuse(form: Form) -> HttpResponse:
    return HttpResponseBadRequest(form.errors.as_text(), content_type="text/plain")


@require_safe
def chart(
    request: HttpRequest,
    survey_id: int,
    file_format: str,
    position: int | None = None,
) -> HttpResponse:
    survey = get_opened_survey(request, survey_id)
    form = ResultsForm.of(survey, request.GET.dict())
    if not form.is_valid():
        return refuse(form)
    if position not in (None, *range(1, len(get_design(survey).questions) + 1)):
        raise Http404("There is no such question.")
    only = () if position is None else (position,)
    survey_counts = read_one_way(survey, only, seals=False)
    panel = SurveyPanel(survey_results(survey_counts, **form.interval))
    if not panel.overview.shown:
        raise Http404("There is nothing to draw.")
    drawn = panel.overview.chart if position is None else panel.questions[0].chart
    name = f"{survey.slug}-{position or 'overview'}"
    return chart_response(request, drawn, file_format, name)


def chart_response(
    request: HttpRequest, chart: Chart | WavesChart, file_format: str, name: str
) -> HttpResponse:
    if file_format not in FORMATS:
        raise Http404("There are no charts of this format.")
    if not chart.groups:
        raise Http404("There is nothing to draw.")
    drawn = write_file(chart.drawing, file_format)
    content_type = FORMATS[file_format]
    if file_format == "svg":
        response = HttpResponse(drawn, content_type=content_type)
    else:
        response = send_file(drawn, f"{name}.{file_format}", content_type)
    response["ETag"] = etag = quote_etag(sha256(drawn).hexdigest())
    return get_conditional_response(request, etag=etag, response=response) or response

"""Compare two questions, or two surveys."""

from collections.abc import Mapping
from typing import Any, Self

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from candor.cli.rows import format_csv
from candor.joint import MAX_CELLS
from estimation.files.analyses import make_cluster_cells, make_comparison_rows
from estimation.files.estimates import make_analysis_cells
from estimation.pages.results import (
    IntervalForm,
    chart_response,
    get_opened_survey,
    refuse,
    send_file,
)
from estimation.pages.version_fields import VersionFields
from estimation.presentation.comparison import ComparisonPanel, WavesPanel
from estimation.presentation.compliance import CompliancePanel
from estimation.presentation.planned import describe_comparison_plan
from estimation.rows.comparison import Comparison, compare
from estimation.rows.compliance import (
    estimate_compliance,
    scrambles_yes_no,
    with_anchor,
)
from estimation.rows.groups import MIN_GROUP_SIZE
from estimation.rows.independent_samples import (
    NO_OTHERS,
    OtherSurveys,
    are_arms,
    are_comparable,
    compare_arms,
    compare_surveys,
    find_other_surveys,
)
from estimation.rows.planned import Analysis, choose_analysis, unplanned
from estimation.rows.waves import (
    WaveQuestion,
    Waves,
    find_waves,
    read_waves,
)
from respondents.storage.declared_tables import explain_undeclared
from surveys.authoring.pages import render_page
from surveys.design import Design, get_design
from surveys.models import Survey
from surveys.versions import SameQuestion


class CompareForm(IntervalForm):
    field_order = ["first", "second", "anchor", "other"]

    first = forms.TypedChoiceField(label=gettext_lazy("Question"), coerce=int)
    second = forms.TypedChoiceField(label=gettext_lazy("by the answers to"), coerce=int)

    anchor = forms.ChoiceField(
        label=gettext_lazy("Anchor question: everyone's true answer"), required=False
    )

    other = forms.TypedChoiceField(
        label=gettext_lazy("or compared with another survey"),
        coerce=int,
        required=False,
        empty_value=None,
    )

    is_clustered = forms.BooleanField(
        label=gettext_lazy("The groups are clusters"), required=False
    )

    def __init__(
        self,
        chosen: Mapping[str, object],
        design: Design,
        others: OtherSurveys = NO_OTHERS,
    ) -> None:
        super().__init__(chosen)
        self.design, self.others = design, others
        questions = self.questions = design.estimated_questions
        choices = [
            (number, f"{number}. {question.full_text}")
            for number, question in enumerate(questions, start=1)
        ]
        for name in ("first", "second"):
            self.fields[name].choices = choices  # type: ignore[attr-defined]
        listed: list[Any] = [(each.pk, each.title) for each in others.similar]
        if others.versions:
            versions = [(each.pk, each.title) for each in others.versions]
            listed.append((_("Worded differently"), versions))
        self.fields["other"].choices = [  # type: ignore[attr-defined]
            ("", _("none")),
            *listed,
        ]
        if not listed:
            del self.fields["other"]
        self.numbers = self.find_number("first"), self.find_number("second")
        first, other = self.numbers[0], self.find_other()
        self.mapping: VersionFields | None = None
        if other and first:
            self.mapping = VersionFields(self, questions, first, other)
        if len(questions) < 2:
            # With one question, the form only compares with other surveys.
            self.fields["second"].widget = forms.HiddenInput()
        if self.may_have_anchor:
            anchor = questions[self.numbers[1] - 1]
            self.fields["anchor"].choices = [  # type: ignore[attr-defined]
                ("", _("none")),
                *((each, each) for each in anchor.choices),
            ]
        else:
            del self.fields["anchor"]
        if not self.uses_method:
            # It stays in the address, because another second question may use it.
            self.fields["method"].widget = forms.HiddenInput()

    @classmethod
    def of(
        cls,
        survey: Survey,
        chosen: Mapping[str, object],
        others: OtherSurveys = NO_OTHERS,
    ) -> Self:
        return cls({**survey.planned_interval, **chosen}, get_design(survey), others)

    @property
    def makes_groups(self) -> bool:
        """Whether the second question makes groups, not another survey or a draw."""
        if self.data.get("other") or not self.numbers[1]:
            return False
        return not are_arms(self.design, *self.numbers)

    @property
    def uses_method(self) -> bool:
        """Whether a method can be chosen; estimated groups have one of their own."""
        grouping = self.questions[self.numbers[1] - 1]
        return not (self.makes_groups and grouping.mechanism.is_scrambled)

    @property
    def may_have_anchor(self) -> bool:
        """Whether everyone may have one true answer to the second question."""
        is_by_hand = self.design.mode == Survey.Mode.HAND
        if not is_by_hand or not self.makes_groups or not self.numbers[0]:
            return False
        asked = (self.questions[each - 1].mechanism for each in self.numbers)
        return scrambles_yes_no(*asked)

    def find_number(self, name: str) -> int:
        numbers = range(1, len(self.questions) + 1)
        return {str(each): each for each in numbers}.get(str(self.data.get(name)), 0)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        places = [cleaned.get(name) for name in ("first", "second")]
        if None in places:
            return cleaned
        other = cleaned.get("other")
        if not other and len(set(places)) == 1:
            raise ValidationError(_("Choose two different questions."))
        if other:
            return self.clean_survey(cleaned)
        if are_arms(self.design, *(int(place or 1) for place in places)):
            return self.clean_arms(cleaned)
        if not self.design.declares(*map(int, filter(None, places))):
            raise ValidationError(explain_undeclared())
        asked, grouping = (self.questions[int(place or 1) - 1] for place in places)
        if not grouping.identifies_shares:
            raise ValidationError(has_only_mean())
        # A scale with a mean alone counts as the share of its highest point.
        first = len(asked.choices) if asked.mechanism.identifies_shares else 2
        second = len(grouping.choices)
        if first * second > MAX_CELLS:
            raise ValidationError(
                _("Too many answers together: %(many)s, %(most)s at most.")
                % {"many": first * second, "most": MAX_CELLS}
            )
        return cleaned

    def clean_arms(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        first, second = (
            self.questions[cleaned[name] - 1] for name in ("first", "second")
        )
        if not are_comparable(first, second):
            raise ValidationError(have_nothing_in_common())
        return cleaned

    def find_other(self) -> Survey | None:
        chosen = str(self.data.get("other") or "")
        found = (each for each in self.others.all if str(each.pk) == chosen)
        return next(found, None)

    def clean_survey(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        if self.mapping is None or self.errors:
            return cleaned
        found = self.mapping.check(cleaned)
        if not are_comparable(self.questions[self.mapping.number - 1], found.question):
            raise ValidationError(have_nothing_in_common())
        return cleaned

    @property
    def pair(self) -> dict[str, int]:
        return {name: self.cleaned_data[name] for name in ("first", "second")}

    def analysis(self, survey: Survey) -> Analysis:
        if self.cleaned_data.get("other") or self.cleaned_data.get("anchor"):
            return unplanned(survey)
        interval = self.interval
        if not self.uses_method:
            del interval["method"]
        pair = self.cleaned_data["first"], self.cleaned_data["second"]
        return choose_analysis(survey, **interval, pair=pair)

    @property
    def comparison(self) -> dict[str, Any]:
        return {**self.interval, **self.pair}


def has_only_mean() -> str:
    return _("This question has only a mean: its answers form no groups.")


def have_nothing_in_common() -> str:
    return _("These two questions have no mean or share in common.")


@require_safe
def compare_page(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    survey = get_opened_survey(request, survey_id)
    design = get_design(survey)
    questions = design.estimated_questions
    others = find_other_surveys(request.user, survey, design.questions)
    # A scale sent as one bit gives a mean and no shares: it makes no groups.
    identified = [
        number
        for number, question in enumerate(questions, start=1)
        if question.identifies_shares
    ]
    numbers = [*identified, *(set(range(1, len(questions) + 1)) - {*identified})]
    pairs = (
        (first, second)
        for first in numbers
        for second in identified
        if first != second and design.declares(first, second)
    )
    pair = next(pairs, numbers[:2])
    defaults: dict[str, object] = dict(zip(("first", "second"), pair, strict=False))
    if not identified or len(questions) < 2:
        if not others.all:
            text = (
                _("No other survey asks this question.")
                if len(questions) < 2
                else has_only_mean()
            )
            messages.info(request, text)
            return redirect("admin:estimation_results", survey.pk)
        defaults = {
            "first": numbers[0],
            "second": numbers[0],
            "other": others.all[0].pk,
        }
    form = CompareForm.of(survey, {**defaults, **request.GET.dict()}, others)
    is_valid = form.is_valid()
    comparison = read_comparison(request, survey, form) if is_valid else None
    return render_page(
        request,
        survey,
        "estimation/compare/compare.html",
        status=200 if is_valid else 400,
        subtitle=_("Compare groups"),
        form=form,
        comparison=comparison,
        panel=ComparisonPanel(comparison, form.cleaned_data["is_clustered"])
        if comparison
        else None,
        compliance=CompliancePanel.of(comparison),
        waves=WavesPanel.of(
            read_all_waves(request, survey, form) if is_valid else None
        ),
        planned=describe_comparison_plan(survey, form.analysis(survey))
        if is_valid
        else "",
        smallest_group=MIN_GROUP_SIZE,
        query=urlencode(
            {name: value for name, value in form.cleaned_data.items() if value}
        ),
    )


def read_comparison(
    request: HttpRequest, survey: Survey, form: CompareForm
) -> Comparison:
    other = form.cleaned_data.get("other")
    if other is None or form.mapping is None:
        is_split = are_arms(get_design(survey), **form.pair)
        found = (compare_arms if is_split else compare)(survey, **form.comparison)
        return with_anchor(found, form.cleaned_data.get("anchor", ""))
    return compare_surveys(
        survey,
        get_opened_survey(request, other),
        form.mapping.read(form.cleaned_data),
        **form.interval,
    )


def read_all_waves(
    request: HttpRequest, survey: Survey, form: CompareForm
) -> Waves | None:
    other = form.cleaned_data.get("other")
    if other is None or form.mapping is None:
        return None
    number = form.mapping.number
    chosen: list[WaveQuestion] = [
        (survey, SameQuestion(number, number)),
        (get_opened_survey(request, other), form.mapping.read(form.cleaned_data)),
    ]
    rest = [each for each in form.others.similar if each.pk != other]
    more = find_waves(survey, number, rest)
    return read_waves([*chosen, *more], **form.interval)


def read_form(request: HttpRequest, survey_id: int) -> tuple[Survey, CompareForm]:
    survey = get_opened_survey(request, survey_id)
    others = find_other_surveys(request.user, survey, get_design(survey).questions)
    return survey, CompareForm.of(survey, request.GET.dict(), others)


@require_safe
def compare_chart(
    request: HttpRequest, survey_id: int, file_format: str
) -> HttpResponse:
    survey, form = read_form(request, survey_id)
    if not form.is_valid():
        return refuse(form)
    if "waves" in request.GET:
        waves = WavesPanel.of(read_all_waves(request, survey, form))
        if waves is None:
            raise Http404("There is nothing to draw.")
        return chart_response(request, waves.chart, file_format, f"{survey.slug}-waves")
    panel = ComparisonPanel(read_comparison(request, survey, form))
    is_joint = "joint" in request.GET
    name = f"{survey.slug}-{'joint' if is_joint else 'groups'}"
    chart = panel.joint_chart if is_joint else panel.chart
    return chart_response(request, chart, file_format, name)


@require_safe
def compare_csv(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey, form = read_form(request, survey_id)
    if not form.is_valid():
        return refuse(form)
    comparison = read_comparison(request, survey, form)
    if not comparison.shown and not estimate_compliance(comparison):
        raise Http404("There is no group that is large enough.")
    cells = make_analysis_cells(survey, form.analysis(survey))
    if form.cleaned_data["is_clustered"]:
        cells |= make_cluster_cells(comparison)
    text = format_csv([row | cells for row in make_comparison_rows(comparison)])
    return send_file(text, f"{survey.slug}-groups.csv")

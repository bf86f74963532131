"""Regressions of a survey's answers, and of an uploaded file that is not stored."""

import re
from collections.abc import Mapping, Sequence
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
from django.views.decorators.http import require_http_methods, require_safe

from candor.cli.regress import format_coefficients
from candor.cli.rows import format_csv
from candor.dichotomies import dichotomies
from candor.files.rows import read_header
from candor.files.table import FileError
from candor.files.workbook import read_table
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.mechanisms import Mechanism, ParameterError, load_families
from candor.regression.formula import LONGEST, FormulaError, read_formula
from candor.regression.patterns import NoFitError
from candor.regression.regress import Regression, collect_rows, regress
from estimation.files.analyses import make_regression_rows
from estimation.files.estimates import make_analysis_cells
from estimation.pages.results import (
    LEVEL_CHOICES,
    ChoiceForm,
    get_opened_survey,
    make_ignoring_field,
    refuse,
    send_file,
    suppose,
)
from estimation.pages.studies import is_too_large
from estimation.presentation.planned import describe_exploratory
from estimation.presentation.regression import (
    FilePanel,
    RegressionPanel,
    explain_obstacle,
)
from estimation.rows.groups import MIN_GROUP_SIZE
from estimation.rows.planned import unplanned
from estimation.rows.regression import Chosen, regress_questions
from respondents.storage.declared_tables import explain_undeclared
from surveys.authoring.forms.fields import MemoryFile
from surveys.authoring.pages import render_page
from surveys.design import Design, DesignQuestion, get_design
from surveys.models import Survey
from surveys.text.errors import explain_error
from surveys.typed_numbers import normalise_number

MAX_COEFFICIENTS = 20
"""More coefficients would take too long for a page."""


def list_outcomes(questions: Sequence[DesignQuestion]) -> list[tuple[str, str]]:
    found = []
    for number, question in enumerate(questions, start=1):
        if not question.identifies_shares:
            continue
        found_dichotomies = dichotomies(question.mechanism.weights)
        size = 1 if len(question.choices) == 2 else len(question.choices)
        for place in range(size):
            if found_dichotomies[place] is not None:
                asked = f"{number}. {question.full_text}"
                label = f"{asked} \N{EN DASH} {question.choices[place]}"
                found.append((f"{number}-{place}", label))
    return found


def list_scrambled(questions: Sequence[DesignQuestion]) -> list[tuple[str, str]]:
    return [
        (str(number), f"{number}. {question.full_text}")
        for number, question in enumerate(questions, start=1)
        if question.mechanism.is_scrambled and len(question.choices) == 2
    ]


def first_choice(questions: Sequence[DesignQuestion]) -> dict[str, object] | None:
    outcomes = [
        (value, int(value.partition("-")[0]))
        for value, _label in list_outcomes(questions)
    ]
    outcomes.sort(key=lambda each: not questions[each[1] - 1].mechanism.is_scrambled)
    for outcome, number in outcomes:
        for other, question in enumerate(questions, start=1):
            if other != number and not question.mechanism.is_scrambled:
                # The reference is No, or the first of several answers.
                reference = 1 if len(question.choices) == 2 else 0
                return {"outcome": outcome, name_reference(other): reference}
        for hidden, _label in list_scrambled(questions):
            if int(hidden) != number:
                return {"outcome": outcome, "scrambled": hidden}
    return None


def name_reference(number: int) -> str:
    return f"reference_{number}"


class RegressionForm(ChoiceForm):
    DEFAULTS = {
        "confidence_level": DEFAULT_CONFIDENCE_LEVEL,
        "scrambled": "",
        "clusters": "",
    }

    outcome = forms.ChoiceField(label=gettext_lazy("Outcome"))
    scrambled = forms.ChoiceField(
        label=gettext_lazy("by a scrambled answer to"), required=False
    )
    clusters = forms.ChoiceField(label=gettext_lazy("Clusters"), required=False)
    confidence_level = forms.TypedChoiceField(
        label=gettext_lazy("Confidence level"), choices=LEVEL_CHOICES, coerce=float
    )
    ignoring = make_ignoring_field()

    @classmethod
    def of(cls, survey: Survey, chosen: Mapping[str, object]) -> Self:
        return cls({**suppose(survey), **chosen}, get_design(survey))

    def __init__(self, chosen: Mapping[str, object], design: Design) -> None:
        super().__init__(chosen)
        self.design = design
        questions = self.questions = design.estimated_questions
        outcome: Any = self.fields["outcome"]
        outcome.choices = list_outcomes(questions)
        scrambled: Any = self.fields["scrambled"]
        scrambled.choices = [("", _("leave out")), *list_scrambled(questions)]
        self.direct = [
            number
            for number, question in enumerate(questions, start=1)
            if not question.mechanism.is_scrambled
        ]
        for number in self.direct:
            question = questions[number - 1]
            choices = [("", _("leave out"))] + [
                (str(place), _("compared with “%s”") % label)
                for place, label in enumerate(question.choices)
            ]
            self.fields[name_reference(number)] = forms.ChoiceField(
                label=_("by the answers to “%s”") % question.full_text,
                choices=choices,
                required=False,
            )
        names = [name_reference(number) for number in self.direct]
        self.order_fields(
            ["outcome", *names, "scrambled", "clusters", "confidence_level"]
        )
        if not list_scrambled(questions):
            del self.fields["scrambled"]
        # Two clusters are too few for a constant and an odds ratio.
        listed = [
            (str(number), f"{number}. {questions[number - 1].full_text}")
            for number in self.direct
            if len(questions[number - 1].choices) > 2
        ]
        clusters: Any = self.fields["clusters"]
        clusters.choices = [("", _("none")), *listed]
        if not listed:
            del self.fields["clusters"]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        chosen = self.chosen
        used = [*chosen.references, *filter(None, [chosen.scrambled])]
        if not used:
            raise ValidationError(_("Choose at least one question to compare by."))
        if chosen.outcome in used:
            raise ValidationError(_("Choose two different questions."))
        if chosen.clusters in (chosen.outcome, *chosen.references):
            raise ValidationError(_("Choose another question for the clusters."))
        if not self.design.declares(*chosen.numbers):
            raise ValidationError(explain_undeclared())
        many = sum(len(self.questions[each - 1].choices) - 1 for each in used)
        if many > MAX_COEFFICIENTS:
            raise ValidationError(
                _("Too many answers together: %(many)s, %(most)s at most.")
                % {"many": many, "most": MAX_COEFFICIENTS}
            )
        return cleaned

    @property
    def chosen(self) -> Chosen:
        number, _dash, place = self.cleaned_data["outcome"].partition("-")
        references = {
            each: int(self.cleaned_data[name_reference(each)])
            for each in self.direct
            if self.cleaned_data[name_reference(each)]
        }
        scrambled, clusters = map(self.cleaned_data.get, ("scrambled", "clusters"))
        return Chosen(
            outcome=int(number),
            answer=int(place),
            references=references,
            scrambled=int(scrambled) if scrambled else None,
            clusters=int(clusters) if clusters else None,
            ignoring=self.cleaned_data["ignoring"] or 0,
        )


MAX_BYTES = 10_000_000

NUMBER_OF_DESIGN = re.compile(r"(\w+)\s*=\s*([^\s;]+)")


def family_choices() -> list[tuple[str, str]]:
    """Return the families that scramble answers, except scales, which have no odds."""
    return [
        (name, _(family.label))
        for name, family in load_families().items()
        if family.is_protected and not family.is_scale
    ]


class FileRegressionForm(forms.Form):
    file = MemoryFile(
        label=gettext_lazy("Rows (CSV)"),
        help_text=gettext_lazy(
            "One row per respondent, at most 10 MB. The file is not stored."
        ),
        most_bytes=MAX_BYTES,
        size="10 MB",
        accept=".csv,text/csv,text/plain",
    )
    outcome = forms.CharField(
        label=gettext_lazy("Column of the reports"),
        max_length=200,
        help_text=gettext_lazy("With 1 or yes, 0 or no, or names of reports."),
    )
    family = forms.ChoiceField(
        label=gettext_lazy("Mechanism"),
        choices=family_choices,
        initial="forced_response",
    )
    numbers = forms.CharField(
        label=gettext_lazy("Numbers of the mechanism"),
        required=False,
        max_length=500,
        help_text="forced_yes=1/6 forced_no=1/6",
    )
    answer = forms.IntegerField(
        label=gettext_lazy("Number of the answer"),
        min_value=1,
        initial=1,
    )
    formula = forms.CharField(
        label=gettext_lazy("Predictors"),
        max_length=LONGEST,
        help_text=gettext_lazy("Such as married + I(age/10); other names between `…`."),
    )
    weights = forms.CharField(
        label=gettext_lazy("Column of weights"), required=False, max_length=200
    )
    clusters = forms.CharField(
        label=gettext_lazy("Column of clusters"), required=False, max_length=200
    )
    confidence_level = forms.TypedChoiceField(
        label=gettext_lazy("Confidence level"),
        choices=LEVEL_CHOICES,
        coerce=float,
        initial=DEFAULT_CONFIDENCE_LEVEL,
    )

    def __init__(self, posted: Any = None, files: Any = None) -> None:
        super().__init__(posted, files, label_suffix="")
        self.regression: Regression | None = None

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        mechanism = self.mechanism(cleaned)
        if mechanism is None:
            return cleaned
        place = cleaned["answer"] - 1
        if (
            place >= len(mechanism.answers)
            or dichotomies(mechanism.weights)[place] is None
        ):
            self.add_error(
                "answer",
                _("This question has no share of this answer."),
            )
            return cleaned
        try:
            self.regression = regress_file(cleaned, mechanism, place)
        except FormulaError as error:
            self.add_error("formula", str(error))
        except NoFitError as error:
            self.add_error(None, explain_obstacle(error.obstacle, error.names))
        except FileError as error:
            self.add_error("file", list(error.problems))
        return cleaned

    def mechanism(self, cleaned: Mapping[str, Any]) -> Mechanism | None:
        given = dict(NUMBER_OF_DESIGN.findall(cleaned["numbers"]))
        if NUMBER_OF_DESIGN.sub("", cleaned["numbers"]).strip(" ;,"):
            message = _("Write each number as name=value, with spaces between.")
            self.add_error("numbers", message)
            return None
        read = {
            name: normalise_number(text.rstrip(",")) for name, text in given.items()
        }
        try:
            return load_families()[cleaned["family"]].build(**read)
        except ParameterError as error:
            self.add_error("numbers", explain_error(error))
            return None


def regress_file(
    cleaned: Mapping[str, Any], mechanism: Mechanism, place: int
) -> Regression:
    table = read_table(cleaned["file"])
    header = read_header(table)
    formula = read_formula(cleaned["formula"], header)
    if cleaned["outcome"] in formula.columns:
        raise FormulaError(_("The reports cannot be a predictor of themselves."))
    rows = collect_rows(
        table,
        formula,
        outcome=cleaned["outcome"],
        mechanism=mechanism,
        place=place,
        weights=cleaned["weights"],
        clusters=cleaned["clusters"],
    )
    return regress(rows, formula, confidence_level=cleaned["confidence_level"])


@require_safe
def regression_page(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    survey = get_opened_survey(request, survey_id)
    questions = get_design(survey).estimated_questions
    example = first_choice(questions)
    if example is None:
        messages.info(
            request,
            _("A regression needs a second question, direct or with two answers."),
        )
        return redirect("admin:estimation_results", survey.pk)
    form = RegressionForm.of(survey, request.GET.dict() or example)
    result = None
    if form.is_valid():
        level = form.cleaned_data["confidence_level"]
        result = regress_questions(survey, form.chosen, confidence_level=level)
    return render_page(
        request,
        survey,
        "estimation/regression/regression.html",
        status=200 if form.is_valid() else 400,
        subtitle=_("Regression"),
        form=form,
        result=result,
        panel=RegressionPanel(result) if result else None,
        exploratory=describe_exploratory(unplanned(survey)),
        smallest_group=MIN_GROUP_SIZE,
        query=urlencode(
            {name: value or "" for name, value in form.cleaned_data.items()}
        ),
    )


@require_safe
def regression_csv(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = get_opened_survey(request, survey_id)
    form = RegressionForm.of(survey, request.GET.dict())
    if not form.is_valid():
        return refuse(form)
    level = form.cleaned_data["confidence_level"]
    result = regress_questions(survey, form.chosen, confidence_level=level)
    if result.regression is None:
        raise Http404("There are no numbers of this regression.")
    cells = make_analysis_cells(survey, unplanned(survey))
    rows = make_regression_rows(result, result.regression)
    text = format_csv([row | cells for row in rows])
    return send_file(text, f"{survey.slug}-regression.csv")


@require_http_methods(["GET", "HEAD", "POST"])
def regression_of_file(request: HttpRequest) -> HttpResponse:
    is_posted = request.method == "POST"
    form = FileRegressionForm(*((request.POST, request.FILES) if is_posted else ()))
    if is_posted and is_too_large(request):
        form.add_error(None, _("The file is larger than %s.") % "10 MB")
    regression = form.regression if form.is_valid() else None
    if regression and "csv" in request.POST:
        return send_file(format_coefficients(regression), "regression.csv")
    return render_page(
        request,
        None,
        "estimation/regression/file.html",
        status=400 if is_posted and form.errors else 200,
        title=_("Regression of a file"),
        form=form,
        panel=FilePanel(regression) if regression else None,
        families=[
            {"label": label, "numbers": load_families()[name].parameters}
            for name, label in family_choices()
        ],
    )

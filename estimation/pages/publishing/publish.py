"""The page *Publish*."""

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.http import require_http_methods, require_safe

from estimation.models import Publication
from estimation.pages.publishing.published import (
    LEAST_RESPONSES,
    exact_results,
    get_results_to_publish,
    list_publishable,
    obstacle,
    prepare,
)
from estimation.pages.publishing.views import find, render_published
from estimation.pages.results import (
    LEVEL_CHOICES,
    METHOD_CHOICES,
)
from estimation.presentation.ledger import make_ledger_table, make_queries_table
from estimation.presentation.publishing import describe_cost
from estimation.presentation.survey import margin
from estimation.rows.planned import planned_interval
from estimation.rows.queries import MAX_CONDITION_LENGTH, read_query, store_query
from estimation.rows.released import needs_release, refuse_release, store_release
from estimation.rows.row import DisplayStatus
from estimation.rows.shares import QuestionResult
from surveys.access import get_survey_for_user, has_role
from surveys.authoring.pages import render_page
from surveys.design import get_design
from surveys.log import record
from surveys.models import Role, Survey
from surveys.numbers import HALF_THE_SCALE

EPSILONS = tuple(map(Decimal, ("0.25", "0.50", "1.00", "2.00", "4.00")))
"""Choices of epsilon for a release; odds shift by a factor of at most e^epsilon."""


def describe_epsilon(epsilon: Decimal) -> str:
    return _("With noise, epsilon %s") % number_format(epsilon.normalize())


with_noise = lazy(describe_epsilon, str)
lazy_number = lazy(number_format, str)


class PublicationForm(forms.ModelForm):  # type: ignore[type-arg]
    questions = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Questions to show"),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one question.")},
    )
    confidence_level = forms.TypedChoiceField(
        label=gettext_lazy("Confidence level"),
        choices=LEVEL_CHOICES,
        coerce=float,
    )
    method = forms.ChoiceField(
        label=gettext_lazy("Method"),
        choices=METHOD_CHOICES,
        help_text=gettext_lazy("Choose before you look at the results."),
    )

    release_epsilon = forms.TypedChoiceField(
        label=gettext_lazy("Numbers of people"),
        choices=[
            ("", gettext_lazy("As they are")),
            *((epsilon, with_noise(epsilon)) for epsilon in EPSILONS),
        ],
        coerce=Decimal,
        empty_value=None,
        required=False,
        help_text=gettext_lazy(
            "With noise, odds of a guess about one person shift at most 1.3 times for "
            "epsilon 0.25, 2.8 for 1, 55 for 4."
        ),
    )

    class Meta:
        model = Publication
        fields = (
            "headline",
            "note",
            "questions",
            "confidence_level",
            "method",
            "release_epsilon",
        )
        widgets = {"note": forms.Textarea(attrs={"rows": 5})}

    def __init__(
        self,
        posted: Mapping[str, Any] | None,
        *,
        publication: Publication,
        publishable: Sequence[QuestionResult],
    ) -> None:
        if not publication.is_stored:
            # All questions are shown by default.
            publication.questions = [question.number for question in publishable]
        super().__init__(posted, instance=publication, label_suffix="")
        self.scales = {each.number for each in publishable if each.mean}
        # A method that was chosen earlier stays valid, even if no longer offered.
        self.fields["method"].widget.choices = METHOD_CHOICES
        self.fields["questions"].choices = [  # type: ignore[attr-defined]
            (question.number, f"{question.number}. {question.full_text}")
            for question in publishable
        ]

    def clean(self) -> dict[str, Any]:
        """Reject noise for means, because no interval of a mean allows for it."""
        cleaned: dict[str, Any] = super().clean() or {}
        scales = sorted(self.scales.intersection(cleaned.get("questions", ())))
        if cleaned.get("release_epsilon") and scales:
            text = _("Means are not published with noise: leave out question %s.")
            self.add_error("release_epsilon", text % scales[0])
        return cleaned

    def save(self, commit: bool = True) -> Publication:
        """Store the settings without overwriting a concurrent release."""
        if not commit or not self.instance.is_stored:
            return super().save(commit)
        self.instance.save(update_fields=self.Meta.fields)
        return self.instance


class ReleaseForm(forms.Form):
    """Number of releases when the owner confirmed another one."""

    after = forms.IntegerField(min_value=0)


class QueryForm(ReleaseForm):
    after = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    condition = forms.CharField(
        label=gettext_lazy("Condition"),
        max_length=MAX_CONDITION_LENGTH,
        help_text=gettext_lazy(
            "Such as 1 is Female and 2 is Failed, of unscrambled questions."
        ),
    )
    epsilon = forms.TypedChoiceField(
        label=gettext_lazy("Epsilon"),
        choices=[(epsilon, lazy_number(epsilon.normalize())) for epsilon in EPSILONS],
        coerce=Decimal,
        help_text=gettext_lazy("Each release adds its epsilon and cannot be undone."),
    )

    def __init__(
        self, posted: Mapping[str, Any] | None, *, publication: Publication
    ) -> None:
        initial = {"after": len(publication.releases), "epsilon": EPSILONS[0]}
        super().__init__(posted, initial=initial, prefix="count", label_suffix="")
        self.survey = publication.survey

    def clean_condition(self) -> str:
        text: str = self.cleaned_data["condition"]
        read_query(text, get_design(self.survey))
        return text

    def clean_epsilon(self) -> Decimal:
        epsilon: Decimal = self.cleaned_data["epsilon"]
        if refused := refuse_release(self.survey, epsilon):
            raise forms.ValidationError(refused)
        return epsilon


class SwitchForm(forms.Form):
    is_public = forms.TypedChoiceField(
        choices=[("on", "on"), ("off", "off")], coerce=lambda value: value == "on"
    )


@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    role = Role.OWNER if request.method == "POST" else Role.EDITOR
    survey = get_survey_for_user(request.user, survey_id, role=role)
    results = get_results_to_publish(survey)
    hindrance, publication = obstacle(survey, results), get_publication(survey)
    if hindrance or results is None:
        return show(request, publication, hindrance=hindrance)
    posted = request.POST if request.method == "POST" else None
    choices = list_publishable(results)
    form = PublicationForm(posted, publication=publication, publishable=choices)
    if form.is_valid():
        form.save()
        text = gettext_noop("Changed what the public page shows.")
        record(request.user, survey, text)
        messages.success(request, _("Saved."))
        return redirect("admin:estimation_publish", survey.pk)
    left_out = len(results.questions) - len(choices)
    return show(request, publication, form=form, left_out=left_out)


def show(
    request: HttpRequest, publication: Publication, **more: Any
) -> HttpResponseBase:
    survey = publication.survey
    return render_page(
        request,
        survey,
        "estimation/publishing/publish.html",
        title=_("Publish results"),
        publication=publication,
        may_publish=has_role(request.user, survey, Role.OWNER),
        address=request.build_absolute_uri(publication.get_absolute_url()),
        least=LEAST_RESPONSES,
        cost=describe_cost(publication),
        forecast=forecast(publication),
        ledger=make_ledger_table(survey, request.user),
        queries=make_queries_table(publication),
        **{"query_form": make_query_form(publication), **more},
    )


def make_query_form(publication: Publication) -> QueryForm | None:
    survey = publication.survey
    if survey.is_draft or all(
        each.mechanism.is_scrambled for each in get_design(survey).questions
    ):
        return None
    return QueryForm(None, publication=publication)


@require_http_methods(["GET", "HEAD", "POST"])
def count(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    survey = get_survey_for_user(request.user, survey_id, role=Role.OWNER)
    results = get_results_to_publish(survey)
    if request.method != "POST" or results is None or obstacle(survey, results):
        return redirect("admin:estimation_publish", survey.pk)
    publication, choices = get_publication(survey), list_publishable(results)
    form = QueryForm(request.POST, publication=publication)
    if not form.is_valid():
        page = PublicationForm(None, publication=publication, publishable=choices)
        return show(request, publication, form=page, query_form=form)
    if not publication.is_stored:
        publication.questions = [question.number for question in choices]
        publication.save()
    chosen = form.cleaned_data
    if store_query(
        publication, chosen["condition"], chosen["epsilon"], after=chosen["after"]
    ):
        record(request.user, survey, gettext_noop("Released a count with noise."))
    else:
        messages.error(request, _("Read first what the release costs."))
    return redirect("admin:estimation_publish", survey.pk)


def forecast(publication: Publication) -> list[tuple[int, str, str]]:
    if not publication.is_stored or not needs_release(publication):
        return []
    exact = exact_results(publication)
    noisy = prepare(publication, is_preview=True)
    if exact is None or noisy is None:
        return []
    before = {question.number: question for question in exact.questions}
    return [
        (each.number, half_interval(before[each.number]), half_interval(each))
        for each in noisy.results.questions
    ]


def half_interval(question: QuestionResult) -> str:
    row = max(question.headline_shares, key=lambda row: row.width)
    if row.display_status is DisplayStatus.MISFIT:
        return margin(math.inf)
    if row.display_status is not DisplayStatus.ESTIMATED:
        return margin(HALF_THE_SCALE)
    return margin((row.high - row.low) / 2)


@require_http_methods(["GET", "HEAD", "POST"])
def switch(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = get_survey_for_user(request.user, survey_id, role=Role.OWNER)
    form, publication = SwitchForm(request.POST), get_publication(survey)
    if request.method != "POST" or not form.is_valid():
        return redirect("admin:estimation_publish", survey.pk)
    is_public = form.cleaned_data["is_public"]
    if is_public and not (
        publication.is_stored and prepare(publication, is_preview=True)
    ):
        messages.error(request, _("Save what the page shows first."))
    elif is_public and needs_release(publication) and not release(request, publication):
        text = refuse_release(survey, publication.release_epsilon) or _(
            "Read first what the release costs."
        )
        messages.error(request, text)
    elif publication.is_stored:
        publication.switch(is_public=is_public)
        done = (
            gettext_noop("Published the results.")
            if is_public
            else gettext_noop("Stopped publishing the results.")
        )
        record(request.user, survey, done)
        messages.success(request, _(done))
    return redirect("admin:estimation_publish", survey.pk)


def release(request: HttpRequest, publication: Publication) -> bool:
    """Draw the noise if the owner confirmed the cost of this release."""
    form, results = ReleaseForm(request.POST), exact_results(publication)
    if results is None or not form.is_valid():
        return False
    is_released = store_release(publication, results, **form.cleaned_data)
    if is_released:
        text = gettext_noop("Released the counts with noise.")
        record(request.user, publication.survey, text)
    return is_released


@require_safe
def preview(request: HttpRequest, survey_id: int) -> HttpResponse:
    published = find(request, survey_id=survey_id)
    if published is None:
        messages.info(request, _("Save what the page shows first."))
        return redirect("admin:estimation_publish", survey_id)
    base = reverse("admin:estimation_publish_preview", args=[survey_id])
    return HttpResponse(render_published(published, base=base, is_preview=True))


def get_publication(survey: Survey) -> Publication:
    found = Publication.objects.filter(survey=survey).first()
    publication = found or Publication(survey=survey, **planned_interval(survey))
    publication.survey = survey
    return publication

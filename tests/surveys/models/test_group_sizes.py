"""How small the groups may be in which a survey's responses are counted and shown."""

from copy import deepcopy

import pytest
from django.core.exceptions import ValidationError

from surveys.design import GroupSizes, get_design, parse_design
from surveys.frozen import compute_digest
from surveys.models import Survey
from surveys.thresholds import LEAST_RESPONSES, MIN_BATCH_SIZE
from tests.factories import make_survey, open_as_earlier_release

pytestmark = pytest.mark.django_db


def make_draft(**fields):
    return make_survey(opened=False, **fields)


def problems(**fields):
    survey = make_draft(**fields)
    return [(each.field, each.text) for each in survey.find_problems()]


@pytest.mark.parametrize(("size", "opens"), [(1, False), (9, False), (10, True)])
def test_the_smallest_batch_size_is_ten(size, opens):
    assert MIN_BATCH_SIZE == 10
    refused = [] if opens else [("batch_size", "The batch size must be at least 10.")]
    assert problems(batch_size=size) == refused
    if not opens:
        with pytest.raises(ValidationError, match="at least 10"):
            Survey.objects.get().open()
        assert Survey.objects.get().is_draft


@pytest.mark.parametrize("links", [None, 1, 9])
def test_fewer_links_than_the_results_minimum_are_rejected(links):
    assert problems(access="invitation", least_links=links) == [
        ("least_links", "Plan at least 10 one-time links.")
    ]


def test_as_many_links_as_the_results_minimum_are_accepted(settings):
    assert problems(access="invitation", least_links=10) == []
    settings.LEAST_RESPONSES = 11
    assert Survey.objects.get().problems() != []


def test_an_open_link_needs_no_number_of_links():
    assert problems(access="link") == []
    assert problems(access="link", least_links=1, slug="some") == []


def test_simulated_surveys_allow_any_batch_size():
    assert problems(batch_size=1, is_simulated=True) == []


@pytest.mark.parametrize(
    ("fields", "promised"),
    [
        ({"batch_size": 30}, {"batch_size": 30, "least_responses": 10}),
        (
            {"access": "invitation", "least_links": 150},
            {"batch_size": 20, "least_responses": 10, "least_links": 150},
        ),
        ({"least_links": 150}, {"batch_size": 20, "least_responses": 10}),
    ],
)
def test_promised_group_sizes_are_part_of_the_digest(fields, promised):
    survey = make_survey(**fields)
    definition = survey.definition()
    assert definition["counting"] == promised
    assert compute_digest(definition) == survey.design_digest
    assert get_design(survey).group_sizes == GroupSizes(**promised)
    for name, value in promised.items():
        other = deepcopy(definition)
        other["counting"][name] = value + 1
        assert compute_digest(other) != survey.design_digest


def test_group_sizes_are_fixed_at_opening(settings):
    settings.LEAST_RESPONSES = 25
    survey = make_survey()
    settings.LEAST_RESPONSES = LEAST_RESPONSES
    assert Survey.objects.get().definition()["counting"]["least_responses"] == 25
    assert compute_digest(Survey.objects.get().definition()) == survey.design_digest


def test_surveys_opened_by_earlier_releases_keep_digest_and_batch():
    survey = make_draft(batch_size=1)
    open_as_earlier_release(survey)
    definition = Survey.objects.get().definition()
    assert "counting" not in definition
    assert compute_digest(definition) == survey.design_digest
    assert get_design(survey).group_sizes is None
    assert Survey.objects.get().seals_at == 1


@pytest.mark.parametrize("value", ["20", 20.0, True, None])
def test_group_sizes_must_be_whole_numbers(value):
    definition = make_survey().definition()
    definition["counting"]["batch_size"] = value
    with pytest.raises(TypeError, match="group sizes must be whole numbers"):
        parse_design(definition, survey_id=0, digest="", is_rehearsal=False)

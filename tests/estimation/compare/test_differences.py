"""Differences between groups and surveys: numbers, page, files and permissions."""

import pytest

from candor import difference
from candor.mechanisms import build
from estimation.rows.comparison import compare
from estimation.rows.independent_samples import (
    Wording,
    compare_surveys,
    counterpart,
    find_other_surveys,
)
from surveys.design import get_design
from surveys.models import Membership, Role
from surveys.versions import SameQuestion, VersionError
from tests.estimation.pages import get, rows_of, text_of
from tests.factories import make_survey, make_user

OPTIONS = {"confidence_level": 0.95, "method": "feldman-cousins"}
THREE = ("k_ary", {"epsilon": 1, "choices": 3})
YES_NO = ("Yes", "No")


@pytest.mark.django_db
class TestGroups:
    COUNTS = {b"\0\0": 60, b"\1\0": 40, b"\0\1": 40, b"\1\1": 60}

    def test_known_groups_are_compared_like_two_samples(self):
        survey = make_survey(["coin", "direct"], counts=self.COUNTS)
        (row,) = compare(survey, 1, 2, **OPTIONS).differences
        groups = [{"yes": 60, "no": 40}, {"yes": 40, "no": 60}]
        (known, _no) = difference(build("coin"), *groups)
        assert (row.group, row.other, row.label) == ("Yes", "No", "Yes")
        assert row.estimate == pytest.approx(0.4)
        assert (row.low, row.high) == (known.low, known.high)
        assert (row.p_value, row.adjusted_p_value) == (known.p_value, known.p_value)

    def test_scrambled_groups_have_no_test(self):
        counts = {b"\0\0": 310, b"\0\1": 190, b"\1\0": 170, b"\1\1": 130}
        survey = make_survey(["coin", "coin"], counts=counts)
        (row,) = compare(survey, 1, 2, **OPTIONS).differences
        # docs/reference/statistics.md: .575 / .7 less .175 / .3
        assert row.estimate == pytest.approx(0.23810, abs=5e-6)
        assert row.low < 0 < row.high
        assert row.p_value is row.adjusted_p_value is None

    def test_groups_are_compared_with_the_first_and_adjusted(self):
        counts = {bytes([a, b]): 50 + 40 * (a == b) for a in range(2) for b in range(3)}
        direct = ("k_ary", {"epsilon": 10, "choices": 3})
        survey = make_survey(["coin", direct], counts=counts)
        rows = compare(survey, 1, 2, **OPTIONS).differences
        assert [row.group for row in rows] == ["Yes"] * 2
        assert [row.other for row in rows] == ["No", "Prefer not to answer"]
        several = make_survey(
            [THREE, "direct"], counts=counts_of_three(), slug="several"
        )
        rows = compare(several, 1, 2, **OPTIONS).differences
        assert [row.label for row in rows] == ["Yes", "No", "Prefer not to answer"]
        smallest = min(rows, key=lambda row: row.p_value)
        assert smallest.adjusted_p_value == pytest.approx(min(1, 3 * smallest.p_value))


def counts_of_three():
    return {bytes([a, b]): 50 + 40 * (a == b) for a in range(3) for b in range(2)}


COPY, PAY = (Wording(f"Did you {verb}?", YES_NO) for verb in ("copy", "pay"))


@pytest.mark.parametrize(
    ("number", "others", "expected"),
    [
        # Questions match by text, otherwise by position and choices.
        (1, [PAY, COPY], 2),
        (1, [Wording("Have you copied?", YES_NO)], 1),
        (2, [Wording("Have you copied?", YES_NO)], None),
        (1, [Wording("Did you copy?", ("A", "B"))], None),
    ],
)
def test_the_counterpart_of_a_question_is_found(number, others, expected):
    assert counterpart([COPY, PAY], number, others) == expected


@pytest.mark.django_db
class TestSurveys:
    @pytest.fixture
    def waves(self):
        first = make_survey(["coin", "direct"], counts={b"\0\0": 600, b"\1\1": 400})
        second = make_survey(["die"], counts={b"\0": 40, b"\1": 60}, slug="later")
        return first, second

    def test_surveys_are_compared_as_two_samples_with_own_mechanisms(self, waves):
        found = compare_surveys(*waves, SameQuestion(1, 1), **OPTIONS)
        counts = {"yes": 600, "no": 400}, {"yes": 40, "no": 60}
        (known, _no) = difference(build("coin"), *counts, second_mechanism=build("die"))
        (row,) = found.differences
        assert (row.low, row.high) == (known.low, known.high)
        assert row.p_value == known.p_value
        assert not row.is_exact
        # The slug distinguishes surveys with the same title.
        assert row.group == "Study habits (study-habits)"
        assert [group.size for group in found.groups] == [1000, 100]

    def test_small_surveys_are_not_compared(self, client, waves):
        small = make_survey(["coin"], counts={b"\0": 10, b"\1": 19}, slug="small")
        text = text_of(get(client, "compare", waves[0], first=1, other=small.pk))
        assert "Fewer than 30 reports" in text
        assert "Difference" not in text

    def test_only_visible_surveys_are_offered_and_compared(self, client, waves):
        first, second = waves
        stranger = make_user("stranger")
        foreign = make_survey(
            ["coin"], counts={b"\0": 90}, slug="foreign", owner=stranger
        )
        offered = find_other_surveys(first.owner, first, get_design(first).questions)
        assert offered.all == [second]
        for name, path in (
            ("compare", []),
            ("compare_chart", ["svg"]),
            ("compare_csv", []),
        ):
            query = {"first": 1, "second": 2, "other": foreign.pk}
            assert get(client, name, first, *path, **query).status_code == 400
        Membership.objects.create(survey=foreign, user=first.owner, role=Role.VIEWER)
        query = {"first": 1, "second": 2, "other": foreign.pk}
        assert get(client, "compare", first, **query).status_code == 200

    def test_drafts_purged_and_simulated_surveys_are_not_offered(self, waves):
        first, second = waves
        make_survey(slug="draft", opened=False)
        made_up = make_survey(slug="made-up", opened=False, is_simulated=True)
        made_up.open()
        purged = make_survey(slug="purged", opened=False)
        purged.purged_on = "2026-01-01"
        purged.open()
        purged.save()
        offered = find_other_surveys(first.owner, first, get_design(first).questions)
        assert offered.all == [second]


@pytest.mark.django_db
class TestVersions:
    """A survey in English and one in German, whose answers are in another order."""

    CHECK = "Check which question and answers are the same"

    @pytest.fixture
    def versions(self):
        often = {"text": "How often?", "choices": ["Never", "Seldom", "Often"]}
        scrambled = {**often, "family": "k_ary", "parameters": {"epsilon": 1}}
        oft = {"text": "Wie oft?", "choices": ["Selten", "Nie", "Oft"]}
        kopiert = {"text": "Haben Sie abgeschrieben?", "choices": ["Ja", "Nein"]}
        return make_survey(
            [scrambled], title="Habits", counts={b"\0": 90, b"\1": 60, b"\2": 50}
        ), make_survey(
            [kopiert, {**oft, "family": "direct_choice"}],
            slug="german",
            title="Gewohnheiten",
            counts={b"\0\0": 20, b"\0\1": 60, b"\1\2": 20},
        )

    def mapped(self, german, *choices, question=2):
        name = f"same_{german.pk}_1"
        answers = {
            f"{name}_{question}_{place}": choice
            for place, choice in enumerate(choices, start=1)
        }
        return {"first": 1, "second": 1, "other": german.pk, name: question, **answers}

    def test_nothing_is_compared_before_the_mapping_is_confirmed(
        self, client, versions
    ):
        english, german = versions
        query = {"first": 1, "second": 1, "other": german.pk}
        page = get(client, "compare", english, **query)
        assert page.status_code == 400
        text = text_of(page)
        assert self.CHECK in text
        assert "Difference between" not in text
        # The default is a question with the same number of answers.
        form = page.context["form"]
        assert form[f"same_{german.pk}_1"].value() == 2
        assert "“Selten” means" in text

    def test_answers_are_compared_as_they_are_mapped(self, client, versions):
        english, german = versions
        query = self.mapped(german, 2, 1, 3)
        page = get(client, "compare", english, **query)
        assert page.status_code == 200
        _english, other = page.context["comparison"].groups
        assert [row.label for row in other.rows] == ["Never", "Seldom", "Often"]
        assert [row.estimate for row in other.rows] == pytest.approx([0.6, 0.2, 0.2])
        assert page.context["comparison"].wording == "Wie oft?"
        rows = [
            row
            for row in rows_of(get(client, "compare_csv", english, **query))
            if row["second_answer"] == "Gewohnheiten"
        ]
        assert [(row["first_answer"], row["within"]) for row in rows] == [
            ("Never", "0.6"), ("Seldom", "0.2"), ("Often", "0.2"),
        ]  # fmt: skip
        assert get(client, "compare_chart", english, "svg", **query).status_code == 200

    @pytest.mark.parametrize(
        ("question", "choices", "message"),
        [
            (2, (1, 1, 3), "assign each answer, 1 to 3, to one answer"),
            (2, (1, 2, 4), "Select a valid choice"),
            (2, (1, 2), CHECK),
            (1, (), "Question 1: 3 answers. Question 1 of the other survey"),
            (9, (), "Select a valid choice"),
            ("x", (), "Select a valid choice"),
        ],
    )
    def test_invalid_mappings_are_rejected(
        self, client, versions, question, choices, message
    ):
        english, german = versions
        query = self.mapped(german, *choices, question=question)
        page = get(client, "compare", english, **query)
        assert page.status_code == 400
        assert message in text_of(page)
        assert get(client, "compare_csv", english, **query).status_code == 400

    def test_points_of_a_scale_keep_their_order(self, client):
        grid = ("grid", {"epsilon": 2, "points": 3})
        first, other = (
            make_survey([grid], counts={b"\0": 90, b"\1": 60, b"\2": 50}, slug=slug)
            for slug in ("one", "two")
        )
        query = {"first": 1, "second": 1, "other": other.pk}
        page = get(client, "compare", first, **query)
        assert not [each for each in page.context["form"].fields if each[-4:] == "_1_1"]
        assert page.status_code == 200
        with pytest.raises(VersionError, match="points of a scale stay in order"):
            compare_surveys(first, other, SameQuestion(1, 1, (3, 2, 1)), **OPTIONS)

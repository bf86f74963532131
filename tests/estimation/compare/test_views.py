import pytest

import candor
from candor.mechanisms.draws import NOT_ASKED
from estimation.rows.comparison import Misfit, compare
from estimation.rows.groups import find_large_groups
from tests.estimation.pages import get, rows_of
from tests.factories import make_survey, make_user

pytestmark = pytest.mark.django_db

# Two coins, 800 respondents: joint shares .575 .175 .125 .125 and their errors were
# computed independently (docs/reference/statistics.md).
COINS = {b"\0\0": 310, b"\0\1": 190, b"\1\0": 170, b"\1\1": 130}
OPTIONS = {"confidence_level": 0.95, "method": "feldman-cousins"}


def make_pair(counts, questions=("coin", "coin"), **fields):
    return make_survey(questions, counts=counts, **fields)


@pytest.mark.parametrize(
    ("sizes", "shown"),
    [
        ([100, 30], {0, 1}),
        ([100, 29], set()),
        ([100, 40, 29], {0}),
        ([100, 20, 10], {0}),
        ([10, 10], set()),
        ([], set()),
        ([100, 40, 0], {0, 1}),
        ([100, 0], {0}),
        ([100, 29, 0], set()),
        ([100, 40, 29, 0], {0}),
    ],
)
def test_groups_under_thirty_are_hidden_at_least_in_pairs(sizes, shown):
    assert find_large_groups(sizes) == shown


class TestScrambledGroups:
    def test_shares_within_a_group_come_from_the_joint_shares(self):
        found = compare(make_pair(COINS), 1, 2, **OPTIONS)
        yes, no = found.groups
        # .575 / (.575 + .125) and .175 / (.175 + .125); groups of 560 and 240
        assert yes.rows[0].estimate == pytest.approx(0.575 / 0.7)
        assert no.rows[0].estimate == pytest.approx(0.175 / 0.3)
        assert [(group.size, group.is_counted) for group in found.groups] == [
            (560, False),
            (240, False),
        ]
        assert yes.joint[0].raw == pytest.approx(0.575)
        assert found.independence == pytest.approx(0.1360, abs=5e-5)
        for group in found.groups:
            for row in group.rows:
                assert row.low < row.estimate < row.high

    def test_respondents_not_asked_both_questions_are_excluded(self):
        lacking = {bytes([0, NOT_ASKED]): 40, bytes([NOT_ASKED, 1]): 2}
        found = compare(make_pair({**COINS, **lacking}), 1, 2, **OPTIONS)
        assert (found.respondents, found.missing) == (800, 42)
        assert found.groups[0].rows[0].estimate == pytest.approx(0.575 / 0.7)


class TestCountedGroups:
    COUNTS = {b"\0\0": 40, b"\1\0": 60, b"\0\1": 50, b"\1\1": 50}

    def test_a_known_group_has_the_exact_interval(self):
        survey = make_pair(self.COUNTS, ["coin", "direct"])
        yes, no = compare(survey, 1, 2, **OPTIONS).groups
        # Feldman & Cousins 1998 for 40 yes of 100 with two coins: statistics.md
        row = yes.rows[0]
        assert (row.low, row.high) == pytest.approx((0.11416, 0.5), abs=5e-6)
        assert (row.estimate, row.raw) == pytest.approx((0.3, 0.3))
        assert no.rows[0].estimate == pytest.approx(0.5)
        assert (yes.size, yes.is_counted) == (100, True)


class TestPage:
    def test_small_groups_are_not_shown(self, client):
        counts = {b"\0\0": 400, b"\1\0": 571, b"\0\1": 14, b"\1\1": 15}
        survey = make_pair(counts, ["coin", "direct"])
        page = get(client, "compare", survey).content.decode()
        assert "Not shown" in page
        assert "<table" not in page
        assert "compare.svg" not in page
        for name, path in (("compare_chart", ["svg"]), ("compare_csv", [])):
            answer = get(client, name, survey, *path, first=1, second=2)
            assert answer.status_code == 404

    def test_an_answer_that_no_one_gave_hides_no_group(self, client):
        counts = {b"\0\0": 40, b"\1\0": 60, b"\0\1": 50, b"\1\1": 50}
        survey = make_pair(counts, ["coin", ("direct_choice", {"choices": 3})])
        page = get(client, "compare", survey, first=1, second=2).content.decode()
        assert page.count("100 people") >= 2
        assert "Not shown" not in page

    def test_too_many_answers_are_refused(self, client):
        many = ("k_ary", {"epsilon": 1, "choices": 11})
        answer = get(client, "compare", make_pair({b"\0\0": 90}, [many, many]))
        assert answer.status_code == 400
        assert "121, 100 at most" in answer.content.decode()

    def test_a_single_question_survey_redirects_from_comparison(self, client):
        answer = get(client, "compare", make_survey())
        assert answer.status_code == 302


SCALE = ("one_bit", {"epsilon": "1", "points": "11"})


def test_the_page_preselects_questions_that_form_groups(client):
    survey = make_pair({b"\0\0\0": 60, b"\1\1\1": 60}, [SCALE, "coin", "direct"])
    page = get(client, "compare", survey)
    assert page.status_code == 200
    assert page.context["form"].pair == {"first": 2, "second": 3}
    wave = make_pair({b"\0\0": 60, b"\1\1": 40}, [SCALE, "coin"], slug="wave")
    assert get(client, "compare", wave).status_code == 200
    page = get(client, "compare", wave, first=2, second=1)
    assert page.status_code == 400
    assert "This question has only a mean" in page.content.decode()
    another = make_user("another")
    fields = {"slug": "alone", "owner": another}
    alone = make_pair({b"\0\0": 60}, [SCALE, SCALE], **fields)
    answer = get(client, "compare", alone)
    assert answer["Location"].endswith(f"/{alone.pk}/results/")


def test_surveys_with_different_tables_have_a_pooled_share(client):
    first, second = (
        make_pair({b"\0": yes, b"\1": 200 - yes}, [family], slug=slug)
        for family, slug, yes in (("coin", "one", 80), ("die", "two", 90))
    )
    page = get(client, "compare", first, first=1, second=1, other=second.pk)
    pooled = candor.pool(
        [
            (candor.mechanism("coin"), {"yes": 80, "no": 120}),
            (candor.mechanism("die"), {"yes": 90, "no": 110}),
        ]
    )
    share, homogeneity = page.context["panel"].pooled
    assert share.startswith(
        "Of all respondents together, if the shares are the same: "
        f"{100 * pooled.estimate:.0f}"
    )
    assert f"{pooled.homogeneity:.3f}"[1:] in homogeneity
    assert share in page.content.decode()


CLASSES = ("direct_choice", {"choices": "3"})
IN_CLASSES = {
    bytes([report, group]): count
    for group, yes in enumerate((38, 48, 58))
    for report, count in enumerate((yes, 120 - yes))
}


def test_groups_that_are_clusters_have_a_wider_interval(client):
    """Scores differ by 2; the totals deviate by -20, 0 and 20; 360 respondents."""
    survey = make_pair(IN_CLASSES, ["coin", CLASSES])
    page = get(client, "compare", survey, first=1, second=2, is_clustered="on")
    row, effect = page.context["comparison"].clustered
    assert row.raw == pytest.approx(0.3)
    assert row.standard_error == pytest.approx((3 / 2 * 2 * 20**2) ** 0.5 / 360)
    independent = candor.estimate(candor.mechanism("coin"), {"yes": 144, "no": 216})
    ratio = row.standard_error / independent["yes"].standard_error
    assert effect == pytest.approx(ratio**2)
    share, effect_line = page.context["panel"].clusters
    assert share.startswith("With the groups as clusters: 30")
    assert effect_line == (
        f"Design effect: {effect:.2f} (3 clusters). With fewer than 20 clusters the "
        "interval may be too short."
    )
    assert share in page.content.decode()
    answer = get(client, "compare_csv", survey, first=1, second=2, is_clustered="True")
    for cells in rows_of(answer):
        assert (cells["clusters"], cells["clustered_answer"]) == ("3", "Yes")
        assert float(cells["design_effect"]) == effect
        assert float(cells["clustered_low"]) == row.low


@pytest.mark.parametrize(
    ("counts", "questions"),
    [
        ({b"\0\0": 20, b"\1\0": 40, b"\0\1": 4, b"\1\1": 5}, ["coin", "direct"]),
        ({b"\0\0": 20, b"\1\0": 40}, ["coin", "direct"]),
        ({b"\0\0": 40, b"\1\0": 40, b"\0\1": 40, b"\1\1": 40}, ["coin", "coin"]),
    ],
)
def test_small_or_scrambled_groups_cannot_be_clusters(client, counts, questions):
    survey = make_pair(counts, questions)
    page = get(client, "compare", survey, first=1, second=2, is_clustered="on")
    assert page.context["panel"].clusters == [
        "Clusters are answers to a direct question, each of 10 people or more."
    ]


@pytest.mark.parametrize("family", ["one_bit", "one_bit_skip", "direct"])
def test_clusters_work_for_means_and_identical_reports(client, family):
    parameters = {} if family == "direct" else {"epsilon": "2", "points": "11"}
    counts = {b"\0\0": 60, b"\1\0": 40, b"\0\1": 40, b"\1\1": 60}
    if family == "one_bit_skip":
        counts |= {b"\2\0": 20, b"\2\1": 20}
    if family == "direct":
        counts = {b"\0\0": 60, b"\0\1": 40}
    survey = make_pair(counts, [(family, parameters), "direct"])
    page = get(client, "compare", survey, first=1, second=2, is_clustered="on")
    share, effect_line = page.context["panel"].clusters
    assert share.startswith("With the groups as clusters: ")
    assert "nan" not in effect_line


def test_a_misfit_within_a_group_is_detected():
    """All of 30 people report Yes, none of 60: neither fits a coin."""
    within = {b"\0\0": 30, b"\1\1": 60}
    found = compare(make_pair(within, ("coin", "direct")), 1, 2, **OPTIONS)
    assert found.misfits == (
        Misfit("Sensitive question 1?", "Yes"),
        Misfit("Sensitive question 1?", "No"),
    )
    hidden = {b"\0\0": 29, b"\1\1": 60}
    survey = make_pair(hidden, ("coin", "direct"), slug="hidden")
    assert compare(survey, 1, 2, **OPTIONS).misfits == ()


def test_a_misfit_in_one_survey_does_not_hide_the_other_share(client):
    good, bad = (
        make_pair({b"\0": yes, b"\1": 100 - yes}, ["coin"], slug=slug, title=slug)
        for slug, yes in (("good", 40), ("bad", 13))
    )
    page = get(client, "compare", good, first=1, other=bad.pk)
    panel = page.context["panel"]
    (caution,) = panel.cautions
    assert caution.text.startswith("The reports do not fit the design: “bad”.")
    ((_size, sentence),) = panel.findings
    assert sentence.startswith("In “good”: ")
    labels = [
        [cells[0]["text"] for _label, cells in lines]
        for _section, lines in panel.within.bodies
    ]
    assert labels[0] == ["30\N{NO-BREAK SPACE}%", "70\N{NO-BREAK SPACE}%"]
    assert labels[1] == ["\N{EN DASH}", "\N{EN DASH}"]
    assert panel.headlines == []


def test_a_misfit_has_no_p_value_on_the_page_or_in_the_file(client):
    """All 60 people of one group report Yes, which does not fit a coin."""
    counts = {b"\0\0": 60, b"\0\1": 30, b"\1\1": 30, b"\0\2": 50, b"\1\2": 30}
    survey = make_pair(counts, ["coin", ("direct_choice", {"choices": 3})])
    page = get(client, "compare", survey, first=1, second=2)
    panel = page.context["panel"]
    (table,) = panel.tables
    assert {row.p_value for row in table.rows} == {None}
    assert table.p_value_line == panel.independence_line == ""
    assert [
        cells[0]["text"]
        for _section, lines in table.table.bodies
        for _label, cells in lines
    ] == ["\N{EN DASH}"] * 2
    rows = rows_of(get(client, "compare_csv", survey, first=1, second=2))
    misfit, estimate = "does not fit the design", "estimate"
    found = [
        (row["standing"], row["joint_standing"], row["difference_standing"])
        for row in rows
        if row["first_answer"] == "Yes"
    ]
    assert found == [
        (misfit, misfit, ""),
        (estimate, estimate, misfit),
        (estimate, estimate, misfit),
    ]
    assert {row["p_value"] + row["p_value_holm"] for row in rows} == {""}


def test_a_difference_of_two_fitting_groups_is_an_estimate_in_the_file(client):
    counts = {b"\0\0": 60, b"\0\1": 30, b"\1\0": 40, b"\1\1": 50}
    survey = make_pair(counts, ["coin", "direct"])
    *_first, row, _no = rows_of(get(client, "compare_csv", survey, first=1, second=2))
    assert row["standing"] == row["difference_standing"] == "estimate"
    assert row["p_value"]

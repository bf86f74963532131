"""Several surveys of the same people have one privacy budget."""

from decimal import Decimal
from functools import partial
from math import log

import pytest
from django.core.exceptions import ValidationError

from estimation.presentation.ledger import make_ledger_table
from surveys.authoring.checklist import make_checklist
from surveys.models import Membership, Survey
from tests.concurrency import run_concurrently
from tests.factories import make_survey, make_user

pytestmark = pytest.mark.django_db

PANEL = {"panel": "Cohort 2026", "panel_budget": Decimal("2.5")}


def make_wave(number, questions=("coin",), **fields):
    fields = {"opened": False, "title": f"Wave {number}", **PANEL, **fields}
    return make_survey(questions, slug=f"wave-{number}", **fields)


def test_waves_share_one_privacy_budget_until_it_is_spent():
    # A coin has epsilon ln 3, which pages show as 1.10.
    first, second, third = map(make_wave, (1, 2, 3))
    first.open()
    second.open()

    ledger = third.read_ledger()
    assert [entry.survey for entry in ledger.entries] == [first, second]
    assert ledger.spent == pytest.approx(2 * log(3))
    text = "This needs epsilon 1.10. The panel “Cohort 2026” has 0.30 left of 2.5."
    assert third.problems() == [text]
    assert [(each.place, each.text) for each in make_checklist(third).missing] == [
        ("id_panel", text)
    ]
    with pytest.raises(ValidationError, match=r"0\.30 left of 2\.5"):
        third.open()


def test_the_checklist_shows_the_remaining_budget():
    make_wave(1).open()
    checks = make_checklist(make_wave(2)).checks
    (said,) = (each.text for each in checks if each.place == "id_panel")
    assert said == "Epsilon 1.10. Then the panel “Cohort 2026” has 0.30 left of 2.5."


@pytest.mark.parametrize(("budget", "opens"), [("1.09", False), ("1.1", True)])
def test_the_budget_is_an_exact_limit(budget, opens):
    survey = make_wave(1, panel_budget=Decimal(budget))
    assert (survey.problems() == []) is opens


def test_noisy_releases_spend_the_budget():
    first, second = make_wave(1), make_wave(2)
    first.open()
    Survey.objects.filter(pk=first.pk).update(released_epsilon="0.5")

    assert second.read_ledger().spent == pytest.approx(log(3) + 0.5)
    assert "has 0.90 left of 2.5" in second.problems()[0]


def test_direct_questions_and_simulations_spend_nothing():
    make_wave(1, ["direct"]).open()
    simulated = make_wave(2, is_simulated=True)
    simulated.open()
    survey = make_wave(3)

    assert survey.read_ledger().spent == 0
    assert [each.survey.slug for each in survey.read_ledger().entries] == ["wave-1"]


def test_other_owners_and_panels_have_separate_budgets():
    make_wave(1).open()
    make_wave(2, owner=make_user("colleague")).open()
    make_wave(3, panel="Another cohort").open()

    assert len(make_wave(4).read_ledger().entries) == 1
    # Capitals make no new panel.
    assert len(make_wave(5, panel="COHORT 2026").read_ledger().entries) == 1


@pytest.mark.parametrize("given", [{"panel_budget": None}, {"panel": ""}])
def test_a_panel_requires_an_epsilon_and_vice_versa(given):
    assert make_wave(1, **given).problems() == ["Enter both the panel and its epsilon."]


def test_every_survey_of_a_panel_names_the_same_epsilon():
    make_wave(1).open()
    other = make_wave(2, panel_budget=Decimal(100))
    text = "This panel has the epsilon 2.5: enter the same."
    assert other.problems() == [text]


@pytest.mark.storage
@pytest.mark.usefixtures("committed")
def test_waves_opened_simultaneously_cannot_overspend_the_budget():
    waves = [make_wave(number, panel_budget=Decimal("1.5")) for number in range(4)]

    def try_to_open(wave):
        try:
            wave.open()
        except ValidationError:
            return False
        return True

    opened = run_concurrently(*(partial(try_to_open, wave) for wave in waves))
    assert opened.count(True) == 1
    assert Survey.objects.exclude(state=Survey.State.DRAFT).count() == 1


def test_the_ledger_has_a_line_for_each_survey():
    owner, colleague = make_user(), make_user("colleague")
    assert make_ledger_table(make_wave(1), owner) is None
    for number in (2, 3):
        make_wave(number, panel_budget=Decimal(4)).open()
    wave = Survey.objects.get(slug="wave-2")
    Survey.objects.filter(pk=wave.pk).update(released_epsilon="0.5")
    Membership.objects.create(survey=wave, user=colleague, role="editor")

    def read(user):
        table = make_ledger_table(wave, user)
        [(_section, lines)] = table.bodies
        assert table.name == "Panel “Cohort 2026”: epsilon 4 in all"
        return [(title, [cell["text"] for cell in cells]) for title, cells in lines]

    second = ["1.10", "0.00", "1.10", "1.30"]
    assert read(owner) == [
        ("Wave 2", ["1.10", "0.50", "1.60", "2.40"]),
        ("Wave 3", second),
    ]
    # Titles are for those who may see the surveys.
    assert read(colleague)[1] == ("Another survey", second)

"""The audit runs the scripts that hide, draw and order questions."""

import pytest

from estimation.audit import engine
from estimation.audit.audit import audit
from estimation.audit.report import Outcome
from tests.estimation.audit.test_audit import PAGE, SITE, Server
from tests.factories import make_survey

pytestmark = pytest.mark.django_db

FOLDER = "/static/js/collecting/"


@pytest.fixture
def survey(db):
    """Question 2 is conditional, two of 3 to 5 are drawn, 6 and 7 are shuffled."""
    three = {"family": "k_ary", "parameters": {"epsilon": 1, "choices": 3}}
    shuffled = {"section": "Habits", "shuffle_section": True, "shuffle_choices": True}
    return make_survey(
        [
            "coin",
            {**three, "show_if": "1 is Yes"},
            *["coin"] * 3,
            {**three, **shuffled},
            "coin",
        ],
        draws="2 of 3-5",
        epsilon_reason="Only all answers together show it.",
    )


def check(client, *, script="", old="", new="", **options):
    """Audit the survey with one changed script; return the check and its faults."""
    server = Server(client)
    if script:
        server.change(f"{FOLDER}{script}", old, new)
    report = audit(SITE + PAGE, fetch=server, draws=10, **options)
    found = next(each for each in report.checks if each.name == "questionnaire")
    return found.outcome, " ".join(found.faults)


def test_the_scripts_of_this_release_follow_the_design(client, survey):
    assert check(client) == (Outcome.PASSED, "")


@pytest.mark.parametrize("mode", ["server", "hand"])
def test_forms_are_checked_too(client, mode):
    make_survey(["coin", {"show_if": "1 is Yes"}], mode=mode)
    assert check(client) == (Outcome.PASSED, "")


@pytest.mark.parametrize(
    ("script", "old", "new", "reason"),
    [
        ("conditions.js", "&& !holds", "&& holds", "lead to"),
        ("conditions.js", "isHidden \\? otherwise : pick", "pick", "lead to"),
        ("conditions.js", ">= 0;\n}", ">= 1;\n}", "lead to"),
        ("draw.js", "< wanted", "<= wanted", "the same chance asks"),
        ("draw.js", "wanted -= asked", "wanted += asked", "the same chance asks"),
        ("order.js", "one - other", "other - one", "2 items do not come in the order"),
        ("order.js", "return items.map", "return items || items.map", "in the order"),
        ("order.js", "const keys", "fetch; const keys", "order.js: it asked for fetch"),
        ("conditions.js", "export function follow", "function other", "follow"),
    ],
)
def test_a_changed_decision_is_found(client, survey, script, old, new, reason):
    outcome, faults = check(client, script=script, old=old, new=new)
    assert (outcome, reason in faults) == (Outcome.FOUND, True), faults


def test_changed_conditions_on_the_page_are_detected(client, survey):
    server = Server(client)
    server.change(PAGE, '"condition": \\[1, 0\\]', '"condition": [1, 1]')
    report = audit(SITE + PAGE, fetch=server, draws=10)
    found = {each.name for each in report.checks if each.outcome == Outcome.FOUND}
    assert found == {"page", "questionnaire"}


def test_a_page_without_the_script_is_found(client, survey):
    server = Server(client)
    server.change(PAGE, 'data-draw="[^"]*"', "")
    report = audit(SITE + PAGE, fetch=server, draws=10)
    faults = " ".join(fault for each in report.checks for fault in each.faults)
    assert "draw.js: the page does not load it" in faults


def test_a_script_that_never_ends_is_stopped(client, survey):
    endless = "for (;;) ;\n  const keys"
    outcome, faults = check(
        client, script="order.js", old="const keys", new=endless, seconds=0.2
    )
    assert outcome == Outcome.UNCHECKED
    assert faults == "order.js took more than 0.2 seconds"


def test_without_an_engine_it_names_the_install_command(client, survey, monkeypatch):
    monkeypatch.setattr(engine, "quickjs", None)
    outcome, faults = check(client)
    assert (outcome, engine.INSTALL_ENGINE in faults) == (Outcome.UNCHECKED, True)

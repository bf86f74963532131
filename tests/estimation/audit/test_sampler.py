"""The engine that runs a served sampler, and the faults it finds."""

from pathlib import Path

import pytest
from django.conf import settings

from candor.mechanisms import build
from estimation.audit.engine import ScriptError, TooSlowError
from estimation.audit.sampler import find_draw_faults, find_source_faults, run_sampler

SCRIPT = (
    Path(settings.BASE_DIR) / "static" / "js" / "collecting" / "randomise.js"
).read_text("utf-8")
DRAWS = 1_000
COIN = build("coin").weights
THREE = ((2, 1, 1), (1, 2, 1), (1, 1, 2))
HALF_REFUSED = ((2**30, 2**30 + 1), (2**30 + 1, 2**30))
TOTAL = "const total ="


def run(script, tables=(COIN,), seconds=30):
    done = run_sampler(script, tables, draws=DRAWS, seconds=seconds)
    return done, " ".join([*find_draw_faults(done), *find_source_faults(done, {})])


def changed(old, new):
    assert old in SCRIPT
    return SCRIPT.replace(old, new, 1)


def test_the_sampler_of_this_release_matches_the_reference():
    """The tables have the largest and smallest total, and one rejects half."""
    largest, smallest = ((2**32 - 1, 1), (1, 2**32 - 1)), ((1, 0), (0, 1))
    tables = [COIN, THREE, largest, HALF_REFUSED, smallest]
    done, text = run(SCRIPT, tables)

    assert text == ""
    assert [each.differing for each in done.drawn] == [0] * 5
    assert done.sources == {"Uint32Array(1)": sum(each.words for each in done.drawn)}
    assert done.drawn[0].words == 2 * DRAWS
    assert done.drawn[3].words > 3 * DRAWS


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        # The truth is 1 percentage point more likely.
        (
            TOTAL,
            f"if (uniformBelow(100) < 1) return answer; {TOTAL}",
            "the same chance",
        ),
        # 0.7575 instead of 0.75: one word for another, and no other trace.
        (TOTAL, f"return +(uniformBelow(10000) < 7575) ^ !answer; {TOTAL}", "reports"),
        (TOTAL, f"return answer; {TOTAL}", "epsilon is "),
        (TOTAL, f"return 1 - randomised(answer); {TOTAL}", "reports"),
        ("while (u >= limit)", "while (u > limit && false)", ""),
        (
            "crypto.getRandomValues(new Uint32Array(1))[0]",
            "Math.random()",
            "Math.random",
        ),
        ("new Uint32Array(1)", "new Uint32Array(2)", "chance in Uint32Array(2)"),
        ("new Uint32Array(1)", "new Uint16Array(1)", "chance in Uint16Array(1)"),
        (TOTAL, f"typeof document; {TOTAL}", "asked for document"),
        (TOTAL, f"const now = typeof Date; {TOTAL}", "asked for Date"),
        (TOTAL, f"word(); {TOTAL}", "2,000 are due"),
    ],
)
def test_a_changed_sampler_is_found(old, new, message):
    more = "const randomised = (a) => +(uniformBelow(4) === 0) ^ a;\n"
    if not message:
        # A fault that small totals never show is found where half of all words are.
        assert "not what the same" in run(changed(old, new), [HALF_REFUSED])[1]
    else:
        assert message in run(more + changed(old, new))[1]


FORGES = "export function randomise() {} globalThis.auditCall"


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("export const other = 1;", "randomise"),
        ("export function randomise() {", "SyntaxError"),
        ("import { x } from './x.js'; export function randomise() {}", "run"),
        ("export function randomise() { return 7; }", "no report of the table"),
        ("export function randomise() { return 'a'; }", "run"),
        ("export function randomise() { return require('fs'); }", "not a function"),
        (
            "export function randomise() { for (;;) crypto.getRandomValues("
            "new Uint32Array(1)); }",
            "more words than it may need",
        ),
        (f"{FORGES} = () => '{{\"results\": [1e999]}}'", "run"),
        (f"{FORGES} = () => '['.repeat(1e5)", "run"),
        (
            "export function randomise() { let x = 'xx'; for (;;) x += x; }",
            "it cannot be run",
        ),
    ],
)
def test_a_script_without_a_sampler_is_rejected(script, message):
    with pytest.raises(ScriptError, match=message):
        run(script)


def test_an_endless_sampler_times_out():
    with pytest.raises(TooSlowError):
        run("export function randomise() { for (;;) ; }", seconds=0.05)

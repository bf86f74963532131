"""Audit the scripts that hide, draw and order questions."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from candor.mechanisms.draws import draw_asked
from candor.mechanisms.sampling import words
from estimation.audit import engine
from estimation.audit.engine import Engine, ScriptError, TooSlowError
from estimation.audit.fetch import Fetched
from estimation.audit.page import ServedPage
from estimation.audit.release import strip_fingerprint
from estimation.audit.report import Check, checked, unchecked
from respondents.collecting.page_context import list_drawn_places
from surveys.design import Design
from surveys.models import Survey

TRIALS = 1_000
"""Simulated respondents per script. A change that affects 1 % of respondents is missed
once in 20,000 audits."""

NAME = "questionnaire"
PROMISE = "Questions are hidden, drawn and ordered as the design says"


def check_questionnaire(
    served: ServedPage,
    files: Mapping[str, Fetched],
    design: Design | None,
    *,
    seconds: float,
) -> Check:
    if design is None:
        return unchecked(NAME, PROMISE, "there is no design to compare with")
    trials = [each for each in TRIALS_BY_SCRIPT if each.concerns(design)]
    if trials and not engine.is_available():
        why = f"there is no engine to run the scripts: {engine.INSTALL_ENGINE}"
        return unchecked(NAME, PROMISE, why)
    scripts = {
        PurePosixPath(strip_fingerprint(address)).name: files[address].text
        for address in served.scripts
        if address in files
    }
    faults: list[str] = []
    for trial in trials:
        try:
            if trial.script not in scripts:
                raise ScriptError("the page does not load it")
            script = Engine(
                scripts[trial.script], {trial.function: "audited"}, seconds=seconds
            )
            found = list(trial.compare(script, served, design, seconds))
            _kinds, touched = script.trace()
            found += [f"it asked for {each}" for each in touched]
        except ScriptError as error:
            found = [str(error)]
        except TooSlowError:
            why = f"{trial.script} took more than {seconds:g} seconds"
            return unchecked(NAME, PROMISE, why)
        faults += [f"{trial.script}: {fault}" for fault in found]
    return checked(NAME, PROMISE, faults)


def compare_conditions(
    script: Engine, served: ServedPage, design: Design, seconds: float
) -> Iterator[str]:
    rules = served.read_data("conditions")
    sizes = [len(each.choices) for each in design.questions]
    chance = words(TRIALS * len(sizes)).reshape(TRIALS, len(sizes))
    picks = [list(map(int, row)) for row in chance % sizes]
    given = json.dumps([rules, picks])
    function = f"(([rules, picks]) => (k) => audited(rules, picks[k]))({given})"
    for pick, found in zip(picks, run(script, function, seconds), strict=True):
        hidden = design.list_hidden(pick)
        due = {
            "answers": design.apply_conditions(pick),
            "hidden": [number + 1 in hidden for number in range(len(sizes))],
        }
        if found != due:
            numbers = ", ".join(str(answer + 1) for answer in pick)
            yield f"answers {numbers} lead to {found}, in the design to {due}"
            return


def compare_draws(
    script: Engine, _served: ServedPage, design: Design, seconds: float
) -> Iterator[str]:
    count, groups = len(design.questions), list_drawn_places(design)
    needed = sum(len(places) for _asked, places in groups)
    # Words of 16 bits are below every rejection limit, so none is redrawn.
    chance = (words(TRIALS * needed) >> 16).reshape(TRIALS, needed).tolist()
    given = json.dumps([count, groups, chance])
    function = f"""(([count, groups, chance]) => (k) => {{
      let at = 0;
      return audited(count, groups, (below) => chance[k][at++] % below);
    }})({given})"""
    for drawn, found in zip(chance, run(script, function, seconds), strict=True):
        asked = draw_asked(count, design.groups, iter(drawn).__next__)
        due = "".join(str(int(each)) for each in asked)
        if found != due:
            yield f"the same chance asks {found}, in this release {due}"
            return


def compare_orders(
    script: Engine, _served: ServedPage, design: Design, seconds: float
) -> Iterator[str]:
    for size in sorted(list_shuffled_sizes(design)):
        chance = words(TRIALS * size)
        function = f"() => audited([...Array({size}).keys()])"
        results = run(script, function, seconds, given=chance.tolist())
        due = chance.reshape(TRIALS, size).argsort(kind="stable").tolist()
        if any(found != order for found, order in zip(results, due, strict=True)):
            yield f"{size} items do not come in the order that chance gives them"


def list_shuffled_sizes(design: Design) -> set[int]:
    sections = {len(each.numbers) for each in design.sections if each.is_shuffled}
    answers = {
        len(each.choices) - (each.declined is not None)
        for each in design.questions
        if each.shuffle_choices
    }
    return {size for size in sections | answers if size > 1}


def run(
    script: Engine, function: str, seconds: float, given: Sequence[int] = ()
) -> list[Any]:
    done = script.call(TRIALS, function, words=list(given), seconds=seconds)
    return list(done["results"])


@dataclass(frozen=True)
class Trial:
    script: str
    function: str
    concerns: Callable[[Design], bool]
    compare: Callable[[Engine, ServedPage, Design, float], Iterator[str]]


TRIALS_BY_SCRIPT = (
    Trial(
        "conditions.js",
        "follow",
        # In surveys by hand no device knows scrambled answers, so none is hidden.
        lambda design: design.has_conditions and design.mode != Survey.Mode.HAND,
        compare_conditions,
    ),
    Trial(
        "draw.js",
        "drawAsked",
        # In other modes the server draws.
        lambda design: bool(design.groups) and design.mode == Survey.Mode.BROWSER,
        compare_draws,
    ),
    Trial(
        "order.js",
        "shuffle",
        lambda design: bool(list_shuffled_sizes(design)),
        compare_orders,
    ),
)

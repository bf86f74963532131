"""Simulate respondents; their reports use the real endpoints."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlencode

import numpy as np
import numpy.typing as npt
from django.db import transaction
from tqdm import tqdm

from candor.mechanisms import ParameterError, randomness, sampling
from candor.mechanisms.draws import NOT_ASKED, encode_pattern, reports_in
from candor.mechanisms.parameters import MAX_TOTAL, exact
from respondents.collecting.forms import choose_pick_format, format_field_name
from respondents.collecting.randomise import draw_questions, randomise, sign_draw
from respondents.imports.simulation.delivery import (
    SimulationError,
    deliver,
    find_endpoint,
    open_in_process,
    open_over_http,
)
from respondents.models import Response, SealedPattern
from respondents.storage.exactly_once import SurveyClosedError
from surveys.design import Design, get_design
from surveys.models import Survey
from surveys.models.conditions import Condition, OneOf

MAX_RESPONDENTS = 100_000
"""Some minutes of work; more is a typing error."""

MAX_WHILE_WAITING = 10_000
"""Half a second for five questions."""

STORED_AT_ONCE = 500
"""Some hundredths of a second in which SQLite makes all other writers wait."""


def simulate(
    survey: Survey,
    respondents: int,
    shares: Mapping[str, object],
    *,
    url: str | None = None,
    draw: randomness.Draw = randomness.word,
    with_progress_bar: bool = False,
) -> None:
    """Answer an open survey with `respondents` simulated people.

    Each draws true answers, every question by itself. In mode browser they are
    randomised here and the reports posted; in mode hand the outcomes of simulated coins
    are entered in the form, in mode server the answers. The survey is marked as
    simulated for good.

    `shares` are true shares for "q1", "q2" ...: of two answers the first one's, of more
    all of them, such as "0.2,0.7,0.1". Of a question with a condition they are shares
    among those who are shown it, and of one that can end the survey, among those who go
    on. At `url` a server of this same database listens; without it, the endpoint is
    called in this process.
    """
    check_respondents(respondents, most=MAX_RESPONDENTS)
    refuse_unless_open_to_all(survey)
    design = get_design(survey)
    true_shares = read_shares(design, shares)
    endpoint = find_endpoint(design)
    with (
        open_over_http(url, endpoint, design)
        if url
        else open_in_process(endpoint) as send
    ):
        claim(survey)
        for _ in tqdm(
            range(respondents),
            desc="respondents",
            unit="",
            disable=None if with_progress_bar else True,
        ):
            deliver(send, endpoint, make_message(design, true_shares, draw))


def fill(
    rehearsal: Survey,
    respondents: int,
    shares: Mapping[str, object],
) -> None:
    """Store the reports of simulated people who try a draft, while a person waits.

    Without the way through the endpoint. Parameters and errors are those of `simulate`.
    """
    check_respondents(respondents, most=MAX_WHILE_WAITING)
    try:
        design = get_design(rehearsal)
        true_shares = read_shares(design, shares)
        for done in range(0, respondents, STORED_AT_ONCE):
            count = min(STORED_AT_ONCE, respondents - done)
            patterns = draw_patterns(design, true_shares, count)
            Response.objects.store_many(rehearsal, patterns)
    except (SurveyClosedError, Survey.DoesNotExist) as error:
        raise SimulationError("The test was ended meanwhile.") from error


def check_respondents(respondents: int, *, most: int) -> None:
    if not 1 <= respondents <= most:
        allowed = f"a whole number in [1, {most}]"
        raise ParameterError("respondents", allowed=allowed, value=respondents)


def read_shares(design: Design, shares: Mapping[str, object]) -> list[tuple[int, ...]]:
    """Return for each question how many of equally many people give which answer."""
    names = [f"q{number}" for number in range(1, len(design.questions) + 1)]
    if unknown := set(shares) - set(names):
        allowed = f"one of {', '.join(names)}"
        raise ParameterError("shares", allowed=allowed, value=min(unknown))
    found = []
    for name, question in zip(names, design.questions, strict=True):
        answers, value = len(question.mechanism.answers), shares.get(name)
        texts = value.split(",") if isinstance(value, str) else [value]
        numbers = [exact(text) for text in texts]
        if answers == len(numbers) + 1 == 2 and numbers[0] is not None:
            numbers.append(1 - numbers[0])
        read = [number for number in numbers if number is not None and number >= 0]
        # Drawn by one word each: see `randomness.uniform_below`.
        base = math.lcm(*(number.denominator for number in read))
        if len(read) != answers or sum(read) != 1 or base > MAX_TOTAL:
            allowed = "a number in [0, 1], such as 0.2, with 9 decimals at most"
            if answers > 2:
                allowed = f"{answers} numbers that sum to 1, such as 0.2,0.7,0.1"
            raise ParameterError(name, allowed=allowed, value=value)
        people = tuple(
            0 if place in question.ending else int(number * base)
            for place, number in enumerate(read)
        )
        if not any(people):
            allowed = "above 0 for an answer that does not end the survey"
            raise ParameterError(name, allowed=allowed, value=value)
        found.append(people)
    return found


def refuse_unless_open_to_all(survey: Survey) -> None:
    if not survey.is_open:
        raise SimulationError(f"The survey must be open; it is {survey.state}.")
    if survey.is_by_invitation:
        raise SimulationError("The survey is answered by one-time links only.")


@transaction.atomic
def claim(survey: Survey) -> None:
    """Mark the survey as simulated, unless it holds what real people sent.

    The lock makes arriving responses wait, so that none slips in between.
    """
    locked = Survey.objects.select_for_update().get(pk=survey.pk)
    refuse_unless_open_to_all(locked)
    if not locked.is_simulated:
        kept = (Response.objects, SealedPattern.objects)
        if any(each.filter(survey=locked).exists() for each in kept):
            raise SimulationError(
                "The survey holds responses of people; simulated ones would spoil it."
            )
        locked.is_simulated = True
        locked.save(update_fields=["is_simulated"])
    survey.is_simulated = True


def draw_asked_answers(
    design: Design, shares: list[tuple[int, ...]], draw: randomness.Draw
) -> list[int | None]:
    """Return the true answers to what one respondent is asked; None of all else."""
    asked = draw_questions(design, draw)
    # People whose true answers are drawn: a table with one row.
    drawn = [randomness.randomise([people], 0, draw) for people in shares]
    answers = design.apply_conditions(drawn)
    return [
        answer if is_asked else None
        for answer, is_asked in zip(answers, asked, strict=True)
    ]


def draw_pattern(
    design: Design, shares: list[tuple[int, ...]], draw: randomness.Draw
) -> bytes:
    """Return the reports of one respondent, whose true answers are forgotten."""
    return randomise(design, draw_asked_answers(design, shares, draw), draw)


def draw_patterns(
    design: Design, shares: list[tuple[int, ...]], count: int
) -> Iterator[bytes]:
    everybody = np.zeros(count, dtype=np.uint8)
    answers: list[npt.NDArray[np.uint8]] = []
    for question, people in zip(design.questions, shares, strict=True):
        drawn = sampling.randomise_many([people], everybody)
        if question.shown_if:
            is_shown = hold(question.shown_if, answers)
            drawn = np.where(is_shown, drawn, question.hidden_answer)
        answers.append(drawn.astype(np.uint8))
    reports = [
        sampling.randomise_many(question.mechanism.weights, drawn)
        for question, drawn in zip(design.questions, answers, strict=True)
    ]
    patterns = np.column_stack(reports)
    if design.groups:
        patterns[~np.array([draw_questions(design) for _person in everybody])] = (
            NOT_ASKED
        )
    return map(bytes, patterns)


def hold(
    condition: Condition, answers: Sequence[npt.NDArray[np.uint8]]
) -> npt.NDArray[np.bool_]:
    """Return for each respondent whether a condition on earlier answers holds."""
    if isinstance(condition, OneOf):
        return np.isin(answers[condition.number - 1], list(condition.positions))
    combine = np.logical_and if condition.operator == "and" else np.logical_or
    parts = [hold(part, answers) for part in condition.parts]
    held: npt.NDArray[np.bool_] = combine.reduce(parts)
    return held


def make_message(
    design: Design, shares: list[tuple[int, ...]], draw: randomness.Draw
) -> bytes:
    picked = (
        draw_asked_answers(design, shares, draw)
        if design.mode == Survey.Mode.SERVER
        else reports_in(draw_pattern(design, shares, draw))
    )
    submission = "".join(f"{draw():08x}" for _ in range(4))
    if design.mode != Survey.Mode.BROWSER:
        asked = tuple(pick is not None for pick in picked)
        sealed = {"draw": sign_draw(design, asked)} if design.groups else {}
        written = choose_pick_format(design)
        picks = {
            format_field_name(design, number): f"{pick:{written}}"
            for number, pick in enumerate(picked, start=1)
            if pick is not None
        }
        form = {"submission": submission, **sealed, "consent": "on", **picks}
        return urlencode(form).encode()
    sent = encode_pattern(picked)
    if design.holder:
        sent = design.holder.seal(sent, design.digest)
    fields = {"design": design.digest, "submission": submission, "reports": sent.hex()}
    return json.dumps(fields).encode()

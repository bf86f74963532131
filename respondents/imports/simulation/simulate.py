"""Simulate respondents, whose reports are sent to the real endpoints."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlencode

import numpy as np
import numpy.typing as npt
from django.db import transaction
from tqdm import tqdm

from candor.mechanisms import ParameterError, randomness, sampling
from candor.mechanisms.draws import NOT_ASKED, decode_pattern, encode_pattern
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
"""A few minutes of work; larger numbers are probably typing errors."""

MAX_WHILE_WAITING = 10_000
"""The most in one request: half a second for five questions."""

STORED_AT_ONCE = 500
"""Responses per transaction, which blocks other writers of SQLite for some 10 ms."""


def simulate(
    survey: Survey,
    respondents: int,
    shares: Mapping[str, object],
    *,
    url: str | None = None,
    draw: randomness.Draw = randomness.word,
    with_progress_bar: bool = False,
) -> None:
    """Answer an open survey with `respondents` simulated respondents.

    The true answers to each question are drawn independently. In mode browser they are
    randomised here and the reports are posted. In mode hand the outcomes of simulated
    coins are entered in the form, and in mode server the answers. The survey is
    permanently marked as simulated.

    `shares` maps "q1", "q2" ... to true shares: the share of the first of two answers,
    or of all answers, such as "0.2,0.7,0.1". If the question has a condition, they are
    shares among respondents who see it; if it can end the survey, among respondents who
    continue. `url` is a server that uses this database; without it, the endpoint is
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
    """Store the reports of simulated respondents in the test of a draft.

    For speed, this does not use the endpoint. Parameters and errors are those of
    `simulate`.
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
    """Return the true shares of each question as whole numbers, one per answer."""
    names = [f"q{number}" for number in range(1, len(design.questions) + 1)]
    if unknown := set(shares) - set(names):
        allowed = f"one of {', '.join(names)}"
        raise ParameterError("shares", allowed=allowed, value=min(unknown))
    true_shares = []
    for name, question in zip(names, design.questions, strict=True):
        answers, value = len(question.mechanism.answers), shares.get(name)
        texts = value.split(",") if isinstance(value, str) else [value]
        numbers = [exact(text) for text in texts]
        if answers == len(numbers) + 1 == 2 and numbers[0] is not None:
            numbers.append(1 - numbers[0])
        read = [number for number in numbers if number is not None and number >= 0]
        # One random word must be enough for a draw: see `randomness.uniform_below`.
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
        true_shares.append(people)
    return true_shares


def refuse_unless_open_to_all(survey: Survey) -> None:
    if not survey.is_open:
        raise SimulationError(f"The survey must be open; it is {survey.state}.")
    if survey.is_by_invitation:
        raise SimulationError("The survey is answered by one-time links only.")


@transaction.atomic
def claim(survey: Survey) -> None:
    """Mark the survey as simulated, unless it contains responses of real people.

    The lock makes arriving responses wait, so that none is stored in between.
    """
    locked = Survey.objects.select_for_update().get(pk=survey.pk)
    refuse_unless_open_to_all(locked)
    if not locked.is_simulated:
        managers = (Response.objects, SealedPattern.objects)
        if any(manager.filter(survey=locked).exists() for manager in managers):
            raise SimulationError(
                "The survey holds responses of people; simulated ones would spoil it."
            )
        locked.is_simulated = True
        locked.save(update_fields=["is_simulated"])
    survey.is_simulated = True


def draw_asked_answers(
    design: Design, shares: list[tuple[int, ...]], draw: randomness.Draw
) -> list[int | None]:
    """Return one respondent's true answers, or None for questions not asked."""
    asked = draw_questions(design, draw)
    # Drawing a true answer is like drawing a report from a table with one row.
    drawn = [randomness.randomise([people], 0, draw) for people in shares]
    answers = design.apply_conditions(drawn)
    return [
        answer if is_asked else None
        for answer, is_asked in zip(answers, asked, strict=True)
    ]


def draw_pattern(
    design: Design, shares: list[tuple[int, ...]], draw: randomness.Draw
) -> bytes:
    """Return the reports of one respondent, without the true answers."""
    return randomise(design, draw_asked_answers(design, shares, draw), draw)


def draw_patterns(
    design: Design, shares: list[tuple[int, ...]], count: int
) -> Iterator[bytes]:
    first_row = np.zeros(count, dtype=np.uint8)
    answers: list[npt.NDArray[np.uint8]] = []
    for question, people in zip(design.questions, shares, strict=True):
        drawn = sampling.randomise_many([people], first_row)
        if question.shown_if:
            is_shown = evaluate_condition(question.shown_if, answers)
            drawn = np.where(is_shown, drawn, question.hidden_answer)
        answers.append(drawn.astype(np.uint8))
    reports = [
        sampling.randomise_many(question.mechanism.weights, drawn)
        for question, drawn in zip(design.questions, answers, strict=True)
    ]
    patterns = np.column_stack(reports)
    if design.groups:
        asked = np.array([draw_questions(design) for _person in range(count)])
        patterns[~asked] = NOT_ASKED
    return map(bytes, patterns)


def evaluate_condition(
    condition: Condition, answers: Sequence[npt.NDArray[np.uint8]]
) -> npt.NDArray[np.bool_]:
    """Return whether a condition on earlier answers is true, for each respondent."""
    if isinstance(condition, OneOf):
        return np.isin(answers[condition.number - 1], list(condition.positions))
    combine = np.logical_and if condition.operator == "and" else np.logical_or
    parts = [evaluate_condition(part, answers) for part in condition.parts]
    is_true: npt.NDArray[np.bool_] = combine.reduce(parts)
    return is_true


def make_message(
    design: Design, shares: list[tuple[int, ...]], draw: randomness.Draw
) -> bytes:
    picked = (
        draw_asked_answers(design, shares, draw)
        if design.mode == Survey.Mode.SERVER
        else decode_pattern(draw_pattern(design, shares, draw))
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

"""Tables to test with, and designs of questions that use them, without a database."""

from hypothesis import strategies as st

from candor.mechanisms import Mechanism, load_families
from surveys.design import Design, DesignQuestion
from surveys.kinds import find_scale
from surveys.models import Survey


def build_example(name):
    family = load_families()[name]
    return family.build(**{p.name: p.example for p in family.parameters})


def wordings(mechanism):
    """Yes and No for two answers, numbered ones for more."""
    if len(mechanism.answers) == 2:
        return ("Yes", "No")
    return tuple(f"Choice {n}" for n, _ in enumerate(mechanism.answers, start=1))


def table_of(weights, answers=("yes", "no"), reports=("yes", "no")):
    return Mechanism(
        family="custom",
        parameters={},
        answers=answers,
        reports=reports,
        weights=tuple(tuple(row) for row in weights),
    )


def make_design(*mechanisms, mode="browser"):
    questions = tuple(
        DesignQuestion(
            text=f"Question {number}?",
            innocuous_question="Is it raining?",
            choices=wordings(mechanism),
            mechanism=mechanism,
            scale=find_scale(mechanism),
            # Of k-ary ones the last answer is to prefer not to answer.
            declined=len(mechanism.answers) - 1
            if mechanism.family == "k_ary" or mechanism.can_be_skipped
            else None,
        )
        for number, mechanism in enumerate(mechanisms, start=1)
    )
    said = dict.fromkeys(Survey.DEFINED, "") | {"mode": mode, "access": "link"}
    return Design(survey_id=1, digest="", questions=questions, **said)


def two_by_two_tables():
    chances = st.tuples(st.integers(1, 2**32 - 1), st.integers(0, 2**32), st.booleans())

    def make(drawn):
        a, b, is_small = drawn
        total = 1000 if is_small else 2**32
        a, b = a % (total + 1), b % (total + 1)
        return ((a, total - a), (b, total - b))

    return chances.map(make).filter(lambda table: table[0] != table[1])

"""What the planner says of one question: figures in plain words."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from estimation.maths.planning.plan import Plan
from surveys.mechanisms import Mechanism
from surveys.mechanisms.odds import Exposure, times_rounded_up
from surveys.words.numbers import (
    NOISE,
    grouped,
    people,
    percent,
    plus_or_minus,
    points,
    times,
    two_decimals_up,
)
from surveys.words.tables import TableInWords

VERDICTS = {
    Exposure.WEAK_HINT: gettext_noop("A weak hint, never proof"),
    Exposure.HINT: gettext_noop("A hint, never proof"),
    Exposure.STRONG_HINT: gettext_noop("A strong hint, but never proof"),
    Exposure.SOMETIMES_SHOWN: gettext_noop("Some reports show the answer"),
    Exposure.SHOWN: gettext_noop("Not protected: it shows the answer"),
}

Words = dict[str, Any]


def plan_words(
    plan: Plan,
    table: TableInWords,
    *,
    respondents_are_example: bool,
    margin_is_example: bool,
) -> Words:
    """Return every figure of a plan in words; a part is empty where it has none."""
    return {
        "suspicion": suspicion_words(plan),
        "precision": precision_words(plan, is_example=respondents_are_example),
        "size": size_words(plan, is_example=margin_is_example),
        "cost": cost_words(plan),
        "direct": direct(plan),
        "strongest": strongest(plan),
        "test": test_words(plan, answer=table.choices[0]),
    }


def protection_words(table: TableInWords) -> Words:
    """Return what epsilon means, in a verdict and in odds."""
    ratio = table.mechanism.worst_ratio
    return {
        "epsilon": table.epsilon,
        "verdict": _(VERDICTS[table.exposure]),
        "exposure": table.exposure.name.lower().replace("_", "-"),
        "odds": _("Nothing limits what one report tells.")
        if ratio is None
        else _("One report shifts the odds of an answer %s times at most.")
        % number_format(times_rounded_up(ratio)),
    }


def scope(mechanism: Mechanism, *, is_planned: bool) -> str | None:
    """Say which figures cannot be given, and of what the others are."""
    if not is_planned:
        return _(
            "For this mechanism only its protection can be given. Its precision and "
            "the respondents that it needs cannot be worked out before the survey."
        )
    if len(mechanism.answers) == 2:
        return None
    return _(
        "Of several answers, the figures are those of one answer, whichever it is, at "
        "the assumed share. How precise a difference between two answers will be, or "
        "all of them at once, cannot be said here."
    )


def suspicion_words(plan: Plan) -> Words:
    """Return how far one report can move a suspicion, never told too small."""
    reading = plan.reading
    after = [report.posterior for report in reading.reports]
    known = [posterior for posterior in after if not math.isnan(posterior)]
    # Of several answers the report of another one is bounded, not known.
    highest, lowest = (
        max(known, default=reading.highest),
        min([*known, reading.lowest] if len(after) == 1 else known, default=0.0),
    )
    prior = percent(reading.prior, trimmed=True)
    words = {
        "prior": prior,
        "highest": percent(highest - NOISE, 1, rounding=ROUND_CEILING, trimmed=True),
        "lowest": percent(lowest + NOISE, 1, rounding=ROUND_FLOOR, trimmed=True),
    }
    if highest >= 1 > reading.prior:
        sentence = _("A suspicion of %(prior)s can become certainty.") % words
    else:
        sentence = (
            _(
                "A suspicion of %(prior)s becomes at most %(highest)s, and at least "
                "%(lowest)s."
            )
            % words
        )
    return {**words, "sentence": sentence}


def precision_words(plan: Plan, *, is_example: bool) -> Words:
    """Return what the planned number of respondents brings."""
    if plan.precision is None or plan.poisoning is None:
        return {}
    planned = plan.precision
    count = people(planned.respondents)
    exact = planned.expected_half_width
    return {
        "number": f"±\N{NO-BREAK SPACE}{points(planned.margin)}",
        "unit": _("points"),
        "margin": plus_or_minus(planned.margin),
        "with": (_("with %s, an example") if is_example else _("with %s")) % count,
        "exact": None
        if exact is None
        else _("On average the results page will show %s around its estimate.")
        % plus_or_minus(exact),
        "forged": _("One forged report can move the result by %s.")
        % _("%s points").replace(" ", "\N{NO-BREAK SPACE}")
        % two_decimals_up(plan.poisoning.radius),
    }


def size_words(plan: Plan, *, is_example: bool) -> Words:
    """Return how many respondents the wanted margin needs."""
    if plan.size is None:
        return {}
    wanted = plus_or_minus(plan.size.margin, trimmed=True)
    return {
        "respondents": grouped(plan.size.respondents),
        "for": (_("for %s, an example") if is_example else _("for %s")) % wanted,
    }


def cost_words(plan: Plan) -> Words:
    """Return how many times the respondents of a direct question are needed."""
    return {
        "number": times(plan.cost_of_privacy),
        "unit": _("times"),
    }


def direct(plan: Plan) -> str | None:
    """Say how precise as many honest answers to a direct question would be."""
    if plan.size is None or plan.precision is None:
        return None
    return _(
        "With honest answers to a direct question: %(needed)s for %(wanted)s, or "
        "%(margin)s with %(people)s."
    ) % {
        "needed": people(plan.size.direct_respondents),
        "wanted": plus_or_minus(plan.size.margin, trimmed=True),
        "margin": plus_or_minus(plan.precision.direct_margin),
        "people": people(plan.precision.respondents),
    }


def strongest(plan: Plan) -> str | None:
    """Say which epsilon would do for the planned number and the wanted margin."""
    found = plan.smallest_epsilon
    if found is None:
        return None
    words = {
        "people": people(found.respondents),
        "margin": plus_or_minus(found.margin, trimmed=True),
        "direct": plus_or_minus(found.direct_margin),
    }
    if found.direct_margin > found.margin:
        text = _(
            "Not even a direct question reaches %(margin)s with %(people)s: it has "
            "%(direct)s."
        )
    elif found.epsilon is None:
        text = _("No mechanism that protects reaches %(margin)s with %(people)s.")
    else:
        epsilon = Decimal(repr(found.epsilon)).quantize(Decimal("0.01"), ROUND_CEILING)
        words["epsilon"] = number_format(epsilon)
        text = _(
            "With %(people)s, %(margin)s can be had with epsilon %(epsilon)s, not with "
            "less."
        )
    return text % words


def test_words(plan: Plan, *, answer: str) -> Words:
    """Return how many respondents it takes to show that a share lies beyond a bound."""
    size = plan.sample_size
    if size is None:
        return {}
    words = {
        "share": percent(size.share, trimmed=True),
        "against": percent(size.against, trimmed=True),
        "answer": answer,
        "chance": percent(size.power, trimmed=True),
        "people": _("more people than any survey has")
        if size.safe is None
        else people(size.safe),
    }
    claim = (
        _(
            "To show that more than %(against)s say %(answer)s, if in truth %(share)s "
            "do, it takes %(people)s: then %(chance)s of such surveys show it."
        )
        if size.direction == "above"
        else _(
            "To show that fewer than %(against)s say %(answer)s, if in truth %(share)s "
            "do, it takes %(people)s: then %(chance)s of such surveys show it."
        )
    )
    found: Words = {"respondents": size.safe, "sentence": claim % words, "power": None}
    if test := plan.test:
        found["power"] = _("With %(people)s it is %(power)s.") % {
            "people": people(test.respondents),
            "power": percent(test.power, 0, rounding=ROUND_FLOOR),
        }
    return found

"""A plan as people read it: a figure on each line, with what it is."""

import math

from candor.cli.wording import (
    HALF_THE_SCALE,
    grouped,
    percent,
    points,
    rounded_up,
)
from candor.mechanisms import load_families
from candor.mechanisms.epsilon import epsilon_rounded_up
from candor.planning.assumptions import AssumedMean
from candor.planning.budget import Sharing
from candor.planning.fieldwork import Draw
from candor.planning.groups import FISHER, GroupSizes, GroupTest
from candor.planning.power import ONE_SIDED
from candor.planning.results import Plan
from candor.validation import MAX_RESPONDENTS

LABEL_WIDTH = 30

Lines = dict[str, str]
"""What a figure is, and the figure."""


def as_table(plan: Plan) -> str:
    """Return the figures in blocks, a title above each."""
    own = of_mean(plan) if is_of_mean(plan) else of_share(plan)
    blocks = [*own, with_questions(plan)]
    return "\n\n".join(
        "\n".join(
            [title, *(f"  {label:<{LABEL_WIDTH}}{lines[label]}" for label in lines)]
        )
        for title, lines in blocks
        if lines
    )


def of_share(plan: Plan) -> list[tuple[str, Lines]]:
    """Return the blocks about the share of an answer."""
    return [
        with_mechanism(plan),
        with_suspicion(plan),
        with_respondents(plan),
        with_margin(plan),
        with_bound(plan),
        with_fieldwork(plan),
        with_groups(plan),
    ]


def of_mean(plan: Plan) -> list[tuple[str, Lines]]:
    """Return the blocks about the mean of a scale."""
    reading, answers = plan.posterior, plan.assumed_mean.answers
    about = {
        "points": f"{answers.points}, 0 to {plan.assumed.length}",
        "assumed mean": f"{answers.mean:.4g}, standard deviation {answers.sd:.3g}"
        + (", all points equally common" if answers.is_default else ""),
        "epsilon": epsilon_rounded_up(plan.mechanism.worst_ratio),
        **with_draw(plan.draw),
        "confidence level": percent(plan.confidence_level, trimmed=True),
        "price of protection": price(plan),
    }
    suspicion = {
        "after any report": f"{percent(reading.lowest, 1)} to "
        f"{percent(reading.highest, 1)}"
    }
    planned: Lines = {}
    title = ""
    if plan.precision and plan.poisoning:
        title = f"With {grouped(plan.precision.respondents)} respondents"
        planned = {
            "margin of error": f"{on_scale(plan, plan.precision.margin)} (direct "
            f"question {on_scale(plan, plan.precision.direct_margin)})",
            "forged reports": f"{grouped(plan.poisoning.forged)} can move the mean by "
            f"{plan.poisoning.radius:.2f}",
        }
    wanted, for_margin = {}, ""
    if plan.margin is not None:
        for_margin = f"For a margin of {plan.margin:g}"
        wanted["respondents"] = f"more than {grouped(MAX_RESPONDENTS)}"
    if plan.size:
        direct = grouped(plan.size.direct_respondents)
        needed = grouped(plan.size.respondents)
        wanted["respondents"] = f"{needed} (direct question {direct})"
    ways = {
        way.family: f"variance {way.variance:.2f} / respondents"
        + ("" if way.margin is None else f", margin {on_scale(plan, way.margin)}")
        + ("" if way.respondents is None else f", needs {grouped(way.respondents)}")
        for way in plan.alternatives
    }
    return [
        (load_families()[plan.mechanism.family].label, about),
        (f"A suspicion of {percent(reading.prior, trimmed=True)}", suspicion),
        (title, planned),
        (for_margin, wanted),
        (f"At this epsilon the family {plan.assumed_mean.most_precise} is best", ways),
        with_fieldwork(plan),
        with_mean_groups(plan),
    ]


def is_of_mean(plan: Plan) -> bool:
    """Return whether a plan is that of the mean of a scale."""
    return isinstance(plan.assumed, AssumedMean)


def percent_or_dash(share: float | None) -> str:
    """Return a share in percent, a dash where there is none."""
    return percent(math.nan if share is None else share, 1)


def price(plan: Plan) -> str:
    """Return what protection costs."""
    cost = "∞" if math.isinf(plan.cost_of_privacy) else f"{plan.cost_of_privacy:.2f}"
    return f"{cost} times the respondents of a direct question"


def on_scale(plan: Plan, margin: float) -> str:
    """Return a margin in points of the scale."""
    is_all = margin >= HALF_THE_SCALE * plan.assumed.length
    return f"{margin:.2f}, which tells nothing" if is_all else f"{margin:.2f}"


def with_draw(draw: Draw | None) -> Lines:
    """Return of how many questions each respondent is asked how many."""
    if draw is None:
        return {}
    message = f"each respondent is asked {draw.asked} of {draw.questions}"
    if draw.respondents is not None and draw.reports is not None:
        reports, everybody = grouped(draw.reports), grouped(draw.respondents)
        message = f"{message}, so {reports} of {everybody} this one"
    return {"draw": f"{message}; respondents needed are all"}


def with_mechanism(plan: Plan) -> tuple[str, Lines]:
    """Return what was assumed, and what protection costs."""
    answers = len(plan.mechanism.answers)
    per_answer = {"answers": f"{answers}; figures are of one against the rest"}
    return load_families()[plan.mechanism.family].label, {
        **(per_answer if answers > 2 else {}),
        "epsilon": epsilon_rounded_up(plan.mechanism.worst_ratio),
        **with_draw(plan.draw),
        "assumed share": percent(plan.assumed_share.share, trimmed=True),
        "confidence level": percent(plan.confidence_level, trimmed=True),
        "price of protection": price(plan),
    }


def with_suspicion(plan: Plan) -> tuple[str, Lines]:
    """Return what one report makes of a suspicion."""
    reading = plan.posterior
    lines = {
        f"after the report {report.report}": percent_or_dash(report.posterior)
        for report in reading.reports
    }
    if len(reading.reports) > 1:
        blind = percent_or_dash(reading.blind_guess)
        lines["best guess is right"] = (
            f"{percent_or_dash(reading.guess)} (without a report {blind})"
        )
    else:
        lines["after any report"] = (
            f"{percent(reading.lowest, 1)} to {percent(reading.highest, 1)}"
        )
    return f"A suspicion of {percent(reading.prior, trimmed=True)}", lines


def with_respondents(plan: Plan) -> tuple[str, Lines]:
    """Return what a planned number of respondents brings, if there is one."""
    if plan.precision is None or plan.poisoning is None:
        return "", {}
    planned = plan.precision
    direct = in_points(planned.direct_margin)
    lines = {
        "margin of error": f"{in_points(planned.margin)} (direct question {direct})"
    }
    if planned.expected_half_width is not None:
        lines["half of the exact interval"] = in_points(planned.expected_half_width)
    if errors := planned.standard_errors:
        lines["standard error"] = (
            f"{in_points(errors.local)} (direct question {in_points(errors.direct)}, "
            f"with noise on the count alone {in_points(errors.central)})"
        )
    lines["forged reports"] = (
        f"{grouped(plan.poisoning.forged)} can move the share by "
        f"{points(plan.poisoning.radius)} points"
    )
    if plan.shuffling is not None:
        lines["epsilon of the pile alone"] = (
            f"{rounded_up(plan.shuffling.epsilon, 3)} (delta {plan.shuffling.delta:g}; "
            "holds only against somebody who sees nothing but the pile)"
        )
    return f"With {grouped(planned.respondents)} respondents", lines


def with_margin(plan: Plan) -> tuple[str, Lines]:
    """Return what a wanted margin needs, if there is one."""
    if plan.size is None:
        return "", {}
    direct = grouped(plan.size.direct_respondents)
    lines = {
        "respondents": f"{grouped(plan.size.respondents)} (direct question {direct})"
    }
    if smallest := plan.smallest_epsilon:
        lines[f"epsilon for {grouped(smallest.respondents)}"] = (
            f"none reaches it (direct question {in_points(smallest.direct_margin)})"
            if smallest.epsilon is None
            else f"{rounded_up(smallest.epsilon)} in the family epsilon"
        )
    return f"For a margin of {in_points(plan.size.margin)}", lines


def with_bound(plan: Plan) -> tuple[str, Lines]:
    """Return what refuting a share needs, if one was given."""
    if plan.sample_size is None:
        return "", {}
    size, too_many = plan.sample_size, f"more than {grouped(MAX_RESPONDENTS)}"
    lines = {
        "respondents, approximately": grouped(size.normal),
        "first number with the power": grouped(size.first) if size.first else too_many,
        "safe from": grouped(size.safe) if size.safe else too_many,
    }
    if test := plan.test:
        lines[f"power of {grouped(test.respondents)}"] = (
            f"{test.power:.3f} (where more than {grouped(test.critical_count)} report "
            f"{test.report})"
        )
    how = f"alpha {size.alpha:g}"
    if size.method != ONE_SIDED:
        how = f"by the {percent(plan.confidence_level, trimmed=True)} interval"
    title = (
        f"To show that the share is {size.direction} "
        f"{percent(size.against, trimmed=True)} ({how}, power {size.power:g})"
    )
    return title, lines


def with_groups(plan: Plan) -> tuple[str, Lines]:
    """Return what telling two groups apart needs, if there is a second one."""
    if plan.groups is None:
        return "", {}
    sizes = plan.groups
    shares = (percent(each, trimmed=True) for each in sizes.values)
    title = (
        f"To tell {' from '.join(shares)} (Fisher's exact test, alpha {sizes.alpha:g}, "
        f"power {sizes.power:g})"
    )
    return title, people_in_groups(sizes, plan.group_test)


def with_mean_groups(plan: Plan) -> tuple[str, Lines]:
    """Return the same of the means of a scale."""
    if plan.groups is None:
        return "", {}
    sizes = plan.groups
    found = dict.fromkeys(f"{sd:.3g}" for sd in sizes.sds or ())
    spread = f", standard deviation {' and '.join(found)}" if found else ""
    test = "Fisher's exact test" if sizes.test == FISHER else "Welch's t test"
    title = (
        f"To tell a mean of {sizes.values[0]:.4g} from {sizes.values[1]:.4g}{spread} "
        f"({test}, alpha {sizes.alpha:g}, power {sizes.power:g})"
    )
    return title, people_in_groups(sizes, plan.group_test)


def people_in_groups(sizes: GroupSizes, test: GroupTest | None) -> Lines:
    """Return how many people each group needs, and what the planned ones bring."""
    too_many = f"more than {grouped(MAX_RESPONDENTS)}"
    # Only what was counted out is told without a word.
    roughly = "" if sizes.is_exact else " (approximately)"
    lines = {
        f"{which} group": f"{grouped(size)}{roughly}" if size else too_many
        for which, size in (("first", sizes.respondents), ("second", sizes.others))
    }
    if test:
        label = f"power of {grouped(test.respondents)} and {grouped(test.others)}"
        lines[label] = f"{test.power:.3f}"
    return lines


def with_fieldwork(plan: Plan) -> tuple[str, Lines]:
    """Return how many to invite, where not all answer or count alike."""
    work = plan.fieldwork
    if work.is_plain:
        return "", {}
    lines = {
        label: f"{grouped(each.invited)}, so that {grouped(each.respondents)} answer"
        for label, each in (
            ("for the planned number", work.planned),
            ("for the margin", work.size),
            ("to refute the share, safely", work.sample_size),
        )
        if each
    }
    if work.margin is not None:
        lines["margin of the planned number"] = (
            on_scale(plan, work.margin) if is_of_mean(plan) else in_points(work.margin)
        )
    rate = percent(work.response_rate, trimmed=True)
    title = f"To invite, where {rate} answer (design effect {work.design_effect:g})"
    return title, lines


def with_questions(plan: Plan) -> tuple[str, Lines]:
    """Return how to share out the epsilon of several questions."""
    advice, ratio = plan.questions, plan.mechanism.worst_ratio
    if advice is None or ratio is None or advice.questions == 1:
        return "", {}
    asked = plan.draw.asked if plan.draw else advice.questions
    ways = {
        "as planned, best tables": advice.planned if plan.draw else None,
        "ask all": advice.all_asked,
        "ask one": advice.one_asked,
        "by the rule": advice.by_rule,
        "best" if is_of_mean(plan) else "best at this share": advice.best,
    }
    title = f"{advice.questions} questions, epsilon {epsilon_rounded_up(ratio**asked)}"
    return title, {label: sharing(plan, way) for label, way in ways.items() if way}


def sharing(plan: Plan, way: Sharing) -> str:
    """Return how many questions, at what price, and how precise that is."""
    units = plan.assumed.length
    message = (
        f"{way.asked} at epsilon {rounded_up(way.epsilon_each)}, variance "
        f"{way.variance * units**2:.2f} / respondents"
    )
    planned = plan.draw or plan.precision
    if planned is None or planned.respondents is None:
        return message
    margin = units * way.margins(plan.confidence_level).margin(planned.respondents)
    shown = on_scale(plan, margin) if is_of_mean(plan) else in_points(margin)
    return f"{message}, margin {shown}"


def in_points(difference: float) -> str:
    """Return a difference of shares in percentage points, to two decimals."""
    message = f"{points(difference)} points"
    return (
        f"{message}, which tells nothing" if difference >= HALF_THE_SCALE else message
    )

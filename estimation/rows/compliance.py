"""Non-compliance, identified by two tables or an anchor question."""

from dataclasses import replace
from itertools import product

from candor.compliance import estimate_attentive, estimate_cheating
from candor.compliance.models import ATTENTIVE, CHEATERS
from candor.joint import JointSample
from candor.mechanisms import Mechanism
from candor.validation import is_two_by_two
from estimation.rows.comparison import Comparison
from estimation.rows.groups import MIN_GROUP_SIZE
from estimation.rows.row import Row


def estimate_compliance(comparison: Comparison) -> tuple[Row, ...] | None:
    """Return the shares of honest respondents and cheaters, or of attentive ones.

    None where neither model applies; no row where its tables do not identify it.
    """
    try:
        if comparison.anchor and comparison.joint:
            return estimate_with_anchor(comparison.joint, comparison)
        return estimate_in_two_groups(comparison)
    except ValueError:
        return ()


def scrambles_yes_no(*tables: Mechanism) -> bool:
    return all(each.is_scrambled and is_two_by_two(each) for each in tables)


def with_anchor(comparison: Comparison, answer: str) -> Comparison:
    """Return the comparison with an anchor question, which makes no groups."""
    if not answer or comparison.respondents < MIN_GROUP_SIZE:
        return comparison
    return replace(comparison, anchor=answer, groups=())


def estimate_with_anchor(joint: JointSample, comparison: Comparison) -> tuple[Row, ...]:
    anchor = comparison.second
    place = anchor.choices.index(comparison.anchor) if anchor else 0
    pairs = product(joint.first.reports, joint.second.reports)
    share, attentive = estimate_attentive(
        joint.first,
        joint.second,
        dict(zip(pairs, (n for row in joint.counts for n in row), strict=True)),
        anchor_answer=joint.second.answers[place],
        confidence_level=comparison.confidence_level,
    )
    label = comparison.first.choices[0]
    return Row(**vars(share) | {"group": ATTENTIVE}, label=label), Row(
        **vars(attentive)
    )


def estimate_in_two_groups(comparison: Comparison) -> tuple[Row, ...] | None:
    if not comparison.may_have_cheaters or len(comparison.shown) != 2:
        return None
    first, second = comparison.samples
    table, other = first.mechanism, second.mechanism
    if table.reports != other.reports or table.weights == other.weights:
        return None
    if not scrambles_yes_no(table, other):
        return None
    found = estimate_cheating(
        table,
        dict(zip(table.reports, first.counts, strict=True)),
        other,
        dict(zip(table.reports, second.counts, strict=True)),
        confidence_level=comparison.confidence_level,
    )
    return tuple(
        Row(**vars(row), label=label)
        for row, label in zip(found, (*comparison.first.choices, CHEATERS), strict=True)
    )

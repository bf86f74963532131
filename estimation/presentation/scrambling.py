"""How the answers to a question were scrambled, told beside its result."""

from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from candor.mechanisms import load_families
from candor.mechanisms.table import truth_and_other
from estimation.rows.shares import QuestionResult
from surveys.models.question import format_scale_value
from surveys.text.numbers import (
    format_distinct_percent,
    format_epsilon,
)
from surveys.text.tables import TableDescription, label_reports


def mechanism_line(result: QuestionResult) -> str:
    """Return family, realised chances and epsilon of a question."""
    family = load_families().get(result.mechanism.family)
    words = {
        # The file of an old survey's family may be gone; its table is not.
        "family": _(family.label) if family else result.mechanism.family,
        "chances": chances(result),
        "epsilon": format_epsilon(result.mechanism.worst_ratio),
    }
    if not result.mechanism.is_protected:
        return _("%(family)s: %(chances)s. Epsilon has no bound.") % words
    return _("%(family)s: %(chances)s. Epsilon is at most %(epsilon)s.") % words


def chances(result: QuestionResult) -> str:
    """Return how often each answer arrives as the first report, as it was drawn.

    Where there are many answers and all are treated alike, two chances say it.
    """
    alike = truth_and_other(result.mechanism.weights)
    if alike and len(result.rows) > 2:
        truth, other = (
            format_distinct_percent(weight / result.mechanism.total, trimmed=True)
            for weight in alike
        )
        return _(
            "of each answer %(truth)s arrive as it is and %(other)s as each of the "
            "others"
        ) % {"truth": truth, "other": other}
    answers, labels = list(result.mechanism.answers), list(named_choices(result))
    if not result.mechanism.tells_shares:
        # In between it grows evenly: the ends say it all.
        answers, labels = answers[::-1][:: len(answers) - 1], labels[::-1]
        labels = labels[:: len(labels) - 1]
    first = result.mechanism.reports[0]
    parts = [
        _("%(chance)s of “%(label)s” answers")
        % {
            "chance": format_distinct_percent(
                float(result.mechanism.probability(first, given=answer)),
                trimmed=True,
            ),
            "label": label,
        }
        for answer, label in zip(answers, labels, strict=True)
    ]
    return _("%(parts)s arrive as “%(report)s”") % {
        "parts": get_text_list(parts, _("and")),
        "report": labels_of_reports(result)[0],
    }


def proofs(result: QuestionResult) -> list[str]:
    """Return which reports show the answer behind them, where others do not."""
    choices = named_choices(result)
    return TableDescription((result.number,), result.mechanism, choices).proofs


def named_choices(result: QuestionResult) -> tuple[str, ...]:
    """Return what its answers are called; of a mean alone, their values."""
    if not result.rows and result.mean and result.mean.scale:
        return tuple(map(format_scale_value, result.mean.scale.values))
    return tuple(row.label for row in result.rows)


def labels_of_reports(result: QuestionResult) -> tuple[str, ...]:
    """Return what its reports are called, in the order of the table's columns."""
    return label_reports(result.mechanism, named_choices(result))

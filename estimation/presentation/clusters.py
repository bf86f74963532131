"""Sentences on clusters and their design effect."""

from collections.abc import Sequence

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from candor.clusters import FEW_CLUSTERS
from estimation.presentation.figures import show_range
from estimation.rows.groups import MIN_CLUSTER_SIZE
from surveys.numbers import format_integer


def explain_small_clusters() -> str:
    needed = _("Clusters are answers to a direct question, each of %s people or more.")
    return needed % MIN_CLUSTER_SIZE


def describe_clusters(effects: Sequence[float], clusters: int) -> str:
    ends = [number_format(f"{end(effects):.2f}") for end in (min, max)]
    effect = ends[0]
    if ends[0] != ends[1]:
        effect = show_range(*ends)
    line = _("Design effect: %(effect)s (%(clusters)s clusters).") % {
        "effect": effect,
        "clusters": clusters,
    }
    if clusters >= FEW_CLUSTERS:
        return line
    few = _("With fewer than %s clusters the interval may be too short.")
    return f"{line} {few % FEW_CLUSTERS}"


def count_left_out(missing: int) -> str:
    return _("Left out because of gaps: %s.") % format_integer(missing)

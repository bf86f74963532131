from typing import Any

from django import template

from surveys.authoring.strengths import FAMILY_OF_MANY, STOPS
from surveys.mechanisms.privacy import MAX_EPSILON
from surveys.words.explanations import LARGE_EPSILON

register = template.Library()


@register.inclusion_tag("estimation/planner/_strengths.html")
def planner_stops() -> dict[str, Any]:
    return {"stops": STOPS, "family_of_many": FAMILY_OF_MANY}


@register.inclusion_tag("estimation/planner/_meter.html")
def planner_meter() -> dict[str, Any]:
    return {
        "large_epsilon": LARGE_EPSILON,
        "max_epsilon": MAX_EPSILON,
        "line": 100 * LARGE_EPSILON // MAX_EPSILON,
    }

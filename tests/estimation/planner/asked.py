"""Requests to the planner as the form sends them."""

from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from estimation.pages.planner.panels import plan_survey

OK, BAD_REQUEST, NO_SUCH_METHOD = 200, 400, 405

COIN = {"family": "coin"}
STRONG = {"family": "epsilon", "epsilon__epsilon": "0.5"}
SEVERAL = {
    "family": "k_ary",
    "k_ary__epsilon": "1",
    "k_ary__choices": "Notes\nA phone\nBoth\nNeither",
}


def query_of(questions, assumed):
    asked = [*assumed.items()]
    asked += [("question", urlencode(each, doseq=True)) for each in questions]
    return urlencode(asked)


def ask(client, *questions, page="estimation_plan", method="get", **assumed):
    address = reverse(f"admin:{page}") + "?" + query_of(questions, assumed)
    return getattr(client, method)(address)


def plan(*questions, **assumed):
    return plan_survey(QueryDict(query_of(questions, assumed)))


def planned(*questions, **assumed):
    planner = plan(*questions, **assumed)
    assert not planner.refused
    return planner


def figures_of(panel):
    """Return {label: text} of a question's panel."""
    figures = {each.name: f"{each.number} {each.unit}" for each in panel.figures}
    figures |= {each.label: each.text for each in panel.facts}
    return {
        replace_no_break_spaces(name): replace_no_break_spaces(text)
        for name, text in figures.items()
    }


def replace_no_break_spaces(text):
    """Return text with plain spaces."""
    return text.replace("\N{NO-BREAK SPACE}", " ")

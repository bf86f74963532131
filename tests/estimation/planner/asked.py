"""The planner's addresses, asked as the form asks them."""

from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from estimation.pages.planner.panels import plan_survey
from tests.estimation.planner.shown import planner_in

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


def planned(client, *questions, **assumed):
    """What the panels show."""
    response = ask(client, *questions, **assumed)
    assert response.status_code == OK
    return planner_in(response.content.decode())


def refused(client, *questions, **assumed):
    response = ask(client, *questions, **assumed)
    assert response.status_code == BAD_REQUEST
    return planner_in(response.content.decode())["errors"]


def plan_behind(question, **assumed):
    """The plan whose figures the panel of a question shows."""
    (panel,) = plan_survey(QueryDict(query_of([question], assumed))).questions
    return panel.plan


def with_plain_spaces(text):
    """Spaces that break lines or not."""
    return text.replace("\N{NO-BREAK SPACE}", " ")

"""The planner's addresses, asked as the form asks them."""

from urllib.parse import urlencode

from django.urls import reverse

OK, BAD_REQUEST, NO_SUCH_METHOD = 200, 400, 405

COIN = {"family": "coin"}
STRONG = {"family": "epsilon", "epsilon__epsilon": "0.5"}
SEVERAL = {
    "family": "k_ary",
    "k_ary__epsilon": "1",
    "k_ary__choices": "Notes\nA phone\nBoth\nNeither",
}


def ask(client, *questions, page="estimation_plan", method="get", **assumed):
    asked = [*assumed.items()]
    asked += [("question", urlencode(each, doseq=True)) for each in questions]
    address = reverse(f"admin:{page}") + "?" + urlencode(asked)
    return getattr(client, method)(address)


def planned(client, *questions, **assumed):
    response = ask(client, *questions, **assumed)
    assert response.status_code == OK
    return response.json()


def refused(client, *questions, **assumed):
    response = ask(client, *questions, **assumed)
    assert response.status_code == BAD_REQUEST
    return response.json()["errors"]


def words(text):
    """Spaces that break lines or not."""
    return text.replace("\N{NO-BREAK SPACE}", " ")

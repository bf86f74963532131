"""What a browser posts from the authoring form, with defaults."""

import re

from candor.mechanisms import load_families

ADD = "/admin/surveys/survey/add/"

TOKEN = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")\w+')


def page_of(survey, name="change"):
    return f"/admin/surveys/survey/{survey.pk}/{name}/"


def question_fields(**given):
    """The inputs of one question as the page shows them first: every family's."""
    examples = {
        f"{name}__{parameter.name}": ""
        if parameter.counts_answers
        else parameter.example
        for name, family in load_families().items()
        for parameter in family.parameters
    }
    return {
        "text": "Sensitive question?",
        "family": "coin",
        "innocuous_question": "",
        "position": "",
        "yes_label": "",
        "no_label": "",
        **examples,
        **given,
    }


def posted(*questions, stored=(), **survey):
    """The whole form; `stored` are questions saved before, which come first."""
    fields = {
        "title": "Study habits",
        "slug": "",
        "organiser": "Institute of Examples",
        "purpose": "",
        "contact": "",
        "mode": "browser",
        "language": "en",
        "access": "link",
        "batch_size": "20",
        "questions-TOTAL_FORMS": str(len(questions)),
        "questions-INITIAL_FORMS": str(len(stored)),
        "questions-MIN_NUM_FORMS": "0",
        "questions-MAX_NUM_FORMS": "1000",
        "_continue": "",
        **survey,
    }
    for number, question in enumerate(questions):
        ids = {"id": stored[number].pk} if number < len(stored) else {}
        for name, value in (question_fields(**question) | ids).items():
            fields[f"questions-{number}-{name}"] = value
    return fields


def text_of(response):
    """The page with every run of white space as one space.

    And without the token of its forms, which by chance has any short word in it.
    """
    return " ".join(TOKEN.sub("", response.content.decode()).split())

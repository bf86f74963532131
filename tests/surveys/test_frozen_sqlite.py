"""SQLite's REPLACE deletes rows without a word to their triggers."""

import pytest
from django.db import IntegrityError

from tests.factories import make_survey
from tests.surveys.test_frozen import make_draft, run_sql

pytestmark = pytest.mark.django_db

REPLACED = {
    "a survey by its number": (
        "REPLACE INTO surveys_survey SELECT * FROM surveys_survey WHERE state = 'open'"
    ),
    "a survey by its address": (
        "UPDATE OR REPLACE surveys_survey SET slug = 'opened' WHERE state = 'draft'"
    ),
    "a question by a new one": (
        "REPLACE INTO surveys_question (id, survey_id, position, text, family,"
        " parameters, innocuous_question, hint, helpline, section, section_text,"
        " shuffle_section, shuffle_choices, tick_list, show_if,"
        " answer_if_hidden, ends_if, translations)"
        " SELECT q.id, d.id, 2, 'Another?', 'coin', '{}', '', '', '', '', '', FALSE,"
        " FALSE, '', '', '', '', '{}'"
        " FROM surveys_survey d, surveys_question q JOIN surveys_survey s"
        " ON s.id = q.survey_id WHERE d.state = 'draft' AND s.state = 'open'"
    ),
    "a question by a draft's": (
        "UPDATE OR REPLACE surveys_question SET id = (SELECT q.id"
        " FROM surveys_question q JOIN surveys_survey s ON s.id = q.survey_id"
        " WHERE s.state = 'open')"
        " WHERE survey_id = (SELECT id FROM surveys_survey WHERE state = 'draft')"
    ),
    "a choice by a new one": (
        "REPLACE INTO surveys_choice (id, question_id, position, label)"
        " SELECT c.id, q.id, 7, 'Other' FROM surveys_choice c, surveys_question q"
        " JOIN surveys_survey s ON s.id = q.survey_id WHERE s.state = 'draft'"
    ),
}


def test_replace_statements_cannot_change_an_opened_survey():
    make_survey(slug="opened")
    make_draft()
    for statement in REPLACED.values():
        with pytest.raises(IntegrityError, match="an opened survey is frozen"):
            run_sql(statement)

"""Orders for a thread or a process in the tests of the storage.

An order is [verb, survey's id, submission, pattern in hexadecimal]; the last two only
for "store", and for "invited" with a link's token; for "group" {submission: pattern}.
The answer is "done" or "refused". ["halt", statement] lets a process say "under way"
once it has carried out an SQL statement that begins so, or in SQLite is about to, past
Django; it then does nothing until it is killed. ["halt", ""] has it do nothing at once.
"""

import time
from functools import partial

import django
from django.db import connection


def carry_out(order):
    from respondents.distribution.deletion import NothingToPurgeError, purge
    from respondents.models import Response, close
    from respondents.storage.exactly_once import SurveyClosedError
    from surveys.models import Survey

    verb, survey_id, *details = order
    survey = Survey.objects.get(pk=survey_id)
    try:
        match verb:
            case "store":
                submission, pattern = details
                Response.objects.store(survey, submission, bytes.fromhex(pattern))
            case "group":
                [sent] = details
                patterns = {name: bytes.fromhex(each) for name, each in sent.items()}
                Response.objects.store_all(survey, patterns)
            case "invited":
                token, pattern = details
                Response.objects.store_all_invited(
                    survey, {token: bytes.fromhex(pattern)}
                )
            case "seal":
                Response.objects.seal(survey)
            case "close":
                close(survey)
            case "purge":
                purge(survey)
    except (SurveyClosedError, NothingToPurgeError):
        return "refused"
    return "done"


def serve(orders, answers):
    """Carry out orders until the connection is closed."""
    django.setup()
    from respondents.storage import secure_deletion

    # Erasing gives way to others soon; here it is to be met in the middle.
    secure_deletion.PATIENCE_MILLISECONDS = 20_000
    while True:
        try:
            order = orders.recv()
        except EOFError:
            return
        if order == ["halt", ""]:
            time.sleep(600)
        elif order[0] == "halt":
            connection.execute_wrappers.append(partial(halt, order[1], answers))
            if connection.vendor == "sqlite":
                connection.ensure_connection()
                trace = partial(halt_past_django, order[1], answers)
                connection.connection.set_trace_callback(trace)
        else:
            answers.send(carry_out(order))


def halt(beginning, answers, execute, sql, *details):
    done = execute(sql, *details)
    if sql.startswith(beginning):
        answers.send("under way")
        time.sleep(600)
    return done


def halt_past_django(beginning, answers, sql):
    if sql.startswith(beginning) and not connection.in_atomic_block:
        answers.send("under way")
        time.sleep(600)

"""What a thread or a process is told to do in the tests of the storage.

An order is [verb, survey's id, submission, pattern in hexadecimal]; the last two only
for "store", and for "invited" with a link's token. The answer is "done" or "refused".
"""

import json
import sys

import django


def carry_out(order):
    from respondents.errors import SurveyClosedError
    from respondents.models import Response, close
    from surveys.models import Survey

    verb, survey_id, *details = order
    survey = Survey.objects.get(pk=survey_id)
    try:
        match verb:
            case "store":
                submission, pattern = details
                Response.objects.store(survey, submission, bytes.fromhex(pattern))
            case "invited":
                token, pattern = details
                Response.objects.store_invited(survey, token, bytes.fromhex(pattern))
            case "seal":
                Response.objects.seal(survey)
            case "close":
                close(survey)
    except SurveyClosedError:
        return "refused"
    return "done"


if __name__ == "__main__":
    django.setup()
    for line in sys.stdin:
        sys.stdout.write(carry_out(json.loads(line)) + "\n")
        sys.stdout.flush()

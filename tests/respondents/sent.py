"""The request of a script, and its stored response."""

from respondents.models import Response


def make_body(survey, reports, number=1, **more):
    return {
        "design": survey.design_digest,
        "submission": f"{number:032x}",
        "reports": reports,
        **more,
    }


def send(client, survey, reports="01", number=1, **more):
    """Send reports, in hexadecimal digits, to the endpoint; return its answer."""
    body = make_body(survey, reports, number, **more)
    return client.post(f"/s/{survey.slug}/reports/", body, "application/json")


def stored(**about):
    """Return the patterns of the responses that wait, in order."""
    rows = Response.objects.filter(**about).values_list("pattern", flat=True)
    return sorted(map(bytes, rows))

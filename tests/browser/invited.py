"""A respondent with a one-time link, and what the database then says."""

from respondents.models import Response
from respondents.storage.invitations import Invitation
from tests.browser.journey import Respondent


def invited(page, site, token, *, address=None):
    """A respondent who opens the link of `token`; `address` replaces the site's."""
    respondent = Respondent(page, site)
    respondent.url = f"{address or site.url}/s/study-habits/#{token}"
    return respondent


def stored():
    return Response.objects.count()


def spent():
    return Invitation.objects.filter(spent=True).count()


def storage(page):
    return page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")

"""Every page of researchers in German: what on it is still English is found."""

import re
import time
from datetime import date
from functools import cache
from html.parser import HTMLParser

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.urls import reverse

from respondents.distribution import rehearsal
from respondents.models import Response, close
from scripts.messages import catalogues
from surveys.models import Membership, Role
from tests.config.accounts.test_login import LIMIT
from tests.factories import (
    PASSWORD,
    give_reason,
    make_responses,
    make_survey,
    make_user,
    open_survey,
)
from tests.respondents.languages import IN_GERMAN, fragments, holds
from tests.surveys.authoring.posted import posted
from tests.surveys.page_rules import FOR_STAFF, FOR_SUPERUSERS, OK, SURVEY_PAGES
from tests.surveys.test_access import address_of

pytestmark = pytest.mark.django_db

ENGLISH_WORDS = {
    "the", "of", "and", "is", "are", "this", "that", "with", "for", "to", "not", "by",
    "from", "or", "it", "its", "be", "at", "on", "you", "your", "has", "have", "how",
    "what", "who", "which", "each", "than", "these", "their", "they", "can", "cannot",
    "must", "only", "should", "would", "nobody", "nothing",
}  # fmt: skip
"""Words that German has not."""

READ = {"alt", "aria-label", "label", "placeholder", "title"}
"""Attributes that are read out or shown; of `data-...` those with a space."""

SILENT = {"script", "style", "code", "pre", "kbd", "svg"}
VOID = {"input", "br", "img", "link", "meta", "hr", "source", "col", "wbr"}

NUMBERS_IN_ENGLISH = re.compile(
    r"(?<![\w.,/:-])(?:\d+\.\d{1,2}|\d*\.\d{4,}|0\.\d+|[1-9]\d{0,2}(?:,\d{3})+|\d{5,})"
    r"(?![\w/:-]|[.,]\d)"
)
"""Such as 0.5, 12.3, 1,000 and 10000; 1.000 is a thousand in German."""

BESIDE = re.compile(r"https?://\S+|<?\S+@\S+|P\s=\s[\d,]+|\d+\.\d+ [<>]")
"""Addresses; P values, whose three decimals look like a thousand in English; and the
second answer to question 3 in a claim about it, as 3.2 < 10."""

FAMILIES = (
    ("coin", {}),
    ("die", {}),
    ("epsilon", {"epsilon": "1/2"}),
    ("forced_response", {"forced_yes": "1/6", "forced_no": "1/5"}),
    ("k_ary", {"epsilon": "1", "choices": 3}),
    ("crosswise", {"prevalence": "1/4"}),
    ("kuk", {"p_red_given_yes": "4/5", "p_red_given_no": "1/5"}),
    ("warner", {"p": "4/5"}),
    ("unrelated_question", {"p_sensitive": "2/3", "prevalence": "1/4"}),
    ("direct", {}),
    ("direct_choice", {"choices": 3}),
    ("one_bit", {"epsilon": "1", "points": 11}),
    ("grid", {"epsilon": "2", "points": 5}),
)


class PageReader(HTMLParser):
    """Each piece of text that is read or shown, but for what is in other languages."""

    def __init__(self, html):
        super().__init__()
        self.open: list[bool] = []
        self.texts: list[str] = []
        # Where a line may end, no text does.
        self.feed(html.replace("<wbr>", ""))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        is_silent = tag in SILENT or given.get("lang", "de") != "de"
        if not (is_silent or any(self.open)):
            self.texts += [
                value
                for name, value in attributes
                if value and (name in READ or (name[:5] == "data-" and " " in value))
            ]
            if tag == "input" and given.get("type") == "submit":
                self.texts.append(given["value"])
        if tag not in VOID:
            self.open.append(is_silent)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in VOID:
            self.open.pop()

    def handle_data(self, text):
        if not any(self.open) and text.strip():
            self.texts.append(" ".join(text.split()))


@cache
def english_texts():
    """Return whole texts of the catalogue, and the longer parts of those with gaps."""
    whole, parts = set(), set()
    for entry in catalogues()["de"]:
        said = "\n".join([entry.msgstr, *entry.msgstr_plural.values()])
        for text in (entry.msgid, entry.msgid_plural):
            if text and text not in said.split("\n"):
                whole |= {text, text[:1].upper() + text[1:]}
                parts |= {
                    part
                    for part in fragments(text.replace("%%", "%"))
                    if len(part.split()) > 2 and part not in said
                }
    translated = {
        text
        for entry in catalogues()["de"]
        for text in (entry.msgstr, *entry.msgstr_plural.values())
    }
    return whole - translated, parts


def english_in(html):
    """Return what is English on a page of a survey whose own texts are German."""
    whole, parts = english_texts()
    texts = [BESIDE.sub("", message) for message in PageReader(html).texts]
    page = "\n".join(texts)
    parts = [part for part in parts if part in page]  # of some thousand a few
    found = []
    for text in texts:
        if "****" in text:
            continue  # of a password's hash, which may begin with a large number
        words = set(re.findall(r"[a-z']+", text.lower()))
        if (
            text in whole
            or words & ENGLISH_WORDS
            or any(holds(text, part) for part in parts)
            or NUMBERS_IN_ENGLISH.search(text)
        ):
            found.append(text)
    return found


def test_the_check_finds_english_text():
    page = """<p>Der Anteil liegt bei 12,5 % von 1.000.</p><p>Save draft</p>
    <p title="Ask the owner">Ja</p><p>12.5 % von 1,000</p><p lang="en">the share</p>
    <script>the script</script><input placeholder="Your name" value="the">
    <p>Opens in 2026 and 20000 Menschen</p><p data-error="It is not there">Ja</p>
    <p>Antworten</p><code>the code</code><p>Perhaps Only the survey is closed.</p>"""
    assert english_in(page) == [
        "Save draft",
        "Ask the owner",
        "12.5 % von 1,000",
        "Your name",
        "Opens in 2026 and 20000 Menschen",
        "It is not there",
        "Perhaps Only the survey is closed.",
    ]
    assert english_in("<p>Question 3 cannot</p><p>1.000 %, 0,5 %, 2026</p>") == [
        "Question 3 cannot"
    ]
    assert english_in("<p>20000 Menschen</p><p>0.01</p>") == ["20000 Menschen", "0.01"]


def make_german_survey(owner, families=FAMILIES, *, opened=True, **fields):
    survey = make_survey((), opened=False, owner=owner, **{**IN_GERMAN, **fields})
    for number, (family, parameters) in enumerate(families, start=1):
        survey.add_question(
            f"Frage Nummer {number}, die heikel ist?",
            family=family,
            parameters=parameters,
            innocuous_question="Hat Ihre Mutter im Mai Geburtstag?",
        )
    give_reason(survey, "Nur alle Antworten zusammen zeigen es.")
    if opened:
        open_survey(survey)
    return survey


@pytest.fixture(scope="module")
def owner(module_db):
    return make_user("oskar", is_superuser=True, email="oskar@example.org")


@pytest.fixture
def german(client, owner):
    """A researcher's browser that asks for German."""
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de-DE,de;q=0.9,en;q=0.8"
    client.force_login(owner)
    client.owner = owner
    return client


def check(response):
    """Fail where anything on the page is English."""
    html = response.content.decode()
    assert "<html" not in html or '<html lang="de"' in html
    assert english_in(html) == [], response.request["PATH_INFO"]


def finish(response):
    """Read a file to its end, where it is closed."""
    if response.streaming:
        b"".join(response)


def see(client, address, *, status=OK):
    response = client.get(address)
    assert response.status_code == status, address
    check_page(response)


def check_page(response):
    """Check it where it is a page; a file is read to its end."""
    finish(response)
    if response["Content-Type"].startswith("text/html"):
        check(response)


def state_of(rule):
    """The state of the survey that a page needs."""
    return rule.opened, rule.access, rule.closed, rule.is_tried


@pytest.fixture(scope="module")
def surveys(owner):
    """A survey in each state that a page wants."""
    editor, made = make_user("edith"), {}
    for state in map(state_of, SURVEY_PAGES.values()):
        if state in made:
            continue
        is_opened, access, is_closed, is_tried = state
        made[state] = survey = make_german_survey(
            owner,
            opened=is_opened,
            access=access,
            slug=f"heikles-{len(made)}",
            least_links=1_500,
            target=20_000,
            wanted_margin="2.5",
            closes_on="2099-12-31",
        )
        Membership.objects.create(survey=survey, user=editor, role=Role.EDITOR)
        if is_opened:
            count = survey.questions.count()
            make_responses(survey, [bytes([n % 2] * count) for n in range(60)])
            Response.objects.seal(survey)
        if is_closed:
            close(survey)
        if is_tried:
            rehearsal.start(survey)
    return made


RESPONDENT_VIEWS = {"surveys_survey_try_page"}
"""It is theirs: test_languages.py of respondents looks at it."""


@pytest.mark.parametrize(
    "name", [name for name in SURVEY_PAGES if name not in RESPONDENT_VIEWS]
)
def test_a_page_of_a_survey_is_german(german, surveys, name):
    survey = surveys[state_of(SURVEY_PAGES[name])]
    response = german.get(address_of(name, survey.pk), follow=True)
    if response.status_code == OK:
        check_page(response)
    else:
        finish(response)


@pytest.mark.parametrize("name", FOR_STAFF)
def test_a_page_without_a_survey_is_german(german, name):
    make_german_survey(german.owner)
    see(
        german,
        reverse(f"admin:{name}", kwargs=FOR_STAFF[name]),
        **({"status": 400} if name == "estimation_plan_chart" else {}),
    )


@pytest.mark.parametrize("name", FOR_SUPERUSERS)
def test_a_page_of_an_account_is_german(german, name):
    names = FOR_SUPERUSERS[name]
    colleague = make_user("colleague")
    address = reverse(f"admin:{name}", kwargs=dict.fromkeys(names, colleague.pk))
    see(german, address)


SEVERAL = ("coin", ("k_ary", {"epsilon": "1", "choices": 3}))
# Those that say something of the state; each other one is a page of a survey above.
PAGES_OF_OPEN_SURVEY = (
    "change", "share", "monitor", "results", "export", "close", "results/compare",
)  # fmt: skip
STATES = {
    "empty": {"responses": 0},
    "one": {"responses": 1, "is_simulated": True},
    "alike": {"responses": 40, "pattern": b"\x00\x00"},
    "by links": {"responses": 60, "access": "invitation"},
    "by hand": {"responses": 60, "mode": "hand"},
    "on the server": {"responses": 60, "mode": "server"},
    "simulated": {"responses": 60, "is_simulated": True},
    "archived": {"responses": 60, "archived_on": date(2026, 3, 3)},
}


@pytest.mark.parametrize("state", STATES)
def test_an_open_survey_is_german_in_every_state(german, state):
    given = {**STATES[state]}
    count, pattern = given.pop("responses"), given.pop("pattern", None)
    families = ["coin", "die"] if state == "by hand" else SEVERAL
    families = [(each, {}) if isinstance(each, str) else each for each in families]
    survey = make_german_survey(german.owner, families, batch_size=1, **given)
    patterns = [pattern or bytes([n % 2, (n + n // 2) % 2]) for n in range(count)]
    make_responses(survey, patterns)
    for name in PAGES_OF_OPEN_SURVEY:
        see(german, f"/admin/surveys/survey/{survey.pk}/{name}/")
    see(german, "/admin/")
    see(german, "/admin/surveys/survey/")


@pytest.mark.parametrize("is_closed", [False, True])
def test_notices_about_too_few_responses_are_german(german, is_closed):
    survey = make_german_survey(german.owner, [("coin", {})] * 2, batch_size=1)
    make_responses(survey, [b"\0\0"])
    if is_closed:
        close(survey)
    see(german, f"/admin/surveys/survey/{survey.pk}/results/")
    for name in ("export", "results/compare"):
        see(german, f"/admin/surveys/survey/{survey.pk}/{name}/", status=403)
    for name in ("monitor", "close", "publish"):
        page = german.get(f"/admin/surveys/survey/{survey.pk}/{name}/", follow=True)
        check(page)


def test_refused_group_sizes_are_explained_in_german(german):
    draft = make_german_survey(
        german.owner, opened=False, batch_size=9, access="invitation", target=9
    )
    see(german, f"/admin/surveys/survey/{draft.pk}/open/")


def test_weighted_results_are_german(german):
    families = [("coin", {}), ("direct", {}), ("direct", {})]
    survey = make_german_survey(german.owner, families, batch_size=1)
    make_responses(survey, [bytes([n % 2, n % 3 // 2, n // 45]) for n in range(90)])
    address = f"/admin/surveys/survey/{survey.pk}/results/weighted/"
    see(german, address)
    see(german, f"{address}?known2_1=50")
    see(german, f"{address}?known2_1=50&known3_1=40")
    see(german, f"{address}?known2_1=50&known2_2=40", status=400)


def test_a_closed_survey_is_german_published_and_purged(german):
    survey = make_german_survey(german.owner, [("coin", {}), ("die", {})])
    make_responses(survey, [bytes([n % 2, n // 3 % 2]) for n in range(60)])
    close(survey)
    pages = f"/admin/surveys/survey/{survey.pk}/"
    settings = {"questions": ["1", "2"], "method": "pratt", "confidence_level": "0.95"}
    check(german.post(f"{pages}publish/", settings, follow=True))
    check(german.post(f"{pages}publish/switch/", {"publish": "yes"}, follow=True))
    for name in ("change", "results", "publish", "export", "history", "purge"):
        see(german, f"{pages}{name}/")
    check(german.post(f"{pages}purge/", {"slug": survey.slug}, follow=True))
    for name in ("change", "results", "history", "publish"):
        response = german.get(f"{pages}{name}/", follow=True)
        check(response)
    see(german, "/admin/")


def test_a_draft_is_german_tried_simulated_and_opened(german):
    survey = make_german_survey(german.owner, [("coin", {})], opened=False)
    pages = f"/admin/surveys/survey/{survey.pk}/"
    check(german.post(f"{pages}try/", {"action": "start"}, follow=True))
    see(german, f"{pages}try/")
    check(german.post(f"{pages}simulate/", {"respondents": "x", "q1_1": "101"}))
    sent = {"respondents": "200", "q1_1": "22.5", "is_fresh": "on"}
    check(german.post(f"{pages}simulate/", sent, follow=True))
    check(german.post(f"{pages}try/", {"action": "end"}, follow=True))
    make_user("maria")
    people = {"action": "add", "username": "maria", "role": "editor"}
    check(german.post(f"{pages}people/", people, follow=True))
    check(german.post(f"{pages}people/", people | {"username": "niemand"}))
    check(german.post(f"{pages}open/", follow=True))
    sent = {"target": "5000", "closes_on": "2099-01-31", "wanted_margin": "2.5"}
    check(german.post(f"{pages}period/", sent, follow=True))
    check(german.post(f"{pages}period/", {"closes_on": "2020-01-31", "target": "x"}))
    check(german.post(f"{pages}archive/", follow=True))
    check(german.post(f"{pages}archive/", follow=True))
    check(german.post(f"{pages}duplicate/", follow=True))
    check(german.post(f"{pages}close/", follow=True))
    see(german, f"{pages}history/")


def test_errors_of_the_question_form_are_german(german):
    missing = posted(
        {"text": "", "epsilon__epsilon": "1"}, title="", batch_size="0", language="de"
    )
    response = german.post("/admin/surveys/survey/add/", missing)
    assert response.status_code == OK
    check(response)


ACCOUNTS = (
    "login/",
    "password_reset/",
    "password_reset/done/",
    "password_reset/complete/",
    "password_reset/x/y/",
)


@pytest.mark.parametrize("sends_mail", [True, False])
def test_pages_before_the_login_are_german(client, settings, sends_mail):
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    settings.SENDS_MAIL = sends_mail
    for name in ACCOUNTS:
        see(client, f"/admin/{name}")
    wrong = {"login": "niemand", "password": "x"}
    check(client.post("/admin/login/", wrong))
    for _attempt in range(LIMIT):
        response = client.post("/admin/login/", wrong)
    assert "Zu viele Fehlversuche" in response.content.decode()
    check(response)


def test_pages_of_a_second_factor_are_german(german):
    check(german.get("/admin/second-factor/passkeys/add/", follow=True))
    for password in ("x", PASSWORD):
        typed = {"password": password, "next": "/admin/second-factor/"}
        check(german.post("/admin/confirm/", typed, follow=True))
    see(german, "/admin/second-factor/passkeys/add/")
    see(german, "/admin/second-factor/app/")
    check(german.post("/admin/second-factor/app/", {"code": "x"}))
    secret = german.session["mfa.totp.secret"]
    code = format_hotp_value(hotp_value(secret, int(time.time()) // 30))
    check(german.post("/admin/second-factor/app/", {"code": code}, follow=True))
    for page in ("", "recovery-codes/", "recovery-codes/new/", "app/off/"):
        see(german, f"/admin/second-factor/{page}")
    german.logout()
    see(german, "/admin/login/cancelled/")
    sent = {"login": german.owner.username, "password": PASSWORD}
    check(german.post("/admin/login/", sent, follow=True))
    check(german.post("/admin/second-factor/authenticate/", {"code": "x"}))


def test_pages_of_an_account_are_german(german):
    check(german.post("/admin/password_change/", {"old_password": "x"}))
    see(german, "/admin/surveys/survey/987654/results/", status=404)
    german.force_login(make_user("maria"))
    see(german, "/admin/auth/user/", status=403)
    check(german.post("/admin/logout/"))

"""Auditing a served survey: an honest one passes, and each fault is found."""

import json
import re
from dataclasses import replace

import pytest

from estimation.audit.audit import AuditError, audit
from estimation.audit.fetch import BROWSERS, Fetched
from estimation.audit.report import Outcome, report_json, report_text
from respondents.models import Response
from surveys.models import Survey
from tests.factories import (
    find_thanks,
    make_multilingual_survey,
    make_survey,
    open_as_earlier_release,
)
from tests.sealed import ANOTHER_HOLDER, HOLDER, make_sealed_survey

pytestmark = pytest.mark.django_db

DRAWS = 1_000
SITE = "http://localhost"
PAGE = "/s/study-habits/"
PLAIN = {"Accept-Encoding": "identity"}  # the fetcher decompresses responses
SAMPLER = "/static/js/collecting/randomise.js"


class Server:
    """The site behind Django's test client, with optional changes."""

    def __init__(self, client):
        self.client = client
        self.asked = []
        self.changes = {}
        self.more_headers = {}
        self.of_files = {}
        self.missing = set()
        self.shown_to = range(len(BROWSERS))

    def change(self, path, pattern, becomes, *, count=1, shown_to=None):
        """Serve a changed `path` to some browsers or to all."""
        self.changes[path] = lambda text: self.replaced(text, pattern, becomes, count)
        self.shown_to = shown_to or self.shown_to

    @staticmethod
    def replaced(text, pattern, becomes, count):
        changed = re.sub(pattern, lambda _match: becomes, text, count=count)
        assert changed != text
        return changed

    def __call__(self, address, browser=0):
        path = address.removeprefix(SITE)
        self.asked.append(path)
        served = "/nowhere/" if path in self.missing else path
        answer = self.client.get(served, headers=BROWSERS[browser] | PLAIN)
        headers = {
            name.lower(): (value,) for name, value in answer.headers.items() if value
        }
        if path == PAGE:
            headers |= {
                name.lower(): (value,) for name, value in self.more_headers.items()
            }
        for name, value in self.of_files.get(path, {}).items():
            headers[name.lower()] = (value.format(browser=browser),)
        file = Fetched(address, answer.status_code, headers, answer.getvalue())
        change = self.changes.get(path)
        if change and browser in self.shown_to:
            file = replace(file, body=change(file.text).encode())
        return file


@pytest.fixture
def survey(db):
    three = ("k_ary", {"epsilon": 1, "choices": 3})
    return make_survey(["coin", three, "coin", "direct"], closes_on="2099-12-31")


@pytest.fixture
def server(client, survey):
    return Server(client)


def look(server, **options):
    return audit(SITE + PAGE, fetch=server, **{"draws": DRAWS, **options})


def found(report):
    """Return the checks that failed and their messages."""
    faults = [check for check in report.checks if check.outcome == Outcome.FOUND]
    names = {check.name for check in faults}
    return names, " ".join(fault for check in faults for fault in check.faults)


def test_an_honest_survey_passes(server, survey):
    report = look(server, expected_digest=survey.design_digest)

    assert found(report) == (set(), "")
    assert report.outcome == Outcome.PASSED
    assert report.design.digest == survey.design_digest
    names = {path.rpartition("/")[2] for path in report.files}
    assert names > {"randomise.js", "respond.js", "paging.js", "respondents.css"}
    sampler = next(check for check in report.checks if check.name == "sampler")
    coin, three, direct = sampler.numbers["tables"]
    assert sum(map(sum, coin["counts"])) == 2 * DRAWS
    assert 0.3 < coin["least_epsilon"] < coin["epsilon"] == pytest.approx(1.0986123)
    assert len(three["counts"]) == len(three["chi_square_p_values"]) == 3
    assert direct["counts"] == [[DRAWS, 0], [0, DRAWS]]
    assert direct["epsilon"] is None


@pytest.mark.parametrize("mode", ["browser", "server"])
def test_an_honest_survey_in_several_languages_passes(client, mode):
    make_multilingual_survey(mode=mode)
    assert found(look(Server(client))) == (set(), "")


@pytest.mark.parametrize(
    ("mode", "page", "language"),
    [("server", f"{PAGE}?language=ar", "Arabic"), ("browser", PAGE, "German")],
)
def test_a_changed_translation_is_found(client, mode, page, language):
    make_multilingual_survey(mode=mode)
    server = Server(client)
    server.change(page, f"question 1\\? in {language}", "your name?")
    names, _messages = found(look(server))
    assert "page" in names


def test_it_submits_nothing(server, survey):
    look(server)

    assert PAGE + "design/" in server.asked
    assert {PAGE + "reports/", PAGE + "thanks/"}.isdisjoint(server.asked)
    assert not Response.objects.exists()


def test_the_token_of_a_link_is_not_sent(server):
    audit(f"{SITE}{PAGE}#wdkp-wae2", fetch=server, draws=10)

    assert not [path for path in server.asked if "wdkp" in path]


def test_a_thank_you_page_for_only_some_visitors_is_detected(client):
    thanks = find_thanks(make_survey(["coin"], mode="server"))
    server = Server(client)
    server.change(thanks, "Thank you</h1>", "Thanks</h1>", shown_to=[2])
    names, text = found(look(server))

    assert names == {"visitors"}
    assert f"{thanks} is another file for another" in text


def test_a_sampler_that_sends_the_true_answer_is_detected(server):
    server.change(SAMPLER, "const total =", "return answer;\n  const total =")
    names, text = found(look(server))

    assert names == {"files", "sampler"}
    assert re.search(r"table 1: epsilon is \d\.\d+ or more, not 1\.099", text)
    assert re.search(r"table 1, answer 2: reports do not follow the row", text)


TABLE, FORGED = "[[3, 1], [1, 3]]", "[[9, 1], [1, 9]]"
WAY_OUT = "https://www.wikipedia.org/"
RESPOND = "/static/js/collecting/respond.js"
METHOD = "/how-it-works/?language=en"


@pytest.mark.parametrize(
    ("path", "old", "new", "check", "text"),
    [
        (PAGE, TABLE, FORGED, "design", "question 1 has the table ((9, 1), (1, 9))"),
        (f"{PAGE}design/", TABLE.replace(" ", ""), FORGED, "design", "the page names"),
        (f"{PAGE}design/", '"batch_size":20', '"batch_size":"20"', "design", "whole"),
        (PAGE, "<td>3</td>", "<td>2</td>", "page", ""),
        # A fingerprint is ignored only in a file name.
        (PAGE, "1.10", "1.000000000000.10", "page", ""),
        (PAGE, WAY_OUT, "javascript:x()", "contents", "code in the address data-leave"),
        (PAGE, WAY_OUT, "java&#9;script:x()", "contents", "data-leave of <a>"),
        (PAGE, WAY_OUT, "&#1;javascript:x()", "contents", "data-leave of <a>"),
        # Any page could install a persistent script, such as a service worker.
        (METHOD, "</head>", "<script>stay()</script></head>", "contents", ""),
        (METHOD, "</head>", '<script src="/static/x.js"></script></head>', "files", ""),
    ],
)
def test_a_changed_page_or_file_is_detected(server, path, old, new, check, text):
    server.change(path, re.escape(old), new)
    names, faults = found(look(server, draws=10))

    assert check in names
    assert text in faults


@pytest.mark.parametrize(
    ("path", "name", "value", "checks", "text"),
    [
        (PAGE, "Cache-Control", "max-age=60", {"headers"}, "'max-age=60', not 'no-st"),
        (
            PAGE,
            "Cache-Control",
            "max-age={browser}",
            {"headers", "visitors"},
            "-age=2'",
        ),
        (METHOD, "Content-Security-Policy", "x", {"headers"}, f"{METHOD}: the content"),
        # Browsers send a stored validator with the next request, like a cookie.
        (RESPOND, "ETag", "visitor-{browser}", {"visitors"}, "another ETag for each"),
        (RESPOND, "Last-Modified", "{browser}", {"visitors"}, "visitor: a mark"),
    ],
)
def test_a_weak_header_is_found(server, path, name, value, checks, text):
    server.of_files[path] = {name: value}
    names, faults = found(look(server, draws=10))

    assert names == checks
    assert text in faults


def test_a_script_that_leaks_is_found(server):
    """The sampler is correct, but another file sends the answer."""
    leak = "navigator.sendBeacon('/s/study-habits/', pickedIn(radios)); hex(questions"
    server.change("/static/js/collecting/respond.js", r"hex\(questions", leak)
    names, text = found(look(server))

    assert names == {"files"}
    assert "js/collecting/respond.js is " in text


@pytest.mark.parametrize("body", ["", "[" * 100_000, '{"language": "en"}'])
def test_a_malformed_design_is_reported(server, body):
    server.changes[PAGE + "design/"] = lambda text: body
    report = look(server, draws=10)

    assert "design" in found(report)[0]
    assert "The design could not be read." in report_text(report)


def test_an_audit_requires_an_open_survey(server, survey):
    with pytest.raises(AuditError, match="status 404: no survey that is open"):
        audit(f"{SITE}/s/nothing-here/", fetch=server)
    survey.state = survey.State.CLOSED
    survey.save()
    with pytest.raises(AuditError, match="status 410"):
        look(server)


def test_a_swapped_key_is_detected(client, db):
    """R41: on the page, in the design, or in the scripts' keys."""
    survey = make_sealed_survey()
    server = Server(client)
    report = look(server, draws=10, expected_digest=survey.design_digest)
    assert found(report) == (set(), "")
    assert f"Key         {HOLDER.fingerprint}" in report_text(report)
    assert "Opened as   whole responses" in report_text(report)
    assert report_json(report)["key_fingerprint"] == HOLDER.fingerprint

    server.change(PAGE, HOLDER.sealing.hex(), ANOTHER_HOLDER.sealing.hex())
    assert "page" in found(look(server, draws=10))[0]
    server.change(PAGE, HOLDER.fingerprint, ANOTHER_HOLDER.fingerprint)
    assert "page" in found(look(server, draws=10))[0]

    text, another = (
        json.dumps(each.write().decode()) for each in (HOLDER, ANOTHER_HOLDER)
    )
    server.changes.clear()
    server.change(f"{PAGE}design/", re.escape(text), another)
    report = look(server, draws=10, expected_digest=survey.design_digest)
    assert {"design", "page"} <= found(report)[0]
    assert report_json(report)["key_fingerprint"] == ANOTHER_HOLDER.fingerprint

    server.change(f"{PAGE}design/", re.escape(text), '"no key"')
    assert "it is no design" in found(look(server, draws=10))[1]


def test_control_characters_from_the_server_are_escaped(server):
    """A control sequence would move the cursor up and erase the verdict."""
    orders = "\x1b[9A\x1b[0J\u202e Nothing was found"
    server.more_headers["Link"] = orders
    report = look(server)
    report = replace(report, design=replace(report.design, title=f"x\n{orders}"))
    text = report_text(report)
    assert set("\x1b\u202e").isdisjoint(text)
    assert r"\x1b[9A\x1b[0J\u202e Nothing" in text
    assert "\nFAULTS WERE FOUND" in text


@pytest.mark.parametrize(
    ("browser", "path", "pattern", "becomes"),
    [
        (1, RESPOND, r"hex\(questions", "leak(radios); hex(questions"),
        (2, RESPOND, r"hex\(questions", "leak(radios); hex(questions"),
        (1, PAGE, "</body>", "<link rel=dns-prefetch href=//x.example></body>"),
        (2, PAGE, "<td>3</td>", "<td>2</td>"),
        (1, PAGE, "https://www.wikipedia.org/", "https://www.wikipedia.org/?visitor=2"),
        (2, PAGE, "31 December 2099", "30 December 2099"),
    ],
)
def test_content_for_only_some_browsers_is_detected(
    server, path, pattern, becomes, browser
):
    server.change(path, pattern, becomes, shown_to=[browser])
    names, text = found(look(server, draws=10))

    assert (names, "for another browser" in text) == ({"visitors"}, True)


def test_declared_tables_are_read_and_part_of_the_digest(client, db):
    survey = make_sealed_survey(["coin", "coin", "direct"], declared_tables=True)
    server = Server(client)

    report = look(server, draws=10, expected_digest=survey.design_digest)

    assert "Opened as   5 tables, of at most 2 questions each" in report_text(report)
    assert "Results     once, from 10 responses on" in report_text(report)
    tables = [[1], [2], [3], [1, 3], [2, 3]]
    assert json.loads(json.dumps(report_json(report)))["tables"] == tables
    server.change(f"{PAGE}design/", r"\[1, ?3\]", "[1, 2, 3]")
    changed = look(server, draws=10, expected_digest=survey.design_digest)
    assert "design" in found(changed)[0]


def counting(report):
    return next(check for check in report.checks if check.name == "counting")


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"batch_size": 1}, "results move in steps of 1 responses"),
        ({"batch_size": 9}, "this release allows no step below 10"),
        ({"least_responses": 4}, "results are shown from 4 responses on"),
        ({"access": "invitation", "least_links": 1}, "1 one-time links are promised"),
        ({"access": "invitation"}, "0 one-time links are promised, fewer than the 10"),
    ],
)
def test_group_sizes_that_this_release_rejects_are_detected(
    client, monkeypatch, settings, fields, fault
):
    """A server with a changed program: digest, design and page agree."""
    monkeypatch.setattr(Survey, "find_group_size_problems", lambda _survey: iter(()))
    settings.LEAST_RESPONSES = fields.pop("least_responses", 10)
    make_survey(**fields)
    names, text = found(look(Server(client), draws=10))
    assert names == {"counting"}
    assert fault in text


def test_a_design_without_group_sizes_is_reported_as_unchecked(client):
    survey = make_survey(opened=False)
    open_as_earlier_release(survey)
    report = look(Server(client), draws=10)
    assert found(report) == (set(), "")
    assert counting(report).outcome == Outcome.UNCHECKED
    assert report.outcome == Outcome.UNCHECKED

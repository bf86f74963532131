"""Reading a page: everything it loads, and elements that no page of Candor has."""

import pytest

from estimation.audit.audit import find_content_faults
from estimation.audit.page import ServedPage
from estimation.audit.sampler import COMMENT

ADDRESS = "https://survey.example/s/x/"
STATIC = "https://survey.example/static"


def read(html):
    return ServedPage(html, ADDRESS)


def test_it_lists_all_files_that_a_page_loads():
    page = read(
        """<link rel="modulepreload" href="/static/a.js"><link rel=stylesheet
        href="/static/a.css"><script src="b.js" type="module"></script>
        <main data-paging="/static/c.js" data-randomise="/static/a.js"
        data-reports="reports/">
        <img src="/static/d.svg"><a href="https://else.example/">x</a>
        <link rel="icon" href="data:image/svg+xml,x"><form action="/s/x/"></form>
        <script id="survey" type="application/json">{"design": "1"}</script>"""
    )

    assert page.scripts == [f"{STATIC}/a.js", f"{ADDRESS}b.js", f"{STATIC}/c.js"]
    assert page.styles == [f"{STATIC}/a.css"]
    assert page.others == [f"{STATIC}/d.svg"]
    assert page.sampler == f"{STATIC}/a.js"
    assert page.read_data("survey") == {"design": "1"}
    assert page.suspicious == []


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<script>steal()</script>", "a script in the page itself"),
        ("<script type=importmap>{}</script>", "a script in the page itself"),
        ("<script src=//else.example/x.js></script>", "of another site"),
        ("<img src=http://survey.example/x>", ""),
        ("<img src=https://survey.example:8443/x>", "of another site"),
        ("<img srcset='https://else.example/x 2x'>", "of another site"),
        ("<video poster=https://else.example/x></video>", "of another site"),
        ("<b onclick='x()'>", "an attribute onclick"),
        ("<B ONCLICK='x()'>", "an attribute onclick"),
        ("<b style='color:red'>", "an attribute style"),
        ("<a href=' JavaScript:x()'>", "code in the address href"),
        ("<iframe>", "an element <iframe>"),
        ("<base href=/x/>", "an element <base>"),
        ("<style>a{}</style>", "an element <style>"),
        ("<meta http-equiv=refresh content=0>", "http-equiv='refresh'"),
        # These inputs made the audit crash.
        ("<link rel=icon>", ""),
        ("<img src='http://['>", "an address that is none"),
        ("<b data-randomise='http://['>", ""),
        ("<![x[ ]]>", "what is no HTML"),
    ],
)
def test_foreign_content_is_reported(html, expected):
    assert expected in " ".join(find_content_faults(read(html), None))


def test_pages_designed_to_be_slow_are_read_quickly():
    """Each took quadratic time: hours for files of this size."""
    assert read(f"<b data-x='{'.js?' * 200_000}\n'>").scripts == []
    assert COMMENT.sub("", "\n" * 1_000_000 + "  // x") == "\n" * 1_000_000
    endless = f"<script id=survey type=application/json>{'[' * 100_000}</script>"
    assert read(endless).read_data("survey") == {}


def test_named_radio_inputs_are_a_fault_if_a_script_scrambles():
    radio = "<input type=radio name=q1>"

    assert not list(find_content_faults(read(radio), None))
    assert list(
        find_content_faults(read("<p data-randomise=/static/a.js>" + radio), None)
    )

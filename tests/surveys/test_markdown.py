"""Texts of researchers become only a few harmless elements."""

import re

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from surveys.markdown import render_markdown, render_plain_text

TAG = re.compile(r"<[^>]*>")
# What may stand between < and >, written out apart from the code under test.
HARMLESS = re.compile(
    r"</?(?:p|br|strong|em|ul|ol|li|blockquote)>"
    r'|<a href="(?:https?|mailto):[^"<>]*" target="_blank" rel="noopener noreferrer">'
    r'|</a>|<span class="unseen visually-hidden">|</span>'
)


def harmful_tags(html):
    return [tag for tag in TAG.findall(html) if not HARMLESS.fullmatch(tag)]


@pytest.mark.parametrize(
    ("typed", "html"),
    [
        ("One\ntwo\n\nThree", "<p>One<br>\ntwo</p>\n<p>Three</p>\n"),
        ("**b** and *i*", "<p><strong>b</strong> and <em>i</em></p>\n"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"),
        ("1. a\n2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n"),
        ("> q", "<blockquote>\n<p>q</p>\n</blockquote>\n"),
        ("a < b & c", "<p>a &lt; b &amp; c</p>\n"),
        (
            "[us](https://a.example/?a=1&b=2)",
            '<p><a href="https://a.example/?a=1&amp;b=2" target="_blank" '
            'rel="noopener noreferrer">us<span class="unseen visually-hidden">'
            " (opens in a new tab)</span></a></p>\n",
        ),
        (
            "<ethics@example.org>",
            '<p><a href="mailto:ethics@example.org" target="_blank" '
            'rel="noopener noreferrer">'
            "ethics@example.org</a></p>\n",
        ),
        ("", ""),
    ],
)
def test_supported_markdown_is_rendered(typed, html):
    assert render_markdown(typed) == html


@pytest.mark.parametrize("typed", ["# Why", "###### Why", "Why\n===", "Why\n---"])
def test_headings_are_rendered_as_bold_text(typed):
    assert render_markdown(typed) == "<p><strong>Why</strong></p>"


HOSTILE = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//example.org/x.js></SCRIPT>",
    "</p></section><form action=https://example.org><input name=answer>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<style>body { display: none }</style>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<a href='javascript:alert(1)'>x</a>",
    "<!-- --><b onclick=alert(1)>x</b>",
    "<![CDATA[<script>alert(1)</script>]]>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#10;script:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "[x](file:///etc/passwd)",
    "[x](//example.org)",
    "[x](/admin/logout/)",
    "[x](blob:https://example.org/1)",
    "[x]\n\n[x]: javascript:alert(1)",
    '[x](https://example.org "onmouseover=alert(1)")',
    '[x](https://example.org/"onclick="alert(1))',
    "<javascript:alert(1)>",
    "![x](https://example.org/who-reads.png)",
    "![<img src=x>](data:image/png;base64,AAAA)",
    "[![x](https://example.org/a.png)](javascript:alert(1))",
    "```html\n<script>alert(1)</script>\n```",
    "    <script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "`<script>alert(1)</script>`",
    "<p title='\n\n<script>alert(1)</script>\n\n'>",
    "x\0<script>alert(1)</script>",
    "[x](https://example.org/\u202e)",
]


@pytest.mark.parametrize("typed", HOSTILE)
def test_nothing_hostile_survives(typed):
    html = render_markdown(typed)
    assert harmful_tags(html) == []
    # No note comes without a link to a page.
    assert html.count("<span") == html.count('<a href="http')
    assert render_plain_text(typed) == render_plain_text(typed).strip()


def test_the_check_detects_harmful_tags():
    for harm in ("<script>", "<img src=x>", '<p class="x">', '<a href="data:x">'):
        assert harmful_tags(harm) == [harm]


@pytest.mark.parametrize(
    "typed",
    [">" * 4000, "- " * 2000, "[" * 4000, "*a " * 1333, "[a](" * 1000, "_" * 4000],
    ids=lambda typed: typed[:4],
)
def test_huge_nesting_stays_small_and_harmless(typed):
    html = render_markdown(typed + "x")
    assert harmful_tags(html) == []
    assert max(html.count("<blockquote>"), html.count("<ul>")) <= 16


PIECES = st.sampled_from(
    [*HOSTILE, *"<>[]()!*_#`-&;:'\"= \n\t\\", "a", "on", "javascript:", "https:"]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_combinations_of_hostile_markup_are_removed(typed):
    assert harmful_tags(render_markdown(typed)) == []


def test_links_announce_a_new_tab_in_the_current_language():
    typed = "[**a**\nb](https://a.example) and [c](http://c.example?x='y')"
    assert render_markdown(typed).count("(opens in a new tab)</span></a>") == 2
    with translation.override("de"):
        text = translation.gettext("(opens in a new tab)")
        assert render_markdown(typed).count(f"{text}</span></a>") == 2
    assert text != "(opens in a new tab)"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("**Why?** Because *it* matters.", "Why? Because it matters."),
        ("One\nTwo\n\nThree", "One\nTwo\n\nThree"),
        ("For:\n\n- one\n- two", "For:\n• one\n• two"),
        ("3. three\n4. four", "3. three\n4. four"),
        ("- a\n  - deep\n\n  more", "• a\n   • deep\n\n   more"),
        ("See [here](https://a.org/b).", "See here (https://a.org/b)."),
        ("<https://a.org>, <me@a.org>", "https://a.org, me@a.org"),
        ("# Head\n> quoted", "Head\n\nquoted"),
        ("![what it shows](https://a.org/b.png)", "what it shows"),
        ("a \\* b &amp; 1 < 2", "a * b & 1 < 2"),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_markdown_is_rendered_as_plain_text(typed, said):
    assert render_plain_text(typed) == said

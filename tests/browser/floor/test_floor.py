"""Respondents' scripts and style sheets keep to the floor of browsers.md."""

import re
from pathlib import Path

import pytest

from tests.browser.floor import scripts, styles
from tests.browser.floor.newer import ATTRIBUTES, ELEMENTS

ROOT = Path(__file__).parents[3]
RESPONDENT_FOLDERS = [
    "templates",
    "templates/respondents/collecting",
    "templates/respondents/explaining",
    "templates/estimation/publishing/public",
    "static/js/collecting",
    "static/js/explaining",
]
FILES = [each for folder in RESPONDENT_FOLDERS for each in (ROOT / folder).glob("*.*")]
SCRIPTS = [each for each in FILES if each.suffix == ".js"]
PAGES = [each for each in FILES if each.suffix == ".html"]
STYLE = re.compile(r'{% static "([^"]+\.css)" %}')
STYLES = sorted(
    {
        ROOT / "static" / each
        for page in PAGES
        for each in STYLE.findall(page.read_text())
    }
)


def name_of(path):
    return str(path.relative_to(ROOT))


NEWER_SCRIPTS = {
    "a?.b": "line 1: ChainExpression",
    "a ?? b": "line 1: ??",
    "a ??= b": "line 1: ??=",
    "f(\n1_000)": "line 2: the number 1_000",
    "await f()": "line 1: await outside of a function",
    "class A { b = 1 }": "line 1: FieldDefinition",
    'export * as a from "./b.js"': "line 1: export * as",
    'import a from "./b.json" with { type: "json" }': "line 1: import with",
    'import("./b.json", { with: { type: "json" } })': (
        "does not parse: Line 1: Unexpected token"
    ),
    "/(?<=a)b/.test(c)": "line 1: the expression /(?<=a)b/",
    "/[a--b]/v.test(c)": "line 1: the expression /[a--b]/v",
    "a.at(-1)": "line 1: .at",
    "const { replaceAll } = a": "line 1: .replaceAll",
    "function f({ randomUUID }) {}": "line 1: .randomUUID",
    "navigator.clipboard.writeText(a)": "line 1: .clipboard",
    "AbortSignal.timeout(1)": "line 1: AbortSignal.timeout",
    "Object.hasOwn(a, b)": "line 1: Object.hasOwn",
    "structuredClone(a)": "line 1: structuredClone, taken from the browser",
    "window.scheduler": "line 1: window.scheduler",
    "new ResizeObserver(a)": "line 1: ResizeObserver, taken from the browser",
    "scrollTo({ top: 0 })": "line 1: options of scrollTo",
    'addEventListener("a", b, { signal: c })': (
        "line 1: the option signal of addEventListener"
    ),
    'one("label:has(:checked)")': "line 1: the selector :has",
    'a.matches(":focus-visible")': "line 1: the selector :focus-visible",
    'a.querySelector("a:not(b, c)")': "line 1: the selector :not(b,",
    'document.createElement("dialog")': "line 1: <dialog>",
    'a.setAttribute("inert", "")': "line 1: the attribute inert",
    "a.b = = c": "does not parse: Line 1: Unexpected token =",
}


# So that a script is judged for what is in it and not for names that no one has given.
GIVEN = "import { a, b, c, f, one } from './z.js';"


@pytest.mark.parametrize("source", NEWER_SCRIPTS)
def test_newer_script_features_are_reported_with_their_line(source):
    assert scripts.objections(f"{GIVEN} {source}") == [NEWER_SCRIPTS[source]]


@pytest.mark.parametrize(
    "source",
    [
        "try { localStorage.a = 1; } catch {}",
        "const { a: [b, ...c], ...d } = JSON.parse(`{}`); b(c, d);",
        "const a = { ...window.location, at: 1, async b() { await 1; } }; a.b();",
        "async function f() { const { a } = await import(document.title); a(); }",
        "import('./a.js').then(({ take }) => take(2 ** 32, 0xff, 1e3, .5));",
        "import a, * as b from './a.js'; export { a, b as c }; export default 1;",
        "export class A extends Array { static b() { super.map((c = 1) => c); } }",
        "for (const b of [1]) { if (b in {}) continue; else break; }",
        "/^(?<year>\\p{Nd}{4})(?=-)(?!b)(?:c)$/su.test('2024')",
        "document.querySelector('a:not(b):not(:checked), [dir]::before')",
        "document.querySelector(`[data-at=${location.hash}] :checked`)",
        "// a?.b ?? structuredClone(c)\nhistory.back();",
        "'structuredClone(a.at(-1))'.flatMap(Object.fromEntries);",
        "addEventListener('a', () => {}, { once: true }); scrollTo(0, 0);",
    ],
)
def test_supported_script_features_pass(source):
    assert scripts.objections(source) == []


NEWER_STYLES = {
    "a, b:has(c) { color: red }": "a, b:has(c): b:has(c) drops the others",
    "a:focus-visible { display: block }": "a:focus-visible: display depends on it",
    "a:is(b, c) { padding: 0 }": "a:is(b, c): padding depends on it",
    "a { b { color: red } }": "a: a rule inside of a rule",
    "@layer a { b { color: red } }": "@layer a",
    "@container (width > 1px) { a { top: 0 } }": "@container (width > 1px): a range",
    "@media (width >= 40rem) { a { top: 0 } }": "@media (width >= 40rem): a range",
    "a { inset: 0 }": "a: inset",
    "a { color: color-mix(in srgb, red, blue) }": (
        "a: color: color-mix(in srgb, red, blue)"
    ),
    "a { width: clamp(1px, 2px, 3px) }": "a: width: clamp(1px, 2px, 3px)",
    ":root { --a: oklch(0 0 0) } a { color: var(--a) }": "a: color: var(--a)",
    ".choice input { appearance: none }": (
        ".choice input: appearance: a control that is not the browser's own"
    ),
    "a { outline: none }": "a: no outline",
    ".b:has(:focus-visible) { outline: 1px } .b :focus-visible { outline: 0 }": (
        ".b :focus-visible: no outline"
    ),
}


@pytest.mark.parametrize("sheet", NEWER_STYLES)
def test_required_newer_styles_are_reported(sheet):
    assert styles.objections(sheet) == [NEWER_STYLES[sheet]]


@pytest.mark.parametrize(
    "sheet",
    [
        "/* a:has(b) { inset: 0 } */ a { color: red; background: rgb(1 2 3 / 8%) }",
        'a::before { content: "{ inset: 0; }" }',
        "a:has(:checked) { border-color: red; background: blue }",
        "a { height: 100vh; height: 100dvh }",
        "a { padding: clamp(1px, 2px, 3px); margin-inline: auto; gap: 1px }",
        ":root { --a: clamp(1px, 2px, 3px) } a { padding: var(--a) }",
        "@supports (inset: 0) { a { inset: 0 } }",
        "@container (min-width: 1px) { a { inset: 0 } }",
        "@media print { a { aspect-ratio: 1 } } a { top: 0 }",
        "@keyframes a { from { visibility: hidden } } @page { size: A4 }",
        "a { position: sticky; inset-block-start: 0 }",
        "h1:focus { outline: 0 } a:focus:not(:focus-visible) { outline: 0 }",
        ".choice:has(:focus-visible) :focus-visible { outline: 0 }",
        ".b:focus-within { outline: 1px } .b :focus-visible { outline: 0 }",
        ".choice input { inline-size: 1.5rem; accent-color: red }",
        ".choice span { display: block }",
    ],
)
def test_optional_newer_styles_pass(sheet):
    assert styles.objections(sheet) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_respondent_scripts_use_only_supported_features(path):
    assert scripts.objections(path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", STYLES, ids=name_of)
def test_respondent_styles_require_only_supported_features(path):
    assert styles.objections(path.read_text("utf-8")) == []


NEWER_MARKUP = re.compile(
    rf"<(?:{'|'.join(ELEMENTS)})\b|\s(?:{'|'.join(ATTRIBUTES)})(?=[\s=>])"
)
A_SCRIPT = re.compile(r"<script\b[^>]*>")


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_respondent_pages_use_only_supported_markup(path):
    """And a script that is no module would run where the journey cannot."""
    text = path.read_text("utf-8")
    tags = re.findall(r"<[^>]*>", text)
    assert [tag for tag in tags if NEWER_MARKUP.search(tag)] == []
    assert [tag for tag in A_SCRIPT.findall(text) if 'type="module"' not in tag] == []

"""Browsers run only our own small files, with one source of randomness."""

import re
from pathlib import Path

SCRIPTS = Path(__file__).parents[2] / "static" / "js"

COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.DOTALL)

# What would draw past crypto.getRandomValues, or bring in code that is not ours.
FORBIDDEN = {
    "Math.random": re.compile(r"\bMath\b[\s\S]{0,40}?\brandom\b"),
    "random taken out of Math": re.compile(r"\brandom\b[^;]{0,40}=\s*Math\b"),
    "a random of some object": re.compile(r"\.random\s*\(|\[\s*[\"'`]random"),
    "code from text": re.compile(r"\beval\s*\(|\bnew Function\b|\bFunction\s*\("),
    "another site": re.compile(r"[\"'`](?:https?:)?//"),
    "a package": re.compile(r"\bimport\b[^;\n]*[\"'][^./\"'][^\"']*[\"']|\brequire\("),
}

MAX_SAMPLER_LINES = 20
"""Lines of code: a respondent should be able to read the sampler in an hour."""


def scripts():
    return sorted(SCRIPTS.rglob("*.js"))


def code_of(source):
    return COMMENT.sub("", source)


def forbidden_in(source):
    code = code_of(source)
    return [name for name, pattern in FORBIDDEN.items() if pattern.search(code)]


def test_the_scan_reports_forbidden_code_and_nothing_else():
    for source in (
        "const u = Math.random();",
        "const { random } = Math;",
        "const m = Math; m.random()",
        "Math['random']()",
        "Math\n  .random()",
        "eval('1')",
        "new Function('return 1')",
        "fetch('https://example.org/x.js')",
        'import("//example.org/x.js")',
        'import seedrandom from "seedrandom";',
        "const r = require('random-js')",
    ):
        assert forbidden_in(source), source
    for source in (
        "// never Math.random\ncrypto.getRandomValues(new Uint32Array(1))[0]",
        "/* Math.random is banned */ Math.floor(x)",
        'import { randomise } from "./randomise.js";',
        "fetch(form.action)",
    ):
        assert not forbidden_in(source), source


def test_scripts_contain_no_forbidden_code():
    assert SCRIPTS / "collecting" / "randomise.js" in scripts()
    found = {path.name: forbidden_in(path.read_text("utf-8")) for path in scripts()}
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_reports_are_drawn_in_one_module_only():
    """Reports are drawn in randomise.js only; ids may take bytes of the same source.

    The order of what is shown is drawn in order.js, and noise for teaching in
    experiments.js. Neither sees an answer.
    """
    source = (SCRIPTS / "collecting" / "randomise.js").read_text("utf-8")
    assert code_of(source).count("crypto.getRandomValues(new Uint32Array(1))[0]") == 1
    exported = re.findall(r"^export (?:function|const) (\w+)", source, re.MULTILINE)
    assert exported == ["uniformBelow", "randomise"]
    for path in scripts():
        if path.name not in {"randomise.js", "order.js", "experiments.js"}:
            assert "Uint32Array" not in code_of(path.read_text("utf-8"))


def test_the_sampler_is_short_and_imports_nothing():
    code = code_of((SCRIPTS / "collecting" / "randomise.js").read_text("utf-8"))
    lines = [line for line in code.splitlines() if line.strip()]
    assert len(lines) <= MAX_SAMPLER_LINES
    assert "import" not in code


def test_the_site_serves_scripts_unchanged(client):
    for path in scripts():
        answer = client.get(f"/static/js/{path.relative_to(SCRIPTS).as_posix()}")
        assert answer["Content-Type"].startswith("text/javascript")
        assert b"".join(answer) == path.read_bytes()

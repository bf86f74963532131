"""Terms are consistent across the glossary, the pages and the documents."""

import re
from functools import cache

import pytest
from django.conf import settings

from candor.mechanisms import build
from candor.planning.plan import plan
from config.accounts.emails import PAUSE_SECONDS
from scripts.messages import PROJECT, extract, sources
from surveys.authoring.library import read_library
from tests.docs.documents import DOCS, PAGES, name_of, text_of

GLOSSARY = DOCS / "start" / "glossary.md"
TUTORIAL = DOCS / "start" / "first-survey.md"
ENTRY = re.compile(r"^### (.+)\n\n((?:(?!^###? ).*\n)*)", re.MULTILINE)
NOT_USED = re.compile(r"^Not used: (.+)$", re.MULTILINE)
ELSEWHERE = re.compile(r"^Elsewhere: (.+)$", re.MULTILINE)
"""Words of the literature: documents may use them, pages may not."""

IN_CODE = re.compile(r"^In files and code: (.+)$", re.MULTILINE)
ENTRIES = dict(ENTRY.findall(text_of(GLOSSARY)))


@cache
def texts():
    """Return all texts of the pages for researchers and respondents."""
    fields = read_library()["fields"]
    titles = [field["title"]["en"] for field in fields]
    questions = [each["text"]["en"] for field in fields for each in field["questions"]]
    return [*(text for text, _plural in extract(sources())), *titles, *questions]


@pytest.mark.parametrize("word", sorted(ENTRIES))
def test_every_glossary_term_appears_on_a_page(word):
    shown = " ".join(texts()).lower()
    for each in re.split(r", | and ", word.lower()):
        assert each in shown, each


def find_terms_after(pattern):
    return [
        (entry, word)
        for entry, text in ENTRIES.items()
        for words in pattern.findall(text)
        for word in words.split(", ")
    ]


UNUSED = find_terms_after(NOT_USED)


@pytest.mark.parametrize(("entry", "word"), [*UNUSED, *find_terms_after(ELSEWHERE)])
def test_no_page_uses_a_term_that_the_glossary_rejects(entry, word):
    assert entry
    pattern = re.compile(rf"(?<![%(\w]){word}s?\b", re.IGNORECASE)
    assert [text for text in texts() if pattern.search(text)] == []


SURVEY_DESIGN_TERMS = re.compile(
    r"(?:frozen|of the|fit the|protection by) design"
    r"|design (?:digest|effect|fit|of an open survey)"
)
"""Accepted uses: the frozen design of a survey, and terms of other fields."""


def designs_in(text):
    return re.findall(r".*\bdesigns?\b.*", SURVEY_DESIGN_TERMS.sub("", text.lower()))


def test_pages_do_not_call_a_mechanism_a_design():
    assert [text for text in texts() if designs_in(text)] == []


TECHNICAL_FOLDERS = {"privacy", "developers", "reference", "mechanisms", "decisions"}
"""Folders that also describe the code, which has its own names."""

PLAIN_PAGES = [
    page
    for page in PAGES
    if page != GLOSSARY and page.parent.name not in TECHNICAL_FOLDERS
]


def prose_of(page):
    return re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", text_of(page), flags=re.DOTALL)


@pytest.mark.parametrize("page", PLAIN_PAGES, ids=name_of)
def test_plain_documents_avoid_terms_that_the_glossary_rejects(page):
    prose = prose_of(page)
    for _entry, word in UNUSED:
        assert not re.search(rf"\b{word}s?\b", prose, re.IGNORECASE), word


MECHANISM_PAGES = [
    page
    for page in PAGES
    if page != GLOSSARY
    and (
        page.parent.name in {"start", "researchers", "background", "mechanisms"}
        or page.name in {"statistics.md", "import-format.md"}
    )
]


@pytest.mark.parametrize("page", MECHANISM_PAGES, ids=name_of)
def test_documents_do_not_call_a_mechanism_a_design(page):
    prose, *_works = re.split(
        r"^## (?:References|Sources)$", prose_of(page), flags=re.M
    )
    sentences = " ".join(prose.split()).split(". ")
    assert [each for each in sentences if designs_in(each)] == []


def test_glossary_names_of_code_exist_in_the_code():
    code = "".join(
        file.read_text("utf-8")
        for app in ("surveys", "respondents", "estimation")
        for file in (PROJECT / app).rglob("*.py")
    )
    names = re.findall(r"`(\w+)`", " ".join(IN_CODE.findall(text_of(GLOSSARY))))
    assert len(names) > 6
    assert [name for name in names if name not in code] == []


def test_bold_text_of_the_tutorial_appears_on_the_pages():
    bold = {
        " ".join(words.split())
        for words in re.findall(r"\*\*([^*]+)\*\*", text_of(TUTORIAL))
    } - {"bold"}
    assert len(bold) > 20
    shown = {text.lower() for text in texts()}
    assert {words for words in bold if words.lower() not in shown} == set()


QUOTED = {
    "start/troubles": {"413"},
    "administrators/troubles": set(),
    "administrators/deployment": set(),
    "researchers/authoring": set(),
    "researchers/results": set(),
    "researchers/fieldwork": {"anonymous"},
    "researchers/working-together": set(),
}
"""Documents that describe pages, and their quotations from elsewhere."""


@cache
def compile_page_texts():
    plain = [" ".join(re.sub(r"<[^>]+>", "", each).split()) for each in texts()]
    blank = re.compile(r"%\(\w+\)s|%s|\{\{.*?\}\}")
    filled = [".+".join(map(re.escape, blank.split(each))) for each in plain]
    # A sentence of only placeholders would match any quotation.
    lines = [each for each in filled if re.search(r"\w{3}", each)]
    return "\n".join(plain).lower(), re.compile("|".join(lines), re.IGNORECASE)


@pytest.mark.parametrize("name", QUOTED)
def test_quoted_text_appears_on_the_pages(name):
    prose = " ".join(prose_of(DOCS / f"{name}.md").replace("*", "").split())
    words, sentences = compile_page_texts()
    quoted = set(re.findall(r'"([^"]+)"', prose))
    assert QUOTED[name] <= quoted
    assert [
        each
        for each in quoted - QUOTED[name]
        if each.strip(" .,").lower() not in words and not sentences.fullmatch(each)
    ] == []


PROTECTION = DOCS / "start" / "choosing-protection.md"
STRENGTHS = {
    "Strong": ("epsilon", {"epsilon": "0.5"}),
    "Coin flip": ("coin", {}),
    "Light": ("epsilon", {"epsilon": "2"}),
    "no protection": ("direct", {}),
}


@pytest.mark.parametrize("name", STRENGTHS)
def test_stated_figures_of_the_strengths_match_the_planner(name):
    [row] = re.findall(rf"^\| {name} \| (.*) \|$", text_of(PROTECTION), re.MULTILINE)
    *_cells, margin, people = row.split(" | ")
    family, given = STRENGTHS[name]
    planned = plan(build(family, **given), share=0.5, respondents=1000, margin=0.05)
    assert margin == f"± {100 * planned.precision.margin:.1f} points"
    assert people == f"{planned.size.respondents:,}"


def test_the_rule_of_thumb_matches_the_planner():
    text = re.findall(
        r"([\d,]+)(?:\s+people)?\s+for\s+±\s+(\d+)(?: points)?",
        text_of(PROTECTION).partition("As a rule of thumb")[2],
    )
    assert [margin for _people, margin in text] == ["10", "5", "3"]
    coin = build("coin")
    for people, margin in text:
        planned = plan(coin, share=0.5, respondents=1000, margin=int(margin) / 100)
        rounded = int(people.replace(",", ""))
        assert abs(rounded / planned.size.respondents - 1) < 0.05, margin


NUMBERS = {"one": 1, "five": 5, "an": 1, "a": 1}


def test_figures_in_troubleshooting_match_the_settings():
    page = " ".join(text_of(DOCS / "start/troubles.md").split())
    [(wrong, minutes)] = re.findall(
        r"(\w+) wrong passwords from one place lock a name there for (\d+) minutes",
        page,
    )
    limit = f"{NUMBERS[wrong.lower()]}/{minutes}m/key"
    assert limit == settings.ACCOUNT_RATE_LIMITS["login_failed"]
    [(hours, pause)] = re.findall(
        r"good for (\w+) hour and sent at most once in (\w+) minutes", page
    )
    assert NUMBERS[hours] * 3600 == settings.PASSWORD_RESET_TIMEOUT
    assert NUMBERS[pause] * 60 == PAUSE_SECONDS
    [(form, file)] = re.findall(
        r"A form may have (\w+) megabyte, a file that is brought in (\d+) MB", page
    )
    assert NUMBERS[form] * 1_000_000 == settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    assert int(file) * 1_000_000 == settings.FILE_UPLOAD_MAX_MEMORY_SIZE


def test_stated_posterior_probabilities_are_correct():
    page = text_of(PROTECTION)
    rows = re.findall(
        r"^\| (?:[\d.]+|ln \d) \| ([\d.,]+)" + 3 * r" \| ([\d.]+) %" + r" \|$",
        page,
        re.MULTILINE,
    )
    assert len(rows) == 4
    for factor, *percents in rows:
        odds = float(factor.replace(",", ""))
        for text, before in zip(percents, (1 / 9, 1, 1), strict=True):
            after = 100 * before * odds / (1 + before * odds)
            # The factor has three digits, the percentages one or two.
            assert abs(float(text) - after) < 0.15, (factor, text)

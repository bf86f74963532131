"""What is marked is in the catalogues, and what is in the catalogues is marked."""

import ast
import re
from functools import cache

import polib
import pytest

from scripts.messages import (
    CONTEXT_END,
    FOR_RESPONDENTS,
    MARKERS,
    PROJECT,
    SOURCES,
    catalogues,
    extract,
    in_python,
    in_template,
    message_of,
    renew,
    sources,
    sources_for_respondents,
)

CATALOGUES = catalogues()

for_each_language = pytest.mark.parametrize("language", CATALOGUES)

STRINGS = r"((?:(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')\s*)+)"
IN_CALL = re.compile(rf"\b(?:{'|'.join(MARKERS)})\(\s*{STRINGS}(?:,\s*{STRINGS})?")
IN_TAG = re.compile(
    r"{%\s*trans(?:late)?\s+(?P<quote>[\"'])(?P<one>.*?)(?P=quote)"
    r"(?:\s+context\s+[\"'](?P<context>.*?)[\"'])?"
    r"|{%\s*blocktrans(?:late)?\b(?P<options>.*?)%}(?P<block>.*?)"
    r"{%\s*endblocktrans(?:late)?\s*%}",
    re.DOTALL,
)
PLURAL = re.compile(r"{%\s*plural\s*%}")
VARIABLE = re.compile(r"{{\s*(\w+)\s*}}")


def marked_in_python(source):
    """Return every text that stands behind the name of a marker."""
    return {
        ast.literal_eval(f"({text})")
        for call in IN_CALL.finditer(source)
        for text in call.groups()
        if text
    }


def marked_in_template(source):
    """Return every text in a tag of translation, found without Django's parser."""
    found = set()
    for tag in IN_TAG.finditer(source):
        if tag["one"]:
            found.add(tag["one"].replace("%", "%%"))
            found |= {tag["context"]} - {None}
            continue
        for text in PLURAL.split(tag["block"]):
            if "trimmed" in tag["options"]:
                text = " ".join(line.strip() for line in text.strip().splitlines())
            found.add(VARIABLE.sub(r"%(\1)s", text.replace("%", "%%")))
    return found


def texts_of(message):
    """Return text, plural and context of a message, those that it has."""
    return {each for text in message for each in text.split(CONTEXT_END)} - {""}


@cache
def extracted():
    """Return every message of the sources, in their order."""
    return list(extract(sources()))


@cache
def marked():
    """Return every text that any file marks, with the file."""
    found = set()
    for path in sources():
        find = marked_in_python if path.suffix == ".py" else marked_in_template
        name = path.relative_to(PROJECT).as_posix()
        found |= {(text, name) for text in find(path.read_text("utf-8"))}
    return found


@for_each_language
def test_every_mark_is_in_the_catalogue(language):
    entries = [message_of(entry) for entry in CATALOGUES[language]]
    known = {text for message in entries for text in texts_of(message)}
    missing = {(text, name) for text, name in marked() if text not in known}
    assert missing == set(), "python -m scripts.messages"


@for_each_language
def test_every_entry_of_the_catalogue_is_marked_where_it_says(language):
    gone = {
        (text, name)
        for entry in CATALOGUES[language]
        for text in texts_of(message_of(entry))
        for name, _line in entry.occurrences
    } - marked()
    assert gone == set(), "python -m scripts.messages"


@for_each_language
def test_the_catalogue_has_the_texts_of_the_sources_and_no_others(language):
    entries = [message_of(entry) for entry in CATALOGUES[language]]
    assert entries == extracted(), "python -m scripts.messages"


def test_every_function_that_marks_is_known():
    """Another one, or another name for it, would mark texts that nobody extracts."""
    named = re.compile(r"\b(\w*gettext\w*)(?: as (\w+))?")
    unknown = [
        (path.name, alias or name)
        for path in sources()
        if path.suffix == ".py"
        for name, alias in named.findall(path.read_text("utf-8"))
        if (alias or name) not in MARKERS
    ]
    assert unknown == []


def looked_up_when_loaded(source):
    """Return the lines on which a module or a class looks a text up at once."""
    tree, found = ast.parse(source), []
    at_once = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in {"gettext", "ngettext", "pgettext"}
    }

    def walk(node):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.Lambda):
                continue
            if isinstance(child, ast.Call):
                name = getattr(child.func, "id", getattr(child.func, "attr", ""))
                found.extend([child.lineno] if name in at_once else [])
            walk(child)

    walk(tree)
    return found


def test_no_text_is_looked_up_before_anybody_asks():
    """It would be English for everybody: that takes `gettext_lazy`."""
    found = [
        (path.name, line)
        for path in sources()
        if path.suffix == ".py"
        for line in looked_up_when_loaded(path.read_text("utf-8"))
    ]
    assert found == []
    marked = "from django.utils.translation import gettext as _\n"
    assert looked_up_when_loaded(f'{marked}A = _("a")\n\ndef b():\n    _("b")') == [2]
    assert looked_up_when_loaded(f'{marked}class A:\n    a = [_("a")]') == [3]


def test_templates_mark_in_tags_only():
    """What is marked inside an expression, `{{ _("…") }}`, is not extracted."""
    expression = re.compile(r"{[{%](?:(?!}}|%}).)*?\b_\([\"']", re.DOTALL)
    found = [
        path.name
        for path in sources()
        if path.suffix != ".py" and expression.search(path.read_text("utf-8"))
    ]
    assert found == []
    assert expression.search('{% if a == _("One") %}')


def test_what_is_looked_through_is_there():
    patterns = (*SOURCES, *FOR_RESPONDENTS)
    assert all(any(PROJECT.glob(pattern)) for pattern in patterns)
    assert sources()[: len(sources_for_respondents())] == sources_for_respondents()


def test_texts_are_found_however_they_are_marked():
    source = """
label = gettext_lazy("One")
text = _("Two, "
         "and three")
count = ngettext("%s four", "%s fours", n) % n
known = _(label)
name = "Five"
state = pgettext_lazy("state", "Open")
"""
    assert set(in_python(source)) == {
        ("One", ""),
        ("Two, and three", ""),
        ("%s four", "%s fours"),
        (f"state{CONTEXT_END}Open", ""),
    }
    template = """{% load i18n %}
{% if a %}{% translate "One" %}{% translate "Open" context "state" %}{% endif %}
{% for b in c %}
  {% blocktranslate with d=b.d %}Two {{ d }}{% endblocktranslate %}
{% endfor %}
{% blocktranslate count n=m %}{{ n }} three{% plural %}{{ n }} threes
{% endblocktranslate %}
{% blocktranslate trimmed %}
  Six
  seven
{% endblocktranslate %}
{% block four %}<p title="{% translate "Four" %}">Five</p>{% endblock %}"""
    assert set(in_template(template)) == {
        ("One", ""),
        (f"state{CONTEXT_END}Open", ""),
        ("Two %(d)s", ""),
        ("%(n)s three", "%(n)s threes\n"),
        ("Six seven", ""),
        ("Four", ""),
    }
    for find, check, text in (
        (in_python, marked_in_python, source),
        (in_template, marked_in_template, template),
    ):
        found = {each for message in find(text) for each in texts_of(message)}
        assert found == check(text)


@pytest.mark.parametrize("text", ['_(f"Of {n}")', '_("Of " + n)', '_("Of %s" % n)'])
def test_a_text_that_nobody_can_translate_is_found(text):
    with pytest.raises(ValueError, match="line 1"):
        list(in_python(text))


def test_a_new_text_comes_in_untranslated_and_an_old_one_goes():
    catalogue = polib.POFile()
    catalogue.append(polib.POEntry(msgid="Stays", msgstr="Bleibt"))
    catalogue.append(polib.POEntry(msgid="Goes", msgstr="Geht"))
    renew(catalogue, {("New", "News"): ["a.py"], ("Stays", ""): ["a.py", "b.py"]})
    assert [message_of(entry) for entry in catalogue] == [
        ("New", "News"),
        ("Stays", ""),
    ]
    translations = [entry.msgstr_plural or entry.msgstr for entry in catalogue]
    assert translations == [{0: "", 1: ""}, "Bleibt"]


def test_a_language_begins_as_the_guide_says_with_as_many_plurals_as_it_has():
    guide = (PROJECT / "docs/developers/translating.md").read_text("utf-8")
    [block] = re.findall(r"^   ```po\n(.*?)^   ```$", guide, re.M | re.S)
    header = re.sub(r"^   ", "", block, flags=re.MULTILINE)
    found = {("one", "many"): ["a.py"], ("New", ""): ["a.py"]}
    for forms in (2, 3, 6):
        catalogue = polib.pofile(header.replace("nplurals=2", f"nplurals={forms}"))
        assert catalogue.metadata["Language"] == "it"
        renew(catalogue, found)
        assert [len(entry.msgstr_plural) for entry in catalogue] == [forms, 0]

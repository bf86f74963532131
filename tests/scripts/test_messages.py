"""What is marked is in the catalogues, and what is in the catalogues is marked."""

import ast
import re

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


def test_catalogues_have_the_texts_of_the_sources_and_no_others():
    texts = list(extract(sources()))
    for language, catalogue in CATALOGUES.items():
        entries = [message_of(entry) for entry in catalogue]
        assert entries == texts, f"{language}: python -m scripts.messages"


def test_every_function_that_marks_is_known():
    """Another one, or another name for it, would mark texts that no one extracts."""
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


@pytest.mark.parametrize("text", ['_(f"Of {n}")', '_("Of " + n)', '_("Of %s" % n)'])
def test_a_text_that_cannot_be_translated_is_found(text):
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

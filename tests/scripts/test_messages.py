"""Marked texts and catalogues have the same messages."""

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
    find_in_python,
    find_in_template,
    message_of,
    renew,
    sources,
    sources_for_respondents,
)

CATALOGUES = catalogues()

for_each_language = pytest.mark.parametrize("language", CATALOGUES)


def test_catalogues_match_the_texts_of_the_sources():
    texts = list(extract(sources()))
    for language, catalogue in CATALOGUES.items():
        entries = [message_of(entry) for entry in catalogue]
        assert entries == texts, f"{language}: python -m scripts.messages"


def test_every_gettext_function_in_use_is_extracted():
    """Texts marked with another name would not be extracted."""
    named = re.compile(r"\b(\w*gettext\w*)(?: as (\w+))?")
    unknown = [
        (path.name, alias or name)
        for path in sources()
        if path.suffix == ".py"
        for name, alias in named.findall(path.read_text("utf-8"))
        if (alias or name) not in MARKERS
    ]
    assert unknown == []


def find_import_time_translations(source):
    """Return the lines that translate a text at import time."""
    tree, found = ast.parse(source), []
    immediate = {
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
                found.extend([child.lineno] if name in immediate else [])
            walk(child)

    walk(tree)
    return found


def test_no_text_is_translated_at_import_time():
    """It would always be English: use `gettext_lazy`."""
    found = [
        (path.name, line)
        for path in sources()
        if path.suffix == ".py"
        for line in find_import_time_translations(path.read_text("utf-8"))
    ]
    assert found == []
    marked = "from django.utils.translation import gettext as _\n"
    assert find_import_time_translations(
        f'{marked}A = _("a")\n\ndef b():\n    _("b")'
    ) == [2]
    assert find_import_time_translations(f'{marked}class A:\n    a = [_("a")]') == [3]


def test_templates_mark_in_tags_only():
    """Texts inside an expression, `{{ _("…") }}`, are not extracted."""
    expression = re.compile(r"{[{%](?:(?!}}|%}).)*?\b_\([\"']", re.DOTALL)
    found = [
        path.name
        for path in sources()
        if path.suffix != ".py" and expression.search(path.read_text("utf-8"))
    ]
    assert found == []
    assert expression.search('{% if a == _("One") %}')


def test_the_patterns_of_sources_match_files():
    patterns = (*SOURCES, *FOR_RESPONDENTS)
    assert all(any(PROJECT.glob(pattern)) for pattern in patterns)
    assert sources()[: len(sources_for_respondents())] == sources_for_respondents()


def test_texts_are_extracted_for_every_kind_of_marking():
    source = """
label = gettext_lazy("One")
text = _("Two, "
         "and three")
count = ngettext("%s four", "%s fours", n) % n
known = _(label)
name = "Five"
state = pgettext_lazy("state", "Open")
"""
    assert set(find_in_python(source)) == {
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
    assert set(find_in_template(template)) == {
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
        list(find_in_python(text))


def test_renewing_adds_untranslated_texts_and_drops_old_ones():
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


def test_a_new_catalogue_has_the_plural_forms_of_its_language():
    guide = (PROJECT / "docs/developers/translating.md").read_text("utf-8")
    [block] = re.findall(r"^   ```po\n(.*?)^   ```$", guide, re.M | re.S)
    header = re.sub(r"^   ", "", block, flags=re.MULTILINE)
    found = {("one", "many"): ["a.py"], ("New", ""): ["a.py"]}
    for forms in (2, 3, 6):
        catalogue = polib.pofile(header.replace("nplurals=2", f"nplurals={forms}"))
        assert catalogue.metadata["Language"] == "it"
        renew(catalogue, found)
        assert [len(entry.msgstr_plural) for entry in catalogue] == [forms, 0]

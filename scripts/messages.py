"""Update the catalogues from the sources: `python -m scripts.messages`.

Adds new texts untranslated, removes unused ones and compiles. No gettext tools are
needed: Django's own parser reads the templates. See docs/developers/translating.md.
"""

import ast
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, partial
from pathlib import Path

import django
import polib
from django.conf import settings
from django.template.engine import Engine
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.utils.translation import trim_whitespace

PROJECT = Path(__file__).parents[1]
LOCALE = PROJECT / "locale"

SOURCES = (
    "candor/**/*.py",
    "config/**/*.py",
    "estimation/**/*.py",
    "respondents/**/*.py",
    "surveys/**/*.py",
    "templates/**/*.html",
    "templates/**/*.txt",
)
"""Files with marked texts."""

FOR_RESPONDENTS = (
    "candor/mechanisms/**/*.py",
    "estimation/pages/publishing/views.py",
    "estimation/presentation/publishing.py",
    "estimation/presentation/methods.py",
    "estimation/presentation/cautions.py",
    "estimation/presentation/planned.py",
    "estimation/presentation/survey.py",
    "estimation/presentation/figures.py",
    "estimation/presentation/sentences.py",
    "estimation/presentation/table.py",
    "estimation/presentation/tick_lists.py",
    "respondents/collecting/*.py",
    "respondents/explaining/*.py",
    "respondents/distribution/materials.py",
    "surveys/text/by_hand.py",
    "surveys/text/tables.py",
    "surveys/text/icon_arrays.py",
    "surveys/text/protection.py",
    "templates/*.html",
    "templates/estimation/publishing/public/*.html",
    "templates/estimation/results/_overview.html",
    "templates/respondents/collecting/*.html",
    "templates/respondents/explaining/*.html",
    "templates/respondents/distribution/share_page/poster.html",
)
"""Files with texts for respondents and readers of published results, which are complete
in every language. Researchers see English where a translation is missing."""

MARKERS = {
    "_": 1,
    "for_researchers": 1,
    "gettext": 1,
    "gettext_lazy": 1,
    "gettext_noop": 1,
    "ngettext": 2,
    "ngettext_lazy": 2,
    "pgettext_lazy": 2,
    "translatable": 1,
    "make_sentence": 1,
    "make_plural_sentence": 2,
}
"""Functions that mark texts, with the number of their arguments that are texts."""

FOR_RESEARCHERS = ("for_researchers",)
"""Markers of texts for researchers only, in any file."""

WITH_CONTEXT = ("pgettext_lazy",)
"""Markers whose first argument is a context, for ambiguous English words."""

CONTEXT_END = "\x04"
"""Separator of context and text, as in compiled catalogues."""

Message = tuple[str, str]
"""A text, after its context if it has one, and its plural or an empty string."""


def find_in_python(source: str, *, but: Collection[str] = ()) -> Iterator[Message]:
    """Yield marked texts; texts that are looked up by a variable are marked elsewhere.

    Parameters
    ----------
    but : collection of str
        Markers to ignore.

    Raises
    ------
    ValueError
        If a text is composed before its look-up, so that it cannot be translated.
    """
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        texts = call.args[: 0 if name in but else MARKERS.get(name, 0)]
        if any(isinstance(text, ast.JoinedStr | ast.BinOp) for text in texts):
            raise ValueError(f"line {call.lineno}: fill the text in after its look-up")
        marked = [text.value for text in texts if isinstance(text, ast.Constant)]
        if name in WITH_CONTEXT:
            marked = [CONTEXT_END.join(marked)]
        if marked:
            yield marked[0], "".join(marked[1:])


def find_in_template(source: str) -> Iterator[Message]:
    nodes = Engine.get_default().from_string(source).nodelist
    for node in nodes.get_nodes_by_type(TranslateNode):
        text = node.filter_expression.var.literal.replace("%", "%%")
        yield in_context(node.message_context and node.message_context.var, text), ""
    for node in nodes.get_nodes_by_type(BlockTranslateNode):
        trim = trim_whitespace if node.trimmed else str
        singular, _names = node.render_token_list(node.singular)
        plural, _names = node.render_token_list(node.plural)
        yield trim(singular), trim(plural)


def in_context(context: str | None, text: str) -> str:
    return f"{context}{CONTEXT_END}{text}" if context else text


def matching(patterns: Iterable[str]) -> list[Path]:
    return [path for each in patterns for path in sorted(PROJECT.glob(each))]


def sources_for_respondents() -> list[Path]:
    return matching(FOR_RESPONDENTS)


def sources() -> list[Path]:
    """Return all files that mark texts, first those that respondents read."""
    first = sources_for_respondents()
    return [*first, *(path for path in matching(SOURCES) if path not in first)]


def extract(
    paths: Iterable[Path], *, but: Collection[str] = ()
) -> dict[Message, list[str]]:
    """Return every text with its files; `but` as for `find_in_python`."""
    found: dict[Message, list[str]] = {}
    readers: dict[str, Callable[[str], Iterator[Message]]]
    readers = {".py": partial(find_in_python, but=but)}
    for path in paths:
        read = readers.get(path.suffix, find_in_template)
        for message in sorted(set(read(path.read_text("utf-8")))):
            name = path.relative_to(PROJECT).as_posix()
            found.setdefault(message, []).append(name)
    return found


@cache
def for_respondents() -> dict[Message, list[str]]:
    """Return the texts that need a translation into every language."""
    return extract(sources_for_respondents(), but=FOR_RESEARCHERS)


@cache
def catalogues() -> dict[str, polib.POFile]:
    """Return the catalogues by language."""
    return {
        path.parts[-3]: polib.pofile(str(path), wrapwidth=88)
        for path in sorted(LOCALE.glob("*/LC_MESSAGES/django.po"))
    }


def message_of(entry: polib.POEntry) -> Message:
    return in_context(entry.msgctxt, entry.msgid), entry.msgid_plural


def renew(catalogue: polib.POFile, found: dict[Message, list[str]]) -> None:
    """Sort the entries in the order of the sources, one for each text."""
    before = {message_of(entry): entry for entry in catalogue}
    plurals = dict.fromkeys(range(plural_forms(catalogue)), "")
    catalogue.clear()
    for (text, plural), files in found.items():
        context, _end, msgid = text.rpartition(CONTEXT_END)
        entry = before.get((text, plural)) or polib.POEntry(
            msgctxt=context or None,
            msgid=msgid,
            msgid_plural=plural,
            msgstr_plural=dict(plurals) if plural else {},
        )
        # No line numbers, which would change with every edit.
        entry.occurrences = [(name, "") for name in files]
        catalogue.append(entry)


def plural_forms(catalogue: polib.POFile) -> int:
    """Return how many forms a plural has; Arabic has six."""
    text = re.search(r"nplurals=(\d+)", catalogue.metadata.get("Plural-Forms", ""))
    return int(text[1]) if text else 2


def compiled(path: Path) -> Path:
    return path.with_suffix(".mo")


def main() -> None:
    found = extract(sources())
    for catalogue in catalogues().values():
        renew(catalogue, found)
        catalogue.save()
        catalogue.save_as_mofile(str(compiled(Path(catalogue.fpath))))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    if not settings.configured:
        django.setup()
    main()

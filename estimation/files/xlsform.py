"""A survey by hand as an XLSForm for ODK and KoboToolbox."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from estimation import libraries
from estimation.files.workbook import OPTIONS, write_cells, write_header
from respondents.distribution.materials import summarise_protection
from surveys.design import Design, read_design
from surveys.frozen import compute_digest
from surveys.markdown import render_plain_text
from surveys.models import Survey
from surveys.models.conditions import Condition, OneOf, list_leaves
from surveys.text.by_hand import list_instruction_steps
from surveys.text.conditions import explain_condition
from surveys.text.protection import Protection
from surveys.text.tables import label_reports

Row = tuple[str, ...]

SURVEY = ("type", "name", "label", "hint", "required", "appearance", "relevant")
CHOICES = ("list_name", "name", "label")
TEXTS = {"label", "hint"}
SETTINGS: Row = ("form_title", "form_id", "version", "style")

ONE_SCREEN, PAGED = "field-list", "pages"
"""Appearance of a group on one screen, and style of a form with one group per page:
https://xlsform.org/en/#appearance."""

VERSION_LETTERS = 12
"""Characters of the digest: enough to detect a changed form."""


def write_xlsform(survey: Survey, path: Path) -> None:
    """Write the form of a survey by hand that is open or can be opened."""
    design = read_design(survey)
    header, row = SETTINGS, strip_references(make_settings_row(survey))
    if design.translations:
        header = (*header, "default_language")
        row = (*row, name_language(design.language))
    sheets = {
        "survey": join_languages(design, SURVEY, list_survey_rows),
        "choices": join_languages(design, CHOICES, list_choice_rows),
        "settings": [header, row],
    }
    options = {**OPTIONS, "tmpdir": str(path.parent)}
    with libraries.xlsxwriter.Workbook(str(path), options) as book:
        bold = book.add_format({"bold": True})
        for name, (header, *rows) in sheets.items():
            sheet = book.add_worksheet(name)
            write_header(sheet, header, bold)
            for number, row in enumerate(rows, start=1):
                write_cells(sheet, number, row)


def join_languages(
    design: Design, header: Row, make_rows: Callable[[Design], Iterable[Row]]
) -> list[Row]:
    """Return a sheet, with a column for each text and language.

    The names are those of https://xlsform.org/en/#multiple-language-support.
    """
    sheets: list[list[Row]] = []
    for each in (design, *design.translations):
        with translation.override(each.language):
            sheets.append([header, *map(strip_references, make_rows(each))])
    if len(sheets) == 1:
        return sheets[0]
    names = [name_language(each) for each in design.languages]
    joined: list[Row] = []
    for number, rows in enumerate(zip(*sheets, strict=True)):
        row: list[str] = []
        for name, cells in zip(header, zip(*rows, strict=True), strict=True):
            if name not in TEXTS:
                row.append(cells[0])
            elif number:
                row += cells
            else:
                row += [f"{name}::{language}" for language in names]
        joined.append(tuple(row))
    return joined


def name_language(code: str) -> str:
    return f"{dict(settings.LANGUAGES)[code]} ({code})"


def list_survey_rows(design: Design) -> Iterator[Row]:
    about = [
        _("%(organiser)s invites you to a survey.") % {"organiser": design.organiser},
        render_plain_text(design.purpose),
    ]
    if design.contact:
        about.append(_("Questions? %(contact)s") % {"contact": design.contact})
    yield note("about", "\n\n".join(filter(None, about)))
    protection = Protection(design)
    promise = " ".join(summarise_protection(protection))
    yield note("protection", f"{protection.heading}\n\n{promise}")
    if design.consent.strip():
        agreed = render_plain_text(design.consent)
        yield "acknowledge", "consent", agreed, "", "yes", "", ""
    for number in range(1, len(design.questions) + 1):
        section = design.find_section(number)
        if section and section.numbers[0] == number and section.text:
            about = [section.title, render_plain_text(section.text)]
            yield note(f"section_{number}", "\n\n".join(filter(None, about)))
        yield from rows_of_question(number, design)
    if design.helpline:
        yield note("helpline", design.helpline)


def rows_of_question(number: int, design: Design) -> list[Row]:
    question = design.questions[number - 1]
    progress = _("Question %(number)s of %(count)s")
    title = progress % {"number": number, "count": len(design.questions)}
    label = f"{number}. {question.text}"
    asked = f"select_one reports_{number}", f"q{number}", label
    relevant = write_relevant(design, question.shown_if)
    only_if = "" if relevant else explain_condition(design, number)
    steps = list_instruction_steps(question)
    if not steps:
        direct = _("Not scrambled: we store this answer as it is")
        hint = join_lines(only_if, question.hint, direct, question.helpline)
        return [(*asked, hint, "yes", "", relevant)]
    numbered = (f"{place}. {step}" for place, step in enumerate(steps, start=1))
    only = _("Enter only what the steps say.")
    lines = filter(None, [question.text, only_if, question.hint, *numbered])
    return [
        ("begin_group", f"question_{number}", title, "", "", ONE_SCREEN, relevant),
        note(f"steps_{number}", "\n\n".join(lines)),
        (*asked, join_lines(only, question.helpline), "yes", "", ""),
        ("end_group", "", "", "", "", "", ""),
    ]


def write_relevant(design: Design, condition: Condition | None) -> str:
    deciding = [design.questions[leaf.number - 1] for leaf in list_leaves(condition)]
    if condition is None or any(each.mechanism.is_scrambled for each in deciding):
        return ""
    if isinstance(condition, OneOf):
        names = deciding[0].mechanism.reports
        positions = sorted(condition.positions)
        parts = [f"${{q{condition.number}}} = '{names[each]}'" for each in positions]
        return f"({' or '.join(parts)})"
    parts = [write_relevant(design, part) for part in condition.parts]
    return f"({f' {condition.operator} '.join(parts)})"


def list_choice_rows(design: Design) -> Iterator[Row]:
    for number, question in enumerate(design.questions, start=1):
        labels = label_reports(question.mechanism, question.choices)
        for name, label in zip(question.mechanism.reports, labels, strict=True):
            yield f"reports_{number}", name, label


def make_settings_row(survey: Survey) -> Row:
    version = compute_digest(survey.definition())[:VERSION_LETTERS]
    return survey.title, survey.slug, version, PAGED


def join_lines(*lines: str) -> str:
    return "\n".join(filter(None, lines))


def note(name: str, text: str) -> Row:
    return "note", name, text, "", "", "", ""


def strip_references(row: Row) -> Row:
    """Return a row in which "${...}" is no reference."""
    *texts, last = (text.replace("${", "$ {") for text in row)
    return (*texts, row[-1] if len(row) == len(SURVEY) else last)

"""A site with made-up surveys and a record of its responses.

Models create the surveys; records use only URLs, file names and commands, so that they
do not depend on the structure of the application.
"""

import re
from contextlib import contextmanager
from datetime import UTC, datetime
from io import StringIO
from itertools import product
from math import gcd, prod
from urllib.parse import urlencode

from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import transaction

from candor.mechanisms import build
from candor.mechanisms.draws import NOT_ASKED
from surveys.models import Survey
from tests.factories import make_survey, make_user
from tests.golden.reading import (
    FormReader,
    chart_lines,
    counted_lines,
    csv_rows,
    json_lines,
    labelled_lines,
    names_in_archive,
    page_lines,
    rounded,
    table_lines,
    workbook_lines,
)

TODAY = datetime(2026, 3, 2, 12, tzinfo=UTC)

ADMIN = "/admin/surveys"

SERVER = re.compile(r"http://localhost:\d+/")
DRAWN = re.compile(
    r" {10}\S|\s+(counts|chi_square_p_values|least_epsilon|Uint32Array|http\S+/static/)"
)
SOFTWARE = re.compile(r"\bcandor \d+\.\d+\.\d+")
KEY = re.compile(r"/surveys/survey/\d+/")

FILES = (
    "estimates.csv", "estimates.json", "methods.txt", "references.bib",
    "codebook.csv", "codebook.json",
)  # fmt: skip
FILES_OF_REPORTS = ("reports.csv", "reports.sav", "reports.dta", "workbook.xlsx")


def columns_together(columns):
    """Return {pattern: count} of columns of the same length, shuffled the same way.

    The n-th column is read in steps of its own, so that equal columns are not parallel.
    """
    length = len(columns[0])
    steps = [step for step in range(1, length) if gcd(step, length) == 1]
    found = {}
    for row in range(length):
        pattern = bytes(
            column[row * steps[7 * place % len(steps)] % length]
            for place, column in enumerate(columns)
        )
        found[pattern] = found.get(pattern, 0) + 1
    return found


def counted_apart(*counts):
    """Return patterns of which each question has these counts of reports.

    Questions with fewer reports than the longest were not asked of all.
    """
    most = max(map(sum, counts))
    columns = []
    for each in counts:
        column = [report for report, count in enumerate(each) for _ in range(count)]
        columns.append(column + [NOT_ASKED] * (most - len(column)))
    return columns_together(columns)


def expected(questions, people):
    """Return the expected number of each pattern, rounded.

    `people` is {places of true answers: number}.
    """
    tables = [
        build(
            family,
            **given.get(
                "parameters",
                {"choices": len(given["choices"])} if "choices" in given else {},
            ),
        ).weights
        for family, given in questions
    ]
    found = {}
    for answers, count in people.items():
        rows = [table[place] for table, place in zip(tables, answers, strict=True)]
        for pattern in product(*(range(len(row)) for row in rows)):
            chance = prod(
                row[sent] / sum(row) for row, sent in zip(rows, pattern, strict=True)
            )
            found[bytes(pattern)] = found.get(bytes(pattern), 0) + count * chance
    return {pattern: round(count) for pattern, count in found.items() if round(count)}


class Site:
    """Make surveys, request pages and files, and record them."""

    def __init__(self, client, folder):
        self.client, self.folder = client, folder
        self.records = {}
        self.owner = make_user(first_name="Ada", last_name="Owner")
        client.force_login(self.owner)

    def make(self, slug, questions, counts=None, *, state="closed", **fields):
        """Return a survey; a question is (family, arguments of `add_question`)."""
        survey = make_survey(
            [{"family": family, **given} for family, given in questions],
            opened=state != "draft",
            closed=state == "closed",
            counts=counts,
            owner=self.owner,
            **{"slug": slug, "title": f"Survey {slug}", **fields},
        )
        survey.refresh_from_db()
        return survey

    def keep(self, name, lines):
        """Add lines to a record."""
        kept = self.records.setdefault(name, [])
        if kept:
            kept.append("")
        for line in lines:
            line = KEY.sub("/surveys/survey/KEY/", line)
            kept.append(rounded(SOFTWARE.sub("candor VERSION", line)))

    def get(self, address, **query):
        return self.client.get(f"{address}?{urlencode(query, doseq=True)}")

    def of(self, survey, path):
        return f"{ADMIN}/survey/{survey.pk}/{path}"

    def survey_at(self, slug):
        return Survey.objects.get(slug=slug)

    @contextmanager
    def elsewhere(self):
        """Create surveys of another site and delete them afterwards."""
        with transaction.atomic():
            yield
            transaction.set_rollback(True)

    def record(self, name, address, **query):
        """Record the page or file at an address."""
        return self.keep_answer(
            name, self.get(address, **query), path_of(address, query)
        )

    def see(self, name, survey, path, **query):
        """Record the page or file of a survey at a path."""
        return self.record(name, self.of(survey, path), **query)

    def send(self, name, address, sent, **files):
        """Record the response to a submitted form."""
        uploads = {
            field: SimpleUploadedFile(f"{field}.file", as_bytes(content))
            for field, content in files.items()
        }
        text = ", ".join(
            f"{key}={value}"
            for key, value in without_keys(sent).items()
            if len(str(value)) < 40
        )
        answer = self.client.post(address, {**sent, **uploads}, follow=True)
        return self.keep_answer(name, answer, f"POST {address} {text}")

    def keep_answer(self, name, answer, title):
        begin = f"=== {title}: {answer.status_code}"
        kind = answer.headers.get("Content-Type", "").partition(";")[0]
        if answer.status_code in {301, 302}:
            self.keep(name, [begin, f"to {answer['Location']}"])
        elif kind == "text/html":
            html = answer.content.decode()
            self.keep(name, [begin, *page_lines(html)])
        else:
            self.keep(name, [begin, *self.file_lines(answer)])
        return answer

    def file_lines(self, answer):
        """Return the text of a file by its type."""
        content = b"".join(answer) if answer.streaming else answer.content
        kind = answer["Content-Type"].partition(";")[0]
        attached = answer.headers.get("Content-Disposition", "")
        name = attached.partition('filename="')[2].removesuffix('"')
        lines = [f"file: {name or 'none'}, {answer['Content-Type']}"]
        if answer.status_code != 200:
            return lines + content.decode().splitlines()
        if name.endswith((".sav", ".dta")):
            path = self.folder / name
            path.write_bytes(content)
            return lines + labelled_lines(path)
        if name.endswith(".zip"):
            return lines + names_in_archive(content)
        if name.endswith(".xlsx"):
            return lines + workbook_lines(content)
        if kind in {"image/png", "application/pdf"}:
            return [*lines, f"begins with {content[:4]!r}"]
        text = content.decode()
        if kind == "image/svg+xml":
            return lines + chart_lines(text)
        if name.endswith("-reports.csv"):
            return lines + counted_lines(csv_rows(text))
        if kind == "text/csv":
            return lines + table_lines(csv_rows(text))
        if kind == "application/json":
            return lines + json_lines(text)
        return lines + [line.rstrip() for line in text.splitlines()]

    def command(self, name, *arguments, drawn=False):
        """Record the output of a command, or its error.

        With `drawn`, random parts and digests of static files are left out.
        """
        out, err = StringIO(), StringIO()
        given = [str(each) for each in arguments]
        try:
            call_command(*given, stdout=out, stderr=err)
            code = "done"
        except CommandError as error:
            code = f"refused: {error}"
        except SystemExit as error:
            code = f"exit code {error.code}"
        message = " ".join(given).replace(str(self.folder), "FOLDER")
        lines = [f"=== manage.py {message}", *code.splitlines()]
        text = out.getvalue()
        written = json_lines(text) if text.startswith("{") else text.splitlines()
        lines += [line for line in written if not (drawn and DRAWN.match(line))]
        lines += [f"stderr: {line}" for line in err.getvalue().splitlines()]
        lines = [line.replace(str(self.folder), "FOLDER") for line in lines]
        self.keep(name, [SERVER.sub("http://SERVER/", line) for line in lines])
        return text

    def results(self, survey, **query):
        """Record the page of results."""
        self.see("results", survey, "results/", **query)

    def charts(self, survey, *positions):
        """Record charts of questions and the overview."""
        for position in positions:
            self.record("charts", self.of(survey, f"results/{position}/chart.svg"))
        self.record("charts", self.of(survey, "results/overview.svg"))

    def export(self, survey, *names):
        """Record files by their names, each in a record of its own."""
        for name in names:
            kind = "reports" if name in FILES_OF_REPORTS else "files"
            self.record(
                name.replace(".", "-"), self.of(survey, f"export/{kind}/{name}")
            )

    def everything(self, survey):
        """Record the pages and files common to all surveys with results."""
        self.results(survey)
        self.record("export", self.of(survey, "export/"))
        self.export(survey, *FILES, *FILES_OF_REPORTS)
        self.record("export-all", self.of(survey, "export/all.zip"))

    def sent_by(self, answer, *, button=""):
        """Return the initial data of the form with file inputs on a page."""
        reader = FormReader()
        reader.feed(answer.content.decode())
        pressed = {button: reader.buttons[button]} if button else {}
        return {**reader.values, **pressed}

    def choose(self, survey, token, *, releases=(), **chosen):
        """Publish at a known address, with given released counts."""
        usual = {"confidence_level": "0.95", "method": "feldman-cousins"}
        empty = {"note": "", "headline": "", "release_epsilon": ""}
        sent = empty | usual | chosen
        self.client.post(self.of(survey, "publish/"), sent)
        publications = apps.get_model("estimation", "Publication").objects
        stored = publications.filter(survey=survey)
        stored.update(token=token, releases=list(releases))
        self.record("publish", self.of(survey, "publish/"))

    def publish(self, survey, token, **chosen):
        """Publish results and record the public pages."""
        self.choose(survey, token, **chosen)
        self.record("publish", self.of(survey, "publish/preview/"))
        self.send("publish", self.of(survey, "publish/switch/"), {"is_public": "on"})
        self.client.logout()
        self.record("public", f"/r/{token}/")
        self.record("public", f"/r/{token}/overview.svg")
        self.record("public", f"/r/{token}/1.svg")
        self.record("public", f"/r/{token}/estimates.csv")
        self.client.force_login(self.owner)


def path_of(address, query):
    shown = urlencode(without_keys(query), doseq=True)
    return f"GET {address}{'?' if query else ''}{shown}"


def without_keys(sent):
    """Return submitted values without database ids of surveys."""
    return {name: "KEY" if name in {"asked", "other"} else sent[name] for name in sent}


def as_bytes(content):
    return content if isinstance(content, bytes) else content.encode()

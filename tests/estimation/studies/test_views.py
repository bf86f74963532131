import json
import re

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from estimation.files.workbook import write_workbook
from estimation.pages.studies import EXAMPLE_REPORTS, EXAMPLE_STUDY
from estimation.rows.shares import get_results
from respondents.models import SealedPattern
from surveys.models import Question, Survey
from tests.estimation.exports.exported import COUNTS, make_sealed, read_reports
from tests.factories import make_survey, make_user

pytestmark = pytest.mark.django_db

ADDRESS = reverse("admin:estimation_import")

QUESTION = {
    "text": "Did you have direct social contact with armed groups?",
    "family": "forced_response",
    "parameters": {"forced_yes": "1/6", "forced_no": "1/6"},
    "column": "contact",
    "codes": {"1": "yes", "0": "no"},
}
STUDY = {
    "title": "Armed groups",
    "slug": "armed-groups",
    "organiser": "Blair, Imai & Zhou",
    "questions": [QUESTION],
}
# Blair, Imai & Zhou 2015: 831 of 2,435 reports are yes, 26.19 % (1.44 %), 22 missing.
REPORTS = "id,contact\n" + "7,1\n" * 831 + "7,0\n" * 1604 + "7,NA\n" * 22


@pytest.fixture
def owner(client):
    user = make_user()
    client.force_login(user)
    return client


def upload(name, content):
    content = content if isinstance(content, bytes) else content.encode()
    return SimpleUploadedFile(name, content)


def send(client, study=STUDY, reports=REPORTS, **fields):
    described = study if isinstance(study, str) else json.dumps(study)
    return client.post(
        ADDRESS,
        {
            "study": upload("study.json", described),
            "reports": upload("reports.csv", reports),
            **fields,
        },
    )


def text_of(answer):
    """Return the text of the outcome on one line."""
    outcome = answer.content.decode().partition('id="outcome"')[2]
    outcome = outcome.partition("</form>")[0]
    text = re.sub(r"<[^>]+>", " ", outcome).replace("\N{NO-BREAK SPACE}", " ")
    for code, letter in (("&#x27;", "'"), ("&amp;", "&"), ("&quot;", '"')):
        text = text.replace(code, letter)
    return " ".join(text.split())


def fingerprint_in(answer):
    return re.search(r'name="checked"\s+value="(\w{64})"', answer.content.decode())[1]


def nothing_is_stored():
    return not (
        Survey.objects.exists()
        or Question.objects.exists()
        or SealedPattern.objects.exists()
        or LogEntry.objects.exists()
    )


class TestCheck:
    def test_checking_shows_the_result_and_stores_nothing(self, owner):
        answer = send(owner)
        assert answer.status_code == 200
        text = text_of(answer)
        assert "Everything can be read" in text
        assert "Respondents 2,457" in text
        assert re.search(r"Yes [^Y]* 831 No [^Y]* 1,604 ", text)
        assert "Respondents without a report: 22" in text
        assert "26.2 %" in text
        assert "1.44 %" in text
        assert re.search("With 95.% confidence:", text)
        assert nothing_is_stored()

    def test_the_example_on_the_page_can_be_imported(self, owner):
        page = owner.get(ADDRESS).content.decode()
        assert EXAMPLE_REPORTS in page
        answer = send(owner, EXAMPLE_STUDY, EXAMPLE_REPORTS)
        text = text_of(answer)
        for message in ("Respondents 4", "Respondents without a report: 1"):
            assert message in text
        assert re.search(r"Yes [^Y]* 1 No [^Y]* 2 ", text)

    def test_files_that_are_too_large_are_rejected(self, owner, settings):
        settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 1000
        answer = send(owner)
        assert answer.status_code == 400
        assert "larger than 10 MB" in text_of(answer)

    def test_uploaded_rows_are_never_written_to_disk(self, owner, monkeypatch):
        def refuse(*args, **kwargs):
            raise AssertionError("a temporary file")

        monkeypatch.setattr("tempfile.NamedTemporaryFile", refuse)
        monkeypatch.setattr("django.core.files.temp.NamedTemporaryFile", refuse)
        # Above 2.5 MB, Django's default is to write to disk.
        answer = send(owner, reports="id,contact\n" + f"{'7' * 90},1\n" * 30_000)
        assert "Respondents 30,000" in text_of(answer)


class TestImport:
    def test_the_files_that_were_checked_are_stored(self, owner):
        checked = fingerprint_in(send(owner))
        answer = send(owner, checked=checked)
        survey = Survey.objects.get()
        assert answer["Location"] == reverse(
            "admin:estimation_results", args=[survey.pk]
        )
        assert (survey.state, survey.owner.username) == ("closed", "owner")
        assert SealedPattern.objects.counts(survey) == {
            b"\0": 831,
            b"\1": 1604,
            b"\xff": 22,
        }

    @pytest.mark.parametrize("changed", ["study", "reports"])
    def test_changed_files_are_checked_again_before_import(self, owner, changed):
        checked = fingerprint_in(send(owner))
        other = {
            "study": {**STUDY, "title": "Another one"},
            "reports": REPORTS + "7,1\n",
        }
        answer = send(owner, checked=checked, **{changed: other[changed]})
        assert "The files have changed." in text_of(answer)
        assert nothing_is_stored()
        send(owner, checked=fingerprint_in(answer), **{changed: other[changed]})
        assert Survey.objects.count() == 1


class TestAgain:
    """The same reports again, in a different file."""

    @pytest.fixture
    def first(self, owner):
        send(owner, checked=fingerprint_in(send(owner)))
        return Survey.objects.get()

    other = {**STUDY, "slug": "second"}

    def test_identical_reports_need_confirmation(self, owner, first):
        shuffled = "contact;id\n" + "NA;7\n" * 22 + "0;7\n" * 1604 + "1;7\n" * 831
        answer = send(owner, self.other, shuffled)
        assert answer.status_code == 200
        text = "“Armed groups” (armed-groups) already has exactly these reports."
        assert text in text_of(answer)
        assert "Tick the box" not in text_of(answer)
        checked = fingerprint_in(answer)
        answer = send(owner, self.other, shuffled, checked=checked)
        assert answer.status_code == 400
        assert "Tick the box" in text_of(answer)
        assert Survey.objects.count() == 1
        answer = send(owner, self.other, shuffled, checked=checked, again="1")
        assert answer.status_code == 302
        assert Survey.objects.count() == 2

    @pytest.mark.parametrize(
        "reports", [REPORTS + "7,1\n", REPORTS.replace("1", "0", 1)]
    )
    def test_different_reports_are_not_reported_as_identical(
        self, owner, first, reports
    ):
        answer = send(owner, self.other, reports)
        assert "exactly these reports" not in text_of(answer)
        answer = send(owner, self.other, reports, checked=fingerprint_in(answer))
        assert answer.status_code == 302

    def test_guesses_at_collected_reports_are_not_confirmed(self, owner):
        """A few responses reveal nothing to a researcher, not even by guessing."""
        make_survey(
            ["coin"],
            slug="here",
            owner=User.objects.get(),
            mode="hand",
            counts={b"\0": 1},
            closed=True,
        )
        for guess in ("1", "0"):
            answer = send(owner, reports=f"contact\n{guess}\n")
            assert answer.status_code == 200
            assert "exactly these reports" not in text_of(answer)

    def test_reports_of_others_stay_hidden(self, client, owner, first):
        client.force_login(make_user("other"))
        assert "exactly these reports" not in text_of(send(client, self.other))


class TestWorkbook:
    def test_an_exported_workbook_can_be_imported(self, owner, tmp_path):
        survey = make_sealed(owner=User.objects.get(username="owner"))
        path = tmp_path / "workbook.xlsx"
        write_workbook(get_results(survey), read_reports(survey), path)
        answer = choose(owner, path.read_bytes(), survey)
        assert "sheet “Reports”" in text_of(answer)
        assert "Everything can be read" in text_of(answer)
        checked = fingerprint_in(answer)
        choose(owner, path.read_bytes(), survey, checked=checked)
        imported = Survey.objects.exclude(pk=survey.pk).get()
        assert SealedPattern.objects.counts(imported) == COUNTS


def choose(client, reports, survey=None, **fields):
    """Submit a file for the researcher's own survey with these choices."""
    about = {"asked": survey.pk} if survey else {"study": upload("s.json", "{}")}
    return client.post(
        ADDRESS, {"reports": upload("r.csv", reports), **about, **fields}
    )


def mapped_in(answer):
    return re.search(r'name="mapped" value="(\w{64})"', answer.content.decode())[1]


@pytest.fixture
def draft(owner):
    return make_survey(
        ["coin", ("forced_response", {"forced_yes": "1/6", "forced_no": "1/6"})],
        opened=False,
        mode="hand",
        title="Prüfungen",
        slug="pruefungen",
        language="de",
    )


# As saved by a German Excel.
SEMICOLONS = "Nr;Größe;abgeschrieben;plagiiert\r\n" + "".join(
    f"{number};1,80;{first};{second}\r\n"
    for number, (first, second) in enumerate([("1,0", "ja"), ("0,0", "-9")] * 3)
)
SEMICOLONS = SEMICOLONS.encode("cp1252")


class TestMapping:
    @pytest.mark.parametrize("codes", ["10", "yn"])
    def test_unconfirmed_codes_are_not_stored(self, owner, draft, codes):
        first, second = codes
        reports = "exam,drug\n" + f"{first},{first}\n" * 1200 + f"{second},{first}\n"
        chosen = {
            "mapped": mapped_in(choose(owner, reports, draft)),
            "column-1": "0",
            "column-2": "1",
        }
        answer = choose(owner, reports, draft, **chosen)
        assert answer.status_code == 200
        assert "Everything can be read" not in text_of(answer)
        assert f"{first} 1,200" in text_of(answer)
        yes = {"confirmed-1-0": "1", "confirmed-2-1": "1"}
        checked = fingerprint_in(choose(owner, reports, draft, **chosen, **yes))
        for number, confirmed in ((2, "confirmed-1-0"), (1, "confirmed-2-1")):
            half = {**chosen, confirmed: "1", "checked": checked}
            answer = choose(owner, reports, draft, **half)
            assert answer.status_code == 400
            text = f"Question {number}: confirm what its codes mean."
            assert text in text_of(answer)
        assert Survey.objects.count() == 1
        choose(owner, reports, draft, **chosen, **yes, checked=checked)
        assert Survey.objects.count() == 2

    def test_codes_cannot_be_stored_without_the_table_of_codes(self, owner, draft):
        reports = "q1,q2\n1,2\n"
        answer = choose(owner, reports, draft, checked="0" * 64)
        assert answer.status_code == 400
        assert "Question 2: confirm what its codes mean." in text_of(answer)
        assert Survey.objects.count() == 1

    def test_changed_codes_are_shown_again_before_import(self, owner, draft):
        reports = "q1,q2\n1,1\n1,0\n"
        chosen = {
            "mapped": mapped_in(choose(owner, reports, draft)),
            "column-1": "0",
            "column-2": "1",
            "confirmed-1-0": "1",
            "confirmed-2-1": "1",
        }
        checked = fingerprint_in(choose(owner, reports, draft, **chosen))
        other = {**chosen, "cell-1-0-0": "no"}
        answer = choose(owner, reports, draft, **other, checked=checked)
        assert "The files have changed." in text_of(answer)
        assert Survey.objects.count() == 1

    def test_choices_for_another_file_are_ignored(self, owner, draft):
        mapped = mapped_in(choose(owner, "a,q1,q2\n1,1,1\n", draft))
        other = choose(
            owner,
            "q1,q2,a\nyes,yes,no\n",
            draft,
            **{"mapped": mapped, "column-1": "2", "column-2": "1"},
        )
        assert re.search(r"(Yes|Ja) [^YJ]* 1 (No|Nein) [^YJ]* 0 ", text_of(other))

    def test_reports_are_imported_only_into_own_surveys(self, owner):
        theirs = make_survey(owner=make_user("other"), slug="theirs")
        assert f'value="{theirs.pk}"' not in owner.get(ADDRESS).content.decode()
        answer = choose(owner, "q1\nyes\n", theirs)
        assert answer.status_code == 400
        assert "Everything can be read" not in text_of(answer)


ATTACKS = [
    b"\0",
    b"sep=;\n",
    b"q1\n" + b'"' * 500_000,
    b"q1," * 50_000 + b"\nyes" * 10,
    b"<script>alert(1)</script>,q1\n<b>,<i>\n",
    b"{% debug %},q1\n{{ x }},%(cell)s\n",
    b"q1\n%s\n%(number)s\n",
    b"PK\x03\x04" + bytes(range(256)) * 20,
]


@pytest.mark.parametrize("content", ATTACKS, ids=range(len(ATTACKS)))
def test_no_file_of_reports_breaks_the_page(owner, content):
    survey = make_survey(opened=False, mode="hand")
    answer = choose(owner, content, survey, read="1")
    assert answer.status_code in {200, 400}
    page = answer.content.decode()
    assert "<script>alert(1)" not in page
    assert "<b>" not in page
    assert Survey.objects.count() == 1


@settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    content=st.binary(max_size=40),
    chosen=st.dictionaries(
        st.sampled_from(["column-1", "cell-1-0-0", "cell-1-0-1", "mapped", "checked"]),
        st.text(max_size=5) | st.sampled_from(["0", "1", "absent", "missing", "yes"]),
    ),
)
def test_nothing_that_is_sent_breaks_the_page(owner, content, chosen):
    survey = Survey.objects.first() or make_survey(opened=False, mode="hand")
    mapped = re.search(
        r'name="mapped" value="(\w{64})"',
        choose(owner, content, survey).content.decode(),
    )
    if mapped:
        chosen = {"mapped": mapped[1], **chosen}
    assert choose(owner, content, survey, **chosen).status_code in {200, 400}
    assert Survey.objects.count() == 1

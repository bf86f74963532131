"""The regression of a file: a published study, no storage, errors."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from surveys.models import Survey
from tests.candor.cli.command import candor
from tests.estimation.pages import text_of
from tests.factories import make_user

pytestmark = pytest.mark.django_db

ROWS = "r,x,town,class\n" + "".join(
    f"{int(number % 7 < 3)},{number % 5},{'ab'[number % 2]},{number**2 % 23}\n"
    for number in range(400)
)
SENT = {
    "outcome": "r",
    "family": "forced_response",
    "numbers": "forced_yes=1/6 forced_no=1/6",
    "answer": "1",
    "formula": "x",
    "confidence_level": "0.95",
}


@pytest.fixture
def send(client):
    client.force_login(make_user())
    address = reverse("admin:estimation_regression_file")

    def post(rows=ROWS, **changed):
        file = SimpleUploadedFile("rows.csv", rows.encode())
        return client.post(address, {**SENT, "file": file, **changed})

    return post


@pytest.mark.parametrize("clusters", ["", "class"])
def test_page_file_and_command_have_the_same_numbers(send, tmp_path, clusters):
    path = tmp_path / "rows.csv"
    path.write_text(ROWS)
    text = candor(
        "regress", path, "--outcome", "r", "--formula", "x + town",
        "--family", "forced_response", "--set", "forced_yes=1/6", "forced_no=1/6",
        "--format", "csv", "--clusters", clusters,
    )  # fmt: skip
    assert ("design_effect" in text) is bool(clusters)
    sent = {"formula": "x + town", "clusters": clusters}
    answer = send(**sent, csv="on")
    assert answer["Content-Disposition"] == 'attachment; filename="regression.csv"'
    assert answer.content.decode().split() == text.split()
    page = send(**sent).content.decode()
    assert ("Design effect: " in page) is bool(clusters)
    shown = re.findall(r'<th scope="row">.*?<data value="(.*?)">', page, re.S)
    written = [line.split(",") for line in text.splitlines()[1:]]
    assert [float(each) for each in shown] == [float(each[3]) for each in written]
    assert not Survey.objects.exists()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"outcome": "y"}, "there is no column 'y'; there are: r, x, town"),
        ({"formula": "z"}, "there is no column 'z'; there are: r, x, town"),
        ({"formula": "x + r"}, "The reports cannot be a predictor of themselves."),
        ({"formula": "__import__('os')"}, "is not allowed in a formula"),
        ({"formula": "x + I(2*x)"}, "the same people have"),
        ({"outcome": "town", "formula": "x"}, "must hold the reports yes, no (or 1"),
        ({"numbers": ""}, "forced_yes must be a number above 0 and below 1"),
        ({"numbers": "1/6"}, "Write each number as name=value"),
        ({"family": "direct"}, "not one of the available choices"),
        ({"answer": "3"}, "This question has no share of this answer."),
        (
            {"weights": "town"},
            "must hold weights, numbers from 1e-50 to 1e+50; got 'a'",
        ),
        ({"clusters": "school"}, "there is no column 'school'"),
        ({"clusters": "town"}, "A regression needs 2 more clusters than odds ratios"),
        ({"rows": "r,x\n1,1\n"}, "Too few responses"),
    ],
)
def test_an_error_names_what_is_wrong(send, changed, message):
    answer = send(**changed)
    assert answer.status_code == 400
    assert message in text_of(answer)
    assert not Survey.objects.exists()

"""multilevel.R gives Stan the frozen table and the reports of each cluster.

`make check-exports` fits the model and compares it with a quadrature.
"""

import json
import re
from subprocess import CalledProcessError

import pytest

from candor.mechanisms.draws import NOT_ASKED
from estimation.files.exports import Source
from tests.estimation.exports.exported import THREE, make_sealed
from tests.estimation.exports.posterior import CHANCES, COUNTS, make_clusters
from tests.estimation.exports.test_programs import FOLDER, start, write_files

pytestmark = pytest.mark.django_db

READ = """
given <- commandArgs(trailingOnly = TRUE)
source(file.path(given[1], "candor.R"))
source(file.path(given[1], "multilevel.R"))
reports <- read.csv(given[3], encoding = "UTF-8")
data <- prepare_data(read_json(given[2]), reports, given[4], given[5])
table <- function(each) paste(t(each), collapse = ",")
cat(data$K, data$R, data$C, table(data$chances), table(data$counts), sep = "\\n")
texts <- list(data$clusters, data$answers)
cat(sapply(texts, paste, collapse = ","), sep = "\\n")
"""
CLASS = ("direct_choice", {"choices": 3})


def prepare(survey, folder, *names):
    files = write_files(Source(survey, 0.95, "feldman-cousins"), folder)
    return start("Rscript", "-e", READ, str(FOLDER), *files, *names).splitlines()


def numbers(line):
    return [float(each) for each in line.split(",")]


@pytest.mark.r
def test_the_model_gets_the_table_and_counts_by_cluster(tmp_path):
    found = prepare(make_clusters(), tmp_path, "q1", "q2")
    assert found[:3] == ["2", "2", "6"]
    assert numbers(found[3]) == CHANCES.ravel().tolist()
    assert numbers(found[4]) == [count for each in COUNTS for count in each]
    assert found[6] == "yes,no"


@pytest.mark.r
def test_respondents_without_both_reports_and_empty_clusters_are_left_out(tmp_path):
    survey = make_sealed(
        {
            bytes([0, 0]): 30,
            bytes([2, 0]): 5,
            bytes([1, 2]): 12,
            bytes([NOT_ASKED, 2]): 7,
            bytes([1, NOT_ASKED]): 9,
        },
        [THREE, CLASS],
    )
    labels = [choice.label for choice in survey.questions.last().choices.all()]
    found = prepare(survey, tmp_path, "q1", "q2")
    assert found[:3] == ["3", "3", "2"]
    mechanism = survey.questions.first().mechanism
    total = sum(mechanism.weights[0])
    assert numbers(found[3]) == pytest.approx(
        [weight / total for row in mechanism.weights for weight in row]
    )
    assert numbers(found[4]) == [30, 0, 5, 0, 12, 0]
    assert found[5] == f"{labels[0]},{labels[2]}"


@pytest.mark.r
@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("q1", "q2"), "q2 was randomised"),
        (("q4", "q3"), "q4 has no shares: its table identifies a mean only"),
        (("q1", "q9"), "there is no question q9"),
        (("q1", "q3"), "the model needs two clusters or more"),
    ],
)
def test_unsuitable_questions_are_rejected_by_the_multilevel_model(
    names, message, tmp_path
):
    scale = ("one_bit", {"epsilon": 1, "points": 3})
    survey = make_sealed({b"\0\0\0\0": 30}, ["coin", "die", CLASS, scale])
    with pytest.raises(CalledProcessError) as error:
        prepare(survey, tmp_path, *names)
    assert message in error.value.stderr


def test_stan_declares_the_data_that_the_program_passes():
    stan = (FOLDER / "multilevel.stan").read_text()
    block = stan.partition("data {")[2].partition("}\n")[0]
    declared = re.findall(r"(\w+);", block)
    handed = re.search(
        r"known <- data\[c\((.+)\)\]", (FOLDER / "multilevel.R").read_text()
    )
    assert declared == json.loads(f"[{handed[1]}]")

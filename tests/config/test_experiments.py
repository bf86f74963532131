"""The page of experiments: its numbers are those of the library."""

import json
import math
import re
from fractions import Fraction
from pathlib import Path

import pytest
import quickjs
from django.contrib.staticfiles import finders
from django.urls import reverse

import candor
from candor import accounting, binary
from candor.releases import guarantees, noise
from config.experiments import read_experiments
from tests.docs.documents import DOCS, text_of

NAMES = {
    "candor": candor,
    "accounting": accounting,
    "binary": binary,
    "guarantees": guarantees,
    "noise": noise,
    "Fraction": Fraction,
    "math": math,
}
EXPERIMENTS = read_experiments()["experiments"]
MAX_WORDS = 700
WORD = 2**31


@pytest.fixture(scope="module")
def run():
    """Return a function that runs an experiment of the script."""
    engine = quickjs.Context()
    # 0.5 for every draw: then every simulated noise is its median.
    engine.eval(f"globalThis.crypto = {{ getRandomValues: (a) => a.fill({WORD}) }};")
    script = Path(finders.find("js/experiments/experiments.js")).read_text("utf-8")
    engine.module(script + "\nglobalThis.experiments = experiments;")

    def run(key, inputs):
        call = f"JSON.stringify(experiments.{key}({json.dumps(inputs)}))"
        return json.loads(engine.eval(call))

    return run


def list_inputs(experiment):
    """Yield the sliders as the page has them, and then each at both of its ends."""
    start = {each["name"]: each["value"] for each in experiment["sliders"]}
    queries = [{"query": key} for key, *_ in read_experiments()["queries"]]
    for chosen in queries if experiment["key"] == "noise" else [{}]:
        yield start | chosen
        for slider in experiment["sliders"]:
            yield start | chosen | {slider["name"]: slider["low"]}
            yield start | chosen | {slider["name"]: slider["high"]}


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each["key"])
def test_each_number_equals_the_result_of_its_library_call(run, experiment):
    for inputs in list_inputs(experiment):
        for call, value in run(experiment["key"], inputs)["calls"]:
            found = eval(call, NAMES)  # noqa: S307
            assert value == pytest.approx(found, rel=1e-8, abs=1e-14), call


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each["key"])
def test_every_labelled_number_and_shape_exists(run, experiment):
    inputs = next(list_inputs(experiment))
    found = run(experiment["key"], inputs)
    assert {name for name, _ in experiment["numbers"]} == set(found["values"])
    shapes = {kind for kind, _ in found["picture"]["shapes"]}
    assert {kind for kind, _ in experiment["legend"]} <= shapes
    points = [point for _, each in found["picture"]["shapes"] for point in each]
    assert all(math.isfinite(number) for point in points for number in point)


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_text_is_in_both_languages(language):
    written = json.dumps(read_experiments())
    assert written.count('"en": "') == written.count(f'"{language}": "') > 50


def test_the_posterior_of_two_people_matches_the_course(run):
    inputs = {"q": 0.6, "prior": 0.4, "people": 2, "released": 1}
    assert run("posterior", inputs)["values"]["posterior"] == pytest.approx(
        0.084 / 0.198
    )


def test_the_region_contains_the_private_probabilities(run):
    """With epsilon ln 3 and delta 0 two coins are its corner."""
    inputs = {"p": 0.75, "q": 0.25, "epsilon": math.log(3), "delta": 0}
    found = run("response", inputs)["values"]
    assert found["isPrivate"]
    assert (found["bestP"], found["bestQ"]) == pytest.approx((0.75, 0.25))
    assert not run("response", inputs | {"p": 0.76})["values"]["isPrivate"]
    assert run("response", inputs | {"p": 1, "q": 0})["values"]["needed"] == 1


def test_simulated_maxima_match_the_draws(run):
    # Half of all draws: each absolute value is ln 2 / epsilon.
    found = run("maximum", {"answers": 10, "epsilon": 0.5})["values"]
    assert found["simulated"] == pytest.approx(2 * math.log(2))
    assert found["expected"] < found["bound"] < found["tail"]
    assert found["beyond"] == 0


def test_links_of_the_experiments_page_work(client, db):
    page = client.get(reverse("experiments")).content.decode()
    links = set(re.findall(r'href="(/(?:help|experiments)[^"#?]*)', page))
    assert len(links) >= 4
    assert {client.get(link).status_code for link in links} == {200}


def list_rows(number):
    """Yield the rows of a table of the page on k-anonymity, without its head."""
    text = text_of(DOCS / "background" / "k-anonymity.md")
    table = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)[number]
    for line in table.splitlines()[2:]:
        yield [cell.strip() for cell in line.strip("|").split("|")]


def test_the_example_of_one_table_is_4_anonymous():
    groups = {}
    for *group, diagnosis in list_rows(0):
        groups.setdefault(tuple(group), []).append(diagnosis)
    assert {len(each) for each in groups.values()} == {4}
    assert sorted(len(set(each)) for each in groups.values()) == [1, 2]


def test_the_example_of_two_tables_leaves_one_diagnosis():
    diagnoses = [set(row[-1].split(", ")) for row in list_rows(1)]
    assert set.intersection(*diagnoses) == {"cancer"}
    assert {len(each) for each in diagnoses} == {4}


def test_the_minimality_example_has_one_solution():
    """Two HIV in areas of two and of four; more than half of an area is merged."""
    merged = [first for first in range(3) if first > 1 or 2 - first > 2]
    assert merged == [2]


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each["key"])
def test_every_source_is_in_the_references(experiment):
    for source in experiment["source"].split("; "):
        cited = re.match(r".+? \d{4}", source)[0]
        assert f"\n- {cited}. " in text_of(DOCS / "reference" / "references.md")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_is_public_short_and_has_no_inline_script(client, db, language):
    answer = client.get(reverse("experiments"), {"language": language})
    page = answer.content.decode()
    assert not answer.cookies
    assert f'<html lang="{language}"' in page
    assert "style=" not in page
    assert [
        each for each in re.findall(r"<script[^>]*>", page) if "src" not in each
    ] == []
    text = re.sub(r"<[^>]+>", " ", page.partition("<h1>")[2])
    assert 300 < len(re.findall(r"[^\W\d_]{2,}", text)) <= MAX_WORDS

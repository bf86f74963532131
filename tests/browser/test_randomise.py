"""The sampler of the browser, as the site serves it, against the shared vectors."""

import json
from itertools import product

import pytest
from scipy import stats

from candor.mechanisms import build, load_families
from tests.candor.mechanisms.checks import read_vectors

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

SCRIPT = "/static/js/collecting/randomise.js"

FALSE_ALARM = 1e-10
"""A correct sampler fails the test of the default source once in 10**10 runs."""

DRAWS = 20_000

LOAD = f"() => import('{SCRIPT}').then((module) => (window.sampler = module, true))"

# Words run out: the sampler asked for more than it should have.
RUN_TABLES = """
(tables) => JSON.parse(tables).map(({ weights, cases }) => cases.map((each) => {
  const { words, answer, report, words_used } = each;
  let used = 0;
  const draw = () => {
    if (used === words.length) throw new Error("out of words");
    return words[used++];
  };
  return sampler.randomise(weights, answer, draw) === report && used === words_used;
}))
"""

COUNT_DRAWS = """
([weights, draws]) => weights.map((row, answer) => {
  const counts = row.map(() => 0);
  for (let k = 0; k < draws; k++) counts[sampler.randomise(weights, answer)]++;
  return counts;
})
"""


@pytest.fixture
def sampler(page, site):
    """A page of the site in which `sampler` is the module that respondents run."""
    page.goto(f"{site.url}{SCRIPT}")
    assert page.evaluate(LOAD)
    return page


def test_the_sampler_reproduces_the_reports_and_draws_of_the_vectors(sampler):
    run = 0
    for name in load_families():
        tables = read_vectors(name)["tables"]
        found = sampler.evaluate(RUN_TABLES, json.dumps(tables))
        for table, are_same in zip(tables, found, strict=True):
            assert are_same == [True] * len(table["cases"]), (name, table["parameters"])
            run += len(are_same)
    assert run > 1000


def test_the_sampler_rejects_totals_outside_its_range(sampler):
    for total in read_vectors("refused_tables")["totals"]:
        message = sampler.evaluate(
            """(n) => {
              try { return sampler.uniformBelow(n, () => 0); }
              catch (error) { return `${error.name}: ${error.message}`; }
            }""",
            total,
        )
        assert message == f"RangeError: n must be in [1, 2**32]; got {total}"
    assert sampler.evaluate(
        """() => [NaN, undefined, Infinity].every((n) => {
          try { sampler.uniformBelow(n, () => 0); return false; }
          catch (error) { return error instanceof RangeError; }
        })"""
    )


def test_every_number_below_n_comes_from_equally_many_words(sampler):
    """Words spread over all 2**32: each lap of n gives each number once."""
    for n in (1, 2, 3, 7, 251):
        laps = sampler.evaluate(
            """(n) => {
              const lap = (start) => [...Array(n).keys()].map((k) =>
                sampler.uniformBelow(n, () => start + k));
              const limit = 2 ** 32 - (2 ** 32 % n);
              return [0, n, limit / 2 - (limit / 2) % n, limit - n].map(lap);
            }""",
            n,
        )
        assert laps == [list(range(n))] * 4


def test_the_draw_comes_before_the_answer_is_read(sampler):
    """The values read before the draw are the same for every answer."""
    before = sampler.evaluate(
        """() => [0, 1].map((answer) => {
          const log = [];
          const weights = new Proxy([[3, 1], [1, 3]], {
            get: (table, key) => (log.push(String(key)), table[key]),
          });
          sampler.randomise(weights, answer, () => (log.push("draw"), 0));
          return log.slice(0, log.indexOf("draw") + 1).join();
        })"""
    )
    assert before == ["0,draw", "0,draw"]


def test_the_default_source_asks_the_system_once_for_each_word(sampler):
    asked = sampler.evaluate(
        """() => {
          const original = crypto.getRandomValues, sizes = [];
          const words = [2 ** 32 - 1, 5];
          Math.random = () => { throw new Error("not this one"); };
          crypto.getRandomValues = (array) => {
            sizes.push([array.constructor.name, array.length]);
            array[0] = words.shift();
            return array;
          };
          // 2**32 - 1 is beyond the last full lap of 3; 5 is 2 in the second lap.
          const number = sampler.uniformBelow(3);
          crypto.getRandomValues = original;
          return [sizes, number];
        }"""
    )
    assert asked == [[["Uint32Array", 1], ["Uint32Array", 1]], 2]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("coin", {}), ("forced_response", {"forced_yes": "1/6", "forced_no": "1/12"})],
)
def test_the_default_source_draws_as_the_table_says(sampler, name, parameters):
    weights = build(name, **parameters).to_dict()["weights"]
    counts = sampler.evaluate(COUNT_DRAWS, [weights, DRAWS])
    cells = list(product(range(2), repeat=2))
    for answer, report in cells:
        chance = weights[answer][report] / sum(weights[answer])
        p_value = stats.binomtest(counts[answer][report], DRAWS, chance).pvalue
        assert p_value > FALSE_ALARM / len(cells)


def test_a_sampler_without_rejection_fails_the_vectors(sampler):
    """The control: the vectors would find a remainder without a second draw."""
    sampler.evaluate(
        """() => {
          const first = (row, u) => {
            let sum = 0;
            return row.findIndex((weight) => (sum += weight) > u);
          };
          window.sampler = { randomise: (weights, answer, word) =>
            first(weights[answer], word() % weights[0].reduce((a, b) => a + b)) };
        }"""
    )
    [found] = sampler.evaluate(
        RUN_TABLES, json.dumps(read_vectors("die")["tables"][:1])
    )
    assert not all(found)

"""The cases whose figures are recorded: designs and counts, every edge among them.

Plain JSON alone, and the same list whenever it is made.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, product
from random import Random  # noqa: TID251 - made up on purpose, seeded
from typing import Any

Case = dict[str, Any]
Spec = dict[str, Any]

SEED = 20_240_229

LEVELS = (0.95, 0.8, 0.99)
METHODS = ("feldman-cousins", "pratt", "wilson", "clopper-pearson", "wald", "bayes")
ONE_SIDED_METHODS = ("feldman-cousins", "pratt")


def of(family: str, **parameters: Any) -> Spec:
    return {"family": family, **parameters}


TWO_ANSWERS = (
    of("coin"),
    of("die"),
    of("direct"),
    of("warner", p="3/4"),
    of("warner", p="2/5"),
    of("warner", p="0.501"),
    of("crosswise", prevalence="1/4"),
    of("crosswise", prevalence="0.823"),
    of("forced_response", forced_yes="1/6", forced_no="1/6"),
    of("forced_response", forced_yes="0.1", forced_no="0.35"),
    of("forced_no", forced_no="1/2"),
    of("forced_no", forced_no="0.05"),
    of("forced_yes", forced_yes="1/2"),
    of("forced_yes", forced_yes="1/3"),
    of("kuk", p_red_given_yes="4/5", p_red_given_no="1/5"),
    of("kuk", p_red_given_yes="0.3", p_red_given_no="0.1"),
    of("triangular", prevalence="1/4"),
    of("unrelated_question", p_sensitive="2/3", prevalence="1/4"),
    of("unrelated_question", p_sensitive="0.7", prevalence="0.15"),
    of("custom", p_yes_given_yes="0.9", p_yes_given_no="0.3"),
    of("custom", p_yes_given_yes="1/5", p_yes_given_no="3/5"),
    of("epsilon", epsilon="0.01"),
    of("epsilon", epsilon="1/2"),
    of("epsilon", epsilon="1"),
    of("epsilon", epsilon="3"),
    of("epsilon", epsilon="10"),
)
FEW_OF_TWO = (TWO_ANSWERS[0], TWO_ANSWERS[9], TWO_ANSWERS[10], TWO_ANSWERS[22])
SEVERAL = (
    of("k_ary", epsilon="0.1", choices=3),
    of("k_ary", epsilon="1", choices=3),
    of("k_ary", epsilon="3", choices=4),
    of("k_ary", epsilon="2", choices=10),
    of("k_ary", epsilon="10", choices=5),
    of("direct_choice", choices=3),
    of("direct_choice", choices=6),
    of("linked_pair", epsilon="1", choices=4),
    of("linked_pair", epsilon="3", choices=4),
)
SCALES = (
    of("one_bit", epsilon="1", points=11),
    of("one_bit", epsilon="0.05", points=5),
    of("one_bit", epsilon="4", points=3),
    of("one_bit", epsilon="10", points=101),
    of("one_bit", epsilon="2", points=2),
    of("grid", epsilon="1", points=5),
    of("grid", epsilon="4", points=11),
    of("grid", epsilon="0.3", points=3),
    of("grid", epsilon="10", points=7),
    of("grid", epsilon="2", points=2),
)
UNEVEN = (
    {"weights": [[6, 3, 1], [2, 5, 3], [1, 1, 8]]},
    {"weights": [[5, 3, 2, 0], [1, 4, 3, 2], [0, 1, 3, 6]]},
    {"weights": [[7, 2, 1], [1, 3, 6]]},
    {"weights": [[900, 50, 50], [10, 980, 10], [1, 1, 998]]},
    {"weights": [[4, 0, 1], [1, 3, 1], [2, 1, 2]]},
)
LAWS = (
    (0.75, 0.25),
    (1.0, 0.0),
    (0.9, 0.3),
    (1.0, 0.25),
    (0.5, 0.0),
    (0.5025, 0.4975),
    (0.9999, 0.0001),
)
SMALL = (0, 1, 2, 10)
SIZES = (*SMALL, 37, 250, 3_000, 1_000_000)


def answers_of(spec: Spec) -> int:
    """Return how many answers a mechanism has."""
    if "weights" in spec:
        return len(spec["weights"])
    return int(spec.get("choices", spec.get("points", 2)))


def reports_of(spec: Spec) -> int:
    """Return how many reports a mechanism has."""
    if "weights" in spec:
        return len(spec["weights"][0])
    return 2 if spec["family"] == "one_bit" else answers_of(spec)


def shared_out(total: int, parts: Sequence[float]) -> list[int]:
    """Return whole numbers of this sum, about in proportion to the parts."""
    found = [int(total * part / sum(parts)) for part in parts]
    found[max(range(len(parts)), key=parts.__getitem__)] += total - sum(found)
    return found


def tallies(reports: int, total: int, source: Random) -> Iterator[list[int]]:
    """Yield counts: all alike, even, and some in between."""
    yield shared_out(total, [1.0] + [0.0] * (reports - 1))
    if total:
        yield shared_out(total, [0.0] * (reports - 1) + [1.0])
    if total > 1:
        yield shared_out(total, [1.0] * reports)
        yield shared_out(total, [source.random() for _ in range(reports)])
    if total > 9:
        yield shared_out(total, [source.random() ** 3 for _ in range(reports)])
        yield shared_out(total, [0.0] + [source.random() for _ in range(reports - 1)])


def all_tallies(
    spec: Spec, source: Random, sizes: Iterable[int] = SIZES
) -> Iterator[list[int]]:
    for total in sizes:
        yield from tallies(reports_of(spec), total, source)


def cases() -> list[tuple[str, Case]]:
    """Return all cases: the kind of figure, and what its function takes."""
    found: list[tuple[str, Case]] = []
    for number, (name, make) in enumerate(MAKERS.items()):
        source = Random(SEED + number)  # noqa: S311 - protects nobody
        found += [(name, case) for case in make(source)]
    return found


def digest(case: Case) -> str:
    """Return a short name of what a case takes, to tell when a list has changed."""
    return f"{zlib.crc32(json.dumps(case, sort_keys=True).encode()):08x}"


# Mechanisms


def mechanism(_source: Random) -> Iterator[Case]:
    extremes = (
        of("warner", p="1/2"),
        of("warner", p="0.99999"),
        of("warner", p="0.999999"),
        of("warner", p="0.8333333333333334"),
        of("warner", p="3/0"),
        of("coin", p="1/2"),
        of("epsilon", epsilon="0.000001"),
        of("epsilon", epsilon="1e-9"),
        of("epsilon", epsilon="11"),
        of("epsilon", epsilon="0"),
        of("k_ary", epsilon="9.99", choices=20),
        of("k_ary", epsilon="1", choices=2),
        of("k_ary", epsilon="1", choices=21),
        of("k_ary", epsilon="1", choices=1),
        of("one_bit", epsilon="0.001", points=101),
        of("one_bit", epsilon="1", points=102),
        of("grid", epsilon="0.001", points=20),
        of("forced_response", forced_yes="1/2", forced_no="1/2"),
        of("forced_response", forced_yes="0.123456789", forced_no="0.2"),
        of("forced_response", forced_yes="1/7", forced_no="2/11"),
        of("custom", p_yes_given_yes="1/3", p_yes_given_no="1/3"),
        of("custom", p_yes_given_yes="0.1234567891", p_yes_given_no="0.9876543211"),
        of("unheard_of"),
        {"weights": [[1, 1], [1, 1]]},
        {"weights": [[1, 2], [1, 1]]},
        {"weights": [[1, 0, 1], [0, 1, 1]]},
    )
    for spec in (*TWO_ANSWERS, *SEVERAL, *SCALES, *UNEVEN, *extremes):
        yield {"mechanism": spec}
    for tenth in range(1, 100, 3):
        yield {"mechanism": of("epsilon", epsilon=f"{tenth / 10}")}
        yield {"mechanism": of("k_ary", epsilon=f"{tenth / 10}", choices=5)}
        yield {"mechanism": of("one_bit", epsilon=f"{tenth / 10}", points=8)}
        yield {"mechanism": of("warner", p=f"{tenth}/100")}


def draw(source: Random) -> Iterator[Case]:
    for spec in (*TWO_ANSWERS, *SEVERAL, *SCALES, *UNEVEN):
        words = [source.getrandbits(32) for _ in range(200)]
        yield {"mechanism": spec, "words": words}


def order(source: Random) -> Iterator[Case]:
    for count, groups in (
        (1, []),
        (5, []),
        (4, [[1, [1, 2]]]),
        (6, [[2, [1, 3, 5]], [1, [2, 4]]]),
        (20, [[5, list(range(1, 13))]]),
        (200, [[1, list(range(1, 101))], [99, list(range(101, 201))]]),
    ):
        for _ in range(5):
            words = [source.getrandbits(32) for _ in range(100)]
            yield {"words": words, "count": count, "groups": groups}


def together(source: Random) -> Iterator[Case]:
    pool = (*TWO_ANSWERS, *SEVERAL, *SCALES)
    priors = cycle(("1/10", "1/2", "0", "1", "9/10"))
    yield {"mechanisms": [], "groups": [], "prior": "1/10"}
    for size in (1, 2, 3, 6):
        for _ in range(12):
            mechanisms = [source.choice(pool) for _ in range(size)]
            asked = [[1, list(range(1, size + 1))]] if size > 1 else []
            for groups in [[]] if not asked else [[], asked]:
                yield {
                    "mechanisms": mechanisms,
                    "groups": groups,
                    "prior": next(priors),
                }


def scale(_source: Random) -> Iterator[Case]:
    for low, high, points in (
        ("0", "10", 11),
        ("-5", "5", 11),
        ("0.1", "0.7", 4),
        ("1/3", "2", 2),
        ("3", "3", 4),
        ("0", "2000000000", 5),
        ("x", "2", 5),
    ):
        for part in (0.0, 0.3, 1.0):
            yield {"low": low, "high": high, "points": points, "part": part}


def audit(_source: Random) -> Iterator[Case]:
    for weights, counts in (
        ((3, 1), [[75_000, 25_000], [25_000, 75_000]]),
        ((3, 1), [[75_700, 24_300], [25_000, 75_000]]),
        ((3, 1), [[1, 0], [0, 1]]),
        ((3, 1), [[10, 0], [0, 10]]),
        ((1, 0), [[1000, 0], [0, 1000]]),
        ((1, 0), [[999, 1], [0, 1000]]),
        ((6, 3, 1), [[60, 30, 10], [20, 50, 30], [10, 10, 80]]),
        ((5, 3, 2, 0), [[50, 30, 20, 0], [10, 40, 30, 20], [0, 10, 30, 60]]),
    ):
        yield {"weights": weights, "counts": counts}


# Shares


def share(source: Random) -> Iterator[Case]:
    options = cycle(product(LEVELS, METHODS))
    for spec in (*TWO_ANSWERS, *SEVERAL):
        for counts in all_tallies(spec, source):
            level, method = next(options)
            yield {
                "mechanism": spec,
                "counts": counts,
                "level": level,
                "method": method,
            }
    for spec in (*TWO_ANSWERS[:3], *SEVERAL[:2]):
        for counts in all_tallies(spec, source, (2, 37)):
            for method in METHODS:
                yield {
                    "mechanism": spec,
                    "counts": counts,
                    "level": 0.95,
                    "method": method,
                }
    # No interval: the answers share their reports unevenly.


def unfolded(source: Random) -> Iterator[Case]:
    for spec in UNEVEN:
        is_square = answers_of(spec) == reports_of(spec)
        for counts in all_tallies(spec, source, SIZES if is_square else (1,)):
            yield {"mechanism": spec, "counts": counts}


def target(source: Random) -> Iterator[Case]:
    options = cycle(product(LEVELS, METHODS))
    for spec in SEVERAL:
        answers = answers_of(spec)
        coefficients = cycle(
            (
                [1, 1] + [0] * (answers - 2),
                [1] + [0] * (answers - 1),
                list(range(answers)),
                [1, -1] + [0] * (answers - 2),
            )
        )
        for counts in all_tallies(spec, source, (0, 1, 10, 250, 3_000)):
            level, method = next(options)
            yield {
                "mechanism": spec,
                "counts": counts,
                "coefficients": next(coefficients),
                "level": level,
                "method": method,
            }


def bounds(source: Random) -> Iterator[Case]:
    options = cycle(product(LEVELS, METHODS))
    for spec in (*SEVERAL[:3], *SEVERAL[5:]):
        for counts in all_tallies(spec, source, (0, 1, 10, 250)):
            level, method = next(options)
            yield {
                "mechanism": spec,
                "counts": counts,
                "level": level,
                "method": method,
            }


def some_of(total: int) -> list[int]:
    """Return counts from none to all."""
    shares = (0, 0.03, 0.25, 0.45, 0.8, 1)
    return sorted({round(total * part) for part in shares} | {min(1, total)})


def interval(_source: Random) -> Iterator[Case]:
    levels = cycle(LEVELS)
    for law, method, total in product(LAWS, METHODS, SIZES):
        for yes in some_of(total):
            yield {
                "yes": yes,
                "respondents": total,
                "law": law,
                "level": next(levels),
                "method": method,
            }
    for method, level in product(METHODS, (0.001, 0.5, 0.999999)):
        for yes in (0, 3, 20):
            yield {
                "yes": yes,
                "respondents": 20,
                "law": LAWS[0],
                "level": level,
                "method": method,
            }


def one_sided_test(_source: Random) -> Iterator[Case]:
    bounds = cycle((0.1, 0.0, 0.5, 0.93, 0.3))
    for law, method, total in product(LAWS, ONE_SIDED_METHODS, SIZES[1:]):
        for yes in some_of(total):
            yield {
                "yes": yes,
                "respondents": total,
                "law": law,
                "bound": next(bounds),
                "method": method,
            }
    yield {
        "yes": 3,
        "respondents": 0,
        "law": LAWS[0],
        "bound": 0.1,
        "method": "pratt",
    }


def census(_source: Random) -> Iterator[Case]:
    levels = cycle(LEVELS)
    for law, total in product(LAWS, (1, 2, 10, 37, 120)):
        for counted in some_of(total):
            yield {
                "counted": counted,
                "respondents": total,
                "law": law,
                "level": next(levels),
            }
    yield {"counted": 1, "respondents": 501, "law": LAWS[0], "level": 0.95}
    yield {"counted": 1, "respondents": 501, "law": LAWS[1], "level": 0.95}


def forgery(_source: Random) -> Iterator[Case]:
    levels = cycle(LEVELS)
    for law, method, total in product(LAWS[:5], METHODS, (0, 1, 10, 250, 3_000)):
        for counted in some_of(total)[::3]:
            yield {
                "counted": counted,
                "respondents": total,
                "law": law,
                "forged": min(total, 5),
                "level": next(levels),
                "method": method,
            }


def forger(_source: Random) -> Iterator[Case]:
    for spec in (*TWO_ANSWERS, *SEVERAL, *SCALES, *UNEVEN):
        for forged, total in ((0, 1), (1, 1), (7, 300)):
            yield {"mechanism": spec, "forged": forged, "respondents": total}


def difference(source: Random) -> Iterator[Case]:
    # Every nineteenth, which meets all sizes and ways to share out in turn.
    yield from list(all_differences(source))[::19]


def all_differences(source: Random) -> Iterator[Case]:
    levels = cycle(LEVELS)
    pairs = [(spec, spec) for spec in (*TWO_ANSWERS, *SEVERAL)]
    pairs += [
        (TWO_ANSWERS[0], TWO_ANSWERS[1]),
        (TWO_ANSWERS[2], TWO_ANSWERS[0]),
        (TWO_ANSWERS[10], TWO_ANSWERS[12]),
        (SEVERAL[0], SEVERAL[1]),
        (SEVERAL[0], TWO_ANSWERS[0]),
    ]
    for one, other in pairs:
        for total, rest in (
            (0, 10),
            (1, 1),
            (2, 10),
            (10, 10),
            (37, 250),
            (3_000, 2_000),
            (1_000_000, 900_000),
        ):
            lists = zip(
                tallies(reports_of(one), total, source),
                list(tallies(reports_of(other), rest, source))[::-1],
                strict=False,
            )
            for first, second in lists:
                yield {
                    "mechanisms": [one, other],
                    "counts": [first, second],
                    "level": next(levels),
                }


# Means


def mean(source: Random) -> Iterator[Case]:
    options = cycle(product(LEVELS, METHODS))
    specs = (*SCALES, UNEVEN[3])
    for spec in specs:
        is_counted = spec.get("family") == "one_bit"
        sizes = SIZES if is_counted else (*SMALL, 37, 3_000)
        for counts in all_tallies(spec, source, sizes):
            level, method = next(options)
            yield {
                "mechanism": spec,
                "counts": counts,
                "level": level,
                "method": method,
            }


def mean_difference(source: Random) -> Iterator[Case]:
    levels = cycle(LEVELS)
    pairs = [(spec, spec) for spec in SCALES]
    pairs += [(SCALES[0], of("grid", epsilon="2", points=11)), (SCALES[0], SCALES[1])]
    for one, other in pairs:
        for total, rest in ((0, 3), (1, 1), (2, 10), (37, 40), (3_000, 800)):
            lists = zip(
                tallies(reports_of(one), total, source),
                list(tallies(reports_of(other), rest, source))[::-1],
                strict=False,
            )
            for first, second in lists:
                yield {
                    "mechanisms": [one, other],
                    "counts": [first, second],
                    "level": next(levels),
                }


# Two questions together

JOINT = (
    (TWO_ANSWERS[0], TWO_ANSWERS[0]),
    (TWO_ANSWERS[2], TWO_ANSWERS[2]),
    (TWO_ANSWERS[0], TWO_ANSWERS[2]),
    (TWO_ANSWERS[10], TWO_ANSWERS[9]),
    (TWO_ANSWERS[25], TWO_ANSWERS[21]),
    (SEVERAL[1], TWO_ANSWERS[0]),
    (TWO_ANSWERS[0], SEVERAL[1]),
    (TWO_ANSWERS[0], SEVERAL[5]),
    (SEVERAL[5], SEVERAL[5]),
    (SEVERAL[2], SEVERAL[7]),
)


def tables(
    one: Spec, other: Spec, source: Random, sizes: Iterable[int]
) -> Iterator[list[list[int]]]:
    rows, columns = reports_of(one), reports_of(other)
    for counts in (
        each for total in sizes for each in tallies(rows * columns, total, source)
    ):
        yield [counts[row * columns :][:columns] for row in range(rows)]


def joint(source: Random) -> Iterator[Case]:
    for one, other in (*JOINT, (UNEVEN[0], TWO_ANSWERS[0]), (SCALES[0], SCALES[0])):
        for counts in tables(one, other, source, (0, 1, 2, 10, 250, 100_000)):
            yield {"mechanisms": [one, other], "counts": counts}


def joint_interval(source: Random) -> Iterator[Case]:
    options = cycle(product(LEVELS, METHODS))
    for one, other in (*JOINT[:-1], (UNEVEN[0], TWO_ANSWERS[0])):
        for counts in list(tables(one, other, source, (0, 1, 10, 250, 3_000)))[::5]:
            level, method = next(options)
            yield {
                "mechanisms": [one, other],
                "counts": counts,
                "level": level,
                "method": method,
            }


def hidden_difference(source: Random) -> Iterator[Case]:
    levels = cycle(LEVELS)
    for one, other in (*JOINT[:1], *JOINT[3:4], *JOINT[5:7]):
        last = answers_of(other) - 1
        for counts in list(tables(one, other, source, (0, 10, 250, 3_000)))[::3]:
            yield {
                "mechanisms": [one, other],
                "counts": counts,
                "pairs": [[0, 0, last]],
                "level": next(levels),
            }


# Weights

WEIGHED = (
    TWO_ANSWERS[0],
    TWO_ANSWERS[2],
    TWO_ANSWERS[9],
    TWO_ANSWERS[10],
    TWO_ANSWERS[23],
    SEVERAL[1],
    SEVERAL[5],
    SCALES[0],
    SCALES[5],
)


def weighted(source: Random) -> Iterator[Case]:
    options = cycle(product(LEVELS, METHODS))
    for spec in WEIGHED:
        for counts in all_tallies(spec, source, (0, 1, 2, 10, 60)):
            level, method = next(options)
            weights = [
                [round(source.lognormvariate(0, 0.7), 3) + 0.001 for _ in range(count)]
                for count in counts
            ]
            yield {
                "mechanism": spec,
                "weights": weights,
                "level": level,
                "method": method,
            }


def margin(size: int, source: Random) -> list[float]:
    parts = shared_out(1000, [0.2 + source.random() for _ in range(size)])
    return [part / 1000 for part in parts]


def post_stratified(source: Random) -> Iterator[Case]:
    options = cycle(product(LEVELS, METHODS))
    for spec in WEIGHED:
        for total in (0, 1, 2, 10, 250, 3_000, 1_000_000):
            columns = reports_of(spec)
            for flat in tallies(3 * columns, total, source):
                level, method = next(options)
                counts = [flat[row * columns :][:columns] for row in range(3)]
                # No weight makes up for a group of which nobody is in the sample.
                shares = [float(any(row)) for row in counts]
                known = [
                    part * share
                    for part, share in zip(margin(3, source), shares, strict=True)
                ]
                scaled = [round(part / (sum(known) or 1), 6) for part in known]
                yield {
                    "mechanism": spec,
                    "counts": counts,
                    "shares": scaled,
                    "level": level,
                    "method": method,
                }
    for shares in ([0.5, 0.3, 0.2], [0.5, 0.3, 0.1], [1.5, -0.5, 0.0]):
        yield {
            "mechanism": WEIGHED[0],
            "counts": [[5, 5], [3, 1], [0, 0]],
            "shares": shares,
            "level": 0.95,
            "method": "wilson",
        }


def raked(source: Random) -> Iterator[Case]:
    options = cycle(product(LEVELS, METHODS))
    for spec in WEIGHED:
        for total in (12, 40, 250, 3_000, 1_000_000):
            columns = reports_of(spec)
            for flat in list(tallies(6 * columns, total, source))[1:]:
                level, method = next(options)
                rows = [flat[row * columns :][:columns] for row in range(6)]
                yield {
                    "mechanism": spec,
                    "counts": [rows[:3], rows[3:]],
                    "margins": [margin(2, source), margin(3, source)],
                    "level": level,
                    "method": method,
                }


# Plans

PLANNED = (
    TWO_ANSWERS[0],
    TWO_ANSWERS[2],
    *TWO_ANSWERS[9:11],
    *TWO_ANSWERS[22:24],
    *SEVERAL[1:3],
)


def plan(source: Random) -> Iterator[Case]:
    options: tuple[Case, ...] = (
        {},
        {"respondents": 1},
        {"respondents": 300, "margin": 0.1},
        {"respondents": 2_000, "share": 0.1, "with_pile": False},
        {"margin": 0.02, "share": 0.0},
        {"share": 0.5, "against": 0.2, "respondents": 400, "with_pile": False},
        {"share": 0.2, "against": 0.1, "alpha": 0.05, "power": 0.9},
        {"share": 0.1, "against": 0.4, "method": "pratt", "confidence_level": 0.8},
        {"share": 0.3, "other_share": 0.6, "respondents": 200, "ratio": 2.0},
        {
            "respondents": 1_000,
            "questions": 5,
            "asked": 2,
            "margin": 0.05,
            "prior": 0.3,
            "forged": 10,
            "design_effect": 1.5,
            "response_rate": 0.4,
        },
        {"respondents": 0},
        {"share": 0.5, "against": 0.5},
    )
    for spec, chosen in product((*PLANNED, SCALES[0], UNEVEN[0]), options):
        yield {"mechanism": spec, "options": chosen}


def mean_plan(source: Random) -> Iterator[Case]:
    options: tuple[Case, ...] = (
        {},
        {"respondents": 1, "mean": 0.5},
        {"respondents": 1_000, "margin": 0.2, "mean": 0.7, "sd": 0.5},
        {"difference": 0.9, "respondents": 300, "power": 0.7},
        {"questions": 4, "asked": 1, "respondents": 500, "response_rate": 0.3},
        {"mean": 0.0, "respondents": 50, "margin": 0.1},
        {"mean": 500.0},
    )
    for spec, chosen in product((*SCALES, TWO_ANSWERS[0]), options):
        yield {"mechanism": spec, "options": chosen}


CLAIMS = ((0.2, 0.1), (0.1, 0.2), (0.5, 0.0), (0.0, 0.3), (0.95, 0.8), (0.3, 0.3))


def sample_size(_source: Random) -> Iterator[Case]:
    methods = ("one-sided", *ONE_SIDED_METHODS)
    errors = cycle(((0.05, 0.8), (0.01, 0.95), (0.2, 0.5)))
    for spec, (share, against), method in product(
        (TWO_ANSWERS[0], *TWO_ANSWERS[9:11]), CLAIMS, methods
    ):
        alpha, power = next(errors)
        yield {
            "mechanism": spec,
            "share": share,
            "against": against,
            "alpha": alpha,
            "power": power,
            "method": method,
        }


def power(_source: Random) -> Iterator[Case]:
    methods = cycle(("one-sided", *ONE_SIDED_METHODS))
    sizes = (1, 2, 10, 300, 20_000)
    for spec, (share, against), total in product(TWO_ANSWERS[:12], CLAIMS, sizes):
        yield {
            "mechanism": spec,
            "respondents": total,
            "share": share,
            "against": against,
            "alpha": 0.05,
            "method": next(methods),
        }


def group_size(_source: Random) -> Iterator[Case]:
    errors = cycle(((0.05, 0.8), (0.01, 0.9), (0.2, 0.5)))
    for spec, shares, ratio in product(
        (TWO_ANSWERS[0], TWO_ANSWERS[2], TWO_ANSWERS[10], SEVERAL[2]),
        ((0.2, 0.6), (0.9, 0.4), (0.0, 0.3), (0.5, 0.5), (0.1, 0.2)),
        (1.0, 3.0),
    ):
        alpha, power = next(errors)
        yield {
            "mechanism": spec,
            "share": shares[0],
            "other_share": shares[1],
            "ratio": ratio,
            "alpha": alpha,
            "power": power,
        }


def group_power(_source: Random) -> Iterator[Case]:
    for spec, shares, sizes in product(
        (*TWO_ANSWERS[:4], TWO_ANSWERS[10], SEVERAL[2]),
        ((0.2, 0.6), (0.9, 0.4), (0.0, 1.0), (0.3, 0.31)),
        ((1, 1), (5, 2), (40, 60), (500, 300), (50_000, 70_000)),
    ):
        yield {
            "mechanism": spec,
            "share": shares[0],
            "other_share": shares[1],
            "respondents": sizes[0],
            "others": sizes[1],
            "alpha": 0.05,
        }


def mean_group(_source: Random) -> Iterator[Case]:
    supposed = (
        {"difference": 1.0},
        {"difference": 0.6, "mean": 0.8, "sd": 0.5},
        {"difference": 0.9, "alpha": 0.01},
        {"difference": 1000.0},
    )
    for spec, chosen, (wanted, ratio) in product(
        (*SCALES[2:3], *SCALES[4:]), supposed, ((0.8, 1.0), (0.5, 2.0))
    ):
        yield {
            "mechanism": spec,
            "supposed": chosen,
            "power": wanted,
            "ratio": ratio,
            "sizes": [80, 120] if ratio == 1 else [1, 1],
        }


def precision(_source: Random) -> Iterator[Case]:
    rest = cycle(product((0.05, 0.3, 0.001), LEVELS))
    for spec, total, share in product(
        TWO_ANSWERS, (1, 300, 10**9), (0.0, 0.1, 0.5, 1.0)
    ):
        margin, level = next(rest)
        yield {
            "mechanism": spec,
            "respondents": total,
            "share": share,
            "margin": margin,
            "level": level,
        }


def half_width(_source: Random) -> Iterator[Case]:
    levels = cycle(LEVELS)
    for spec, total, share in product(
        (*FEW_OF_TWO, TWO_ANSWERS[2]), (1, 2, 40, 1_000), (0.0, 0.1, 0.5, 1.0)
    ):
        yield {
            "mechanism": spec,
            "respondents": total,
            "share": share,
            "level": next(levels),
        }


def curve(_source: Random) -> Iterator[Case]:
    levels = cycle(LEVELS)
    for spec, total, share in product(
        (*FEW_OF_TWO, SEVERAL[1], SCALES[0]), (1, 200, 10**6), (0.0, 0.3)
    ):
        yield {
            "mechanism": spec,
            "respondents": total,
            "share": share,
            "margin": 0.05,
            "level": next(levels),
        }


def reached(source: Random) -> Iterator[Case]:
    levels = cycle(LEVELS)
    for spec in (*FEW_OF_TWO, *SEVERAL[:2], SEVERAL[5], *SCALES[:3], *SCALES[5:7]):
        for counts in all_tallies(spec, source, (0, 1, 10, 250)):
            yield {
                "mechanism": spec,
                "counts": counts,
                "margin": 0.05,
                "level": next(levels),
            }


def scale_plan(_source: Random) -> Iterator[Case]:
    levels = cycle(LEVELS)
    supposed: tuple[Case, ...] = (
        {},
        {"mean": 0.4},
        {"mean": 1.0, "sd": 0.0},
        {"sd": 0.3},
        {"mean": 0.0},
        {"sd": 900.0},
    )
    for spec, chosen in product(SCALES, supposed):
        yield {
            "mechanism": spec,
            "supposed": chosen,
            "respondents": 400,
            "level": next(levels),
        }


def reading(_source: Random) -> Iterator[Case]:
    for spec, prior in product((*TWO_ANSWERS, SEVERAL[0]), (0.0, 0.1, 0.5, 1.0)):
        yield {"mechanism": spec, "prior": prior}


def pile(_source: Random) -> Iterator[Case]:
    for spec, total in product((*FEW_OF_TWO, TWO_ANSWERS[2]), (1, 2, 10, 100, 400)):
        for delta in (1e-6, 1e-3):
            yield {"mechanism": spec, "respondents": total, "delta": delta}


def budget(_source: Random) -> Iterator[Case]:
    for questions, epsilon, share in product(
        (1, 2, 5, 40), (0.01, 1.0, 3.0, 11.0, 10_000.0), (0.0, 0.2, 0.5)
    ):
        yield {"questions": questions, "total_epsilon": epsilon, "share": share}


# Regression


def regression(source: Random) -> Iterator[Case]:
    laws = ((0.75, 0.25), (1.0, 0.0), (0.9, 0.3), (0.55, 0.45))
    for law, total, covariates in product(laws, (3, 60, 2_000), (0, 1, 2)):
        yield plain_regression(source, law, total, covariates)
    for law, total, covariates in product(laws, (600, 5_000), (0, 1)):
        for _ in range(2):
            yield weighted_regression(source, law, total, covariates)
            yield scrambled_regression(source, law, total, covariates)


def patterns_of(source: Random, covariates: int) -> list[list[float]]:
    """Return a constant, a column of 0 and 1, and others of some values."""
    levels = [[round(source.uniform(-2, 2), 2) for _ in range(3)] for _ in range(3)]
    return [
        [1.0, *others, float(last)]
        for last in (0, 1)
        for others in product(*levels[:covariates])
    ]


def counts_for(
    source: Random, predictors: list[list[float]], total: int, law: Sequence[float]
) -> list[list[int]]:
    """Return yes and no reports of each pattern, as coefficients made up have them."""
    slopes = [source.uniform(-0.8, 0.8) for _ in predictors[0]]
    counts = []
    for row in predictors:
        logit = sum(x * slope for x, slope in zip(row, slopes, strict=True))
        share = 1 / (1 + 2.718281828459045**-logit)
        chance = law[1] + (law[0] - law[1]) * share
        people = total // len(predictors)
        yes = sum(source.random() < chance for _ in range(people))
        counts.append([yes, people - yes])
    return counts


def plain_regression(
    source: Random, law: Sequence[float], total: int, covariates: int
) -> Case:
    predictors = patterns_of(source, covariates)
    counts = counts_for(source, predictors, total, law)
    return {"predictors": predictors, "counts": counts, "law": law}


def weighted_regression(
    source: Random, law: Sequence[float], total: int, covariates: int
) -> Case:
    case = plain_regression(source, law, total, covariates)
    factors = [[source.uniform(0.7, 1.3) for _ in range(2)] for _ in case["counts"]]
    pairs = list(zip(case["counts"], factors, strict=True))
    people = sum(map(sum, case["counts"]))
    weight = people / sum(
        count * factor
        for row, of_row in pairs
        for count, factor in zip(row, of_row, strict=True)
    )
    return case | {
        "counts": [
            [c * f * weight for c, f in zip(row, of_row, strict=True)]
            for row, of_row in pairs
        ],
        "squared_weights": [
            [c * (f * weight) ** 2 * 1.1 for c, f in zip(row, of_row, strict=True)]
            for row, of_row in pairs
        ],
        "respondents": people,
    }


def scrambled_regression(
    source: Random, law: Sequence[float], total: int, covariates: int
) -> Case:
    """The last column is the scrambled predictor: 1 where its answer is yes."""
    known = [row for row in patterns_of(source, covariates) if row[-1] == 0]
    given = (0.8, 0.2)
    counts = []
    halves = [
        counts_for(source, [[*row[:-1], x] for row in known], total // 2, law)
        for x in (1.0, 0.0)
    ]
    for yes, no in zip(*halves, strict=True):
        sent = [0, 0, 0, 0]
        for place, people in enumerate([*yes, *no]):
            is_yes = place < 2
            turned = round(people * (1 - given[0] if is_yes else given[1]))
            sent[place] += people - turned
            sent[(place + 2) % 4] += turned
        counts.append(sent)
    return {
        "predictors": known,
        "counts": counts,
        "law": law,
        "scrambled": {
            "predictors": [[*row[:-1], 1.0] for row in known],
            "p_yes_given_yes": given[0],
            "p_yes_given_no": given[1],
        },
    }


# Releases

NOISES = (
    {"epsilon": "1/2"},
    {"epsilon": "3"},
    {"epsilon": "1/50", "sensitivity": 2},
    {"epsilon": "100"},
    {"sigma": "4"},
    {"sigma": "1/2"},
    {"sigma": "50", "sensitivity": 3},
)


def noise(_source: Random) -> Iterator[Case]:
    for law, cells in product(NOISES, (1, 2, 5, 20)):
        yield {"noise": law, "cells": cells}


def release(source: Random) -> Iterator[Case]:
    options: tuple[Case, ...] = (
        {"epsilon": "1/2"},
        {"epsilon": 0.1, "sensitivity": 3},
        {"epsilon": "100"},
        {"sigma": "4", "delta": "1e-6"},
        {"sigma": "2.5", "epsilon": "1"},
        {"sigma": "10", "epsilon": "1", "delta": "1e-3"},
        {"sigma": "1", "epsilon": "1/10", "delta": "1e-9"},
        {"delta": "1e-6"},
        {},
        {"epsilon": "1000"},
    )
    for count, chosen, level in product((0, 1, 7, 120, 10**6), options, LEVELS):
        yield {
            "count": count,
            "options": chosen,
            "seed": source.getrandbits(32),
            "level": level,
        }


def released_count(_source: Random) -> Iterator[Case]:
    for released, law, level in product((-9, 0, 1, 6, 40, 10**6), NOISES, LEVELS):
        yield {"released": released, "noise": law, "level": level}


def released_tallies(spec: Spec, source: Random) -> Iterator[list[int]]:
    for counts in all_tallies(spec, source, (0, 1, 10, 250, 3_000)):
        yield [count + source.randrange(-2, 3) for count in counts]


def released_share(source: Random) -> Iterator[Case]:
    levels, laws = cycle(LEVELS), cycle(NOISES)
    took_part = cycle((False, True, None))
    for spec in (*TWO_ANSWERS[:3], TWO_ANSWERS[10], TWO_ANSWERS[23], *SEVERAL[1:2]):
        for counts in released_tallies(spec, source):
            is_known = next(took_part)
            took = None if is_known is None else [sum(counts) + 1, is_known]
            yield {
                "mechanism": spec,
                "counts": counts,
                "noise": next(laws),
                "level": next(levels),
                "took_part": took,
            }


def released_test(source: Random) -> Iterator[Case]:
    laws, bounds = cycle(NOISES), cycle((0.1, 0.0, 0.5, 1.0))
    for spec in (TWO_ANSWERS[0], TWO_ANSWERS[2], TWO_ANSWERS[10]):
        for counts in list(released_tallies(spec, source))[::2]:
            yield {
                "mechanism": spec,
                "counts": counts,
                "noise": next(laws),
                "bound": next(bounds),
            }


def histogram(_source: Random) -> Iterator[Case]:
    for contributions, may_change in product((0, 1, 7, 5_000, 5_001), (True, False)):
        yield {"contributions": contributions, "may_change_cell": may_change}


# Homogeneity


def homogeneity(source: Random) -> Iterator[Case]:
    for rows, columns in ((2, 2), (2, 3), (3, 2), (3, 4), (5, 2)):
        for total in (0, 1, 2, 6, 15, 40, 400, 100_000):
            for flat in tallies(rows * columns, total, source):
                counts = [flat[row * columns :][:columns] for row in range(rows)]
                yield {"table": counts}
    yield {"table": [[3 * 10**9, 10**9], [10**9, 2 * 10**9]]}


def holm(source: Random) -> Iterator[Case]:
    yield {"p_values": []}
    yield {"p_values": [0.01, 0.04, 0.03]}
    yield {"p_values": [0.5, 0.5, 0.5, 1e-300]}
    for size in (1, 2, 5, 20):
        yield {"p_values": [source.random() ** 4 for _ in range(size)]}


MAKERS = {
    make.__name__: make
    for make in (
        mechanism,
        draw,
        order,
        together,
        scale,
        audit,
        share,
        unfolded,
        target,
        bounds,
        interval,
        one_sided_test,
        census,
        forgery,
        forger,
        difference,
        mean,
        mean_difference,
        joint,
        joint_interval,
        hidden_difference,
        weighted,
        post_stratified,
        raked,
        plan,
        mean_plan,
        sample_size,
        power,
        group_size,
        group_power,
        mean_group,
        precision,
        half_width,
        curve,
        reached,
        scale_plan,
        reading,
        pile,
        budget,
        regression,
        noise,
        release,
        released_count,
        released_share,
        released_test,
        histogram,
        homogeneity,
        holm,
    )
}

"""Write tests/vectors/: the output of both samplers for given random words.

`python -m scripts.make_vectors` rewrites the files, and a test compares them.
"""

import json
from collections.abc import Iterator
from itertools import accumulate, chain, islice, tee
from pathlib import Path
from typing import Any

from tests import reference

FOLDER = Path(reference.__file__).parent / "vectors"

STREAM_CASES = 8
SPARE_WORDS = 2
"""Words after the last one needed, so that a sampler that takes too many is found."""

LARGEST_PRIME_TOTAL = 4_294_967_291
"""The largest prime below 2**32: five words are rejected."""

WORST_REJECTED_TOTAL = 2**31 + 1
"""Nearly half of all words are rejected."""

Parameters = dict[str, Any]

YES_NO = ["yes", "no"]
REPORTS = {
    "crosswise": ["same", "different"],
    "kuk": ["red", "black"],
    "one_bit": ["high", "low"],
    "one_bit_skip": ["high", "low", "skipped"],
    "triangular": ["either", "neither"],
}
NUMBERED = {
    "direct_choice": 1,
    "grid": 0,
    "grid_skip": 0,
    "k_ary": 1,
    "linked_pair": 1,
    "one_bit": 0,
    "one_bit_skip": 0,
}
"""The first number of families with numbered answers. Their reports are numbered too,
unless `REPORTS` names them."""

TABLES: dict[str, list[Parameters]] = {
    "coin": [{}],
    "crosswise": [
        {"prevalence": "1/4"},
        {"prevalence": 0.24657534246575342},  # 90 days of 365
        {"prevalence": "0.7512345678901"},
        {"prevalence": f"1234567890/{LARGEST_PRIME_TOTAL}"},
    ],
    "custom": [
        {"p_yes_given_yes": "3/4", "p_yes_given_no": "1/4"},
        {"p_yes_given_yes": "11/12", "p_yes_given_no": "1/6"},
        {"p_yes_given_yes": 0.1415926535897932, "p_yes_given_no": 0.7182818284590452},
        {"p_yes_given_yes": "3000000001/4294967296", "p_yes_given_no": "1/4096"},
        {
            "p_yes_given_yes": f"1500000000/{WORST_REJECTED_TOTAL}",
            "p_yes_given_no": f"600000000/{WORST_REJECTED_TOTAL}",
        },
    ],
    "die": [{}],
    "direct": [{}],
    "direct_choice": [{"choices": "3"}, {"choices": 2}, {"choices": 20.0}],
    "epsilon": [
        {"epsilon": "1"},
        {"epsilon": 10},
        {"epsilon": "8.318"},  # just past the last epsilon at the finest scale
        {"epsilon": 1.0986122886681098},
        {"epsilon": "0.01"},
        {"epsilon": "1/999999"},
    ],
    "forced_no": [
        {"forced_no": "1/2"},
        {"forced_no": 0.16666666666666666},
        {"forced_no": "0.5772156649"},
    ],
    "forced_response": [
        {"forced_yes": "1/6", "forced_no": "1/6"},
        {"forced_yes": 0.16666666666666666, "forced_no": 0.08333333333333333},
        {"forced_yes": "0.3", "forced_no": 0.6180339887498949},
        {"forced_yes": "1/20000", "forced_no": "1/2"},
    ],
    "forced_yes": [
        {"forced_yes": "1/2"},
        {"forced_yes": "1/3"},
        {"forced_yes": f"1/{LARGEST_PRIME_TOTAL}"},
        {"forced_yes": "0.70710678118"},
    ],
    "grid": [
        {"epsilon": "1", "points": "11"},
        {"epsilon": 2.5, "points": 4},
    ],
    "k_ary": [
        {"epsilon": "1", "choices": "3"},
        {"epsilon": 1.0986122886681098, "choices": 2},
        {"epsilon": "1", "choices": 5},
        {"epsilon": 10, "choices": "4"},
        {"epsilon": "0.05", "choices": 7.0},
    ],
    "linked_pair": [
        {"epsilon": "1", "choices": "4"},
        {"epsilon": 2.5, "choices": 4},
    ],
    "kuk": [
        {"p_red_given_yes": "4/5", "p_red_given_no": "1/5"},
        {"p_red_given_yes": "0.25", "p_red_given_no": "0.9"},
        {"p_red_given_yes": "0.70710678118", "p_red_given_no": "0.57721566490"},
    ],
    "one_bit": [
        {"epsilon": "1", "points": "11"},
        {"epsilon": 10, "points": 6.0},
        {"epsilon": "0.05", "points": 3},
        {"epsilon": "7.77", "points": "16"},
        {"epsilon": 1.0986122886681098, "points": 2},
    ],
    "grid_skip": [
        {"epsilon": "1", "points": "11"},
        {"epsilon": 2.5, "points": 2},
    ],
    "one_bit_skip": [
        {"epsilon": "1", "points": "11"},
        {"epsilon": 10, "points": 6.0},
        {"epsilon": 1.0986122886681098, "points": 2},
    ],
    "triangular": [
        {"prevalence": "1/2"},
        {"prevalence": 0.24657534246575342},  # 90 days of 365
    ],
    "unrelated_question": [
        {"p_sensitive": "2/3", "prevalence": "1/4"},
        {"p_sensitive": 0.7, "prevalence": 0.08493150684931507},  # 31 days of 365
        {"p_sensitive": "0.5772156649", "prevalence": "0.0849"},
    ],
    "warner": [
        {"p": "3/4"},
        {"p": 0.3},
        {"p": "0.7390851332151607"},
        {"p": "22026/22027"},
        {"p": "0.5000000123456"},
    ],
}

NOT_A_CHANCE: list[Any] = [
    0, 1, "1", "1.0", "-1/6", "7/6", 1.5, "1e5", "0", "0/5", "1/0", "1e-400",
    "NaN", "nan", "inf", "-Infinity", "many", "0,25", "25%", "½",
    "٠.٢٥", "１/６",  # noqa: RUF001 - the digits of other scripts are the point
    "1 / 6", "0x1", "0.1_0", "", "  ", None, True, [], [0.25], {"p": 0.25}, "9" * 99,
]  # fmt: skip

NOT_AN_EPSILON: list[Any] = [
    0, "0.0", -1, "-1/2", 10.000001, "1000001/100000", 11, "1e99",
    "NaN", "inf", "one", "1,5", "", None, True, [], "9" * 99,
]  # fmt: skip

NOT_A_NUMBER_OF_CHOICES: list[Any] = [
    0, 1, "1", 21, "256", 2.5, "5/2", "2.0001", -3, "1e9", "three",
    "NaN", "inf", "3,0", "", None, True, [], "9" * 99,
]  # fmt: skip

NOT_A_NUMBER_OF_POINTS: list[Any] = [
    0, 1, "1", 102, "256", 2.5, "11/2", -11, "1e9", "eleven", "NaN", "inf", "", None,
]  # fmt: skip

REFUSED: dict[str, list[Any]] = {
    "epsilon": NOT_AN_EPSILON,
    "choices": NOT_A_NUMBER_OF_CHOICES,
    "points": NOT_A_NUMBER_OF_POINTS,
}
"""By parameter name; all other parameters are chances."""

NOT_TOGETHER: dict[str, list[tuple[Parameters, str]]] = {
    "crosswise": [
        ({"prevalence": "1/2"}, "prevalence"),
        ({"prevalence": "0.5000000000000001"}, "prevalence"),
        ({"prevalence": "1/100000"}, "prevalence"),
    ],
    "custom": [
        ({"p_yes_given_yes": "1/3", "p_yes_given_no": "2/6"}, "p_yes_given_no"),
        # Both lie between the same two multiples of 2**-32.
        (
            {"p_yes_given_yes": "0.300000000016", "p_yes_given_no": "0.300000000015"},
            "p_yes_given_no",
        ),
        ({"p_yes_given_yes": "1/2", "p_yes_given_no": "1e-9"}, "p_yes_given_no"),
        ({"p_yes_given_yes": "1e-99", "p_yes_given_no": "1/2"}, "p_yes_given_yes"),
    ],
    "epsilon": [({"epsilon": "1e-7"}, "epsilon"), ({"epsilon": "1e-300"}, "epsilon")],
    # Both chances of Yes are rounded to 1 in units of 2**-32.
    "forced_yes": [({"forced_yes": "0.9999999999"}, "forced_yes")],
    "forced_response": [
        ({"forced_yes": "1/2", "forced_no": "1/2"}, "forced_yes + forced_no"),
        ({"forced_yes": 0.9, "forced_no": 0.2}, "forced_yes + forced_no"),
        ({"forced_yes": "1/100000", "forced_no": "1/6"}, "forced_yes"),
    ],
    "k_ary": [({"epsilon": "1e-7", "choices": 3}, "epsilon and choices")],
    "linked_pair": [({"epsilon": "1e-7", "choices": 4}, "epsilon and choices")],
    "kuk": [({"p_red_given_yes": 0.2, "p_red_given_no": "1/5"}, "p_red_given_yes")],
    "grid": [({"epsilon": "1e-7", "points": 3}, "epsilon and points")],
    "grid_skip": [({"epsilon": "1e-7", "points": 3}, "epsilon and points")],
    "one_bit": [({"epsilon": "1e-7", "points": 3}, "epsilon and points")],
    "one_bit_skip": [({"epsilon": "1e-7", "points": 3}, "epsilon and points")],
    "unrelated_question": [
        ({"p_sensitive": "99999/100000", "prevalence": "1/4"}, "p_sensitive"),
        ({"p_sensitive": "1/2", "prevalence": "1/99999"}, "prevalence"),
    ],
    "warner": [({"p": 0.5}, "p"), ({"p": "0.99999"}, "p"), ({"p": "1/99999"}, "p")],
}

REFUSED_TABLES: list[dict[str, Any]] = [
    {"why": "uneven rows", "weights": [[3, 1], [1, 2]]},
    {"why": "equal rows", "weights": [[2, 2], [2, 2]]},
    {"why": "dependent rows", "weights": [[4, 0, 2], [0, 4, 2], [2, 2, 2]]},
    {"why": "negative", "weights": [[5, -1], [1, 3]]},
    {"why": "not whole", "weights": [[0.75, 0.25], [0.25, 0.75]]},
    {"why": "not whole by type", "weights": [[3.0, 1.0], [1.0, 3.0]]},
    {"why": "not a number", "weights": [["3", "1"], ["1", "3"]]},
    {"why": "truth values", "weights": [[True, False], [False, True]]},
    {"why": "ragged", "weights": [[3, 1], [4]]},
    {"why": "one report", "weights": [[4], [4]]},
    {"why": "one answer", "weights": [[3, 1]]},
    {"why": "nothing", "weights": []},
    {"why": "all zero", "weights": [[0, 0], [0, 0]]},
    {"why": "beyond a word", "weights": [[2**32, 1], [1, 2**32]]},
    {"why": "256 reports", "weights": [[1] * 255 + [2], [2] + [1] * 255]},
]

REFUSED_TOTALS = [0, -1, 2**32 + 1, 2**53]


TOKEN_SURVEYS, TOKEN_CASES = 3, 10

OLD_TOKENS = ["3q2-7wAAAAAAAAAAAAAAAQ", "-_" * 11, "u" * 22, "0123456789abcdefghjkmn"]


def forced_words(weights: reference.Table) -> list[int]:
    """Return the words on both sides of every step of a table."""
    total = sum(weights[0])
    limit = reference.WORDS - reference.WORDS % total
    steps = {step for row in weights for step in accumulate(row)}
    edges = {0, total - 1, limit - 1, limit, reference.WORDS - 1}
    edges |= steps | {step - 1 for step in steps}
    return sorted(word for word in edges if 0 <= word < reference.WORDS)


def cases(weights: reference.Table, words: Iterator[int]) -> Iterator[dict[str, Any]]:
    begins = [[word] for word in forced_words(weights)] + [[]] * STREAM_CASES
    for begin in begins:
        for answer in range(len(weights)):
            drawn, kept = tee(chain(begin, words))
            report, used = reference.sample(weights, answer, drawn)
            yield {
                "words": list(islice(kept, used + SPARE_WORDS)),
                "answer": answer,
                "report": report,
                "words_used": used,
            }


def refused(family: str) -> Iterator[dict[str, Any]]:
    sound = TABLES[family][0]
    for name in sound:
        yield {"parameters": {**sound, name: ...}, "names": name}
        for bad in REFUSED.get(name, NOT_A_CHANCE):
            yield {"parameters": {**sound, name: bad}, "names": name}
    for unknown in ("chance", "self", "family", "P"):
        yield {"parameters": {**sound, unknown: "1/6"}, "names": unknown}
    for parameters, names in NOT_TOGETHER.get(family, []):
        yield {"parameters": parameters, "names": names}


def without_missing(case: dict[str, Any]) -> dict[str, Any]:
    given = {k: value for k, value in case["parameters"].items() if value is not ...}
    return {**case, "parameters": given}


def table(family: str, parameters: Parameters, words: Iterator[int]) -> dict[str, Any]:
    numbers = {k: reference.read_number(value) for k, value in parameters.items()}
    weights = getattr(reference, family)(**numbers)
    return {
        "parameters": parameters,
        **(find_names(family, weights) if family in NUMBERED else {}),
        "weights": weights,
        "epsilon": reference.epsilon_text(weights),
        "cases": list(cases(weights, words)),
    }


def find_names(family: str, weights: reference.Table) -> dict[str, list[str]]:
    first = NUMBERED[family]
    numbers = [str(number) for number in range(first, first + len(weights))]
    if family.endswith("_skip"):
        numbers[-1] = "skipped"
    return {"answers": numbers, "reports": REPORTS.get(family, numbers)}


def files() -> dict[str, str]:
    """Return the text of every file by its name."""
    made = {}
    for family, all_parameters in TABLES.items():
        words = reference.stream(f"candor/{family}")
        made[f"{family}.json"] = layout(
            {
                "family": family,
                "answers": [] if family in NUMBERED else YES_NO,
                "reports": REPORTS.get(family, [] if family in NUMBERED else YES_NO),
                "tables": [table(family, given, words) for given in all_parameters],
                "refused": [without_missing(case) for case in refused(family)],
            }
        )
    made["refused_tables.json"] = layout(
        {"tables": REFUSED_TABLES, "totals": REFUSED_TOTALS}
    )
    made["tokens.json"] = layout(tokens())
    return made


def tokens() -> dict[str, Any]:
    """Return valid tokens, readable and unreadable inputs, and tokens by survey."""
    words = reference.stream("candor/tokens")
    digests = [f"{next(words):08x}" * 8 for _ in range(TOKEN_SURVEYS)]
    # The second and the third contain only characters that may be misread.
    randoms = [reference.random_characters(words), "0" * 25, "1" * 24 + "0"]
    randoms += [reference.random_characters(words) for _ in range(TOKEN_CASES)]
    valid = [
        {"digest": digest, "token": reference.token(random, digest)}
        for digest in digests
        for random in randoms
    ]
    first, zeros, ones = (case["token"] for case in valid[:3])
    read = [
        (first, first),
        (first.upper(), first),
        (first.replace("-", ""), first),
        (first.replace("-", " "), first),
        (first.replace("-", "\N{EN DASH}"), first),
        (first.replace("-", "\N{MINUS SIGN}"), first),
        (f"-\N{NO-BREAK SPACE} {first}- ", first),
        ("-".join(first), first),
        (zeros.replace("0", "o"), zeros),
        (zeros.replace("0", "O"), zeros),
        (ones.replace("1", "i").upper(), ones),
        (ones.replace("1", "l"), ones),
        (ones.replace("1", "L"), ones),
        *((old, old) for old in OLD_TOKENS),
    ]
    refused = [
        "",
        "-",
        *(first[:length] for length in (1, 4, 22, 33)),
        *(first[start : start + 22] for start in range(1, 13)),
        first.replace("-", "")[:-1],
        first.replace("-", "")[:21],
        f"{first}0",
        f"{first}-{first}",
        f"u{first[1:]}",
        f"U{first[1:]}",
        f"{first[:-1]}_",
        f"{first[:-1]}\N{KELVIN SIGN}",
        f"{first[:-1]}\N{ARABIC-INDIC DIGIT ONE}",
        f"{first[:-1]}\N{FULLWIDTH DIGIT ONE}",
        f"{first}\n",
        f"{first}\N{ZERO WIDTH SPACE}",
        *(f"{old}A" for old in OLD_TOKENS),
        *(old[:-1] for old in OLD_TOKENS),
        f"{OLD_TOKENS[0][:-1]}+",
        f"{OLD_TOKENS[0]}\n",
    ]
    return {
        "digests": digests,
        "tokens": valid,
        "read": [{"typed": typed, "token": token} for typed, token in read],
        "old": OLD_TOKENS,
        "refused": refused,
    }


def layout(content: Any) -> str:
    """Return JSON with one line for every table, case and refusal."""
    return "".join(lines(content)) + "\n"


def lines(content: Any) -> Iterator[str]:
    if isinstance(content, dict) and any(
        isinstance(value, list) and value and isinstance(value[0], dict)
        for value in content.values()
    ):
        opening = "{\n"
        for key, value in content.items():
            yield f"{opening}{json.dumps(key)}: "
            yield from lines(value)
            opening = ",\n"
        yield "\n}"
    elif isinstance(content, list) and content and isinstance(content[0], dict):
        opening = "[\n"
        for value in content:
            yield opening
            yield from lines(value)
            opening = ",\n"
        yield "\n]"
    else:
        yield json.dumps(content, ensure_ascii=False)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

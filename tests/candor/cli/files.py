"""Data files for the commands in `printed.txt`."""

from tests.candor.regression.surveys import fixture


def text_of(header, rows, separator=","):
    return "".join(separator.join(map(str, row)) + "\n" for row in (header, *rows))


def groups_of(yes, no):
    """60 of 100 in the first group, and 40 of 100 in the second."""
    return [(yes, "a")] * 60 + [(no, "a")] * 40 + [(yes, "b")] * 40 + [(no, "b")] * 60


def known_rows():
    predictors, yes = fixture()
    return [(int(each), x) for each, (_, x) in zip(yes, predictors, strict=True)]


KNOWN = known_rows()
REPORTS = [("yes", 1), ("no", 2), ("yes", 0.5), ("no", 4), ("no", 1)] * 20
"""Two coins: the reports and weights of docs/researchers/weights.md."""

POINTS = [("0", 1), ("1", 2), ("2", 3)] * 40
ENDS = [("high", 1), ("low", 2)] * 40
HEAVY = ("heavy", "w")
SHARES = "question,answer,share\n"
# Of 1200 people: yes to both .3, to x alone .2, to y alone .1, by a die and two coins
BOTH = [("1", "1")] * 290 + [("1", "0")] * 310 + [("0", "1")] * 250 + [("0", "0")] * 350

FILES = {
    "known.csv": text_of(["report", "x"], [*KNOWN, ("", 0.5), (1, "NA")]),
    "commas.csv": text_of(
        ["report", "x", "w"],
        [(each, str(x).replace(".", ","), "1,5") for each, x in KNOWN],
        ";",
    ),
    "thousands.csv": text_of(
        ["r", "x"], [(i % 2, f"{1 + i % 60},{i % 7}00") for i in range(300)], ";"
    ),
    "rows.csv": text_of(
        ["r", "x", "t"], [(i % 2, i % 7, "abc"[i % 3]) for i in range(300)]
    ),
    "crosswise.csv": text_of(["r", "g"], groups_of("same", "different"), ";"),
    **{
        f"reports-{yes}.csv": text_of(["r", "g"], groups_of(yes, no))
        for yes, no in (("1", "0"), ("yes", "no"), ("Yes", "NO"), ("1.0", "0.0"))
    },
    "three.csv": text_of(["r", "g"], [(1 + i * i % 7 % 3, i % 2) for i in range(300)]),
    "both.csv": text_of(["x", "y"], BOTH),
    "weighted.csv": text_of(
        ["y", "x", "w"],
        [(1, 1, 2), (0, 1, 4), (1, 0, 2), (0, 0, 2)] * 40
        + [(1, 1, 2)] * 60
        + [(0, 0, 2)] * 20,
    ),
    "schools.csv": text_of(
        ["y", "x", "c"],
        [
            (int(member < 4 + school + (3 + school % 2) * x), x, f"school {school}")
            for school in range(5)
            for x in (0, 1)
            for member in range(20)
        ],
    ),
    # 26 yes of 100: the share may be 0, and its log odds unbounded below
    "open.csv": text_of(["r", "g"], [(1, "a")] * 26 + [(0, "a")] * 74 + [(1, "b")] * 60
                        + [(0, "b")] * 40),
    "few.csv": text_of(["r", "x"], [(1, 0), (0, 1), (1, 1), (0, 0)] * 2),
    "empty.csv": "",
    "header.csv": "r,x\n",
    "gaps.csv": "r,x\n,1\n1,\n",
    "long.csv": "r,x\n1,2,3\n",
    "twice.csv": "r,x,x\n1,2,3\n",
    "heavy.csv": text_of(HEAVY, REPORTS),
    "codes.csv": text_of(
        HEAVY,
        [*((int(report == "yes"), w) for report, w in REPORTS), ("", 1), ("NA", 1)],
    ),
    "people.csv": "sex,heavy\n" + "f,yes\nf,no\n" * 50 + "m,yes\nm,no\n" * 105
    + "m,no\n" * 90,
    "sexes.csv": f"{SHARES}sex,f,50\nsex,m,50\n",
    "half.csv": f"{SHARES}heavy,yes,50\n",
    "others.csv": f"{SHARES}heavy,yes,50\nheavy,maybe,50\n",
    "none.csv": f"{SHARES}heavy,yes,50\nheavy,no,25\nheavy,maybe,25\n",
    "ends.csv": text_of(HEAVY, ENDS),
    "points.csv": text_of(HEAVY, POINTS),
    **{
        f"weight{weight}.csv": text_of(HEAVY, [("yes", weight)])
        for weight in ("-1", "0", "1e300", "1e-300", "many", "inf")
    },
    "reports.csv": text_of(HEAVY, [("perhaps", 1)]),
    "missing.csv": text_of(HEAVY, [("", 1)]),
    "wrong.csv": text_of(HEAVY, [("yes", "x")] * 30),
}  # fmt: skip

"""The recorded cases: each function makes and visits one kind of survey."""

import json
from io import BytesIO
from urllib.parse import urlencode

import openpyxl
from django.conf import settings

from candor.mechanisms.draws import NOT_ASKED
from tests.golden.site import ADMIN, counted_apart, expected

COIN = ("coin", {"text": "Did you ever copy in an exam?"})
DIE = ("die", {"text": "Did you ever hand in what others wrote?"})
DIRECT = ("direct", {"text": "Do you study full time?"})
THREE = ("k_ary", {"parameters": {"epsilon": 2, "choices": 3}})
FIELD = (
    "direct_choice",
    {"text": "What do you study?", "choices": ["Arts", "Law", "Medicine", "Other"]},
)
MEAN = (
    "one_bit",
    {
        "text": "How content are you?",
        "parameters": {"epsilon": 1, "points": 11},
        "scale": {"low": "0", "high": "10"},
    },
)
GRID = (
    "grid",
    {
        "text": "How often do you feel under pressure?",
        "parameters": {"epsilon": 2, "points": 5},
        "scale": {"low": "1", "high": "5"},
    },
)
QUARTER = {
    "parameters": {"prevalence": "1/4"},
    "innocuous_question": "Were you born in the first quarter?",
}


def coin(site):
    survey = site.make(
        "coin",
        [COIN],
        {b"\0": 402, b"\1": 598},
        purpose="To learn how much is copied.",
        contact="ada@example.org",
        ethics_reference="Committee 7/2026",
    )
    site.results(survey)
    site.see("export", survey, "export/")
    site.export(survey, "estimates.csv", "methods.txt", "codebook.csv", "reports.csv")
    site.see("methods", survey, "results/", method="bayes")
    site.results(survey, confidence_level="0.99", method="pratt")
    site.results(survey, forged="20", is_census="on")
    site.results(survey, confidence_level="2", forged="many")
    site.charts(survey, 1, 2)
    for form in ("png", "pdf", "gif"):
        site.see("charts", survey, f"results/1/chart.{form}")
    site.see("compare", survey, "results/compare/")
    site.see("regression", survey, "results/regression/")
    site.see("weighted", survey, "results/weighted/")
    site.client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    site.see("german", survey, "results/")
    site.see("german", survey, "export/")


def yes_or_no(site):
    """Each yes/no family in the browser."""
    families = {
        "die": {},
        "epsilon": {"epsilon": "1/2"},
        "forced_response": {"forced_yes": "1/6", "forced_no": "1/12"},
        "warner": {"p": "7/10"},
        "custom": {"p_yes_given_yes": "0.9", "p_yes_given_no": "0.3"},
        "kuk": {"p_red_given_yes": "0.8", "p_red_given_no": "0.3"},
        "crosswise": {"prevalence": "1/4"},
        "unrelated_question": {"p_sensitive": "2/3", "prevalence": "1/4"},
        "direct": {},
    }
    survey = site.make(
        "yes-or-no",
        [(family, {"parameters": given}) for family, given in families.items()],
        counted_apart(*[(150 + 20 * number, 350 - 20 * number) for number in range(9)]),
    )
    site.results(survey)
    site.charts(survey, 3)
    site.export(survey, "methods.txt", "codebook.csv")


def by_hand(site):
    """One-sided mechanisms and others carried out by hand."""
    survey = site.make(
        "by-hand",
        [
            ("forced_yes", {"parameters": {"forced_yes": "1/6"}}),
            ("forced_no", {"parameters": {"forced_no": "1/6"}}),
            ("triangular", QUARTER),
            (
                "crosswise",
                {**QUARTER, "innocuous_question": "Was your mother born then?"},
            ),
            ("coin", {}),
        ],
        counted_apart((90, 210), (60, 240), (120, 180), (190, 110), (110, 190)),
        mode="hand",
    )
    site.results(survey)
    site.see("export", survey, "export/")
    site.export(survey, "estimates.csv", "methods.txt", "codebook.json", "reports.csv")
    site.see("xlsform", survey, "export/xlsform.xlsx")
    site.see("monitor", survey, "monitor/")


def several_answers(site):
    """Questions with more than two answers, one of them "Prefer not to answer"."""
    five = ["Never", "Once", "Twice", "Often", "Daily"]
    survey = site.make(
        "several-answers",
        [
            ("k_ary", {"parameters": {"epsilon": 2}, "choices": five}),
            THREE,
            (
                "k_ary",
                {
                    "parameters": {"epsilon": 1},
                    "choices": ["Yes", "No", "Prefer not to answer"],
                },
            ),
            FIELD,
        ],
        counted_apart(
            (120, 150, 200, 230, 300),
            (285, 467, 248),
            (380, 340, 280),
            (500, 300, 180, 20),
        ),
    )
    site.everything(survey)
    site.results(survey, intervals="together", confidence_level="0.9")
    site.results(survey, forged="10")
    site.charts(survey, 1, 2)
    site.see("compare", survey, "results/compare/", first="2", second="4")
    site.publish(survey, "several", questions=["1", "2", "3"])


def scales(site):
    """Scales that estimate only the mean, and scales that estimate shares too."""
    survey = site.make(
        "scales",
        [
            MEAN,
            GRID,
            (
                "one_bit",
                {
                    "text": "What did you pay?",
                    "parameters": {"epsilon": "1/2", "points": 5},
                    "scale": {"low": "0", "high": "1/2"},
                    "choices": ["0: nothing", "0.125", "0.25", "0.375", "0.5: all"],
                },
            ),
            DIRECT,
        ],
        counted_apart((600, 400), (153, 198, 292, 223, 134), (0, 1000), (640, 360)),
    )
    site.everything(survey)
    site.results(survey, method="pratt", confidence_level="0.99", forged="5")
    site.charts(survey, 1, 2)
    compare = site.of(survey, "results/compare/")
    for first, second in ((1, 4), (2, 4), (1, 2), (4, 1)):
        site.record("compare", compare, first=first, second=second)
    site.see("compare", survey, "results/compare.csv", first=1, second=4)
    site.see("weighted", survey, "results/weighted/", known4_1="50")
    site.see("weighted", survey, "results/weighted.csv", known4_1="50")
    site.see("regression", survey, "results/regression/")
    site.publish(survey, "scales", questions=["1", "2"])


def linked_pair(site):
    survey = site.make(
        "linked-pair",
        [
            (
                "linked_pair",
                {
                    "parameters": {"epsilon": 1},
                    "choices": ["Both", "Only alcohol", "Only drugs", "Neither"],
                },
            ),
            COIN,
        ],
        counted_apart((235, 205, 265, 295), (500, 500)),
    )
    site.results(survey)
    site.export(survey, "estimates.csv", "methods.txt", "codebook.json", "reports.csv")
    site.see("compare", survey, "results/compare/", first="2", second="1")


def draws(site):
    """Everyone answers the first question and one of two others."""
    _ = NOT_ASKED
    survey = site.make(
        "draws",
        [DIRECT, COIN, DIE],
        {
            bytes([0, 0, _]): 60,
            bytes([0, 1, _]): 40,
            bytes([1, 0, _]): 50,
            bytes([1, 1, _]): 50,
            bytes([0, _, 0]): 30,
            bytes([0, _, 1]): 60,
            bytes([1, _, 0]): 40,
            bytes([1, _, 1]): 70,
        },
        draws="1 of 2, 3",
    )
    site.everything(survey)
    site.see("compare", survey, "results/compare/", first="2", second="3")
    site.see("compare", survey, "results/compare.csv", first="2", second="3")
    site.see("compare", survey, "results/compare.svg", first="2", second="3")
    site.see("compare", survey, "results/compare/", first="1", second="2")
    site.see("monitor", survey, "monitor/")


def questionnaire(site):
    """A tick list, a condition and scales that can be skipped."""
    _ = NOT_ASKED
    scale = {"epsilon": "2", "points": "5"}
    low_to_high = {"low": "1", "high": "5"}
    listed = {"tick_list": "Which of these have you done?", "text": "Copied"}
    survey = site.make(
        "questionnaire",
        [
            DIRECT,
            ("coin", {"show_if": "1 is Yes"}),
            ("coin", listed),
            ("coin", {"text": "Cheated"}),
            ("coin", {"text": "Paid"}),
            ("one_bit_skip", {"parameters": scale, "scale": low_to_high}),
            ("grid_skip", {"parameters": scale, "scale": low_to_high}),
        ],
        {
            bytes([0, 0, 0, _, _, 0, 0]): 60,
            bytes([0, 1, _, 0, _, 1, 1]): 90,
            bytes([1, 1, _, _, 0, 2, 5]): 50,
            bytes([1, 1, 1, _, _, 0, 2]): 70,
            bytes([1, 1, _, 1, _, 1, 3]): 80,
            bytes([0, 1, _, _, 1, 0, 4]): 50,
        },
        draws="1 of 3-5",
    )
    site.results(survey)
    site.export(survey, "estimates.csv", "codebook.json", "methods.txt")
    for first, second in ((4, 1), (6, 1), (1, 6)):
        site.see("compare", survey, "results/compare/", first=first, second=second)
    site.see("monitor", survey, "monitor/")
    site.publish(survey, "questionnaire", questions=["1", "4", "5", "6"])


def direct(site):
    """Questions without protection, and randomising on the server."""
    survey = site.make(
        "direct",
        [DIRECT, FIELD, COIN],
        counted_apart((30, 12), (20, 10, 12, 0), (25, 17)),
        mode="server",
    )
    site.results(survey)
    site.results(survey, is_census="on", forged="3", confidence_level="0.8")
    site.charts(survey, 2)
    site.export(survey, "methods.txt", "reports.sav", "codebook.json")


STUDY = {
    "title": "Armed groups",
    "slug": "armed-groups",
    "organiser": "Blair, Imai & Zhou",
    "questions": [
        {
            "text": "Did you have direct social contact with armed groups?",
            "family": "forced_response",
            "parameters": {"forced_yes": "1/6", "forced_no": "1/6"},
            "column": "contact",
            "codes": {"1": "yes", "0": "no"},
        }
    ],
}
# Blair, Imai & Zhou 2015: 831 of 2,435 reports are yes.
ROWS_OF_STUDY = "id,contact\n" + "7,1\n" * 831 + "7,0\n" * 1604 + "7,NA\n" * 22


def imported(site):
    """Importing a field study by page and by command."""
    page = f"{ADMIN}/survey/import/"
    site.record("import", page)
    study = json.dumps(STUDY)
    answer = site.send("import", page, {}, study=study, reports=ROWS_OF_STUDY)
    sent = site.sent_by(answer, button="checked")
    site.send("import", page, sent, study=study, reports=ROWS_OF_STUDY)
    site.send("import", page, {}, study=study, reports=ROWS_OF_STUDY)
    bad = "contact\n1\nx\n2\n0\n"
    site.send("import-refused", page, {}, study=study, reports=bad)
    site.send("import-refused", page, {}, study="{}", reports=ROWS_OF_STUDY)
    site.send("import-refused", page, {}, study=study, reports="other\n1\n")
    wrong = json.dumps({**STUDY, "questions": [{"text": "?", "family": "none"}]})
    site.send("import-refused", page, {}, study=wrong, reports=ROWS_OF_STUDY)
    survey = site.survey_at("armed-groups")
    site.results(survey)
    site.export(survey, "methods.txt", "estimates.json")
    files = {
        "study": {**STUDY, "slug": "by-command"},
        "reports": ROWS_OF_STUDY.replace("7,1\n", "7,0\n", 100),
        "refused": bad,
    }
    paths = {name: site.folder / name for name in files}
    for name, content in files.items():
        text = content if isinstance(content, str) else json.dumps(content)
        paths[name].write_text(text)
    command = ("import_reports", paths["study"])
    site.command("command", *command, paths["reports"])
    site.command("command", *command, paths["reports"])
    site.command("command", *command, paths["refused"])


def mapped(site):
    """Importing reports with columns and codes chosen on the page."""
    draft = site.make("asked", [COIN, THREE], state="draft")
    page = f"{ADMIN}/survey/import/"
    rows = ["a;ja;1"] * 60 + ["b;nein;2"] * 70 + ["c;nein;3"] * 40
    reports = "\n".join(["person;copied;kind", *rows])
    site.record("mapping", page, asked=draft.pk)
    asked = {"asked": draft.pk}
    answer = site.send("mapping", page, asked, reports=reports)
    sent = site.sent_by(answer, button="read")
    site.send("mapping", page, sent, reports=reports)
    sent |= {"column-1": "1", "column-2": "2"}
    answer = site.send("mapping", page, sent, reports=reports)
    sent = site.sent_by(answer, button="read") | {
        "cell-1-1-0": "yes",
        "cell-1-1-1": "no",
        "confirmed-1-1": "1",
        "confirmed-2-2": "1",
    }
    answer = site.send("mapping", page, sent, reports=reports)
    site.send("mapping", page, site.sent_by(answer, button="checked"), reports=reports)
    book = openpyxl.Workbook()
    for row in reports.splitlines():
        book.active.append(row.split(";"))
    book.save(written := BytesIO())
    site.send("workbook", page, asked, reports=written.getvalue())


def simulated(site):
    survey = site.make(
        "simulated",
        [COIN, DIE],
        counted_apart((420, 580), (500, 500)),
        is_simulated=True,
        language="de",
    )
    site.results(survey)
    site.see("export", survey, "export/")
    site.export(survey, "methods.txt", "estimates.csv")
    site.see("publish", survey, "publish/")


def misfit(site):
    """Unlikely reports and estimates at the edges."""
    survey = site.make(
        "misfit",
        [COIN, DIE, THREE, GRID, DIRECT],
        counted_apart(
            (60, 940), (700, 300), (60, 60, 880), (600, 20, 20, 20, 340), (999, 1)
        ),
    )
    site.results(survey)
    site.results(survey, method="bayes", forged="100")
    site.charts(survey, 1, 3)
    site.export(survey, "methods.txt", "estimates.json")
    compare = site.of(survey, "results/compare/")
    for first, second in ((1, 2), (1, 5), (3, 5), (4, 5)):
        site.record("compare", compare, first=first, second=second)
    site.see("regression", survey, "results/regression/")
    site.see("regression", survey, "results/regression/", outcome="2-0", scrambled="1")
    site.publish(survey, "misfit", questions=["1", "2", "3", "4"])


def few(site):
    """No responses, fewer than the minimum, small groups, and identical reports."""
    empty = site.make("empty", [COIN, DIRECT, MEAN, THREE], state="open")
    for page in ("results", "export", "publish", "monitor", "results/compare"):
        site.see("empty", empty, f"{page}/")
    for page in ("results/weighted", "results/regression"):
        site.see("empty", empty, f"{page}/", known2_1="50")
    site.charts(empty, 1)
    closed = site.make("closed-empty", [COIN, DIRECT])
    for page in ("results", "export", "publish", "results/compare"):
        site.see("closed-empty", closed, f"{page}/")
    few = site.make("too-few", [COIN, DIE], {b"\0\0": 5, b"\1\1": 4}, state="open")
    for page in ("results", "export", "publish", "monitor", "results/compare"):
        site.see("too-few", few, f"{page}/")
    site.see("too-few", few, "export/files/estimates.csv")
    site.see("too-few", few, "results/1/chart.svg")
    counts = counted_apart(
        (1, 0), (0, 12), (12, 0, 0), (12, 0), (0, 12), (0, 0, 12, 0, 0)
    )
    identical = site.make("identical", [COIN, DIE, THREE, DIRECT, MEAN, GRID], counts)
    site.see("identical", identical, "results/")
    site.see("identical", identical, "results/", method="pratt")
    site.see("identical", identical, "results/", method="bayes")
    site.charts(identical, 1, 2)
    site.export(identical, "methods.txt", "estimates.json")
    for first, second in ((2, 4), (2, 3), (6, 4)):
        site.see("identical", identical, "results/compare/", first=first, second=second)
    site.see("identical", identical, "publish/")
    site.see("identical", identical, "results/weighted/", known4_1="50")


MARGINS = (
    "question,answer,share\n2,Yes,55\n2,No,45\n"
    "3,Arts,25\n3,Law,25\n3,Medicine,30\n3,Other,20\n"
)
ROWS_OF_FILE = "id,heavy,w,sex,x,town\n" + "".join(
    f"{number},{('no', 'yes')[number % 7 < 3]},{1 + number % 4},{'ffm'[number % 3]},"
    f"{number % 5},{'abc'[number % 11 % 3]}\n"
    for number in range(400)
)


def weighted(site):
    survey = site.make(
        "weighted",
        [COIN, DIRECT, FIELD, THREE, MEAN],
        counted_apart(
            (400, 500), (600, 300), (300, 300, 250, 50), (300, 280, 320), (500, 400)
        ),
    )
    page, file = (site.of(survey, f"results/weighted{end}") for end in ("/", ".csv"))
    known = {"known2_1": "55", "known3_1": "25", "known3_2": "25", "known3_3": "30"}
    site.record("page", page)
    site.record("page", page, known2_1="55")
    site.record("page", page, **known, confidence_level="0.9", method="pratt")
    site.record("page", page, known3_1="100", known3_2="0", known3_3="0")
    site.record("refused", page, known3_1="25", known3_2="x")
    site.record("refused", page, known2_1="0.3")
    site.record("refused", page, known3_1="90", known3_2="20", known3_3="1")
    site.send("refused", page, {}, file="question,answer\n2,Yes\n")
    site.send("file", page, {}, file=MARGINS)
    site.record("csv", file, **known)
    site.record("csv", file)


def groups(site):
    """Questions by another question: direct and randomised groups, means."""
    # Full-time students copy less and are under more pressure.
    questions = [COIN, DIE, DIRECT, FIELD, MEAN, GRID]
    people = {
        (0, 0, 0, 0, 6, 3): 130, (0, 1, 0, 1, 8, 1): 190, (1, 0, 0, 2, 9, 2): 210,
        (1, 1, 0, 3, 4, 0): 260, (0, 0, 1, 0, 3, 4): 280, (1, 1, 1, 0, 2, 3): 240,
        (0, 1, 1, 2, 5, 2): 175, (1, 0, 1, 1, 7, 1): 95, (0, 0, 1, 3, 1, 4): 20,
    }  # fmt: skip
    survey = site.make("groups", questions, expected(questions, people))
    for first, second in ((1, 3), (1, 2), (1, 4), (4, 1), (5, 3), (6, 1), (5, 2)):
        chosen = {"first": first, "second": second}
        site.see("compare", survey, "results/compare/", **chosen)
    for first, second in ((1, 3), (1, 2), (6, 1), (5, 4)):
        chosen = {"first": first, "second": second}
        site.see("files", survey, "results/compare.csv", **chosen)
        site.see("files", survey, "results/compare.svg", **chosen)
    site.see("files", survey, "results/compare.pdf", first=1, second=3)
    compare = site.of(survey, "results/compare/")
    site.record(
        "compare", compare, first=1, second=3, method="pratt", confidence_level="0.8"
    )
    site.record("refused", compare, first=1, second=1)
    site.record("refused", compare, first=1, second=5)
    site.record("refused", compare, first=1, second=9)


def waves(site):
    """The same questions in two surveys with different mechanisms."""
    first = site.make(
        "wave-1",
        [COIN, GRID, MEAN, THREE],
        counted_apart(
            (400, 600), (153, 198, 292, 223, 134), (600, 400), (400, 300, 300)
        ),
        title="Wave 1",
    )
    second = site.make(
        "wave-2",
        [
            ("die", {"text": "Did you ever copy in an exam?"}),
            GRID,
            MEAN,
            ("k_ary", {"text": "Another?", "parameters": {"epsilon": 1, "choices": 3}}),
        ],
        counted_apart(
            (350, 450), (103, 158, 242, 183, 114), (300, 500), (250, 250, 300)
        ),
        title="Wave 2",
    )
    site.make("elsewhere", [FIELD], {b"\0": 40})
    for number in range(1, 5):
        chosen = {"first": number, "second": number, "other": second.pk}
        site.see("compare", first, "results/compare/", **chosen)
        site.see("files", first, "results/compare.csv", **chosen)
    site.see("files", first, "results/compare.svg", first=1, second=2, other=second.pk)


REGRESSION_OF_FILE = {
    "outcome": "heavy",
    "family": "forced_response",
    "numbers": "forced_yes=1/6 forced_no=1/6",
    "answer": "1",
    "formula": "x + sex",
    "weights": "",
    "confidence_level": "0.95",
}


def regression(site):
    questions = [COIN, DIRECT, DIE, THREE]
    people = {
        (0, 0, 0, 0): 460, (1, 0, 0, 1): 240, (0, 1, 0, 2): 240, (1, 1, 0, 0): 360,
        (0, 0, 1, 1): 155, (1, 0, 1, 2): 535, (0, 1, 1, 0): 130, (1, 1, 1, 1): 550,
        (0, 0, 0, 2): 345, (1, 0, 1, 0): 320, (0, 1, 1, 1): 125, (1, 1, 0, 2): 365,
    }  # fmt: skip
    survey = site.make("regression", questions, expected(questions, people))
    page, file = (site.of(survey, f"results/regression{end}") for end in ("/", ".csv"))
    chosen = [
        {"outcome": "1-0", "reference_2": "1"},
        {"outcome": "2-0", "scrambled": "1"},
        {"outcome": "1-0", "reference_2": "0", "scrambled": "3"},
        {"outcome": "4-1", "reference_2": "1"},
    ]
    site.record("page", page)
    for each in chosen:
        site.record("page", page, **each)
        site.record("csv", file, **each)
    site.record("refused", page, outcome="1-0")
    site.record("refused", page, outcome="1-0", scrambled="1")
    page = f"{ADMIN}/survey/regression/"
    site.record("of-a-file", page)
    site.send("of-a-file", page, REGRESSION_OF_FILE, file=ROWS_OF_FILE)
    weighted = {**REGRESSION_OF_FILE, "weights": "w", "csv": "on"}
    site.send("of-a-file", page, weighted, file=ROWS_OF_FILE)
    refused = {**REGRESSION_OF_FILE, "formula": "y"}
    site.send("of-a-file", page, refused, file=ROWS_OF_FILE)


def few_in_regression(site):
    """Predictors with rare answers or complete separation."""
    people = {
        b"\0\0\0": 200, b"\1\1\0": 190, b"\0\1\1": 3, b"\1\0\2": 40, b"\0\1\3": 4,
        b"\1\0\0": 150,
    }  # fmt: skip
    survey = site.make("rare", [COIN, DIRECT, FIELD], people)
    page = site.of(survey, "results/regression/")
    site.record("page", page, outcome="1-0", reference_3="0")
    site.record("page", page, outcome="1-0", reference_2="0", reference_3="0")
    site.record("page", page, outcome="2-0", scrambled="1")


def planned(site):
    """A planned analysis in an open and in a closed survey."""
    plan = {
        "shares_to_beat": "1 > 11, 1 > 12, 2.2 < 60, 1 < 90",
        "pinned_pairs": "1-2, 1-3",
        "pinned_level": "0.9",
        "pinned_method": "pratt",
    }
    counts = counted_apart((160, 240), (150, 250), (180, 220))
    for state in ("open", "closed"):
        survey = site.make(
            f"planned-{state}", [COIN, DIE, DIRECT], counts, state=state, **plan
        )
        site.results(survey)
    site.results(survey, confidence_level="0.95")
    site.see("compare", survey, "results/compare/", first=1, second=2)
    site.see("compare", survey, "results/compare/", first=2, second=3)
    site.see("compare", survey, "results/compare.csv", first=1, second=3)
    site.see("others", survey, "results/weighted/", known3_1="50")
    site.see("others", survey, "results/regression/")
    site.see("others", survey, "results/regression.csv", outcome="1-0", reference_3="1")
    site.see("export", survey, "export/")
    site.export(survey, "methods.txt", "estimates.csv", "estimates.json")
    chosen = {"confidence_level": "0.9", "method": "pratt"}
    site.publish(survey, "planned", questions=["1", "2", "3"], **chosen)


def published(site):
    survey = site.make(
        "published", [COIN, DIE, DIRECT], counted_apart((400, 600), (12, 8), (700, 300))
    )
    site.see("publish", survey, "publish/")
    site.see("publish", survey, "publish/preview/")
    site.send("publish", site.of(survey, "publish/"), {"headline": "Nothing chosen"})
    site.publish(
        survey,
        "exact",
        headline="How many copied",
        note="We asked 1,000 students.\n\nRead more elsewhere.",
        questions=["1", "3"],
        confidence_level="0.99",
        method="bayes",
    )
    preview = site.of(survey, "publish/preview")
    for end in ("overview.svg", "1.svg", "2.svg", "estimates.csv"):
        site.record("preview", f"{preview}/{end}")
    site.send("publish", site.of(survey, "publish/switch/"), {"is_public": "off"})
    site.client.logout()
    site.record("public", "/r/exact/")
    site.record("public", "/r/exact/1.svg")


def noisy(site):
    """Counts that were released with noise."""
    counts = counted_apart((400, 600), (300, 700), (300, 280, 420), (700, 300))
    chosen = {"confidence_level": "0.95", "method": "feldman-cousins"}
    survey_counts = {
        "1": [403, 590],
        "2": [310, 691],
        "3": [295, 290, 411],
        "4": [699, 304],
    }
    odd = {"1": [3, 940], "2": [-4, 12], "3": [5, -3, 900], "4": [0, -1]}
    for slug, epsilon, released, respondents in (
        ("noisy", "1.00", survey_counts, 1003),
        ("noisier", "0.25", odd, 17),
    ):
        survey = site.make(slug, [COIN, DIE, THREE, DIRECT], counts)
        release = {"epsilon": epsilon, "respondents": respondents, "tallies": released}
        plan = {"questions": ["1", "2", "3", "4"], "release_epsilon": epsilon, **chosen}
        site.publish(survey, slug, releases=[release], **plan)
    counts = counted_apart((500, 500), (500, 500))
    scale = site.make("noisy-scale", [MEAN, COIN], counts)
    sent = {"questions": ["1", "2"], "release_epsilon": "1.00", **chosen}
    site.send("publish", site.of(scale, "publish/"), sent)


def planner(site):
    """The planner's figures for each kind of question, and its errors."""
    asked = {
        "coin": {},
        "die": {},
        "epsilon": {"epsilon__epsilon": "0.5"},
        "k_ary": {
            "k_ary__epsilon": "1",
            "k_ary__choices": "Notes\nA phone\nBoth\nNeither",
        },
        "linked_pair": {"linked_pair__epsilon": "1"},
        "one_bit": {"one_bit__epsilon": "1", "one_bit__points": "11"},
        "grid": {"grid__epsilon": "2", "grid__points": "5"},
        "direct": {},
    }
    page = f"{ADMIN}/plan/"

    def plan(name, families, **assumed):
        questions = [urlencode({"family": each, **asked[each]}) for each in families]
        site.record(name, page, **assumed, question=questions)

    assumed = {"share": "20", "against": "10", "other": "30", "margin": "5"}
    assumed["respondents"] = "1000"
    for family in sorted(asked.keys() - {"die"}):
        plan(family, [family], **assumed)
    spread = {"mean": "40", "sd": "20", "difference": "10"}
    few = {"respondents": "500", "design_effect": "1.5", "response_rate": "40"}
    plan("coin", ["coin"], level="0.99", intervals="pratt", prior="30", ratio="2")
    plan("coin", ["coin"], **few, mode="hand")
    plan("coin", ["coin"], language="de", share="3", respondents="400")
    plan("coin", ["coin"], respondents="80", against="10", share="20", mode="server")
    plan("grid", ["grid"], **spread, respondents="800", margin="3")
    three = ["coin", "die", "epsilon"]
    plan("survey", three, respondents="1000", margin="5", draws="1 of 2, 3")
    plan("survey", ["coin", "direct", "k_ary"], respondents="1000")
    wrong = {"respondents": "many", "draws": "5 of 2", "margin": "0"}
    plan("refused", ["coin"], share="120", **wrong)
    plan("refused", ["coin"], share="20", against="20")
    chart = f"{ADMIN}/plan/margin.svg"
    for family in ("coin", "grid"):
        query = urlencode({"family": family, **asked[family]})
        site.record("chart", chart, question=query, respondents="1000", margin="5")
    site.record("chart", chart, question="family=none")


def opening(site):
    """The page of a draft survey and the figures of its form."""
    survey = site.make(
        "draft",
        [COIN, THREE, GRID],
        state="draft",
        target=800,
        wanted_margin=5,
        pinned_level="0.95",
        shares_to_beat="1 > 20",
    )
    site.see("open", survey, "open/")
    site.see("results", survey, "results/")
    site.see("monitor", survey, "monitor/")
    drawn = site.make(
        "draft-draws", [COIN, DIE, DIRECT], state="draft", draws="1 of 1, 2", target=200
    )
    site.see("open", drawn, "open/")
    site.record("open", site.of(site.make("draft-empty", [], state="draft"), "open/"))
    site.send("open", site.of(survey, "open/"), {})


def monitor(site):
    counts = counted_apart((90, 130), (120, 100), (120, 100), (90, 60, 40))
    questions = [COIN, DIRECT, MEAN, THREE]
    for slug, fields in {
        "target": {"target": 400, "wanted_margin": 5, "closes_at_target": True},
        "reached": {"target": 200, "wanted_margin": 20, "closes_on": "2026-04-01"},
        "links": {"access": "invitation", "least_links": 300},
        "plain": {"batch_size": 40},
    }.items():
        survey = site.make(slug, questions, counts, state="open", **fields)
        site.see("page", survey, "monitor/")
        site.see("numbers", survey, "monitor/numbers/")
    site.results(survey)
    site.see("export", survey, "export/")
    site.see("publish", survey, "publish/")
    closed = site.make("over", questions, counts)
    site.see("page", closed, "monitor/")
    site.see("numbers", closed, "monitor/numbers/")


def archives(site):
    """Two sites with the same survey, and joint estimates."""
    folders = []
    for number in (1, 2):
        with site.elsewhere():
            survey = site.make(
                "sites",
                [COIN, THREE, DIRECT, DIE, GRID],
                counted_apart(
                    (300 + number, 400),
                    (200, 300, 200 + number),
                    (400, 300 + number),
                    (250, 450 + number),
                    (153, 158, 192, 123, 74 + number),
                ),
                shares_to_beat="1 > 20",
            )
            folders.append(site.folder / f"site-{number}")
            site.command("archive", "archive", survey.slug, folders[-1])
    (site.folder / "margins").write_text("question,answer,share\n3,Yes,55\n3,No,45\n")
    both = ("analyse", *folders, "--questions")
    margins = ("--margins", site.folder / "margins")
    for asked in ((1, 2, 5), (1, 3), (1, 2, *margins), (1, 4), (9,)):
        site.command("analyse", *both, *asked)
    regression = ("--outcome", 1, "--predictors", 3)
    site.command("analyse", "analyse", *folders, *regression)
    site.command("merge", "merge", "merged", *folders)
    site.command("merge", "merge", "again", folders[0], folders[0])
    survey = site.survey_at("merged")
    site.results(survey)
    site.export(survey, "methods.txt", "estimates.csv")


def purged(site):
    survey = site.make("purged", [COIN], {b"\0": 40, b"\1": 60})
    site.send("purge", site.of(survey, "purge/"), {"slug": survey.slug})
    for page in ("results", "export", "publish", "monitor", "results/compare"):
        site.see("pages", survey, f"{page}/")
    site.see("pages", survey, "export/files/estimates.csv")


def audited(site, server):
    """Audits of open surveys on a running server."""
    for slug, questions, fields in (
        ("by-browser", [COIN, THREE], {}),
        ("by-hand", [COIN], {"mode": "hand"}),
    ):
        site.make(slug, questions, state="open", **fields)
        audit = ("audit", f"{server}/s/{slug}/", "--draws", "200")
        site.command(slug, *audit, drawn=True)
        site.command(slug, *audit, "--format", "json", drawn=True)
    site.command(slug, *audit, "--digest", "0" * 64, drawn=True)
    site.command("none", "audit", f"{server}/s/none/")


CASES = {
    each.__name__.replace("_", "-"): each
    for each in (
        coin, yes_or_no, by_hand, several_answers, scales, linked_pair, draws,
        questionnaire, direct,
        imported, mapped, simulated, misfit, few, weighted, groups, waves, regression,
        few_in_regression, planned, published, noisy, planner, opening, monitor,
        archives, purged,
    )
}  # fmt: skip
"""By the name of the folder of its records."""

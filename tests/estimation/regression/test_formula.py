import pandas as pd
import pytest

from candor.regression.formula import FormulaError, read_formula
from candor.regression.model_matrix import fitted

FRAME = pd.DataFrame(
    {
        "age": [1.0, 2, 3, 4, 5, 7],
        "town": pd.Categorical([*"xyxzzy"], categories=[*"xyz"]),
        "years at work": [1.0, 1, 0, 0, 1, 1],
        "cov.age": [2.0, 4, 6, 8, 10, 14],
        "log": [0.0, 1, 2, 3, 4, 9],
        "__import__": [1.0, 2, 3, 1, 2, 3],
    }
)


def names_of(text):
    return fitted(read_formula(text, list(FRAME)), FRAME).names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("age + town", ("Intercept", "age", "town[T.y]", "town[T.z]")),
        ("age + I(age**2)", ("Intercept", "age", "I(age ** 2)")),
        ("I((age - 3)/10)", ("Intercept", "I((age - 3) / 10)")),
        ("0 + age", ("age",)),
        ("age - 1", ("age",)),
        ("1", ("Intercept",)),
        (
            "age*town",
            ("Intercept", "age", "town[T.y]", "town[T.z]", "age:town[T.y]",
             "age:town[T.z]"),
        ),
        ("poly(age, 2)", ("Intercept", "poly(age, 2)[1]", "poly(age, 2)[2]")),
        ("`years at work` + age", ("Intercept", "years at work", "age")),
        ("cov.age", ("Intercept", "cov.age")),
        ("log(age) + log", ("Intercept", "log(age)", "log")),
        ("sqrt(age) + exp(-age)", ("Intercept", "sqrt(age)", "exp(-age)")),
        ("center(age) + scale(cov.age)",
         ("Intercept", "center(age)", "scale(cov.age)")),
        (
            "C(town, Treatment('y'))",
            ("Intercept", "C(town, Treatment('y'))[T.x]",
             "C(town, Treatment('y'))[T.z]"),
        ),
        # A column may have any name: formulaic sees another one.
        ("__import__", ("Intercept", "__import__")),
    ],
)  # fmt: skip
def test_formulas_are_expanded_to_the_expected_terms(text, names):
    assert names_of(text) == names


def test_the_model_matrix_contains_the_values_of_the_rows():
    formula = read_formula("age + I(age**2) + town", list(FRAME))
    found = fitted(formula, FRAME).matrix(FRAME)
    assert found[1].tolist() == [1, 2, 4, 1, 0]


def test_centring_uses_the_means_of_the_fitted_rows():
    made = fitted(read_formula("center(age)", list(FRAME)), FRAME)
    assert made.matrix(FRAME.iloc[:1])[0, 1] == pytest.approx(1 - 22 / 6)


ATTACKS = [
    "__import__('os').system('touch {0}')",
    "I(__import__('os').system('touch {0}'))",
    "age.__class__",
    "I(age.__class__.__mro__)",
    "I(().__class__)",
    "log.__globals__",
    "[x for x in age]",
    "{{age}}",
    "age[0]",
    "(lambda: 0)()",
    "I(lambda: age)",
    "exec('1')",
    "eval('1')",
    "I(getattr(age, 'x'))",
    "getattr(age, 'x')",
    "I(age)(age)",
    "np.log(age)",
    "np",
    "Q('age')",
    "bs(age)",
    "C(town, Treatment(__import__('os')))",
    "C(town, contr.treatment('x'))",
    "C(__import__('os'))",
    "log(age, age)",
    "I(*age)",
    "poly(age, raw=age)",
    "f'{{age}}'",
    "'text'",
    "I('text')",
    "age; age",
    "age if age else age",
    "I(age and age)",
    "age := 1",
    "age @ town",
    "age // town",
    "~age",
    "age | town",
    "age # town",
    "age, town",
    "I((age, town))",
    "\\N{{BULLET}}",
    "\uff41\uff47\uff45",
]


@pytest.mark.parametrize("text", ATTACKS)
def test_invalid_formulas_are_rejected_without_running_code(text, tmp_path):
    target = tmp_path / "ran"
    with pytest.raises(FormulaError):
        read_formula(text.format(target), list(FRAME))
    assert not target.exists()


def test_python_calls_in_a_formula_are_not_run(tmp_path):
    target = tmp_path / "ran"
    for text in (f"__import__('os').system('touch {target}')", "__import__('os')"):
        with pytest.raises(FormulaError):
            read_formula(text, list(FRAME))
    assert not target.exists()


@pytest.mark.parametrize(
    "text",
    [
        "I(9**9**9*age)",
        "I(age**9**9)",
        "I(age**99)",
        "I((9**6)**6*age)",
        "log(2)",
        "I(2)",
        "2",
        "age + 5",
        "poly(age, 99)",
        "(" * 60,
        "-" * 400 + "1",
        "a" * 501,
        "",
        "age +",
        "age town",
    ],
)
def test_endless_and_trivial_formulas_are_rejected(text):
    with pytest.raises(FormulaError):
        read_formula(text, list(FRAME))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("height", "there is no column 'height'; there are: age, town"),
        ("log(town)", "column 'town' must hold numbers"),
        ("(((age + town)**2)**2)**2", "at most 200 are estimated"),
        ("0", "0 leaves no coefficient to estimate"),
        ("C(town, Treatment('q'))", "Treatment('q') must name a value of 'town'"),
    ],
)
def test_terms_that_do_not_fit_the_columns_are_named(text, message):
    with pytest.raises(FormulaError) as caught:
        names_of(text)
    assert message in str(caught.value)


def test_a_function_without_a_value_names_the_value():
    made = fitted(read_formula("log(log)", list(FRAME)), FRAME)
    with pytest.raises(FormulaError, match=r"log\(log\) has no value where log = 0"):
        made.matrix(FRAME)


def test_a_column_of_unique_texts_is_rejected():
    frame = pd.DataFrame({"name": pd.Categorical([f"n{i}" for i in range(60)])})
    with pytest.raises(FormulaError, match="has 60 different texts"):
        fitted(read_formula("name", ["name"]), frame)


def test_a_constant_text_column_is_rejected():
    frame = pd.DataFrame({"town": pd.Categorical(["x"] * 9)})
    with pytest.raises(FormulaError, match="'town' has one value only, 'x'"):
        fitted(read_formula("town", ["town"]), frame)

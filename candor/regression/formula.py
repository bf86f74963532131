"""Parse formulas such as "assets + age + I(age**2)" without evaluating them.

The library formulaic evaluates a formula as Python. This module therefore parses it
first and refuses all syntax that is not in the short list below. formulaic then
receives columns under internal names, never the names in a file.
"""

import ast
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from candor.messages import Message, translatable

FUNCTIONS: Mapping[str, str] = {
    "I": "its content, as a number",
    "log": "natural logarithm",
    "log2": "logarithm to base 2",
    "log10": "logarithm to base 10",
    "exp": "exponential",
    "sqrt": "square root",
    "center": "less its mean",
    "scale": "less its mean, in standard deviations",
    "poly": "orthogonal polynomials: poly(age, 2)",
}
"""Functions of numbers; `C` makes a column categorical."""

LONGEST = 500
MAX_CATEGORIES = 50
MAX_POWER = 6

# A dot is part of a name, as in R; names that are not columns are refused.
TOKEN = re.compile(
    r"\s*(?:(?P<name>[^\W\d]\w*(?:\.\w+)*)|`(?P<quoted>[^`\n]+)`|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<text>\"[^\"\\\n]*\"|'[^'\\\n]*')|(?P<sign>\*\*|[-+*/:(),]))"
)

OWN_NAME = re.compile(r"column_(\d+)_")

SUMS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


class FormulaError(ValueError):
    """A formula that cannot be read, or that cannot be applied to the columns."""


@dataclass(frozen=True)
class Formula:
    """A formula that formulaic can evaluate safely.

    `safe` is the text with internal names of columns: column i is called column_i_.
    `numeric` has the columns in a function of numbers, `categories` the columns in `C`,
    and `references` the reference category of each column for which one is chosen.
    """

    text: str
    safe: str
    columns: tuple[str, ...]
    numeric: frozenset[str]
    categories: frozenset[str]
    references: Mapping[str, str]
    tree: ast.expr


def make_own_name(place: int) -> str:
    """Return the internal name of a column for formulaic."""
    return f"column_{place}_"


def read_formula(text: str, columns: Collection[str]) -> Formula:
    """Return the formula of a text that uses some of these columns.

    `FormulaError` for everything except names of columns, + - : * ** ( ), 0 and 1, C(),
    and arithmetic within the functions of `FUNCTIONS`.
    """
    if len(text) > LONGEST:
        raise FormulaError(
            translatable(
                "a formula must have at most %(most)s characters; got %(length)s",
                most=LONGEST,
                length=len(text),
            )
        )
    named: list[str] = []
    python, safe, position = [], [], 0
    stripped = text.strip()
    while position < len(stripped):
        token = TOKEN.match(stripped, position)
        if token is None:
            raise FormulaError(
                translatable(
                    "a formula may hold columns, numbers and + - : * ** / ( ); got "
                    "%(sign)s",
                    sign=repr(stripped[position:].strip()[:1]),
                )
            )
        is_called = stripped[token.end() :].lstrip().startswith("(")
        written = token[0].strip()
        name = token["quoted"] or token["name"]
        if name and (token["quoted"] or not is_called):
            if name not in columns:
                raise FormulaError(describe_unknown(name, columns))
            if name not in named:
                named.append(name)
            written = make_own_name(named.index(name))
        # ":" is no operator of Python; its precedence does not matter for the check.
        python.append("@" if written == ":" else written)
        safe.append(written)
        position = token.end()
    try:
        tree = ast.parse(" ".join(python), mode="eval").body
        checker = FormulaChecker(text, tuple(named))
        checker.check_terms(tree)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise FormulaError(
            translatable(
                "a formula must read like a + b:c + I(a**2); got %(formula)s",
                formula=repr(text),
            )
        ) from error
    return Formula(
        text=text,
        # formulaic allows no space before a bracket; Python has checked that names
        # are separate.
        safe="".join(safe),
        columns=tuple(named),
        numeric=frozenset(checker.numeric),
        categories=frozenset(checker.categories),
        references=checker.references,
        tree=tree,
    )


def describe_unknown(name: str, columns: Collection[str]) -> Message:
    """Return the message for a name that is not a column."""
    known = ", ".join(list(columns)[:MAX_CATEGORIES])
    return translatable(
        "there is no column %(name)s; there are: %(known)s",
        name=repr(name),
        known=known,
    )


class FormulaChecker:
    """A walk through the syntax tree of a formula that refuses unknown nodes."""

    def __init__(self, text: str, named: tuple[str, ...]) -> None:
        self.text, self.named = text, named
        self.numeric: set[str] = set()
        self.categories: set[str] = set()
        self.references: dict[str, str] = {}

    def check_terms(self, node: ast.expr) -> None:
        match node:
            case ast.BinOp(
                left, ast.Add() | ast.Sub() | ast.Mult() | ast.MatMult(), right
            ):
                self.check_terms(left)
                self.check_terms(right)
            case ast.BinOp(left, ast.Pow(), ast.Constant(int(power))) if (
                2 <= power <= MAX_POWER
            ):
                self.check_terms(left)
            case ast.UnaryOp(ast.USub() | ast.UAdd(), ast.Constant(0 | 1)):
                pass
            case ast.Constant(int(0 | 1)):
                pass
            case ast.Name():
                pass
            case ast.Call(ast.Name("C"), [ast.Name(name)], []):
                self.categories.add(self.find_column(name))
            case ast.Call(
                ast.Name("C"),
                [
                    ast.Name(name),
                    ast.Call(ast.Name("Treatment"), [ast.Constant(str(reference))], []),
                ],
                [],
            ):
                self.references[self.find_column(name)] = reference
                self.categories.add(self.find_column(name))
            case ast.Call():
                self.check_function(node)
            case _:
                raise self.make_error(node)

    def check_function(self, node: ast.Call) -> None:
        match node:
            case ast.Call(
                ast.Name("poly"), [argument, ast.Constant(int(degree))], []
            ) if 1 <= degree <= MAX_POWER:
                pass
            case ast.Call(ast.Name(name), [argument], []) if name in FUNCTIONS:
                pass
            case _:
                raise self.make_error(node)
        if not self.check_numbers(argument):
            raise self.make_error(node)

    def check_numbers(self, node: ast.expr) -> bool:
        """Check arithmetic; return whether a column is in it."""
        match node:
            case ast.BinOp(left, ast.Pow(), ast.Constant(int() | float() as power)):
                # Powers of powers of constants could take forever to compute.
                if power <= MAX_POWER and self.check_numbers(left):
                    return True
            case ast.BinOp(left, operator, right) if isinstance(operator, SUMS):
                # `|` checks both sides, `or` would not.
                return self.check_numbers(left) | self.check_numbers(right)
            case ast.UnaryOp(ast.USub() | ast.UAdd(), operand):
                return self.check_numbers(operand)
            case ast.Constant(int() | float()):
                return False
            case ast.Name(name):
                self.numeric.add(self.find_column(name))
                return True
            case ast.Call():
                self.check_function(node)
                return True
        raise self.make_error(node)

    def find_column(self, name: str) -> str:
        """Return the column with this internal name."""
        own = OWN_NAME.fullmatch(name)
        if own is None:
            raise FormulaError(f"{name} needs something in brackets; got {self.text!r}")
        return self.named[int(own[1])]

    def make_error(self, node: ast.expr) -> FormulaError:
        part = OWN_NAME.sub(
            lambda own: self.named[int(own[1])], ast.unparse(node).replace("@", ":")
        )
        functions = ", ".join([*FUNCTIONS, "C"])
        return FormulaError(
            translatable(
                "%(part)s is not allowed in a formula; allowed are columns, + - : *, "
                "powers up to %(power)s, 0, 1 and %(functions)s",
                part=part,
                power=MAX_POWER,
                functions=functions,
            )
        )

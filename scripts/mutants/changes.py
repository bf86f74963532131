"""What is changed: one operator, flag, number or call of a Python file at a time."""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult,
}  # fmt: skip
NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}
LEFT_OUT = {"select_for_update", "order_by", "distinct"}
"""Links of a chain of calls that are taken out."""
DECLARATIONS = {"frozen", "kw_only", "slots", "strict"}
"""Arguments that stay: they forbid what the code does not do."""


@dataclass(frozen=True)
class Mutant:
    """One change: characters [start, end) of a file become `new`."""

    file: str
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        old, new = (" ".join(text.split())[:70] for text in (self.old, self.new))
        return f"{self.file}:{self.line}: {old}  ->  {new or '(nothing)'}"


def mutants_in(file: str, text: str) -> Iterator[Mutant]:
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    encoded = text.encode()
    tree = ast.parse(text)
    declared = {
        id(each.value)
        for each in ast.walk(tree)
        if isinstance(each, ast.keyword) and each.arg in DECLARATIONS
    }
    for node in ast.walk(tree):
        if id(node) in declared:
            continue
        for changed in changes_of(node):
            assert isinstance(node, (ast.expr, ast.stmt))
            last, columns = node.end_lineno or 0, node.end_col_offset or 0
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[last - 1] + columns
            old = encoded[start:end].decode()
            new = changed if isinstance(changed, str) else ast.unparse(changed)
            # In brackets: what stood there may have bound more tightly.
            if isinstance(node, ast.expr):
                new = f"({new})"
            begin, stop = len(encoded[:start].decode()), len(encoded[:end].decode())
            yield Mutant(file, node.lineno, begin, stop, old, new)


def changes_of(node: ast.AST) -> Iterator[ast.AST | str]:
    """Yield what else could stand in place of a node."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in COMPARISONS:
            changed = copy.deepcopy(node)
            changed.ops = [COMPARISONS[type(operator)]()]
            yield changed
        case ast.Compare(ops=[_, _]):
            for place, operator in enumerate(node.ops):
                if type(operator) in COMPARISONS:
                    changed = copy.deepcopy(node)
                    changed.ops[place] = COMPARISONS[type(operator)]()
                    yield changed
        case ast.BinOp(op=operator) if type(operator) in OPERATORS:
            yield ast.BinOp(node.left, OPERATORS[type(operator)](), node.right)
        case ast.BoolOp(op=ast.And()):
            yield ast.BoolOp(ast.Or(), node.values)
        case ast.BoolOp(op=ast.Or()):
            yield ast.BoolOp(ast.And(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.Call(func=ast.Name(id=name)) if name in NAMES:
            yield ast.Call(ast.Name(NAMES[name]), node.args, node.keywords)
        case ast.Call(func=ast.Attribute(value=before, attr=name)) if name in LEFT_OUT:
            yield before
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int(number)):
            yield ast.Constant(number + 1)
        case ast.Expr(value=ast.Call()):
            yield "pass"

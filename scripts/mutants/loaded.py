"""A change of a file in a process that has loaded it as it was."""

import ast
import gc
import sys
from collections import defaultdict
from collections.abc import Iterator
from types import CodeType, FunctionType

Functions = dict[tuple[str, str, int], list[FunctionType]]
"""By the file, the name and the first line of their code."""


class Change:
    """What a changed file does in a process that has loaded it as it was."""

    def __init__(self, path: str, before: str, after: str, functions: Functions):
        self.path = path
        self.concerns: set[int] = set()
        """Ids of the codes that do something else; none where the file is to be loaded
        as it is now."""
        self.codes: list[tuple[FunctionType, CodeType]] = []
        self.constant: ast.stmt | None = None
        if not path.endswith(".py"):
            return
        both = zip(ast.parse(before).body, ast.parse(after).body, strict=True)
        (new,) = [new for old, new in both if ast.dump(old) != ast.dump(new)]
        match new:
            case ast.Assign(targets=[ast.Name(id=name)]):
                self.of_constant(new, name, functions)
            case ast.AnnAssign(target=ast.Name(id=name)):
                self.of_constant(new, name, functions)
            case _:
                self.of_functions(after, functions)

    def of_constant(self, new: ast.stmt, name: str, functions: Functions) -> None:
        self.constant, self.name = new, name
        for each in functions.values():
            for code in with_inner(each[0].__code__):
                if name in code.co_names:
                    self.concerns.add(id(code))

    def of_functions(self, after: str, functions: Functions) -> None:
        for new in with_inner(compile(after, self.path, "exec", dont_inherit=True)):
            for function in functions.get(key(new), []):
                if does(function.__code__) != does(new):
                    self.codes.append((function, new))
        if all(
            len(old.__code__.co_freevars) == len(new.co_freevars)
            for old, new in self.codes
        ):
            self.concerns = {id(function.__code__) for function, _ in self.codes}

    def make(self) -> None:
        """Give functions other code, and a name another value wherever it is known."""
        for function, code in self.codes:
            function.__code__ = code
        if self.constant:
            modules = [vars(module) for module in list(sys.modules.values())]
            (home,) = [each for each in modules if each.get("__file__") == self.path]
            was = home[self.name]
            exec(compile(ast.Module([self.constant], []), self.path, "exec"), home)  # noqa: S102
            for each in modules:
                if self.name in each and each[self.name] is was:
                    each[self.name] = home[self.name]


def functions_there() -> Functions:
    """Return all functions of this process that are not hidden from its collector."""
    found = defaultdict(list)
    for each in gc.get_objects():
        # Not isinstance, for which a lazy object would have to be worked out.
        if type(each) is FunctionType:
            found[key(each.__code__)].append(each)
    return found


def with_inner(code: CodeType) -> Iterator[CodeType]:
    """Yield a code and those of all functions and classes in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from with_inner(each)


def key(code: CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def does(code: CodeType) -> tuple[object, ...]:
    """Return what a code does, wherever its lines are."""
    constants = [does(e) if isinstance(e, CodeType) else e for e in code.co_consts]
    return code.co_code, code.co_names, constants

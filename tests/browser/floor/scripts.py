"""What in a script a browser of the floor would not understand or not have."""

import re

import esprima

from tests.browser.floor.newer import (
    ATTRIBUTES,
    ELEMENTS,
    MEMBERS,
    SELECTORS,
    STATIC_MEMBERS,
)

# Whatever is not listed is newer than the floor, or no one has looked it up yet.
STATEMENTS = (
    "Program BlockStatement BreakStatement CatchClause ClassBody ClassDeclaration"
    " ContinueStatement DoWhileStatement EmptyStatement ExportAllDeclaration"
    " ExportDefaultDeclaration ExportNamedDeclaration ExportSpecifier"
    " ExpressionStatement ForInStatement ForOfStatement ForStatement"
    " FunctionDeclaration IfStatement ImportDeclaration ImportDefaultSpecifier"
    " ImportNamespaceSpecifier ImportSpecifier MethodDefinition ReturnStatement"
    " SwitchCase SwitchStatement ThrowStatement TryStatement VariableDeclaration"
    " VariableDeclarator WhileStatement"
)
EXPRESSIONS = (
    "ArrayExpression ArrayPattern ArrowFunctionExpression AssignmentExpression"
    " AssignmentPattern AwaitExpression BinaryExpression CallExpression ClassExpression"
    " ConditionalExpression FunctionExpression Identifier Import Literal"
    " LogicalExpression MemberExpression NewExpression ObjectExpression ObjectPattern"
    " Property RestElement SequenceExpression SpreadElement Super TemplateElement"
    " TemplateLiteral ThisExpression UnaryExpression UpdateExpression YieldExpression"
)
KNOWN = frozenset(f"{STATEMENTS} {EXPRESSIONS}".split())
FUNCTIONS = frozenset(
    {"ArrowFunctionExpression", "FunctionDeclaration", "FunctionExpression"}
)
# Of LogicalExpression and AssignmentExpression: not ??, &&=, ||=, ??=
SUPPORTED_OPERATORS = "&& || = += -= *= /= %= **= <<= >>= >>>= &= |= ^="
OPERATORS = frozenset(SUPPORTED_OPERATORS.split())
NUMBER = re.compile(r"[\d.][^_n]*|[^\d.].*", re.DOTALL)  # neither 1_000 nor 10n
NEWER_PATTERN = re.compile(r"\(\?(?:<[=!]|[a-z]*-?[a-z]+:)")  # (?<=a) and (?i:a)
FLAGS = frozenset("gimsuy")

# What a script may take from the browser without asking whether it is there.
PRESENT = (
    "AbortController AbortSignal Array ArrayBuffer Blob Boolean CustomEvent"
    " DOMParser Date Error Event FormData Headers Infinity Intl JSON"
    " KeyboardEvent Map Math NaN Node Number Object Promise RangeError RegExp"
    " Request Response Set String Symbol SyntaxError TextDecoder TextEncoder"
    " TypeError URL URLSearchParams Uint16Array Uint32Array Uint8Array WeakMap"
    " WeakSet XMLHttpRequest addEventListener arguments atob btoa clearInterval"
    " clearTimeout console crypto decodeURIComponent dispatchEvent document"
    " encodeURIComponent fetch getComputedStyle history innerHeight innerWidth"
    " isFinite isNaN localStorage location matchMedia navigator parseFloat"
    " parseInt performance print removeEventListener requestAnimationFrame"
    " scrollTo self sessionStorage setInterval setTimeout undefined window"
)
GLOBALS = frozenset(PRESENT.split())
WINDOWS = frozenset({"window", "self", "globalThis"})
SELECTOR = re.compile(SELECTORS)


def objections(source):
    """Return what is newer than the floor in a module, each with its line."""
    try:
        tree = esprima.parseModule(source, loc=True).toDict()
    except esprima.Error as error:
        return [f"does not parse: {error}"]
    nodes = list(_walk(tree))
    bound = {name for node, _ in nodes for name in _names_bound_by(node)}
    found = []
    for node, depth in nodes:
        line = node["loc"]["start"]["line"] if "loc" in node else 0
        each = [*_of_syntax(node, depth), *_of_members(node), *_of_words(node)]
        found += [(line, what) for what in each]
    for line, name in _references(tree):
        if name not in bound | GLOBALS:
            found.append((line, f"{name}, taken from the browser"))
    return [f"line {line}: {what}" for line, what in sorted(set(found))]


def _children(node):
    for key, value in node.items():
        for each in value if isinstance(value, list) else [value]:
            # `regex` is no node, nor are attributes of imports.
            if isinstance(each, dict) and "type" in each and key != "loc":
                yield key, each


def _walk(node, depth=0):
    """Yield every node below, each with the number of functions around it."""
    yield node, depth
    for _, child in _children(node):
        yield from _walk(child, depth + (node["type"] in FUNCTIONS))


def _of_syntax(node, depth):
    kind = node["type"]
    if kind not in KNOWN:
        yield kind
    if kind in {"LogicalExpression", "AssignmentExpression"}:
        if node["operator"] not in OPERATORS:
            yield node["operator"]
    elif kind == "AwaitExpression" and not depth:
        yield "await outside of a function"
    elif kind == "ExportAllDeclaration" and node.get("exported"):
        yield "export * as"
    elif kind == "ImportDeclaration" and node.get("attributes"):
        yield "import with"
    elif kind == "Literal" and "regex" in node:
        pattern, flags = node["regex"]["pattern"], node["regex"]["flags"]
        if NEWER_PATTERN.search(pattern) or not FLAGS.issuperset(flags):
            yield f"the expression {node['raw']}"
    elif kind == "Literal" and not NUMBER.fullmatch(node["raw"]):
        yield f"the number {node['raw']}"


def _name(node, *, computed):
    """Return the name that a key spells out, or None where it is worked out."""
    if node["type"] == "Identifier":
        return None if computed else node["name"]
    return _text(node)


def _text(node):
    if node["type"] == "Literal" and isinstance(node.get("value"), str):
        return node["value"]
    if node["type"] == "TemplateLiteral" and not node["expressions"]:
        return node["quasis"][0]["value"]["cooked"]
    return None


def _of_members(node):
    if node["type"] == "MemberExpression":
        name = _name(node["property"], computed=node["computed"])
        owner = node["object"].get("name")
        holder = node["object"].get("property", {}).get("name")
        if name in MEMBERS and holder != "dataset":  # these names are our own
            yield f".{name}"
        if f"{owner}.{name}" in STATIC_MEMBERS:
            yield f"{owner}.{name}"
        if owner in WINDOWS and name not in GLOBALS:
            yield f"{owner}.{name}"
    elif node["type"] == "ObjectPattern":
        for name in _keys(node):
            if name in MEMBERS:
                yield f".{name}"


def _keys(pattern):
    for each in pattern["properties"]:
        if each["type"] == "Property":
            yield _name(each["key"], computed=each["computed"])


def _of_words(node):
    """Selectors, elements, attributes and options that are given in words."""
    if node["type"] == "TemplateElement":
        text = node["value"]["cooked"]
    else:
        text = _text(node) if node["type"] == "Literal" else None
    if text and (newer := SELECTOR.search(text)):
        yield f"the selector {newer[0]}"
    if node["type"] != "CallExpression":
        return
    callee, given = node["callee"], node["arguments"]
    called = callee.get("name")
    if callee["type"] == "MemberExpression":
        called = _name(callee["property"], computed=callee["computed"])
    first = given and _text(given[0])
    if called == "createElement" and first in ELEMENTS:
        yield f"<{first}>"
    if called in {"setAttribute", "toggleAttribute"} and first in ATTRIBUTES:
        yield f"the attribute {first}"
    options = [each for each in given if each["type"] == "ObjectExpression"]
    if called in {"scrollTo", "scrollBy"} and options:
        yield f"options of {called}"
    if called == "addEventListener":
        for each in options:
            if "signal" in _keys(each):
                yield "the option signal of addEventListener"


def _names_bound_by(node):
    kind = node["type"]
    if kind in FUNCTIONS | {"ClassDeclaration", "ClassExpression"}:
        named = [node.get("id"), *node.get("params", ())]
    elif kind.startswith("Import") and "local" in node:
        named = [node["local"]]
    else:
        named = [
            node.get({"VariableDeclarator": "id", "CatchClause": "param"}.get(kind))
        ]
    for pattern in filter(None, named):
        for each, _ in _walk(pattern):
            if each["type"] == "Identifier":
                yield each["name"]


def _references(node):
    """Yield each name that is read or set, with its line; no names of properties."""
    if node["type"] == "Identifier":
        yield node["loc"]["start"]["line"], node["name"]
    for key, child in _children(node):
        names_a_property = key in {"property", "key"} and not node.get("computed")
        names_a_module = node["type"].endswith("Specifier")
        if not (names_a_property or names_a_module):
            yield from _references(child)

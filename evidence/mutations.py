"""Small changes of Python sources, made on the syntax tree: what a slip of the pen could have written instead.

Comparisons flip and become strict or not, terms, factors and roundings go, ends and arguments swap, signs and constants move,
conditions hold always or never, and checks are left out. Each mutant is a whole source that differs from the given one in one
place. What only words depend on stays: messages, `__repr__`, annotations, and what a type checker alone reads.
"""

from __future__ import annotations

import ast
import copy
import math
from collections.abc import Iterator
from typing import NamedTuple

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
ENDS = [
    ("lo", "hi"),
    ("low", "high"),
    ("least", "most"),
    ("above", "below"),
    ("min", "max"),
    ("any", "all"),
    ("floor", "ceil"),
    ("lower", "upper"),
    ("lower_end", "upper_end"),
    *((f"{kind}_above", f"{kind}_below") for kind in ("float", "finite", "decimal", "exp")),
]
OTHER_END = {name: other for pair in ENDS for name, other in (pair, pair[::-1])}
ROUNDED = {"float_above": "float", "float_below": "float", "finite_above": "float", "finite_below": "float"}
ROUNDED |= {"ceil": "round", "floor": "round"}  # outward, and to nearest
# Nobody swaps what these are handed, or it means nothing.
ALIKE = ("max", "min", "maximum", "minimum", "gcd", "lcm", "isinstance", "issubclass")
TYPES = ("tuple", "list", "dict", "set", "frozenset", "type", "Callable", "Iterator", "Iterable", "Mapping", "Sequence")
WORDS = ("__repr__", "__str__", "_repr_html_")


class Mutant(NamedTuple):
    """A changed source; `line` and `was`, `now` say where and how it differs."""

    line: int
    was: str
    now: str
    plain: bytes
    at: int  # the bytes from here
    to: int  # up to here are replaced
    text: str

    @property
    def source(self) -> str:
        return (self.plain[: self.at] + self.text.encode() + self.plain[self.to :]).decode()

    def __str__(self) -> str:
        return f"line {self.line}: {self.was}  ->  {self.now}"


def mutants(source: str, *, apart_from: tuple[str, ...] = (), priced: tuple[str, ...] = ()) -> list[Mutant]:
    """All of them, in the order of the lines; what is handed to the functions `apart_from` stays as it is.

    The same is true of the functions `priced`, but a call of these may be left out.

    >>> for mutant in mutants("def f(lo, hi):\\n    return lo <= hi"):
    ...     print(mutant)
    line 2: lo <= hi  ->  lo < hi
    line 2: lo <= hi  ->  lo >= hi
    line 2: lo  ->  hi
    line 2: hi  ->  lo
    """
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    content, made = source.encode(), []
    for node in _code(ast.parse(source), apart_from, priced):
        place = node.test if isinstance(node, ast.If) else node
        at, to = starts[place.lineno - 1] + place.col_offset, starts[place.end_lineno - 1] + place.end_col_offset
        was, seen = content[at:to].decode(), {ast.unparse(place)}
        for other in _others(node):
            now = whole = ast.unparse(other)
            if now in seen:
                continue
            seen.add(now)
            if isinstance(other, ast.Tuple):  # without brackets: `x[:, 0]` must not have any
                whole = ", ".join(map(ast.unparse, other.elts))
            if isinstance(place, ast.expr) and not isinstance(other, ast.Name | ast.Constant) and not _slices(other):
                whole = f"({whole})"
            shown = [" ".join(text.split())[:80] for text in (was, now)]
            made.append(Mutant(place.lineno, *shown, content, at, to, whole))
    return sorted(made, key=lambda mutant: mutant.line)


def _code(tree: ast.AST, apart_from: tuple[str, ...], priced: tuple[str, ...]) -> Iterator[ast.AST]:
    """Expressions and statements that run; no docstrings, annotations, decorators or texts of messages."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom | ast.Raise) or _is_text(node):
            continue
        if isinstance(node, ast.Expr | ast.Call) and _called(node) in apart_from:
            continue
        if isinstance(node, ast.Expr | ast.Call) and _called(node) in priced:
            yield from [node] if isinstance(node, ast.Expr) else []
            continue
        if isinstance(node, ast.expr | ast.stmt) and not _for_types(node):
            yield node
        parts = _parts(node)
        yield from _code(node if parts is None else ast.Module(parts, []), apart_from, priced)


def _slices(node: ast.AST) -> bool:
    return isinstance(node, ast.Tuple) and any(isinstance(part, ast.Slice) for part in node.elts)


def _for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _parts(node: ast.AST) -> list[ast.AST] | None:
    """Where only some parts of a node are looked at further: those. The order of a tuple that is searched means nothing."""
    match node:
        case ast.FunctionDef(name=name) if name in WORDS:
            return []
        case ast.FunctionDef(args=args, body=body):
            return [*args.defaults, *filter(None, args.kw_defaults), *body]
        case ast.ClassDef(body=body):
            return list(body)
        case ast.If(orelse=orelse) if _for_types(node):
            return list(orelse)
        case ast.AnnAssign(value=value):
            return [value] if value else []
        case ast.Assign(targets=[ast.Name("__all__")]):
            return []
        case ast.Assert(test=test):
            return [test]
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[ast.Tuple(elts=several)]):
            return [left, *several]
        case ast.Call(func=ast.Name("isinstance" | "issubclass"), args=[tried, ast.Tuple()]):
            return [tried]
        case ast.Subscript(value=ast.Name(name)) if name in TYPES:
            return []
        case ast.ExceptHandler(body=body):
            return list(body)
    return None


def _is_text(node: ast.AST) -> bool:
    """Whether an expression is made of words alone."""
    match node:
        case ast.JoinedStr() | ast.Constant(value=str()):
            return True
        case ast.BinOp(left=left, op=ast.Add() | ast.Mod() | ast.Mult(), right=right):
            return _is_text(left) or _is_text(right)
        case ast.IfExp(body=body, orelse=orelse):
            return _is_text(body) and _is_text(orelse)
        case ast.Call(func=ast.Attribute(value=inner, attr="join" | "format")):
            return _is_text(inner)
    return False


def _called(node: ast.AST) -> str:
    """The name of the function that an expression or a statement calls, without its module."""
    match node.value if isinstance(node, ast.Expr) else node:
        case ast.Call(func=ast.Name(name) | ast.Attribute(attr=name)):
            return name
    return ""


def _with(node: ast.AST, **parts: object) -> ast.AST:
    made = copy.copy(node)
    for name, part in parts.items():
        setattr(made, name, part)
    return made


def _others(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(ops=ops):
            for k, op in enumerate(ops):
                for other in COMPARED[type(op)]:
                    yield _with(node, ops=[*ops[:k], other(), *ops[k + 1 :]])
        case ast.BinOp(left=left, op=op, right=right):
            if type(op) in COMPUTED:
                yield _with(node, op=COMPUTED[type(op)]())
            yield left
            if isinstance(op, ast.Add | ast.Sub | ast.Mult):
                yield right
        case ast.UnaryOp(op=ast.USub() | ast.Not(), operand=operand):
            yield operand
        case ast.BoolOp(op=op, values=values):
            yield _with(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
            for k in range(len(values)):
                kept = values[:k] + values[k + 1 :]
                yield kept[0] if len(kept) == 1 else _with(node, values=kept)
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield ast.Constant(value + 1)
            if value:
                yield ast.Constant(value - 1)
        case ast.Constant(value=float() as value) if value and math.isfinite(value):
            yield ast.Constant(2 * value)
            yield ast.Constant(value / 2)
        case ast.Name(id=name, ctx=ast.Load()) if name in OTHER_END:
            yield ast.Name(OTHER_END[name], ast.Load())
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in OTHER_END:
            yield _with(node, attr=OTHER_END[name])
        case ast.Call(func=func, args=[only], keywords=[]) if (name := _called(node)) in ROUNDED:
            if not ast.unparse(func).startswith("np."):
                yield ast.Call(ast.Name(ROUNDED[name], ast.Load()), [only], [])
        case ast.Call(args=[first, second, *others]) if not any(isinstance(x, ast.Starred) for x in (first, second)):
            if _called(node) == "nextafter":
                yield first
            if _called(node) not in ALIKE:
                yield _with(node, args=[second, first, *others])
        case ast.Call(func=ast.Attribute(value=inner), args=[], keywords=[]):
            yield inner
        case ast.IfExp(body=body, orelse=orelse):
            yield _with(node, body=orelse, orelse=body)
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case ast.AugAssign(op=op):
            if type(op) in COMPUTED:
                yield _with(node, op=COMPUTED[type(op)]())
            yield ast.Pass()
        case ast.If():  # in the place of its condition
            yield ast.Constant(False)
            yield ast.Constant(True)
        case ast.Tuple(elts=[first, second, *others], ctx=ast.Load()) if not isinstance(first, ast.Starred):
            yield _with(node, elts=[second, first, *others])

"""Small changes of Python sources, made on the syntax tree: what a slip of the pen could have written instead.

Comparisons flip and become strict or not, terms and factors go, ends and arguments swap, signs and constants move, conditions
hold always or never, and checks are left out. Each mutant is a whole source that differs from the given one in one place.
"""

from __future__ import annotations

import ast
import copy
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
]
OTHER_END = {name: other for pair in ENDS for name, other in (pair, pair[::-1])}


class Mutant(NamedTuple):
    """A changed source; `line` and `was`, `now` say where and how it differs."""

    line: int
    was: str
    now: str
    source: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.was}  ->  {self.now}"


def mutants(source: str, *, apart_from: tuple[str, ...] = ()) -> list[Mutant]:
    """All of them, in the order of the lines; what is handed to the functions `apart_from` stays as it is.

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
    for node in _code(ast.parse(source), apart_from):
        place = node.test if isinstance(node, ast.If) else node
        at, to = starts[place.lineno - 1] + place.col_offset, starts[place.end_lineno - 1] + place.end_col_offset
        was = content[at:to].decode()
        for other in _others(node):
            now = ast.unparse(other)
            if now == ast.unparse(place):
                continue
            whole = (
                f"({now})" if isinstance(place, ast.expr) and not isinstance(other, ast.Name | ast.Constant) else now
            )
            shown = [" ".join(text.split())[:80] for text in (was, now)]
            made.append(Mutant(place.lineno, *shown, (content[:at] + whole.encode() + content[to:]).decode()))
    return sorted(made, key=lambda mutant: mutant.line)


def _code(tree: ast.AST, apart_from: tuple[str, ...]) -> Iterator[ast.AST]:
    """Expressions and statements that run; no docstrings, annotations, decorators or texts of messages."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom | ast.Raise):
            continue
        if isinstance(node, ast.Expr | ast.Call) and _called(node) in apart_from:
            continue
        if isinstance(node, ast.FunctionDef):
            yield from _code(ast.Module([*node.args.defaults, *node.body], []), apart_from)
            continue
        if isinstance(node, ast.expr | ast.stmt):
            yield node
        yield from _code(node, apart_from)


def _called(node: ast.AST) -> str:
    call = node.value if isinstance(node, ast.Expr) else node
    return call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ""


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
        case ast.Name(id=name, ctx=ast.Load()) if name in OTHER_END:
            yield ast.Name(OTHER_END[name], ast.Load())
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in OTHER_END:
            yield _with(node, attr=OTHER_END[name])
        case ast.Call(args=[first, second, *others]) if not any(isinstance(x, ast.Starred) for x in (first, second)):
            yield _with(node, args=[second, first, *others])
        case ast.Call(func=ast.Attribute(value=inner), args=[]):
            yield inner
        case ast.IfExp(body=body, orelse=orelse):
            yield _with(node, body=orelse, orelse=body)
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case ast.If():  # in the place of its condition
            yield ast.Constant(False)
            yield ast.Constant(True)
        case ast.Tuple(elts=[first, second, *others], ctx=ast.Load()) if not isinstance(first, ast.Starred):
            yield _with(node, elts=[second, first, *others])

"""The tables of the page on certificate files: the parts of every kind of claim, from the classes that read and write them."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from typing import Any, cast

from headwright.claims import KINDS
from headwright.kernel.heads import Heads
from headwright.kernel.image import Image
from headwright.kernel.region import Region
from headwright.theories.formulas.families.family import Queries, QueryFamily
from headwright.theories.order.block_parts import BlockParts

START = "claim_"  # of a table's name, before the kind with underscores
_SHARED = {  # parts that claims have in common, and the section that explains them
    "Heads": (Heads, "heads"),
    "Image": (Image, "image"),
    "Region": (Region, "region"),
    "Queries": (Queries, "family"),
    "QueryFamily": (QueryFamily, "family"),
    "BlockParts": (BlockParts, "block"),
}
_FREE = "arrays with names of their own"
_LAW = {"law": "text", "keys": "array (n, d)"}
_GAUSSIAN = {"isotropic": "array (n)", "along": "array (n)", "factor_j": "arrays (d, r), by key", "cov": "array"}
_LAWS = {"GaussianLaw": _LAW | _GAUSSIAN, "KeyLaw": _LAW | {"laws": "list of `[key, law]`"} | _GAUSSIAN}
_WORDS = {
    "Count": "[large number](#large-numbers)",
    "Entries": "list of `[r, i, j, N]`, N in [base 16](#base-16)",
    "Fraction": "[rational](#rationals)",
    "Goal": "[goal](#goal)",
    "Large": "[large number](#large-numbers)",
    "LongIntegers": "list of integers in [base 16](#base-16)",
    "Mapping[str, np.ndarray]": _FREE,
    "Member": "[member](#family)",
    "Node": "[tree](#tree)",
    "Pairs": "list of `[i, j, N]`, N in [base 16](#base-16)",
    "Part": "[part](#family)",
    "Place": "[place](#layout)",
    "Range": "[range](#ranges)",
    "RowGoals": "list of `[row, goal]`",
    "Signed": "list of numbers in [base 16](#base-16)",
    "Terms": "list of `[c, i, j]`",
    "Top": "[top](#goal)",
    "Whole": "integer",
    "WrittenProgram": "[program](#program)",
    "bool": "true or false",
    "int": "integer ≥ 0",
    "str": "text",
}
_OWN = {  # what a class writes in a way of its own
    ("Heads", "queries"): "array (h, d), or (h, r) with an [image](#image)",
    ("BlockParts", "norm_eps"): "JSON number",
    ("BlockParts", "scale"): "JSON number",
    ("AllOf", "claims"): "list of [claims](#all-of), with their arrays",
    ("Contrary", "claim"): "[claim](#contrary), with its arrays",
    ("Contrary", "where"): "[claim](#contrary), with its arrays",
    ("GaussianLaw", "cov"): "array (d, d) or (n, d, d)",
    ("KeyLaw", "cov"): "array (d, d) or (n, d, d)",
    ("RowsApart", "rows"): "object, perhaps with the array `table`",
    ("RowsApart", "pair"): "`[i, j]`",
}
_ROWS = {"Goal": "goal"}
_LEFT_OUT = {("RowsApart", "everywhere"): "absent: false", ("KeyLaw", "laws"): "absent: Gaussian"}
_LEFT_OUT |= {("KeyLaw", name): "absent: scaled" for name in ("isotropic", "along")}
_LEFT_OUT |= {(law, name): "absent: none" for law in _LAWS for name in ("factor_j", "cov")}


def parts(name: str) -> str:
    """The table of this name; empty if it is not the table of a kind."""
    return parts_of(name.removeprefix(START).replace("_", "-")) if name.startswith(START) else ""


def parts_of(kind: str) -> str:
    """The table of one kind: every part that its file holds.

    >>> print(parts_of("lead-decides"))
    | part | type | if there is none | belongs to |
    | --- | --- | --- | --- |
    | `enough` | list of `[c, i, j]` | – | the claim |
    | `needed` | list of `[c, i, j]` | – | the claim |
    """
    rows, owner = dict[str, str](), cast(Any, KINDS[kind])
    plain = not owner.takes_image and any(part.type == "Heads" for part in dataclasses.fields(owner))
    for name, *cells in _rows(owner, "the claim"):
        if not (plain and "(#image)" in cells[-1]):
            shown = f"`{name}.NAME`" if cells[0] == _FREE else f"`{name}`"
            cells[0] = cells[0].removesuffix(", or (h, r) with an [image](#image)") if plain else cells[0]
            rows.setdefault(name, f"| {shown} | {' | '.join(cells)} |")  # heads and law have their keys in common
    return "\n".join(["| part | type | if there is none | belongs to |", "| --- | --- | --- | --- |", *rows.values()])


def _rows(owner: Any, home: str) -> Iterator[tuple[str, str, str, str]]:
    """Part, type, what stands in the file if there is none, and what the part belongs to."""
    shapes = _shapes(owner)
    for part in dataclasses.fields(owner):
        said = str(part.type)
        kind, optional = said.removesuffix(" | None"), said.endswith(" | None")
        if kind in _LAWS:
            for name, words in _LAWS[kind].items():
                yield name, _OWN.get((kind, name), words), _LEFT_OUT.get((kind, name), "–"), "the [law](#law)"
            continue
        if kind in _SHARED:
            inner, section = _SHARED[kind]
            for name, words, none, of in _rows(inner, f"the [{section}](#{section})"):
                yield name, words, "absent, with all of them" if optional and none == "–" else none, of
            continue
        own = owner.__name__, part.name
        if own in _OWN:
            words = _OWN[own]
        elif kind == "np.ndarray":
            words = f"array ({', '.join(shapes[part.name])})"
        else:
            words = "array" if kind == "Any" else _typed(kind)
        optional = optional or part.default is None
        yield part.name, words, _LEFT_OUT.get(own, "absent" if optional else "–"), home


def _shapes(owner: Any) -> dict[str, str]:
    """The shapes that the constructor asks for, by name."""
    checks = [getattr(owner, name) for name in ("check_witness", "__post_init__") if hasattr(owner, name)]
    return dict(re.findall(r'\b(\w+)="([a-z]{1,3})"', "".join(map(inspect.getsource, checks))))


def _typed(kind: str) -> str:
    """A type in words.

    >>> _typed("tuple[int, ...]"), _typed("Mapping[int, Goal]")
    ('list of integers ≥ 0', 'list of `[row, goal]`')
    """
    if kind in _WORDS:
        return _WORDS[kind]
    if kind.startswith("Literal"):
        return "text"
    outer, _, inner = kind.removesuffix("]").partition("[")
    if outer == "tuple":
        one = _typed(inner.removesuffix(", ..."))
        return "list of " + re.sub(r"^(\[?\w+)", r"\1s", one)
    assert outer == "Mapping", kind
    key, _, item = inner.partition(", ")
    return f"object by name: {_typed(item)}" if key == "str" else f"list of `[row, {_ROWS.get(item, 'integers')}]`"

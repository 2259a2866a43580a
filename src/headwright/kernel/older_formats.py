"""Claims as formats 1, 2 and 3 wrote them, in the words of today: docs/certificate_format.md lists what differs.

The claim that results is checked like any other, by what it would write. So a file of an older format is refused for what does
not belong in it, but a `null` that it leaves out is not missed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

VERSIONS = ("1", "2", "3")

_NULL = ("precision", "distance", "pair", "within")
# The arrays that no part named, the part that holds them now, and the arrays beside them.
_OWN_NAMES: dict[str, tuple[str, tuple[str, ...]]] = {
    "inequality": ("given", ()),
    "layer-outputs": ("given", ()),
    "low-rank-formula": ("given", ("matrix", "left", "right", "directions", "stretched")),
    "reads-out-always": ("given", ()),
    "serves-keys": ("vectors", ("keys",)),
    "runs-program": ("weights", ()),
}

Arrays = dict[str, np.ndarray]


def as_today(fields: Mapping[str, Any], stored: Mapping[str, np.ndarray]) -> tuple[dict[str, Any], Arrays]:
    """The JSON object and the arrays of a claim, as the present format writes them; a TypeError or the like for no claim."""
    made, kind = {name: x for name, x in fields.items() if x is not None or name not in _NULL}, fields["kind"]
    if kind in ("no-shorter", "gap-norm"):
        made["least"] = made.pop("norm")
    if kind in ("all-of", "contrary"):
        return _of_claims(made, stored)
    for name in made.keys() & _WRITTEN.keys():
        made[name] = _WRITTEN[name](made[name])
    part, beside = _OWN_NAMES.get(kind, ("", tuple(stored)))
    return made, {name if name in beside else f"{part}.{name}": array for name, array in stored.items()}


def _of_claims(made: dict[str, Any], stored: Mapping[str, np.ndarray]) -> tuple[dict[str, Any], Arrays]:
    """The same for a claim made of claims, whose arrays had the place of their claim as a prefix, or none."""
    listed = made["kind"] == "all-of"
    inner = made["claims"] if listed else [made[name] for name in ("claim", "where") if name in made]
    plain = not listed and len(inner) == 1
    arrays: Arrays = {}
    for place, claim in enumerate(inner):
        before = "" if plain else f"{place}."
        own = {name[len(before) :]: array for name, array in stored.items() if name.startswith(before)}
        inner[place], own = as_today(claim, own)
        prefix = f"claims.{place}" if listed else ("claim", "where")[place]
        arrays |= {f"{prefix}.{name}": array for name, array in own.items()}
    if len(arrays) < len(stored):
        raise ValueError("some arrays belong to none of the claims")
    return made | ({"claims": inner} if listed else dict(zip(("claim", "where"), inner, strict=False))), arrays


def _marked(said: Any) -> Any:
    """Numbers in base 16, alone or at the end of entries, with the mark that they have now."""
    if isinstance(said, str):
        return "/".join(f"-0x{part[1:]}" if part.startswith("-") else f"0x{part}" for part in said.split("/"))
    return [*said[:-1], _marked(said[-1])]


def _range(said: Any) -> dict[str, str]:
    low, high, closed = said
    if high is None:
        return {">=" if closed else ">": low}
    return {">": low, "<=" if closed else "<": high}


def _by_row(said: Any) -> Any:
    return [[int(row), x] for row, x in said.items()] if isinstance(said, dict) else said


def _without_null(said: Any) -> Any:
    """The parts of an object, or of each of its steps, that are not null."""
    kept = {name: x for name, x in said.items() if x is not None}
    return kept | ({"steps": [_without_null(step) for step in kept["steps"]]} if "steps" in kept else {})


_WRITTEN: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(["witness", "weights", "in_basis", "in_against"], lambda said: [*map(_marked, said)]),
    "ranges": lambda said: {name: _range(x) for name, x in said.items()},
    **dict.fromkeys(["goals", "wanted"], lambda said: _by_row(said)),
    "laws": lambda said: [[int(key), [[*pair] for pair in law.items()]] for key, law in said.items()],
    **dict.fromkeys(["rows", "program"], lambda said: said if isinstance(said, bool) else _without_null(said)),
}

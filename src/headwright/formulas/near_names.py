"""What to say about a name that is not known: the nearest one that is, and all there are."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

_MEANT = {
    "epsilon": ("eps",),
    "EPS": ("eps",),
    "b": ("beta",),
    "mean_a": ("mu_a",),
    "mean_b": ("mu_b",),
}
_FUNCTIONS = {
    "log10": "log is the natural logarithm here; write log(x)/log(10) for another base.",
    "log2": "log is the natural logarithm here; write log(x)/log(2) for another base.",
    "transpose": "Write a transpose as A' or A.T.",
    "eye": "Write I for the identity matrix; its size follows from the place where it stands.",
    "softmax": "The attention weights are computed for you; write the query alone.",
    "sum": "Write sums out with +.",
}


def unknown_name(name: str, names: Collection[str], is_function: bool) -> str:
    """The message about a name that stands where a value should be."""
    if is_function:
        return f"{name} is a function: write {name}(...)."
    near = _nearest(name, names)
    meant = f" Did you mean {near}?" if near else ""
    listed = f" It has: {', '.join(sorted(names))}." if names else ""
    return f"The name {_short(name)} does not belong to this question.{meant}{listed}"


def unknown_function(name: str, functions: Collection[str]) -> str:
    """The message about a name that is called but is no function."""
    said = _FUNCTIONS.get(name)
    if said is not None:
        return said
    near = get_close_matches(name.lower(), functions, n=1)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"There is no function {_short(name)}.{meant} There are: {', '.join(sorted({*functions, 'ln'}))}."


def _nearest(name: str, names: Collection[str]) -> str | None:
    for meant in _MEANT.get(name, ()):
        if meant in names:
            return meant
    folded = {known.replace("_", "").lower(): known for known in sorted(names, reverse=True)}
    same = folded.get(name.replace("_", "").lower())
    if same is not None:
        return same
    return next(iter(get_close_matches(name, sorted(names), n=1, cutoff=0.5)), None)


def _short(name: str) -> str:
    return name if len(name) <= 30 else name[:29] + "…"

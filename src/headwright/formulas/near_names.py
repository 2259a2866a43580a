"""Unknown names: the known name that one must mean, or an error message with the nearest known name and a list of all.

k1 counts as k_1, and epsilon as eps, if the question has that name and k1 cannot be read as a product of its other names.
"""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

_SAME = {"epsilon": "eps", "varepsilon": "eps"}
_MEANT = {
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


_MOST_FACTORS = 6


def same_name(name: str, names: Collection[str]) -> str | None:
    """The one name of the question that this is another spelling of; None if there is none, or another reading.

    >>> same_name("k1", ["k_1", "n"]), same_name("epsilon", ["eps"]), same_name("tk", ["t_k", "t", "k"])
    ('k_1', 'eps', None)
    """
    if _SAME.get(name) in names:
        return _SAME[name]
    spelled = [known for known in names if known.replace("_", "") == name]
    return spelled[0] if len(spelled) == 1 and len(_factors(name, names)) < 2 else None


def indexed(name: str, index: str, names: Collection[str]) -> str:
    """The message about k[1]: formulas do not index, and each of several vectors has a name of its own."""
    wanted = f"{name}_{index}"
    if wanted in names:
        return f"Write {wanted} instead of {_short(name)}[{index}]."
    return f"A formula cannot take entries out of a name with [ ]. The question has: {', '.join(sorted(names))}."


def unknown_name(name: str, names: Collection[str], is_function: bool, *, turned: bool = False) -> str:
    """The message about an unknown name where a value is expected; `turned` if a transpose follows it."""
    if is_function:
        return f"{name} is a function: write {name}(...)."
    factors = _factors(name, names)
    if len(factors) > 1:
        return f"Write the multiplication out: {'*'.join(factors)}{chr(39) * turned}"
    near = _nearest(name, names)
    meant = f" Did you mean {near}?" if near else ""
    listed = f" It has: {', '.join(sorted(names))}." if names else ""
    return f"The name {_short(name)} does not belong to this question.{meant}{listed}"


def unknown_function(name: str, functions: Collection[str], names: Collection[str] = ()) -> str:
    """The message about a name that is called but is not a function."""
    said = _FUNCTIONS.get(name)
    if said is not None:
        return said
    factors = _factors(name, {*names, *functions, "ln"})
    if len(factors) > 1:
        return f"Write the multiplication out: {'*'.join(factors)}(...)"
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


def _factors(name: str, names: Collection[str], most: int = _MOST_FACTORS) -> list[str]:
    """The names that this one is joined from, the longest first: AA is A and A, tk_1 is t and k_1; [] if there are none."""
    if not name or not most:
        return []
    for known in sorted(names, key=len, reverse=True):
        if name == known:
            return [known]
        if name.startswith(known) and (rest := _factors(name[len(known) :], names, most - 1)):
            return [known, *rest]
    return []


def _short(name: str) -> str:
    return name if len(name) <= 30 else name[:29] + "…"


def no_value(kind: str, text: str, before: str) -> str:
    """The message about a missing value: what stands in its place, and what stands before it."""
    if kind == "'":
        return "The mark ' means transpose and stands after a vector or matrix; a formula cannot contain quoted text."
    if kind == "end":
        return f"The formula is incomplete: something must follow {before}"
    if kind == ")" and before == "(":
        return "There is nothing between these brackets."
    return f"{text} cannot stand here{f', right after {before}' if before else ''}: a value is missing."

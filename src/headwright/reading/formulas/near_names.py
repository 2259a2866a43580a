"""Messages about unknown names and missing values: what is wrong, the nearest known name, and a list of all."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from difflib import SequenceMatcher, get_close_matches

from headwright.reading.formulas.plain_text import GREEK
from headwright.reading.formulas.symbols import BARE, spellings

_MEANT = {
    "EPS": ("eps",),
    "b": ("beta",),
    "mean_a": ("mu_a",),
    "mean_b": ("mu_b",),
}
_INFINITE = "Write a large symbol of the question, such as t; infinity is not a number."
_FUNCTIONS = {
    "log10": "log is the natural logarithm here; write log(x)/log(10) for another base.",
    "log2": "log is the natural logarithm here; write log(x)/log(2) for another base.",
    "transpose": "Write a transpose as A' or A^T.",
    "eye": "Write I for the identity matrix; its size follows from the place where it stands.",
    "softmax": "The attention weights are computed for you; write the query alone.",
    "sum": "Write sums out with +.",
    **dict.fromkeys(("inf", "infinity", "oo"), _INFINITE),
}
_SYMBOL = re.compile(rf"(?:[^\W\d_]|(?i:{'|'.join(GREEK)}))(?:_?[0-9]+)?")
_WORDS = ("no", "not", "there", "does", "none", "such", "impossible", "nothing", "never", "cannot")
NOT_WORDS = dict.fromkeys(
    [*_WORDS, *(word.capitalize() for word in _WORDS)],
    "Words are not a formula: if there is no such query, write none.",
)


def indexed(name: str, index: str, names: Collection[str]) -> str:
    """The message about k[1]: formulas do not index, and each of several vectors has a name of its own."""
    wanted = f"{name}_{index}"
    if wanted in names:
        return f"Write {wanted} instead of {_short(name)}[{index}]."
    return f"A formula cannot take entries out of a name with [ ]. The question has: {', '.join(sorted(names))}."


def unknown_name(name: str, names: Collection[str], hints: Mapping[str, str], large: Collection[str] = ()) -> str:
    """The message about an unknown name where a value is expected. In Ck_a it is the symbol C that is unknown."""
    if name in hints:
        return hints[name]
    if name in _FUNCTIONS:
        return _FUNCTIONS[name]
    meant = [hint for known, hint in hints.items() if len(known) > 1 and name.endswith(known)]
    if meant:
        return meant[0]
    symbol = _unknown_factor(name, names)
    near = None if symbol else _nearest(name, names)
    if large and len(name) == 1 and near not in large:  # in N k_a, N may be a large number
        near = None
    said = f" Did you mean {near}?" if near else ""
    if not near and large and _SYMBOL.fullmatch(symbol or name):
        said = f" For large numbers, use {' or '.join(sorted(large))}."
    listed = f" It has: {', '.join(sorted(names))}." if names else ""
    wrong = f"In {_short(name)} the symbol {symbol}" if symbol else f"The name {_short(name)}"
    return f"{wrong} does not belong to this question.{said}{listed}"


def unknown_function(name: str, functions: Collection[str]) -> str:
    """The message about a name that is called but is not a function."""
    said = _FUNCTIONS.get(name)
    if said is not None:
        return said
    alike = [one for one in functions if one[0] == name[0].lower()]  # sin is not min
    near = get_close_matches(name.lower(), alike, n=1)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"There is no function {_short(name)}.{meant} There are: {', '.join(sorted({*functions, 'ln'}))}."


def without_argument(function: str) -> str:
    """The message about a function that stands alone."""
    return f"{function} is a function: write {function}(...){' or log n' if function in BARE[:1] else ''}."


def no_value(kind: str, text: str, before: str) -> str:
    """The message about a missing value: what stands in its place, and what stands before it."""
    if kind == "'":
        return "The mark ' means transpose and stands after a vector or matrix; a formula cannot contain quoted text."
    if kind == "end" and not before:
        return "There is no formula here."
    if kind == "end":
        return f"The formula is incomplete: something must follow {before}"
    if kind in (")", "}") and before in ("(", "{"):
        return "There is nothing between these brackets."
    if kind == "∞":
        return _INFINITE
    if kind == "relation":
        return "A formula is one value and cannot contain a comparison."
    return f"{text} cannot stand here{f', right after {before}' if before else ''}: a value is missing."


def half_number(digits: str, name: str) -> str:
    """The message about 1e_ and 2e_5, where a number with a power of ten is begun, and about 1_000."""
    form = (
        "its digits stand without _, as in 1000"
        if name[0] == "_"
        else "after the e of a power of ten stands a whole number, as in 1e3"
    )
    return f"{_short(digits + name)} is not a number: {form}."


def is_symbol(name: str) -> bool:
    """Whether the word is one letter or the name of a Greek one, with an index or without: a factor, not a function."""
    return _SYMBOL.fullmatch(name) is not None


def _unknown_factor(name: str, names: Collection[str]) -> str | None:
    """What is left of a word once names of the question are taken from both ends, if that is one symbol: C of Ck_a."""
    ends = sorted(
        {own for known in names for own in (*spellings(known), known.replace("_", ""))}, key=len, reverse=True
    )
    rest, before = name, ""
    while rest != before:
        before = rest
        for known in ends:
            if rest != known and rest.endswith(known) and not rest[: -len(known)].endswith("_"):
                rest = rest.removesuffix(known)
            elif (
                rest != known and "_" not in known and rest.startswith(known) and not rest[len(known) :].startswith("_")
            ):
                rest = rest.removeprefix(known)
    return rest if rest != name and rest not in names and is_symbol(rest) else None


def _nearest(name: str, names: Collection[str]) -> str | None:
    for meant in _MEANT.get(name, ()):
        if meant in names:
            return meant
    folded = {known.replace("_", "").lower(): known for known in sorted(names, reverse=True)}
    same = folded.get(name.replace("_", "").lower())
    if same is not None:
        return same
    # A name with a letter less may have a factor less.
    alike = {known: SequenceMatcher(None, known, name).ratio() for known in names if len(known) >= len(name)}
    close = [known for known, ratio in alike.items() if ratio == max(alike.values()) >= 0.6]
    return close[0] if len(close) == 1 else None  # k_c is as near to k_a as to k_b


def _short(name: str) -> str:
    return name if len(name) <= 30 else name[:29] + "…"

"""A WrittenProgram as plain values that JSON can hold, and back. Every part that is read must be one that would be written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from headwright.kernel import budget, inputs
from headwright.theories.programs.steps import FIELDS, SELECTORS, Atom, Label, Step, Sum, WrittenProgram

_A_STEP = 10_000  # units for reading one step: some ten microseconds


def written(program: WrittenProgram) -> dict[str, Any]:
    """The program as plain values.

    >>> written(WrittenProgram(("a", "b"), 3, False, (Step("length"),)))["steps"]
    [{'kind': 'length'}]
    """
    return {
        "vocabulary": list(program.vocabulary),
        "length": program.length,
        "causal": program.causal,
        "steps": [_fields(step, FIELDS) for step in program.steps],
    }


def read(said: Any) -> WrittenProgram:
    """The program that `written` wrote; ValueError, TypeError or KeyError if there is none."""
    known = _named(said, ("vocabulary", "length", "causal", "steps"), "a program")
    vocabulary, steps = (_listed(known[name], name) for name in ("vocabulary", "steps"))
    budget.spend(_A_STEP * (len(vocabulary) + len(steps)))
    return WrittenProgram(vocabulary, known["length"], known["causal"], tuple(_step(own) for own in steps))


def _fields(value: Step | Atom, known: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    parts = {name: _plain(getattr(value, name)) for name in known[value.kind]}
    return {"kind": value.kind, **{name: part for name, part in parts.items() if part is not None}}


def _plain(value: Any) -> Any:
    if isinstance(value, Sum):
        return [str(value.constant), *([register, str(factor)] for register, factor in value.terms)]
    if isinstance(value, Atom):
        return _fields(value, SELECTORS)
    return [_plain(own) for own in value] if isinstance(value, tuple) else value


def _step(said: Any) -> Step:
    optional = {"default": None} if "default" in _of_kind(said, FIELDS) else {}
    parts = _named({**optional, **said}, ("kind", *_of_kind(said, FIELDS)), "a step")
    readers: dict[str, Callable[[Any], Any]] = {
        "of": _registers,
        "select": _atoms,
        "sum": _sum,
        "strict": _truth,
        "table": _labels,
        "default": _default,
    }
    named: dict[str, Any] = {name: readers[name](parts[name]) for name in FIELDS[said["kind"]]}
    return Step(said["kind"], **named)


def _atoms(said: Any) -> tuple[Atom, ...]:
    readers: dict[str, Callable[[Any], Any]] = {"key": _register, "mine": _register, "chosen": _labels, "index": _sum}
    atoms = []
    for own in _listed(said, "select"):
        parts = _named(own, ("kind", *_of_kind(own, SELECTORS)), "a selector")
        named: dict[str, Any] = {name: readers[name](parts[name]) for name in SELECTORS[own["kind"]]}
        atoms.append(Atom(own["kind"], **named))
    return tuple(atoms)


def _sum(said: Any) -> Sum:
    constant, *terms = _listed(said, "sum")
    pairs = [_listed(term, "sum") for term in terms]
    if any(len(pair) != 2 for pair in pairs) or len({pair[0] for pair in pairs}) < len(pairs):
        raise ValueError("a sum must name each of its registers once, with a factor")
    factors = [inputs.rational(factor, name="sum") for _, factor in pairs]
    if not all(factors):
        raise ValueError("a sum must have factors other than 0")
    return Sum(
        tuple((_register(pair[0]), factor) for pair, factor in zip(pairs, factors, strict=True)),
        inputs.rational(constant, name="sum"),
    )


def _of_kind(said: Any, known: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    kind = said.get("kind") if isinstance(said, Mapping) else None
    if not isinstance(kind, str) or kind not in known:
        raise ValueError(f"`kind` must be one of {', '.join(known)}, got {kind!r}")
    return known[kind]


def _named(said: Any, names: tuple[str, ...], what: str) -> Mapping[str, Any]:
    if not isinstance(said, Mapping) or set(said) != set(names):
        raise ValueError(f"{what} must have the parts {', '.join(names)}")
    return said


def _listed(said: Any, name: str) -> tuple[Any, ...]:
    if not isinstance(said, list):
        raise ValueError(f"`{name}` must be a list, got {type(said).__name__}")
    return tuple(said)


def _register(said: Any) -> int:
    return inputs.index(said, name="register")


def _registers(said: Any) -> tuple[int, ...]:
    return tuple(_register(own) for own in _listed(said, "of"))


def _truth(said: Any) -> bool:
    if not isinstance(said, bool):
        raise ValueError(f"`strict` must be true or false, got {said!r}")
    return said


def _labels(said: Any) -> tuple[Label, ...]:
    return tuple(_label(own) for own in _listed(said, "labels"))


def _label(said: Any) -> Label:
    if type(said) not in (str, int, bool):
        raise TypeError(f"a label must be text or a whole number, got {said!r}")
    label: Label = said
    return label


def _default(said: Any) -> Label | None:
    return None if said is None else _label(said)

"""Steps in words, for tables, drawings and messages: "pick token at index − 1, otherwise '?'"."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from headwright.theories.programs.steps import ATTENDING, FIRST, INDICES, TOKENS, Atom, Label, Sum, WrittenProgram

_MOST = 4  # labels or registers that are listed; of more, the first few and their number
Named = Callable[[int], str]


def step_in_words(program: WrittenProgram, register: int, name: Named) -> str:
    """What the step of a register does; `name` says what registers are called.

    >>> import headwright as hw
    >>> p = hw.Program("abc", length=5, causal=True)
    >>> previous = p.pick(p.at(p.indices - 1), p.tokens, default="?")
    >>> step_in_words(p.written(), previous.number, p.name)
    "pick token at index − 1, otherwise '?'"
    >>> seen = p.count(previous.matches(p.tokens) & p.before())
    >>> step_in_words(p.written(), seen.number, p.name)
    'count keys whose pick#2 is my token and that are not after me'
    """
    if register < FIRST:
        return name(register)
    name = _of_one_position(name)
    step = program.step(register)
    if step.kind == "length":
        return "length of the word"
    if step.kind == "map":
        return f"table of {_listed([name(own) for own in step.of])}"
    if step.kind in ("compare", "sign"):
        assert step.sum is not None
        if step.kind == "sign":
            return f"sign of {sum_in_words(step.sum, name)}"
        return _comparison(step.sum, strict=step.strict, name=name)
    keys = " and ".join(atom_in_words(atom, name) for atom in step.select)
    if step.kind == "count":
        return f"count keys {keys}" if keys else "count all keys"
    of = name(step.of[0])
    what = f"mean of {of} over" if step.kind == "mean" else f"{step.kind} {of}"
    if keys.startswith("at ") and step.kind != "mean":
        said = f"{what} {keys}"
    else:
        said = f"{what} {'' if step.kind == 'mean' else 'of '}{f'keys {keys}' if keys else 'all keys'}"
    return said if step.default is None else f"{said}, otherwise {step.default!r}"


def registers_read(
    program: WrittenProgram, register: int, *, again: bool = False
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The registers that a step reads at its keys, and those that it reads at the position itself.

    `again` asks for another code of the register, which reads the register alone.

    >>> import headwright as hw
    >>> p = hw.Program("abc", length=5)
    >>> reversed_word = p.pick(p.at(p.length() - 1 - p.indices), p.tokens)
    >>> registers_read(p.written(), reversed_word.number)
    ((0, 1), (1, 2))
    """
    step = program.step(register)
    if again:
        return (), (register,)
    if step.kind not in ATTENDING:
        return (), tuple(sorted(step.reads()))
    keys, mine = set(step.of), set()
    for atom in step.select:
        keys |= {atom.key} if atom.key is not None else set()
        mine |= {atom.mine} if atom.mine is not None else set()
        if atom.index is not None:
            keys.add(INDICES)
            mine |= {own for own, _ in atom.index.terms}
        if atom.kind == "before" and not program.causal:
            keys.add(INDICES)
            mine.add(INDICES)
    if step.kind in ("last", "length"):
        keys.add(INDICES)
    return tuple(sorted(keys)), tuple(sorted(mine))


def _of_one_position(name: Named) -> Named:
    """The names, but for tokens and indices: a position has one token and one index."""
    singular = {TOKENS: "token", INDICES: "index"}
    return lambda register: singular.get(register) or name(register)


def atom_in_words(atom: Atom, name: Named) -> str:
    """One condition on a key."""
    if atom.kind == "before":
        return "that are not after me"
    if atom.kind == "at":
        assert atom.index is not None
        return f"at {sum_in_words(atom.index, name)}"
    assert atom.key is not None
    if atom.kind == "among":
        return f"whose {name(atom.key)} is {_listed([_shown(label) for label in atom.chosen or ()], ' or ')}"
    assert atom.mine is not None
    return f"whose {name(atom.key)} is {'' if atom.kind == 'matches' else 'below '}my {name(atom.mine)}"


def sum_in_words(total: Sum, name: Named) -> str:
    """A sum of multiples of registers and a constant.

    >>> sum_in_words(Sum(((1, Fraction(-1)), (2, Fraction(2))), Fraction(-1)), {1: "indices", 2: "length"}.get)
    '2·length − indices − 1'
    """
    terms = sorted(total.terms, key=lambda term: term[1] < 0)  # what is added comes first
    parts = [(factor, f"{'' if abs(factor) == 1 else f'{abs(factor)}·'}{name(own)}") for own, factor in terms]
    if total.constant or not parts:
        parts.append((total.constant, str(abs(total.constant))))
    first, *rest = parts
    said = [f"{'−' if first[0] < 0 else ''}{first[1]}"]
    return " ".join(said + [f"{'−' if factor < 0 else '+'} {word}" for factor, word in rest])


def _comparison(total: Sum, *, strict: bool, name: Named) -> str:
    """The sum is at least 0, or above 0: what is subtracted on the left, the rest on the right."""
    left = Sum(tuple((own, -factor) for own, factor in total.terms if factor < 0), max(-total.constant, Fraction(0)))
    right = Sum(tuple(term for term in total.terms if term[1] > 0), max(total.constant, Fraction(0)))
    return f"{sum_in_words(left, name)} {'<' if strict else '≤'} {sum_in_words(right, name)}"


def _shown(label: Label) -> str:
    return repr(label) if isinstance(label, str) else str(label)


def _listed(words: list[str], last: str = ", ") -> str:
    if not words:
        return "nothing"
    if len(words) > _MOST:
        return f"{', '.join(words[: _MOST - 1])}, … ({len(words)})"
    return ", ".join(words[:-1]) + (last if len(words) > 1 else "") + words[-1]

"""Why a program is not compiled as asked: refusals that name the step, the words or the length in question.

Each function raises if there is a reason to refuse. `Unreachable` carries a proof. `NotFound` is no proof that there is no such
transformer: it speaks of this program as it is written, and of what the compiler tried.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from headwright.kernel import inputs
from headwright.search.compile.causal_witness import causal_witness
from headwright.theories.programs.steps import (
    FIRST,
    INDICES,
    MOST_COMBINATIONS,
    TOKENS,
    Atom,
    Label,
    Step,
    WrittenProgram,
)
from headwright.words.program import Program
from headwright.words.program_registers import Register
from headwright.words.refusals import NotFound, Unreachable

# What a sign is that has two values only, by the value that it never has.
_INSTEAD = {
    -1: "lambda more: int(more), s > 0",
    0: "lambda more: 2 * int(more) - 1, s > 0",
    1: "lambda none: int(none) - 1, s >= 0",
}
_WIDER = {"float32": ("float64", "real"), "float64": ("real",)}


def refuse_causal(program: Program, output: Register, *, error: Any = 0, seed: Any = 0) -> NoReturn:
    """Raise, since a program with full attention cannot be compiled with a causal mask as it stands.

    Unreachable if two words show that its output needs later tokens, otherwise NotFound. For a mean the words must show that
    no causal transformer comes within `error`.

    >>> import headwright as hw
    >>> p = hw.Program("ab", length=9)
    >>> try:
    ...     refuse_causal(p, p.count(p.tokens.matches(p.tokens)))
    ... except hw.Unreachable as refusal:
    ...     print(refusal.verdict.record.first, refusal.verdict.record.second, refusal.verdict.record.position)
    ('a',) ('a', 'a') 0
    """
    number = program.register(output, "output")
    found = causal_witness(program.written(), number, error=error, seed=seed)
    if found is not None:
        raise Unreachable(f"{found.claim}. {_capital(found.reason)}.", verdict=found)
    raise NotFound(
        f"the program is written for full attention, and the search found no two words that show that {program.name(number)} "
        "depends on later tokens. Write the program with `causal=True` if it does not"
    )


def refuse_rank(program: Program, output: Register, rank: Any) -> None:
    """Raise NotFound if a step averages or counts a prefix without a mask, and heads of this rank are too small for equal scores.

    Position q of N gives the keys 0 … q one score, and key q + 1 another. The differences to each position's first score form a
    triangular matrix of rank N - 1, so the head has at least that rank. Scores that are only nearly equal need less.

    >>> import headwright as hw
    >>> p = hw.Program("ab", length=9)
    >>> try:
    ...     refuse_rank(p, p.mean(p.before(), p.indices), rank=7)
    ... except hw.NotFound as refusal:
    ...     print(refusal.reason.partition(". ")[0])
    mean#2 gives equal weight to all selected keys up to each position, without a mask
    """
    number, most = program.register(output, "output"), inputs.count(rank, name="rank")
    written = program.written()
    if written.causal:
        return
    steps = [own for own in written.needed(number) if own >= FIRST and _needs_prefix(written.step(own))]
    if steps and most < written.length - 1:
        raise NotFound(
            f"{program.name(steps[0])} gives equal weight to all selected keys up to each position, without a mask. The "
            "compiler gives such keys exactly equal scores. For words of up to "
            f"{written.length} tokens that takes a head of rank {written.length - 1} or more, but `rank` is {most}. "
            "Scores that are only nearly equal were not tried, so this is no proof that there is no such transformer. If no "
            "step needs later tokens, write the program with `causal=True`: the mask then selects the prefix"
        )


def _needs_prefix(step: Step) -> bool:
    """Whether the step gives equal scores to all keys up to each position, on a word of one token at least."""
    kinds = [atom.kind for atom in step.select]
    if step.kind not in ("mean", "count") or "before" not in kinds:
        return False
    chosen = [set(atom.chosen or ()) for atom in step.select if atom.kind == "among"]
    others = [atom for atom in step.select if atom.kind != "before"]
    alike = all(atom.key == TOKENS and atom.mine in (None, TOKENS) and atom.kind != "below" for atom in others)
    return alike and (not chosen or bool(set.intersection(*chosen)))


def refuse_layers(chain: Sequence[str], layers: Any) -> None:
    """Raise NotFound if the chain, which names what each block computes for the next, is longer than `layers`.

    >>> refuse_layers(["length#2", "pick#3"], 2)
    >>> refuse_layers(["length#2", "pick#3"], 1)
    Traceback (most recent call last):
    headwright.words.refusals.NotFound: this program needs 2 layers, but `layers` is 1. Each step of this chain reads the one \
before it: length#2, pick#3. Another program for the same function may need fewer
    """
    most = inputs.count(layers, name="layers")
    if len(chain) > most:
        raise NotFound(
            f"this program needs {len(chain)} layers, but `layers` is {most}. Each step of this chain reads the one before it: "
            f"{', '.join(chain)}. Another program for the same function may need fewer",
            proved_bound=None,
        )


def refuse_heads(ranks: Mapping[str, int], rank: int) -> None:
    """Raise NotFound if a head, by the name of its step, has a larger rank than `rank`.

    >>> refuse_heads({"count#2": 5}, 3)
    Traceback (most recent call last):
    headwright.words.refusals.NotFound: the head of count#2 has rank 5, but `rank` is 3. No head of a smaller rank was tried
    """
    wide = next((name for name, own in ranks.items() if own > rank), None)
    if wide is not None:
        raise NotFound(
            f"the head of {wide} has rank {ranks[wide]}, but `rank` is {rank}. No head of a smaller rank was tried"
        )


def refuse_feature(program: Program, number: int, proves: Callable[[str, int], bool]) -> None:
    """Raise NotFound if a feature of a register's step, which was not proved, stands in the way at every length.

    `proves` is as in `refuse_type`. It is asked once, for words of two tokens in real arithmetic, which have nothing to round.

    >>> import headwright as hw
    >>> p = hw.Program("ab", length=9)
    >>> refuse_feature(p, p.count(p.at(p.indices - 1)).number, lambda dtype, length: False)
    Traceback (most recent call last):
    headwright.words.refusals.NotFound: count#2 cannot be compiled at any length above 1: it counts with `at`. Write \
`places = p.map(lambda i: i, p.indices)`, hold the index in a register r, and select by `places.matches(r)` instead
    """
    written = program.written()
    never = f"{program.name(number)} cannot be compiled at"
    for own in written.needed(number):
        known = None if own < FIRST else _always(written, written.step(own))
        if known is not None and (own == number or not proves("real", min(2, written.length))):
            said = "it is" if own == number else f"it depends on {program.name(own)}, which is"
            raise NotFound(f"{never} this length or any shorter one: {said} {known} in every word. {_constant(known)}")
    if number < FIRST:
        return
    step = written.step(number)
    none = next((atom for atom in step.select if _selects_nothing(written, atom)), None)
    if none is not None:
        value = 0 if step.kind == "count" else step.default
        way = "Leave the step out: it is undefined on every word" if value is None else _constant(value)
        raise NotFound(f"{never} this length or any shorter one: its `{none.kind}` selects no key in any word. {way}")
    never_is = _never(written, step)
    if never_is is not None:
        raise NotFound(
            f"{never} this length or any shorter one: it is {never_is} in no word. Write `p.map({_INSTEAD[never_is]})` instead, "
            "where s is its sum"
        )
    feature = _feature(step)
    if feature is not None and not proves("real", min(2, written.length)):
        where = "any length above 1" if written.length > 1 else "this length"
        raise NotFound(
            f"{never} {where}: {feature}. Write `places = p.map(lambda i: i, p.indices)`, hold the index in a "
            "register r, and select by `places.matches(r)` instead"
        )


def _constant(value: Label) -> str:
    return f"Write `p.map(lambda token: {value!r}, p.tokens)` instead"


def _feature(step: Step) -> str | None:
    """What stands in the way beside "at", whose scores differ from key to key, so that BOS rarely stands for a missing key."""
    index = next((atom.index for atom in step.select if atom.kind == "at"), None)
    if index is None or (step.kind != "count" and step.default is None):
        return None
    if step.kind == "count":
        return "it counts with `at`"
    if any(register != INDICES for register, _ in index.terms):
        return "it has a default, and the index in `at` is computed"
    if len(step.select) > 1:
        return "it has a default, and `at` stands beside another condition"
    return "it has a default, and takes the last key that `at` selects" if step.kind == "last" else None


def _selects_nothing(program: WrittenProgram, atom: Atom) -> bool:
    """Whether a condition holds for no key, whatever the labels."""
    if atom.kind == "at":
        assert atom.index is not None
        low, high = program.bounds(atom.index)
        return high < 0 or low >= program.length
    if atom.kind == "before":
        return False
    assert atom.key is not None
    mine = (None,) if atom.mine is None else program.values[atom.mine].labels or ()
    return not any(program.selects(atom, key, own) for own in mine for key in program.values[atom.key].labels or ())


def _always(program: WrittenProgram, step: Step) -> int | None:
    """The only value of a comparison or a sign, None if the bounds on its sum leave several."""
    if step.sum is None:
        return None
    ends = [(end > 0) - (end < 0) for end in program.bounds(step.sum)]
    if step.kind != "sign":
        ends = [int(end > 0 if step.strict else end >= 0) for end in ends]
    return ends[0] if ends[0] == ends[1] else None


def _never(program: WrittenProgram, step: Step) -> int | None:
    """The value that a sign never has: no code of it is ever written, and none can be proved. None if it may have all three."""
    if step.kind != "sign" or step.sum is None:
        return None
    low, high = program.bounds(step.sum)
    if low >= 0 or high <= 0:
        return -1 if low >= 0 else 1
    terms = [(factor, program.values[register].labels or ()) for register, factor in step.sum.terms]
    if math.prod(len(labels) for _, labels in terms) > MOST_COMBINATIONS:
        return None
    sums = {step.sum.constant}
    for factor, labels in terms:
        sums = {total + factor * label for total in sums for label in labels if isinstance(label, int)}
    return None if 0 in sums else 0


def refuse_type(
    step: str, dtype: str, length: int, proves: Callable[[str, int], bool], *, bound: float, needed: float
) -> NoReturn:
    """Raise NotFound: the step is not proved in this type, with the type that can, and the largest length that this one can.

    `bound` is what was proved of the step, and less than `needed` is required. `proves(dtype, length)` tries to compile the
    program in another type or for shorter words. It is called at most about log2(`length`) + 3 times.

    >>> refuse_type("count#2", "float32", 800, lambda dtype, length: dtype == "float64" or length <= 431, bound=0.7, needed=0.5)
    Traceback (most recent call last):
    headwright.words.refusals.NotFound: count#2 is not proved in float32 for words of up to 800 tokens: its error may \
be 0.7, and less than 0.5 is required. In float64 the program is proved at this length. In float32 it is proved for words of \
up to 431 tokens
    """
    wide = next((wider for wider in _WIDER.get(dtype, ()) if proves(wider, length)), None)
    longest = longest_proved(length, lambda size: proves(dtype, size))
    said = f"{step} is not proved in {dtype} for words of up to {length} tokens: its error may be {bound:.3g}, and less than "
    said += f"{needed:.3g} is required"
    if wide is not None:
        said += f". In {_arithmetic(wide)} the program is proved at this length"
    said += f". In {_arithmetic(dtype)} it is proved " + (
        f"for words of up to {longest} tokens" if longest else "at no length tried"
    )
    raise NotFound(said)


def longest_proved(length: int, proves: Callable[[int], bool]) -> int:
    """A length below `length` that is proved, within two per cent of the largest; 0 for none. Longer ones are taken to be harder.

    >>> longest_proved(800, lambda size: size <= 431)
    431
    """
    low, high = 0, length
    while high - low > max(1, low // 50):  # each trial compiles the program, which takes seconds for long words
        middle = (low + high) // 2
        low, high = (middle, high) if proves(middle) else (low, middle)
    return low


def _arithmetic(dtype: str) -> str:
    return "real arithmetic" if dtype == "real" else dtype


def _capital(said: str) -> str:
    return said[:1].upper() + said[1:]

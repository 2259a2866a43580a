"""A second opinion on why programs are refused: an interpreter of its own for stored programs."""

import itertools
from fractions import Fraction

from tests.second_opinion_words import parts_of

KIND = "needs-later"


def judge(fields):
    program, output, i = fields["program"], fields["output"], fields["position"]
    words = fields["first"], fields["second"]
    if len(set(map(tuple, (word[: i + 1] for word in words)))) > 1 or i >= min(map(len, words)):
        return "false"
    found = [run(program, word, output) for word in words]
    if None in found or found[0][i] == found[1][i]:
        return "unknown"
    return "true"


def bound_claim(verdict):
    """No claim has this bound in it: half of the difference between two outputs, compared here."""
    if verdict.bound is not None:
        _, _, fields = parts_of(verdict.record)
        a, b = (
            run(fields["program"], fields[name], fields["output"])[fields["position"]] for name in ("first", "second")
        )
        assert 0 < 2 * Fraction(verdict.bound) <= abs(a - b)


def work(fields):
    return sum(len(fields[name]) ** 2 for name in ("first", "second")) * len(fields["program"]["steps"])


def run(program, word, output):
    """The values of a register, or None if a register that it needs is undefined somewhere."""
    steps = program["steps"]
    needed, waiting = set(), [output]
    while waiting:
        register = waiting.pop()
        if register > 1 and register not in needed:
            needed.add(register)
            waiting += sources(steps[register - 2])
    known = {0: list(word), 1: list(range(len(word)))}
    names = labels(program)
    for register in sorted(needed):
        column = [value(program, steps[register - 2], known, names, i) for i in range(len(word))]
        if None in column:
            return None
        known[register] = column
    return known[output]


def sources(step):
    yield from step.get("of", ())
    yield from (register for register, _ in step.get("sum", [0])[1:])
    for atom in step.get("select", ()):
        yield from (atom[name] for name in ("key", "mine") if name in atom)
        yield from (register for register, _ in atom.get("index", [0])[1:])


def labels(program):
    """The labels of every register, in the order in which tables list them; None for means."""
    n = program["length"]
    made = [list(program["vocabulary"]), list(range(n))]
    for step in program["steps"]:
        kind = step["kind"]
        if kind == "map":
            own = [*dict.fromkeys(step["table"])]
            made.append(own if any(isinstance(label, str) for label in own) else sorted(own))
        elif kind in ("pick", "last"):
            own = made[step["of"][0]]
            extra = [] if step.get("default") is None or step.get("default") in (own or ()) else [step.get("default")]
            made.append(None if own is None else own + extra)
        else:
            fixed = {
                "count": range(int(all(map(itself, step.get("select", ())))), n + 1),
                "length": range(1, n + 1),
                "compare": (0, 1),
                "sign": (-1, 0, 1),
            }
            made.append(None if kind == "mean" else [*fixed[kind]])
    return made


def itself(atom):
    """Whether every position meets the condition with itself as the key: then no count is 0."""
    kind = atom["kind"]
    return (
        kind == "before" or (kind == "matches" and atom["key"] == atom["mine"]) or atom.get("index") == ["0", [1, "1"]]
    )


def total(said, known, i):
    return Fraction(said[0]) + sum(Fraction(factor) * known[register][i] for register, factor in said[1:])


def value(program, step, known, names, i):
    kind = step["kind"]
    if kind == "length":
        return len(known[0])
    if kind == "map":
        wanted = tuple(known[register][i] for register in step["of"])
        rows = itertools.product(*(names[register] for register in step["of"]))
        return next(label for label, row in zip(step["table"], rows, strict=True) if row == wanted)
    if kind in ("compare", "sign"):
        x = total(step["sum"], known, i)
        if kind == "sign":
            return 0 if x == 0 else 1 if x > 0 else -1
        return int(x > 0 or (x == 0 and not step["strict"]))
    seen = range(len(known[0]))
    held = [
        j
        for j in seen
        if (j <= i or not program["causal"]) and all(holds(program, a, known, i, j) for a in step["select"])
    ]
    if kind == "count":
        return len(held)
    values = [known[step["of"][0]][j] for j in held]
    if not values:
        return step.get("default")
    if kind == "mean":
        return sum(map(Fraction, values)) / len(values)
    return values[-1] if kind == "last" or len(set(values)) == 1 else None


def holds(program, atom, known, i, j):
    kind = atom["kind"]
    if kind == "before":
        return i >= j
    if kind == "at":
        return total(atom["index"], known, i) == j
    own = known[atom["key"]][j]
    if kind == "among":
        return own in atom["chosen"]
    mine = known[atom["mine"]][i]
    if kind == "matches":
        return own == mine
    order = program["vocabulary"] if isinstance(own, str) else None
    return order.index(own) < order.index(mine) if order else own < mine

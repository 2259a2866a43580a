"""Two thousand random formulas with cancelling terms, arrays and matrix functions, as answers to questions of the sheets.

A formula is made as a tree and spelled by this module, judged by `problems.check`, and evaluated as the tree it was made as by
`tests/second_opinion_families.py`, which shares no code with the judge: exact fractions where numbers are rational, mpmath at
rising precision elsewhere. Right and wrong answers are multiplied by numbers that are 1 after all or nearly, and what is added
to them is 0 after all or nearly, or has no value somewhere. A verdict that contradicts the evaluation is a fault, and so is a
formula that is refused at the door as having no value at the setting, where it has one.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from evidence.partial import Partial
from headwright import problems
from headwright.kernel.verdict import Proved, Refuted, Verdict
from headwright.problems import CATALOGUE
from headwright.reading.formulas import FormulaError
from tests import second_opinion, second_opinion_families as families
from tests.second_opinion_trees import Undefined, column, grid, sized, steady
from tests.second_opinion_words import parts_of

CASES = 2000
CLAIM = (
    f"{CASES:,} random formulas with cancelling terms, arrays and matrix functions, answers to query, read-out, low-rank and "
    "layer questions, against an exact evaluator: no false Proved, no false Refuted, no value denied that exists, no crash"
)
Tree = list[Any]
Row = dict[str, Any]


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    numbers = list(range(CASES))[:limit]
    with Partial(store, __file__) as partial:
        for number in numbers:
            if str(number) not in partial:
                partial.add(str(number), examined(*case(number)))
        rows = {number: partial[str(number)] for number in numbers}
    bad = {number: row["bad"] for number, row in rows.items() if row["bad"]}
    decided = [row for row in rows.values() if row["status"] in ("proved", "refuted")]
    return {
        "holds": not bad,
        "bad": dict(list(bad.items())[:20]),
        "formulas": len(rows),
        "statuses": dict(Counter(row["status"] for row in rows.values())),
        "by_question": {
            name: dict(Counter(row["status"] for row in rows.values() if row["question"] == name))
            for name in sorted({row["question"] for row in rows.values()})
        },
        "kinds": dict(Counter(row["kind"] for row in decided)),
        "confirmed": sum(row["second"] == {"proved": "true", "refuted": "false"}[row["status"]] for row in decided),
        "not_contradicted_at_many_members": sum(row["second"] == "not contradicted" for row in decided),
        "not_decided_by_the_evaluator": sum(row["second"] == "unknown" for row in decided),
    }


def examined(question: str, trees: Mapping[str, Tree]) -> Row:
    """What is said of an answer, and what is bad about it."""
    answer = {name: spelled(tree) for name, tree in trees.items()}
    row: Row = {"question": question, "answer": answer, "status": "refused", "kind": None, "second": None, "bad": []}
    try:
        verdict = problems.check(question, answer)
    except FormulaError as fault:
        if has_value(question, trees):
            row["bad"] = [f"refused: {fault.message}"]
        return row
    except ValueError:  # too long, or not of the shape that is asked for
        return row
    except Exception as crash:
        row["bad"] = [f"crash: {crash!r}"]
        return row
    row |= {"status": verdict.status, "kind": getattr(verdict.record, "kind", None)}
    if isinstance(verdict, Proved | Refuted):
        row["second"] = second(verdict, trees)
        wanted = {"proved": "true", "refuted": "false"}[verdict.status]
        if row["second"] not in (wanted, "unknown", "not contradicted"):
            row["bad"] = [f"{verdict.status}, evaluated: {row['second']}"]
        breaks = second_opinion.check_counterexample(verdict) if isinstance(verdict, Refuted) else True
        if breaks is False or (row["second"] == "not contradicted" and not breaks):
            row["bad"] = [*row["bad"], "the stored point breaks nothing"]
    return row


def second(verdict: Verdict, trees: Mapping[str, Tree]) -> str:
    """The claim of a verdict, with the trees that were made in the place of those that were read."""
    claim = verdict.record
    assert claim is not None
    if claim.kind not in families.KINDS:
        return str(second_opinion.judge(claim))
    kind, held, fields = parts_of(claim)
    if kind == "layer-outputs":
        fields["maps"] = dict(trees)
    elif "trees" in fields:
        fields["trees"] = list(trees.values())
    else:
        (fields["tree"],) = trees.values()
    return str(families.judge(kind, held, fields))


def has_value(question: str, trees: Mapping[str, Tree]) -> bool:
    """Whether every formula certainly has a value at the setting, of the shape that the question asks for."""
    setting = CATALOGUE[question].setting()
    names = {name: at(x) for name, x in setting.names.items()}
    wanted = {"D.b-i": (10, 10), "E.1d": (10, 10), "A.3c": (10, 6), "B.3e-ii": (4, 4)}.get(question, (10, 1))

    def shape(tree: Tree) -> Any:
        def attempt(do: Any) -> Any:
            try:
                found = sized(do.value(tree, names), 4 if question == "B.3e-ii" else 10)
            except Undefined:
                return "none"
            return len(found), len(found[0])

        return steady(attempt, digits=400)

    return all(shape(tree) == wanted for tree in trees.values())


def at(x: Any) -> Any:
    array = np.asarray(x, dtype=np.float64)
    if array.ndim == 0:
        return Fraction(float(array))
    return column([Fraction(v) for v in array.tolist()]) if array.ndim == 1 else grid(array)


# The formulas


def num(x: object) -> Tree:
    return ["number", str(Fraction(str(x)))]


def name(x: str) -> Tree:
    return ["name", x]


def call(function: str, *parts: Tree) -> Tree:
    return ["call", function, *parts]


def add(*parts: Tree) -> Tree:
    return ["sum", *([1, part] for part in parts)]


def less(a: Tree, *rest: Tree) -> Tree:
    return ["sum", [1, a], *([-1, part] for part in rest)]


def mul(*parts: Tree) -> Tree:
    return ["product", *([1, part] for part in parts)]


def div(a: Tree, b: Tree) -> Tree:
    return ["product", [1, a], [-1, b]]


def power(a: Tree, b: Tree) -> Tree:
    return ["power", a, b]


def turn(a: Tree) -> Tree:
    return ["transposed", a]


EYE: Tree = ["constant", "I"]
E: Tree = ["constant", "e"]


class Maker:
    """Random formulas over the symbols and vectors of one question."""

    def __init__(self, rng: random.Random, symbols: tuple[str, ...], vectors: tuple[str, ...] = ()) -> None:
        self.rng, self.symbols, self.vectors = rng, symbols, vectors

    def big(self) -> Tree:
        """A number so large that float64 forgets what is added to it, rational or not."""
        size = num(10 ** self.rng.randint(15, 36))
        return self.rng.choice(
            [size, mul(power(num(2), num("1/3")), size), mul(["constant", "pi"], size), mul(call("log", num(3)), size)]
        )

    def scalar(self) -> Tree:
        """Something positive made of the symbols."""
        x = name(self.rng.choice(self.symbols)) if self.symbols else num(self.rng.randint(2, 9))
        choices = [
            x,
            add(x, num(1)),
            call("sqrt", x),
            mul(num(self.rng.randint(2, 5)), x),
            power(x, num(2)),
            call("exp", num(self.rng.randint(0, 3))),
        ]
        return self.rng.choice(choices)

    def nothing(self) -> Tree:
        """0 after all; now and then it has no value at some member, or is not quite 0."""
        a, b, c, big = self.scalar(), self.scalar(), num(self.rng.randint(2, 9)), self.big()
        choices = [
            less(add(big, c), big, c),
            less(call("log", mul(a, b)), call("log", a), call("log", b)),
            less(call("sqrt", mul(c, c, a)), mul(c, call("sqrt", a))),
            less(call("exp", call("log", c)), c),
            less(power(add(a, num(1)), num(2)), power(a, num(2)), mul(num(2), a), num(1)),
            less(call("abs", less(num(0), a)), a),
            less(call("max", c, num(1)), call("min", c, num(99))),
            less(mul(a, call("inv", a)), num(1)),
            less(E, call("exp", num(1))),
            less(power(num(-2), num(self.rng.choice([3, 65]))), power(num(-2), num(self.rng.choice([3, 65])))),
            less(call("norm", num(-3)), num(3)),
            call(self.rng.choice(["abs", "norm", "sqrt"]), less(a, a)),
            call("max", less(call("log", mul(a, b)), call("log", a), call("log", b)), num(0)),
            power(less(add(a, c), a, c), num(self.rng.choice([1, 2, "1/2", "1/3"]))),
            mul(num(0), call("log", self.risky())),
            mul(num(0), call("log", mul(self.risky(), call("exp", a), self.risky()))),
            div(num(0), self.risky()),
            mul(num(0), call("sqrt", self.risky())),
            num(Fraction(1, 10 ** self.rng.choice([12, 25, 36]))),
        ]
        if self.vectors:
            u, v = (name(x) for x in self.rng.choices(self.vectors, k=2))
            choices += [
                less(mul(turn(u), v), call("dot", u, v)),
                mul(call("dot", u, v), num(0), call("log", self.risky())),
            ]
            if u != v:
                choices += [mul(self.scalar(), call("dot", u, v)), mul(call("log", self.risky()), call("dot", u, v))]
        return self.rng.choice(choices)

    def risky(self) -> Tree:
        """Something that may be 0 or negative."""
        x = name(self.rng.choice(self.symbols)) if self.symbols else num(self.rng.randint(1, 3))
        return self.rng.choice(
            [less(x, num(self.rng.randint(1, 7))), less(num(200), x), add(x, num("1/3")), less(call("log", x), num(1))]
        )

    def unit(self) -> Tree:
        """1 after all, or nearly."""
        c = num(self.rng.randint(2, 9))
        near = Fraction(self.rng.choice([-1, 1]), 10 ** self.rng.choice([9, 20, 36]))
        big = self.big()
        choices = [
            add(num(1), self.nothing()),
            div(less(add(big, c), big), c),
            mul(c, call("inv", c)),
            div(call("log", mul(c, c)), mul(num(2), call("log", c))),
            call("norm", num(-1)),
            power(add(num(1), self.nothing()), num(self.rng.choice([0, 1, 3, "1/3"]))),
            num(1 + near),
        ]
        return self.rng.choice(choices)

    def dressed(self, factor: Tree) -> Tree:
        """The factor, times what is 1, plus what is 0."""
        found = factor
        for _ in range(self.rng.randint(1, 2)):
            big = self.big()
            ways = [mul(found, self.unit()), add(found, self.nothing()), less(add(big, found), big)]
            found = self.rng.choice(ways)
        return found


def case(number: int) -> tuple[str, dict[str, Tree]]:
    """(question, {name: tree})."""
    rng = random.Random(f"formulas {number}")
    kind = number % 10
    if kind < 4:
        return queries(rng)
    if kind < 6:
        return arrays(rng)
    if kind < 8:
        return read_outs(rng)
    return low_rank(rng) if kind == 8 else layers(rng)


def queries(rng: random.Random) -> tuple[str, dict[str, Tree]]:
    question, basis, large = rng.choice(
        [
            ("A.1a", ("k_1",), ()),
            ("A.1b", ("k_1", "k_2"), ()),
            ("A.1d", ("u", "k_2"), ("t",)),
            ("B.3b", ("k_a", "k_b"), ("t", "s", "T")),
            ("C.2.2a", ("mu_a", "mu_b"), ("t", "beta")),
            ("E.1e", ("mu_i", "mu_j"), ("t",)),
            ("E.1c", ("k_i", "k_j"), ("t",)),
        ]
    )
    vectors = [name(x) for x in basis]
    eps = ("eps",) if question != "E.1e" else ()
    grows = bool(large) and rng.random() < 0.6
    make = Maker(rng, ("n", *eps, *(large[:1] if grows else ())), basis)
    n, over = name("n"), div(name("n"), name("eps") if eps else num("1/50"))
    c = num(Fraction(rng.randint(1, 12), 4))
    if grows:
        t = name(rng.choice(large))
        factor = rng.choice(
            [t, mul(c, t), div(power(t, num(2)), n), call("log", t), less(t, n), mul(t, call("log", over))]
        )
    else:
        two = num(2 if question in ("A.1a", "A.1d") else 1)
        factor = rng.choice(
            [
                mul(two, call("log", over)),
                mul(c, call("log", over)),
                mul(two, call("log", div(less(n, num(1)), over))),
                call("log", power(over, two)),
                mul(c, c),
            ]
        )
    if question in ("A.1d", "C.2.2a"):
        pair = (mul(make.dressed(factor), v) for v in vectors)
        return question, dict(zip(("q1", "q2"), pair, strict=True))
    whole = make.dressed(factor)
    query = (
        mul(whole, add(*vectors))
        if len(vectors) > 1 and rng.random() < 0.7
        else add(*(mul(whole, v) for v in vectors))
        if len(vectors) > 1
        else mul(whole, vectors[0])
    )
    if len(vectors) > 1 and rng.random() < 0.3:
        query = add(query, mul(make.nothing(), rng.choice(vectors)))
    return question, {"q": query}


def arrays(rng: random.Random) -> tuple[str, dict[str, Tree]]:
    """A query as numbers, its factor around the least that suffices: ln(396) for two of ten keys and error 1/100."""
    make = Maker(rng, ())
    row = [
        Fraction(1),
        Fraction(1),
        *(
            rng.choice([Fraction(0), Fraction(0), Fraction(1, 2**30), Fraction(1, 8), Fraction(1, 128)])
            for _ in range(8)
        ),
    ]
    given: Tree = ["array", *([str(x)] for x in row)]
    edge = call("log", num(396))
    factor = rng.choice(
        [
            add(edge, num(Fraction(rng.randint(-3, 3), 10 ** rng.choice([1, 9, 16])))),
            num(Fraction(rng.randint(20, 60), 4)),
            mul(edge, num(2)),
        ]
    )
    question = rng.choice(["B.3b", "D.b-ii", "D.c-i"])
    return question, {"q": mul(make.dressed(factor), given)}


def read_outs(rng: random.Random) -> tuple[str, dict[str, Tree]]:
    question, a, b, scale = rng.choice([("D.b-i", name("A"), name("B"), 1), ("E.1d", name("S"), name("T"), 2)])
    make = Maker(rng, ())
    right = mul(a, call("inv", mul(turn(a), a)), turn(a))
    found = rng.choice(
        [
            right,
            right,
            mul(a, turn(a)),
            mul(a, call("pinv", a)),
            turn(mul(turn(call("pinv", a)), turn(a))),
            power(right, num(rng.choice([2, 5, 9, 40]))),
            call("pinv", mul(a, turn(a))),
            less(EYE, mul(b, call("pinv", b))),
            mul(b, turn(b)),
            mul(a, turn(b)),
            mul(a, power(mul(turn(a), a), num(-1)), turn(a)),
        ]
    )
    found = mul(make.dressed(num(scale)), found)
    if rng.random() < 0.5:
        extra = rng.choice(
            [EYE, mul(a, turn(a)), mul(b, turn(b)), mul(a, turn(a), b, turn(b)), call("inv", mul(make.unit(), EYE))]
        )
        big = mul(make.big(), extra)
        found = less(add(big, found), big) if rng.random() < 0.6 else add(found, mul(make.nothing(), extra))
    return question, {"M": found}


def low_rank(rng: random.Random) -> tuple[str, dict[str, Tree]]:
    a, k = name("A"), name("k")
    make = Maker(rng, ())
    rank = rng.choice(
        [
            less(k, num(1)),
            less(k, num(1)),
            k,
            less(k, num(2)),
            call("min", less(k, num(1)), num(5)),
            less(add(k, num(10**20)), num(10**20 + 1)),
        ]
    )
    found = rng.choice(
        [
            call("svd_part", a, rank),
            mul(a, call("pinv", a), call("svd_part", a, rank)),
            mul(call("svd_part", a, rank), call("inv", mul(turn(a), a)), turn(a), a),
            mul(num(0), a),
            call("svd_part", mul(make.unit(), a), rank),
        ]
    )
    found = mul(make.dressed(num(1)), found)
    if rng.random() < 0.5:
        big = mul(make.big(), a)
        found = less(add(big, found), big)
    return "A.3c", {"M": found}


def layers(rng: random.Random) -> tuple[str, dict[str, Tree]]:
    a, b, c, d = (name(f"u_{x}") for x in "abcd")
    make = Maker(rng, ("beta",), ("u_a", "u_b"))
    beta, square = name("beta"), power(name("beta"), num(2))
    values = div(less(mul(b, turn(b)), mul(c, turn(c))), square)
    asks = div(add(mul(c, turn(d)), mul(d, turn(a))), square)
    keys = rng.choice([EYE, mul(num(3), EYE), mul(call("log", add(beta, num(2))), EYE), mul(beta, EYE), div(EYE, beta)])
    part = rng.randrange(3)
    if part == 0:
        values = mul(make.unit(), values)
    elif part == 1:
        big = mul(make.big(), EYE)
        values = less(add(big, values), big)
    else:
        values = add(
            values, mul(make.nothing(), rng.choice([EYE, mul(a, turn(a), b, turn(b)), div(mul(a, turn(a)), square)]))
        )
    asks = mul(rng.choice([num(1), num(1), make.unit(), num(-1), num("1/2")]), asks)
    return "B.3e-ii", {"Q": asks, "K": keys, "V": values}


def spelled(tree: Tree) -> str:
    """The formula as text, every part in brackets."""
    kind, *rest = tree
    match kind:
        case "number":
            return f"({rest[0]})"
        case "name" | "constant":
            return str(rest[0])
        case "array":
            return "[" + ", ".join(f"{float(Fraction(row[0]))!r}" for row in rest) + "]"
        case "sum":
            return (
                "("
                + "".join(f"{'+' if sign > 0 else '-'}{spelled(part)}" for sign, part in rest).removeprefix("+")
                + ")"
            )
        case "product":
            return (
                "(" + "".join(f"{'*' if way > 0 else '/'}{spelled(part)}" for way, part in rest).removeprefix("*") + ")"
            )
        case "power":
            return f"({spelled(rest[0])}^{spelled(rest[1])})"
        case "transposed":
            return f"({spelled(rest[0])}')"
    return f"{rest[0]}({', '.join(map(spelled, rest[1:]))})"

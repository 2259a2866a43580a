"""Programs as a second opinion reads them: from plain values, with an interpreter and a NumPy run of its own.

The interpreter builds, for each attending step, the whole matrix of who selects whom, from labels coded as integers. It shares no
code with headwright, which goes through positions and keys one by one.
"""

import math
from fractions import Fraction

import numpy as np

TOKEN, INDEX = 0, 1
ATTENDING = ("count", "mean", "pick", "last", "length")


class Plan:
    """A program: what each register may hold (`labels`, None for numbers of any size; `ends`), and which registers it reads."""

    def __init__(self, said):
        self.vocabulary, self.length, self.causal = said["vocabulary"], said["length"], said["causal"]
        self.steps = [None, None, *said["steps"]]
        self.labels = [list(self.vocabulary), list(range(self.length))]
        self.ends = [None, (Fraction(0), Fraction(self.length - 1))]
        self.shared = [frozenset(), frozenset()]  # denominators, each at most N, whose product makes a number whole
        for step in said["steps"]:
            self._add(step)

    def _add(self, step):
        kind, n = step["kind"], self.length
        labels, ends, shared = None, None, frozenset()
        if kind == "count":
            labels = list(range(1 if selects_itself(step["select"]) else 0, n + 1))
        elif kind == "length":
            labels = list(range(1, n + 1))
        elif kind == "compare":
            labels = [False, True]
        elif kind == "sign":
            labels = [-1, 0, 1]
        elif kind == "map":
            labels = list(dict.fromkeys(step["table"]))
            labels = labels if any(isinstance(own, str) for own in labels) else sorted(labels)
        else:
            (own,) = step["of"]
            labels, ends, shared = self.labels[own], self.ends[own], self.shared[own]
            if kind == "mean":
                shared = frozenset([repr(step["select"])]) if labels is not None else None
                labels = None
            elif labels is None:
                shared = None if shared is None else frozenset([len(self.labels)])
            elif step.get("default") is not None and step.get("default") not in labels:
                labels = [*labels, step.get("default")]
        if labels is not None:
            numbers = [own for own in labels if not isinstance(own, str)]
            ends = (Fraction(min(numbers)), Fraction(max(numbers))) if len(numbers) == len(labels) else None
        self.labels.append(labels)
        self.ends.append(ends)
        self.shared.append(shared)

    def inputs(self, register):
        """The registers that fill this one."""
        step = self.steps[register]
        if step is None:
            return set()
        found = set(step.get("of", ()))
        found |= {own for own, _ in step.get("sum", [0])[1:]}
        for atom in step.get("select", ()):
            found |= {atom[name] for name in ("key", "mine") if name in atom}
            found |= {own for own, _ in atom.get("index", [0])[1:]}
            found |= {INDEX} if atom["kind"] in ("at", "before") else set()
        return found | ({INDEX} if step["kind"] in ("last", "length") else set())

    def attends(self, register):
        step = self.steps[register]
        return step is not None and step["kind"] in ATTENDING

    def needed(self, output):
        known, waiting = set(), [output]
        while waiting:
            own = waiting.pop()
            if own not in known:
                known.add(own)
                waiting += self.inputs(own)
        return sorted(known)

    def rank(self, label):
        """Where a label stands in the order of `below`."""
        return self.vocabulary.index(label) if isinstance(label, str) else int(label)

    def coded(self, register, value_of):
        """value_of(label) for each label of the register, as an array of integers."""
        return np.array([value_of(label) for label in self.labels[register]], dtype=np.int64)

    def gap(self, total):
        """The least size of the sum where it is not 0; None if there is no such bound."""
        constant, *terms = total
        pieces = frozenset()
        for own, _ in terms:
            if self.shared[own] is None:
                return None
            pieces |= self.shared[own]
        below = math.lcm(*(Fraction(factor).denominator for factor in (constant, *(f for _, f in terms))))
        return Fraction(1, below * self.length ** len(pieces))


def selects_itself(atoms):
    """Whether every position is sure to select itself."""
    return all(
        atom["kind"] == "before"
        or (atom["kind"] == "matches" and atom["key"] == atom["mine"])
        or (atom["kind"] == "at" and Fraction(atom["index"][0]) == 0 and atom["index"][1:] == [[INDEX, "1"]])
        for atom in atoms
    )


def whole_sum(total, parts):
    """(D, D·(c + Σ factor · part)) with D the common denominator: exact integers, whatever shape the parts have."""
    constant, *terms = total
    factors = [Fraction(factor) for _, factor in terms]
    below = math.lcm(Fraction(constant).denominator, *(factor.denominator for factor in factors))
    summed = int(Fraction(constant) * below)
    for (register, _), factor in zip(terms, factors, strict=True):
        summed = summed + int(factor * below) * parts[register].astype(object)
    return below, summed


class NoValue(Exception):  # noqa: N818 - it is an answer
    """The program is undefined at `position`, in `register`."""

    def __init__(self, register, position):
        super().__init__(f"register {register}, position {position}")
        self.register, self.position = register, position


def run(plan, word, output):
    """The values of `output` on the word, from whole matrices of selected keys; NoValue where there is none."""
    n = len(word)
    values = {TOKEN: np.array(list(word), dtype=object), INDEX: np.arange(n).astype(object)}
    for register in plan.needed(output):
        if register >= 2:
            values[register] = _filled(plan, register, values, n)
    return list(values[output])


def _filled(plan, register, values, n):
    step = plan.steps[register]
    kind = step["kind"]
    if kind == "length":
        return np.full(n, n, dtype=object)
    if kind in ("compare", "sign"):
        _, total = whole_sum(step["sum"], values)
        total = np.broadcast_to(np.asarray(total, dtype=object), (n,))
        if kind == "sign":
            return np.array([(own > 0) - (own < 0) for own in total], dtype=object)
        return np.array([own > 0 or (own == 0 and not step["strict"]) for own in total], dtype=object)
    if kind == "map":
        place = np.zeros(n, dtype=np.int64)
        for own in step["of"]:
            known = {label: k for k, label in enumerate(plan.labels[own])}
            place = place * len(known) + np.array([known[value] for value in values[own]])
        return np.array([step["table"][own] for own in place], dtype=object)
    chosen = _chosen(plan, step, values, n)
    if kind == "count":
        return np.array(chosen.sum(axis=1).tolist(), dtype=object)
    of = values[step["of"][0]]
    made = np.empty(n, dtype=object)
    for i in range(n):
        own = [of[j] for j in np.nonzero(chosen[i])[0]]
        if not own and kind != "mean" and step.get("default") is not None:
            made[i] = step.get("default")
        elif not own or (kind == "pick" and len(set(own)) > 1):
            raise NoValue(register, i)
        else:
            made[i] = sum(map(Fraction, own)) / len(own) if kind == "mean" else own[-1]
    return made


def _chosen(plan, step, values, n):
    """Who (row) selects whom (column)."""
    own, other = np.arange(n)[:, None], np.arange(n)[None, :]
    chosen = np.ones((n, n), dtype=bool)
    if plan.causal:
        chosen &= other <= own
    for atom in step["select"]:
        if atom["kind"] == "before":
            chosen &= other <= own
        elif atom["kind"] == "at":
            below, total = whole_sum(atom["index"], values)
            total = np.broadcast_to(np.asarray(total, dtype=object), (n,))
            chosen &= np.array([[own == below * j for j in range(n)] for own in total], dtype=bool).reshape(n, n)
        elif atom["kind"] == "among":
            chosen &= np.array([value in atom["chosen"] for value in values[atom["key"]]])[None, :]
        else:
            rank = plan.rank if atom["kind"] == "below" else _code({})
            mine = np.array([rank(value) for value in values[atom["mine"]]])[:, None]
            keys = np.array([rank(value) for value in values[atom["key"]]])[None, :]
            chosen &= keys < mine if atom["kind"] == "below" else keys == mine
    return chosen


def _code(known):
    """A function that numbers labels; equal labels get equal numbers."""
    return lambda label: known.setdefault(label, len(known))


def block(arrays, number):
    """The arrays of one block by their own names, None if there is no such block; one head may leave out its axis."""
    if f"{number}.query" not in arrays:
        return None
    own = {name.partition(".")[2]: array for name, array in arrays.items() if name.partition(".")[0] == str(number)}
    axes = {"query": 3, "key": 3, "value": 3, "output": 3, "query_bias": 2, "key_bias": 2, "value_bias": 2}
    return {name: array[None] if array.ndim < axes.get(name, 0) else array for name, array in own.items()}


def transformer(arrays, causal, tokens, dtype=np.float64, rng=None):
    """The unembedded output of the stored transformer on a word of token numbers (0 is the first of the vocabulary).

    With `rng` every sum is taken in a random order.
    """

    def product(left, right):
        if rng is None:
            return left @ right
        order = rng.permutation(left.shape[-1])
        total = np.zeros((*left.shape[:-1], right.shape[-1]), dtype=dtype)
        for k in order:
            total = total + left[..., k : k + 1] * right[k : k + 1, :]
        return total

    held = {name: np.asarray(array, dtype=dtype) for name, array in arrays.items()}
    x = held["tokens"][[0, *(token + 1 for token in tokens)]]
    if "positions" in held:
        x = x + held["positions"][: len(x)]
    number = 0
    while (own := block(held, number)) is not None:
        change = np.zeros_like(x)
        for h in range(len(own["query"])):
            q, k, v = (
                product(x, own[name][h].T) + (own[f"{name}_bias"][h] if f"{name}_bias" in own else 0)
                for name in ("query", "key", "value")
            )
            scores = product(q, k.T)
            if causal:
                scores = np.where(np.tril(np.ones(scores.shape, dtype=bool)), scores, -np.inf)
            weights = np.exp(scores - scores.max(axis=1, keepdims=True))
            weights = weights / weights.sum(axis=1, keepdims=True)
            change = change + product(product(weights, v), own["output"][h].T)
        x = x + change
        if "inner" in own:
            hidden = product(x, own["inner"].T) + own.get("inner_bias", dtype(0))
            x = x + (product(np.maximum(hidden, 0), own["outer"].T) + own.get("outer_bias", dtype(0)))
        number += 1
    return (product(x, held["unembedding"].T) + held.get("unembedding_bias", dtype(0)))[1:]


def codes(plan, output, arrays):
    """What the unembedding should give for each label; None for a register of numbers of any size."""
    labels = plan.labels[output]
    if labels is None:
        return None
    if "codes" in arrays:
        return np.asarray(arrays["codes"], dtype=np.float64)
    if len(arrays["unembedding"]) == 1 and plan.ends[output] is not None:
        return np.array([[float(label)] for label in labels])
    return np.eye(len(labels))


def seen_error(plan, output, arrays, word, dtype=np.float64, rng=None):
    """How far the transformer's output is from the code of the program's value on this word, at most; NoValue if undefined."""
    values = run(plan, word, output)
    found = transformer(arrays, plan.causal, [plan.vocabulary.index(token) for token in word], dtype, rng)
    known = codes(plan, output, arrays)
    if known is None:
        wanted = np.array([[float(value)] for value in values])
    else:
        wanted = known[[plan.labels[output].index(value) for value in values]]
    if wanted.shape != found.shape:
        return math.inf
    worst = float(np.abs(found.astype(np.float64) - wanted).max())
    return math.inf if math.isnan(worst) else worst

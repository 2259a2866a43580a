"""Proofs that no query does it: the search for a witness, made exact, and judged by `proofs.OutOfReach`.

Copy(i) at an error below one half is impossible as soon as k_i is a convex combination of other keys, and d+1 of them
suffice: a vertex of a linear programme. Above one half the combination of largest entropy decides, and it tells the best
error any query can have. Average and Blend need weights for every target at once (`geometry.max_entropy`). Floating point only
proposes: the weights are corrected to cancel exactly (`geometry.null_weights`), or nothing is returned.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from headwright.kernel import balls, inputs
from headwright.kernel.goals import Copy, Goal
from headwright.kernel.out_of_reach import OutOfReach
from headwright.kernel.verdict import Proved
from headwright.search.least_norm.max_entropy import FADED, Tilt, coordinates, on_face, tilt
from headwright.search.least_norm.relations import null_weights
from headwright.search.least_norm.subspace import Sight
from headwright.words.refusals import Unreachable, Witness

_HALF = Fraction(1, 2)
_CORRECTED = 600  # pairs among which a basis for the exact correction is looked for, and a few more for each dimension
_MOST_PAIRS = 4_000_000  # targets × keys the search holds at once
_VERTICES = 4  # linear programmes tried for a sparse witness
_SETTLED = 1e-4  # a round that refutes no more than this part beyond the last is the last
_AIMED_BELOW = 1e-3  # of the error found, in floating point: left to the rounding of an exact witness
_ROUNDS, _BLUNT = 12, 2.0**11  # of `proved_any_ratio_bound`, and the β that is sharp enough for all but the last

Triples = tuple[tuple[int, int, Fraction], ...]


def prove_unreachable(
    keys: np.ndarray | Sight, goal: Goal, error: Fraction, precision: str | None = None
) -> Unreachable | None:
    """Unreachable with its proof that no query comes within `error` of `goal`; None when none was found.

    `keys` may be a Sight: then it is about the queries of its subspace. `precision` is the number type that the keys were rounded
    to: the claim says so.

    >>> import headwright as hw
    >>> prove_unreachable(np.array([[0.0], [1.0], [2.0]]), hw.Copy(1), Fraction(1, 10)).best_error.__round__(6)
    0.666667
    """
    sight = keys if isinstance(keys, Sight) else Sight(keys)
    targets = [i for i, share in zip(goal.indices, goal.shares, strict=True) if share > error]
    if not targets or len(sight.keys) < 2 or len(targets) * len(sight.keys) > _MOST_PAIRS:
        return None
    if isinstance(goal, Copy):
        proved = list(_copy_proofs(sight, goal, error, precision))
    else:
        proved = list(_proofs(sight, goal, error, _tilted_witnesses(sight, targets, goal, error), precision))
    if not proved:
        return None
    return _refusal(sight, goal, proved[0], max(proved, key=lambda verdict: verdict.bound or 0.0))


def proved_any_ratio_bound(keys: np.ndarray | Sight, goal: Goal) -> float:
    """An error that no query falls below, whatever its ratios, proved; 0.0 when nothing was.

    Each witness refutes more than the error it was found for; the next is found for the largest error that it refutes.

    >>> import headwright as hw
    >>> round(proved_any_ratio_bound(np.array([[0.0], [1.0], [2.0]]), hw.Average(0, 2)), 6)
    0.166667
    """
    sight = keys if isinstance(keys, Sight) else Sight(keys)
    if len(sight.keys) < 2 or len(goal.indices) * len(sight.keys) > _MOST_PAIRS:
        return 0.0
    error, share = 0.0, dict(zip(goal.indices, map(float, goal.shares), strict=True))
    for _ in range(_ROUNDS):
        targets = [i for i in goal.indices if share[i] > error]
        levels = np.array([_level(share[i], error) for i in targets])
        tilted = tilt(sight.rows, targets, levels, sight.lifts, sharp=_BLUNT)
        reached = error if tilted is None else _refuted(tilted, levels, [share[i] for i in targets], error)
        settled = reached <= error * (1 + _SETTLED)
        error = max(error, reached)
        if settled:
            break
    if error < 1e-9:  # rounding of the search: nothing is refuted
        return 0.0
    asked = Fraction(error * (1 - _AIMED_BELOW))
    targets = [i for i in goal.indices if share[i] > asked]
    proved = _proofs(sight, goal, asked, _tilted_witnesses(sight, targets, goal, asked))
    return max((verdict.bound or 0.0 for verdict in proved), default=0.0)


def _copy_proofs(sight: Sight, goal: Copy, error: Fraction, precision: str | None) -> Iterator[Proved]:
    """Proofs for one target, the shortest first where the error is below one half."""
    i = goal.index
    equal = sight.equal(i)
    few = equal[: sight.rows.shape[1] + 1] if error < _HALF else equal
    for some in [few, equal] if few else []:
        yield from _proofs(sight, goal, error, iter([tuple((i, j, Fraction(1)) for j in some)]), precision)
    dense = list(_proofs(sight, goal, error, _tilted_witnesses(sight, [i], goal, error), precision))
    if dense and error < _HALF and not equal:
        yield from _proofs(sight, goal, error, _sparse_witnesses(sight, i, dense[0]), precision)
    yield from dense


def _proofs(
    sight: Sight, goal: Goal, error: Fraction, witnesses: Iterator[Triples], precision: str | None = None
) -> Iterator[Proved]:
    """The first proof that one of the witnesses gives, if any."""
    for witness in witnesses:
        verdict = sight.out_of_reach(goal, error, witness, precision).prove()
        if isinstance(verdict, Proved):
            yield verdict
            return


def _tilted_witnesses(sight: Sight, targets: list[int], goal: Goal, error: Fraction) -> Iterator[Triples]:
    """Exact witnesses from the tilted weights of all keys, then of those on the face where the weights gather."""
    share = dict(zip(goal.indices, goal.shares, strict=True))
    levels = np.array([_log_ratio(1 - share[i] + error, share[i] - error) for i in targets])
    tilted = tilt(sight.rows, targets, levels, sight.lifts)
    while tilted is not None:
        if tilted.value > 0:
            yield from _exact(sight, targets, tilted.shares[:, None] * tilted.spread)
        tilted = on_face(sight.rows, targets, levels, tilted, sight.lifts)


def _exact(sight: Sight, targets: list[int], weights: np.ndarray) -> Iterator[Triples]:
    """The weights (m, n) on the differences k_j - k_i, rounded to integers and corrected to cancel; nothing when that fails.

    A few hundred pairs take part in the correction. All others stay as they are, and enter as one fixed sum.
    """
    whole = np.rint(weights * (2.0**52 / weights.max()))  # integers that float64 holds exactly
    row, column = np.nonzero(whole)
    numbers = whole[row, column]
    at = np.array(targets)
    seen = sight.exact - sight.exact[targets[0]]
    for chosen in _candidates(sight.rows, at[row], column, numbers):
        rest = np.ones(len(numbers), dtype=bool)
        rest[chosen] = False
        fixed = _sum(seen, at[row[rest]], column[rest], numbers[rest])
        corrected = null_weights(seen[column[chosen]] - seen[at[row[chosen]]], numbers[chosen], fixed=fixed)
        if corrected is None:
            continue
        exact = dict(zip(chosen.tolist(), corrected, strict=True))
        triples = zip(at[row].tolist(), column.tolist(), numbers.tolist(), strict=True)
        every = [(i, j, exact.get(t, Fraction(int(number)))) for t, (i, j, number) in enumerate(triples)]
        yield tuple(triple for triple in every if triple[2])
        return


def _candidates(keys: np.ndarray, below: np.ndarray, above: np.ndarray, numbers: np.ndarray) -> Iterator[np.ndarray]:
    """Positions of the pairs to correct: the heaviest, and in each coordinate those that pull most; then many more."""
    if len(numbers) > 2 * _CORRECTED:
        chosen = [_largest(numbers, _CORRECTED)]
        for c in range(keys.shape[1]):
            chosen.append(_largest(np.abs(keys[above, c] - keys[below, c]) * numbers, 4))
        yield np.unique(np.concatenate(chosen))
    yield _largest(numbers, 10 * _CORRECTED)


def _largest(numbers: np.ndarray, count: int) -> np.ndarray:
    return np.argsort(-numbers, kind="stable")[:count]


def _sum(seen: np.ndarray, below: np.ndarray, above: np.ndarray, numbers: np.ndarray) -> list[int]:
    """Σ N (k_above - k_below) in the units of `seen`."""
    coefficients = [0] * len(seen)
    for i, j, number in zip(below.tolist(), above.tolist(), numbers.tolist(), strict=True):
        coefficients[j] += int(number)
        coefficients[i] -= int(number)
    return [int(total) for total in np.array(coefficients, dtype=object) @ seen]


def _sparse_witnesses(sight: Sight, i: int, dense: Proved) -> Iterator[Triples]:
    """Witnesses on at most d+1 keys: vertices of {p >= 0, Σ p = 1, Σ p_j (k_j - k_i) = 0}, for costs drawn by a fixed seed."""
    from scipy.optimize import linprog

    assert isinstance(dense.record, OutOfReach)
    names = np.array([j for _, j, _ in dense.record.witness])  # on the face, when k_i lies on one
    rows = coordinates(sight.rows[np.append(names, i)], len(names))[:-1]
    cost = np.random.default_rng(0).random(len(names)) - (0.0 if sight.lifts is None else sight.lifts[names])
    wanted = np.append(np.zeros(rows.shape[1]), 1.0)
    for _ in range(_VERTICES):
        solved = linprog(cost, A_eq=np.vstack([rows.T, np.ones(len(names))]), b_eq=wanted, method="highs-ds")
        if solved.x is None:
            return
        for least in (FADED, 0.0):
            weights = np.zeros((1, len(sight.keys)))
            weights[0, names] = np.where(solved.x > least, solved.x, 0.0)
            if 0 < np.count_nonzero(weights) <= sight.rows.shape[1] + 1:
                yield from _exact(sight, [i], weights)
        cost = cost + (solved.x > FADED)  # k_i may be nearly, not exactly, between these: look elsewhere next


def _refusal(sight: Sight, goal: Goal, verdict: Proved, best: Proved) -> Unreachable:
    record, least = verdict.record, best.bound or 0.0
    assert isinstance(record, OutOfReach)
    reason = _reason(sight, goal, record, least)
    return Unreachable(reason, verdict=verdict, witness=_witness(record), best_error=least, best_verdict=best)


def _witness(record: OutOfReach) -> Witness:
    """The convex weights Σ_i N_ij / Σ λ_i on keys, whose mean is the mean of the targets with weights λ_i / Σ λ."""
    common = math.lcm(*(number.denominator for _, _, number in record.witness))
    sums: dict[int, int] = {}
    for _, j, number in record.witness:
        sums[j] = sums.get(j, 0) + number.numerator * (common // number.denominator)
    whole = sum(sums.values())
    return Witness(tuple(sorted(sums)), tuple(Fraction(sums[j], whole) for j in sorted(sums)))


def _reason(sight: Sight, goal: Goal, record: OutOfReach, best: float) -> str:
    formed = "" if sight.image is None else f"{sight.image.among()}"
    asked = f"no query{formed} comes within {inputs.show(record.error)} of {goal}"
    twins = list(_named_equals(sight, goal.indices[:8]))
    why = f"{'; '.join(twins)}: equal keys share their weight" if twins else ""
    if not why and isinstance(goal, Copy):
        count = len(record.witness)
        seen = "" if sight.image is None else "projected on the image, "
        why = f"{seen}key {goal.index} lies in the hull of {count} other key{'s' if count > 1 else ''}"
    why = why or f"the weights that {goal} asks for exclude one another"
    return f"{asked}: {why}; whatever the query, the error is at least {balls.decimal_below(Fraction(best))}"


def _named_equals(sight: Sight, targets: tuple[int, ...]) -> Iterator[str]:
    """ "key 3 equals keys 7 and 9", each group of equal keys once."""
    if sight.lifts is not None:  # keys that are equal to every x may still score differently
        return
    named: set[int] = set()
    for i in targets:
        equal = sight.equal(i)
        if not equal or i in named:
            continue
        named.update(equal)
        shown = [str(j) for j in equal[:6]] + (["others"] if len(equal) > 6 else [])
        listed = shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
        there = "" if sight.image is None else " on the image"
        yield f"key {i} equals key{'s' if len(equal) > 1 else ''} {listed}{there}"


def _refuted(tilted: Tilt, levels: np.ndarray, shares: list[float], error: float) -> float:
    """The largest error these weights refute, in floating point, at least `error`."""
    entropy = tilted.value + float(tilted.shares @ levels)
    # a target with a smaller weight says nothing of the error, and its share would bound the search
    used = [(weight, share) for weight, share in zip(tilted.shares.tolist(), shares, strict=True) if weight > 1e-12]
    low, high = error, min(share for _, share in used)
    for _ in range(60):  # halvings: to the last digit
        middle = (low + high) / 2
        if high > middle and entropy > sum(weight * _level(share, middle) for weight, share in used):
            low = middle
        else:
            high = middle
    return low


def _level(share: float, error: float) -> float:
    """ln((1 - w + e) / (w - e)), the most that lse may be when a target of share w may lose e."""
    # 1e-300: a share of 1 and no error leave a finite logarithm
    return math.log(max(1 - share + error, 1e-300)) - math.log(share - error)


def _log_ratio(above: Fraction, below: Fraction) -> float:
    """ln(above / below) for positive rationals of any size."""
    ratio = above / below
    return math.log(ratio.numerator) - math.log(ratio.denominator)

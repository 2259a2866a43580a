"""Shorter queries with the same probability: least largest norm subject to it. A heuristic; the design is certified later.

Two problems in turn, both by SLSQP. With the smooth probability as the one constraint, the search may trade one part of the law
for another. Then the nodes G to be met are settled (those of least total variation that make up the probability), and

    minimise max ‖y_h‖²  subject to  ln α_m(outside ∪ T) <= ln(error + w(T))   for nodes m of G and sets T of targets,

smooth constraints, because TV = max over T of α(outside ∪ T) - w(T). Only the tight ones are held, and more as they are broken.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from headwright.search.random_keys.probability_search import Trial
from headwright.search.random_keys.query_law import QueryLaw

_BLURS = (0.3, 0.1)  # of the error
_STEPS = 40  # of SLSQP for one problem
_TINY = 1e-300  # keeps the logarithm of a weight that underflowed finite
_ROOM = 1e-12  # the same for 1 - P where P is 1
_SETTLED = 1e-3  # a round that shortens by less than this part is the last
_MANY = 300  # unknowns beyond which a step of SLSQP, cubic in them, costs too much
_ROUNDS = 6  # in which broken constraints are taken up
_HELD = 6  # nodes taken up in a round
_FEW = 3  # targets up to which all sets T are held at once

Pair = tuple[int, tuple[bool, ...]]  # a node, and which targets are in T


def shorten(law: QueryLaw, trial: Trial, error: float, aim: float) -> Trial:
    """A shorter trial whose probability still reaches `aim`, as far as the nodes tell; the trial where it does not reach it."""
    best = settle(law, trial, error, aim)
    if trial.Y.size > _MANY or law.probability(best.Y, best.mix, error) < aim:
        return best
    for blur in _BLURS:
        traded = _traded(law, best, error, blur * error)
        shorter = settle(law, _shorter_of(law, best, traded, error, aim), error, aim)
        settled, best = shorter.norm > (1 - _SETTLED) * best.norm, shorter
        if settled:
            break
    return best


def settle(law: QueryLaw, trial: Trial, error: float, aim: float) -> Trial:
    """A shorter trial that meets the same nodes, or fewer where the aim allows; a trial that misses by little is mended."""
    best = shrink(law, trial, error, aim)
    if trial.Y.size > _MANY:
        return best
    if law.probability(best.Y, best.mix, error) >= aim:
        return _shorter_of(law, best, _settled(law, best, error, aim), error, aim)
    return shrink(law, _settled(law, best, error, aim), error, aim)


def _shorter_of(law: QueryLaw, best: Trial, other: Trial, error: float, aim: float) -> Trial:
    """The second, made as short as the aim allows, if that is shorter and does reach it."""
    short = shrink(law, other, error, aim)
    return short if short.norm < best.norm and law.probability(short.Y, short.mix, error) >= aim else best


def _settled(law: QueryLaw, trial: Trial, error: float, aim: float) -> Trial:
    """Least norm with the nodes to be met fixed."""
    wanted = _nodes(law, trial, error, aim)
    held: list[Pair] = []
    here = trial
    for _ in range(_ROUNDS):
        fresh = [pair for pair in _tightest(law, here, error, wanted) if pair not in held]
        if not fresh:
            break
        held += fresh
        here = _least(law, trial, error, held)
    return here


def _nodes(law: QueryLaw, trial: Trial, error: float, aim: float) -> np.ndarray:
    """The nodes of the groups of least total variation whose chances make up the aim; of those about equal, the likeliest."""
    worst = law.variation(trial.Y, trial.mix).reshape(-1, law.patterns).max(axis=1)
    unlikely = -law.chances if law.places is None else np.abs(law.places)
    # total variations within 2 % of the error are about equal, and so are all that lie 4 % below it or more
    order = np.lexsort((unlikely, np.ceil(np.maximum(worst / error, 0.96) / 0.02)))
    # 1e-15: chances that make up the aim exactly may add up to a rounding less
    count = int(np.searchsorted(np.cumsum(law.chances[order]), aim - 1e-15)) + 1
    groups = order[: min(count, len(order))]
    return np.asarray((groups[:, None] * law.patterns + np.arange(law.patterns)).ravel())


def _tightest(law: QueryLaw, trial: Trial, error: float, wanted: np.ndarray) -> list[Pair]:
    """The nodes of largest total variation, apart from one another, with the sets T that matter there."""
    weights = law.weights(trial.Y, trial.mix)[0][wanted]
    over = weights[:, :-1] > law.shares
    variation = weights[:, -1] + ((weights[:, :-1] - law.shares) * over).sum(axis=1)
    order = np.argsort(-variation, kind="stable")
    # 0.9: nodes further below the error are not tight; 64: most candidates are neighbours of one picked before
    chosen = [k for k in order[: 64 * _HELD] if variation[k] > 0.9 * error]
    picked: list[int] = []
    for k in chosen:  # neighbours on a grid say the same twice
        if all(abs(int(wanted[k]) - int(wanted[other])) > 1 for other in picked):
            picked.append(int(k))
        if len(picked) == _HELD:
            break
    if len(law.shares) <= _FEW:
        sets = [T for T in product((False, True), repeat=len(law.shares)) if not all(T)]
        return [(int(wanted[k]), T) for k in picked for T in sets]
    return [(int(wanted[k]), tuple(over[k].tolist())) for k in picked]


def _least(law: QueryLaw, trial: Trial, error: float, held: list[Pair]) -> Trial:
    """Least largest norm subject to the held constraints."""
    nodes, row = np.unique([m for m, _ in held], return_inverse=True)
    part = law.at(nodes)
    sets = np.array([[*T, True] for _, T in held], dtype=np.float64)  # (k, t + 1), the outsiders always
    level = np.log(error + sets[:, :-1] @ law.shares)

    def gap(Y: np.ndarray) -> np.ndarray:
        weights, _ = part.weights(Y, trial.mix)
        return np.asarray(level - np.log((sets * weights[row]).sum(axis=1) + _TINY))

    def gap_slope(Y: np.ndarray) -> np.ndarray:
        weights, back = part.weights(Y, trial.mix)
        total = (sets * weights[row]).sum(axis=1) + _TINY
        given = np.zeros((len(held), *weights.shape))
        given[np.arange(len(held)), row] = -sets / total[:, None]
        return back(given)

    return _minimised(trial, gap, gap_slope)


def _traded(law: QueryLaw, trial: Trial, error: float, blur: float) -> Trial:
    """Least largest norm subject to a smooth probability P no less than the trial's own P₀, as ln((1 - P₀)/(1 - P)) >= 0."""
    level = law.smooth_probability(trial.Y, trial.mix, error, blur)[0]

    def gap(Y: np.ndarray) -> np.ndarray:
        value, _ = law.smooth_probability(Y, trial.mix, error, blur)
        return np.array([np.log((1 - level + _ROOM) / (max(1 - value, 0.0) + _ROOM))])

    def gap_slope(Y: np.ndarray) -> np.ndarray:
        value, slope = law.smooth_probability(Y, trial.mix, error, blur)
        return np.asarray(slope[None] / (max(1 - value, 0.0) + _ROOM))

    return _minimised(trial, gap, gap_slope)


def _minimised(trial: Trial, gap: Any, gap_slope: Any) -> Trial:
    """SLSQP on (Y, ρ) in units of the trial's norm: least ρ with ‖y_h‖² <= ρ and gap(Y) >= 0."""
    from scipy.optimize import minimize

    shape, unit, size = trial.Y.shape, trial.norm, trial.Y.size
    if not unit:
        return trial
    cost = np.zeros(size + 1)
    cost[-1] = 1.0

    def queries(x: np.ndarray) -> np.ndarray:
        return np.asarray(unit * x[:-1].reshape(shape))

    def slack(x: np.ndarray) -> np.ndarray:
        return np.append(gap(queries(x)), x[-1] - (x[:-1].reshape(shape) ** 2).sum(axis=1))

    def slope(x: np.ndarray) -> np.ndarray:
        upper = unit * gap_slope(queries(x)).reshape(-1, size)
        rows = np.zeros((len(upper) + shape[0], size + 1))
        rows[: len(upper), :-1] = upper
        for h in range(shape[0]):
            rows[len(upper) + h, h * shape[1] : (h + 1) * shape[1]] = -2 * x[:-1].reshape(shape)[h]
        rows[len(upper) :, -1] = 1.0
        return rows

    # ftol: a millionth of a squared length; `shrink` finds the last digits
    done = minimize(
        lambda x: (x[-1], cost),
        np.append(trial.Y.ravel() / unit, 1.0),
        jac=True,
        method="SLSQP",
        constraints=[{"type": "ineq", "fun": slack, "jac": slope}],
        options={"maxiter": _STEPS, "ftol": 1e-6},
    )
    shortest = queries(done.x)
    return trial.at(shortest) if np.isfinite(shortest).all() and shortest.any() else trial


def shrink(law: QueryLaw, trial: Trial, error: float, aim: float) -> Trial:
    """The same direction, as short (or, if need be, half as long again) as the aim allows; the trial itself if it misses it."""

    def reaches(t: float) -> bool:
        return law.probability(t * trial.Y, trial.mix, error) >= aim

    high = next((t for t in (1.0, 1.01, 1.03, 1.1, 1.25, 1.5) if reaches(t)), None)
    if high is None:
        return trial
    low = 0.0
    for t in np.linspace(high, 0, 21)[1:]:  # downwards: the first length that fails bounds the stretch of good ones
        if not reaches(t):
            low = float(t)
            break
        high = float(t)
    for _ in range(30):  # halvings of a twentieth: to ten digits
        middle = (low + high) / 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return trial.at(high * trial.Y)

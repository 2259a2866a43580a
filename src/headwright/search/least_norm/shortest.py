"""The shortest query for any keys: search, certify as returned, and hand over the witness that none is shorter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from headwright.kernel import balls
from headwright.kernel.gibbs_sums import WitnessBound
from headwright.kernel.goals import Copy
from headwright.kernel.no_shorter import NoShorter
from headwright.kernel.number_types import PRECISIONS, round_to
from headwright.kernel.verdict import Verdict
from headwright.search.least_norm.closed_form import log_ratio, odds
from headwright.search.least_norm.many_copies import copy_queries
from headwright.search.least_norm.narrow_queries import survive
from headwright.search.least_norm.newton import LeastNorm, LeastNormProblem
from headwright.search.least_norm.rows import Rows
from headwright.search.request import Request, TopRequest
from headwright.words.design import Design
from headwright.words.refusals import NotFound

_DROPPED = 1e-13  # total weight left out of a witness, to keep it short
_USUAL = 200  # keys between 2^-200 and 2^200 need no scaling: no product of theirs leaves the range of float64
_SETTLED = 2**34  # a bound known to this part of itself is not sought at higher precision: ten digits are claimed
# The leak is aimed below the asked one by the first of these parts that lets the query certify: float64 cannot hold the exact
# minimiser. The certified gap is about this part over the entropy it is compared with.
_HAIRS = tuple(2.0**-k for k in (36, 31, 26, 21, 16, 11, 6, 3))


def first_hair(d: int) -> float:
    """A part of the leak wide enough for the first tier of a proof to see, whose radius grows with the dimension d."""
    return max(2.0**-40, (d + 4) * 2.0**-44)


class Start(NamedTuple):
    """Where a search for one Copy goal may begin: z and λ of a nearby solution."""

    query: np.ndarray
    multiplier: float


class Problem:
    """The least-norm problem of a request, over keys / 2^power where the keys are very large or small."""

    def __init__(self, request: Request) -> None:
        keys, goal, lifts = request.seen, request.goal, request.lifts
        others = list(goal.indices[1:])
        power = int(np.frexp(max(keys.max(), -keys.min()))[1])
        self.power = power if abs(power) > _USUAL else 0
        if self.power:
            keys = np.ldexp(keys, -power)  # exactly, but for what falls below the subnormal numbers
        origin = keys[goal.indices[0]]
        b = np.array([log_ratio(share / goal.shares[0]) for share in goal.shares[1:]])
        self.c = log_ratio(odds(request.error) / goal.shares[0])
        if lifts is not None:
            lifts = lifts - lifts[goal.indices[0]]
            b = b - lifts[others]
        self.least = LeastNormProblem(Rows(keys, origin, goal.indices, lifts), keys[others] - origin, b)

    @property
    def leak(self) -> float:
        """ln of what the shortest query with exact ratios leaks, beside the first target's weight."""
        return self.least.first().f

    def solve(self, c: float, start: Start | None = None) -> LeastNorm:
        """The solution for leak bound c, for the keys themselves."""
        near = (
            None if start is None else (np.ldexp(start.query, self.power), np.ldexp(start.multiplier, 2 * self.power))
        )
        solution = self.least.solve(c, near)
        back = np.ldexp(solution.query, -self.power)
        return replace(solution, query=back, needed=float(np.ldexp(solution.needed, -self.power)))


def search(request: Request, start: Start | None = None) -> Design | LeastNorm:
    """The shortest certified query with exact ratios as a Design; the failed search itself when there was none."""
    if start is not None and request.accepts(start.query):
        return finished(request, start.query, "least-norm", partial(_prove_from_start, request, start))
    problem = Problem(request)
    ratios_only = problem.solve(np.inf)  # the shortest with exact ratios, whatever it leaks
    # 1e-6: a leak that misses by little may still certify, and trying costs one proof
    enough = ratios_only.consistent and problem.leak <= problem.c + 1e-6
    if enough and request.accepts(ratios_only.query):
        return _proved(request, ratios_only)
    solution = ratios_only
    for hair in (first_hair(request.keys.shape[1]), *_HAIRS) if ratios_only.consistent else ():
        solution = problem.solve(problem.c - hair, start)
        if not solution.reached:
            break
        if request.accepts(solution.query):
            return _proved(request, solution)
    return solution


def _prove_from_start(request: Request, start: Start) -> Verdict:
    """The lower bound that the start's own weights witness."""
    rows = Rows(request.seen, request.seen[request.goal.indices[0]], request.goal.indices)
    tilt = rows.at(start.query).p
    solution = LeastNorm(start.query, start.multiplier, tilt, np.zeros(0), reached=True)
    return prove_bound(request, _witness(request, solution))


def copy_starts(requests: Sequence[Request | TopRequest]) -> dict[int, Start]:
    """Starts for all Copy goals among requests with the same keys, found side by side."""
    plain = {k: request for k, request in enumerate(requests) if isinstance(request, Request)}
    copies = {k: request for k, request in plain.items() if isinstance(request.goal, Copy)}
    some = next(iter(copies.values())) if len(copies) > 1 else None
    if some is None or some.lifts is not None:
        return {}
    targets, hair = [request.goal.indices[0] for request in copies.values()], first_hair(some.keys.shape[1])
    queries, multipliers = copy_queries(some.seen, targets, log_ratio(odds(some.error)) - hair)
    return {
        k: Start(query, multiplier)
        for k, query, multiplier in zip(copies, queries, multipliers.tolist(), strict=True)
        if np.isfinite(query).all() and multiplier > 0
    }


def _proved(request: Request, solution: LeastNorm) -> Design:
    witness = _witness(request, solution)
    return finished(request, solution.query, "least-norm", partial(prove_bound, request, witness))


def finished(
    request: Request, query: np.ndarray, method: str, prove_optimality: Callable[[], Verdict] | None = None
) -> Design:
    """The Design of an accepted query at scale 1, rounded where a precision is asked; NotFound when it does not survive."""
    stored = request.stored(query[None])
    if request.precision not in PRECISIONS:  # the query stays in float64
        return request.made(stored, method=method, prove_optimality=prove_optimality)

    def judge(rounded: np.ndarray) -> bool:
        return request.holds(rounded[None])

    precision = request.precision
    kept, reason = survive(
        request.keys, request.goal, request.error, stored[0], float(request.scale), precision, judge=judge
    )
    if kept is None:
        raise NotFound(f"no {precision} query was found that holds for the rounded keys: {reason}")
    return request.made(round_to(kept, precision)[None], method=method, prove_optimality=prove_optimality)


def _witness(request: Request, solution: LeastNorm) -> np.ndarray:
    """λp outside the support and ν on it, over the larger of λ and |ν|; the lightest weights are left out."""
    largest = max(solution.multiplier, float(np.abs(solution.ratios).max(initial=0.0))) or 1.0
    light = solution.tilt < _DROPPED / len(solution.tilt)
    witness = np.where(light, 0.0, solution.multiplier / largest * solution.tilt)
    witness[list(request.goal.indices[1:])] = solution.ratios / largest
    return witness


def best_bound(draft: WitnessBound) -> Fraction:
    """The largest norm or error the witness shows, to float64 precision. The claim itself proves it."""
    best = Fraction(0)
    for _, _, bound in draft.bounds():
        with balls.precision(balls.FLOAT_BITS):
            low, high = balls.lower(bound), balls.upper(bound)
        if low is not None and high is not None:
            best = max(best, Fraction(max(0.0, balls.float_below(low))))
            if high - low <= high / _SETTLED:
                break
    return best


def prove_bound(request: Request, witness: np.ndarray) -> Verdict:
    """The verdict on the largest lower bound that the witness gives."""
    about = (request.keys, request.goal, request.error, request.scale)
    draft = NoShorter(*about, Fraction(0), witness, request.precision, request.image)
    return draft.at(best_bound(draft)).prove()


def needed_norm(request: Request, solution: LeastNorm) -> float:
    """A proved least norm of any query with exact ratios, from a search that did not get there; 0.0 when it shows none."""
    witness = _witness(request, solution)
    if not np.isfinite(witness).all():
        return 0.0
    about = (request.keys, request.goal, request.error, request.scale)
    draft = NoShorter(*about, Fraction(0), witness, image=request.image)
    return balls.float_below(best_bound(draft))

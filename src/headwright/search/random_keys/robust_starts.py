"""Where the search under noise begins: short queries that feel little of it, from convex problems of least norm.

* Blind: least norm with extra rows f·q = 0 for the directions f of the noise: the query does not feel it at all.
* Penalised: least norm in the metric I + ρ Σ_j Σ_j, ρ over a grid (q = L⁻ᵀy with LLᵀ the metric).
* Several heads: one group of targets each, as above; and "opposite components": q± = base ± s f, base copying one target among
  all keys but the noisy one. Whichever sign the noisy key's score along f takes, one head copies it and the other does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, permutations

import numpy as np

from headwright.kernel.goals import Goal
from headwright.search.least_norm.newton import least_norm
from headwright.search.random_keys.model_noise import Noise
from headwright.search.random_keys.probability_search import Trial

_PENALTIES = (0.0, 0.3, 3.0, 30.0)  # ρ: from the shortest query to one that hardly feels the noise
_CLOSER = (0.9, 0.2)  # parts of the error asked of a start
_SIDEWAYS = (4.0, 12.0, 36.0)  # how far the opposite components go, in scores of a key's own length
_PERTURBED = (0.1, 0.4, 1.0)  # sizes of random changes, in norms of the start

Shares = dict[int, float]


def starts(noise: Noise, goal: Goal, error: float, heads: int, seed: int) -> list[Trial]:
    """Starts for so many heads, the plainer ones first."""
    shares = {i: float(share) for i, share in zip(goal.indices, goal.shares, strict=True)}
    if heads == 1:
        trials = [Trial(y[None], np.ones(1), name) for name, y in single(noise, shares, error)]
    else:
        trials = [*_grouped(noise, shares, error, heads)]
        if heads == len(shares):
            trials += _opposite(noise, shares, error)
    return trials + list(_perturbed(noise, trials, heads, np.random.default_rng(seed)))


def single(noise: Noise, shares: Shares, error: float, without: Sequence[int] = ()) -> Iterator[tuple[str, np.ndarray]]:
    """Named queries (r,) for the shares over all keys but `without`."""
    members = list(shares)
    outside = [j for j in range(len(noise.keys)) if j not in shares and j not in without]
    first, rest = members[0], members[1:]
    A = noise.keys[outside] - noise.keys[first]
    ratios = noise.keys[rest] - noise.keys[first]
    b = np.array([np.log(shares[i] / shares[first]) for i in rest])
    mine = noise.directions[np.isin(noise.owner, members)]
    for part in _CLOSER:
        c = float(np.log(part * error / (1 - part * error) / shares[first]))
        for name, rows in (("blind to the targets' noise", mine), ("blind to all noise", noise.directions)):
            if len(rows) and (name.startswith("blind to the") or len(rows) > len(mine)):
                E = np.concatenate([ratios, rows])
                solution = least_norm(A, E, np.append(b, np.zeros(len(rows))), c)
                if solution.reached:
                    yield name, solution.query
        for penalty in _PENALTIES:
            root = _metric(noise, penalty)
            solution = least_norm(A @ root, ratios @ root, b, c)
            if solution.reached or solution.consistent:
                yield f"noise penalised by {penalty:g}" if penalty else "least norm", root @ solution.query
    if outside:
        yield "textbook", 4 * (noise.keys[members] - noise.keys[outside].mean(axis=0)).sum(axis=0)


def _metric(noise: Noise, penalty: float) -> np.ndarray:
    """L⁻ᵀ for the metric I + ρ Σ/‖Σ‖ × 10, so that q = L⁻ᵀy."""
    total = noise.covariance(noise.moving)
    size = float(np.linalg.norm(total, 2)) or 1.0
    root = np.linalg.cholesky(np.eye(len(total)) + penalty * 10 * total / size)
    return np.asarray(np.linalg.inv(root).T)


def _grouped(noise: Noise, shares: Shares, error: float, heads: int) -> Iterator[Trial]:
    """Each head has a group of targets; where heads are more than targets, several heads have the same."""
    members = list(shares)
    if heads >= len(members):
        groups = [[members[h % len(members)]] for h in range(heads)]
        weight = [shares[g[0]] / sum(g == other for other in groups) for g in groups]
    else:
        cuts = np.linspace(0, len(members), heads + 1).round().astype(int)
        groups = [members[low:high] for low, high in pairwise(cuts)]
        weight = [sum(shares[i] for i in g) for g in groups]
    by_group = [dict(_numbered(single(noise, _restricted(shares, g), error))) for g in groups]
    for name in by_group[0]:
        if all(name in each for each in by_group):
            yield Trial(np.stack([each[name] for each in by_group]), np.array(weight), f"a head per target, {name[1]}")


def _numbered(named: Iterator[tuple[str, np.ndarray]]) -> Iterator[tuple[tuple[int, str], np.ndarray]]:
    seen: dict[str, int] = {}
    for name, y in named:
        seen[name] = seen.get(name, 0) + 1
        yield (seen[name], name), y


def _restricted(shares: Shares, group: list[int]) -> Shares:
    whole = sum(shares[i] for i in group)
    return {i: shares[i] / whole for i in group}


def _opposite(noise: Noise, shares: Shares, error: float) -> Iterator[Trial]:
    """Two heads with opposite components for a noisy target and a partner of the same share, and a head for each other target."""
    for a, b in permutations(shares, 2):
        # 1e-9: shares that are equal but for rounding
        if not len(noise.of(a)) or abs(shares[a] - shares[b]) > 1e-9:
            continue
        others = [_first(noise, {i: 1.0}, error) for i in shares if i not in (a, b)]
        mix = np.array([shares[a], shares[b], *(shares[i] for i in shares if i not in (a, b))])
        for f in noise.of(a):
            across = replace(noise, owner=np.full(1, b), directions=f[None])  # the base is to be blind to f
            for _, base in single(across, {b: 1.0}, error, without=[a]):
                for s in _SIDEWAYS:
                    side = s * f / (f @ f)
                    yield Trial(
                        np.stack([base + side, base - side, *others]), mix, "opposite components along the noise"
                    )


def _first(noise: Noise, shares: Shares, error: float) -> np.ndarray:
    return next((y for _, y in single(noise, shares, error)), np.zeros(noise.keys.shape[1]))


def _perturbed(noise: Noise, trials: list[Trial], heads: int, rng: np.random.Generator) -> Iterator[Trial]:
    """Seeded random changes of some starts, and random queries."""
    r = noise.keys.shape[1]
    for part in _PERTURBED:
        for trial in trials[:2]:
            change = rng.normal(size=trial.Y.shape) / np.sqrt(r)
            yield Trial(trial.Y + part * max(trial.norm, 1.0) * change, trial.mix, "random perturbation")
    for _ in range(4):
        yield Trial(10 * rng.normal(size=(heads, r)) / np.sqrt(r), np.full(heads, 1 / heads), "random")

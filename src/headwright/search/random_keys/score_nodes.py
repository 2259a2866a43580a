"""Nodes for the law of the scores: a grid of one Gaussian, the combinations of a finite law, a box, or Sobol points.

What a proof can see is what a design is searched on. One Gaussian z is integrated; all other noise is boxed, every score
within `reach` deviations: the worst of a box for a set T of targets has T and the outsiders up and the other targets down, so
the box is met when those 2^t - 1 patterns are (one for each T but the whole).
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np

from headwright.kernel.goals import Goal
from headwright.search.random_keys.model_noise import Noise
from headwright.search.random_keys.query_law import QueryLaw
from headwright.words.key_models import KeyModel
from headwright.words.scaled_keys import ScaledKeys

_GRID = 240  # cells of one Gaussian's grid for the search
FINE = 960  # for events that a coarse one hardly sees
ESCAPE = 0.25  # of the room that the asked probability leaves: what may escape a box
_WIDE = 6.0  # the grid runs so many deviations to either side
_MOST_COMBINATIONS = 4096  # nodes of a finite law; beyond, so many are drawn
_SOBOL = 1024  # nodes where no proof is had
_MOST_NUMBERS = 20_000  # scores of moving keys in a box, at every cell and pattern
_MOST_SUBSETS = 5  # targets beyond which only the patterns "none up", "one up", "all but one up" are boxed


def grid(cells: int, edges: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Midpoints (m,) of cells of a standard Gaussian, and its mass in each; the last cells hold the tails.

    Near the `edges` the cells are forty times finer.
    """
    from scipy.special import ndtr

    ends = np.linspace(-_WIDE, _WIDE, cells + 1)
    if edges is not None and len(edges):
        width = 2 * _WIDE / cells
        close = (edges[:, None] + width * np.linspace(-4, 4, 321)).clip(-_WIDE, _WIDE)
        ends = np.union1d(ends, close.round(9))
    below = ndtr(ends)
    below[0], below[-1] = 0.0, 1.0
    return 0.5 * (ends[1:] + ends[:-1]), np.diff(below)


def provable_law(
    model: KeyModel,
    noise: Noise,
    goal: Goal,
    heads: int,
    room: float,
    *,
    kept: int | None = None,
    edges: np.ndarray | None = None,
    cells: int = _GRID,
) -> QueryLaw:
    """The law as a proof sees it: exact for finite laws and for one Gaussian, else one Gaussian beside a box.

    `kept` is the key whose noise is integrated, `room` the part of probability that the asked one leaves; near the `edges` of its
    Gaussian the cells are finer.
    """
    if isinstance(model, ScaledKeys):
        return finite_law(model, noise, goal)
    moving = noise.moving
    if (len(noise.owner) == 1 and not noise.spread.any()) or not moving:
        z, chances = grid(cells, edges) if moving else (np.zeros(1), np.ones(1))
        # one direction of the one key that moves, or of none
        law = _law(
            noise, goal, moving, noise.directions[: len(moving), None], z[:, None, None][:, : len(moving)], chances
        )
        return replace(law, places=z)
    return _boxed(noise, goal, heads, room, kept, edges)


def _boxed(noise: Noise, goal: Goal, heads: int, room: float, kept: int | None, edges: np.ndarray | None) -> QueryLaw:
    """One head feels all noise of the kept key as one Gaussian, several heads its longest direction."""
    from scipy.special import ndtri

    moving, lone = noise.moving, None
    place = -1 if kept is None else moving.index(kept)
    if heads > 1 and kept is not None:
        mine = np.flatnonzero(noise.owner == kept)
        lone = int(mine[np.linalg.norm(noise.directions[mine], axis=1).argmax()]) if len(mine) else None
    free = kept is not None and (heads == 1 or lone is not None)
    patterns = _patterns(goal, moving, place if heads == 1 else -1)
    # 24: two cells a deviation at the least
    z, chances = (
        grid(min(_GRID // 3, max(24, _MOST_NUMBERS // patterns.size // heads)), edges)
        if free
        else (np.zeros(1), np.ones(1))
    )
    reach = -1.01 * float(ndtri(ESCAPE * room / 2 / (heads * len(moving))))  # a hair more than the proof's own
    directions = np.zeros((len(moving), 1, noise.keys.shape[1]))
    nodes = np.zeros((len(z), len(patterns), len(moving), 1))
    pushed = np.array(np.broadcast_to(reach * patterns[:, :, None], nodes.shape))
    if lone is not None:
        directions[place, 0] = noise.directions[lone]
        nodes[:, :, place, 0] = z[:, None]
    elif free:
        pushed[:, :, place, 0] = z[:, None]
    columns, signs = _columns(noise, moving, [k for k in range(len(noise.owner)) if k != lone])
    flat = (len(z) * len(patterns), len(moving), 1)
    law = _law(noise, goal, moving, directions, nodes.reshape(flat), chances, (pushed.reshape(flat), columns, signs))
    return replace(law, patterns=len(patterns), box=True, places=z)


def _patterns(goal: Goal, moving: list[int], whole: int) -> np.ndarray:
    """Which moving keys are up (+1) and which down (-1), (patterns, v); 0 for the place of one that is in no box."""
    members = list(goal.indices)
    if len(members) <= _MOST_SUBSETS:
        subsets = [
            set(np.array(members)[list(up)]) for up in product([False, True], repeat=len(members)) if not all(up)
        ]
    else:
        subsets = [set(), *({i} for i in members), *({*members} - {i} for i in members)]
    rows = [[1.0 if j not in members or j in up else -1.0 for j in moving] for up in subsets]
    signs = np.array(rows)
    if whole >= 0:
        signs[:, whole] = 0.0
    return np.unique(signs, axis=0)


def _columns(noise: Noise, moving: list[int], chosen: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """The directions `chosen`, and what is shrunk, key by key: columns (v, l, r) and signs (v, l)."""
    r = noise.keys.shape[1]
    mine = [[noise.directions[k] for k in chosen if noise.owner[k] == j] for j in moving]
    shrunk = bool(noise.shrunk.any())
    most = max(map(len, mine), default=0) + shrunk
    columns, signs = np.zeros((len(moving), most, r)), np.zeros((len(moving), most))
    for v, (j, rows) in enumerate(zip(moving, mine, strict=True)):
        for l, row in enumerate(rows):
            columns[v, l], signs[v, l] = row, 1.0
        if shrunk:
            columns[v, -1], signs[v, -1] = noise.shrunk[j], -1.0
    return columns, signs


def finite_law(model: ScaledKeys, noise: Noise, goal: Goal, seed: int = 0) -> QueryLaw:
    """Every combination of factors; a sample of them where they are too many."""
    laws = [model.laws[j] for j in noise.moving]
    factors = [np.array([float(c) - 1 for c in law]) for law in laws]
    chances = [np.array([float(p) for p in law.values()]) for law in laws]
    if model.combinations <= _MOST_COMBINATIONS:
        places = np.indices([len(f) for f in factors]).reshape(len(factors), math.prod(map(len, factors)))
        p = np.prod([q[k] for q, k in zip(chances, places, strict=True)], axis=0) if factors else np.ones(1)
    else:
        rng = np.random.default_rng(seed)
        places = np.array([rng.choice(len(q), _MOST_COMBINATIONS, p=q / q.sum()) for q in chances])
        p = np.full(_MOST_COMBINATIONS, 1 / _MOST_COMBINATIONS)
    z = np.array([f[k] for f, k in zip(factors, places, strict=True)]).reshape(len(factors), len(p)).T
    return _law(noise, goal, noise.moving, noise.directions[:, None], z[:, :, None], p)


def true_law(model: KeyModel, noise: Noise, goal: Goal, heads: int, seed: int, *, points: int = _SOBOL) -> QueryLaw:
    """The whole law of Gaussian keys at Sobol points, for estimates where no proof is had; finite laws as they are."""
    if isinstance(model, ScaledKeys):
        return finite_law(model, noise, goal, seed)
    from scipy.special import ndtri
    from scipy.stats import qmc

    moving = noise.moving
    rows = [noise.of(j) for j in moving]
    most, soft = max((len(each) for each in rows), default=0), heads if noise.spread.any() else 0
    directions = np.zeros((len(moving), most, noise.keys.shape[1]))
    for v, each in enumerate(rows):
        directions[v, : len(each)] = each
    dimensions = len(moving) * (most + soft)
    uniform = qmc.Sobol(max(dimensions, 1), rng=seed).random(points)
    # 0 and 1 have no Gaussian number; 1e-12 is seven deviations out
    gauss = ndtri(uniform.clip(1e-12, 1 - 1e-12))[:, :dimensions].reshape(points, len(moving), most + soft)
    columns, signs = _columns(noise, moving, [])
    chances, other = np.full(points, 1 / points), (gauss[:, :, most:], columns, signs)
    return _law(noise, goal, moving, directions, gauss[:, :, :most], chances, other)


def _law(
    noise: Noise,
    goal: Goal,
    moving: list[int],
    directions: np.ndarray,
    z: np.ndarray,
    chances: np.ndarray,
    other: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None,
) -> QueryLaw:
    """With `other` noise, known by its covariance: its nodes, its columns and their signs."""
    v, r = len(moving), noise.keys.shape[1]
    c, columns, signs = other or (np.zeros((len(z), v, 0)), np.zeros((v, 0, r)), np.zeros((v, 0)))
    places = np.array(moving, dtype=np.intp)
    return QueryLaw(noise.keys, goal, places, directions, noise.spread[moving], columns, signs, z, c, chances)

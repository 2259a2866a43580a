"""What the sender of a certificate says of its claim: the verdict, where it fails, and steps that make checking easy.

No proof of this library uses any of it, and none needs to be right: docs/certificate_format.md defines it for other checkers.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from math import isfinite
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from headwright.kernel import balls
from headwright.kernel.certificate import SAID
from headwright.kernel.claim import Claim
from headwright.kernel.none_withstands import NoneWithstands
from headwright.kernel.verdict import Proved, Refuted, Verdict
from headwright.kernel.weight_bound import WeightBound
from headwright.theories.programs.boxes import Boxes, sum_above
from headwright.theories.programs.runs_program import RunsProgram, begin, block_writes, output_error
from headwright.theories.programs.walk import Unproved, Walk, Written
from headwright.theories.random_keys.laws import GaussianLaw
from headwright.theories.random_keys.normal import mass_between, mass_beyond
from headwright.theories.random_keys.score_box import Room, ScoreBox
from headwright.theories.random_keys.score_noise import score_noise
from headwright.theories.random_keys.with_probability import WithProbability

Hints = dict[str, Any]  # arrays, and parts of the text


def what_is_said(verdict: Verdict, claim: Claim) -> tuple[str, dict[str, np.ndarray]]:
    """The text `said` of a certificate file, and the arrays that go with it."""
    said: Hints = {"verdict": verdict.status}
    arrays: dict[str, np.ndarray] = {}
    if isinstance(verdict, Refuted):
        said["counterexample"] = _plain(verdict.counterexample, "counterexample", arrays)
        moved = getattr(claim, "region", None) is not None  # then keys are said even if they stay where they are
        held = [(own.shape, own.tobytes()) for name, own in claim.arrays().items() if name != "keys" or not moved]
        arrays = {name: own for name, own in arrays.items() if (own.shape, own.tobytes()) not in held}
    hints = _hints(verdict, claim)
    arrays |= {name: hint for name, hint in hints.items() if isinstance(hint, np.ndarray)}
    said |= {name: hint for name, hint in hints.items() if name not in arrays}
    return json.dumps(said, sort_keys=True, allow_nan=False), {f"{SAID}.{name}": own for name, own in arrays.items()}


def _plain(value: Any, name: str, arrays: dict[str, np.ndarray]) -> Any:
    """A counterexample as JSON, its numbers as rationals and its arrays put with the others."""
    if isinstance(value, Mapping):
        parts = {own: _plain(part, f"{name}.{own}", arrays) for own, part in value.items()}
        return {own: part for own, part in parts.items() if part is not None}
    if isinstance(value, np.ndarray):
        arrays[name] = np.array(value, dtype=np.float64, ndmin=1)
        return None
    if isinstance(value, tuple | list):
        return [_plain(part, name, arrays) for part in value]
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    if isinstance(value, np.number):
        value = value.item()
    if isinstance(value, float) and not isfinite(value):
        return None  # no rational, and no proof needs it
    if isinstance(value, int | float | Fraction):
        return str(Fraction(value))
    return str(value)


def _hints(verdict: Verdict, claim: Claim) -> Hints:
    """What helps to reach the verdict again, for the kinds for which that takes a search."""
    if isinstance(verdict, Proved) and isinstance(claim, RunsProgram):
        return _boxes(claim, verdict.bound or 0.0)
    if isinstance(verdict, Proved) and isinstance(claim, NoneWithstands):
        return _inside(claim)
    if isinstance(verdict, Refuted) and isinstance(claim, WeightBound):
        return _moved(claim, verdict.counterexample)
    if isinstance(verdict, Proved | Refuted) and isinstance(claim, WithProbability) and verdict.bound is not None:
        return _cells(claim, Fraction(verdict.bound), met=isinstance(verdict, Proved))
    return {}


# Programs


class _Room(NamedTuple):
    """How much wider each step is made: by parts of the radius and the size of its boxes, and of what it adds to the stray."""

    radius: float
    size: float
    stray: float


# A compiled program has little room to give: its scales are the least that will do, and its kinks lie at the ends of boxes.
_ROOMS = (
    _Room(2.0**-8, 2.0**-30, 1.0),
    _Room(2.0**-12, 2.0**-30, 2.0**-3),
    _Room(2.0**-16, 2.0**-30, 2.0**-6),
    _Room(2.0**-24, 2.0**-36, 2.0**-10),
)
_TABLES = 2.0**-38  # of the size of a column: stored numbers are exact, and their coordinates in a basis nearly so


def _boxes(claim: RunsProgram, bound: float) -> Hints:
    """Boxes that satisfy the induction with room at every step, and that take at most half of what the error leaves."""
    for room in _ROOMS:
        try:
            with np.errstate(all="ignore"):
                walk, strays = _widened(claim, room)
                error = output_error(walk, claim)
        except Unproved:
            continue
        if error <= (bound + float(claim.error)) / 2:
            break
    else:
        return {}
    made = {"stray": np.array(strays)} | ({} if walk.plain else {"inverse": walk.inverse})
    for k, part in enumerate(claim.layout):
        held, bos = walk.held[part.register], walk.bos[list(part.columns)]
        own = held.boxes[:, [held.columns.index(column) for column in part.columns]]
        made |= {f"low.{k}": own.low, f"high.{k}": own.high, f"bos.{k}": np.array([bos.low, bos.high])}
        made |= {} if held.error is None else {f"error.{k}": np.array([held.error])}
    return made


def _widened(claim: RunsProgram, room: _Room) -> tuple[Walk, list[np.ndarray]]:
    """The walk of the proof, in which each step starts from what the step before wrote, made wider; and the stray after each."""
    walk = begin(claim.program, claim.layout, claim.weights, claim.dtype)
    walk.bos, walk.hull = (own.widened(2 * _TABLES * own.size) for own in (walk.bos, walk.hull))
    for register, held in walk.held.items():
        walk.held[register] = held._replace(boxes=held.boxes.widened(_TABLES * held.boxes.hull().size))
    walk.stray = sum_above(walk.stray, room.stray * walk.stray)
    strays = [walk.stray]
    for number, block in enumerate(claim.blocks):
        for heads in (True, False):
            made, bias = block_writes(walk, block, number, heads=heads)
            walk.write({part: _wider(own, room) for part, own in made.items()}, bias)
            walk.stray = sum_above(walk.stray, room.stray * (walk.stray - strays[-1]), room.size * walk.stray)
            strays.append(walk.stray)
    return walk, strays


def _wider(own: Written, room: _Room) -> Written:
    """What a part writes, with room around it."""
    size = np.maximum(own.boxes.hull().size, own.bos.size)

    def wide(boxes: Boxes) -> Boxes:
        return boxes.widened(room.radius * boxes.radius + room.size * size)

    if own.error is None:
        return own._replace(boxes=wide(own.boxes), bos=wide(own.bos))
    more = room.radius * own.error + room.size * float(size[0])  # the box of a number is around all its values
    return own._replace(boxes=own.boxes.widened(2 * more), bos=wide(own.bos), error=own.error + more)


# Keys that vary

_ENDS = (-40.0, *(k / 2 for k in range(-16, 17)), 40.0)
_MOST_CELLS, _MOST_PARTS = 400, 40_000  # cells, and parts of heads in all cells of all boxes: some tenths of a second
_A_LITTLE = Fraction(1, 2**20)  # of the error: room for another judge of a cell


def _cells(claim: WithProbability, bound: Fraction, *, met: bool) -> Hints:
    """Cells of one Gaussian in which the error is met, or missed, with all other scores in a box."""
    if not isinstance(claim.model, GaussianLaw):
        return {}
    noise = score_noise(claim.model, claim.heads, prefer=claim.goal.indices)
    if noise.key is None or any(noise.key in left for left in noise.left_over):
        return {}
    count, spare = sum(map(len, noise.left_over)), abs(bound - claim.confidence)
    needed, room = (claim.confidence, 1 - claim.confidence) if met else (1 - claim.confidence, spare)
    tier, left = next(claim.heads.climb()), _MOST_PARTS
    for part in (4, 16, 256) if count else (1,):  # of the room, what may leave the box
        far = NormalDist().inv_cdf(max(float(room) / part / (2 * count), 1e-300)) if count else 0.0
        reach = Fraction(round(-64 * far) + 1, 64) if count else Fraction(0)
        with balls.precision(max(tier.bits, 128)):
            limit = balls.exact(claim.error * (1 - _A_LITTLE if met else 1 + _A_LITTLE))
            escape = 2 * count * mass_beyond(balls.exact(reach))
            box = ScoreBox(claim.heads, claim.goal, noise, tier, Room(balls.exact(reach), None, escape))
            cells, mass = _likeliest(box, limit, met, balls.exact(needed + spare / 2) + escape, left)
            enough = mass > balls.exact(needed + spare / 64) + escape
        if enough:
            return {"key": noise.key, "cells": np.array(sorted(cells))} | ({"reach": str(reach)} if count else {})
        left -= box.looked
    return {}


def _likeliest(
    box: ScoreBox, limit: balls.Ball, met: bool, enough: balls.Ball, parts: int
) -> tuple[list[tuple[float, float]], balls.Ball]:
    """Cells with this verdict and their probability: the likeliest other cell is cut until it is enough."""
    cells: list[tuple[float, float]] = []
    mass, waiting = balls.exact(0), [(0.0, low, high) for low, high in pairwise(_ENDS)]
    if box.escape > 0 and all(box.verdict(z, z, limit) is not met for z in (-1.5, -0.5, 0.0, 0.5, 1.5)):
        return cells, mass  # the box is too wide
    for _ in range(_MOST_CELLS):
        if not waiting or box.looked > parts or mass > enough:
            break
        _, low, high = heapq.heappop(waiting)
        found = box.verdict(low, high, limit)
        if found is met:
            cells.append((low, high))
            mass = mass + mass_between(low, high)
        elif found is None:
            for ends in pairwise((low, (low + high) / 2, high)):
                heapq.heappush(waiting, (-float(mass_between(*ends)), *ends))
    return cells, mass


# Keys that move


def _inside(claim: NoneWithstands) -> Hints:
    """The point of the ellipsoid nearest to v, if v lies outside: W_c² v_c / (s + W_c²) for the s that puts it on the border."""
    if claim.region.norm != "ball" or claim.region.profile is None:
        return {}
    own, u = claim.goal.indices[0], np.array(claim.witness)
    u[own] = 0.0
    profile = np.broadcast_to(claim.region.profile, claim.keys.shape)
    v = u @ claim.keys - u.sum() * claim.keys[own]
    wide = float(claim.region.radius) * (u @ profile + u.sum() * profile[own])

    def point(s: float) -> np.ndarray:  # of the ball that the ellipsoid is made from
        point: np.ndarray = np.divide(wide * v, s + wide**2, out=np.zeros_like(v), where=wide > 0)
        return point

    low, high = 0.0, float(np.linalg.norm(v * wide))
    for _ in range(200 if np.linalg.norm(point(0.0)) > 1 else 0):
        s = (low + high) / 2
        low, high = (low, s) if np.linalg.norm(point(s)) < 1 else (s, high)
    return {"inside": wide * point(high)} if low > 0 else {}


def _moved(claim: WeightBound, point: Mapping[str, Any]) -> Hints:
    """The vertex that breaks the claim as float64 keys inside the region, where they break it too."""
    if claim.region is None or "signs" not in point:
        return {}
    keys = claim.region.moved(claim.heads.keys, point["signs"][:, None] * claim.region.direction(claim.heads.ways[0]))
    if keys is None:
        return {}
    fixed = WeightBound(claim.heads.replace_keys(keys), claim.values, claim.side, claim.bound)
    return {"counterexample.keys": keys} if isinstance(fixed.prove(), Refuted) else {}

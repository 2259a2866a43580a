"""A compiled program run in several ways: NumPy, torch, and by hand with every sum in an order of its own.

All of them take a claim and words (words, length), as numbers of tokens, and give what the unembedding makes of each position:
(words, length, m). The machine by hand stays within the rounding model of the claim.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from headwright.theories.programs.runs_program import RunsProgram, codes_of
from headwright.words.block import Block

Run = Callable[[RunsProgram, np.ndarray], np.ndarray]


def kind_of(claim: RunsProgram) -> Any:
    return np.float32 if claim.dtype == "float32" else np.float64


def in_numpy(claim: RunsProgram, words: np.ndarray) -> np.ndarray:
    """By headwright's own blocks."""
    kind, weights = kind_of(claim), claim.weights
    x: Any = weights["tokens"].astype(kind)[_rows(words)]
    for number, parts in enumerate(claim.blocks):
        table = {"positions": weights["positions"]} if number == 0 and "positions" in weights else {}
        x = Block(**parts.arrays(), **table, causal=parts.causal)(x)
    out = x[:, 1:] @ weights["unembedding"].astype(kind).T
    return np.asarray(out + weights["unembedding_bias"].astype(kind) if "unembedding_bias" in weights else out)


def in_torch(claim: RunsProgram, words: np.ndarray) -> np.ndarray:
    """By torch's own linear maps and softmax."""
    import torch
    from torch.nn.functional import linear

    kind = torch.float32 if claim.dtype == "float32" else torch.float64
    own = {name: torch.tensor(np.array(array), dtype=kind) for name, array in claim.weights.items()}
    n = words.shape[1] + 1
    x = own["tokens"][torch.tensor(_rows(words))]
    if "positions" in own:
        x = x + own["positions"][:n]
    for k in range(len(claim.blocks)):
        total: Any = 0
        for head in range(len(own[f"{k}.query"])):
            made = [
                linear(
                    x, own[f"{k}.{name}"][head], own[f"{k}.{name}_bias"][head] if f"{k}.{name}_bias" in own else None
                )
                for name in ("query", "key", "value")
            ]
            scores = made[0] @ made[1].transpose(-1, -2)
            if claim.program.causal:
                scores = scores.masked_fill(torch.triu(torch.ones(n, n, dtype=torch.bool), 1), -torch.inf)
            total = total + linear(torch.softmax(scores, dim=-1) @ made[2], own[f"{k}.output"][head])
        x = x + total
        if f"{k}.inner" in own:
            hidden = torch.relu(linear(x, own[f"{k}.inner"], own.get(f"{k}.inner_bias")))
            x = x + linear(hidden, own[f"{k}.outer"], own.get(f"{k}.outer_bias"))
    return np.asarray(linear(x, own["unembedding"], own.get("unembedding_bias"))[:, 1:].numpy())


class ByHand:
    """A machine that sums in random orders, "one by one", "by halves" or "fused" (float32 only). Its exp is off by an ulp."""

    def __init__(self, rng: np.random.Generator, way: str) -> None:
        self.rng, self.way = rng, way

    def __call__(self, claim: RunsProgram, words: np.ndarray) -> np.ndarray:
        return np.concatenate([self._word(claim, word[None]) for word in words])

    def _word(self, claim: RunsProgram, word: np.ndarray) -> np.ndarray:
        kind = kind_of(claim)
        own = {name: array.astype(kind) for name, array in claim.weights.items()}
        x = own["tokens"][_rows(word)[0]]
        n = len(x)
        if "positions" in own:
            x = x + own["positions"][:n]
        seen = np.tri(n, dtype=bool) if claim.program.causal else np.ones((n, n), dtype=bool)
        for k in range(len(claim.blocks)):
            made, maps = [], []
            for head in range(len(own[f"{k}.query"])):
                q, key, v = (
                    self.dot(x, own[f"{k}.{name}"][head], _of(own, f"{k}.{name}_bias", head))
                    for name in ("query", "key", "value")
                )
                made.append(self.attend(self.dot(q, key), seen, v))
                maps.append(own[f"{k}.output"][head])
            x = x + self.dot(np.concatenate(made, axis=1), np.concatenate(maps, axis=1))
            if f"{k}.inner" in own:
                hidden = np.maximum(self.dot(x, own[f"{k}.inner"], own.get(f"{k}.inner_bias")), 0)
                x = x + self.dot(hidden, own[f"{k}.outer"], own.get(f"{k}.outer_bias"))
        return self.dot(x, own["unembedding"], own.get("unembedding_bias"))[None, 1:]

    def attend(self, scores: np.ndarray, seen: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Softmax over the keys that are seen, and the weighted sum of the values."""
        largest = np.where(seen, scores, -np.inf).max(axis=1, keepdims=True)
        with np.errstate(under="ignore"):
            powers = np.exp(np.where(seen, scores - largest, -np.inf))
        step = self.rng.choice(np.array([-np.inf, 0, np.inf], dtype=powers.dtype), powers.shape)
        moved = np.where(step == 0, powers, np.nextafter(powers, step))
        powers = np.where(seen & (powers > 0), np.maximum(moved, 0), powers)
        total = self.dot(powers, np.ones((1, powers.shape[1]), dtype=powers.dtype))
        return self.dot(powers / total, values.T)

    def dot(self, rows: np.ndarray, maps: np.ndarray, bias: np.ndarray | None = None) -> np.ndarray:
        """rows (n, k) times maps (m, k) transposed, and a bias (m,) as one more term, its terms in a random order."""
        used = np.flatnonzero(maps.any(axis=0) & rows.any(axis=0))
        order = self.rng.permutation(np.append(used, -1) if bias is not None and bias.any() else used)
        if self.way == "by halves":
            return self._halves(rows, maps, bias, order)
        fused = self.way == "fused" and rows.dtype == np.float32
        sums = np.zeros((len(rows), len(maps)), dtype=rows.dtype)
        for term in order:
            if fused and term >= 0:  # a product of two float32 is exact in float64
                exact = sums + rows[:, term, None].astype(np.float64) * maps[None, :, term]
                sums = exact.astype(np.float32)
            else:
                sums = sums + self._term(rows, maps, bias, term)
        return sums

    def _halves(self, rows: np.ndarray, maps: np.ndarray, bias: np.ndarray | None, order: np.ndarray) -> np.ndarray:
        if len(order) == 0:
            return np.zeros((len(rows), len(maps)), dtype=rows.dtype)
        if len(order) == 1:
            return self._term(rows, maps, bias, order[0])
        half = len(order) // 2
        return self._halves(rows, maps, bias, order[:half]) + self._halves(rows, maps, bias, order[half:])

    def _term(self, rows: np.ndarray, maps: np.ndarray, bias: np.ndarray | None, term: int) -> np.ndarray:
        if term < 0:
            assert bias is not None
            return np.broadcast_to(bias[None, :], (len(rows), len(maps)))
        return rows[:, term, None] * maps[None, :, term]


def in_digits(claim: RunsProgram, word: np.ndarray, digits: int = 40) -> list[list[Any]]:
    """One word in real arithmetic: mpmath with so many digits."""
    import mpmath

    with mpmath.workdps(digits):
        own = {name: _exact(array) for name, array in claim.weights.items()}

        def linear(x: np.ndarray, name: str) -> np.ndarray:
            return x @ own[name].T + own[f"{name}_bias"] if f"{name}_bias" in own else x @ own[name].T

        x = own["tokens"][_rows(word[None])[0]]
        n = len(x)
        if "positions" in own:
            x = x + own["positions"][:n]
        for k in range(len(claim.blocks)):
            total = np.zeros_like(x)
            for head in range(len(own[f"{k}.query"])):
                q, key, v = (
                    x @ own[f"{k}.{name}"][head].T
                    + (own[f"{k}.{name}_bias"][head] if f"{k}.{name}_bias" in own else mpmath.mpf(0))
                    for name in ("query", "key", "value")
                )
                scores, mixed = q @ key.T, []
                for i in range(n):
                    last = i + 1 if claim.program.causal else n
                    powers = np.array([mpmath.exp(s - max(scores[i, :last])) for s in scores[i, :last]])
                    mixed.append(powers @ v[:last] / powers.sum())
                total = total + np.array(mixed) @ own[f"{k}.output"][head].T
            x = x + total
            if f"{k}.inner" in own:
                hidden = np.vectorize(lambda y: max(y, mpmath.mpf(0)), otypes=[object])(linear(x, f"{k}.inner"))
                bias = own.get(f"{k}.outer_bias")
                x = x + hidden @ own[f"{k}.outer"].T + (mpmath.mpf(0) if bias is None else bias)
        return linear(x, "unembedding")[1:].tolist()


def _exact(array: np.ndarray) -> np.ndarray:
    import mpmath

    return np.vectorize(lambda number: mpmath.mpf(float(number)), otypes=[object])(array)


def _of(own: dict[str, np.ndarray], name: str, head: int) -> np.ndarray | None:
    return own[name][head] if name in own else None


def _rows(words: np.ndarray) -> np.ndarray:
    """Rows of the table of tokens: BOS, then the tokens."""
    return np.pad(np.asarray(words) + 1, ((0, 0), (1, 0)))


def wanted_codes(claim: RunsProgram, labels: list[list[Any]]) -> np.ndarray:
    """What the unembedding should give for these values: (words, length, m), as long doubles."""
    every = claim.program.values[claim.output].labels
    if every is None:
        return np.array(labels, dtype=np.longdouble)[:, :, None]
    place = {label: k for k, label in enumerate(every)}
    return codes_of(every, claim.weights)[[[place[label] for label in row] for row in labels]].astype(np.longdouble)


def seen_errors(made: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The largest distance from the code at each position: (words, length)."""
    return np.abs(made.astype(np.longdouble) - wanted).max(axis=2)


def wrong_tokens(claim: RunsProgram, made: np.ndarray, wanted: np.ndarray) -> int:
    """Positions that decode to another label, or numbers that are off by more than the stated error."""
    every = claim.program.values[claim.output].labels
    if every is None:
        return int((seen_errors(made, wanted) > float(claim.error)).sum())
    codes = codes_of(every, claim.weights).astype(np.longdouble)
    if codes.shape[1] == 1:  # numbers in order: the nearest one
        order = np.argsort(codes[:, 0])
        middles = (codes[order][1:, 0] + codes[order][:-1, 0]) / 2
        found = codes[order][np.searchsorted(middles, made[:, :, 0].astype(np.longdouble))]
    else:
        found = codes[np.abs(made[:, :, None, :] - codes).max(axis=3).argmin(axis=2)]
    return int((found != wanted).any(axis=2).sum())

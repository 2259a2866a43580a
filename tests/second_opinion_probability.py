"""The second opinion on probabilities over keys that vary, from the keys' own covariances: cells of ½Σ|α - w|, or samples.

Finite laws are walked combination by combination with the exact judge of fixed keys. One Gaussian: the line is cut into cells,
on each of which every weight runs between its values at the two ends; what is good and bad adds up, the rest is cut again.
Several Gaussians: scores are drawn, and a claim is contradicted beyond six and a half standard deviations, confirmed by none. The
two ways in float64 keep a distance of 10^-9 from the confidence and say "unknown" inside it.
"""

import math
from fractions import Fraction
from itertools import product

import numpy as np

KIND = "within-error-with-probability"
NEAR = 1e-9
CELLS, PIECES, LEVELS = 4000, 64, 6
SAMPLES, SIGMAS = 20_000, 6.5


def judge(arrays, fields, judge_fixed):
    confidence = Fraction(fields["confidence"])
    if fields["law"] == "scaled":
        low, high = finite(arrays, fields, judge_fixed)
        return "true" if low >= confidence else "false" if high < confidence else "unknown"
    low, high, drawn = gaussian(arrays, fields)
    wanted = float(confidence)
    if low > wanted + NEAR:
        return "not contradicted" if drawn else "true"
    return "false" if high < wanted - NEAR else "unknown"


def work(arrays, fields):
    (n, d), h = np.shape(arrays["keys"]), len(arrays["queries"])
    if fields["law"] == "scaled":
        each = n * d * h / 10 + 3 * n * h
        return each * math.prod(len(law) for law in fields["laws"].values())
    noisy = np.count_nonzero(arrays["isotropic"]) + np.count_nonzero(arrays["along"])
    noisy += sum(name.startswith("factor_") for name in arrays) + 2 * ("cov" in arrays)
    return n * h * 20 if noisy <= 1 else SAMPLES * n * d / 1000


def finite(arrays, fields, judge_fixed):
    """Exact (low, high): every combination as a claim about fixed scores."""
    laws = {int(i): {Fraction(c): Fraction(p) for c, p in law.items()} for i, law in fields["laws"].items()}
    low, high = Fraction(0), Fraction(0)
    for chosen in product(*(law.items() for law in laws.values())):
        factors = dict(zip(laws, (c for c, _ in chosen), strict=True))
        chance = math.prod((p for _, p in chosen), start=Fraction(1))
        found = judge_fixed(factors)
        low += chance if found == "true" else 0
        high += chance if found != "false" else 0
    return low, high


def gaussian(arrays, fields):
    """Float low and high around P(TV <= error), and whether they come from scores that were drawn."""
    scale, queries = float(Fraction(fields["scale"])), np.asarray(arrays["queries"])
    spread = covariances(arrays, scale * queries)
    largest = max((np.abs(c).max() for c in spread.values()), default=0.0)
    felt = {j: c for j, c in spread.items() if np.abs(c).max() > 1e-24 * largest}
    if not felt:
        return *in_cells(arrays, fields, None, np.zeros(len(queries))), False
    if len(felt) == 1:
        ((j, c),) = felt.items()
        values, vectors = np.linalg.eigh(c)
        if len(values) == 1 or values[-2] <= 1e-13 * values[-1]:
            return *in_cells(arrays, fields, j, math.sqrt(max(values[-1], 0.0)) * vectors[:, -1]), False
    return *by_samples(arrays, fields), True


def covariances(arrays, queries):
    """τ² QΣ_jQᵀ (h, h) of the keys that vary; `queries` have the scale in them, so that tiny keys do not underflow."""
    keys, found = np.asarray(arrays["keys"]), {}
    for j, mean in enumerate(keys):
        felt = math.sqrt(arrays["isotropic"][j]) * queries
        whole = felt @ felt.T
        if arrays["along"][j]:
            size = np.abs(mean).max()
            felt = queries @ (mean / size / np.linalg.norm(mean / size))
            whole = whole + arrays["along"][j] * np.outer(felt, felt)
        if f"factor_{j}" in arrays:
            felt = queries @ arrays[f"factor_{j}"]
            whole = whole + felt @ felt.T
        if "cov" in arrays:
            cov = np.asarray(arrays["cov"])
            whole = whole + queries @ (cov if cov.ndim == 2 else cov[j]) @ queries.T
        if whole.any():
            found[j] = whole
    return found


def wanted_weights(fields, n):
    wanted = np.zeros(n)
    wanted[fields["goal"]["indices"]] = [float(Fraction(s)) for s in fields["goal"]["shares"]]
    return wanted


def in_cells(arrays, fields, key, slopes):
    scale = float(Fraction(fields["scale"]))
    scores = scale * np.asarray(arrays["queries"]) @ np.asarray(arrays["keys"]).T
    mix = np.asarray(arrays["mix"]) / np.sum(arrays["mix"])
    wanted, error = wanted_weights(fields, scores.shape[1]), float(Fraction(fields["error"]))
    ends = np.linspace(-12.0, 12.0, CELLS + 1)
    cells = np.stack([ends[:-1], ends[1:]], axis=1)
    low, high = 0.0, 1.0
    for _ in range(LEVELS):
        least, most = variation_over(cells, scores, mix, wanted, key, slopes)
        mass = np.array([mass_of(a, b) for a, b in cells])
        low += mass[most <= error].sum()
        high -= mass[least > error].sum()
        left = cells[(most > error) & (least <= error)]
        if not len(left) or len(left) > 3000:
            break
        steps = np.linspace(0, 1, PIECES + 1)
        cuts = left[:, :1] + (left[:, 1:] - left[:, :1]) * steps
        cells = np.stack([cuts[:, :-1].ravel(), cuts[:, 1:].ravel()], axis=1)
    return low, high


def variation_over(cells, scores, mix, wanted, key, slopes):
    """The least and the largest ½Σ|α - w| that the ranges of the single weights allow, for every cell (c, 2)."""
    ranges = []
    for z in cells.T:
        moved = np.repeat(scores[None], len(z), axis=0)
        if key is not None:
            moved[:, :, key] += z[:, None] * slopes
        e = np.exp(moved - moved.max(axis=2, keepdims=True))
        ranges.append(e / e.sum(axis=2, keepdims=True))
    bottom = np.einsum("h,chn->cn", mix, np.minimum(*ranges))
    top = np.einsum("h,chn->cn", mix, np.maximum(*ranges))
    most = np.maximum(np.abs(bottom - wanted), np.abs(top - wanted)).sum(axis=1) / 2
    least = np.maximum(np.maximum(bottom - wanted, wanted - top), 0).sum(axis=1) / 2
    return least, most


def mass_of(a, b):
    if a > 0:
        a, b = -b, -a
    return (math.erfc(-b / math.sqrt(2)) - math.erfc(-a / math.sqrt(2))) / 2


def by_samples(arrays, fields):
    """(p̂ - 6.5σ, p̂ + 6.5σ) from scores drawn by the keys' covariances."""
    rng = np.random.default_rng(20240229)
    queries = float(Fraction(fields["scale"])) * np.asarray(arrays["queries"])
    scores = np.repeat((queries @ np.asarray(arrays["keys"]).T)[None], SAMPLES, axis=0)
    for j, c in covariances(arrays, queries).items():
        values, vectors = np.linalg.eigh(c)
        scores[:, :, j] += rng.standard_normal((SAMPLES, len(values))) @ (vectors * np.sqrt(np.maximum(values, 0))).T
    mix = np.asarray(arrays["mix"]) / np.sum(arrays["mix"])
    e = np.exp(scores - scores.max(axis=2, keepdims=True))
    weights = np.einsum("h,chn->cn", mix, e / e.sum(axis=2, keepdims=True))
    met = np.abs(weights - wanted_weights(fields, weights.shape[1])).sum(axis=1) / 2 <= float(Fraction(fields["error"]))
    p = met.mean()
    off = SIGMAS * math.sqrt(max(p * (1 - p), 10 / SAMPLES) / SAMPLES)
    return p - off, p + off

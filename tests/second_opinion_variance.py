"""A second opinion on the variance of weights, where the length of one key is the only noise: Gauss-Legendre in float64.

The line is cut where the moving key overtakes the others, as finely as the weights change there. What lies within 10^-9 of the
bound is "unknown". A variance computed without a bound on its error contradicts, but confirms nothing.
"""

from fractions import Fraction

import numpy as np

KIND = "weight-variance"
NEAR = 1e-9
FAR = 12.0
NODES, MASSES = np.polynomial.legendre.leggauss(40)


def judge(arrays, fields):
    along = np.asarray(arrays["along"])
    moving = np.flatnonzero(along).tolist()
    if np.any(arrays["isotropic"]) or any(name.startswith("factor_") for name in arrays) or len(moving) > 1:
        return "unknown"
    found, wanted = variance(arrays, fields, moving), float(Fraction(fields["bound"]))
    if not abs(found - wanted) > NEAR * (1 + np.abs(arrays["values"]).max() ** 2):
        return "unknown"
    if (found < wanted) != (fields["side"] == "at most"):
        return "false"
    return "not contradicted" if moving else "true"


def variance(arrays, fields, moving):
    if not moving:
        return 0.0
    (key,) = moving
    keys, queries = np.asarray(arrays["keys"]), np.asarray(arrays["queries"])
    scores = float(Fraction(fields["scale"])) * queries @ keys.T  # (h, n)
    stretch = np.sqrt(arrays["along"][key]) / np.linalg.norm(keys[key])
    places = {-FAR, FAR, *np.arange(-FAR, FAR).tolist()}
    for row in scores:
        others = np.delete(row, key)
        slope = row[key] * stretch
        if slope and len(others):
            turn = (others.max() + np.log(np.exp(others - others.max()).sum()) - row[key]) / slope
            steps = turn + np.array([-60, -40, -25, -15, -8, -4, -2, 0, 2, 4, 8, 15, 25, 40, 60]) / abs(slope)
            places |= {float(p) for p in steps if abs(p) < FAR}
    ends = np.array(sorted(places))
    half = np.diff(ends)[:, None] / 2
    z = (ends[:-1, None] + half + half * NODES).ravel()
    mass = (half * MASSES).ravel() * np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
    told = 0.0
    for share, row in zip(arrays["mix"] / np.sum(arrays["mix"]), scores, strict=True):
        moved = np.repeat(row[None], len(z), axis=0)
        moved[:, key] *= 1 + stretch * z
        powers = np.exp(moved - moved.max(axis=1, keepdims=True))
        told = told + share * (powers @ arrays["values"]) / powers.sum(axis=1)
    mean = mass @ told
    return float(mass @ (told - mean) ** 2)


def work(arrays, fields):
    return 100 + len(arrays["queries"]) * len(arrays["keys"])

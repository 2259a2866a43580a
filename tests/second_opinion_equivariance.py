"""The second opinion on blocks and permutations: the block written out anew in mpmath, at 60 digits, token by token.

"false" where an input and a permutation are found, the witness first, whose outputs differ by far more than 60 digits can err;
"true" where the theorem applies: nothing in the block, neither mask nor unequal positions, knows one row from another.
"""

import random

import mpmath
import numpy as np

KIND = "block-equivariant"
DIGITS, CLEARLY = 60, 30  # digits of the arithmetic; digits that a difference must reach, relative to the outputs
INPUTS = 2  # of our own making, each tried with a reversal and a random permutation


def judge(arrays, fields):
    with mpmath.workdps(DIGITS):
        block = {name: _nested(array) for name, array in arrays.items()}
        n, d = int(fields["tokens"]), len(block["query"][0][0])
        tried = [(block.pop("input"), list(fields["permutation"]))] if "input" in block else []
        chance = random.Random(n * d)
        for _ in range(INPUTS):
            x = [[mpmath.mpf(chance.randint(-8, 8)) / 4 for _ in range(d)] for _ in range(n)]
            tried += [(x, list(range(n))[::-1]), (x, chance.sample(range(n), n))]
        if any(_differ(block, fields, x, order) for x, order in tried):
            return "false"
        places = block.get("positions", [0])
        return "unknown" if fields["causal"] or any(place != places[0] for place in places) else "true"


def breaks(verdict):
    """Whether the stored entries are those of the stored input, and as far apart as the bound says."""
    claim, point = verdict.record, verdict.counterexample
    with mpmath.workdps(DIGITS):
        block = {name: _nested(array) for name, array in claim.arrays().items() if name != "input"}
        x, order = _nested(np.asarray(point["input"])), list(point["permutation"])
        r, c = point["row"], point["column"]
        moved = values(block, claim.fields(), [x[k] for k in order])[r][c]
        plain = values(block, claim.fields(), x)[order[r]][c]
        hair = mpmath.mpf(10) ** -CLEARLY * (1 + abs(moved) + abs(plain))
        held = [_between(moved, point["f(Px)"], hair), _between(plain, point["P f(x)"], hair)]
        return all(held) and abs(moved - plain) >= mpmath.mpf(verdict.bound) - hair and verdict.bound > 0


def work(arrays, fields):
    (h, r, d), n = arrays["query"].shape, fields["tokens"]
    v, hidden = arrays["value"].shape[1], len(arrays.get("inner", ()))
    return (2 * INPUTS + 1) * 2 * (n * d * (2 * h * (r + v) + 2 * hidden) + h * n * n * (r + v + 20)) / 4


def values(p, fields, x):
    """The block's outputs, rows of mpmath's numbers."""
    s = x
    if "positions" in p:
        s = [[a + b for a, b in zip(row, place, strict=True)] for row, place in zip(x, p["positions"], strict=True)]
    u = [_normed(p, fields, row, 0) for row in s] if fields["norm_first"] else s
    out = []
    for t in range(len(x)):
        seen = range(t + 1) if fields["causal"] else range(len(x))
        row = _joined(p, fields, s[t], _attended(p, fields, u, t, seen), 0)
        if "inner" in p:
            change = _forward(p, fields, _normed(p, fields, row, 1) if fields["norm_first"] else row)
            row = _joined(p, fields, row, change, 1)
        out.append(row)
    return out


def _joined(p, fields, before, change, step):
    row = [a + b for a, b in zip(before, change, strict=True)] if fields["residual"] else change
    return row if fields["norm_first"] else _normed(p, fields, row, step)


def _attended(p, fields, u, t, seen):
    total = list(p.get("output_bias", [mpmath.mpf(0)] * len(u[0])))
    for h in range(len(p["query"])):
        asks = _affine(p["query"][h], u[t], p, "query_bias", h)
        scores = [
            mpmath.mpf(fields["scale"]) * mpmath.fdot(asks, _affine(p["key"][h], u[j], p, "key_bias", h)) for j in seen
        ]
        powers = [mpmath.exp(score - max(scores)) for score in scores]
        said = [_affine(p["value"][h], u[j], p, "value_bias", h) for j in seen]
        mean = [mpmath.fdot(powers, column) / mpmath.fsum(powers) for column in zip(*said, strict=True)]
        total = [a + mpmath.fdot(weights, mean) for a, weights in zip(total, p["output"][h], strict=True)]
    return total


def _affine(matrix, row, p, bias, head):
    image = [mpmath.fdot(weights, row) for weights in matrix]
    return [a + b for a, b in zip(image, p[bias][head], strict=True)] if bias in p else image


def _normed(p, fields, row, step):
    if "norm_scale" not in p:
        return row
    mean = mpmath.fsum(row) / len(row)
    spread = mpmath.sqrt(mpmath.fsum((a - mean) ** 2 for a in row) / len(row) + mpmath.mpf(fields["norm_eps"]))
    return [(a - mean) / spread * p["norm_scale"][step][c] + p["norm_shift"][step][c] for c, a in enumerate(row)]


def _forward(p, fields, row):
    hidden = [mpmath.fdot(weights, row) for weights in p["inner"]]
    hidden = [a + b for a, b in zip(hidden, p["inner_bias"], strict=True)] if "inner_bias" in p else hidden
    relu = fields["activation"] == "relu"
    active = [max(a, mpmath.mpf(0)) if relu else a * mpmath.ncdf(a) for a in hidden]
    out = [mpmath.fdot(weights, active) for weights in p["outer"]]
    return [a + b for a, b in zip(out, p["outer_bias"], strict=True)] if "outer_bias" in p else out


def _differ(block, fields, x, order):
    plain, moved = values(block, fields, x), values(block, fields, [x[k] for k in order])
    for r, k in enumerate(order):
        for a, b in zip(moved[r], plain[k], strict=True):
            if abs(a - b) > mpmath.mpf(10) ** -CLEARLY * (1 + abs(a) + abs(b)):
                return True
    return False


def _between(value, ends, hair):
    return mpmath.mpf(ends[0]) - hair <= value <= mpmath.mpf(ends[1]) + hair


def _nested(array):
    return [_nested(part) for part in array] if np.ndim(array) else mpmath.mpf(float(array))

"""The second opinion on layers: scores as Fractions, exponentials between integers, outputs by interval arithmetic on them."""

import math
from fractions import Fraction

import mpmath
import numpy as np

from tests.brackets import rationals, whole_numbers

KINDS = ("layer-rows", "outputs-contradict", "goals-contradict")


def judge(kind, arrays, fields, row_judge):
    if kind == "outputs-contradict":
        return contradict(arrays, fields)
    if kind == "goals-contradict":
        return goals_contradict(arrays, fields)
    found = [row_judge(*row) for row in rows(arrays, fields)]
    return "false" if "false" in found else "unknown" if "unknown" in found else "true"


def work(kind, arrays, fields):
    n, d = np.shape(arrays["tokens"])
    if kind == "outputs-contradict":
        return len(fields["goals"]) * d * 20
    if kind == "goals-contradict":
        digits = 4 + sum(len(entry[3]) for entry in fields["witness"]) / 100
        return digits * d * d / 20 + len(fields["witness"]) * d / 2
    h, r, _ = np.shape(arrays["Q"])
    return len(fields["goals"]) * h * (n * d + r * d) / 4 + 30 * n * h * len(fields["goals"])


def matrix(array):
    integers, exponent = whole_numbers(array)
    return [[entry * Fraction(2) ** exponent for entry in row] for row in integers]


def times(rows_, vector):
    return [sum((a * b for a, b in zip(row, vector, strict=True)), Fraction(0)) for row in rows_]


def rows(arrays, fields):
    """For every row with a goal: (scores per head, goal, wanted output or None, values, tolerance)."""
    tokens, values = matrix(arrays["tokens"]), matrix(arrays["V"])
    maps = [(matrix(q), matrix(k)) for q, k in zip(arrays["Q"], arrays["K"], strict=True)]
    for name, goal in fields["goals"].items():
        row = int(name)
        seen = tokens[: row + 1] if fields["causal"] else tokens
        scores = []
        for query_map, key_map in maps:
            asked = times(query_map, tokens[row])
            scores.append(
                [sum((a * b for a, b in zip(asked, times(key_map, x), strict=True)), Fraction(0)) for x in seen]
            )
        wanted = None
        if row in fields["wanted"]:
            wanted = rationals(arrays["outputs"][fields["wanted"].index(row)])
        said = [times(values, x) for x in seen] if wanted is not None else None
        yield scores, goal, wanted, said, Fraction(fields["tolerance"]), Fraction(fields["error"])


def output_within(numerators, whole, said, wanted, tolerance):
    """Whether ‖Σ W_j v_j / Z - y‖ <= tolerance; None when the brackets do not tell."""
    low = high = Fraction(0)
    for i, y in enumerate(wanted):
        terms = [value[i] - y for value in said]
        common = math.lcm(*(t.denominator for t in terms))
        parts = [int(t * common) for t in terms]
        bottom = sum((w[0] if t >= 0 else w[1]) * t for w, t in zip(numerators, parts, strict=True))
        top = sum((w[1] if t >= 0 else w[0]) * t for w, t in zip(numerators, parts, strict=True))
        ends = [Fraction(e, common) for e in (bottom, top)]
        far = max(abs(e) for e in ends)
        near = Fraction(0) if ends[0] <= 0 <= ends[1] else min(abs(e) for e in ends)
        low, high = low + (near / whole[1]) ** 2, high + (far / whole[0]) ** 2
    return True if high <= tolerance**2 else False if low > tolerance**2 else None


def contradict(arrays, fields):
    tokens, outputs = matrix(arrays["tokens"]), matrix(arrays["outputs"])
    means = []
    for _, goal in fields["goals"]:
        shares = [Fraction(s) for s in goal["shares"]]
        assert sum(shares) == 1
        means.append(
            [sum(s * tokens[i][c] for s, i in zip(shares, goal["indices"], strict=True)) for c in range(len(tokens[0]))]
        )
    u = [base_16(w) for w in fields["witness"]]
    cancel = all(sum(w * m[c] for w, m in zip(u, means, strict=True)) == 0 for c in range(len(means[0])))
    differ = any(sum(w * y[c] for w, y in zip(u, outputs, strict=True)) != 0 for c in range(len(outputs[0])))
    return "true" if cancel and differ else "false"


def base_16(text):
    above, _, below = text.partition("/")
    return Fraction(int(above, 16), int(below or "1", 16))


def goals_contradict(arrays, fields):
    """ "true" when the witness proves it: a sum of products that is zero, and a gain above zero by interval logarithms.

    A witness that does not cancel proves nothing, and "false" means no more than that.
    """
    tokens, error = matrix(arrays["tokens"]), Fraction(fields["error"])
    n, d = len(tokens), len(tokens[0])
    sums = [[Fraction(0)] * d for _ in range(n)]  # Σ_j N (x_j - x_i) by asking row
    groups = {}
    for r, i, j, text in fields["witness"]:
        number = base_16(text)
        assert number > 0
        assert i != j
        assert j < (r + 1 if fields["causal"] else n)
        assert j not in groups.setdefault((r, i), {})
        groups[r, i][j] = number
        sums[r] = [s + number * (a - b) for s, a, b in zip(sums[r], tokens[j], tokens[i], strict=True)]
    asking = [r for r in range(n) if any(sums[r])]
    if any(sum(tokens[r][a] * sums[r][b] for r in asking) for a in range(d) for b in range(d)) or not groups:
        return "false"
    gains = [gain(group, fields["goals"][str(r)], i, error) for (r, i), group in groups.items()]
    if None in gains:
        return "false"
    whole = sum(gains, mpmath.iv.mpf(0))
    return "true" if whole.a > 0 else "false" if whole.b <= 0 else "unknown"


def gain(group, goal, target, error):
    """λ (H(p) - ln((1 - w + e)/(w - e))) as an interval of 300 bits; None when the error exceeds the share."""
    share = dict(zip(goal["indices"], map(Fraction, goal["shares"]), strict=True))[target]
    if share <= error:
        return None
    mpmath.iv.prec = 300
    whole = sum(group.values())
    entropy = mpmath.iv.mpf(0)
    for number in group.values():
        part = interval(number / whole)
        entropy -= part * mpmath.iv.log(part)
    return interval(whole) * (entropy - mpmath.iv.log(interval((1 - share + error) / (share - error))))


def interval(number):
    return mpmath.iv.mpf(number.numerator) / mpmath.iv.mpf(number.denominator)

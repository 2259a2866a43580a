"""A second opinion on claims that replacing keys moves attention by at most an error: exact scores, bracketed exponentials.

Every query is judged by itself. Total variation is ½ Σ|α - α'|, and the change of an output is the norm of Σ α'v' - Σ αv.
"""

from fractions import Fraction

import numpy as np

from tests.brackets import added, bracket, decided, scaled, whole_numbers
from tests.second_opinion_words import parts_of

KIND = "attention-kept"
PRECISIONS = (128, 512, 1536, 4096)


def judge(arrays, fields):
    """ "true" if every query moves by at most the error, "false" if one moves further."""
    found = {_row(arrays, fields, head, row) for head, row in np.ndindex(*np.shape(arrays["queries"])[:2])}
    return "false" if False in found else "unknown" if None in found else "true"


def breaks(verdict):
    """Whether the query that a Refuted names moves further than the error, and is the query that it shows."""
    (_, arrays, fields), point = parts_of(verdict.record), verdict.counterexample
    head, row = point["head"], point["row"]
    same = np.array_equal(point["query"], arrays["queries"][head, row])
    return same and _row(arrays, fields, head, row) is False


def work(arrays, fields):
    (_, n, d), (h, m, _) = np.shape(arrays["keys"]), np.shape(arrays["queries"])
    width = np.shape(arrays["values"])[2] if "values" in arrays else 1
    return h * m * n * (6 + d / 5 + width)


def _row(arrays, fields, head, row):
    sets, heads, m = len(arrays["keys"]), *np.shape(arrays["queries"])[:2]
    own = head // (heads // sets)
    seen = np.shape(arrays["keys"])[1]
    if fields["causal"]:
        seen += row + 1 - m
    query = np.asarray(arrays["queries"])[head, row]
    scores = [_scores(arrays[name][own][:seen], query, Fraction(fields["scale"])) for name in ("keys", "stored")]
    error = Fraction(fields["error"])
    for p in PRECISIONS:
        before, after = ([bracket(s - max(row), p) for s in row] for row in scores)
        a, b = added(before), added(after)
        # times A B, as integers over 4^p
        e = [(x[0] * b[0], x[1] * b[1]) for x in before]
        f = [(x[0] * a[0], x[1] * a[1]) for x in after]
        whole = a[0] * b[0], a[1] * b[1]
        if "values" in arrays:
            old = arrays["values"][own][:seen]
            new = arrays["stored_values"][own][:seen] if "stored_values" in arrays else old
            over = _outputs(e, f, old, new, whole, error)
        else:
            moves = [_size((y[0] - x[1], y[1] - x[0])) for x, y in zip(e, f, strict=True)]
            over = _less(added(moves), scaled(whole, 2 * error))
        if (answer := decided(over)) is not None:
            return answer
    return None


def _outputs(e, f, old, new, whole, error):
    """The ends of ‖o' - o‖² - error², times positive numbers."""
    both, exponent = whole_numbers(np.concatenate([old, new], axis=1))
    width, squares = np.shape(old)[1], []
    for k in range(width):
        terms = [_less(scaled(y, v[width + k]), scaled(x, v[k])) for x, y, v in zip(e, f, both, strict=True)]
        low, high = _size(added(terms))
        squares.append((low * low, high * high))
    unit = error**2 / Fraction(4) ** exponent
    return _less(added(squares), (unit * whole[0] ** 2, unit * whole[1] ** 2))


def _scores(keys, query, scale):
    rows, exponent = whole_numbers(keys)
    q, other = whole_numbers(query)
    unit = scale * Fraction(2) ** (exponent + other)
    return [unit * sum(x * y for x, y in zip(key, q, strict=True)) for key in rows]


def _size(ends):
    low, high = ends
    return (0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))


def _less(first, second):
    return first[0] - second[1], first[1] - second[0]

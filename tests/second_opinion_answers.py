"""A second opinion on answers called right: Python's own grammar reads the formula, mpmath evaluates it at many points.

Nothing of `formulas/` or `problems/judges/` is used. A formula is parsed by `ast` after `^`, `'` and the like are
respelled, and walked by a small evaluator of matrices: `k_1` is the first unit vector of the space of the named
vectors, so that its coordinates are the scores. At every point (n, ε, and large symbols at several sizes) the weights
are computed with 640 digits and compared with what the question asks. `opinion` says "false" where a point fails and "not
contradicted" where all hold that were tried: points confirm no answer for all n and ε. It says "true" of numbers at given keys
and of "none", and "unknown" where the text cannot be read here or the points do not decide.
"""

from __future__ import annotations

import ast
import itertools
import operator
import re

import mpmath
import numpy as np

DIGITS = 640  # t + 1 and t must differ at the largest t, 10^540
SLACK = mpmath.mpf(10) ** -100
LARGE = ("t", "T", "s", "beta")
SIZES = (2, 3, 4, 10, 1000, 10**6, 10**12)
TOLERANCES = ("0.999999", "0.9", "0.5", "0.1", "0.01", "1e-6", "1e-12")
FAR = (30, 90, 270)  # decimal exponents of a large symbol; what is met only beyond the last stays unknown

# id: (named vectors, targets, "each target at least 1/(m+eps)", squared length at most this times ln(n/eps)^2, inner products of
# the other keys with the first, lengths of the first key, queries must differ)
PLAIN = ((0,), (1,), False)
QUESTIONS = {
    "A.1a": (("k_1",), 1, True, 4, ("-1", "0.5"), (1,), False),
    "A.1b": (("k_1", "k_2"), 2, True, 8, *PLAIN),
    "A.1d": (("u", "k_2"), 2, False, None, (0,), ("0.5", "1.5"), False),
    **{name: (("k_a", "k_b"), 2, False, None, *PLAIN) for name in ("B.3b", "C.1.2a", "D.b-ii")},
    **{name: (("u_a", "u_b"), 2, False, None, *PLAIN) for name in ("B.3c-i", "B.3d-i")},
    **{name: (("mu_a", "mu_b"), 2, False, None, *PLAIN) for name in ("C.2.1a", "D.c-i")},
    **{name: (("mu_a", "mu_b"), 2, False, None, (0,), (1,), True) for name in ("C.2.2a", "D.d-i")},
    "E.1e": (("mu_i", "mu_j"), 2, False, None, *PLAIN),
}


def no_query(text: str) -> str:
    """Whether a text says that there is none, whatever marks stand around the word; other sentences are not understood here."""
    if "".join(letter for letter in text.casefold() if letter.isalpha()) == "none":
        return "true"
    return "false" if any(name in text for name in ("k_i", "k_j", "kᵢ", "kⱼ", "k_{")) else "unknown"


def opinion(problem_id: str, answer: dict[str, str | list[float]]) -> str:
    """Whether formulas, or lists of ten numbers, that answer a question do what it asks."""
    try:
        with mpmath.workdps(DIGITS):
            if problem_id in QUESTIONS and any(isinstance(value, list) for value in answer.values()):
                return numbers(problem_id, list(answer.values()))
            if problem_id == "E.1c":
                return no_query(answer["q"])
            if problem_id in ("D.b-i", "E.1d"):
                return reads_out(problem_id, answer["M"])
            if problem_id == "B.3e-ii":
                return layer(answer)
            if problem_id in QUESTIONS:
                return queries(problem_id, answer)
    except (Unreadable, SyntaxError, ValueError, TypeError, ZeroDivisionError, OverflowError, np.linalg.LinAlgError):
        return "unknown"
    return "unknown"


def queries(problem_id: str, answer: dict[str, str]) -> str:
    """Every point of the grid, the first failure counting; large symbols go to infinity at several rates."""
    trees = [read(text) for text in answer.values()]
    used = {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)}
    large = [name for name in LARGE if name in used]
    each, differ = QUESTIONS[problem_id][2], QUESTIONS[problem_id][6]
    tolerances = TOLERANCES if "eps" in used or each else (None,)
    seen_apart = False
    for n, tolerance in itertools.product(SIZES[:4] if large else SIZES, tolerances[::2] if large else tolerances):
        met = [holds(problem_id, trees, n, tolerance, sizes) for sizes in rates(large)]
        if large:
            latest = met[-len(list(rates(large))) // len(FAR) :]
            if not all(latest):
                return "unknown" if any(met) or slow(problem_id, trees, n, tolerance, large) else "false"
        elif not all(met):
            return "false"
        seen_apart = seen_apart or apart(problem_id, trees, n, tolerance, next(iter(rates(large))))
    return "not contradicted" if seen_apart or not differ else "false"


def rates(large: list[str]) -> list[dict[str, mpmath.mpf]]:
    """Values of the large symbols: equal, and with each of them far ahead of the others, at every size."""
    found: list[dict[str, mpmath.mpf]] = []
    for power in FAR if large else (0,):
        found.append({name: mpmath.mpf(10) ** power for name in large})
        if len(large) > 1:
            found += [
                {name: mpmath.mpf(10) ** (2 * power if name == first else power) for name in large} for first in large
            ]
    return found


def slow(problem_id, trees, n, tolerance, large) -> bool:
    """Whether the error still falls from one size to the next, so that a larger symbol might do."""
    errors = [
        mean_error(problem_id, trees, n, tolerance, {name: mpmath.mpf(10) ** power for name in large}) for power in FAR
    ]
    return errors[-1] < errors[0] * (1 - mpmath.mpf(10) ** -6)


def holds(problem_id, trees, n, tolerance, sizes) -> bool:
    basis, targets, each, limit, leanings, lengths, _ = QUESTIONS[problem_id]
    eps = None if tolerance is None else mpmath.mpf(tolerance)
    heads = coefficients(basis, trees, n, eps, sizes)
    if limit is not None:
        longest = limit * mpmath.log(n / eps) ** 2
        if any(sum(f * f for f in head) > longest * (1 + SLACK) for head in heads):
            return False
    for leaning, length in itertools.product(leanings, lengths):
        weights = mean_weights(heads, n, mpmath.mpf(leaning), mpmath.mpf(length))[:targets]
        if each and min(weights) < (1 - SLACK) / (targets + eps):
            return False
        allowed = mpmath.mpf("0.01") if eps is None or sizes else eps / (targets + eps)
        if not each and off_by(weights) > allowed * (1 + SLACK):
            return False
    return True


def mean_error(problem_id, trees, n, tolerance, sizes) -> mpmath.mpf:
    basis, targets, _, _, leanings, lengths, _ = QUESTIONS[problem_id]
    heads = coefficients(basis, trees, n, None if tolerance is None else mpmath.mpf(tolerance), sizes)
    pairs = itertools.product(leanings, lengths)
    return max(off_by(mean_weights(heads, n, mpmath.mpf(a), mpmath.mpf(b))[:targets]) for a, b in pairs)


def apart(problem_id, trees, n, tolerance, sizes) -> bool:
    heads = coefficients(
        QUESTIONS[problem_id][0], trees, n, None if tolerance is None else mpmath.mpf(tolerance), sizes
    )
    return any(heads[0][j] != heads[-1][j] for j in range(len(heads[0])))


def coefficients(basis, trees, n, eps, sizes) -> list[list[mpmath.mpf]]:
    """Of every head, the coordinates along the named vectors; a space one larger, so that no vector is a number."""
    size = len(basis) + 1
    values = {name: unit(j, size) for j, name in enumerate(basis)}
    values |= {"n": mpmath.mpf(n), **({} if eps is None else {"eps": eps}), **sizes}
    found = [walk(tree, values) for tree in trees]
    for vector in found:
        if not is_matrix(vector) or (vector.rows, vector.cols) != (size, 1):
            raise Unreadable("no vector")
    return [[vector[j] for j in range(len(basis))] for vector in found]


def mean_weights(heads, n, leaning, length) -> list[mpmath.mpf]:
    """Mean weights of the named keys: the first has this length, and every other key this inner product with it."""
    sums = [mpmath.mpf(0)] * len(heads[0])
    for head in heads:
        scores = [head[0] * length, *head[1:]]
        rest = leaning * head[0]
        for j, score in enumerate(scores):
            total = sum(grown(other - score) for other in scores) + (n - len(scores)) * grown(rest - score)
            sums[j] += 1 / total / len(heads)
    return sums


def grown(difference: mpmath.mpf) -> mpmath.mpf:
    if difference > mpmath.mpf(10) ** 60:
        return mpmath.mpf(10) ** (10**6)
    return mpmath.exp(difference) if difference > -(mpmath.mpf(10) ** 60) else mpmath.mpf(0)


def off_by(weights) -> mpmath.mpf:
    """The total variation from equal shares of the named keys: what they lack."""
    share = mpmath.mpf(1) / len(weights)
    lacking = sum(max(share - w, 0) for w in weights)
    over = sum(max(w - share, 0) for w in weights) + 1 - sum(weights)
    return max(lacking, over)


def numbers(problem_id: str, vectors: list[list[float]]) -> str:
    """Queries given as numbers, at ten keys and error 1/100: every weight computed with 640 digits."""
    _, targets, each, limit, leanings, lengths, differ = QUESTIONS[problem_id]
    n, eps = 10, mpmath.mpf(targets) / 99
    if differ and vectors[0] == vectors[1]:
        return "false"
    heads = [[mpmath.mpf(x) for x in vector] for vector in vectors]
    if limit is not None and sum(x * x for x in heads[0]) > limit * mpmath.log(n / eps) ** 2:
        return "false"
    keys = np.eye(n)
    if leanings != (0,):
        keys = np.sqrt(3) / 2 * np.eye(n)
        keys[:, 0], keys[0, 0] = 0.5, 1.0
    for length in lengths:
        weights = [mpmath.mpf(0)] * n
        for head in heads:
            scores = [sum(mpmath.mpf(float(k)) * x for k, x in zip(key, head, strict=True)) for key in keys]
            scores[0] *= mpmath.mpf(length)
            for j, score in enumerate(scores):
                weights[j] += 1 / sum(grown(other - score) for other in scores) / len(heads)
        if each and min(weights[:targets]) < 1 / (targets + eps):
            return "false"
        if not each and sum(
            abs(w - (mpmath.mpf(1) / targets if j < targets else 0)) for j, w in enumerate(weights)
        ) / 2 > mpmath.mpf("0.01"):
            return "false"
    return "true"


# Matrices


def reads_out(problem_id: str, text: str) -> str:
    """Random spans of several sizes; the residual is rounding or it is not."""
    tree, worst = read(text), 0.0
    names = ("A", "B") if problem_id == "D.b-i" else ("S", "T")
    for d, first, second in ((5, 2, 2), (7, 3, 1), (9, 1, 4), (6, 3, 3)):
        rng = np.random.default_rng(d)
        frame = np.linalg.qr(rng.normal(size=(d, d)))[0]
        left, right = frame[:, :first], frame[:, first : first + second]
        if problem_id == "E.1d":
            left, right = (unit_columns(span @ rng.normal(size=(span.shape[1],) * 2)) for span in (left, right))
        M = as_floats(walk(tree, {names[0]: mpmath.matrix(left.tolist()), names[1]: mpmath.matrix(right.tolist())}))
        a, b = left @ rng.normal(size=first), right @ rng.normal(size=second)
        if M.shape != (d, d):
            return "false"
        found, wanted = (M @ (a + b), a) if problem_id == "D.b-i" else ((a + b) / 2 @ M, a)
        worst = max(worst, float(np.linalg.norm(found - wanted) / np.linalg.norm(a)))
    return "not contradicted" if worst < 1e-8 else "false" if worst > 1e-6 else "unknown"


def unit_columns(matrix):
    return matrix / np.linalg.norm(matrix, axis=0)


def layer(answer: dict[str, str]) -> str:
    """The three-token example: the outputs, in units of β, at growing β; errors fall to nothing or they do not."""
    trees, errors = {name: read(text) for name, text in answer.items()}, []
    for beta in (4, 8, 16):
        units = [mpmath.mpf(beta) * unit(j, 4) for j in range(4)]
        values = {**dict(zip(("u_a", "u_b", "u_c", "u_d"), units, strict=True)), "beta": mpmath.mpf(beta)}
        Q, K, V = (walk(trees[name], values) for name in "QKV")
        a, b, c, d = units
        tokens = [d + b, a, c + b]
        errors.append(max(miss(Q, K, V, tokens, r, y) / beta for r, y in ((1, b), (0, b - c))))
    if errors[-1] < mpmath.mpf("0.01"):
        return "not contradicted"
    return "false" if errors[-1] > errors[0] / 2 else "unknown"


def miss(Q, K, V, tokens, row, wanted) -> mpmath.mpf:
    scores = [((Q * tokens[row]).T * (K * token))[0] for token in tokens]
    weights = [1 / sum(grown(other - score) for other in scores) for score in scores]
    found = sum((w * (V * token) for w, token in zip(weights, tokens, strict=True)), mpmath.zeros(4, 1))
    return mpmath.norm(found - wanted)


def as_floats(matrix) -> np.ndarray:
    if not is_matrix(matrix):
        raise Unreadable("no matrix")
    return np.array([[float(matrix[i, j]) for j in range(matrix.cols)] for i in range(matrix.rows)])


# Reading and evaluating


class Unreadable(Exception):  # noqa: N818 - a state of this reader, not a fault
    """This reader does not know the text; which says nothing of the answer."""


def read(text: str) -> ast.expr:
    """The formula as Python's own grammar reads it, once its operators are spelled in Python."""
    spelled = re.sub(r"[ \t\r\n]+", " ", text.strip()).replace("^", "**")
    spelled = re.sub(r"\s*'", ".T", spelled)
    spelled = re.sub(r"(?<![\w.])0+(?=\d)", "", spelled)  # Python knows no 007
    return ast.parse(spelled, mode="eval").body


BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.MatMult: "*", ast.Div: "/", ast.Pow: "^"}
SCALAR = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "^": operator.pow}


def walk(node: ast.expr, values: dict) -> object:
    """The value of an expression: an mpf, or an mpmath matrix."""
    match node:
        case ast.Constant(int() | float() as value) if not isinstance(value, bool):
            return mpmath.mpf(ast.unparse(node) if isinstance(value, int) else repr(value))
        case ast.Name(name):
            return named(name, values)
        case ast.UnaryOp(ast.USub(), operand):
            return -1 * walk(operand, values)
        case ast.UnaryOp(ast.UAdd(), operand):
            return walk(operand, values)
        case ast.Attribute(value, "T"):
            inner = walk(value, values)
            return inner.T if is_matrix(inner) else inner
        case ast.BinOp(left, kind, right) if type(kind) in BINARY:
            return combined(BINARY[type(kind)], walk(left, values), walk(right, values))
        case ast.Call(ast.Name(name), arguments, []):
            return called(name, [walk(argument, values) for argument in arguments])
    raise Unreadable(ast.dump(node))


def named(name: str, values: dict) -> object:
    constants = {"pi": mpmath.pi, "e": mpmath.e}
    if name in values:
        return values[name]
    if name in constants:
        return +constants[name]
    sides = {max(v.rows, v.cols) for v in values.values() if is_matrix(v)}
    if name == "I" and len(sides) == 1:
        return mpmath.eye(sides.pop())
    raise Unreadable(name)


def combined(sign: str, left, right) -> object:
    matrices = is_matrix(left) + is_matrix(right)
    if sign == "/" and is_matrix(right):
        raise Unreadable("division by a matrix")
    if sign in "+-" and matrices == 1:
        raise Unreadable("a number added to a matrix")
    if sign == "^":
        if is_matrix(right):
            raise Unreadable("a matrix as exponent")
        if is_matrix(left):
            if right != int(right) or left.rows != left.cols:
                raise Unreadable("a matrix to such a power")
            return left ** int(right)
        if abs(right) > 10**4 and abs(left) != 1:
            raise Unreadable("a power this large")
    if sign == "*" and matrices == 2 and left.cols != right.rows:
        if (left.cols, right.cols) == (1, 1) and left.rows == right.rows:
            raise Unreadable("two columns multiplied")
        raise Unreadable("shapes")
    found = SCALAR[sign](left, right)
    if is_matrix(found) and found.rows == found.cols == 1:
        found = found[0]
    if isinstance(found, mpmath.mpc):
        raise Unreadable("not real")
    return found


def called(name: str, arguments: list) -> object:
    (first, *rest) = arguments
    if name in ("log", "ln", "exp", "sqrt", "abs") and not rest and not is_matrix(first):
        if (
            (name in ("log", "ln") and first <= 0)
            or (name == "sqrt" and first < 0)
            or (name == "exp" and first > 10**5)
        ):
            raise Unreadable("out of its domain")
        return {"log": mpmath.log, "ln": mpmath.log, "exp": mpmath.exp, "sqrt": mpmath.sqrt, "abs": abs}[name](first)
    if name in ("min", "max") and not any(map(is_matrix, arguments)):
        return {"min": min, "max": max}[name](arguments)
    if name == "norm" and not rest and is_matrix(first):
        return mpmath.sqrt(sum(x * x for x in first))
    if name == "dot" and len(rest) == 1 and all(map(is_matrix, arguments)):
        return sum((x * y for x, y in zip(first, rest[0], strict=True)), mpmath.mpf(0))
    if name == "inv" and not rest:
        return first**-1 if is_matrix(first) else 1 / first
    if name == "pinv" and is_matrix(first):
        return mpmath.matrix(np.linalg.pinv(as_floats(first)).tolist())
    raise Unreadable(name)


def is_matrix(value) -> bool:
    return isinstance(value, mpmath.matrix)


def unit(j: int, size: int):
    vector = mpmath.zeros(size, 1)
    vector[j] = 1
    return vector

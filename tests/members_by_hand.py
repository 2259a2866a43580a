"""One member of a question's family, computed without the library: formulas by Python and mpmath, softmax by its definition.

Only texts that stand in the tests are evaluated here.
"""

import re
from dataclasses import dataclass

import mpmath

FUNCTIONS = {"log": mpmath.log, "sqrt": mpmath.sqrt, "exp": mpmath.exp, "norm": lambda x: mpmath.mpf(1)}
FUNCTIONS |= {"ln": mpmath.log, "abs": abs, "min": min, "max": max}
SLACK = mpmath.mpf(10) ** -35  # what 50 digits may round
LARGE = ("t", "T", "s", "beta")


@dataclass(frozen=True)
class Question:
    """What is asked, in the words of the sheets: names of the targets, the lengths the first may have, what is allowed."""

    names: tuple
    lengths: tuple = (1,)
    leaning: str = "0"
    each: bool = False
    longest: str = ""  # times ln(n/ε)


QUESTIONS = {
    "A.1a": Question(("k_1",), leaning="0.5", each=True, longest="2"),
    "A.1b": Question(("k_1", "k_2"), each=True, longest="2*sqrt(2)"),
    "A.1d": Question(("u", "k_2"), lengths=("0.5", "1.5")),
    **dict.fromkeys(["B.3b", "C.1.2a", "D.b-ii"], Question(("k_a", "k_b"))),
    **dict.fromkeys(["B.3c-i", "B.3d-i"], Question(("u_a", "u_b"))),
    **dict.fromkeys(["C.2.1a", "C.2.2a", "D.c-i", "D.d-i"], Question(("mu_a", "mu_b"))),
    "E.1e": Question(("mu_i", "mu_j")),
}


def rational(text):
    """ "2/99" as a number, and "10^5000"."""
    if "^" in str(text):
        return int(str(text).split("^")[0]) ** int(str(text).split("^")[1])
    above, _, below = str(text).partition("/")
    return mpmath.mpf(above) / mpmath.mpf(below or 1)


def number(text, values):
    """A formula without vectors."""
    exact = re.sub(r"(?<![\w.])(\d+\.?\d*)", r"number_('\1')", text.replace("^", "**"))
    exact = re.sub(r"\*\*number_\('(\d+)'\)", r"**\1", exact)
    found = eval(exact, {"__builtins__": {}}, {**FUNCTIONS, "pi": mpmath.pi, "number_": mpmath.mpf, **values})
    if not mpmath.isfinite(found) or isinstance(found, mpmath.mpc):
        raise ValueError(text)
    return found


def weights(question, texts, values, n):
    """The mean weights of the targets, one list for every length of the first key."""
    found = []
    for length in question.lengths:
        heads = []
        for text in texts:
            own = [
                number(text, {**values, **{x: mpmath.mpf(x == name) for x in question.names}})
                for name in question.names
            ]
            rest = own[0] * mpmath.mpf(question.leaning)
            scores = [own[0] * mpmath.mpf(length), *own[1:]]
            top = max(*scores, rest)
            powers = [mpmath.exp(score - top) for score in scores]
            whole = sum(powers) + (n - len(powers)) * mpmath.exp(rest - top)
            heads.append([power / whole for power in powers])
        found.append([sum(column) / len(heads) for column in zip(*heads, strict=True)])
    return found


def meets(problem_id, texts, *, n, eps, error=None, large=None):
    """Whether this member does what is asked; None where the formula has no value. `error` unless ε stands for it."""
    question, m = QUESTIONS[problem_id], len(QUESTIONS[problem_id].names)
    values = {"n": mpmath.mpf(n), "eps": eps, **(large or {})}
    error = eps / (m + eps) if error is None else error
    try:
        found = weights(question, texts, values, n)
        if question.longest:
            parts = [
                number(texts[0], {**values, **{x: mpmath.mpf(x == y) for x in question.names}}) for y in question.names
            ]
            allowed = number(question.longest, {}) * mpmath.log(n / eps)
            if mpmath.sqrt(sum(part**2 for part in parts)) > allowed + SLACK:
                return False
    except (ValueError, ZeroDivisionError):
        return None
    if question.each:
        return all(weight >= 1 / (m + eps) - SLACK for row in found for weight in row)
    return all(sum(max(mpmath.mpf(1) / m - weight, 0) for weight in row) <= error + SLACK for row in found)


def large_symbols(texts):
    return [name for name in LARGE if any(re.search(rf"\b{name}\b", text) for text in texts)]


def member_of(problem_id, texts, counterexample):
    """The arguments of `meets` that a counterexample names."""
    point = {
        name: rational(value) for name, value in counterexample.items() if re.fullmatch(r"[\d./e+^-]+", str(value))
    }
    error = point.get("error")
    eps = point["eps"] if "eps" in point else 2 * error / (1 - error)
    large = {name: point[name] for name in large_symbols(texts)}
    return {"n": int(point["n"]), "eps": eps, "error": error, "large": large}

"""What an answer says whatever its words, its last digits, or the choice it made among equals. Tests assert these.

Words may change; the last digits of a search, and which of two equal answers it finds, depend on how a processor rounds.
"""

import re
from fractions import Fraction


def says(text, *facts):
    """True where the text holds every fact as a whole word or number; AssertionError names those that are missing.

    >>> says("key 1 is ahead of key 3 by 0.5", 1, 3, 0.5)
    True
    """
    missing = [fact for fact in map(str, facts) if not re.search(_whole(fact), text)]
    assert not missing, f"{missing} not in {text!r}"
    return True


def figures(text):
    """The decimal numbers in a text, as they are written.

    >>> figures("between 0.5 and 1e-3 of key 7")
    [Fraction(1, 2), Fraction(1, 1000), Fraction(7, 1)]
    """
    return [
        Fraction(found.replace(",", ""))
        for found in re.findall(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?", text)
    ]


def near(text, value, *, within=1e-9):
    """True where a number in the text is as near to the value, relatively; AssertionError names those there are.

    >>> near("a distance of 1.4142135623", 2**0.5)
    True
    """
    found = figures(text)
    assert any(abs(x - Fraction(value)) <= Fraction(within) * abs(Fraction(value)) for x in found), (
        f"{value} not in {found}"
    )
    return True


def encloses(text, value):
    """True where the text says "x (proved, ±r)" of an x and r that hold the value, exactly; AssertionError otherwise."""
    found = re.findall(r"([-\d.e]+) \(proved, ±([-\d.e]+)\)", text)
    assert any(abs(Fraction(x) - Fraction(value)) <= Fraction(r) for x, r in found), f"{value} not in {found}"
    return True


def is_mean(keys, i, witness):
    """Whether key i is exactly the witness's mean of other keys."""
    exact = [[Fraction(float(x)) for x in row] for row in keys]
    pairs = list(zip(witness.indices, witness.weights, strict=True))
    assert sum(witness.weights) == 1
    assert min(witness.weights) > 0
    return i not in witness.indices and all(sum(w * exact[j][c] for j, w in pairs) == x for c, x in enumerate(exact[i]))


def _whole(fact):
    """The fact where no digit or letter goes on beside it: 1 is not in 10, in 0.1 or in 1.5. A figure of 5 places may go on."""
    if re.search(r"\.\d{5,}$", fact):
        return re.escape(fact)
    before = r"(?<![\w.])(?<!\d[,/])" if re.match(r"\w", fact) else ""
    after = r"(?![\w/])(?![.,]\d)" if re.search(r"\w$", fact) else ""
    return before + re.escape(fact) + after

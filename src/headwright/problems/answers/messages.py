"""What a student reads: a verdict in a few sentences, made of printable characters only, and never too long.

An answer file is a stranger's text, and parts of it come back in messages. Escape sequences would steer the teacher's
terminal, and marks that turn the direction of writing would let a wrong answer look right; both are replaced,
character by character, so that the caret below a formula stays in its place.
"""

from __future__ import annotations

import re

from headwright.problems.judges.readings import TWO_READINGS
from headwright.verdict import Proved, Refuted, Undecided, Verdict

PERSON = "a person must read this"
_LONGEST = 1200
_WORD = re.compile(r"([a-z]{2,})(?:[ ,:;.’'-]|$)|a ")
# A word with which a formula begins means something else, or nothing, with a capital: sin t, beta = 2.
_FORMULAS = frozenset({"alpha", "beta", "gamma", "delta", "eps", "mu", "sigma", "tau", "pi"}) | {
    *("sin", "cos", "tan", "tanh", "log", "ln", "exp", "sqrt", "abs", "min", "max", "inf", "sup", "lim"),
    *("det", "tr", "norm", "dot", "inv", "pinv", "softmax"),
}
_STAND_IN = "\ufffd"


def plain(text: str, *, longest: int = _LONGEST) -> str:
    """The text with every unprintable character replaced, cut after `longest` characters; line ends stay.

    >>> plain("q = \\x1b[31mk_1"), plain("abcdef", longest=3)
    ('q = �[31mk_1', 'abc…')
    """
    cut = text if len(text) <= longest else f"{text[:longest]}…"
    return "".join(c if c.isprintable() or c == "\n" else _STAND_IN for c in cut)


def message_of(verdict: Verdict) -> str:
    """The verdict's reason and numbers as sentences about the answer.

    >>> message_of(Undecided("weight 1", reason="the weight of key 1 may be 0.4"))
    'The weight of key 1 may be 0.4. A person must read this.'
    """
    parts = [verdict.reason or verdict.claim]
    if isinstance(verdict, Proved | Refuted) and verdict.bound_text and not verdict.reason:
        parts.append(verdict.bound_text)
    if isinstance(verdict, Refuted) and verdict.holds_when:
        parts.append(f"it would hold under this condition: {verdict.holds_when}")
    if verdict.reading and verdict.reading not in parts[0] and verdict.method != TWO_READINGS:
        parts.append(f"your answer was read as {verdict.reading}")
    if isinstance(verdict, Undecided) and PERSON not in parts[0]:
        parts.append(PERSON)
    return plain(" ".join(sentence(part) for part in parts))


def sentence(text: str) -> str:
    """With a full stop, and a capital letter where it begins with a word.

    >>> sentence("the error is 0.5"), sentence("`q` is missing."), sentence("σ_1 is at most 2")
    ('The error is 0.5.', '`q` is missing.', 'σ_1 is at most 2.')
    """
    text = text.strip()
    ended = text if text.endswith((".", "!", "?", "…", "\n", "^")) else f"{text}."
    return begun(ended)


def begun(text: str) -> str:
    """The text with a capital letter where it begins with a word; a formula means something else with one.

    >>> begun("the sum"), begun("n = 3"), begun("sin t and cos t"), begun("k_1 leads")
    ('The sum', 'n = 3', 'sin t and cos t', 'k_1 leads')
    """
    word = _WORD.match(text)
    return text[:1].upper() + text[1:] if word and word[1] not in _FORMULAS else text

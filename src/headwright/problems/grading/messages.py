"""What a student reads: a verdict in a few sentences, made of printable characters only, and never too long."""

from __future__ import annotations

import re

from headwright.kernel.verdict import Proved, Refuted, Undecided, Verdict
from headwright.problems.answers.safe_text import plain
from headwright.problems.prose import tidied

PERSON = "a person must read this"
_TWO_KEYS = "n = 2"  # where all keys are targets, every query with equal scores will do, so that saying it would be empty praise
_WORD = re.compile(r"([a-z]{2,})(?:[ ,:;.’'-]|$)|a ")
# A word with which a formula begins means something else, or nothing, with a capital: sin t, beta = 2.
_FORMULAS = frozenset({"alpha", "beta", "gamma", "delta", "eps", "mu", "sigma", "tau", "pi"}) | {
    *("sin", "cos", "tan", "tanh", "log", "ln", "exp", "sqrt", "abs", "min", "max", "inf", "sup", "lim"),
    *("det", "tr", "norm", "dot", "inv", "pinv", "softmax"),
}


def message_of(verdict: Verdict, note: str = "", *, conditional: bool = True) -> str:
    """The verdict's reason and numbers as sentences about the answer, the condition under which it holds, and a note.

    >>> message_of(Undecided("weight 1", reason="the weight of key 1 may be 0.4"))
    'The weight of key 1 may be 0.4. A person must read this.'
    """
    parts = [verdict.reason or verdict.claim]
    if isinstance(verdict, Proved | Refuted) and verdict.bound_text and not verdict.reason:
        parts.append(verdict.bound_text)
    if isinstance(verdict, Refuted) and verdict.holds_when not in (None, _TWO_KEYS) and conditional:
        parts.append(condition(verdict.holds_when))
    if isinstance(verdict, Undecided) and PERSON not in parts[0]:
        parts.append(PERSON)
    return plain(tidied(" ".join(sentence(part) for part in (*parts, note) if part)))


def condition(holds_when: str) -> str:
    """The condition under which a refuted claim is true after all, in a sentence.

    >>> condition("at least for n <= 10^41"), condition("2π/ω is irrational")
    ('It holds at least for n <= 10^41', 'It would hold if 2π/ω is irrational')
    >>> condition("it says no more than this: 1 < 2 [this instance; keys 2×2 #4486f554]")
    'It would hold if it said no more than this: 1 < 2'
    """
    if holds_when.startswith(
        "it says "
    ):  # what the last brackets say of scope and arrays is for the record, not for a reader
        return f"It would hold if it said {holds_when.removeprefix('it says ').rpartition(' [')[0]}"
    if holds_when.startswith("at least for "):
        return f"It holds {holds_when}"
    return f"It holds for {holds_when}" if holds_when.startswith("n ") else f"It would hold if {holds_when}"


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

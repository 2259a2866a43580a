"""What a student reads: a verdict in a few sentences, made of printable characters only, and never too long.

An answer file is a stranger's text, and parts of it come back in messages. Escape sequences would steer the teacher's
terminal, and marks that turn the direction of writing would let a wrong answer look right; both are replaced,
character by character, so that the caret below a formula stays in its place.
"""

from __future__ import annotations

from headwright.verdict import Proved, Refuted, Undecided, Verdict

PERSON = "a person must read this"
_LONGEST = 1200
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

    >>> message_of(Refuted("weight 1", reason="the weight of key 1 is 0.4, and 0.99 is needed", holds_when="n ≤ 3"))
    'The weight of key 1 is 0.4, and 0.99 is needed. It would hold under this condition: n ≤ 3.'
    """
    parts = [verdict.reason or verdict.claim]
    if isinstance(verdict, Proved | Refuted) and verdict.bound_text and not verdict.reason:
        parts.append(verdict.bound_text)
    if isinstance(verdict, Refuted) and verdict.holds_when:
        parts.append(f"it would hold under this condition: {verdict.holds_when}")
    if isinstance(verdict, Undecided):
        parts.append(PERSON)
    return plain(" ".join(sentence(part) for part in parts))


def sentence(text: str) -> str:
    """With a capital letter and a full stop, unless it begins with a name in backticks or ends otherwise.

    >>> sentence("the error is 0.5"), sentence("`q` is missing.")
    ('The error is 0.5.', '`q` is missing.')
    """
    text = text.strip()
    ended = text if text.endswith((".", "!", "?", "…", "\n", "^")) else f"{text}."
    return ended[:1].upper() + ended[1:]

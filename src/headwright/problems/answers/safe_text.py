"""A stranger's text made safe to print.

Parts of an answer file come back in messages. Escape sequences would steer the teacher's terminal, and marks that turn the
direction of writing would let a wrong answer look right; both are replaced, character by character, so that the caret below a
formula stays in its place.
"""

from __future__ import annotations

_LONGEST = 1200
_STAND_IN = "\ufffd"


def plain(text: str, *, longest: int = _LONGEST) -> str:
    """The text with every unprintable character replaced, cut after `longest` characters; line ends stay.

    >>> plain("q = \\x1b[31mk_1"), plain("abcdef", longest=3)
    ('q = �[31mk_1', 'abc…')
    """
    cut = text if len(text) <= longest else f"{text[:longest]}…"
    return "".join(c if c.isprintable() or c == "\n" else _STAND_IN for c in cut)

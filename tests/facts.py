"""What a sentence says whatever its words: the numbers and names in it. Tests assert these, so that words may change."""

import re


def says(text, *facts):
    """True where the text holds every fact as a whole word or number; AssertionError names those that are missing.

    >>> says("key 1 is ahead of key 3 by 0.5", 1, 3, 0.5)
    True
    """
    missing = [fact for fact in map(str, facts) if not re.search(_whole(fact), text)]
    assert not missing, f"{missing} not in {text!r}"
    return True


def _whole(fact):
    """The fact where no digit or letter goes on beside it: 1 is not in 10, in 0.1 or in 1.5. A figure of 5 places may go on."""
    if re.search(r"\.\d{5,}$", fact):
        return re.escape(fact)
    before = r"(?<![\w.])(?<!\d[,/])" if re.match(r"\w", fact) else ""
    after = r"(?![\w/])(?![.,]\d)" if re.search(r"\w$", fact) else ""
    return before + re.escape(fact) + after

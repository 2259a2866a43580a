"""The answer that there is no answer: none, impossible, or a short sentence that says so."""

from __future__ import annotations

import re
from typing import Any

_SAYS_NONE = re.compile(
    r"(there (is|are) )?(none|no (such )?(quer(y|ies)|solution|answer|matrix))( exists?)?( at all)?"
    r"|(it is |this is |that is )?(impossible|not possible)|(it |such a query )?(does not|cannot) (exist|be done)|∅"
)
_LONGEST = 60


def says_none(value: Any) -> bool:
    """Whether an answer says that nothing does what is asked.

    >>> [says_none(text) for text in ("none", "Impossible.", "there is no such query", "no*k_1", [0.0])]
    [True, True, True, False, False]
    """
    if not isinstance(value, str) or len(value) > _LONGEST:
        return False
    words = " ".join(value.casefold().split()).strip("\"'. ")
    return _SAYS_NONE.fullmatch(words) is not None

"""Words in answers: those of conditions such as "for large t", and the answer that there is none."""

from __future__ import annotations

import re

from headwright.reading.formulas.plain_text import LONGEST_TEXT

# Words of a condition such as "for all sufficiently large t": they are not products of names.
CONDITION_WORDS = frozenset(
    {
        *(
            "for",
            "with",
            "where",
            "as",
            "when",
            "if",
            "given",
            "provided",
            "assuming",
            "taking",
            "letting",
            "let",
            "and",
        ),
        *(
            "any",
            "all",
            "every",
            "each",
            "some",
            "is",
            "are",
            "be",
            "being",
            "it",
            "a",
            "an",
            "the",
            "in",
            "limit",
            "of",
        ),
        *("large", "big", "huge", "enough", "very", "sufficiently", "arbitrarily", "suitably", "really", "much", "far"),
        *("larger", "greater", "bigger", "than", "number", "scalar", "constant", "factor", "real", "positive", "tends"),
        *("tend", "tending", "goes", "go", "going", "approaches", "to", "infinity", "infinite", "inf", "that", "such"),
        *("while", "both", "fixed", "grows", "grow", "growing", "increases", "increasing", "without", "bound"),
        *("compared", "relative", "small", "tiny", "arbitrary", "value", "values"),
    }
)
_THING = r"(?:such\ )?(?:(?:a\ |an\ )?(?:query|queries|q|vector|choice|matrix|m|one)(?:\ q)?)"
_EXISTS = r"(?:\ (?:exists?|is\ possible|works?|will\ do|can\ (?:exist|do\ (?:this|that|it)|work)))?"
_IT = r"(?:(?:it|this|that|equality|exact\ equality|q|such\ a\ query|such\ a\ q|an?\ (?:such\ )?query)(?:\ q)?\ )?"
_NONE = re.compile(
    rf"""(?:none(?:\ exists?)? | ∅ | no | nothing | (?:there\ (?:is|are|exists?)\ )?none(?:\ exists?)?
    | (?:there\ (?:is|are|exists?)\ )?no\ {_THING}{_EXISTS}
    | there\ (?:is|are|exists?)\ not\ any(?:\ {_THING})?
    | there\ (?:does\ not\ exist|cannot\ be|cannot\ exist)\ (?:any\ )?{_THING}
    | {_IT}(?:is\ )?(?:impossible|not\ possible|not\ achievable|unachievable|infeasible)
    | {_IT}(?:does\ not|cannot|can\ not)\ (?:exist|be\ done|be\ achieved|be\ reached|hold|work))
    """
    r"(?:\ (?:for|if|when)\ n\ ?(?:>|≥|>=)\ ?[23]|\ unless\ n\ ?=\ ?2)?",
    re.VERBOSE,
)

_REASON = re.compile(r"(?<=[a-z∅])\s*(?:[,.;:—–-]?\s*\b(?:because|since|as)\b|\()(.*)", re.DOTALL)
# A reason in plain words. One that has a formula in it, or takes back what was said, is for a person to read.
_PLAIN_REASON = re.compile(
    r"(?!.*\b(?:except|unless|possible|works?|wrong|false|but|not sure|maybe)\b)[a-z ,.;:'()>0-9-]*", re.DOTALL
)


def says_none(text: object, *, reasons: bool = True) -> bool:
    """Whether an answer is a text which says that nothing does what is asked, with a reason in plain words or without.

    >>> [says_none(text) for text in ("None.", "No such q exists", "it is impossible", "not impossible", "n*k_1")]
    [True, True, True, False, False]
    """
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        return False
    words = text.casefold().replace("’", "'").replace("n't", " not")
    words = re.sub(r"\\(?:emptyset|varnothing)|∄|\\nexists(?:\s*q)?", "∅", words)
    words = re.sub(r"\\text\{([^{}]*)\}|\$", lambda found: found[1] or "", words)
    if reason := _REASON.search(words):
        if not reasons or not _PLAIN_REASON.fullmatch(reason[1]):
            return False
        words = words[: reason.start()]
    words = " ".join(words.strip(" \t\r\n.!\"'`;").split())
    words = re.sub(r"^[a-z]_?[0-9]? ?:?= ?", "", words)
    return _NONE.fullmatch(words.replace("can not", "cannot").replace("ca not", "cannot")) is not None

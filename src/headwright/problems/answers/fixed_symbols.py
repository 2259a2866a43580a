"""Whether the words around a formula give one of its symbols a value, keep a large number from growing, or take it back.

`Let t = 1.` above `q = t*(k_a + k_b)` changes what the formula means, and the judge would take t as large. So an answer whose
words may say such a thing goes to a person. Words that only say how large a symbol is (t ≫ 0, T > n, t → ∞) change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from headwright.problems.problem import Problem

_SIGNS = {
    r"\\(?:coloneqq|equiv|leftarrow|gets)(?![A-Za-z])|:=|≔|≡|←": "=",
    r"\\(?:approx|simeq|sim)(?![A-Za-z])|[~≃∼]": "≈",
    r"\\ll(?![A-Za-z])|<<": "≪",
    r"\\gg(?![A-Za-z])|>>": "≫",
    r"\\(?:leq?|leqslant)(?![A-Za-z])|<=|=<|⩽|≦": "≤",
    r"\\(?:geq?|geqslant)(?![A-Za-z])|>=|⩾|≧": "≥",
    r"\\lt(?![A-Za-z])": "<",
    r"\\gt(?![A-Za-z])": ">",
    r"\\(?:to|rightarrow|longrightarrow|downarrow|searrow)(?![A-Za-z])|->|⟶|↓|↘": "→",
    r"\\in(?![A-Za-z])": "∈",
    r"\\infty(?![A-Za-z])|\binfinity\b|\boo\b": "∞",
    r"ε|ϵ|\\(?:var)?epsilon(?![A-Za-z])|\bepsilon\b": "eps",
    r"β|\\beta(?![A-Za-z])": "beta",
    r"\\(?:text|mathrm|mathbf|textbf|emph|left|right|quad|qquad)(?![A-Za-z])|\\[,;!() ]|[$`{}&−|]|\*\*|__": " ",
}
_NORMAL = [(re.compile(pattern), sign) for pattern, sign in _SIGNS.items()]
_MANY = r"\+?\s*∞|(?:a |any |some |sufficiently |very |arbitrarily )*(?:large|big|huge|high|enormous)\b"
_NUMBERS = (
    r"(?:(?:zero|one|two|three|four|five|ten|half|unity|minus|hundred|thousand)\b"
    r"|[-+]?\.?\d|[-+]?(?:ln|log|exp|sqrt|n|eps|e)(?![A-Za-z]))"
)
_LINKS = (
    r"(?:is|are|be|being|was|stays?|remains?|equals?|equal|as|at|of|to|goes|go|tends?|approach(?:es)?|chosen|taken|set|fixed"
    r"|has|value|the|a|an|very|quite|rather|only|just|always|so|too|sufficiently|arbitrarily|which|that|may|can|must|should"
    r"|could|will|not|number|real|positive|scalar|constant|exactly|about)"
)
_LITTLE = (
    r"(?:small|smaller|tiny|little|low|negative|non-?positive|zero|bounded|finite|moderate|infinitesimal|vanish(?:es|ing)?"
    r"|shrinks?|fixed|constant|between|below|under|near|close|less|at most|no more|arbitrary|anything|any"
    r"|not large|never exceeds|(?:does not|doesn['’]t|need not|needn['’]t))\b"
)
_IN_A_PRODUCT = re.compile(r"(?:=|(?<![A-Za-z])(?![aAI]\b)[^\W\d_](?:_\w+)?)\s*$")  # k_a^T q t = …, and = t = …
_BOUND = re.compile(r"[<≤≪∈]")
_EVERY = r"(?:any|every|all|each|arbitrary)"
_KINDS = (
    r"(?:(?:real|positive|number|scalar|values? for|values?|of|constant|factor|enough|the|choice|parameter)\s+){0,4}"
)
_LARGER = r"\s*,?\s*(?:[>≥](?!\s*0)|≫|→|(?:that |is |be )?(?:is |sufficiently |very )?(?:large|big|great|huge|enough))"


_TAKEN_BACK = re.compile(
    r"\b(?:retract|disagree|ignore (?:this|that|the above)|(?:is|was|are|were) (?:wrong|incorrect|false)|wrong answer|incorrect"
    r"|(?:does|do|did)(?: not|n['’]t) (?:work|hold)|not true|no answer|crossed out|i (?:am|was) (?:not sure|unsure|wrong))\b"
    r"|\*\*wrong\*\*|^\W*wrong\b|\blog_?\{?(?:2|10)\b|\bbase (?:2|10|two|ten)\b",
    re.IGNORECASE | re.MULTILINE,
)


def taken_back(texts: Iterable[str]) -> bool:
    """Whether the words beside a formula may take it back, or say that log has another base.

    >>> taken_back(["Example of a wrong answer:"]), taken_back(["The wrong keys get no weight."])
    (True, False)
    """
    return any(_TAKEN_BACK.search(text) for text in texts)


def fixes_a_symbol(texts: Iterable[str], formulas: Iterable[Any], problem: Problem) -> bool:
    """Whether a text may give a value, or an upper bound, to a symbol in the formulas; or a condition behind one, a bound.

    A condition that gives a value, `t*k_a with t = 1`, is the judge's to refuse: it says how to write the formula.

    >>> from headwright.problems import find
    >>> [fixes_a_symbol([text], ["t*(k_a + k_b)"], find("B.3b")) for text in ("Let t = 1.", "for small t", "t ≫ n", "T = 1")]
    [True, True, False, False]
    """
    formulas = [normal(formula) for formula in formulas if isinstance(formula, str)]
    said = [*(normal(text) for text in texts if text.strip()), *filter(_BOUND.search, formulas)]
    if not said or not problem.names:
        return False
    symbols = [
        name for name, kind in problem.family.kinds.items() if kind == "number" and _occurs(name, formulas, problem)
    ]
    large = [name for name in symbols if name in problem.family.large]
    others = [name for name in symbols if name not in large]
    vectors = [name for name, kind in problem.family.kinds.items() if kind != "number"]
    patterns = [*_bounded(large), *_counted(others)]
    return any(
        _given(text, symbols, [*vectors, *problem.answers])
        or _below(text, large, problem.family.large)
        or any(pattern.search(text) for pattern in patterns)
        for text in said
    )


def normal(text: str) -> str:
    """The text with one spelling for each sign.

    >>> normal(r"$\\beta \\le 1$")
    ' beta ≤ 1 '
    """
    for pattern, sign in _NORMAL:
        text = pattern.sub(sign, text)
    return re.sub(r"\s+", " ", text)


def _occurs(name: str, formulas: Iterable[str], problem: Problem) -> bool:
    """Whether a formula uses the symbol. A word that is none of the question's own may hold it: tk_a."""
    for formula in formulas:
        words = re.findall(r"[^\W\d_]+(?:_[A-Za-z0-9]+)?", formula)
        if any(word == name or (word not in problem.names and name in word) for word in words):
            return True
    return False


def _one_of(names: Iterable[str]) -> str:
    names = list(names)
    return "(?:" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + ")" if names else "(?!)"


def _symbol(names: Iterable[str]) -> str:
    """One of the names as a symbol of its own: not in k_a^T, 1/t, e^-t or don't."""
    return rf"(?<![\w^\\/*·_'’+)\]-]){_one_of(names)}(?![\w'’^(])"


def _given(text: str, symbols: list[str], vectors: list[str]) -> bool:
    """`t = 1`, `e^t = n`, `1 = t`. A score has vectors on the other side, and t = ∞ is as large as can be."""
    it = _symbol(symbols)
    inside = (
        rf"(?<![\w^/)])(?:e\^|\d+\s*/|(?:exp|ln|log|sqrt|√|\d[\d.]{{0,20}})\s*\(?)\s*{_one_of(symbols)}\s*\)?(?![\w'’])"
    )
    score = rf"[^=<>≤≥,;]*(?<![A-Za-z]){_one_of(vectors)}(?![A-Za-z])"
    if re.search(rf"{it}\s*[=≈:]\s*[-+]?\.?\d|(?<![\w/^.)])\d[\d./]{{0,20}}\s*[=≈]\s*{it}(?!\s*[-+*/·(])", text):
        return True
    inside = rf"(?:{inside}|(?<![\w^/*)-]){_one_of(symbols)}\^\d)"
    if re.search(rf"{inside}\s*=(?!\s*(?:{_MANY}))(?!{score})", text):
        return True
    found = re.finditer(rf"{it}\s*[=≈](?!\s*(?:{_MANY}))(?!{score})", text)
    return any(not _IN_A_PRODUCT.search(text[max(one.start() - 20, 0) : one.start()]) for one in found)


def _below(text: str, large: list[str], growing: Iterable[str]) -> bool:
    """`t < 1` and `n > t`; t < T holds two large numbers apart, and bounds neither."""
    it, signs = _symbol(large), {True: "[>≥≫]", False: "[<≤≪]"}
    above = re.finditer(rf"([^\s<>≤≥≫≪=,;]{{1,40}})\s*{signs[True]}\s*{it}(?!\s*[-+*/·])", text)
    behind = re.finditer(rf"{it}\s*{signs[False]}\s*([^\s<>≤≥≫≪=,;.]*)", text)
    return any(one[1] not in (*growing, "∞") for found in (above, behind) for one in found)


def _bounded(large: list[str]) -> list[re.Pattern[str]]:
    """What keeps a large number from growing: t → 0, t ∈ [0, 1], and words."""
    it = _symbol(large)
    return [
        re.compile(rf"{it}\s*(?:∈|\bin\s*[\[(]|→(?!\s*(?:{_MANY})))"),
        re.compile(rf"{it},?\s+(?:{_LINKS}\s+){{0,5}}{_LITTLE}"),
        re.compile(rf"{it},?\s+(?:{_LINKS}\s+){{1,5}}{_NUMBERS}"),
        re.compile(rf"(?i:\b(?!{_EVERY}){_LITTLE})\s+{_KINDS}{it}"),
        re.compile(rf"(?i:\b{_EVERY})\s+{_KINDS}{it}(?!{_LARGER})"),
    ]


def _counted(others: list[str]) -> list[re.Pattern[str]]:
    """n ≤ 5 and `n is 5`. A lower bound on n, and any bound on ε, belongs to most proofs."""
    it = _symbol([name for name in others if name != "eps"])
    return [re.compile(rf"{it}\s*(?:[<≤]\s*\d|\s(?:is|be|equals?|equal to)\s+\d)")]

"""What an entry of an answer file is for: something that its question asks for, a misspelling of that, or free text for a person.

An answer is judged only if all of it is understood. Words behind a formula are parted from it, for a person to read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from enum import Enum
from typing import Any

from headwright.problems.answers.values import bare
from headwright.problems.problem import Problem
from headwright.reading import formulas
from headwright.reading.formulas import says_none
from headwright.reading.formulas.words import CONDITION_WORDS

_DECORATION = re.compile(
    r"\\(?:vec|mathbf|boldsymbol|bm|mathrm|text|hat|bar|tilde|underline|overline|left|right)(?![A-Za-z])"
)
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_ABOVE = re.compile(r"\^\{?\((\d)\)\}?")  # q^{(1)}; q^2 is a power
_SIGNS = str.maketrans("", "", "_{}$*`\\ \t&")
_WORD = re.compile(r"(?<![\\\w])[^\W\d_]{2,}")
_PURE = re.compile(r"(?<![\\\w])[^\W\d_]{2,}(?!\w)")
# No sign of a formula: letters of other scripts than Latin and Greek, and marks that mathematics does not use.
_FOREIGN = r"[\u0400-\u1cff\u2c00-\uffff]|[^\w\s+\-−*/^=<>≤≥≫≪→∞∈()\[\]{}|‖√·×⊤†'′’.,;:$\\&…]"
_CUT = re.compile(rf"\s+|(?<=[)\]}}$'])(?=[^\W\d_(])|[,;:](?=\s|[^\W\d_])|(?={_FOREIGN}|=)")
_SAID = re.compile(rf"[=<>≤≥≫≪→∈]|{_FOREIGN}")
_OPERATOR = re.compile(r"\s*[-+−*/^·×]")
_MOST_TRIES = 30  # beginnings of one text that are read
_MANY_WORDS = 3
_ANSWER = ("answer", "solution", "result")
_SHORT = 4  # characters of a name that is a symbol rather than a word
_LONGEST = 2000  # characters of a text that is looked at for words
_TOKEN = re.compile(r"\\?[^\W\d_]+(?:_\{?[A-Za-z0-9]{1,6}\}?)?")
_GREEK = {"ε": "eps", "ϵ": "eps", "epsilon": "eps", "varepsilon": "eps", "β": "beta", "μ": "mu", "µ": "mu"}
# Words that stand in a formula or in a condition behind it.
_FUNCTIONS = {
    *("log", "ln", "exp", "sqrt", "abs", "min", "max", "norm", "dot", "inv", "pinv", "svd", "part", "frac", "tfrac"),
}
_LATEX = {"times", "cdot", "top", "gg", "ll", "le", "ge", "leq", "geq", "to", "infty", "left", "right", "quad", "text"}
_GREEK_NAMES = {"eps", "epsilon", "varepsilon", "alpha", "beta", "mu", "pi", "sigma", "tau", "gamma", "delta"}
_CONDITION = {"with", "for", "where", "and", "as", "large", "infinity", "oo", "when", "if", "in", "all", "any", "every"}
_IN_FORMULAS = frozenset(_FUNCTIONS | _LATEX | _GREEK_NAMES | _CONDITION)
_SPOKEN = _IN_FORMULAS | {
    *("none", "impossible", "no", "such", "query", "exists", "is", "big", "huge", "enough", "very", "the"),
}


class Role(Enum):
    """What an entry is to its question."""

    ASKED = "asked"
    MISSPELT = "misspelt"
    SYMBOL = "symbol"
    FREE = "free"


def spelt(name: str) -> str:
    """A name without what does not count: q_1, q_{1}, q₁ and \\vec{q}_1 are q1.

    >>> [spelt(name) for name in ("q_1", "q_{1}", "q₁", r"\\vec{q}_1", "**M**", "$q$", "q^{(2)}")]
    ['q1', 'q1', 'q1', 'q1', 'M', 'q', 'q2']
    """
    plain = _ABOVE.sub(r"\1", _DECORATION.sub("", name[:80])).translate(_SUBSCRIPTS).translate(_SIGNS)
    return plain[1:-1] if len(plain) > 2 and plain[0] == plain[-1] and plain[0] in "\"'" else plain


def asked_names(problem: Problem) -> dict[str, str]:
    """The names that an answer to the question may define, by their spelling: those asked for, the factors of one, other words.

    >>> from headwright.problems import find
    >>> asked_names(find("A.1d")), asked_names(find("A.3c"))["B"]
    ({'q1': 'q1', 'q2': 'q2'}, 'M')
    """
    factors = problem.claim.get("factors", ())
    return {**{spelt(name): name for name in (*problem.answers, *factors)}, **problem.also}


def role_of(name: str, problem: Problem, elsewhere: Collection[str] = ()) -> tuple[Role, str]:
    """What an entry under this name is, and the name that the question has for it. `elsewhere` are what other questions ask for.

    >>> from headwright.problems import find
    >>> [role_of(name, find("A.1d"))[0].name for name in ("q_1", "Q1", "q3", "t", "explanation")]
    ['ASKED', 'MISSPELT', 'MISSPELT', 'SYMBOL', 'FREE']
    """
    asked, plain = asked_names(problem), spelt(name)
    if plain not in asked and len(plain) > _SHORT:  # `Statement`; the case of a single letter matters
        plain = plain.casefold()
    if plain in asked:
        return Role.ASKED, asked[plain]
    if plain in map(spelt, problem.names):
        return Role.SYMBOL, name
    stems = {known.rstrip("0123456789").casefold() for known in asked}
    if plain in elsewhere or plain.rstrip("0123456789").casefold() in stems or _close(plain, asked):
        return Role.MISSPELT, name
    return Role.FREE, name


def _close(plain: str, asked: Mapping[str, str]) -> bool:
    """Whether a long name resembles a long asked one: `statment`, `Statements`."""
    long = [known for known in asked if len(known) > _SHORT]
    return bool(long) and len(plain) > _SHORT and bool(get_close_matches(plain.casefold()[:20], long, cutoff=0.8))


def takes_none(problem: Problem) -> bool:
    """Whether "none" may be an answer: nothing may do what is asked.

    >>> from headwright.problems import find
    >>> takes_none(find("E.1c")), takes_none(find("A.1a"))
    (True, False)
    """
    return problem.kind in ("exact", "impossible") or problem.family.fixed


def is_prose(text: Any, problem: Problem) -> bool:
    """Whether the text speaks in words rather than in symbols: such a text is for a person.

    >>> from headwright.problems import find
    >>> is_prose("any long multiple of the mean key", find("A.1a")), is_prose("t*k_1 with t large enough", find("A.1a"))
    (True, False)
    """
    if not isinstance(text, str) or not problem.names:  # a question without symbols asks for words
        return False
    known = _SPOKEN | {part for name in problem.names for part in name.casefold().split("_")}
    return sum(word.casefold() not in known for word in _WORD.findall(text[:_LONGEST])) >= _MANY_WORDS


def sorted_out(
    entries: Mapping[str, Any], problem: Problem, elsewhere: Collection[str] = ()
) -> tuple[dict[str, Any] | None, list[str]]:
    """The entries that answer the question, under its own names, and the free text. None in place of the answer: for a person.

    >>> from headwright.problems import find
    >>> sorted_out({"q": "2*k_1", "why": "It is long."}, find("A.1a"))
    ({'q': '2*k_1'}, ['why: It is long.'])
    >>> sorted_out({"proof": "It is long."}, find("A.1a"))
    (None, ['proof: It is long.'])
    >>> sorted_out({"Q": "2*k_1"}, find("A.1a"))
    ({'Q': '2*k_1'}, [])
    """
    roles = {name: role_of(name, problem, elsewhere) for name in entries}
    asked = {known for role, known in roles.values() if role is Role.ASKED}
    none = [name for name in entries if name.casefold() in _ANSWER and says_none(entries[name])]
    if len(none) == 1 and not asked and takes_none(problem):
        others = {name: value for name, value in entries.items() if name not in none}
        return sorted_out({**others, **dict.fromkeys(problem.answers, entries[none[0]])}, problem, elsewhere)
    beside = (Role.FREE, Role.SYMBOL) if asked else (Role.FREE,)
    words = [f"{name}: {value}" for name, value in entries.items() if roles[name][0] in beside]
    rest = {name: value for name, value in entries.items() if roles[name][0] not in beside}
    if len(rest) == len({roles[name][1] for name in rest}):  # else two entries are one answer, and the judge says so
        rest = {roles[name][1]: value for name, value in rest.items()}
    for name, value in rest.items():
        if name in asked and isinstance(value, str):
            rest[name], behind = parted(value, name, problem)
            words += behind
    whole = [set(problem.answers), set(problem.claim.get("factors", ()))]
    if asked and not any(wanted <= asked for wanted in whole if wanted):
        return rest, words  # a part is missing: the judge says which
    symbols = any(role is Role.SYMBOL and role not in beside for role, _ in roles.values())
    if symbols or any(is_prose(value, problem) for value in rest.values()):
        return None, [f"{name}: {value}" for name, value in entries.items()]
    return (rest or None, words)


def parted(text: str, name: str, problem: Problem) -> tuple[str, list[str]]:
    """The longest beginning of a text that can be read as a formula with its conditions, and the words behind it.

    Where no beginning can be read, all of it stays, for the judge to say what is wrong; words or signs in it are words all the
    same. A condition that may take back how large a symbol is stands in both.

    >>> from headwright.problems import find
    >>> parted("$t k_a$, t ≫ 0", "q", find("B.3b")), parted("$t k_a$, so t = 1", "q", find("B.3b"))
    (('$t k_a$, t ≫ 0', []), ('t k_a', ['so t = 1']))
    >>> parted("t k_a for any t", "q", find("B.3b")), parted("t kk_a", "q", find("B.3b"))
    (('t k_a for any t', ['for any t']), ('t kk_a', []))
    """
    if takes_none(problem) and says_none(text):
        return text, [] if says_none(text, reasons=False) else [text]
    at, cuts = len(text), [found.start() for found in _CUT.finditer(text[:_LONGEST])]
    for _ in range(_MOST_TRIES if problem.names else 0):
        formula = text[:at].rstrip(" \t\n,;:(–—-") if at < len(text) else text
        behind = text[len(formula) :]
        sign = "$$" if formula.startswith("$$") else "$"
        formula += sign if formula.count(sign) % 2 and behind else ""
        try:
            found = formulas.readings(formula, problem.symbols.with_answer(name))
            if not behind:
                return text, [one.text for one in found[0].conditions if one.loose]
            if _is_whole(formula, problem) and _speaks(behind, problem):
                return bare(formula), [behind.strip(" \t\n,;")]
            fault = at
        except formulas.FormulaError as error:
            fault = at if error.position is None else error.position
        except Exception:  # an error of ours is the judge's to report, and must not cost the other answers
            break
        at = max((cut for cut in cuts if cut < at and cut <= fault), default=0)
        if not at:
            break
    odd = problem.names and (re.search(_FOREIGN, text) or len(_unknown(text, problem)) > 1)
    return text, [text] if odd else []


def with_condition(text: str, line: str, name: str, problem: Problem) -> str | None:
    """The formula with a line of its own as a condition behind it; None where the line is anything else.

    >>> from headwright.problems import find
    >>> [with_condition("t k_a", line, "q", find("B.3b")) for line in ("where t ≫ 0.", "t = 1", "for any t", "k_b")]
    ['t k_a, where t ≫ 0', None, None, None]
    """
    both = f"{text.rstrip(' .,;')}, {line.strip(' .,;')}"
    known = {spelt(name) for name in problem.names} | _IN_FORMULAS | CONDITION_WORDS
    if not problem.names or len(both) > _LONGEST or any(word.casefold() not in known for word in _words(line)):
        return None
    try:
        before, after = (formulas.readings(one, problem.symbols.with_answer(name)) for one in (text, both))
    except Exception:
        return None
    same = [one.root for one in before] == [one.root for one in after]
    return both if same and not any(said.loose for one in after for said in one.conditions) else None


def _is_whole(formula: str, problem: Problem) -> bool:
    """Whether a beginning may be an answer: where a vector or a matrix is asked for, one stands in it."""
    given = {*map(spelt, problem.family.given), "I"}
    return problem.symbols.kind == "unknown" or any(name in word for word in _words(formula) for name in given)


def _speaks(text: str, problem: Problem) -> bool:
    """Whether what stands behind a formula is words, signs or a comparison, and not a part of it with a mistake: `+ kk_a`."""
    given = {*map(spelt, problem.family.given)}
    words = bool(_unknown(text, problem)) or _SAID.search(text) is not None
    return words and not (_OPERATOR.match(text) and any(word in given for word in _words(text)))


def _unknown(text: str, problem: Problem) -> list[str]:
    """The words of a text that no formula is made of, those of conditions among them."""
    known = {spelt(name) for name in problem.names} | _FUNCTIONS | _LATEX | _GREEK_NAMES
    return [word for word in _PURE.findall(text[:_LONGEST]) if word.casefold() not in known]


def is_expression(text: str, problem: Problem) -> bool:
    """Whether the text is nothing but a formula over the question's own names, with one of its vectors or matrices in it.

    >>> from headwright.problems import find
    >>> [is_expression(text, find("A.1a")) for text in ("2 ln(n/ε) k_1", "k_1 is best", "n", "q k_1 = 5", "none of these")]
    [True, False, False, False, False]
    """
    return in_symbols(text, problem) and any(word in map(spelt, problem.family.given) for word in _words(text))


def in_symbols(text: str, problem: Problem) -> bool:
    """Whether the text has no words but the question's own names, functions and those of a condition, and compares nothing.

    >>> from headwright.problems import find
    >>> [in_symbols(text, find("A.1a")) for text in ("2 ln(n/ε)", "it is long", "n = 5")]
    [True, False, False]
    """
    if len(text) > _LONGEST or any(sign in text for sign in "=<>≤≥?!:"):
        return False
    known = {spelt(name) for name in problem.names} | _IN_FORMULAS
    return all(word in known for word in _words(text))


def _words(text: str) -> list[str]:
    return [_plain_greek(spelt(word)) for word in _TOKEN.findall(text)]


def _plain_greek(word: str) -> str:
    for sign, name in _GREEK.items():
        if word.startswith(sign):
            return name + word[len(sign) :]
    return word

"""Running text as HTML, its formulas as MathML: k_1 with a subscript, e^(β²) with a superscript, a true minus in n - 1.

Our texts write mathematics in plain Unicode and do not mark where a formula begins, so `typeset` finds out: it reads the longest
formula at each place and leaves what is none as text. A converter from TeX would need every formula marked and spelled anew.
"""

from __future__ import annotations

import re
from html import escape
from typing import NamedTuple

from headwright.problems.grading.messages import begun

_TOKEN = re.compile(
    r"""(?P<code>`[^`]*` | docs/\S+)
      | (?P<text>\b[A-E]\.(?:\d(?:\.\d)*[a-z]?|[a-d])(?:-[iv]+)?\b | [A-Za-z]{2,}\d*(?:_\w+)+ | ['’][a-z]+)
      | (?P<number>\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)? | [½¼¾])
      | (?P<letters>[A-Za-z]+ | [Α-Ωα-ω])
      | (?P<above>[⁰¹²³⁴-⁹⁺⁻ᵀ]+) | (?P<below>[₀-₉]+)
      | (?P<dots>\.\.\. | …) | (?P<root>√)
      | (?P<operator><= | >= | [=≠≈≤≥<>≪≫~+\-−±·×*/:→])
      | (?P<open>[(\[]) | (?P<close>[)\]]) | (?P<bar>[‖|]) | (?P<script>[_^]) | (?P<space>\s+) | (?P<other>.)""",
    re.VERBOSE,
)
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀ₀₁₂₃₄₅₆₇₈₉", "0123456789+−T0123456789")
_SIGNS = {"<=": "≤", ">=": "≥", "-": "−", "*": "·"}
_LEADING = {*"=≠≈≤≥<>≪≫~+-−±", "<=", ">="}
_WITHOUT_BRACKETS = {"ln", "log", "sin", "cos", "Var", "rank"}
_FUNCTIONS = _WITHOUT_BRACKETS | {"exp", "tr", "diag", "softmax", "Softmax"}
_FUNCTIONS |= {"attention", "odds", "sqrt", "inv", "Copy", "Average"}
_NAMES = {"odds", "error", "score", "value", "base", "others"}  # words that stand for something inside a formula
_GREEK = {"alpha": "α", "beta": "β", "eps": "ε", "mu": "μ", "sigma": "σ"}  # as answers spell them
_ENDINGS = {"st", "nd", "rd", "th"}  # 2nd, k-th
_AFTER_A_NAME = re.compile("and|or|is|in|by|with|at|to|has|the|when|as|for|because|varies|rises|changes|means")
_CLOSES = {"(": ")", "[": "]"}
_MATH = "<math>(?:(?!</math>).)*</math>"
_TIED = re.compile(rf"[(“]{_MATH}[,.;:?)”]*|{_MATH}[,.;:?)”]+")  # no line ends before the comma
_OPENED, _CLOSED = "<mo stretchy='false'>(</mo>", "<mo stretchy='false'>)</mo>"
_LONG = 30  # signs of a formula that may be wider than a phone: it scrolls by itself


class _Found(NamedTuple):
    """A piece of a formula: its MathML, and the token after it."""

    markup: str
    end: int


class _Reader:
    """Reads formulas from a text's tokens; each method returns None where there is none of its kind."""

    def __init__(self, text: str) -> None:
        found = [(match.lastgroup or "", match[0]) for match in _TOKEN.finditer(text)]
        self.kinds, self.words = [kind for kind, _ in found] + ["end"], [word for _, word in found] + [""]

    def formula(self, i: int, *, inside: bool = False) -> _Found | None:
        """Terms joined by operators, by a space, or by nothing."""
        parts, at = [], i
        if self.words[i] in _LEADING and (inside or self.kinds[i - 1] not in ("letters", "number")):
            parts, at = [_operator(self.words[i])], self.past_space(i + 1)
        term = self.term(at, inside)
        while term is not None:
            parts.append(term.markup)
            joint, after = self.joint(term.end)
            following = None if joint is None else self.term(after, True)
            if following is None:
                return _Found("".join(parts), term.end)
            parts.append(joint or "")
            term = following
        return None

    def joint(self, i: int) -> tuple[str | None, int]:
        """What joins the term before token i to the one after it, and where that begins; (None, i) where the formula ends."""
        after = self.past_space(i)
        kind, word = self.kinds[after], self.words[after]
        if kind == "operator" and (word != ":" or self.kinds[i] == "space"):
            following = self.past_space(after + 1)
            lopsided = word == "-" and self.kinds[i] != "space" and following > after + 1
            return (None, i) if lopsided else (_operator(word), following)
        if word == "," and self.kinds[after + 1] == "space" and "dots" in (self.kinds[i - 1], self.kinds[after + 2]):
            return "<mo>,</mo>", after + 2
        if after == i:
            return "", i
        if kind in ("letters", "root", "bar") or (word == "(" and self.factor(after)):
            return "<mspace width='.2em'></mspace>", after
        return None, i

    def factor(self, i: int) -> bool:
        """Whether the bracket after a space is a factor, as in t (u + v), and not a remark, as in q (n = 10)."""
        group = self.bracket(i)
        return group is not None and not set(self.words[i : group.end]) & {*"=<>≤≥≈≠,", "<=", ">="}

    def term(self, i: int, inside: bool) -> _Found | None:
        """A sign, where there is one, and an atom with what stands above and below it."""
        sign = ""
        if inside and self.words[i] in ("-", "−", "±"):
            sign, i = f"<mo form='prefix'>{_SIGNS.get(self.words[i], self.words[i])}</mo>", i + 1
        atom = self.atom(i, inside)
        if atom is None:
            return None
        primes = below = above = ""
        at = atom.end
        while self.words[at] in ("'", "′"):
            primes, at = f"{primes}<mo lspace='0' rspace='0'>′</mo>", at + 1
        while (script := self.script(at)) is not None:
            where, markup, at = script
            below, above = (markup, above) if where == "_" else (below, above + markup)
        tag = {(True, True): "msubsup", (True, False): "msub", (False, True): "msup"}.get((below != "", above != ""))
        scripts = "".join(f"<mrow>{part}</mrow>" for part in (below, above) if part)
        base = atom.markup + primes
        grouped = base if base.count("</") == 1 else f"<mrow>{base}</mrow>"
        return _Found(sign + (f"<{tag}>{grouped}{scripts}</{tag}>" if tag else base), at)

    def script(self, i: int) -> tuple[str, str, int] | None:
        """What stands above (^) or below (_) the atom before token i."""
        kind, word = self.kinds[i], self.words[i]
        if kind in ("above", "below"):
            return "^" if kind == "above" else "_", f"<mn>{word.translate(_PLAIN)}</mn>", i + 1
        if kind != "script":
            return None
        if self.words[i + 1] in ("(", "{"):
            end = self.matching(i + 1)
            inner = self.formula(i + 2, inside=True)
            return (word, inner.markup, end + 1) if inner is not None and inner.end == end else None
        signed = self.words[i + 1] in ("-", "−")
        one = self.atom(i + 1 + signed, True, alone=True)
        return None if one is None else (word, ("<mo>−</mo>" if signed else "") + one.markup, one.end)

    def matching(self, i: int) -> int:
        """The token that closes the bracket at i."""
        depth = 0
        for end in range(i, len(self.words)):
            depth += (self.words[end] in ("(", "{")) - (self.words[end] in (")", "}"))
            if depth == 0:
                return end
        return -1

    def atom(self, i: int, inside: bool, *, alone: bool = False) -> _Found | None:
        kind, word = self.kinds[i], self.words[i]
        if kind == "number":
            return _Found(_number(word), i + 1)
        if kind == "letters":
            return self.letters(i, inside, alone)
        if kind == "dots" and inside:
            return _Found("<mi>…</mi>", i + 1)
        if kind == "root":
            inner = self.term(i + 1, True)
            return None if inner is None else _Found(f"<msqrt>{inner.markup}</msqrt>", inner.end)
        if kind == "open":
            numbered = not inside and self.kinds[i + 1] == "number" and self.kinds[i + 2] == "close"  # (1), (2), …
            return None if numbered else self.bracket(i)
        if kind == "bar":
            content = self.formula(i + 1, inside=True)
            if content is not None and self.words[content.end] == word:
                bar = f"<mo stretchy='false' form='%s'>{word}</mo>"
                return _Found(f"{bar % 'prefix'}{content.markup}{bar % 'postfix'}", content.end + 1)
        return None

    def letters(self, i: int, inside: bool, alone: bool) -> _Found | None:
        """A letter, a product of letters such as XΠ, a function with its argument, or a name."""
        word = self.words[i]
        if len(word) == 1:
            return None if self.article(i) and not alone else _Found(_identifier(word), i + 1)
        if word in _FUNCTIONS and self.words[i + 1] == "(":
            argument = self.bracket(i + 1)
            if argument is not None and word == "sqrt":
                return _Found(f"<msqrt>{argument.markup[len(_OPENED) : -len(_CLOSED)]}</msqrt>", argument.end)
            if argument is not None:
                return _Found(f"<mi>{word}</mi><mo>&#x2061;</mo>{argument.markup}", argument.end)
        if word in _WITHOUT_BRACKETS and self.kinds[i + 1] == "space":
            following = self.term(i + 2, False)
            if following is not None:
                return _Found(f"<mi>{word}</mi><mspace width='.2em'></mspace>{following.markup}", following.end)
        before, after = self.kinds[i - 1], self.kinds[i + 1]
        last = i - 2 if before == "space" else i - 1
        if word in _NAMES and inside and (self.kinds[last] in ("operator", "open") or self.words[last] == "Σ"):
            return _Found(f"<mi>{word}</mi>", i + 1)
        touches = (
            before in ("number", "above", "close", "bar")
            or after in ("above", "script")
            or "Α" <= self.words[i + 1] <= "ω"
        )
        product = len(word) <= 3 and (touches or alone or not word[1:].islower()) and word not in _ENDINGS
        return _Found("".join(map(_identifier, word)), i + 1) if product else None

    def article(self, i: int) -> bool:
        """Whether the letter at i is the word “a” rather than the name of a key or a matrix."""
        joined = self.kinds[i + 1] == "space" or self.words[i + 1] == "-"
        if self.words[i] not in ("a", "A") or not joined or self.kinds[i + 2] != "letters":
            return False
        before, following = self.words[max(i - 2, 0)], self.words[i + 2]
        if len(following) == 1:
            return self.words[i] == "a" and self.kinds[i - 1] == "space" and before.isalpha() and len(before) > 1
        starts = self.words[i] == "a" or i == 0 or before in (".", ":")
        return starts and not _AFTER_A_NAME.fullmatch(following)

    def bracket(self, i: int) -> _Found | None:
        """A bracket all of which is mathematics, with commas or semicolons in it or none."""
        parts, at = [_OPENED.replace("(", self.words[i])], i + 1
        while (part := self.formula(self.past_space(at), inside=True)) is not None:
            parts.append(part.markup)
            at = self.past_space(part.end)
            if self.words[at] == _CLOSES[self.words[i]]:
                return _Found("".join([*parts, _CLOSED.replace(")", self.words[at])]), at + 1)
            if self.words[at] not in (",", ";"):
                return None
            parts.append(f"<mo>{self.words[at]}</mo>")
            at += 1
        return None

    def past_space(self, i: int) -> int:
        return i + (self.kinds[i] == "space")


def typeset(text: str) -> str:
    """The text as HTML.

    >>> typeset("a < 2 and k_1 leads")
    '<math><mi>a</mi><mo>&lt;</mo><mn>2</mn></math> and <math><msub><mi>k</mi><mrow><mn>1</mn></mrow></msub></math> leads'
    >>> typeset("A key of length 1e-6 and `design`")
    'A key of length <math><msup><mn>10</mn><mrow><mo>−</mo><mn>6</mn></mrow></msup></math> and <code>design</code>'
    """
    spelled = re.sub(r"\b(alpha|beta|eps|mu|sigma)(?=_|\b)", lambda name: _GREEK[name[1]], text)
    reader, parts, i = _Reader(spelled), [], 0
    while i < len(reader.words) - 1:
        kind, word = reader.kinds[i], reader.words[i]
        found = reader.formula(i) if kind in ("number", "letters", "root", "operator", "open", "bar") else None
        if found is not None and re.search("<m[ios]", found.markup):
            parts.append(_math(found.markup))
            i = found.end
        else:
            parts.append(
                f"<code>{escape(word.strip('`'))}</code>" if kind == "code" else escape(word.replace("...", "…"))
            )
            i += 1
    return _TIED.sub(r"<span class='tied'>\g<0></span>", "".join(parts))


def sentence(text: str) -> str:
    """The same with a full stop, and a capital letter where it begins with a word rather than a formula.

    >>> sentence("the mean is near 1"), sentence("as asked.")
    ('The mean is near 1.', 'As asked.')
    """
    return typeset(f"{begun(text).rstrip('.')}.")


def _math(markup: str) -> str:
    """The element, which no line ends in; one that may be too wide for the screen is in a box that scrolls."""
    signs = len(re.sub("<[^>]*>|&#x2061;", "", markup))
    return (
        f"<span class='long' tabindex='0'><math>{markup}</math></span>" if signs > _LONG else f"<math>{markup}</math>"
    )


def _operator(word: str) -> str:
    tight = " lspace='0' rspace='0'" if word == "/" else ""
    return f"<mo{tight}>{escape(_SIGNS.get(word, word))}</mo>"


def _identifier(letter: str) -> str:
    return f"<mi mathvariant='normal'>{letter}</mi>" if "Α" <= letter <= "Ω" else f"<mi>{letter}</mi>"


def _number(word: str) -> str:
    mantissa, _, exponent = word.partition("e")
    if not exponent:
        return f"<mn>{word}</mn>"
    sign = "<mo>−</mo>" if exponent.startswith("-") else ""
    power = f"<msup><mn>10</mn><mrow>{sign}<mn>{int(exponent.lstrip('+-'))}</mn></mrow></msup>"
    return power if mantissa == "1" else f"<mn>{mantissa}</mn><mo>×</mo>{power}"

"""LaTeX and Unicode written out in one plain spelling, character by character, each with its place in the original text.

\\frac{n}{\\epsilon}, n/ε and n/eps become the same tokens later on: here commands become single characters, raised and lowered
characters become ^{…} and _{…}, and fonts, accents and spaces disappear. A letter never becomes another letter or a digit.
"""

from __future__ import annotations

import re
import unicodedata
from typing import final

from headwright.reading.formulas.error_pictures import marked
from headwright.theories.formulas.forms import FormulaError
from headwright.theories.formulas.forms.trees import MOST_DEPTH

LONGEST_TEXT = 2_000
FRACTION, ROOT = "\ue000", "\ue001"  # \frac and \sqrt, whose arguments stand in braces
JOINT = "\ue002"  # stands between two words that touch, such as the command \ln and a letter
EPSILON = "ε"

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": EPSILON, "zeta": "ζ", "eta": "η", "theta": "θ",
    "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "upsilon": "υ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
}  # fmt: skip
_SAME = {
    **dict.fromkeys("⋅∙•", "·"),
    "∗": "*",
    **dict.fromkeys("✕⨯", "×"),
    "〖": "(",
    "〗": ")",
    "≔": "=",
    **dict.fromkeys("−–‒﹣‐‑", "-"),
    **dict.fromkeys("÷⁄∕", "/"),
    **dict.fromkeys("’′", "'"),
    "″": "''",
    "⊺": "⊤",
    **dict.fromkeys("ϵ𝜖ɛ", EPSILON),
    **dict.fromkeys("ßϐ", "β"),
    "µ": "μ",
    "∥": "‖",
    **dict.fromkeys("⟶⇾➝", "→"),
    "⩾": "≥",
    "⩽": "≤",
    "⋙": "≫",
    "⋘": "≪",
    **dict.fromkeys("\t\r\n\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\u2062", " "),
    **dict.fromkeys("\u200b\u2060\u2061\ufeff\u20d7\u20d6", ""),  # nothing to see, and arrows over letters
}
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿᵗᵀᵏˢˣᵝᵋ", "0123456789+-()nt⊤ksxβε", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₚᵣₛₜᵤᵥₓ", "0123456789aehijklmnprstuvx", strict=True))
_SPACES = {
    *(",", ";", ":", "!", " ", ">", "/", "quad", "qquad", "enspace", "thinspace", "medspace", "thickspace", "space"),
    *("displaystyle", "textstyle", "limits", "nolimits", "allowbreak", "ensuremath"),
    *("left", "right", "middle", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr"),
    *("Biggl", "Biggr", "bigm", "Bigm"),
}
_FONTS = {
    *(
        "mathbf",
        "boldsymbol",
        "bm",
        "pmb",
        "vec",
        "hat",
        "overrightarrow",
        "underline",
        "mathit",
        "mathsf",
        "mathnormal",
    ),
    *("textbf", "textit", "symbf", "bf", "rm", "it"),
}
_WORDS = {"operatorname", "text", "mathrm", "textrm", "mbox", "mathop", "textnormal", "textsf", "mathtt", "texttt"}
_FUNCTIONS = {"ln", "log", "exp", "min", "max"}
_COMMANDS = {
    **GREEK,
    **{f"var{name}": letter for name, letter in GREEK.items()},
    "cdot": "·", "bullet": "·", "times": "×", "ast": "*", "div": "/", "slash": "/", "top": "⊤", "intercal": "⊤",
    "dagger": "†", "dag": "†", "prime": "'", "infty": "∞", "to": "→", "rightarrow": "→", "longrightarrow": "→",
    "gg": "≫", "ll": "≪", "ge": "≥", "geq": "≥", "geqslant": "≥", "gt": ">", "le": "≤", "leq": "≤", "lt": "<",
    "leqslant": "≤", "in": "∈", "|": "‖", "Vert": "‖", "lVert": "‖", "rVert": "‖", "vert": "|", "lvert": "|",
    "rvert": "|", "langle": "⟨", "rangle": "⟩", "{": "(", "}": ")", "lbrace": "(", "rbrace": ")", "_": "_",
    "*": "*", "lparen": "(", "rparen": ")", "lbrack": "[", "rbrack": "]", "otimes": "⊗",
    "emptyset": "∅", "varnothing": "∅", "colon": ":",
    "ldots": "…", "dots": "…", "cdots": "…",
}  # fmt: skip
_IS_LATEX = re.compile(r"\$|\\[A-Za-z(\[|,;!{]")
_COMMAND = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL)
_BRACKETS = {"(": "(", ")": ")", "[": "(", "]": ")"}
_MATHS = re.compile(r"\\\((.*?)\\\)|\\\[(.*?)\\\]", re.DOTALL)
# What stands alone between the marks of formulas in a text: an equation, a condition, a name.
_ALONE = re.compile(r"[=<>≫→≥∈]|\\(?:gg|to|rightarrow|geq?|in|infty)\b|^\s*\\?[A-Za-z][\w{}]*\s*$")
_ROOT_LOST = re.compile(r"\^(?:\{1\}|1)\s*/\s*[0-9]")  # n^1/2


def _need_no_division(text: str) -> None:
    """FormulaError for A\\ b and A\\(b): a backslash that divides from the left, as in MATLAB, rather than LaTeX."""
    spaces = not _IS_LATEX.search(text) and "\\ " in text
    for opening, closing in (("\\(", "\\)"), ("\\[", "\\]")):
        if spaces or text.count(opening) != text.count(closing):
            at = max(0, text.find("\\ " if spaces else opening))
            raise marked(
                "A backslash does not divide here: write inv(A)*b. Or a LaTeX bracket is not closed.", text, at
            )


def _marks_of_maths(text: str) -> set[int]:
    """Where \\( and \\) only mark a formula in a text. Elsewhere they are brackets, which Markdown wants escaped."""
    pairs = [found for found in _MATHS.finditer(text) if _ALONE.search(found[1] or found[2] or "")]
    return {place for found in pairs for place in (found.start(), found.end() - 2)}


@final
class PlainText:
    """A text written out: its characters `plain` and, for each, its place in `text`; `latex` if it is LaTeX."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise TypeError(f"`text` must be a string, got {type(text).__name__}")
        if len(text) > LONGEST_TEXT:
            raise FormulaError(f"The formula has {len(text):,} characters; at most {LONGEST_TEXT:,} are allowed.")
        self.text, self.latex = text, "\\" in text or "$" in text
        _need_no_division(text)
        self._out: list[str] = []
        self.places: list[int] = []
        self._braces: list[str] = []  # what the closing brace of each open one becomes
        self._marks = _marks_of_maths(text)
        at = 0
        while at < len(text):
            at = self._unit(at, 0)
        self.plain = "".join(self._out)
        if lost := _ROOT_LOST.search(self.plain):
            raise marked("Put the exponent in brackets, as in n^(1/2).", text, self.places[lost.start()])

    def _put(self, characters: str, at: int) -> None:
        self._out.extend(characters)
        self.places.extend([at] * len(characters))

    def _unit(self, at: int, depth: int) -> int:
        """Write one character or command, with its arguments; the place after it."""
        character = self.text[at]
        if character == "\\":
            return self._command(at, depth)
        if character in _RAISED or character in _LOWERED:
            return self._script(at, _RAISED if character in _RAISED else _LOWERED)
        if character == "{":
            if self._out and self._out[-1].isdigit() and self.text[at + 1 : at + 2].isdigit():
                raise marked("Braces right after a number are not read.", self.text, at)
            self._braces.append("}")
        elif character == "}":
            character = self._braces.pop() if self._braces else "}"
            if character == JOINT and not self.text[at + 1 : at + 2].isalnum():
                character = ""
        elif character == "$" or (character == "~" and self.latex):
            character = " "
        elif 0x1D400 <= ord(character) <= 0x1D7FF or 0xFF01 <= ord(character) <= 0xFF5E:  # letters in other fonts
            character = unicodedata.normalize("NFKC", character)
        self._put(_SAME.get(character, character), at)
        if self.latex and character in ("^", "_"):
            return self._argument(at + 1, depth, digits=True)
        return at + 1

    def _script(self, at: int, letters: dict[str, str]) -> int:
        """A run of raised or lowered characters as ^{…} or _{…}."""
        sign, end = "^" if letters is _RAISED else "_", at
        if not self._out or self._out[-1] != sign:
            self._put(sign, at)
        self._put("{", at)
        while end < len(self.text) and self.text[end] in letters:
            self._put(letters[self.text[end]], end)
            end += 1
        self._put("}", end - 1)
        return end

    def _argument(self, at: int, depth: int, *, digits: bool = False) -> int:
        """An argument without braces, put in braces: one character or command. `digits`: a whole number counts as one."""
        if depth > MOST_DEPTH:
            raise marked(f"Commands are nested more than {MOST_DEPTH} deep.", self.text, at)
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        character = self.text[at : at + 1]
        if character != "\\" and (not character.isalnum() or character in _RAISED or character in _LOWERED):
            return at
        self._put("{", at)
        opened, end = len(self._braces), self._unit(at, depth + 1)
        while len(self._braces) > opened and end < len(self.text):  # ^\\mathrm{T}
            end = self._unit(end, depth + 1)
        while digits and self.text[at].isdigit() and end < len(self.text) and self.text[end].isdigit():
            end = self._unit(end, depth + 1)
        self._put("}", end - 1)
        return end

    def _command(self, at: int, depth: int) -> int:
        found = _COMMAND.match(self.text, at)
        if found is None:
            raise marked("A backslash cannot stand at the end.", self.text, at)
        name, end = found[1], found.end()
        if name in _BRACKETS:
            self._put(" " if at in self._marks else _BRACKETS[name], at)
            return end
        if name in _SPACES:
            self._put(" ", at)
            return end + 1 if name in ("left", "right") and self.text[end : end + 1] == "." else end
        if name in _COMMANDS:
            self._put(_COMMANDS[name], at)
            return end
        if name in _FUNCTIONS:
            self._put(JOINT + name, at)
            if self.text[end : end + 1].isalnum():
                self._put(JOINT, at)
            return end
        if name == "mathbb" and self.text[end : end + 3] in ("{R}", "{I}"):
            self._put("ℝ" if self.text[end + 1] == "R" else "I", at)
            return end + 3
        if name in _FONTS or name in _WORDS:
            return self._font(name in _WORDS, end)
        if name in ("frac", "tfrac", "dfrac", "cfrac"):
            self._put(FRACTION, at)
            return self._braced(self._braced(end, depth), depth)
        if name == "sqrt":
            if self.text[end : end + 1] == "[":
                raise marked("Only square roots are read: write x^(1/3) for a cube root.", self.text, at)
            self._put(ROOT, at)
            return self._braced(end, depth)
        said = "Matrices and environments are not read: write the formula in one line."
        raise marked(said if name in ("begin", "end") else f"\\{name[:30]} is not known here.", self.text, at)

    def _braced(self, at: int, depth: int) -> int:
        """One argument of a command, whether in braces or not."""
        written, start = len(self._out), self._argument(at, depth)
        if len(self._out) > written:
            return start
        opened = len(self._braces)
        while start < len(self.text):
            start = self._unit(start, depth + 1)
            if len(self._braces) <= opened:
                break
        return start

    def _font(self, is_word: bool, at: int) -> int:
        """Drop a font or accent with its braces; a word in it does not join the letters around it."""
        while at < len(self.text) and self.text[at] == " ":
            at += 1
        if is_word and self._out[-1:] != ["{"]:
            self._put(JOINT, max(at - 1, 0))
        if self.text[at : at + 1] == "{":
            self._braces.append(JOINT if is_word else "")
            return at + 1
        return at

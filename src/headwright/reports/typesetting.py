"""Formulas in running text, set a little better for a page: k_1 with a subscript, e^(β²) with a superscript.

Text stays text: it is escaped first, and nothing but <sub> and <sup> is added.
"""

from __future__ import annotations

import re
from html import escape

from headwright.problems.answers.messages import begun

_LETTER = "A-Za-zΑ-Ωα-ω"
_INNER = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"  # brackets inside brackets, two deep
# One letter, or the bar of a norm, before the underscore: a word such as mu_a is a name in a formula and stays as it is.
_BELOW = re.compile(
    rf"((?<![{_LETTER}_])[{_LETTER}]|‖)_(?:\{{([^{{}}]*)\}}|([ij]{{2}}|[{_LETTER}]|[0-9]+)(?![{_LETTER}0-9_]))"
)
_ABOVE = re.compile(rf"\^(?:\(({_INNER})\)|\{{([^{{}}]*)\}}|(-?[{_LETTER}0-9]+))")


def typeset(text: str) -> str:
    """The text as HTML.

    >>> typeset("α_1 < e^(tc)/n")
    'α<sub>1</sub> &lt; e<sup>tc</sup>/n'
    >>> typeset("Σ_{i≠j} α_i and mu_a")
    'Σ<sub>i≠j</sub> α<sub>i</sub> and mu_a'
    >>> typeset("u_aᵀ, n >= 2")
    'u<sub>a</sub>ᵀ, n ≥ 2'
    """
    plain = escape(text).replace("&lt;=", "≤").replace("&gt;=", "≥")
    below = _BELOW.sub(lambda found: f"{found[1]}<sub>{found[2] or found[3]}</sub>", plain)
    return _ABOVE.sub(lambda found: f"<sup>{found[1] or found[2] or found[3]}</sup>", below)


def sentence(text: str) -> str:
    """The same with a full stop, and a capital letter where it begins with a word rather than a formula.

    >>> sentence("the mean of k_1"), sentence("q = t k_1.")
    ('The mean of k<sub>1</sub>.', 'q = t k<sub>1</sub>.')
    """
    return f"{typeset(begun(text).rstrip('.'))}."

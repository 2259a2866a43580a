"""Formulas as MathML, converted when the handbook is built, so that no script and no font has to be fetched to read them."""

from __future__ import annotations

import re
from html import unescape

_FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)


def with_mathml(html: str) -> str:
    """The page with each formula that pymdownx.arithmatex marked as <math>."""
    return _FORMULA.sub(lambda found: mathml(unescape(found[3]), block=found[2] == "["), html)


def mathml(latex: str, *, block: bool = False) -> str:
    """One formula of LaTeX as MathML; the text itself is kept for those who copy it."""
    from latex2mathml.converter import convert

    drawn = convert(latex.strip(), display="block" if block else "inline").replace("&amp;", "&#38;")
    return f'<div class="formula">{drawn}</div>' if block else drawn

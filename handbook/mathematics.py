"""Formulas as MathML, converted when the handbook is built, so that reading them takes no script and no extra font."""

from __future__ import annotations

import re
from html import unescape

# Bars stay close to what they enclose, a transposed matrix has a T, and the name of a function is not an operator.
_MENDED = (
    (r"<mo[^>]*>(&#x02016;|&#x0007C;|\|)</mo>", r'<mo stretchy="false" lspace="0" rspace="0">\1</mo>'),
    (r"<mo>&#x022A4;</mo>", '<mi mathvariant="normal">T</mi>'),
    (r"<mo>([A-Za-z]{2,})</mo>", r"<mi>\1</mi>"),
)
_STOP = re.compile(r'(<math [^>]*display="inline">(?:(?!</math>).)*</math>)([.,;:?)]+)', re.DOTALL)
_FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)


def with_mathml(html: str) -> str:
    """The page with each formula that pymdownx.arithmatex marked as <math>."""
    drawn = _FORMULA.sub(lambda found: mathml(unescape(found[3]), block=found[2] == "["), html)
    return _STOP.sub(r'<span class="whole">\1\2</span>', drawn)  # a full stop does not begin a line


def mathml(latex: str, *, block: bool = False) -> str:
    """One formula of LaTeX as MathML."""
    from latex2mathml.converter import convert

    drawn = convert(latex.strip(), display="block" if block else "inline")
    for found, better in _MENDED:
        drawn = re.sub(found, better, drawn)
    return f'<div class="formula" tabindex="0">{drawn}</div>' if block else drawn

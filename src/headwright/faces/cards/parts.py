"""What every card is made of: a frame, badges, figures, bars, rows of text and folds.

Escaping is a matter of types: `Html` is finished markup, and a string from elsewhere becomes Html through `text`. Styles are
inline, because a notebook that does not trust an output drops its <style>. Text keeps the colour of the notebook's theme, and
our own colours stand out from white and from black, so that one card serves light and dark themes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, NewType

import numpy as np

if TYPE_CHECKING:
    from headwright.words.bounded import Bounded

Html = NewType("Html", str)

MOST_BARS = 8
MOST_LETTERS = 600
_MOST_OTHERS = 4  # bars of keys that the goal does not name, beside those it names
_SHORT_TITLE = 160
_FAINT = 0.05  # where no weight is larger, bars are drawn to the scale of the largest
UP, DOWN, NEAREST = ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN
GREEN, RED, BROWN, BLUE, SLATE = "#1b7837", "#b2182b", "#8c510a", "#2166ac", "#56606b"
GOAL, OTHER = "#3b82c4", "#8a9099"

_STYLE = {
    "card": "border:1px solid rgba(128,128,128,.35);border-left-width:4px;border-radius:6px;padding:.75em 1em;margin:.4em 0;"
    "max-width:46em;line-height:1.45;text-align:left;overflow-wrap:break-word;"
    "overflow-x:auto",
    "head": "display:flex;flex-wrap:wrap;align-items:center;column-gap:.6em;row-gap:.2em",
    "badge": "display:inline-block;padding:.05em .6em;border-radius:1em;color:#fff;font-size:.85em;font-weight:600;"
    "white-space:nowrap",
    "kind": "font-size:.85em;opacity:.75",
    "title": "font-weight:600;margin:.35em 0 0 0",
    "long title": "margin:.35em 0 0 0",
    "note": "margin:.3em 0 0 0;font-size:.92em;opacity:.8",
    "figures": "display:flex;flex-wrap:wrap;column-gap:2em;row-gap:.4em;margin:.6em 0 0 0",
    "figure label": "display:block;font-size:.8em;opacity:.75",
    "figure": "font-size:1.15em;font-weight:600",
    "figure aside": "display:block;font-size:.8em;opacity:.75",
    "table": "border-collapse:collapse;border:none;table-layout:auto;margin:.6em 0 0 0;width:100%;font-size:.92em",
    "row": "background:transparent;border:none",
    "name": "text-align:left;vertical-align:top;padding:.1em .9em .1em 0;border:none;white-space:nowrap;opacity:.75;"
    "background:transparent;width:1%;line-height:1.45",
    "cell": "text-align:left;vertical-align:top;padding:.1em .9em .1em 0;border:none;background:transparent;white-space:normal;"
    "overflow-wrap:break-word;line-height:1.45",
    "number": "text-align:right;vertical-align:middle;padding:.1em .9em .1em 0;border:none;background:transparent;"
    "white-space:nowrap;width:1%",
    "key": "text-align:left;vertical-align:middle;padding:.1em .9em .1em 0;border:none;white-space:nowrap;"
    "background:transparent;width:1%",
    "bar cell": "padding:.1em 0;border:none;background:transparent;vertical-align:middle",
    "track": "position:relative;height:.8em;min-width:3em;background:rgba(128,128,128,.2);border-radius:2px",
    "fold": "margin:.6em 0 0 0",
    "summary": "cursor:pointer;font-size:.92em",
    "claim": "margin:0 0 .8em 0;font-size:.95em",
    "inside": "border-left:2px solid rgba(128,128,128,.35);padding:0 0 0 .8em;margin:.5em 0 0 .2em",
}


def element(tag: str, style: str, *parts: Html) -> Html:
    return Html(f'<{tag} style="{style}">{"".join(parts)}</{tag}>')


def styled(tag: str, role: str, *parts: Html) -> Html:
    return element(tag, _STYLE[role], *parts)


def text(words: object, most: int = MOST_LETTERS) -> Html:
    """Words, escaped, with real minus signs and powers of ten; what is too long ends in a count of what is left out.

    >>> text("a < -1.5e-07"), text("abcdef", most=4)
    ('a &lt; −1.5 × 10<sup style="line-height:0">−7</sup>', 'abcd … (2 more characters)')
    """
    whole = str(words)
    over = len(whole) - most
    shown = re.sub(r"(?<![\w.])-(?=\.?[\d¼½¾⅓])", "−", escape(whole[:most]))
    shown = re.sub(r"(?<![\w])((?:\d+\.?\d*|\.\d+))e([+-]?\d+)(?!\w)", _power, shown)
    shown = re.sub(r"(?<=[σ‖])_(\w+)", r'<sub style="line-height:0">\1</sub>', shown)
    shown = re.sub(r"\b(Average|Top)\([\d, ]{1,24}\)", r'<span style="white-space:nowrap">\g<0></span>', shown)
    return Html(shown if over <= 0 else f"{shown} … ({over:,} more character{'' if over == 1 else 's'})")


def _power(found: re.Match[str]) -> str:
    exponent = str(int(found[2])).replace("-", "−")
    return f'{found[1]} × 10<sup style="line-height:0">{exponent}</sup>'


def number(x: float, rounding: str = NEAREST, *, digits: int = 4) -> Html:
    """A number to four significant figures; `UP` and `DOWN` keep a proved bound on its safe side.

    >>> number(-1.23456), number(0.2000001, UP), number(0.2999999, DOWN), number(123456.0)
    ('−1.235', '0.2001', '0.2999', '123500')
    """
    if not math.isfinite(x):
        return Html("not a number" if math.isnan(x) else "∞" if x > 0 else "−∞")
    short = Context(prec=digits, rounding=rounding).create_decimal(Decimal(repr(float(x))))
    if not short:
        return Html("0")
    if -4 <= short.adjusted() < 6:
        return text(f"{short.normalize():f}")
    return text(f"{short.normalize().scaleb(-short.adjusted()):f}e{short.adjusted()}")


def share(exact: Fraction) -> Html:
    """A share of attention as the fraction it is, where that is short.

    >>> share(Fraction(7, 10)), share(Fraction(1, 3**15)), share(Fraction(1, 3**9000))[:5]
    ('7/10', '6.969 × 10<sup style="line-height:0">−8</sup>', 'below')
    """
    if exact.denominator < 10**6:
        return text(exact)
    return number(float(exact)) if float(exact) else text("below 1e-300")


def count(n: int, word: str) -> Html:
    """ "1 head", "1,000 keys"."""
    return text(f"{n:,} {word}{'' if n == 1 else 's'}")


def badge(sign: str, word: str, colour: str) -> Html:
    """A sign and a word on a coloured ground: the colour says nothing that the word does not say."""
    return element("span", f"{_STYLE['badge']};background-color:{colour}", text(f"{sign} {word}"))


def frame(marks: Iterable[Html], kind: str, title: Html, *body: Html, colour: str = SLATE) -> Html:
    """A whole card: badges and the kind of value in one line, the title below it, then whatever else."""
    head = styled("div", "head", *marks, Html(" "), styled("span", "kind", text(kind)))
    ground = f"{_STYLE['card']};border-left-color:{colour}"
    role = "title" if len(title) <= _SHORT_TITLE else "long title"
    return element("div", ground, head, styled("div", role, title), *body)


def note(*words: Html) -> Html:
    return styled("div", "note", *words)


def joined(*words: Html | str) -> Html:
    """Short facts in one line."""
    return Html(" · ".join(words))


def figures(shown: Mapping[str, tuple[Html, Html]]) -> Html:
    """Numbers side by side, each with its name above it and a remark below."""
    parts = [
        element(
            "div",
            "",
            styled("span", "figure label", text(name)),
            Html(" "),
            styled("span", "figure", value),
            Html(" "),
            styled("span", "figure aside", remark),
        )
        for name, (value, remark) in shown.items()
    ]
    return styled("div", "figures", *parts) if parts else Html("")


def enclosed(value: Bounded) -> tuple[Html, Html]:
    """A figure with its bounds, rounded outward."""
    about = "" if value.proved else "≈ "
    ends = f"{number(value.low, DOWN, digits=6)} … {number(value.high, UP, digits=6)}"
    return Html(about + number(value)), Html("exact" if value.exact is not None else ends)


def rows(named: Mapping[str, Html]) -> Html:
    """Texts, one row each, with their names on the left."""
    lines = [styled("tr", "row", styled("td", "name", text(n)), styled("td", "cell", t)) for n, t in named.items()]
    return styled("table", "table", *lines) if lines else Html("")


def grid(header: Iterable[str], lines: Iterable[Iterable[Html]], *, last_is_text: bool = False) -> Html:
    """A table of numbers; its last column may hold text instead."""
    names = list(header)
    kinds = ["number"] * (len(names) - 1) + ["cell" if last_is_text else "number"]
    top = [styled("td", kind, styled("span", "kind", text(name))) for name, kind in zip(names, kinds, strict=True)]
    below = [
        styled("tr", "row", *(styled("td", kind, part) for part, kind in zip(line, kinds, strict=True)))
        for line in lines
    ]
    return styled("table", "table", styled("tr", "row", *top), *below)


@dataclass(frozen=True)
class Bar:
    """`length` lies between 0 and 1, as do `wanted` (a tick) and `spread` (the two ends of a whisker)."""

    name: str
    value: Html
    length: float
    goal: bool = False
    wanted: float | None = None
    spread: tuple[float, float] | None = None


def bars(shown: Iterable[Bar]) -> Html:
    lines = [
        styled(
            "tr",
            "row",
            styled("td", "key", text(bar.name)),
            styled("td", "number", bar.value),
            styled("td", "bar cell", _track(bar)),
        )
        for bar in shown
    ]
    return styled("table", "table", *lines) if lines else Html("")


def _track(bar: Bar) -> Html:
    """The bar itself. Lines are borders without a colour, which have that of the text."""
    colour, wide = GOAL if bar.goal else OTHER, _percent(bar.length)
    thin = "min-width:1px;" if bar.length > 0 else ""
    parts = [element("div", f"width:{wide}%;{thin}height:100%;background-color:{colour};border-radius:2px")]
    if bar.spread is not None:
        low, high = map(_percent, bar.spread)
        place = f"position:absolute;left:{low}%;width:{high - low:.2f}%;box-sizing:border-box"
        parts.append(element("div", f"{place};top:20%;height:60%;border-left:1px solid;border-right:1px solid"))
        parts.append(element("div", f"{place};top:50%;height:0;border-top:1px solid"))
    if bar.wanted is not None:
        place = f"position:absolute;left:{_percent(bar.wanted)}%;top:-2px;height:1.1em;width:0;margin-left:-1px"
        parts.append(element("div", f"{place};border-left:2px solid"))
    return styled("div", "track", *parts)


def _percent(part: float) -> float:
    return round(100 * min(max(float(part), 0.0), 1.0), 2) if math.isfinite(part) else 0.0


def weight(w: float) -> Html:
    """A weight to four decimals, so that weights line up.

    >>> weight(0.495), weight(1e-9), weight(0.0)
    ('0.4950', '&lt; 0.0001', '0')
    """
    return text(f"{w:.4f}" if w >= 0.0001 else "0" if w == 0 else "< 0.0001")


def weight_bars(
    weights: np.ndarray, wanted: Mapping[int, float | None], sd: np.ndarray | None = None, *, about: str = ""
) -> Html:
    """The heaviest keys, those of the goal first, and a line about all others. `wanted` has the goal's shares by key."""
    named = sorted(sorted(wanted, key=lambda j: (-weights[j], j))[:MOST_BARS])
    room = min(_MOST_OTHERS, MOST_BARS - len(named)) if named else MOST_BARS
    heaviest = np.argsort(-weights, kind="stable")[: room + len(wanted)].tolist()
    shown = [*named, *[j for j in heaviest if j not in wanted][:room]]
    largest = float(weights.max())
    unit = largest if 0 < largest < _FAINT and sd is None and not any(wanted.values()) else 1.0
    drawn = []
    for j in shown:
        w = float(weights[j])
        words, spread = Html(about + weight(w)), None
        if sd is not None:
            s = float(sd[j])
            if max(w, s) >= 0.0001:
                words, spread = Html(f"{words} ± {weight(s)}"), (w - s, w + s)
        name = f"◆ key {j}" if j in wanted else f"key {j}"
        drawn.append(Bar(name, words, w / unit, j in wanted, wanted.get(j), spread))
    left = len(weights) - len(shown)
    rest = float(np.delete(weights, shown).sum()) if left else 0.0
    said = [Html(f"{count(left, 'more key')}, {about}{weight(rest)} together")] if left else []
    if any(wanted.values()):
        said.append(text("◆ goal, with a tick at the wanted weight"))
    elif wanted:
        said.append(text("◆ named by the goal"))
    if sd is not None and bool((sd > 0).any()):
        said.append(text("whiskers: one standard deviation"))
    if unit != 1.0:
        said.append(text("bars relative to the heaviest key"))
    return Html(bars(drawn) + (note(joined(*said)) if said else ""))


def fold(summary: str, *body: Html) -> Html:
    """Text behind a line that opens it."""
    inside = styled("div", "inside", *body)
    return styled("details", "fold", styled("summary", "summary", text(summary)), inside)

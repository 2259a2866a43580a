"""How the pictures look: eight colours that colour-blind people can tell apart, each with its own hatch, line and marker.

The colours are those of Okabe and Ito, in an order in which neighbours also differ in grey. No picture relies on them alone:
whatever has a colour has a pattern or a marker too, and a label beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from headwright.words.optional import need

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Figure  # the type of every picture, for annotations

INK = "black"
FAINT = "#595959"  # grey that still has contrast 7 on white
PAPER = "white"
REST = "#d9d9d9"  # everything the goal does not name

# Every setting a picture depends on, whatever the user's own style says. Letters become outlines, so that a picture looks
# the same where its font is missing; the salt makes the names inside an .svg the same every time.
_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 11.0,
    "axes.titlesize": 12.0,
    "axes.labelsize": 11.5,
    "legend.fontsize": 11.0,
    "xtick.labelsize": 10.5,
    "ytick.labelsize": 10.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "hatch.linewidth": 0.8,
    "legend.frameon": False,
    "svg.fonttype": "path",
    "svg.hashsalt": "headwright",
}


@final
@dataclass(frozen=True)
class Look:
    """One series: its colour, and what distinguishes it from the others without colour."""

    colour: str
    hatch: str
    line: str | tuple[float, tuple[float, ...]]
    marker: str


LOOKS = (
    Look("#0072b2", "", "-", "o"),  # blue
    Look("#e69f00", "///", "--", "s"),  # orange
    Look("#009e73", "...", "-.", "^"),  # green
    Look("#f0e442", "xxx", (0, (5, 1, 1, 1, 1, 1)), "D"),  # yellow
    Look("#d55e00", "\\\\\\", (0, (3, 1)), "v"),  # vermilion
    Look("#56b4e9", "++", (0, (1, 1)), "P"),  # sky blue
)


@contextmanager
def house_style() -> Iterator[None]:
    """The settings above, on matplotlib's defaults, for as long as a picture is made or written; then the user's again."""
    with need("matplotlib.style", extra="plots").context(["default", _STYLE]):
        yield


def sheet(*, width: float, height: float, title: str, note: str = "") -> Figure:
    """An empty figure in inches, outside pyplot: nothing to close, no window, no state.

    A heading at its upper left, and below it a note in small type.
    """
    figure: Figure = need("matplotlib.figure", extra="plots").Figure(figsize=(width, height), layout="constrained")
    heading = f"{title}\n" if note else title
    figure.suptitle(heading, x=0.01, ha="left", fontsize=13.5, fontweight="bold")
    if note:
        # The empty second line of the heading reserves the room, so that the layout keeps clear of the note.
        top = 1 - (0.02 + 13.5 * 1.25 / 72) / height
        figure.text(0.01, top, note, ha="left", va="top", fontsize=10.5, color=FAINT)
    return figure


def describe(figure: Figure, text: str) -> Figure:
    """The figure with its alternative text, for those who cannot see it; `save` writes it into the file."""
    figure.set_label(text)
    return figure

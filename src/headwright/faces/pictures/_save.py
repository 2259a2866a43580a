"""save: a picture as .svg or .png, the same bytes every time it is made on one machine.

No date and no outside reference goes into a file; its title and its alternative text do.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from headwright.faces.pictures.palette import house_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".png")
_DOTS_PER_INCH = 150


def save(figure: Figure, path: str | Path) -> Path:
    """Write the picture; the suffix of `path`, .svg or .png, says as what. Returns the path."""
    target = checked_path(path)
    if target.suffix.lower() == ".svg":
        target.write_text(svg(figure), encoding="utf-8", newline="\n")
    else:
        target.write_bytes(png(figure))
    return target


def checked_path(path: str | Path) -> Path:
    """The path as a Path; ValueError unless it ends in .svg or .png.

    >>> checked_path("keys.pdf")
    Traceback (most recent call last):
    ValueError: `path` must end in .svg or .png, got 'keys.pdf'
    """
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise ValueError(f"`path` must end in {' or '.join(SUFFIXES)}, got {target.name!r}")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"`path` must name a file in a folder that exists, got {target}")
    return target


def svg(figure: Figure) -> str:
    """The picture as the text of an <svg> element, ready to stand in a file or inside a page of HTML."""
    stream = io.StringIO()
    with house_style():
        figure.savefig(stream, format="svg", metadata={"Date": None})
    # The prologue names a document type on another server, the metadata more addresses; neither is needed to draw.
    text = stream.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text[text.index("<svg") :], flags=re.DOTALL)
    words = f"<title>{escape(title_of(figure))}</title>\n <desc>{escape(text_of(figure))}</desc>"
    head, rest = text.split(">", 1)
    return f'{head} role="img">\n {words}{rest}'


def png(figure: Figure) -> bytes:
    """The picture as the bytes of a .png, at 150 dots per inch."""
    stream = io.BytesIO()
    metadata = {"Title": title_of(figure), "Description": text_of(figure), "Software": None}
    with house_style():
        figure.savefig(stream, format="png", dpi=_DOTS_PER_INCH, metadata=metadata)
    return stream.getvalue()


def title_of(figure: Figure) -> str:
    return str(figure.get_suptitle()).strip()


def text_of(figure: Figure) -> str:
    """The alternative text that the picture carries."""
    return str(figure.get_label())

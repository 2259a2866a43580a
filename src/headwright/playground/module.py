"""The playground's page code: plain JavaScript files, joined into the one ES module that every host loads.

Each file under `module/` is an ES module of its own. A notebook loads one module from text, which cannot import its
neighbours, so the import lines between our files are left out and the files follow one another. That is all that joining
does.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

# A file comes after those it imports.
FILES = (
    "fractions.js",
    "svg.js",
    "numbers.js",
    "hulls.js",
    "newton.js",
    "reach.js",
    "moving.js",
    "design.js",
    "noise.js",
    "walk_judge.js",
    "projection.js",
    "scene.js",
    "words.js",
    "edits.js",
    "theme.js",
    "elements.js",
    "goals.js",
    "python_text.js",
    "store.js",
    "plane_view.js",
    "plane_labels.js",
    "plane_arrows.js",
    "plane_drawing.js",
    "strip.js",
    "plane_hands.js",
    "plane.js",
    "choices.js",
    "shares_bar.js",
    "goal_chooser.js",
    "settings.js",
    "noise_controls.js",
    "output.js",
    "toolbar.js",
    "verdict.js",
    "panel.js",
    "walk.js",
    "widget.js",
)
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./[a-z_]+\.js"\n', re.MULTILINE)


@cache
def module_text() -> str:
    """The whole module, as text.

    >>> "export default" in module_text(), 'from "./' in module_text()
    (True, False)
    """
    folder = files("headwright.playground") / "module"
    return "\n".join(_IMPORT.sub("", (folder / name).read_text(encoding="utf-8")) for name in FILES)


@cache
def style_text() -> str:
    """The style sheet, as text.

    >>> ".headwright-play" in style_text()
    True
    """
    return (files("headwright.playground") / "style.css").read_text(encoding="utf-8")

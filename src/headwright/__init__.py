"""headwright: state what attention should do with your keys; get the query that does it, with a proof.

Names are imported when they are first used, so that importing the package costs nothing. `_HOMES` says where each name is
defined, and the imports below say the same to type checkers.
"""

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from headwright import theories as theories  # where the claims of each kind stand
from headwright.kernel.shown import drawing

if TYPE_CHECKING:
    from headwright import claims as claims, problems as problems
    from headwright.kernel.certificate import verify as verify
    from headwright.kernel.goals import Average as Average, Blend as Blend, Copy as Copy, Top as Top
    from headwright.kernel.verdict import (
        NotProved as NotProved,
        Proved as Proved,
        Refuted as Refuted,
        Undecided as Undecided,
    )
    from headwright.playground import play as play
    from headwright.search import positions as position, spectrum as spectrum  # noqa: F401
    from headwright.search.certify import certify as certify
    from headwright.search.compile.compile import compile as compile
    from headwright.search.compile.model import Model as Model
    from headwright.search.compress.compare import compare as compare
    from headwright.search.compress.compress import compress as compress
    from headwright.search.design import design as design, design_many as design_many
    from headwright.search.layers.design_layer import design_layer as design_layer
    from headwright.search.radius.radius import radius as radius
    from headwright.search.random_keys.outcome import outcome as outcome
    from headwright.search.readout.readout import readout as readout
    from headwright.words.argued import Argued as Argued
    from headwright.words.attention import attend as attend
    from headwright.words.block import Block as Block
    from headwright.words.bounded import Bounded as Bounded
    from headwright.words.design import Design as Design
    from headwright.words.files import load as load, save as save
    from headwright.words.key_models import GaussianKeys as GaussianKeys
    from headwright.words.layer import Layer as Layer
    from headwright.words.program import Program as Program
    from headwright.words.refusals import (
        NotFound as NotFound,
        Unreachable as Unreachable,
    )
    from headwright.words.scaled_keys import ScaledKeys as ScaledKeys
    from headwright.words.stored import Stored as Stored, stored as stored

__version__ = "0.1.0"

_HOMES = {
    "headwright.kernel.certificate": "verify",
    "headwright.kernel.goals": "Average Blend Copy Top",
    "headwright.kernel.verdict": "NotProved Proved Refuted Undecided",
    "headwright.words.argued": "Argued",
    "headwright.words.attention": "attend",
    "headwright.words.block": "Block",
    "headwright.words.bounded": "Bounded",
    "headwright.words.design": "Design",
    "headwright.words.files": "load save",
    "headwright.words.key_models": "GaussianKeys",
    "headwright.words.layer": "Layer",
    "headwright.words.program": "Program",
    "headwright.words.refusals": "NotFound Unreachable",
    "headwright.words.scaled_keys": "ScaledKeys",
    "headwright.words.stored": "Stored stored",
    "headwright.search.certify": "certify",
    "headwright.search.compile.compile": "compile",
    "headwright.search.compile.model": "Model",
    "headwright.search.compress.compare": "compare",
    "headwright.search.compress.compress": "compress",
    "headwright.search.design": "design design_many",
    "headwright.search.layers.design_layer": "design_layer",
    "headwright.search.radius.radius": "radius",
    "headwright.search.random_keys.outcome": "outcome",
    "headwright.search.readout.readout": "readout",
    "headwright.playground": "play",
}
_MODULES = {
    "claims": "headwright.claims",
    "position": "headwright.search.positions",
    "problems": "headwright.problems",
    "spectrum": "headwright.search.spectrum",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}
__all__ = sorted([*_HOME, *_MODULES])


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value = import_module(_MODULES[name])
    elif name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    else:
        raise AttributeError(f"module 'headwright' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


def _card(value: object) -> str:
    """The notebook card of a value. The values themselves know nothing of HTML, and no proof imports what draws it."""
    from headwright.faces.cards import draw

    return draw(value)


def _trust(claim: object) -> dict[str, int]:
    """The files that a verdict on this claim rests on. Nothing that proves reads sources."""
    from headwright.faces.trust import rests_on

    return rests_on(claim)


def _picture(name: str, value: Any) -> object:
    """The picture of a value by the function of this name, as a matplotlib figure."""
    from headwright.faces import pictures

    return getattr(pictures, name)(value)


def _drawn(name: str, path: Any, *given: Any) -> object:
    """The picture by the function of this name, written to a file: its path."""
    from headwright.faces import pictures

    return pictures.save(getattr(pictures, name)(*given), path)


drawing.update({"card": _card, "trust": _trust})
_PICTURES = {"design": "design_weights", "compression": "bits_against_error", "comparison": "variation_by_share"}
drawing.update({kind: partial(_picture, name) for kind, name in _PICTURES.items()})
_DRAWINGS = {"model": "program_layers", "attention of a model": "program_attention"}
drawing.update({kind: partial(_drawn, name) for kind, name in _DRAWINGS.items()})

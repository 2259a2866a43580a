"""headwright: state what attention should do with your keys; get the query that does it, with a proof.

Names are imported when they are first used, so that importing the package costs nothing. `_HOMES` says where each name is
defined, and the imports below say the same to type checkers.
"""

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from headwright.shown import drawing

if TYPE_CHECKING:
    from headwright import claims as claims, position as position, problems as problems, spectrum as spectrum
    from headwright._design import Design as Design
    from headwright._save import load as load, save as save
    from headwright._stored import Stored as Stored, stored as stored
    from headwright.argued import Argued as Argued
    from headwright.attention import Attention as Attention, attend as attend
    from headwright.block import Block as Block
    from headwright.bounded import Bounded as Bounded
    from headwright.compression import (
        Comparison as Comparison,
        Compression as Compression,
        compare as compare,
        compress as compress,
    )
    from headwright.constructions import (
        Readout as Readout,
        design as design,
        design_layer as design_layer,
        design_many as design_many,
        error_of_epsilon as error_of_epsilon,
        readout as readout,
    )
    from headwright.goals import Average as Average, Blend as Blend, Copy as Copy, Top as Top
    from headwright.judging import Radius as Radius, Verdicts as Verdicts, certify as certify, radius as radius
    from headwright.key_models import GaussianKeys as GaussianKeys
    from headwright.layer import Layer as Layer
    from headwright.noise import Outcome as Outcome, outcome as outcome
    from headwright.playground import play as play
    from headwright.program import Program as Program
    from headwright.program_meaning import Undefined as Undefined
    from headwright.programs import Model as Model, compile as compile
    from headwright.proofs import BadCertificate as BadCertificate, verify as verify
    from headwright.refusal_types import (
        AssumptionFailed as AssumptionFailed,
        NotFound as NotFound,
        Unreachable as Unreachable,
        Witness as Witness,
    )
    from headwright.scaled_keys import ScaledKeys as ScaledKeys
    from headwright.verdict import NotProved as NotProved, Proved as Proved, Refuted as Refuted, Undecided as Undecided

__version__ = "0.1.0"

_HOMES = {
    "headwright": "claims position problems spectrum",
    "headwright._design": "Design",
    "headwright.argued": "Argued",
    "headwright.attention": "Attention attend",
    "headwright.block": "Block",
    "headwright.bounded": "Bounded",
    "headwright.compression": "Comparison Compression compare compress",
    "headwright.constructions": "Readout design design_layer design_many error_of_epsilon readout",
    "headwright.goals": "Average Blend Copy Top",
    "headwright.judging": "Radius Verdicts certify radius",
    "headwright.key_models": "GaussianKeys",
    "headwright.layer": "Layer",
    "headwright.noise": "Outcome outcome",
    "headwright.playground": "play",
    "headwright.program": "Program",
    "headwright.program_meaning": "Undefined",
    "headwright.programs": "Model compile",
    "headwright.proofs": "BadCertificate verify",
    "headwright.refusal_types": "AssumptionFailed NotFound Unreachable Witness",
    "headwright._save": "load save",
    "headwright._stored": "Stored stored",
    "headwright.scaled_keys": "ScaledKeys",
    "headwright.verdict": "NotProved Proved Refuted Undecided",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'headwright' has no attribute {name!r}")
    home = _HOME[name]
    value = import_module(f"headwright.{name}") if home == __name__ else getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__


def _card(value: object) -> str:
    """The notebook card of a value. The values themselves know nothing of HTML, and no proof imports what draws it."""
    from headwright.cards import draw

    return draw(value)


def _class_pages(*given: Any) -> None:
    """The pages of a class, written into a folder."""
    from headwright.reports.class_page import write_pages

    write_pages(*given)


def _picture(name: str, value: Any) -> object:
    """The picture of a value by the function of this name, as a matplotlib figure."""
    from headwright import pictures

    return getattr(pictures, name)(value)


def _drawn(name: str, path: Any, *given: Any) -> object:
    """The picture by the function of this name, written to a file: its path."""
    from headwright import pictures

    return pictures.save(getattr(pictures, name)(*given), path)


drawing.update({"card": _card, "class pages": _class_pages})
_PICTURES = {"design": "design_weights", "compression": "bits_against_error", "comparison": "variation_by_share"}
drawing.update({kind: partial(_picture, name) for kind, name in _PICTURES.items()})
_DRAWINGS = {"model": "program_layers", "attention of a model": "program_attention"}
drawing.update({kind: partial(_drawn, name) for kind, name in _DRAWINGS.items()})

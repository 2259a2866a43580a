"""Order and position: codes of places, which of them are nearest or coincide, and whether a function sees order at all."""

from headwright.position.codes import Positions, alibi, learned, rotary, sinusoidal
from headwright.position.coincidences import coincidence, distinct
from headwright.position.nearness import NearestPair
from headwright.position.pairs import nearest_pair
from headwright.position.permuting import equivariance

__all__ = [
    "NearestPair",
    "Positions",
    "alibi",
    "coincidence",
    "distinct",
    "equivariance",
    "learned",
    "nearest_pair",
    "rotary",
    "sinusoidal",
]

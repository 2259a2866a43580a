"""Order and position: codes of places, which of them are nearest or coincide, and whether a function sees order at all."""

from headwright.search.positions._coincidence import coincidence, distinct
from headwright.search.positions._equivariance import equivariance
from headwright.search.positions._nearest_pair import NearestPair, nearest_pair
from headwright.search.positions.codes import Positions, alibi, learned, rotary, sinusoidal

__all__ = ["NearestPair", "Positions", "alibi", "coincidence", "distinct", "equivariance", "learned", "nearest_pair"]
__all__ += ["rotary", "sinusoidal"]

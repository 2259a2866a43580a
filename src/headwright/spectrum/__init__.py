"""Singular values with proof: enclosures from residuals, what they add up to, and how near a matrix of low rank can come."""

from headwright.spectrum.interval import Enclosure
from headwright.spectrum.squared import Energy, Tail, energy, tail
from headwright.spectrum.truncating import LowRank, low_rank
from headwright.spectrum.values import Spectrum, singular_values

__all__ = ["Enclosure", "Energy", "LowRank", "Spectrum", "Tail", "energy", "low_rank", "singular_values", "tail"]

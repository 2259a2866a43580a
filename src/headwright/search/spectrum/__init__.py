"""Singular values with proof: enclosures from residuals, what they add up to, and how near a matrix of low rank can come."""

from headwright.search.spectrum._energy_and_tail import Energy, Tail, energy, tail
from headwright.search.spectrum._low_rank import LowRank, low_rank
from headwright.search.spectrum._singular_values import Spectrum, singular_values

__all__ = ["Energy", "LowRank", "Spectrum", "Tail", "energy", "low_rank", "singular_values", "tail"]

"""Compression: how far attention moves when keys and values are stored in fewer bits."""

from headwright.compression._compare import compare
from headwright.compression.comparison import Comparison, Worst

__all__ = ["Comparison", "Worst", "compare"]

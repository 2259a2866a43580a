"""Compression: how far attention moves when keys and values are stored in fewer bits, and the fewest bits that keep it near."""

from headwright.compression._compare import compare
from headwright.compression._compress import compress
from headwright.compression.comparison import Comparison
from headwright.compression.compression_result import Compression

__all__ = ["Comparison", "Compression", "compare", "compress"]

"""Pictures, one function each, as matplotlib figures; `save` writes them. They need the extra `plots`."""

from headwright.pictures.frontier_chart import frontier_curves
from headwright.pictures.range_of_a_key import key_range
from headwright.pictures.saving import save, svg
from headwright.pictures.weight_strips import weights_over_samples

__all__ = ["frontier_curves", "key_range", "save", "svg", "weights_over_samples"]

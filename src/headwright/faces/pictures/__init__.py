"""Pictures, one function each, as matplotlib figures; `save` writes them. They need the extra `plots`."""

from headwright.faces.pictures._save import save, svg
from headwright.faces.pictures.bits_chart import bits_against_error
from headwright.faces.pictures.design_chart import design_weights
from headwright.faces.pictures.moved_chart import variation_by_share
from headwright.faces.pictures.program_view import program_attention, program_layers
from headwright.faces.pictures.range_of_a_key import key_range
from headwright.faces.pictures.shift_distances import distance_against_shift
from headwright.faces.pictures.spectrum_chart import spectrum_and_bound
from headwright.faces.pictures.type_collisions import collisions_by_type
from headwright.faces.pictures.weight_strips import weights_over_samples

__all__ = ["collisions_by_type", "distance_against_shift", "key_range", "spectrum_and_bound"]
__all__ += ["bits_against_error", "design_weights", "save", "svg", "variation_by_share", "weights_over_samples"]
__all__ += ["program_attention", "program_layers"]

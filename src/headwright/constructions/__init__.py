"""Constructions: one method of design per file, and `design`, which picks one."""

from headwright.constructions._design import design, design_many
from headwright.constructions._design_layer import design_layer
from headwright.constructions._readout import readout
from headwright.constructions.closed_form import error_of_epsilon
from headwright.constructions.readout_matrix import Readout

__all__ = ["Readout", "design", "design_layer", "design_many", "error_of_epsilon", "readout"]

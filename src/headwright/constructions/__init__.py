"""Constructions: one method of design per file, and `design`, which picks one."""

from headwright.constructions.closed_form import error_of_epsilon
from headwright.constructions.designing import design, design_many
from headwright.constructions.frontier_curve import frontier
from headwright.constructions.frontier_result import Frontier
from headwright.constructions.layers import design_layer
from headwright.constructions.readout_matrix import Readout
from headwright.constructions.readouts import readout

__all__ = ["Frontier", "Readout", "design", "design_layer", "design_many", "error_of_epsilon", "frontier", "readout"]

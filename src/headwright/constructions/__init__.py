"""Constructions: one method of design per file, and `design`, which picks one."""

from headwright.constructions.closed_form import error_of_epsilon
from headwright.constructions.designing import design, design_many

__all__ = ["design", "design_many", "error_of_epsilon"]

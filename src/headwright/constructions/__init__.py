"""Constructions: one method of design per file, and `design`, which picks one."""

from headwright.constructions.closed_form import error_of_epsilon
from headwright.constructions.designing import design

__all__ = ["design", "error_of_epsilon"]

"""The law of weights and error over keys that vary: `outcome`, three ways to it, and what each number is worth."""

from headwright.bounded import Figure
from headwright.noise._outcome import outcome
from headwright.noise.designed import heads_of
from headwright.noise.independent_draws import independent_errors
from headwright.noise.result import Outcome

__all__ = ["Figure", "Outcome", "heads_of", "outcome", "independent_errors"]

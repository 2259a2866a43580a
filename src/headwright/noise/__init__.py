"""The law of weights and error over keys that vary: `outcome`, three ways to it, and what each number is worth."""

from headwright.noise._outcome import heads_of, outcome, probability_met
from headwright.noise.independent_draws import independent_errors
from headwright.noise.result import Outcome

__all__ = ["Outcome", "heads_of", "independent_errors", "outcome", "probability_met"]

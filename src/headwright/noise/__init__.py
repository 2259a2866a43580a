"""The law of weights and error over keys that vary: `outcome`, three ways to it, and what each number is worth."""

from headwright.noise.designed import heads_of
from headwright.noise.figure import Figure
from headwright.noise.plain import plain_errors
from headwright.noise.result import Outcome
from headwright.noise.taking import outcome

__all__ = ["Figure", "Outcome", "heads_of", "outcome", "plain_errors"]

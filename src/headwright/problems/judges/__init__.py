"""The judges: one file for each kind of claim, and `judge`, which sends an answer to the one for its question's kind."""

from headwright.problems.judges._judge import answered, judge

__all__ = ["answered", "judge"]

"""Reports: the tour, in the terminal and as a page."""

from headwright.problems.reports.walking import tour

__all__ = ["tour"]

"""Reports: the tour, in the terminal and as a page."""

from headwright.reports.walking import tour

__all__ = ["tour"]

"""Searches, one folder each. Any heuristic is allowed, because the kernel and the theories check every result."""

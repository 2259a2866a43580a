"""Positions: rows of position codes, how near they come to each other, and whether two are equal."""

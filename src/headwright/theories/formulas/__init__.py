"""Formulas: their trees, and claims about all values of their names."""

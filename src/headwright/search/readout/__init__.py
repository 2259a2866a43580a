"""Matrices that read one part out of a sum."""

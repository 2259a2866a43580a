"""Matrices: singular values, low rank, read-outs, and the maps of one layer."""

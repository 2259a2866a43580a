"""Queries W x + b for the second opinion: Fractions throughout, and projections by Gram and Schmidt without roots.

A file has an image if it holds an array `matrix`. Nothing of headwright is used, and the columns that a file names as spanning
the image are not believed: every column takes part.
"""

from fractions import Fraction

import numpy as np

from tests.brackets import rationals


def columns(arrays):
    """The columns of W, exactly."""
    return [rationals(column) for column in np.asarray(arrays["matrix"]).T]


def offset(arrays):
    """b, exactly."""
    return rationals(arrays["offset"]) if "offset" in arrays else [Fraction(0)] * len(arrays["matrix"])


def queries(arrays):
    """The queries of a file in Fractions: those stored, or W x + b for the stored coordinates x."""
    stored = [rationals(row) for row in np.asarray(arrays["queries"])]
    if "matrix" not in arrays:
        return stored
    across = columns(arrays)
    formed = []
    for x in stored:
        assert len(x) == len(across)
        query = offset(arrays)
        for number, column in zip(x, across, strict=True):
            query = [a + number * c for a, c in zip(query, column, strict=True)]
        formed.append(query)
    return formed


def dot(a, b):
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def split(arrays, v):
    """(‖Pv‖², v·b⊥, ‖b⊥‖²), exactly, with P the projector on all columns of W; P = I and b⊥ = 0 without an image."""
    if "matrix" not in arrays:
        return dot(v, v), Fraction(0), Fraction(0)
    apart, rest = offset(arrays), list(v)
    for axis in _axes(columns(arrays)):
        size = dot(axis, axis)
        apart = [a - dot(apart, axis) / size * c for a, c in zip(apart, axis, strict=True)]
        rest = [a - dot(rest, axis) / size * c for a, c in zip(rest, axis, strict=True)]
    return dot(v, v) - dot(rest, rest), dot(v, apart), dot(apart, apart)


def _axes(vectors):
    """Orthogonal vectors with the same span."""
    found = []
    for vector in vectors:
        for axis in found:
            part = dot(vector, axis) / dot(axis, axis)
            vector = [a - part * c for a, c in zip(vector, axis, strict=True)]
        if any(vector):
            found.append(vector)
    return found


def common_value(arrays, v):
    """v·q if it is the same for all queries q of the image, or of all space without one; None if it is not."""
    if "matrix" not in arrays:
        return None if any(v) else Fraction(0)
    return None if any(dot(v, column) for column in columns(arrays)) else dot(v, offset(arrays))


def work(arrays):
    """In rough units of 10 microseconds, as in `second_opinion`: numbers grow with every axis."""
    if "matrix" not in arrays:
        return 0
    d, r = np.shape(arrays["matrix"])
    return d * r * min(d, r) ** 2 / 5 + d * r

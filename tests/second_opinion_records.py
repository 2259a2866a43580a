"""A second opinion on two small claims: sums of squares, and bounds on the k-th singular value."""

from fractions import Fraction

import numpy as np

from tests import second_opinion_spectrum as spectra
from tests.brackets import rationals


def singular_squares(arrays, fields):
    whole = sum(x * x for x in rationals(np.asarray(arrays["matrix"]).ravel()))
    return "true" if Fraction(fields["low"]) <= whole <= Fraction(fields["high"]) else "false"


def singular_tail(arrays, fields):
    """By the characteristic polynomial: fewer than k singular values are above the bound."""
    rows, unit = spectra.rational_rows(arrays["matrix"])
    return (
        "true"
        if spectra.above(spectra.characteristic(rows), Fraction(fields["bound"]) / unit) < fields["k"]
        else "false"
    )


JUDGES = {"singular-squares": singular_squares, "singular-tail": singular_tail}


def work(kind, arrays, fields):
    if kind == "singular-tail":
        return spectra.work(kind, arrays, fields)
    return sum(np.size(array) for array in arrays.values()) / 5

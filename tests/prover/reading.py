"""Texts of the tests as trees and forms, for the tests of the family prover."""

from headwright.reading.formulas import parse
from headwright.theories.formulas import forms
from headwright.theories.formulas.families.family import EVERYWHERE, Queries, QueryFamily

NAMES = ("n", "eps", "t", "T", "s", "beta")


def tree(text, *names):
    return parse(text, names=[*NAMES, *names]).root


def form(text, ranges=EVERYWHERE, *names):
    return forms.number_of(tree(text, *names), ranges)


def queries(*texts, basis=("a", "b"), **asked):
    """Queries of a family over `basis`, one text for each head."""
    family = QueryFamily(basis, len(texts), **asked)
    return Queries(family, tuple(tree(text, *basis) for text in texts))

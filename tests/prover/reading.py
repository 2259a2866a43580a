"""Texts of the tests as trees and forms, for the tests of the family prover."""

from headwright import forms
from headwright.formulas import parse
from headwright.proofs.families.family import EVERYWHERE

NAMES = ("n", "eps", "t", "T", "s", "beta")


def tree(text, *names):
    return parse(text, names=[*NAMES, *names]).root


def form(text, ranges=EVERYWHERE, *names):
    return forms.number_of(tree(text, *names), ranges)

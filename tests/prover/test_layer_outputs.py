"""Layers given by formulas: wrong limits, values that outgrow the loss of their weight, outputs that are off for a while."""

from fractions import Fraction

import numpy as np
import pytest

from headwright.reading.formulas import parse
from headwright.theories.formulas.families.layer_outputs import LayerOutputs

BASIS = ("u", "v", "w")
TOKENS = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
Q, V = "(v*u')/beta^2", "I"
WANTED = {0: (0, 1, 0)}


def layer(q=Q, k="I", v=V, *, wanted=WANTED, tokens=TOKENS, error=Fraction(1, 100), given=None, **more):
    names = [*BASIS, "beta", *(given or {})]
    maps = {name: parse(text, names=names).root for name, text in (("Q", q), ("K", k), ("V", v))}
    return LayerOutputs(BASIS, tokens, wanted, maps, error, given=given or {}, **more)


def test_what_is_right_is_proved():
    assert layer().prove().status == "proved"
    assert (
        layer(wanted={0: (0, 1, 0), 1: (0, 0, 0)}, v="I-(u*u'+v*v'+w*w')/beta^2", q="0*I").prove().status == "undecided"
    )
    assert layer("v*u'+w*u'", v="2*I", wanted={0: (0, 1, 1)}).prove().status == "proved"
    assert layer("v*u'*log(beta)/beta^4").prove().status == "proved"
    assert layer(v="I+w*w'").prove().status == "proved"  # w loses faster than its value grows


def test_in_one_dimension_a_product_is_a_number():
    """uu' is a number there, and a number plus c·I has no value."""
    maps = {name: parse(text, names=["u", "beta"]).root for name, text in (("Q", "u*u'+0*I"), ("K", "I"), ("V", "I"))}
    claim = LayerOutputs(("u",), ((1,),), {0: (1,)}, maps, Fraction(1, 10))
    assert claim.prove().status == "undecided"


@pytest.mark.parametrize(
    ("q", "v", "wanted"),
    [
        ("w*u'/beta^2", "I", (0, 1, 0)),
        ("-v*u'/beta^2", "I", (0, 1, 0)),
        ("v*u'/beta^4", "I", (0, 1, 0)),  # the scores stay bounded
        ("v*u'/beta^5", "I", (0, 1, 0)),
        ("(v*u'+w*u')/beta^2", "I", (0, 1, 0)),
        ("(v*u'+w*u')/beta^2", "I", (0, 1, 1)),
        (Q, "2*I", (0, 1, 0)),
        (Q, "I", (0, 2, 0)),
        (Q, "I", (1, 1, 0)),
        (Q, "I+v*v'/beta^2", (0, 1, 0)),
        (Q, "I+u*v'/beta^2", (0, 1, 0)),
        (Q, "I/beta", (0, 1, 0)),
        (Q, "beta*I", (0, 1, 0)),
        ("v*u'*log(beta)/beta^4", "I+beta^2*u*w'", (0, 1, 0)),  # the value of w outgrows the loss of its weight
        ("v*u'*log(beta)/beta^4", "I-beta*u*w'", (0, 1, 0)),
        ("v*u'*log(beta)/beta^4", "I+u*w'/beta", (0, 1, 0)),
        ("v*u'/beta^2+0*log(1e6-beta)*I", "I", (0, 1, 0)),
        (Q, "I+0/(beta-beta^2+5)*I+0*log(100-beta)*I", (0, 1, 0)),
    ],
)
def test_what_is_wrong_is_not_proved(q, v, wanted):
    assert layer(q, v=v, wanted={0: wanted}).prove().status == "undecided"


def test_every_row_counts():
    assert layer(wanted={0: (0, 1, 0), 1: (0, 1, 0)}).prove().status == "undecided"
    both = "v*u'+v*v'"
    assert layer(both, wanted={0: (0, 1, 0), 1: (0, 1, 0)}).prove().status == "proved"
    assert layer(both, wanted={0: (0, 1, 0), 1: (0, 0, 1)}).prove().status == "undecided"


def test_the_row_asks_and_the_tokens_answer():
    assert layer("u*v'/beta^2").prove().status == "undecided"
    assert layer("v*u'/beta^2", "v*w'+w*v'", wanted={0: (0, 0, 1)}).prove().status == "proved"
    assert layer("I", "u*v'+v*u'", wanted={0: (0, 1, 0), 1: (1, 0, 0)}).prove().status == "proved"
    assert layer("I", "2*u*v'+v*u'", wanted={0: (1, 0, 0)}).prove().status == "undecided"
    assert layer("I", "u*v'", wanted={0: (0, 1, 0)}).prove().status == "proved"
    assert layer("I", "v*u'", wanted={0: (0, 1, 0)}).prove().status == "undecided"
    assert layer("I", "v*u'", wanted={1: (1, 0, 0)}).prove().status == "proved"


def test_weights_at_the_limit():
    """Scores ln 2, 0 and -∞ have weights 2/3, 1/3 and 0."""
    q = "(log(2)*v*u'-beta*w*u')/beta^4"
    assert layer(q, v="3*I", wanted={0: (1, 2, 0)}).prove().status == "proved"
    assert layer(q, v="3*I", wanted={0: (2, 1, 0)}).prove().status == "undecided"
    assert layer(q, v="I", wanted={0: (1, 1, 0)}).prove().status == "undecided"


@pytest.mark.parametrize(
    ("changes", "far", "status"),
    [
        ({"v": "2*I"}, 10, "refuted"),
        ({}, 10, "undecided"),
        ({"q": "v*u'*beta^-3"}, 2, "undecided"),  # off at β = 2, and right in the limit
        ({"v": "(1+1/beta)*I"}, 10, "undecided"),
        ({"v": "(1+1/log(log(beta+20)))*v*v'/beta^2"}, 10, "undecided"),  # right in the limit, which is not found
        ({"v": "(1+1/100+1/beta)*I"}, 10, "undecided"),  # the limit is off by no more than the error
        ({"v": "(2-9/beta)*I"}, 9, "undecided"),  # right at β = 9, and wrong in the limit
        ({"v": "(2-9/beta)*I"}, 90, "refuted"),
        ({"v": "beta*I"}, 90, "refuted"),
        ({"v": "I+0*log(100-beta)*I"}, 90, "undecided"),
        ({"v": "2*I+0*log(50-beta)*I"}, 90, "undecided"),
        ({"q": "0*I", "v": "beta*(u*u'-v*v')"}, 90, "undecided"),
        ({"wanted": {0: (0, 1, 0), 1: (1, 0, 0)}, "row": 1}, 90, "refuted"),
        ({"wanted": {0: (0, 1, 0), 1: (1, 0, 0)}, "row": 0}, 90, "undecided"),
    ],
)
def test_far_out(changes, far, status):
    assert layer(**{"row": 0, "far": Fraction(far), **changes}).prove().status == status


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, "proved"),
        ({"beta": Fraction(1)}, "refuted"),
        ({"v": "2*I"}, "refuted"),
        ({"v": "1.01*I", "q": "v*u'"}, "undecided"),  # off by the error exactly
        ({"v": "1.01*I", "q": "v*u'", "slack": Fraction(1, 10**6)}, "proved"),
        ({"v": "1.0101*I", "q": "v*u'", "slack": Fraction(1, 10**6)}, "refuted"),
        ({"v": "1.02*I", "q": "v*u'"}, "refuted"),
        ({"v": "3*I", "q": "0*I", "wanted": {0: (1, 1, 1)}, "error": Fraction(1, 10)}, "proved"),
        ({"v": "I", "q": "0*I", "wanted": {0: (1, 1, 1)}, "error": Fraction(1, 10)}, "refuted"),
        ({"v": "I+0.008*(u*v'+w*v')/beta^2"}, "refuted"),
        ({"v": "I+0.007*(u*v'+w*v')/beta^2"}, "proved"),
        ({"v": "C", "given": {"C": np.eye(3)}}, "proved"),
        ({"v": "C", "given": {"C": np.diag([1.0, 1.02, 1.0])}}, "refuted"),
        ({"q": "C", "given": {"C": np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, 0]])}}, "proved"),
        ({"q": "C", "given": {"C": np.array([[0.0, 1, 0], [0, 0, 0], [0, 0, 0]])}}, "refuted"),
        ({"v": "C", "given": {"C": np.eye(2)}}, "refuted"),
        ({"v": "C", "given": {"C": np.ones((2, 3))}}, "refuted"),
        (
            {"v": "0.03*u*u'/beta^2", "q": "v*u'", "wanted": {0: (0, 0, 0), 1: (0, 0, 0)}},
            "undecided",
        ),  # a tie in one row
        ({"q": "C", "given": {"C": np.ones((2, 3))}}, "refuted"),
        ({"v": "I/(beta-6)"}, "refuted"),
        ({"v": "I+0*log(beta-6)*I"}, "refuted"),
        ({"wanted": {0: (0, 1, 0), 1: (0, 1, 0)}}, "refuted"),
        ({"wanted": {1: (0, 1, 0), 0: (0, 1, 0)}}, "refuted"),
    ],
)
def test_one_beta(changes, status):
    assert layer(**{"beta": Fraction(6), **changes}).prove().status == status


@pytest.mark.parametrize(
    "changes",
    [
        {"tokens": ((1, 0), (0, 1), (0, 0))},
        {"tokens": ()},
        {"tokens": ((1.0, 0, 0), (0, 1, 0), (0, 0, 1))},
        {"tokens": ((True, 0, 0), (0, 1, 0), (0, 0, 1))},
        {"wanted": {}},
        {"wanted": {3: (0, 1, 0)}},
        {"wanted": {0: (0, 1)}},
        {"error": Fraction(0)},
        {"beta": Fraction(0)},
        {"beta": Fraction(-6)},
        {"beta": Fraction(6), "slack": Fraction(1)},
        {"row": 0},
        {"far": Fraction(9)},
        {"row": 0, "far": Fraction(1)},
        {"row": 1, "far": Fraction(9)},
        {"row": 0, "far": Fraction(9), "beta": Fraction(6)},
        {"given": {"C": np.eye(3)}},
        {"given": {"beta": np.eye(3)}, "beta": Fraction(6)},
        {"given": {"u": np.eye(3)}, "beta": Fraction(6)},
    ],
)
def test_what_is_not_judged(changes):
    with pytest.raises((ValueError, TypeError), match="`"):
        layer(**changes)


def test_a_claim_survives_its_own_record():
    claim = layer(beta=Fraction(6), slack=Fraction(1, 10**6), wanted={0: (0, 1, 0), 1: (1, 0, 0)})
    again = LayerOutputs.from_parts({}, claim.fields())
    assert again.fields() == claim.fields()
    assert (again.beta, again.slack, again.error) == (claim.beta, claim.slack, claim.error)

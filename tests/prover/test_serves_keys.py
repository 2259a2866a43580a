"""Queries at given keys: weights against mpmath, ties, lengths, slack, and formulas without a value."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from headwright.kernel import balls
from headwright.theories.formulas.families.family import QueryFamily
from headwright.theories.formulas.families.serves_keys import ServesKeys
from tests.prover.reading import tree

EYE = np.eye(4)
VECTORS = {"a": EYE[0], "b": EYE[1]}


def serves(*texts, keys=EYE, vectors=VECTORS, epsilon=Fraction(1, 2), slack=Fraction(0), basis=("a", "b"), **asked):
    family = QueryFamily(basis, len(texts), **asked)
    return ServesKeys(family, tuple(tree(text, *vectors) for text in texts), keys, vectors, epsilon, slack)


def weights(keys, queries, length=1):
    """The mean weights, by their definition."""
    with mpmath.workdps(40):
        total = [mpmath.mpf(0)] * len(keys)
        for query in queries:
            scores = [mpmath.fsum(mpmath.mpf(x) * y for x, y in zip(key, query, strict=True)) for key in keys.tolist()]
            scores[0] *= length
            powers = [mpmath.exp(score) for score in scores]
            total = [old + power / sum(powers) / len(queries) for old, power in zip(total, powers, strict=True)]
        return total


def test_weights_are_those_of_softmax(rng):
    for heads in (1, 2):
        keys = rng.standard_normal((5, 3))
        vectors = {name: rng.standard_normal(3) for name in ("a", "b")}
        texts = ["2*a-b/3+n*b/7", "a*eps+[1, 2, 3]"][:heads]
        claim = serves(*texts, keys=keys, vectors=vectors, epsilon=Fraction(1, 3))
        with balls.precision(128):
            queries = claim.queries()
            for length in (Fraction(1), Fraction(5, 2)):
                found = claim.weights(queries, length)
                plain = [[mpmath.mpf(float(balls.exact(x).mid())) for (x,) in query] for query in queries]
                wanted = weights(keys, plain, length=mpmath.mpf(float(length)))
                assert max(abs(float(w.mid()) - x) for w, x in zip(found, wanted, strict=True)) < 1e-13
                assert abs(sum(float(w.mid()) for w in found) - 1) < 1e-14


@pytest.mark.parametrize(
    ("texts", "changes", "status"),
    [
        (["9*(a+b)"], {}, "proved"),
        (["(a+b)"], {}, "refuted"),
        (["9*a+8*b"], {}, "refuted"),
        (["9*a+9.01*b"], {}, "proved"),
        (["8*a+9*b"], {"each": True}, "refuted"),
        (["9*a"], {}, "refuted"),
        (["18*a", "18*b"], {}, "proved"),
        (["18*a", "18*a"], {}, "refuted"),
        (["9*(a+b)", "9*(a+b)"], {"different": True}, "refuted"),
        (["9*(a+b)", "9*a+10*b-b"], {"different": True}, "refuted"),
        (["9*(a+b)", "9.5*(a+b)"], {"different": True}, "proved"),
        (["9*(a+b)", "exp(log(9))*(a+b)"], {"different": True}, "undecided"),
        (["0*a"], {"epsilon": Fraction(2)}, "proved"),
        (["0*a"], {"epsilon": Fraction(2), "vanishing": True}, "undecided"),
        (["0*a"], {"epsilon": Fraction(199, 100)}, "refuted"),
        (["9*(a+b)"], {"limit": Fraction(200), "each": True}, "proved"),
        (["9*(a+b)"], {"limit": Fraction(10), "each": True}, "refuted"),
        (["log(n/eps)*(a+b)"], {"limit": Fraction(2), "each": True, "slack": Fraction(1, 10**9)}, "proved"),
        (["log(n/eps)*(a+b)"], {"limit": Fraction(2), "each": True}, "undecided"),
        (["9*(a+b)"], {"lengths": (Fraction(1), Fraction(2))}, "refuted"),
        (["9*(a+b)"], {"lengths": (Fraction(2), Fraction(1))}, "refuted"),
        (["9*(a+b)+0/(n-4)*a"], {}, "refuted"),
        (["9*(a+b)+0*log(n-5)*a"], {}, "refuted"),
        (["9*(a+b)+0*a/(sqrt(5+2*sqrt(6))-sqrt(2)-sqrt(3))"], {}, "undecided"),
        (["9*(a+b)'"], {}, "undecided"),
        (["9*n"], {}, "undecided"),
        (["9*a*b'"], {}, "undecided"),
        (["[9, 9, 0]"], {}, "undecided"),
        (["[9, 9, 0, 0]"], {}, "proved"),
        (["(4e16+5-4e16)*(a+b)"], {}, "proved"),
        (["(4e16+1-4e16)*(a+b)"], {}, "refuted"),
        (["log(4)*(a+b)"], {}, "undecided"),  # a tie: two others, and (n-2)/eps = 4
        (["log(4)*(a+b)"], {"slack": Fraction(1, 10**9)}, "proved"),
        (["log(4)*(a+b)"], {"slack": Fraction(1, 10**9), "vanishing": True}, "refuted"),
        (["log(4)*(a+b)"], {"slack": Fraction(1, 10**9), "each": True}, "proved"),
        (["log(3.99)*(a+b)"], {"slack": Fraction(1, 10**9)}, "refuted"),
        (["log(3.99)*(a+b)"], {"slack": Fraction(1, 10**9), "each": True}, "refuted"),
    ],
)
def test_verdicts(texts, changes, status):
    assert serves(*texts, **changes).prove().status == status


def test_one_target():
    keys = np.eye(3)
    for text, status in (("9*a", "proved"), ("a", "refuted"), ("9*a+9*[0,1,0]", "refuted")):
        claim = serves(text, basis=("a",), keys=keys, vectors={"a": keys[0]})
        assert claim.prove().status == status


def test_the_keys_are_those_given():
    moved = EYE.copy()
    moved[2] = [0.9, 0.9, 0.0, 0.0]
    assert serves("9*(a+b)", keys=moved).prove().status == "refuted"
    moved[2] = [0.1, 0.1, 0.0, 5.0]
    assert serves("9*(a+b)", keys=moved).prove().status == "proved"
    assert serves("9*(a+b)+[0,0,0,2]", keys=moved).prove().status == "refuted"


@pytest.mark.parametrize(
    "changes",
    [
        {"keys": EYE[:1]},
        {"vectors": {"a": EYE[0], "b": np.ones(3)}},
        {"vectors": {**VECTORS, "n": EYE[2]}},
        {"vectors": {**VECTORS, "eps": EYE[2]}},
        {"vectors": {**VECTORS, "keys": EYE[2]}},
        {"epsilon": Fraction(0)},
        {"epsilon": Fraction(-1)},
        {"slack": Fraction(1)},
        {"slack": Fraction(-1, 10)},
    ],
)
def test_what_is_not_judged(changes):
    with pytest.raises(ValueError, match="`"):
        serves("9*(a+b)", **changes)


def test_one_tree_for_each_head():
    with pytest.raises(ValueError, match="`trees`"):
        ServesKeys(QueryFamily(("a", "b"), 2), (tree("a", "a"),), EYE, VECTORS, Fraction(1, 2))


def test_a_claim_survives_its_own_record():
    claim = serves("9*(a+b)", slack=Fraction(1, 10**6), epsilon=Fraction(1, 3))
    again = ServesKeys.from_parts(claim.arrays(), claim.fields())
    assert again.fields() == claim.fields()
    assert (again.epsilon, again.slack) == (claim.epsilon, claim.slack)

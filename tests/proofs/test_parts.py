"""What every claim has in common: how its parts are read, what its verdicts say, and which kinds a file may hold."""

import copy
import json
import math
import re
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel import HOMES
from headwright.kernel.claim import KINDS, at_least, at_most, class_of
from headwright.kernel.image import Image
from headwright.kernel.no_shorter import NoShorter
from headwright.kernel.no_smaller_error import NoSmallerError
from headwright.kernel.region import Region
from headwright.kernel.top_gap import TopGap
from headwright.kernel.withstands import Withstands
from headwright.search.random_keys.outcome import heads_of
from headwright.theories.formulas.families.exact_average import ExactAverage
from headwright.theories.formulas.forms.trees import Name
from headwright.theories.formulas.inequality import Inequality
from headwright.theories.matrices.layer_rows import LayerRows
from headwright.theories.matrices.low_rank import NearLowRank
from headwright.theories.matrices.reads_out import ReadsOut
from headwright.theories.matrices.singular_squares import SingularSquares, SingularTail
from headwright.theories.positions.row_sets import TableRows
from headwright.theories.positions.rows_apart import RowsApart
from headwright.theories.random_keys.weight_variance import WeightVariance
from headwright.theories.random_keys.with_probability import WithProbability
from tests.every_claim import CLAIMS
from tests.toy_claim import Toy

ONE = np.ones((1, 1, 1))
ROWS = LayerRows(np.array([[1.0], [0.5]]), ONE, ONE, ONE[0], {0: hw.Copy(0)}, Fraction(1, 2))


def test_parts_come_back():
    again = LayerRows.from_parts(ROWS.arrays(), ROWS.fields())
    assert again.fields() == ROWS.fields()
    assert again.outputs is None
    assert all((array == ROWS.arrays()[name]).all() for name, array in again.arrays().items())


@pytest.mark.parametrize("causal", [0, 1, None, "true", []])
def test_only_true_and_false_are_truths(causal):
    with pytest.raises(ValueError, match="`causal`"):
        LayerRows.from_parts(ROWS.arrays(), {**ROWS.fields(), "causal": causal})


def test_a_claim_may_have_a_scope_of_its_own():
    for kind, status, scope in (
        ("lead-decides", "proved", "all n >= 2, errors in (0, 1), keys and queries, by monotonicity in each score"),
        ("serves-family", "refuted", "the claim for all n >= 2, every error"),
    ):
        verdict = CLAIMS[kind].prove()
        assert (verdict.status, verdict.scope) == (status, scope)
        assert CLAIMS[kind].scope() != scope


def test_files_hold_our_own_claims_alone():
    assert Toy.kind not in KINDS
    assert KINDS.keys() == HOMES.keys() == CLAIMS.keys()
    assert all((claim.kind, claim.__module__) == (kind, HOMES[kind]) for kind, claim in KINDS.items())
    with pytest.raises(ValueError, match="unknown kind of claim 'toy'"):
        class_of("toy")


def test_the_law_of_the_keys_is_read():
    model = hw.GaussianKeys(np.eye(2), along={0: 0.25})
    claim = WeightVariance(model, heads_of(np.eye(2), [1.0, 0.0]), np.ones(2), "at most", Fraction(1))
    assert WeightVariance.from_parts(claim.arrays(), claim.fields()).fields() == claim.fields()
    for kind in (WeightVariance, hw.GaussianKeys):
        with pytest.raises(ValueError, match="`law`"):
            kind.from_parts(claim.arrays(), {**claim.fields(), "law": "scaled"})


@pytest.mark.parametrize("rows", [[0, 0], ["0"], [0.0], [True], [-1]])
def test_a_row_is_named_once_as_a_plain_number(rows):
    goal = ROWS.fields()["goals"][0][1]
    with pytest.raises((ValueError, TypeError), match="`goals`"):
        LayerRows.from_parts(ROWS.arrays(), {**ROWS.fields(), "goals": [[row, goal] for row in rows]})


def test_arrays_of_a_mapping_are_taken_exactly_and_come_back():
    for wrong in (np.array([[2**53 + 1]]), np.array([[np.nan]]), np.ones(1)):
        with pytest.raises(ValueError, match="`x`"):
            Inequality(Name("x"), ">", {}, {"x": wrong})
    claim = Inequality(Name("x"), ">", {}, {"x": np.ones((1, 1))})
    again = Inequality.from_parts(claim.arrays(), claim.fields())
    assert {name: x.tolist() for name, x in again.given.items()} == {"x": [[1.0]]}
    assert not again.given["x"].flags.writeable


def test_what_a_verdict_states_is_rounded_outward():
    third = Fraction(1, 3)
    most, least = at_most("it is", third, 3), at_least("it is", third, 3)
    assert Fraction(least["bound"]) < third < Fraction(most["bound"])
    assert (most["bound_text"], least["bound_text"]) == ("it is at most 0.334", "it is at least 0.333")
    assert at_most("it is", Fraction(10) ** 400)["bound"] is None  # nothing that float64 holds


def test_rationals_are_taken_exactly_or_refused():
    heads = hw.claims.Heads(np.eye(2), [[9.0, 0.0]], [1.0], 1)
    assert hw.claims.WithinError(heads, hw.Copy(0), "0.1").error == Fraction(1, 10)
    assert hw.claims.WithinError(heads, hw.Copy(0), 0.1).error == Fraction(0.1)
    with pytest.raises((TypeError, ValueError), match="`error`"):
        hw.claims.WithinError(heads, hw.Copy(0), "a tenth")
    with pytest.raises((TypeError, ValueError), match="`scale`"):
        hw.claims.Heads(np.eye(2), [[9.0, 0.0]], [1.0], None)


def test_a_rational_that_may_be_missing_is_taken_exactly_too():
    """As a float, 1 - 2^-60 less 1 would be rounded to 0, and the gap would be 1."""
    heads = hw.claims.Heads(np.array([[1.0], [2.0**-60]]), [[1.0]], [1.0], 1)
    claim = hw.claims.TopGap(heads, hw.Top(0), 1.0)
    assert type(claim.gap) is Fraction
    assert claim.prove().status == "refuted"
    assert hw.claims.TopGap(heads, hw.Top(0)).gap is None
    with pytest.raises((TypeError, ValueError), match="`gap`"):
        hw.claims.TopGap(heads, hw.Top(0), "wide")


EYE, LONG = np.eye(3), Fraction(2, 3**60)
SCALED = hw.ScaledKeys(EYE, {0: {"1/3": "1/7", "1.5": "6/7"}, 2: {"2/3": "1"}})
BLEND = hw.Blend({0: "1/3", 2: "2/3"})
# Records whose numbers are printed in other places than those of `every_claim`: laws, shares, images, profiles, long rationals.
FURTHER = {
    "scaled keys": WithProbability(SCALED, heads_of(EYE, 9 * EYE[0], scale=Fraction(2, 3)), BLEND, LONG, 1 - LONG),
    "many factors": WithProbability(
        hw.ScaledKeys(EYE, {0: {str(c): "1/5" for c in range(5)}}), heads_of(EYE, EYE[0]), hw.Copy(0), "0.1", "0.9"
    ),
    "a profile": Withstands(heads_of(EYE, EYE[0]), BLEND, LONG, Region(LONG, "ball", [[1.0], [0.5], [0.0]])),
    "a gap": TopGap(heads_of(EYE, EYE[0]), hw.Top(0), LONG, Region(1 - LONG, "box")),
    "an image": NoShorter(
        EYE, BLEND, 1 - LONG, LONG, 2 / LONG, [1.0, 1.0, 0.5], image=Image(EYE, [0.5, 0.0, 0.0], (0, 1, 2))
    ),
    "a norm": NoSmallerError(EYE, hw.Copy(0), LONG, Fraction(20 / 3), Fraction(1 / 3), [0.0, 1.0, 0.5]),
    "a share": ReadsOut(EYE, EYE[:, :1], None, Fraction(2, 3), Fraction(1 / 3), EYE[:, :1]),
    "squares": SingularSquares(EYE, 3 - LONG, 3 + LONG),
    "a tail": SingularTail(EYE, 2, Fraction(10**30 + 1, 10**15)),
    "a distance": NearLowRank(EYE, EYE[:, :1], EYE[:1], 1 + LONG, LONG, EYE, [1.0, 1.0, 1.0], EYE),
    "small next to a float": RowsApart(TableRows(EYE), Fraction(1, 10**15)),
}
EVERY = {**CLAIMS, **FURTHER}
SPELLED = re.compile(r"[+-]?\d+(/\d+)?(\.\d+)?(e[+-]?\d+)?")
CUT = re.compile(r"(-?\d+(?:\.(\d+))?(?:e(-?\d+))?)…")


def said(claim):
    """All that a verdict on the claim states about what was proved."""
    return "\n".join([claim.sentence(), claim.scope(), claim.about()])


def numbers_in(fields, at=()):
    """(where, number) for every number among the fields of a record."""
    if isinstance(fields, dict | list):
        for key, value in fields.items() if isinstance(fields, dict) else enumerate(fields):
            yield from numbers_in(value, (*at, key))
    elif not isinstance(fields, bool) and SPELLED.fullmatch(str(fields)):
        yield at, fields


def neighbours(number):
    """Numbers close by: the next floats of a float, and of a rational also one that is no float."""
    if isinstance(number, int):
        return [number + 1, number - 1]
    if isinstance(number, float):
        return [math.nextafter(number, way) for way in (math.inf, -math.inf)]
    value = Fraction(number)
    floats = [Fraction(math.nextafter(float(value), way)) for way in (9e99, -9e99)] if abs(value) < 10**90 else []
    rest = [value + Fraction(step, 10**40) for step in (1, -1)] + [value + step for step in (1, -1)]
    return [str(x) for x in floats + rest if x != value]


def changed(fields, at, number):
    again = copy.deepcopy(fields)
    inside = again
    for key in at[:-1]:
        inside = inside[key]
    inside[at[-1]] = number
    return again


def cuts(text, number):
    """Whether "…" follows leading digits of this number in the text."""
    for digits, decimals, power in CUT.findall(text):
        step = Fraction(10) ** (int(power or 0) - len(decimals))
        if 0 <= abs(Fraction(number)) - abs(Fraction(digits)) < step:
            return True
    return False


@pytest.mark.parametrize("name", EVERY)
def test_two_records_never_share_what_is_said(name):
    claim = EVERY[name]
    whole, fields = said(claim), json.loads(json.dumps(claim.fields()))
    for at, number in numbers_in(fields):
        for near in neighbours(number):
            try:
                other = type(claim).from_parts(claim.arrays(), changed(fields, at, near))
            except (ValueError, TypeError, KeyError, IndexError):
                continue  # no record has this number there
            if other.fields() != claim.fields():
                assert said(other) != whole or cuts(whole, number), (at, number, near, whole)


@pytest.mark.parametrize("name", EVERY)
def test_a_verdict_names_every_array(name):
    claim = EVERY[name]
    for own, array in claim.arrays().items():
        other = array.copy()
        other.flat[-1] = np.nextafter(other.flat[-1], np.inf)
        try:
            other = type(claim).from_parts({**claim.arrays(), own: other}, claim.fields())
        except ValueError:
            continue
        assert other.about() != claim.about(), own


def test_arrays_of_other_shape_or_place_have_other_digests():
    def digest(claim):
        return re.findall("#([0-9a-f]{8})", claim.about())

    wide, tall = (SingularSquares(np.arange(6.0).reshape(shape), 0, 55) for shape in ((2, 3), (3, 2)))
    assert len({*digest(wide), *digest(tall)}) == 2
    blocks = CLAIMS["runs-program"]
    *_, last = blocks.arrays()
    other = {**blocks.arrays(), last: blocks.arrays()[last] + 1}
    assert len(digest(blocks)) == 6 + 1 + 2  # six arrays, one for all the rest, and two tables
    assert digest(type(blocks).from_parts(other, blocks.fields()))[6] != digest(blocks)[6]


@pytest.mark.parametrize("law", [{"along": {0: 0.1}}, {"isotropic": 0.1}, {"isotropic": [0.25, 0.1, 0.25]}])
def test_sentences_tell_variances_apart(law):
    def moved(value):
        if isinstance(value, dict | list):
            near = {0: moved(value[0])} if isinstance(value, dict) else [*map(moved, value)]
            return near
        return math.nextafter(value, 0)

    near = {name: moved(value) for name, value in law.items()}
    assert hw.GaussianKeys(EYE, **law).describe() != hw.GaussianKeys(EYE, **near).describe()


def test_sentences_tell_probabilities_apart():
    said = {
        hw.ScaledKeys(EYE, {1: {1: p, 2: 1 - p}}).describe() for p in (LONG, 2 * LONG, Fraction(1, 3), Fraction(2, 3))
    }
    assert len(said) == 4


@pytest.mark.parametrize(("n", "sizes"), [(None, "n >= 3 keys"), (7, "7 keys"), (2, "2 keys")])
def test_a_claim_that_no_query_averages_says_over_how_many_keys(n, sizes):
    assert f"no finite query over {sizes} " in ExactAverage(("a", "b"), None, n).prove().claim


def test_a_low_rank_at_one_matrix_is_claimed_up_to_rounding():
    assert CLAIMS["low-rank-formula"].sentence().count("10^-9") == 2


def test_verdicts_say_what_they_are_about():
    verdict = hw.certify(EYE, 9 * EYE[0], hw.Copy(0), error="0.1")
    assert verdict.to_dict()["about"] == verdict.record.about()
    assert f"\n  about:       {verdict.record.about()}" in str(verdict)

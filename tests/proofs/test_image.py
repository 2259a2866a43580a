"""Queries W x + b: every claim speaks of the exact query, and bounds about all of an image count no other."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.claims import KINDS
from headwright.kernel import balls
from headwright.kernel.gap_norm import GapNorm
from headwright.kernel.heads import Heads
from headwright.kernel.hulls_meet import HullsMeet
from headwright.kernel.image import Image
from headwright.kernel.no_shorter import NoShorter
from headwright.kernel.no_smaller_error import NoSmallerError
from headwright.kernel.out_of_reach import OutOfReach
from headwright.kernel.region import Region
from headwright.kernel.top_gap import TopGap
from headwright.kernel.weight_bound import WeightBound
from headwright.kernel.within_error import WithinError
from headwright.kernel.withstands import Withstands
from tests import second_opinion, second_opinion_image

ONE = Fraction(1)
W = np.array([[1.0, 2.0], [0.0, 1.0], [3.0, -1.0]])
B = np.array([0.5, 0.0, -1.0])


def plain(image, x):
    """W x + b for small whole numbers, which float64 holds."""
    return np.atleast_2d(x) @ image.matrix.T + (0.0 if image.offset is None else image.offset)


@pytest.mark.parametrize("offset", [None, B])
def test_a_query_of_an_image_is_exact(offset, rng):
    matrix, x = rng.standard_normal((5, 3)), rng.standard_normal((2, 3)) * [1e-200, 1.0, 1e200]
    offset = None if offset is None else rng.standard_normal(5)
    heads = Heads(rng.standard_normal((4, 5)), x, [1.0, 1.0], 1, image=Image(matrix, offset))
    arrays = heads.arrays()
    assert [point.tolist() for point in heads.points] == second_opinion_image.queries(arrays)
    assert np.allclose(heads.rounded, plain(heads.image, x))


def test_nearest_numbers_are_rounded_once():
    vector = balls.Dyadics(np.array([2**60 + 1, -(2**54 + 2), 3], dtype=object), -1074)
    assert [Fraction(x) for x in vector.nearest()] == [
        Fraction(2) ** (60 - 1074),
        -(Fraction(2) ** (54 - 1074)),
        3 * Fraction(2) ** -1074,
    ]
    assert balls.Dyadics(np.array([1], dtype=object), 1100).nearest().tolist() == [np.inf]


def test_scores_of_an_exact_vector_lie_within_their_radii(rng):
    for _ in range(50):
        keys = rng.standard_normal((7, 4)) * 10.0 ** rng.integers(-160, 150, size=(7, 1))
        matrix = rng.standard_normal((4, 3)) * 10.0 ** rng.integers(-160, 100)
        point = Image(matrix, rng.standard_normal(4) * 1e-160).at(rng.standard_normal(3))
        midpoints, radii = balls.float_scores(keys, point)
        numerators, exponent = balls.exact_scores(keys, point)
        true = [number * Fraction(2) ** exponent for number in numerators]
        assert true == [sum(Fraction(a) * b for a, b in zip(key, point.tolist(), strict=True)) for key in keys.tolist()]
        for middle, radius, score in zip(midpoints.tolist(), radii.tolist(), true, strict=True):
            assert abs(Fraction(middle) - score) <= Fraction(radius)


def test_a_rounded_query_that_hides_the_exact_one_decides_nothing():
    """q = 1 + 2^-60 in exact arithmetic, and 1 in float64: only the first tells the keys apart."""
    keys = np.array([[1.0, 0.0], [0.0, 1.0]])
    image = Image([[1.0, 2.0**-60], [1.0, 0.0]])
    heads = Heads(keys, [[1.0, 1.0]], [1.0], 1, image=image)
    assert heads.rounded.tolist() == [[1.0, 1.0]]
    assert TopGap(heads, hw.Top(0)).prove().status == "proved"
    assert TopGap(heads, hw.Top(1)).prove().status == "refuted"
    half = WithinError(heads, hw.Copy(0), "1/2").prove()
    assert half.status == "proved"
    assert WithinError(heads, hw.Copy(1), "1/2").prove().status == "refuted"


def claims_of_heads():
    return {
        kind: claim for kind, claim in KINDS.items() if any(part.type == "Heads" for part in dataclasses.fields(claim))
    }


def test_every_claim_about_heads_speaks_of_the_image_or_refuses_it():
    """With whole numbers W x + b is a float64 query too: both claims get the same verdict, and x alone would get another."""
    from tests.every_claim import CLAIMS

    kinds = claims_of_heads()
    assert {"within-error", "top-gap", "withstands", "weight-bound"} < set(kinds)
    for kind in kinds:
        claim = CLAIMS[kind]
        keys = claim.heads.keys
        d = keys.shape[1]
        image = Image(2 * np.eye(d) + np.tri(d, k=-1), np.arange(1.0, d + 1))
        x = np.tile([1.0, -2.0, 3.0, 5.0][:d], (len(claim.heads.queries), 1))
        within = Heads(keys, x, claim.heads.mix, claim.heads.scale, image=image)
        if not kinds[kind].takes_image:
            with pytest.raises(ValueError, match="`heads`"):
                dataclasses.replace(claim, heads=within)
            continue
        same = dataclasses.replace(claim, heads=Heads(keys, plain(image, x), claim.heads.mix, claim.heads.scale))
        found, wanted = dataclasses.replace(claim, heads=within).prove(), same.prove()
        assert found.status == wanted.status
        assert found.bound == (None if wanted.bound is None else pytest.approx(wanted.bound, rel=1e-12))


@pytest.mark.parametrize("given", [
    {"matrix": np.zeros((3, 2))},
    {"matrix": np.ones(3)},
    {"matrix": [[np.nan]]},
    {"matrix": W, "offset": np.ones(2)},
    {"matrix": W, "span": ()},
    {"matrix": W, "span": (0, 0)},
    {"matrix": W, "span": (2,)},
])  # fmt: skip
def test_images_that_make_no_sense(given):
    with pytest.raises(ValueError):  # noqa: PT011 - each names its own part
        Image(**given)


def test_coordinates_and_keys_must_fit_the_image():
    for keys, x in ((np.eye(3), [[1.0, 2.0, 3.0]]), (np.eye(2), [[1.0, 2.0]])):
        with pytest.raises(ValueError, match=r"`(queries|keys)`"):
            Heads(keys, x, [1.0], 1, image=Image(W))
    with pytest.raises(ValueError, match="`precision`"):
        Heads(np.eye(3), [[1.0, 2.0]], [1.0], 1, "float16", Image(W))


def test_files_of_images_come_back(tmp_path):
    heads = Heads(np.eye(3), [[9.0, -4.0]], [1.0], 1, image=Image(W, B))
    claims = [
        WithinError(heads, hw.Copy(2), "0.01"),
        WithinError(dataclasses.replace(heads, image=Image(W)), hw.Copy(2), "0.01"),
        NoShorter(np.eye(3), hw.Copy(2), "0.01", 1, "1/10", [1.0, 1.0, 0.0], image=Image(W, B, (0, 1))),
    ]
    for k, claim in enumerate(claims):
        path = tmp_path / f"{k}.safetensors"
        hw.save(path, claim.prove())
        again = hw.verify(path)
        assert again.status == "proved"
        assert set(again.record.arrays()) == set(claim.arrays())
        assert again.record.stated() == claim.stated()


# Least norms: q = (x, 1) with keys along both axes, so that all numbers are known.
LINE = np.array([[1.0, 0.0], [-1.0, 0.0]])


def no_shorter(norm, *, image, keys=LINE, scale=1):
    return NoShorter(keys, hw.Copy(0), "1/10", scale, norm, [0.0, 1.0], image=image).prove().status


def test_a_least_norm_counts_only_what_the_image_reaches():
    """Copy(0) at 1/10 needs 2x >= ln 9. In the plane x = (1, 1)t that is ‖q‖ >= √2 ln 9 / 2; with b = (0, 3) it is √(9 + …)."""
    half = float(np.log(9) / 2)
    free, slanted, lifted = Image(np.eye(2)), Image([[1.0], [1.0]], span=(0,)), Image([[1.0], [0.0]], [0.0, 3.0], (0,))
    for image, least in ((None, half), (free, half), (slanted, 2**0.5 * half), (lifted, (9 + half**2) ** 0.5)):
        assert no_shorter(Fraction(least * (1 - 1e-12)), image=image) == "proved"
        assert no_shorter(Fraction(least * (1 + 1e-12)), image=image) == "undecided"
    assert (
        no_shorter(
            Fraction((36 + half**2 / 4) ** 0.5 * (1 - 1e-12)), image=Image([[2.0], [0.0]], [5.0, 6.0], (0,)), scale=2
        )
        == "proved"
    )
    assert (
        no_shorter(
            Fraction((36 + half**2 / 4) ** 0.5 * (1 + 1e-12)), image=Image([[2.0], [0.0]], [5.0, 6.0], (0,)), scale=2
        )
        == "undecided"
    )


def test_an_offset_that_helps_shortens_the_query():
    """Keys (±1, ±1) and q = (x, 1): the second coordinate already scores 2 of the ln 9 that are needed."""
    keys = np.array([[1.0, 1.0], [-1.0, -1.0]])
    x = float(np.log(9) / 2 - 1)
    image = Image([[1.0], [0.0]], [0.0, 1.0], (0,))
    assert no_shorter(Fraction((1 + x * x) ** 0.5 * (1 - 1e-12)), image=image, keys=keys) == "proved"
    assert no_shorter(Fraction((1 + x * x) ** 0.5 * (1 + 1e-12)), image=image, keys=keys) == "undecided"


def test_columns_that_do_not_span_the_image_prove_nothing():
    """Column 0 alone would allow (1, 1)t only; the image is the plane, in which shorter queries do it."""
    whole = Image([[1.0, 1.0], [1.0, 0.0]], span=(0,))
    assert no_shorter("1", image=whole) == "undecided"
    assert no_shorter("1", image=dataclasses.replace(whole, span=(0, 1))) == "proved"
    dependent = Image([[1.0, 2.0, -1.0], [1.0, 2.0, -1.0]], span=(1,))
    assert no_shorter("1.5", image=dependent) == "proved"
    assert no_shorter("1.5", image=dataclasses.replace(dependent, span=(0, 1))) == "undecided"  # not independent
    assert no_shorter("1.5", image=dataclasses.replace(dependent, span=None)) == "undecided"


def test_too_few_of_dependent_columns_prove_nothing():
    """Rank 2 of 3 columns: one of them is too few, any two that differ are enough."""
    image = Image([[1.0, 0.0, 1.0], [1.0, 1.0, 2.0], [0.0, 0.0, 0.0]], span=(0,))
    keys = np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    for span, status in (((0,), "undecided"), ((0, 1), "proved"), ((1, 2), "proved"), ((0, 1, 2), "undecided")):
        assert no_shorter("1", image=dataclasses.replace(image, span=span), keys=keys) == status


def test_least_norms_of_random_images_agree_with_fractions(rng):
    for _ in range(40):
        d, r = int(rng.integers(2, 6)), int(rng.integers(1, 5))
        n = int(rng.integers(3, 7))
        keys, matrix = rng.standard_normal((n, d)), rng.standard_normal((d, r))
        span = tuple(range(r)) if r <= d else None
        image = Image(matrix, rng.standard_normal(d) if rng.random() < 0.7 else None, span)
        witness = np.abs(rng.standard_normal(n))
        draft = NoShorter(keys, hw.Copy(0), "1/100", 1, 0, witness, image=image)
        bounds = [bound for _, _, bound in draft.bounds()]
        with balls.precision(256):
            low = balls.lower(bounds[-1])
        assert low is not None
        for factor in (1 - Fraction(1, 10**12), 1 + Fraction(1, 10**12)):
            claim = dataclasses.replace(draft, least=low * factor)
            said = {"true": "proved", "false": "undecided"}[second_opinion.judge(claim)]
            assert claim.prove().status == said


def reach(keys, goal, error, witness, **image):
    return OutOfReach(keys, goal, error, tuple((i, j, Fraction(x)) for i, j, x in witness), **image).prove()


def test_keys_that_an_image_does_not_tell_apart():
    keys = np.array([[0.0, 1.0], [0.0, -1.0], [5.0, 0.0]])
    image = Image([[1.0], [0.0]])
    witness = [(0, 1, 1)]
    assert reach(keys, hw.Copy(0), "0.4", witness, image=image).bound == 0.5
    assert reach(keys, hw.Copy(0), "0.4", witness).status == "undecided"
    turned = Image([[1.0], [2.0**-50]])
    assert reach(keys, hw.Copy(0), "0.4", witness, image=turned).status == "undecided"


@pytest.mark.parametrize(("lift", "scale"), [(0.25, 1), (-0.25, 1), (0.25, 4), (-3.0, "1/2")])
def test_an_offset_moves_the_error_that_is_out_of_reach(lift, scale):
    """Keys 0 and 1 differ by 2·lift·τ in score for every query: the weight of key 0 is at most 1/(1 + e^(-2 lift τ))."""
    keys = np.array([[0.0, 1.0], [0.0, -1.0], [5.0, 0.0]])
    image = Image([[1.0], [0.0]], [0.0, lift])
    best = 1 / (1 + np.exp(2 * lift * float(Fraction(scale))))
    for factor, status in ((1 - 1e-9, "proved"), (1 + 1e-9, "undecided")):
        found = reach(keys, hw.Copy(0), Fraction(best * factor), [(0, 1, 1)], image=image, scale=Fraction(scale))
        assert found.status == status
        if status == "proved":
            assert found.bound == pytest.approx(best, rel=1e-9)
            assert found.bound <= best * (1 + 1e-15)


def test_the_scale_of_what_is_out_of_reach():
    keys, image = np.array([[0.0, 1.0], [0.0, -1.0]]), Image([[1.0], [0.0]], [0.0, 1.0])
    for wrong in (
        {"image": image},
        {"scale": ONE},
        {"image": dataclasses.replace(image, offset=None), "scale": ONE},
        {"image": image, "scale": -ONE},
    ):
        with pytest.raises(ValueError, match="`scale`"):
            reach(keys, hw.Copy(0), "0.4", [(0, 1, 1)], **wrong)


@pytest.mark.parametrize(
    ("offset", "status"), [(None, "proved"), (0.0, "proved"), (-2.0, "proved"), (2.0, "undecided")]
)
def test_hulls_that_meet_on_an_image(offset, status):
    """On the first axis all keys are 0. An offset along the second one scores key 0 below or above the other."""
    keys = np.array([[0.0, 1.0], [0.0, -1.0]])
    image = Image([[1.0], [0.0]], None if offset is None else [7.0, offset])
    assert HullsMeet(keys, hw.Top(0), (0, 1), (1, 1), image=image).prove().status == status
    assert HullsMeet(keys, hw.Top(0), (0, 1), (1, 1)).prove().status == "undecided"
    assert HullsMeet(keys, hw.Top(0), (0, 1), (1, 1), image=Image([[1.0], [1.0]])).prove().status == "undecided"


@pytest.mark.parametrize(("gap", "status"), [("4.0001", "proved"), ("4", "undecided"), ("3.9999", "undecided")])
def test_a_gap_that_no_query_of_an_image_widens(gap, status):
    """Keys (0, ±1) and q = (x, 4) at scale 1/2: key 0 is ahead by exactly 4. Equal numbers on both sides change nothing."""
    keys, image = np.array([[0.0, 1.0], [0.0, -1.0]]), Image([[1.0], [0.0]], [7.0, 4.0])
    for weights in ((1, 1), (3, 3)):
        claim = HullsMeet(keys, hw.Top(0), (0, 1), weights, image=image, gap=Fraction(gap), scale=Fraction(1, 2))
        assert claim.prove().status == status
    for wrong in (
        {"gap": ONE},
        {"scale": ONE},
        {"gap": ONE, "scale": -ONE},
        {"gap": ONE, "scale": ONE, "image": Image([[1.0], [0.0]])},
    ):
        with pytest.raises(ValueError, match=r"`(gap|scale)`"):
            HullsMeet(keys, hw.Top(0), (0, 1), (1, 1), **{"image": image, **wrong})


def test_the_norm_that_a_gap_needs_on_an_image():
    """q = (x, 3): a gap of 1 between (±1, 0) needs x >= 1/2; between (±1, ±1/8) the offset gives 3/4 of it."""
    image = Image([[1.0], [0.0]], [0.0, 3.0], (0,))
    for keys, least in ((LINE, (9 + 1 / 4) ** 0.5), (np.array([[1.0, 0.125], [-1.0, -0.125]]), (9 + 1 / 64) ** 0.5)):
        for factor, status in ((1 - 1e-12, "proved"), (1 + 1e-12, "undecided")):
            claim = GapNorm(keys, hw.Top(0), ONE, ONE, Fraction(least * factor), [1.0, 1.0], image=image)
            assert claim.prove().status == status
    tight = GapNorm(LINE, hw.Top(0), ONE, 2 * ONE, Fraction(9 + 1 / 16) ** 1, [1.0, 1.0], image=image)
    assert dataclasses.replace(tight, least=Fraction(3)).prove().status == "proved"
    assert tight.prove().status == "undecided"


def no_smaller_error(max_norm, error, *, image, witness=(0.0, 1.0), scale=1):
    claim = NoSmallerError(LINE, hw.Copy(0), Fraction(max_norm), scale, Fraction(error), list(witness), image=image)
    return claim.prove().status


def test_a_least_error_counts_only_what_the_image_reaches():
    """Keys ±(1, 0): a query with first coordinate x leaves e^(-2x)/(1 + e^(-2x)) to the other key."""
    cases = (
        (None, 2.0, 2.0),
        (Image([[1.0], [1.0]], span=(0,)), 2.0, 2**0.5),
        (Image([[1.0], [0.0]], [7.0, 1.0], (0,)), 2.0, 3**0.5),
        (Image([[0.0], [1.0]], [0.25, 0.0], (0,)), 2.0, 0.25),  # b alone decides
    )
    for image, norm, x in cases:
        least = float(1 / (1 + np.exp(2 * x)))
        assert no_smaller_error(norm, least * (1 - 1e-10), image=image) == "proved"
        assert no_smaller_error(norm, least * (1 + 1e-10), image=image) == "undecided"
    half = float(1 / (1 + np.exp(3**0.5)))
    lifted = Image([[1.0], [0.0]], [7.0, 1.0], (0,))
    assert no_smaller_error(2.0, half * (1 - 1e-10), image=lifted, scale="1/2") == "proved"
    assert no_smaller_error(2.0, half * (1 + 1e-10), image=lifted, scale="1/2") == "undecided"


@pytest.mark.parametrize("witness", [(0.0, 0.0), (0.0, 1.0)])
def test_norms_below_the_distance_of_the_image(witness):
    image = Image([[1.0], [0.0]], [0.0, 3.0], (0,))
    assert no_smaller_error("2.999999", 1, image=image, witness=witness) == "proved"
    assert no_smaller_error("3", 1, image=image, witness=witness) == "undecided"
    assert no_smaller_error("2.999999", 1, image=dataclasses.replace(image, span=None), witness=witness) == "undecided"


@pytest.mark.parametrize("norm", ["box", "ball"])
@pytest.mark.parametrize("profile", [None, [[1.0], [0.5], [2.0]], [[1.0, 0.0, 2.0]], np.ones((3, 3)) + np.eye(3)])
def test_moved_keys_feel_the_exact_query(norm, profile):
    """One head and two, proved and refuted, like the plain query that W x + b is."""
    keys, image = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.0], [-1.0, 0.25, 1.0]]), Image(W, B)
    for x in ([[2.0, 3.0]], [[2.0, 3.0], [1.0, -1.0]]):
        mix = np.ones(len(x))
        within, same = Heads(keys, x, mix, 1, image=image), Heads(keys, plain(image, x), mix, 1)
        for radius in ("1/100", "3"):
            region = Region(Fraction(radius), norm, profile)
            for make in (
                lambda heads, region=region: Withstands(heads, hw.Copy(0), "1/3", region),
                lambda heads, region=region: WeightBound(heads, [0.0, 1.0, 0.0], "at most", "1/4", region),
                lambda heads, region=region: WeightBound(heads, [0.0, 1.0, 0.0], "at least", "1/8", region),
            ):
                found, wanted = make(within).prove(), make(same).prove()
                assert found.status == wanted.status
                assert found.bound == (None if wanted.bound is None else pytest.approx(wanted.bound, rel=1e-9))
        if len(x) == 1:
            assert (
                TopGap(within, hw.Top(0), None, region).prove().status
                == TopGap(same, hw.Top(0), None, region).prove().status
            )


def test_a_witness_may_be_multiplied_by_any_number():
    keys = np.array([[0.0, 1.0], [0.0, -1.0], [5.0, 0.0]])
    given = {"image": Image([[1.0], [0.0]], [0.0, 0.25]), "scale": ONE}
    bounds = {reach(keys, hw.Copy(0), "0.37", [(0, 1, number)], **given).bound for number in (1, 7, "1/3")}
    assert len(bounds) == 1
    assert bounds.pop() == pytest.approx(1 / (1 + np.exp(0.5)), rel=1e-12)
    assert {reach(keys, hw.Copy(0), "0.3776", [(0, 1, number)], **given).status for number in (1, 7, "1/3")} == {
        "undecided"
    }


@pytest.mark.parametrize("scale", ["1/2", 2])
def test_the_norm_of_a_gap_at_any_scale(scale):
    """q = (x, 3): a gap of 1 at scale τ between (±1, 0) needs x >= 1/(2τ)."""
    image, least = Image([[1.0], [0.0]], [0.0, 3.0], (0,)), (9 + 1 / (2 * float(Fraction(scale))) ** 2) ** 0.5
    for factor, status in ((1 - 1e-12, "proved"), (1 + 1e-12, "undecided")):
        claim = GapNorm(LINE, hw.Top(0), ONE, scale, Fraction(least * factor), [1.0, 1.0], image=image)
        assert claim.prove().status == status

"""design(..., within=W or (W, b)): the shortest query of an image, the proof that none of it is shorter, and refusals."""

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from tests.facts import is_mean, says

GOALS = (hw.Copy(0), hw.Average(0, 1), hw.Blend({0: "0.6", 1: "0.3", 2: "0.1"}))


def tight(design, *, to=1e-9):
    assert design.verdict.status == "proved"
    assert design.optimality.status == "proved"
    assert design.lower_bound <= design.norm * (1 + 1e-15)
    assert design.norm <= design.lower_bound * (1 + to)


def exact(design):
    """W x + b in Fractions."""
    matrix, offset = design.within
    b = np.zeros(len(matrix)) if offset is None else offset
    return [
        Fraction(b[i]) + sum(Fraction(w) * Fraction(x) for w, x in zip(matrix[i], design.coordinates[0], strict=True))
        for i in range(len(matrix))
    ]


@pytest.mark.parametrize("goal", GOALS, ids=str)
@pytest.mark.parametrize(("d", "r"), [(6, 4), (6, 6), (6, 9)])
@pytest.mark.parametrize("offset", [False, True])
def test_the_shortest_query_of_an_image(goal, d, r, offset, rng):
    keys, matrix, b = rng.standard_normal((5, d)), rng.standard_normal((d, r)), rng.standard_normal(d)
    made = hw.design(keys, goal, error=0.1, scale=0.5, within=(matrix, b) if offset else matrix)
    tight(made)
    assert made.coordinates.shape == (1, r)
    assert made.query.tolist() == [float(entry) for entry in exact(made)]
    assert made.norm >= hw.design(keys, goal, error=0.1, scale=0.5).lower_bound
    assert hw.certify(keys, made).status == "proved"
    assert hw.certify(keys, made, error="0.0999").status == "refuted"


def test_a_square_matrix_changes_nothing_but_the_coordinates(rng):
    keys, matrix = rng.standard_normal((40, 8)), rng.standard_normal((8, 8))
    free = hw.design(keys, hw.Copy(3))
    for within in (matrix, (matrix, rng.standard_normal(8))):
        assert hw.design(keys, hw.Copy(3), within=within).norm == pytest.approx(free.norm, rel=1e-10)


def test_a_query_that_the_offset_already_is():
    """b alone meets the error: x = 0 is the shortest, and no query of the image is shorter than b."""
    made = hw.design(np.eye(3), hw.Copy(2), within=([[1.0], [0.0], [0.0]], [0.0, 0.0, 9.0]))
    assert made.norm == pytest.approx(9)
    tight(made)


def test_columns_that_depend_on_each_other(rng):
    basis = rng.integers(-9, 9, (8, 3)).astype(float)
    matrix = basis @ rng.integers(-9, 9, (3, 12))
    keys = rng.standard_normal((4, 8))
    made, few = (hw.design(keys, hw.Copy(1), within=w) for w in (matrix, basis))
    tight(made)
    assert made.norm == pytest.approx(few.norm, rel=1e-9)
    assert len(made.optimality.record.image.span) == 3


def test_columns_that_nearly_depend_on_each_other(rng):
    """In exact arithmetic the rounded product has full rank: the proved bound is about all of that image, and is not tight."""
    matrix = rng.standard_normal((6, 2)) @ rng.standard_normal((2, 8))
    made = hw.design(rng.standard_normal((4, 6)), hw.Copy(1), within=matrix)
    assert made.verdict.status == made.optimality.status == "proved"
    assert made.lower_bound <= made.norm


@pytest.mark.parametrize("size", [1e-150, 1e150])
def test_columns_of_any_size(size, rng):
    matrix = rng.standard_normal((6, 4)) * [size, 1.0, 1.0, 1 / size]
    tight(hw.design(rng.standard_normal((4, 6)), hw.Copy(1), within=matrix))


def test_several_heads(rng):
    keys, matrix = rng.standard_normal((5, 6)), rng.standard_normal((6, 4))
    made = hw.design(keys, hw.Average(0, 3), heads=2, within=matrix)
    assert made.coordinates.shape == (2, 4)
    assert made.verdict.status == "proved"


def test_many_goals(rng):
    keys, matrix = rng.standard_normal((9, 8)), rng.standard_normal((8, 5))
    goals = [hw.Copy(j) for j in range(9)] + [hw.Average(0, 1)]
    for within in (matrix, (matrix, rng.standard_normal(8))):
        for goal, made in zip(goals, hw.design_many(keys, goals, error=0.2, within=within), strict=True):
            alone = hw.design(keys, goal, error=0.2, within=within, throw=False)
            assert type(made) is type(alone)
            if isinstance(made, hw.Design):
                tight(made, to=1e-8)
                assert made.norm == pytest.approx(alone.norm, rel=1e-8)
            else:
                assert made.best_error == alone.best_error


@pytest.mark.parametrize("offset", [False, True])
def test_what_no_query_of_the_image_does(offset, rng):
    """More keys than the image has directions: some lie in the hull of the others, although no key does in all of space."""
    keys, matrix = rng.standard_normal((12, 12)), rng.standard_normal((12, 2))
    within = (matrix, rng.standard_normal(12)) if offset else matrix
    refused = [hw.design(keys, hw.Copy(j), error=0.1, within=within, throw=False) for j in range(12)]
    refused = [each for each in refused if isinstance(each, hw.Unreachable)]
    assert len(refused) >= 3
    for each in refused:
        assert each.verdict.status == "proved"
        assert each.verdict.record.image is not None
        assert sum(each.witness.weights) == 1
        own = np.array([float(weight) for weight in each.witness.weights])
        mean = own @ (keys[list(each.witness.indices)] @ matrix)
        assert np.allclose(mean, keys[each.verdict.record.goal.index] @ matrix)  # a witness in the projected keys
        assert 0.1 <= each.best_error < 1


def test_equal_only_on_the_image():
    keys = np.array([[1.0, 0.0, 2.0], [1.0, 0.0, -2.0], [0.0, 1.0, 0.0]])
    refusal = hw.design(keys, hw.Copy(0), within=np.eye(3)[:, :2], throw=False)
    assert refusal.best_error == 0.5
    assert is_mean(keys[:, :2], 0, refusal.witness)  # of what the image keeps of the keys
    assert hw.design(keys, hw.Copy(0), within=np.eye(3)).verdict.status == "proved"


def test_a_file_holds_what_was_proved(tmp_path, rng):
    keys, within = rng.standard_normal((5, 6)), (rng.standard_normal((6, 4)), rng.standard_normal(6))
    made = hw.design(keys, hw.Copy(1), within=within)
    hw.save(tmp_path / "query.safetensors", made)
    record = hw.verify(tmp_path / "query.safetensors").record
    assert set(record.arrays()) == {"keys", "queries", "mix", "matrix", "offset"}
    assert np.array_equal(record.arrays()["queries"], made.coordinates)
    assert np.array_equal(record.arrays()["matrix"], within[0])
    again = hw.load(tmp_path / "query.safetensors")
    assert np.array_equal(again.coordinates, made.coordinates)
    assert np.array_equal(again.queries, made.queries)
    assert np.array_equal(again.within[1], within[1])
    assert (again.error, again.lower_bound, again.norm) == (made.error, made.lower_bound, made.norm)


@pytest.mark.parametrize("other", [np.eye(3)[:, :2], (np.eye(3)[:, 1:], np.ones(3)), (np.eye(3)[:, :2], np.zeros(3))])
def test_a_bound_that_is_about_another_image(other, tmp_path):
    made = hw.design(np.eye(3), hw.Copy(1), within=(np.eye(3)[:, :2], np.ones(3)))
    foreign = hw.design(np.eye(3), hw.Copy(1), within=other)
    changed = dataclasses.replace(made, prove_optimality=foreign.prove_optimality)
    assert (changed.optimality, changed.lower_bound) == (None, None)
    hw.save(tmp_path / "query.safetensors", changed)
    assert hw.load(tmp_path / "query.safetensors").optimality is None


def test_designs_within_are_shown_and_copied(rng):
    import copy
    import pickle

    made = hw.design(np.eye(3), hw.Copy(1), within=(rng.standard_normal((3, 2)), np.ones(3)))
    for again in (copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert np.array_equal(again.coordinates, made.coordinates)
        assert np.array_equal(again.within[0], made.within[0])
        assert hw.certify(np.eye(3), again).status == "proved"
    assert made.to_dict()["coordinates"] == made.coordinates.tolist()
    assert says(made.summary(), 3, 2)
    assert says(repr(made), 3, 2)


@pytest.mark.parametrize(
    ("within", "named"),
    [
        (np.zeros((3, 2)), "within"),
        (np.ones(3), "within"),
        (np.ones((2, 3)), "within"),
        ([[1.0], [np.nan], [0.0]], "within"),
        (np.empty((3, 0)), "within"),
        ("W", "within"),
        ((np.ones((3, 2)), np.ones(2)), "within"),
        ((np.ones((3, 2)), [1.0, 2.0, np.inf]), "within"),
        ((np.ones((3, 2)), None), "within"),
    ],
)
def test_bad_images_are_named(within, named):
    with pytest.raises((ValueError, TypeError), match=rf"`{named}"):
        hw.design(np.eye(3), hw.Copy(0), within=within)


@pytest.mark.parametrize("beside", [{"precision": "float16"}, {"method": "closed-form"}])
def test_what_does_not_go_with_an_image(beside):
    with pytest.raises(ValueError, match="`within`") as refused:
        hw.design(np.eye(3), hw.Copy(0), within=np.eye(3), **beside)
    assert f"`{next(iter(beside))}`" in str(refused.value)


def test_keys_that_vary_and_laws_have_no_image():
    with pytest.raises(ValueError, match="`within`"):
        hw.design(hw.GaussianKeys(np.eye(3), isotropic=0.1), hw.Copy(0), confidence=0.9, within=np.eye(3))
    made = hw.design(np.eye(3), hw.Copy(0), within=np.eye(3))
    with pytest.raises(ValueError, match="`design`"):
        hw.outcome(hw.GaussianKeys(np.eye(3), isotropic=0.1), made)


def test_float32_and_lists_are_taken_as_they_are():
    made = hw.design(np.eye(3), hw.Copy(0), within=np.eye(3, dtype=np.float32)[:, :2])
    assert made.within[0].dtype == np.float64
    assert hw.design(np.eye(3), hw.Copy(0), within=[[1, 0], [0, 1], [0, 0]]).norm == made.norm


@pytest.mark.parametrize("offset", [False, True])
@pytest.mark.parametrize(("d", "r"), [(6, 4), (5, 5), (4, 7)])
def test_the_shortest_query_with_a_gap(offset, d, r, rng):
    keys, matrix, b = rng.standard_normal((5, d)), rng.standard_normal((d, r)), rng.standard_normal(d)
    top = hw.Top(0, 1)
    made = hw.design(keys, top, scale=0.5, within=(matrix, b) if offset else matrix)
    tight(made)
    assert made.gap >= 1
    assert made.query.tolist() == [float(entry) for entry in exact(made)]
    assert hw.certify(keys, made).status == "proved"
    assert hw.certify(keys, made, gap="1.0001").status == "refuted"
    free = hw.design(keys, top, scale=0.5)
    assert made.norm >= free.lower_bound
    if r >= d:
        assert made.norm == pytest.approx(free.norm, rel=1e-9)


def test_a_gap_that_the_offset_already_gives():
    made = hw.design(np.eye(3), hw.Top(2), within=([[1.0], [0.0], [0.0]], [0.0, 0.0, 9.0]))
    assert made.norm == pytest.approx(9)
    tight(made)


def test_a_gap_that_no_query_of_the_image_has():
    keys = np.array([[0.0, 1.0], [0.0, -1.0], [1.0, 0.0]])
    line = np.array([[1.0], [0.0]])
    for within, gap in ((line, None), ((line, [3.0, -1.0]), None), ((line, [3.0, 0.25]), 1)):
        refusal = hw.design(keys, hw.Top(0), within=within, throw=False)
        assert isinstance(refusal, hw.Unreachable)
        assert refusal.verdict.status == "proved"
        assert refusal.verdict.record.gap == gap
        assert set(refusal.witness.indices) == {0, 1}
    assert hw.design(keys, hw.Top(0), within=(line, [3.0, 0.5])).gap >= 1


def test_a_copy_that_lies_inside_the_projected_hull_has_no_gap(rng):
    keys, matrix = rng.standard_normal((12, 9)), rng.standard_normal((9, 2))
    refused = [hw.design(keys, hw.Top(j), within=matrix, throw=False) for j in range(12)]
    refused = [each for each in refused if isinstance(each, hw.Unreachable)]
    assert len(refused) >= 3
    assert all(each.verdict.status == "proved" and each.verdict.record.image is not None for each in refused)


@pytest.mark.parametrize("goal", [*GOALS, hw.Top(0, 1)], ids=str)
@pytest.mark.parametrize("offset", [False, True])
def test_the_norm_of_a_design_gives_its_error_back(goal, offset, rng):
    keys, matrix = rng.standard_normal((6, 9)), rng.standard_normal((9, 5))
    within = (matrix, 0.3 * rng.standard_normal(9)) if offset else matrix
    asked = {} if isinstance(goal, hw.Top) else {"error": 0.1}
    made = hw.design(keys, goal, scale=0.5, within=within, **asked)
    assert made.exact_ratios
    best = hw.design(keys, goal, scale=0.5, within=within, max_norm=made.norm)
    assert best.verdict.status == best.optimality.status == "proved"
    assert best.norm <= made.norm * (1 + 1e-15)
    assert best.coordinates.shape == (1, 5)
    if isinstance(goal, hw.Top):
        assert best.gap == pytest.approx(made.gap, abs=1e-9)
    else:
        assert best.error == pytest.approx(made.error, abs=1e-9)
        assert best.error_lower_bound <= best.error <= best.error_lower_bound + 1e-9


@pytest.mark.parametrize("offset", [False, True])
def test_the_best_within_a_norm_and_an_image(offset, rng):
    """The best of the image is no better than the best of all, and its norm is that of Wx + b, exactly."""
    keys, matrix = rng.standard_normal((30, 8)), rng.standard_normal((8, 4))
    within = (matrix, 0.2 * rng.standard_normal(8)) if offset else matrix
    for goal in GOALS[:2]:
        made, free = (hw.design(keys, goal, max_norm="3/2", within=w) for w in (within, None))
        assert sum(entry * entry for entry in exact(made)) <= Fraction(9, 4)
        assert free.error_lower_bound <= made.error_lower_bound <= made.error <= made.error_lower_bound + 1e-9
        assert hw.certify(keys, made).status == "proved"


def test_norms_that_no_query_of_the_image_has(rng):
    keys, within = rng.standard_normal((6, 4)), (np.eye(4)[:, :2], [0.0, 0.0, 3.0, 4.0])
    for goal in (*GOALS, hw.Top(0)):
        refusal = hw.design(keys, goal, within=within, max_norm=4.999, throw=False)
        assert isinstance(refusal, hw.Unreachable)
        assert refusal.verdict.status == "proved"
        assert refusal.verdict.record.image is not None


def test_ratios_that_the_image_has_at_no_such_norm():
    """q = (x, 1) scores key 1 above key 0 by x - 3, and the ratio of 1 asks for x = 3."""
    keys, within = np.array([[0.0, 3.0], [1.0, 0.0], [-5.0, 0.0]]), ([[1.0], [0.0]], [0.0, 1.0])
    refusal = hw.design(keys, hw.Average(0, 1), within=within, max_norm=3, throw=False)
    assert isinstance(refusal, hw.Unreachable)
    assert refusal.verdict.status == "proved"
    assert refusal.verdict.bound == pytest.approx(10**0.5, rel=1e-9)
    assert hw.design(keys, hw.Average(0, 1), within=within, max_norm=3.2).error < 0.01


def test_many_goals_within_a_norm(rng):
    keys, matrix = rng.standard_normal((9, 8)), rng.standard_normal((8, 5))
    made = hw.design_many(keys, [hw.Copy(0), hw.Average(1, 2)], max_norm=2, within=matrix)
    alone = [hw.design(keys, goal, max_norm=2, within=matrix) for goal in (hw.Copy(0), hw.Average(1, 2))]
    assert [each.error for each in made] == [each.error for each in alone]


def test_key_sets_within_an_image(rng):
    """Batches: each verdict is about the exact query."""
    keys, matrix = rng.standard_normal((3, 4, 6)), rng.standard_normal((6, 4))
    design = hw.design(keys[0], hw.Copy(0), error=0.2, within=matrix)
    verdicts = hw.certify(keys, design)
    assert [verdicts[k].record.heads.image is not None for k in range(3)] == [True] * 3


def test_the_radius_of_a_design_within(rng):
    keys, within = rng.standard_normal((6, 5)), (rng.standard_normal((5, 3)), rng.standard_normal(5))
    made = hw.design(keys, hw.Copy(1), error=0.05, within=within)
    for norm in ("box", "ball"):
        found = hw.radius(keys, made, error=0.1, norm=norm)
        assert found.exact
        assert hw.certify(keys, made, error=0.1, radius=found.low, norm=norm).status == "proved"
        assert hw.certify(keys, made, error=0.1, radius=found.high, norm=norm).status == "refuted"
        plain = hw.radius(keys, made.query, hw.Copy(1), error=0.1, norm=norm)
        assert found.low == pytest.approx(plain.low, rel=1e-5)


@pytest.mark.parametrize("goal", [hw.Copy(0), hw.Average(0, 1), hw.Top(0)], ids=str)
@pytest.mark.parametrize("form", ["plain", "image", "moved image"])
def test_the_norm_that_is_shown_is_at_most_the_norm_that_is_met(goal, form, rng):
    """Rounding up must not show more than a norm that the exact query meets."""
    for max_norm in [7.25, 3.0, "1/3", "2.7", 0.1]:
        keys, matrix = rng.standard_normal((6, 9)), rng.standard_normal((9, 5))
        within = {"image": matrix, "moved image": (matrix, 0.01 * rng.standard_normal(9))}.get(form)
        made = hw.design(keys, goal, within=within, max_norm=max_norm, throw=False)
        if isinstance(made, hw.Design):
            assert Fraction(made.norm) <= made.max_norm
            assert made.norm >= 0.99 * float(made.max_norm)


def test_a_norm_that_is_not_met_is_shown_as_it_is(rng):
    matrix, x = rng.standard_normal((9, 5)), rng.standard_normal((1, 5))
    queries = x @ matrix.T
    length = float(np.linalg.norm(queries))
    plain = hw.Design(queries, [1.0], 1.0, hw.Copy(0), 0.1, np.ones(3) / 3, max_norm=Fraction(length) / 2)
    assert plain.norm == pytest.approx(length, rel=1e-14)
    formed = dataclasses.replace(plain, coordinates=x, within=(matrix, None))
    assert formed.norm == pytest.approx(length, rel=1e-14)
    exact = sum(sum(Fraction(w) * Fraction(c) for w, c in zip(row, x[0], strict=True)) ** 2 for row in matrix)
    close = Fraction(formed.norm)
    while close**2 >= exact:  # the largest float64 that the exact norm exceeds
        close = Fraction(math.nextafter(float(close), 0.0))
    assert dataclasses.replace(formed, max_norm=close).norm > close
    above = Fraction(math.nextafter(float(close), math.inf))
    assert dataclasses.replace(formed, max_norm=above).norm == above

"""certify over many key sets or many queries: each verdict is that of one alone, and statuses follow from a proved claim."""

import copy
import pickle

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.variation_of_each import VariationOfEach
from tests.facts import says

B, C, N, D = 3, 2, 6, 4


def same(verdicts, single):
    """Every verdict and status is the one that `single(place)` gives."""
    for place in np.ndindex(verdicts.shape):
        alone = single(place)
        assert verdicts.statuses[place] == verdicts[place].status == alone.status
        assert verdicts[place].claim == alone.claim
        assert verdicts[place].bound == alone.bound


@pytest.mark.parametrize("h", [1, 2])
def test_one_verdict_per_key_set(h, rng):
    keys, queries = rng.normal(size=(B, C, N, D)), 2 * rng.normal(size=(B, C, h, D))
    verdicts = hw.certify(keys, queries, hw.Copy(1), error=0.5, mix="equal")
    assert verdicts.shape == (B, C)
    same(verdicts, lambda at: hw.certify(keys[at], queries[at], hw.Copy(1), error=0.5, mix="equal"))
    assert isinstance(verdicts.whole.record, VariationOfEach)
    assert verdicts.whole.status == "proved"
    low, high = verdicts.bounds
    assert ((high <= 0.5) == (verdicts.statuses == "proved")).all()
    assert ((low > 0.5) == (verdicts.statuses == "refuted")).all()


@pytest.mark.parametrize("shape", [(D,), (B, D), (1, D), (B, 2, D), (1, 2, D)])
def test_the_axes_of_queries(shape, rng):
    keys, queries = rng.normal(size=(B, N, D)), rng.normal(size=shape)
    mix = "equal" if queries.ndim == 3 else None
    verdicts = hw.certify(keys, queries, hw.Average(0, 1), error=0.4, scale=2, mix=mix)
    per_set = (
        {1: queries[None], 2: queries[:, None], 3: queries}[queries.ndim] if queries.ndim > 1 else queries[None, None]
    )
    every = np.broadcast_to(per_set, (B, *per_set.shape[1:]))
    same(verdicts, lambda at: hw.certify(keys[at], every[at], hw.Average(0, 1), error=0.4, scale=2, mix="equal"))


@pytest.mark.parametrize("goal", [hw.Copy(1), hw.Top(1)])
def test_grouped_heads_read_the_keys_of_their_group(goal, rng):
    keys, queries = rng.normal(size=(B, C, N, D)), rng.normal(size=(B, 3 * C, D))
    verdicts = hw.certify(keys, queries, goal)
    assert verdicts.shape == (B, 3 * C)
    same(verdicts, lambda at: hw.certify(keys[at[0], at[1] // 3], queries[at], goal))


def test_goals_one_per_key_set(rng):
    keys = rng.normal(size=(B, C, N, D))
    goals = [[hw.Copy(0), hw.Average(1, 2)], [hw.Blend({3: 1, 4: 3}), hw.Copy(5)], [hw.Copy(1), hw.Copy(1)]]
    verdicts = hw.certify(keys, np.ones(D), goals, error="0.7")
    same(verdicts, lambda at: hw.certify(keys[at], np.ones(D), goals[at[0]][at[1]], error="0.7"))


@pytest.mark.parametrize("precision", [None, "bfloat16", "int8"])
def test_a_design_over_many_key_sets(precision, rng):
    keys = rng.normal(size=(N, D))
    moved = keys + np.array([0.0, 1e-3, 1.0])[:, None, None] * rng.normal(size=(3, N, D))
    design = hw.design(keys, hw.Copy(2), error="0.05", precision=precision)
    verdicts = hw.certify(moved, design)
    assert verdicts.statuses[0] == "proved"
    same(verdicts, lambda at: hw.certify(moved[at], design))
    assert hw.certify(moved, design, hw.Copy(0)).counts["refuted"] == 3
    same(hw.certify(moved, design, error="0.3"), lambda at: hw.certify(moved[at], design, error="0.3"))


def test_a_design_in_an_image_over_many_key_sets(rng):
    keys = rng.normal(size=(3, N, D))
    design = hw.design(keys[0], hw.Copy(2), error="0.3", within=rng.normal(size=(D, D)))
    verdicts = hw.certify(keys, design)
    assert verdicts.whole is None  # its exact queries are not float64 numbers
    assert verdicts.statuses[0] == "proved"
    same(verdicts, lambda at: hw.certify(keys[at], design))


@pytest.mark.parametrize(
    "options",
    [
        dict(goal=hw.Top(1)),
        dict(goal=hw.Top(1), gap=0.1),
        dict(goal=hw.Copy(1), error=0.5, radius=0.01),
        dict(goal=hw.Copy(1), error=0.5, radius=0.01, norm="ball"),
        dict(of=1, at_least=0.2),
        dict(of=np.arange(N), at_most=3),
        dict(goal=[hw.Top(1), hw.Copy(1), hw.Copy(2)]),
    ],
)
def test_every_other_question(options, rng):
    keys, query = rng.normal(size=(B, N, D)), rng.normal(size=D)
    verdicts = hw.certify(keys, query, **options)
    assert verdicts.whole is None
    assert verdicts.bounds is None

    def single(at):
        own = options | ({"goal": options["goal"][at[0]]} if isinstance(options.get("goal"), list) else {})
        return hw.certify(keys[at], query, **own)

    same(verdicts, single)


@pytest.mark.parametrize(
    ("model", "options"),
    [
        (False, dict(goal=hw.Copy(1), error="0.7")),
        (False, dict(goal=hw.Average(0, 2), error="0.7", scale="1/3")),
        (False, dict(goal=[hw.Copy(i) for i in range(5)], error=0.5)),
        (False, dict(goal=hw.Top(1), gap="0.1")),
        (False, dict(goal=hw.Copy(1), error="0.9", radius="0.01", norm="ball")),
        (False, dict(of=np.arange(N), at_most="5/2")),
        (True, dict(goal=hw.Copy(0), error="0.9", confidence="1/2")),
    ],
)
def test_each_row_is_a_query_of_its_own(model, options, rng):
    keys, queries = rng.normal(size=(N, D)), 3 * rng.normal(size=(5, D))
    given = hw.ScaledKeys(keys, {0: {0.5: 0.5, 1: 0.5}}) if model else keys
    verdicts = hw.certify(given, queries, **options, each=True)
    assert (verdicts.shape, verdicts.about) == ((5,), "query")

    def single(at):
        goal = options.get("goal")
        return hw.certify(given, queries[at], **options | {"goal": goal[at[0]] if isinstance(goal, list) else goal})

    same(verdicts, single)
    if "error" not in options or model or "radius" in options:
        assert verdicts.whole is None
        return
    assert says(verdicts.whole.claim, "each of 5 queries", "that query")
    assert verdicts.whole.record.keys.shape == (1, N, D)  # stored once


def test_the_mean_says_nothing_of_the_rows(rng):
    """The mean of 40 heads keeps 5 % of its weight at key 7 because nine of them look at it, and the other 31 do not."""
    keys = rng.normal(size=(24, 8))
    queries = rng.normal(size=(40, 8))
    queries[::5] += 3 * keys[7]
    queries[1] += 3 * keys[7]
    scores = queries @ keys.T
    weights = np.exp(scores)[:, 7] / np.exp(scores).sum(axis=1)
    assert np.abs(weights - 0.05).min() > 1e-6
    asked = dict(of=7, at_least="0.05")
    assert hw.certify(keys, queries, **asked, mix="equal").status == "proved"
    apart = hw.certify(keys, queries, **asked, each=True)
    assert (apart.statuses == "proved").tolist() == (weights > 0.05).tolist()
    assert apart.counts["refuted"] > 20


@pytest.mark.parametrize("goal", [hw.Copy(1), hw.Top(1)])
def test_many_queries_over_each_key_set(goal, rng):
    """Three heads of queries for each head of keys, five queries each: row by row, and one claim with the keys stored once."""
    keys, queries = rng.normal(size=(B, C, N, D)), rng.normal(size=(B, 3 * C, 5, D))
    verdicts = hw.certify(keys, queries, goal, each=True)
    assert repr(verdicts).startswith("Verdicts on 3×6×5 queries: ")
    same(verdicts, lambda at: hw.certify(keys[at[0], at[1] // 3], queries[at], goal))
    if isinstance(goal, hw.Copy):
        assert verdicts.whole.record.keys.shape == (B * C, N, D)
        assert says(verdicts.whole.claim, "each of 90 queries, 15 in turn over each of 6 key sets")


def test_the_queries_of_one_table_are_shown_and_saved_as_such(tmp_path):
    verdicts = hw.certify(np.eye(3), 9 * np.eye(3), hw.Copy(0), each=True)
    assert repr(verdicts) == "Verdicts on 3 queries: 1 proved, 2 refuted"
    assert verdicts.table()["query"] == [0, 1, 2]
    assert [row["status"] for row in verdicts.to_dict()["queries"]] == ["proved", "refuted", "refuted"]
    assert "3 queries" in verdicts._repr_html_()
    assert repr(pickle.loads(pickle.dumps(verdicts))) == repr(verdicts)
    hw.save(tmp_path / "c", verdicts)
    assert hw.verify(tmp_path / "c").claim == verdicts.whole.claim
    one = hw.certify(np.eye(3), 9 * np.eye(3)[:1], hw.Copy(0), each=True)
    assert (one.shape, one[0].status) == ((1,), "proved")


MODEL = hw.GaussianKeys(np.eye(3), along={0: 0.1})
TWO = 9 * np.eye(3)[:2]


@pytest.mark.parametrize(
    "ask",
    [
        lambda **given: hw.certify(np.eye(3), TWO, hw.Copy(0), **given),
        lambda **given: hw.certify(np.eye(3), TWO.tolist(), of=0, at_least="0.4", **given),
        lambda **given: hw.certify(np.eye(3)[None], TWO[None], hw.Copy(0), **given),
        lambda **given: hw.certify(np.eye(3)[None], TWO[None], of=1, at_most="0.6", **given),
        lambda **given: hw.certify(MODEL, TWO, hw.Copy(0), confidence="0.1", **given),
        lambda **given: hw.radius(np.eye(3), TWO, hw.Copy(0), error="0.6", **given),
        lambda **given: hw.outcome(np.eye(3), TWO, hw.Copy(0), **given),
        lambda **given: hw.outcome(MODEL, TWO, **given),
    ],
)
def test_several_rows_need_a_choice(ask):
    with pytest.raises(ValueError, match=r'`queries` has 2 rows.*`mix="equal"`.*`each=True`'):
        ask()
    together, apart = ask(mix="equal"), ask(each=True)
    assert not isinstance(together, list)
    assert len(apart) == (1 if getattr(apart, "shape", ()) == (1, 2) else 2)
    assert repr(ask(mix=[1, 1])) == repr(together)
    for wrong, error in (({"mix": "both"}, ValueError), ({"mix": [1]}, ValueError), ({"each": "yes"}, TypeError)):
        with pytest.raises(error, match=f"`{next(iter(wrong))}`"):
            ask(**wrong)
    with pytest.raises(ValueError, match=r"`mix`.*`each`"):
        ask(mix="equal", each=True)


@pytest.mark.parametrize("ask", [hw.certify, hw.radius, hw.outcome])
@pytest.mark.parametrize("given", [np.ones(3), hw.design(np.eye(3), hw.Copy(0), error="0.1"), np.ones((2, 4))])
def test_each_needs_rows_of_the_keys_dimension(ask, given):
    with pytest.raises(ValueError, match=r"`each|`queries`"):
        ask(np.eye(3), given, hw.Copy(0), each=True)


def test_each_of_a_radius_and_an_outcome_is_a_list_of_the_single_ones(rng):
    keys, queries = rng.normal(size=(N, D)), 9 * rng.normal(size=(3, D))
    options = dict(error="0.99", norm="ball", scale="1/2")
    radii = hw.radius(keys, queries, hw.Copy(0), **options, each=True)
    assert [repr(own) for own in radii] == [repr(hw.radius(keys, q, hw.Copy(0), **options)) for q in queries]
    model = hw.GaussianKeys(keys, isotropic=0.1)
    laws = hw.outcome(model, queries, hw.Copy(0), samples=64, seed=3, scale="1/2", each=True)
    for law, query in zip(laws, queries, strict=True):
        alone = hw.outcome(model, query, hw.Copy(0), samples=64, seed=3, scale="1/2")
        assert law.mean.tolist() == alone.mean.tolist()


def test_a_tie_is_decided_by_the_key_set_alone():
    keys = np.zeros((2, 2, 1))  # equal weights: the error of Copy is exactly 1/2
    keys[1, 0] = 1.0
    verdicts = hw.certify(keys, [1.0], hw.Copy(0), error="1/2")
    assert verdicts.statuses.tolist() == ["proved", "proved"]
    assert verdicts.bounds[1][0] > 0.5


def test_indexing_and_what_is_shown(rng):
    keys = np.stack([np.eye(3), -np.eye(3), np.eye(3)])
    verdicts = hw.certify(keys, [9.0, 0, 0], hw.Copy(0))
    assert repr(verdicts) == "Verdicts on 3 key sets: 2 proved, 1 refuted"
    assert [verdict.status for verdict in verdicts] == ["proved", "refuted", "proved"]
    assert verdicts[-1].status == "proved"
    assert verdicts[1] is verdicts[1]
    assert [verdict.status for verdict in verdicts[:2]] == ["proved", "refuted"]
    assert verdicts.counts == {"proved": 2, "refuted": 1, "undecided": 0}
    with pytest.raises(IndexError):
        verdicts[3]
    with pytest.raises(TypeError, match="truth"):
        bool(verdicts)
    with pytest.raises(hw.NotProved):
        verdicts.expect()
    assert hw.certify(keys[::2], [9.0, 0, 0], hw.Copy(0)).expect().counts["proved"] == 2
    with pytest.raises(AttributeError):
        verdicts.statuses = None
    with pytest.raises(ValueError, match="read-only"):
        verdicts.statuses[0] = "proved"
    grid = hw.certify(keys[None], [9.0, 0, 0], hw.Copy(0))
    assert (grid.shape, len(grid), grid[0, 1].status, [v.status for v in grid[0]][1]) == (
        (1, 3),
        1,
        "refuted",
        "refuted",
    )
    assert grid.table()["key set"] == [(0, 0), (0, 1), (0, 2)]
    assert verdicts.table()["status"] == ["proved", "refuted", "proved"]
    assert verdicts.to_dict()["counts"]["refuted"] == 1
    for other in (pickle.loads(pickle.dumps(verdicts)), copy.deepcopy(verdicts)):
        assert other.statuses.tolist() == verdicts.statuses.tolist()
        assert (other[1].status, other[1].claim) == ("refuted", verdicts[1].claim)
    assert pickle.loads(pickle.dumps(verdicts))[1].restored


def test_the_whole_can_be_saved(tmp_path, rng):
    verdicts = hw.certify(rng.normal(size=(B, N, D)), rng.normal(size=D), hw.Copy(1), error=0.5)
    hw.save(tmp_path / "all", verdicts)
    assert hw.verify(tmp_path / "all").status == "proved"


NAN = np.full((2, 3, 3), np.nan)
KEYS = np.stack([np.eye(3)] * 2)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (dict(design=np.ones((3, 3))), ValueError, r"`queries`.*\(2, 3\)"),
        (dict(design=np.ones((2, 4))), ValueError, "`queries`"),
        (dict(design=np.ones((1, 1, 1, 3))), ValueError, "`queries`"),
        (dict(design=np.ones((2, 3)), each=True), ValueError, r"`queries`.*\(2, m, 3\)"),
        (dict(design=np.ones(4)), ValueError, "`queries`"),
        (dict(keys=NAN), ValueError, "`keys`.*nan"),
        (dict(keys=np.ones((2,) * 7)), ValueError, "`keys`"),
        (dict(keys=np.ones((0, 3, 3))), ValueError, "`keys`.*empty"),
        (dict(goal=[hw.Copy(0)]), ValueError, r"`goal`.*\(2,\)"),
        (dict(goal=[hw.Copy(0), hw.Copy(3)]), ValueError, "`goal`"),
        (dict(goal=[hw.Copy(0), None]), TypeError, "`goal`"),
        (dict(goal=None), TypeError, "`goal`"),
        (dict(goal="copy"), ValueError, "`goal`"),
        (dict(error=0), ValueError, "`error`"),
        (dict(error="x"), ValueError, "`error`"),
        (dict(scale=-1), ValueError, "`scale`"),
        (dict(mix=[1.0, 1.0]), ValueError, "`mix`"),
        (dict(design=np.ones((2, 3)), mix="equal"), ValueError, r"`mix`.*\(\.\.\., h, d\)"),
        (dict(confidence=0.9), ValueError, "`confidence`"),
        (dict(at_least=0.9), ValueError, "`at_least`"),
        (dict(gap=0.9), ValueError, "`gap`"),
    ],
)
def test_refused(call, error, message):
    with pytest.raises(error, match=message):
        hw.certify(**({"keys": KEYS, "design": np.ones(3), "goal": hw.Copy(0)} | call))


@pytest.mark.parametrize(
    "options",
    [{"error": "0.3"}, {"max_norm": 2}, {"error": "0.3", "precision": "bfloat16"}, {"error": "0.3", "scale": 0.25}],
    ids=["error", "norm", "precision", "scale"],
)
def test_one_design_per_key_set(options, rng):
    """Each design is judged by its own goal, error and scale, and one claim holds the bounds of all."""
    keys = rng.normal(size=(B, C, N, D + N))
    goals = [[hw.Copy(0), hw.Average(1, 2)], [hw.Copy(3), hw.Copy(5)], [hw.Average(0, 5), hw.Copy(1)]]
    made = [[hw.design(keys[i, j], goals[i][j], **options) for j in range(C)] for i in range(B)]
    verdicts = hw.certify(keys, made)
    assert (verdicts.statuses == "proved").all()
    assert verdicts.whole.status == "proved"
    same(verdicts, lambda at: hw.certify(keys[at], made[at[0]][at[1]]))
    swapped = hw.certify(keys[::-1], made)
    assert swapped.counts["refuted"] > 0
    same(swapped, lambda at: hw.certify(keys[::-1][at], made[at[0]][at[1]]))
    same(hw.certify(keys, made, error="1e-9"), lambda at: hw.certify(keys[at], made[at[0]][at[1]], error="1e-9"))
    same(hw.certify(keys, made, hw.Copy(4)), lambda at: hw.certify(keys[at], made[at[0]][at[1]], hw.Copy(4)))


def test_designs_that_differ_are_judged_one_by_one(rng):
    keys = rng.normal(size=(4, N, D + N))
    made = [
        hw.design(keys[0], hw.Copy(0), scale=0.5),
        hw.design(keys[1], hw.Top(1)),
        hw.design(keys[2], hw.Copy(2), error="0.1", within=rng.normal(size=(D + N, D + N))),
        hw.design(keys[3], hw.Copy(3), error="0.1", radius=0.01),
    ]
    verdicts = hw.certify(keys, made)
    assert verdicts.whole is None
    assert verdicts.counts["proved"] == 4
    same(verdicts, lambda at: hw.certify(keys[at], made[at[0]]))
    assert [type(verdicts[i].record).__name__ for i in range(4)] == [
        "WithinError",
        "TopGap",
        "WithinError",
        "Withstands",
    ]


def test_lists_of_designs_that_are_refused(rng):
    keys = rng.normal(size=(2, N, D))
    good = hw.design(keys[0], hw.Copy(0), error="0.3", throw=False)
    good = good if isinstance(good, hw.Design) else hw.design(keys[0], hw.Copy(0), max_norm=1)
    refusal = hw.design(np.array([[0.0], [1.0], [2.0]]), hw.Copy(1), throw=False)
    assert isinstance(refusal, hw.Unreachable)
    for made in ([good, refusal], [refusal, good]):
        with pytest.raises(ValueError, match=r"`design`.*refusal"):
            hw.certify(keys, made)
    with pytest.raises(ValueError, match=r"`design`.*\(2,\)"):
        hw.certify(keys, [good])
    with pytest.raises(TypeError, match="`design`"):
        hw.certify(keys, [good, "design"])
    with pytest.raises(ValueError, match="`design`"):
        hw.certify(keys[0], [good, good])
    with pytest.raises(ValueError, match="`scale`"):
        hw.certify(keys, [good, good], scale=2)


@pytest.mark.parametrize("options", [{"radius": 0.01}, {}], ids=["radius", "top"])
def test_verdicts_that_are_judged_one_by_one_are_saved_so(options, rng, tmp_path):
    keys = rng.normal(size=(2, C, N, D))
    verdicts = hw.certify(keys, rng.normal(size=D), hw.Copy(0) if options else hw.Top(0), **options)
    with pytest.raises(ValueError, match=r"`verdict`.*`verdicts\[0, 0\]`"):
        hw.save(tmp_path / "all", verdicts)
    assert not (tmp_path / "all").exists()
    hw.save(tmp_path / "first", verdicts[0, 0])
    assert hw.verify(tmp_path / "first").status == verdicts[0, 0].status

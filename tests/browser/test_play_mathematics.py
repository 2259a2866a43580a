"""The playground's own mathematics, in a real browser, against the library: weights, queries, refusals, radii."""

from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from tests.browser.play_module import ERRORS, Module, apart, designed, scene, some_goal, some_keys

pytestmark = pytest.mark.needs("playwright")
CLOSE = 1e-6  # of a query's norm, or of 1


@pytest.fixture(scope="module")
def module(browser):
    return Module(browser)


def states(seed, count, dimensions, kinds=("copy", "average", "blend", "top"), keys=some_keys, **more):
    """Random scenes with their goals."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n, d = int(rng.integers(2, 13)), int(rng.choice(dimensions))
        own = keys(rng, n, d)
        goal = some_goal(rng, own, kinds)
        yield scene(own, goal, float(rng.choice(ERRORS)), scale=float(rng.choice([1, 0.5, 3])), **more), goal


def compared(module, pairs):
    """(scene, goal, what the module computes, what the library says) for each."""
    pairs = list(pairs)
    seen = module.compute([one for one, _ in pairs])
    for (one, goal), own in zip(pairs, seen, strict=True):
        yield one, goal, own, designed(one, goal)


def test_weights_are_those_of_attend(module, rng):
    """A thousand states: one to sixty keys, scores up to 600, equal keys, keys and queries of very different sizes."""
    scenes = []
    for _ in range(1000):
        n, d, h = int(rng.integers(1, 61)), int(rng.integers(1, 9)), int(rng.integers(1, 4))
        size, scale = 10.0 ** rng.uniform(-8, 8), 10.0 ** rng.uniform(-3, 3)
        keys, queries = rng.normal(size=(n, d)) * size, rng.normal(size=(h, d))
        keys[rng.integers(n)] = keys[rng.integers(n)]
        queries *= 10.0 ** rng.uniform(-2, np.log10(600)) / scale / np.abs(queries @ keys.T).max()
        scenes.append(scene(keys, None, scale=scale, queries=queries.tolist()))
    for one, own in zip(scenes, module.compute(scenes), strict=True):
        found = hw.attend(np.array(one["queries"]), np.array(one["keys"]), scale=one["scale"])
        assert np.abs(np.array(own["weights"]) - found.weights.mean(axis=0)).max() <= 1e-12
        assert np.abs(np.array(own["headWeights"]) - found.weights).max() <= 1e-12


def agrees(one, goal, own, made):
    """Whether the module says of a scene what the library says; the queries count where the library's ratios are exact."""
    said = f"{own['status']} {own['queries']} for {goal}, error {one['error']}, keys {one['keys']}; the library: {made}"
    if isinstance(made, hw.NotFound):
        assert own["status"] in ("not found", "met"), said
    elif isinstance(made, hw.Unreachable):
        assert own["status"] == "unreachable", said
        if made.best_error is not None:
            assert abs(own["bestError"] - made.best_error) <= CLOSE, said
    elif made.exact_ratios:
        assert own["status"] == "met", said
        assert apart(own["queries"][0], made.query) <= CLOSE, said
        return True
    else:
        assert own["status"] == "met", said
        assert own["error"] <= one["error"] * (1 + 1e-9), said
    return False


@pytest.mark.parametrize("seed", range(6))
def test_shortest_queries_in_the_plane(module, seed):
    equal = sum(agrees(*found) for found in compared(module, states(seed, 260, [2])))
    assert equal >= 168  # of which the queries themselves agree: more than a thousand for all seeds


@pytest.mark.parametrize("seed", range(10, 12))
def test_shortest_queries_in_more_dimensions(module, seed):
    equal = sum(agrees(*found) for found in compared(module, states(seed, 250, range(3, 9))))
    assert equal >= 220


def on_a_grid(rng, n, d):
    return rng.integers(-2, 3, size=(n, d)) * 2.0 ** rng.integers(-30, 30)


@pytest.mark.parametrize(("seed", "dimensions", "least"), [(20, [1, 2], 80), (21, [3, 4], 12)])
def test_keys_on_edges_and_equal_keys_are_decided_as_the_library_decides(module, seed, dimensions, least):
    """A key on an edge of the hull, collinear keys and equal keys are common on a small grid."""
    found = list(compared(module, states(seed, 300, dimensions, keys=on_a_grid)))
    assert sum(isinstance(made, hw.Unreachable) for *_, made in found) > least
    for some in found:
        agrees(*some)


def test_turns_in_the_plane_are_exact(module):
    """Points that float64 would call collinear, or not, by rounding alone; Python's fractions decide."""
    rng = np.random.default_rng(25)
    triples = []
    for _ in range(500):
        start, way = rng.normal(size=2), rng.normal(size=2)
        points = [start, start + way, start + way * rng.integers(2, 9)]
        if rng.integers(2):
            points[2][rng.integers(2)] += rng.choice([-1, 1]) * 2.0**-52
        triples.append([(point * 10.0 ** rng.choice([-170, 0, 150])).tolist() for point in points])
    triples += [[[0.5, 0.5], [12.0, 12.0], [24.0 + k * 2.0**-48, 24.0]] for k in range(-3, 4)]
    signs = set()
    for (o, a, b), own in zip(triples, module.each("turn", triples), strict=True):
        (ox, oy), (ax, ay), (bx, by) = ([Fraction(x) for x in point] for point in (o, a, b))
        exact = (ax - ox) * (by - oy) - (ay - oy) * (bx - ox)
        assert np.sign(own) == (exact > 0) - (exact < 0), (o, a, b)
        signs.add(int(np.sign(own)))
    assert signs == {-1, 0, 1}


def test_a_witness_is_a_mean_of_keys(module):
    count = 0
    for one, goal, own, _ in compared(module, states(30, 300, [1, 2, 3, 4], ("copy", "top"))):
        if own["status"] != "unreachable":
            continue
        keys, (names, weights) = np.array(one["keys"]), own["witness"].values()
        weights, named = np.array(weights), set(goal.indices)
        inside = [k for k, j in enumerate(names) if j in named]
        outside = [k for k, j in enumerate(names) if j not in named]
        mean = weights[outside] @ keys[[names[k] for k in outside]]
        assert weights.min() > 0
        assert abs(weights[outside].sum() - 1) < 1e-12
        if isinstance(goal, hw.Top):
            assert abs(weights[inside].sum() - 1) < 1e-12
            other = weights[inside] @ keys[[names[k] for k in inside]]
        else:
            assert not inside
            assert len(outside) <= keys.shape[1] + 1
            other = keys[goal.index]
        assert np.abs(mean - other).max() <= 1e-12 * np.abs(keys).max() * len(names)
        count += 1
    assert count > 25


def test_a_key_in_the_hull_is_copied_to_a_large_error(module):
    keys = [[0.0], [1.0], [2.0]]
    within, beyond = module.compute([scene(keys, hw.Copy(1), 0.7), scene(keys, hw.Copy(1), 0.6)])
    assert within["status"] == "met"
    assert beyond["status"] == "unreachable"
    assert abs(beyond["bestError"] - 2 / 3) < 1e-12
    assert beyond["error"] < 0.668


@pytest.mark.parametrize("seed", [40, 41])
def test_the_least_error_within_a_norm(module, seed):
    rng = np.random.default_rng(seed)
    pairs = []
    for one, goal in states(seed, 250, [1, 2, 2, 3, 5]):
        spread = np.ptp(np.array(one["keys"]), axis=0).max() or 1.0
        pairs.append(({**one, "max_norm": float(10.0 ** rng.uniform(-1, 1.5) / spread / one["scale"])}, goal))
    equal = 0
    for one, goal, own, made in compared(module, pairs):
        said = f"{own} for {one}; the library: {made}"
        if not isinstance(made, hw.Design):
            assert own["status"] == "unreachable" or isinstance(made, hw.NotFound), said
            continue
        assert own["norm"] <= one["max_norm"] * (1 + 1e-12), said
        if isinstance(goal, hw.Top):
            assert abs(own["gap"] - made.gap) <= CLOSE * max(1, made.gap), said
        else:
            # A flat minimum leaves the query open and not its error.
            assert abs(own["error"] - made.error) <= CLOSE, said
            assert own["status"] == ("met" if own["error"] <= one["error"] else "missed"), said
        equal += 1
    assert equal > 130


def test_one_head_for_each_target(module):
    rng = np.random.default_rng(50)
    pairs = []
    for one, goal in states(50, 160, [2, 3, 4], ("average", "blend")):
        more = {"heads": len(goal.indices)}
        if rng.integers(3) == 0:
            more["max_norm"] = 3.0 / np.abs(one["keys"]).max()
        pairs.append(({**one, **more}, goal))
    equal = 0
    for one, goal, own, made in compared(module, pairs):
        if isinstance(made, hw.Design):
            assert own["mix"] == pytest.approx(made.mix, abs=1e-15)
            assert max(map(apart, own["queries"], made.queries)) <= (1e-4 if one["max_norm"] else CLOSE), one
            equal += 1
        elif len(goal.indices) > 1:
            assert own["status"] == "not found", (one, made)
    assert equal > 50


def test_what_is_given_by_hand_is_judged(module):
    met, missed = module.compute(
        [scene(np.eye(2), hw.Average(0, 1), queries=q) for q in ([[9.0, 0], [0, 9.0]], [[9.0, 0]])]
    )
    assert (met["status"], missed["status"]) == ("met", "missed")
    assert missed["error"] == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize("kinds", [("copy",), ("average", "blend")])
def test_queries_that_withstand_moves(module, kinds):
    rng = np.random.default_rng(60)
    pairs = []
    for one, goal in states(60, 150, [2, 2, 3], kinds):
        size = np.abs(np.array(one["keys"]) - one["keys"][0]).max() or 1.0
        pairs.append(({**one, "radius": float(size * 10.0 ** rng.uniform(-6, -0.5))}, goal))
    seen, equal = module.compute([one for one, _ in pairs]), 0
    for (one, goal), own in zip(pairs, seen, strict=True):
        made = designed(one, goal, radius=one["radius"], norm="ball")
        said = f"{own} for {one}; the library: {made}"
        if isinstance(made, hw.Unreachable):
            assert own["status"] == "unreachable", said
        elif isinstance(made, hw.Design) and made.exact_ratios:
            assert own["status"] == "met", said
            assert apart(own["queries"][0], made.query) <= 10 * CLOSE, said
            equal += 1
    assert equal > 50


def test_how_far_keys_may_move(module):
    """The queries are designed for a smaller error than is asked, so that something is left."""
    pairs, queries = [], []
    for one, goal in states(70, 300, [1, 2, 3, 5]):
        made = designed({**one, "error": one["error"] / 3}, goal)
        if isinstance(made, hw.Design) and made.norm > 0:
            pairs.append(({**one, "queries": made.queries.tolist()}, goal))
            queries.append(made.queries)
    assert len(pairs) > 150
    for (one, goal), own, query in zip(pairs, module.compute([one for one, _ in pairs]), queries, strict=True):
        asked = {} if isinstance(goal, hw.Top) else {"error": str(one["error"])}
        found = hw.radius(np.array(one["keys"]), query, goal, norm="ball", scale=one["scale"], **asked)
        if np.isinf(found.high):
            assert own["radius"] is None
        else:
            assert own["radius"] == pytest.approx(found.low, rel=2 * CLOSE), (one, found)


def test_a_radius_for_several_heads_is_safe(module):
    rng = np.random.default_rng(80)
    keys = rng.normal(size=(6, 3))
    one = scene(keys, hw.Average(0, 1), 0.2, queries=(8 * keys[:2]).tolist())
    (own,) = module.compute([one])
    assert own["radius"] > 0
    verdict = hw.certify(
        keys, 8 * keys[:2], hw.Average(0, 1), error="0.2", radius=own["radius"] * 0.999, norm="ball", mix=[0.5, 0.5]
    )
    assert verdict.status == "proved"


def test_a_steady_query_does_not_feel_the_noise(module):
    """The library designs within the directions that the noise leaves free."""
    pairs = list(states(90, 150, [2, 3, 4]))
    scenes, free = [], []
    for one, _ in pairs:
        keys = np.array(one["keys"])
        key = keys[-1] if keys[-1].any() else np.eye(len(keys[0]))[0]
        one["keys"][-1] = key.tolist()
        scenes.append({**one, "steady": True, "noise": {"isotropic": 0, "along": {str(len(keys) - 1): 0.5}}})
        free.append(np.linalg.svd(key[None])[2][1:].T)
    equal = 0
    for one, (_, goal), own, within in zip(scenes, pairs, module.compute(scenes), free, strict=True):
        made = designed(one, goal, within=within)
        if own["queries"]:
            key = np.array(one["keys"][-1])
            assert abs(key @ own["queries"][0]) <= 1e-10 * np.linalg.norm(key) * max(own["norm"], 1e-300)
        # Longer queries use what rounding has left of the noise's direction.
        if isinstance(made, hw.Design) and made.exact_ratios and made.norm * np.abs(one["keys"]).max() < 1e12:
            assert own["status"] == "met", (one, goal, own["status"])
            assert apart(own["queries"][0], made.query) <= CLOSE, (one, goal, own["status"])
            equal += 1
        if isinstance(made, hw.Unreachable):
            assert own["status"] in ("unreachable", "not found"), (one, goal)
    assert equal > 60


def test_keys_of_many_dimensions(module, rng):
    wide, far = rng.normal(size=(30, 400)), rng.normal(size=(20, 5)) @ rng.normal(size=(5, 900)) + 7
    pairs = [(scene(wide, hw.Copy(3)), hw.Copy(3)), (scene(far, hw.Average(1, 2)), hw.Average(1, 2))]
    pairs += [(scene(wide, hw.Top(3, 4)), hw.Top(3, 4)), (scene(wide, hw.Copy(3), max_norm=0.3), hw.Copy(3))]
    for _one, goal, own, made in compared(module, pairs):
        if isinstance(made, hw.Design):
            assert apart(own["queries"][0], made.query) <= CLOSE, goal
        else:
            assert own["status"] in ("unreachable", "not found"), goal
    (own,) = module.compute([scene(rng.normal(size=(200, 200)), hw.Copy(0))])
    assert own["status"] == "too large"
    assert own["queries"] == []


def test_the_rows_of_a_layer(module, rng):
    tokens, goals = rng.normal(size=(5, 6)), [hw.Copy(1), hw.Average(0, 3), None, hw.Top(2), hw.Copy(4)]
    layer = [goal and scene(tokens, goal)["goal"] for goal in goals]
    (own,) = module.compute([scene(tokens, goals[1], layer=layer, row=1)])
    assert [row["status"] for row in own["rows"]] == ["met", "met", "no goal", "met", "met"]
    assert own["realisable"]
    for row, goal in zip(own["rows"], goals, strict=True):
        if goal is not None:
            assert apart(row["query"], designed(scene(tokens, goal), goal).query) <= CLOSE
    assert own["queries"][0] == own["rows"][1]["query"]
    twice = np.vstack([tokens[:4], tokens[0]])
    (own,) = module.compute([scene(twice, None, layer=[layer[0], None, None, None, layer[3]])])
    assert own["realisable"] is False  # the same token cannot have two queries


def test_whatever_comes_is_answered_in_numbers(module):
    rng = np.random.default_rng(100)
    scenes = []
    for one, _ in states(100, 200, [1, 2, 3]):
        keys = np.array(one["keys"]) * 10.0 ** rng.choice([-300, -160, -20, 20, 160, 300])
        more = {
            "radius": float(rng.choice([0, 1e-300, 1e300])),
            "error": float(rng.choice([1e-300, 1e-12, 0.5, 1 - 1e-12])),
        }
        more["max_norm"] = [None, 1e-300, 1e300][rng.integers(3)]
        more["queries"] = [None, None, [[1e300] * keys.shape[1]]][rng.integers(3)]
        scenes.append(
            {
                **one,
                **more,
                "keys": np.clip(keys, -1e308, 1e308).tolist(),
                "scale": float(10.0 ** rng.integers(-200, 200)),
            }
        )
    ordinary = {"met", "missed", "unreachable", "not found", "too large"}
    # JSON writes what is not a number as null.
    for one, own in zip(scenes, module.compute(scenes), strict=True):
        assert own["status"] in ordinary
        numbers = [
            own["norm"],
            *own["mix"],
            *own["weights"],
            *(x for part in ("queries", "scores") for row in own[part] for x in row),
        ]
        assert all(isinstance(x, int | float) for x in numbers), (one, own)

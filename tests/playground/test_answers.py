"""What the library answers about scenes. Every word "proved" is checked again with mpmath, fractions or samples."""

import json
import re
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright.kernel import budget
from headwright.playground import answers, noisy
from headwright.playground.answers import answer, answer_to
from headwright.playground.scene import Scene
from tests.playground.scenes import BAD, KEYS, average, blend, copy, texts, top

CORNERS = np.eye(3).tolist()
CONTRACT = {
    *(
        "status",
        "sentence",
        "bound",
        "queries",
        "mix",
        "weights",
        "norm",
        "lower_bound",
        "witness",
        "best_error",
        "radius",
    ),
    *("probability", "reason", "question"),
}
WORDS = {"proved", "refuted", "undecided", "unreachable", "not found", "no goal", "error"}


def told(question=None, **scene):
    return answer(Scene.of({"keys": KEYS, **scene}), question)


def exact_weights(keys, queries, mix, scale):
    """The mixed weights, with fifty digits."""
    with mpmath.workdps(50):
        total = [mpmath.mpf(0)] * len(keys)
        whole = mpmath.fsum(mix)
        for query, share in zip(queries, mix, strict=True):
            scores = [scale * mpmath.fdot(query, key) for key in keys]
            powers = [mpmath.exp(score - max(scores)) for score in scores]
            total = [t + share / whole * p / mpmath.fsum(powers) for t, p in zip(total, powers, strict=True)]
        return total


def exact_error(keys, found, goal, scale):
    """The total variation from the goal, with fifty digits."""
    wanted = dict(zip(goal.indices, goal.shares, strict=True))
    with mpmath.workdps(50):
        weights = exact_weights(keys, found["queries"], found["mix"], scale)
        shares = [
            mpmath.mpf(wanted.get(j, Fraction(0)).numerator) / wanted.get(j, Fraction(1)).denominator
            for j in range(len(keys))
        ]
        return mpmath.fsum(abs(w - s) for w, s in zip(weights, shares, strict=True)) / 2


def random_scene(rng):
    """A scene with a goal of every kind, its own queries or not, a norm budget or not, several heads or not."""
    n, d = int(rng.integers(2, 9)), int(rng.integers(1, 4))
    keys = np.round(rng.normal(size=(n, d)) * 3, int(rng.integers(0, 4)))
    many = int(rng.integers(1, min(n, 4)))
    named = rng.permutation(n)[:many].tolist()
    kind = rng.choice(["copy", "average", "blend", "top"])
    if kind == "copy":
        goal = copy(named[0])
    elif kind == "average":
        goal = average(*named)
    elif kind == "top":
        goal = top(*named)
    else:
        parts = rng.integers(1, 9, size=many).tolist()
        goal = {"goal": "blend", "indices": named, "shares": [str(Fraction(p, sum(parts))) for p in parts]}
    scene = {
        "keys": keys.tolist(),
        "goal": goal,
        "error": float(rng.choice([0.01, 0.1, 0.3])),
        "scale": float(rng.choice([1, 0.5, 3])),
    }
    way = rng.integers(4)
    if way == 0:
        scene["queries"] = (rng.normal(size=(int(rng.integers(1, n)), d)) * rng.choice([1, 10])).tolist()
    elif way == 1:
        scene["max_norm"] = float(rng.choice([0.5, 2, 8]))
    elif way == 2 and kind in ("average", "blend"):
        scene["heads"] = many
    return scene


@pytest.mark.parametrize("seed", range(12))
def test_a_verdict_on_a_random_scene_holds(seed, rng):
    words = []
    for _ in range(20):
        scene = Scene.of(random_scene(rng))
        found = answer(scene)
        words.append(found["status"])
        json.dumps(found, allow_nan=False)
        assert found["status"] in WORDS
        keys, goal = scene.keys.tolist(), scene.goal
        if found["status"] == "unreachable":
            check_witness(scene, found)
        elif found["status"] in ("proved", "refuted") and isinstance(goal, hw.Top):
            with mpmath.workdps(50):
                for query in found["queries"]:
                    scores = [mpmath.fdot(query, key) for key in keys]
                    rest = [score for j, score in enumerate(scores) if j not in goal.indices]
                    gap = min(scores[j] for j in goal.indices) - max(rest)
                    if found["status"] == "proved":
                        assert gap > 0
        elif found["status"] in ("proved", "refuted"):
            reached = exact_error(keys, found, goal, scene.scale)
            asked = (
                Fraction(str(scene.error)) if scene.max_norm is None or scene.queries is not None else found["bound"]
            )
            limit = (
                mpmath.mpf(asked.numerator) / asked.denominator if isinstance(asked, Fraction) else mpmath.mpf(asked)
            )
            assert (reached <= limit) == (found["status"] == "proved")
            assert found["bound"] >= reached if found["status"] == "proved" else found["bound"] <= reached
            if number := re.search(r"total variation ([\d.e-]+) of", found["sentence"]):
                assert (reached <= mpmath.mpf(number[1])) == (found["status"] == "proved")
    assert "proved" in words


def check_witness(scene, found):
    """The witness in fractions: for Copy, the key is the weighted mean of others; otherwise the library's verdict stands."""
    witness = found["witness"]
    if isinstance(scene.goal, hw.Copy) and scene.goal.index not in witness["indices"]:
        weights = [Fraction(weight) for weight in witness["weights"]]
        assert sum(weights) == 1
        assert min(weights) > 0
        for c in range(scene.keys.shape[1]):
            mean = sum(w * Fraction(scene.keys[j, c]) for j, w in zip(witness["indices"], weights, strict=True))
            assert mean == Fraction(scene.keys[scene.goal.index, c])
    assert found["sentence"].startswith("Proved: no query")


def test_a_badge_reads_well():
    assert told(goal=copy(3))["sentence"] == (
        "Proved: the weights of 1 head over 5 keys are within total variation 0.01 of Copy(3)."
    )
    assert told(goal=copy(4))["sentence"] == (
        "Proved: no query brings the weights over 5 keys within total variation 0.01 of Copy(4). "
        "Every query errs by at least 0.7729."
    )
    assert told(goal=copy(3), max_norm=1.5)["sentence"] == (
        "Proved: the weights of 1 head over 5 keys are within total variation 0.004048 of Copy(3). "
        "No query of norm at most 1.5 errs by less than 0.004047."
    )
    assert told(goal=copy(3), queries=[[0.2, 0.2]])["sentence"] == (
        "Refuted: the weights of 1 head over 5 keys are within total variation 0.01 of Copy(3). "
        "The total variation is at least 0.496."
    )


def test_an_answer_has_every_entry_of_the_contract():
    for found in (told(), told(goal=copy(3)), told(goal=copy(4)), answer_to({"number": 1, "text": "{"})):
        assert set(found) >= CONTRACT


def test_an_unreachable_goal_has_its_witness_and_the_best_error():
    found = told(goal=copy(4))
    assert found["status"] == "unreachable"
    assert found["witness"] == {"indices": [0, 1, 2], "weights": ["1/4", "1/2", "1/4"]}
    assert found["best_error"] == pytest.approx(0.7729171)
    assert found["queries"] is None


def test_a_design_has_its_norm_and_the_least_there_is():
    found = told(goal=copy(3))
    assert found["norm"] == pytest.approx(np.linalg.norm(found["queries"][0]), rel=1e-12)
    assert found["lower_bound"] <= found["norm"] <= found["lower_bound"] * (1 + 1e-9)
    assert sum(found["weights"]) == pytest.approx(1)


def test_a_least_norm_among_exact_ratios_is_not_sold_as_one_among_all():
    found = told(keys=CORNERS, goal=average(0, 1))
    assert found["status"] == "proved"
    assert found["lower_bound"] is None
    least = float(found["sentence"].split("No query with exact ratios is shorter than ")[1].rstrip("."))
    assert least <= hw.design(CORNERS, hw.Average(0, 1), error="0.01").lower_bound <= least * 1.001


def test_a_design_for_keys_that_move_keeps_its_error():
    found = told(goal=copy(3), radius=0.2)
    assert found["sentence"].endswith("however each key moves by at most 0.2 in Euclidean length.")
    assert found["radius"]["low"] >= 0.2
    rng = np.random.default_rng(0)
    for _ in range(200):
        moves = rng.normal(size=(5, 2))
        moved = np.array(KEYS) + 0.2 * moves / np.linalg.norm(moves, axis=1)[:, None]
        assert exact_error(moved.tolist(), found, hw.Copy(3), 1.0) <= 0.01


def test_the_radius_is_proved_from_below_and_nothing_is_left_by_a_shortest_query():
    assert told(goal=copy(3))["radius"]["low"] == 0
    own = told(goal=copy(3), queries=[[2, 2]])
    assert 0 < own["radius"]["low"] < own["radius"]["high"]
    low = own["radius"]["low"]
    assert hw.certify(KEYS, [[2.0, 2.0]], hw.Copy(3), error="0.01", radius=low, norm="ball").status == "proved"
    assert told(goal=copy(3), queries=[[0.2, 0.2]])["radius"] is None


@pytest.mark.parametrize(
    "scene",
    [
        {"keys": CORNERS, "goal": average(0, 1), "noise": {"isotropic": 0, "along": {"0": 0.25}}, "error": 0.1},
        {
            "keys": CORNERS,
            "goal": average(0, 1),
            "noise": {"isotropic": 0, "along": {"0": 0.25}},
            "error": 0.1,
            "heads": 2,
        },
        {"goal": copy(3), "noise": {"isotropic": 0.05, "along": {}}, "error": 0.05},
        {
            "goal": copy(3),
            "noise": {"isotropic": 0.01, "along": {"3": 0.5}},
            "error": 0.1,
            "queries": [[0.3, 0.1]],
            "scale": 2,
        },
        {"goal": copy(1), "noise": {"isotropic": 1, "along": {}}, "queries": [[-1, 2]]},
    ],
)
def test_a_probability_is_proved_and_samples_agree(scene):
    own = Scene.of({"keys": KEYS, **scene})
    found = answer(own)
    assert found["probability"]["proved"]
    low, high = found["probability"]["low"], found["probability"]["high"]
    drawn, queries = own.model.sample(20_000, seed=1), np.array(found["queries"])
    scores = own.scale * np.einsum("hd,snd->shn", queries, drawn)
    powers = np.exp(scores - scores.max(axis=2, keepdims=True))
    weights = np.einsum("h,shn->sn", found["mix"], powers / powers.sum(axis=2, keepdims=True))
    errors = np.abs(weights - own.goal.weights(len(own.keys))).sum(axis=1) / 2
    share = (errors <= own.error).mean()
    spread = 5 * np.sqrt(
        max(share * (1 - share), 1e-4) / len(errors)
    )  # five deviations: one in two million is further off
    assert low - spread <= share <= high + spread
    word = {"proved": "with probability at least", "refuted": "with probability above"}[found["status"]]
    assert word in found["sentence"]
    said = float(found["sentence"].split(word)[1].split()[0])
    assert said <= low if found["status"] == "proved" else said >= high


def test_a_steady_query_does_not_feel_the_noise():
    keys = [[4, 3], [-3, 4], [-1, -5], [-3, -1]]
    noise = {"isotropic": 0, "along": {"0": 0.25}}
    found = told(keys=keys, goal=copy(1), steady=True, noise=noise, error=0.05)
    assert found["status"] == "proved"
    assert found["probability"]["low"] == pytest.approx(1)
    assert abs(np.dot(found["queries"][0], keys[0])) < 1e-12
    refused = told(keys=keys, goal=copy(0), steady=True, noise=noise, error=0.05)
    assert refused["status"] == "unreachable"
    assert "that does not feel the noise along keys" in refused["sentence"]
    assert "Every such query errs" in refused["sentence"]


@pytest.mark.parametrize("along", [{"0": 1}, {"0": 1, "1": 1}, {"2": 1, "4": 1}])
def test_a_steady_query_in_three_dimensions(along, rng):
    keys = rng.normal(size=(5, 3)).tolist()
    found = told(keys=keys, goal=copy(3), steady=True, noise={"isotropic": 0, "along": along}, error=0.2)
    if found["status"] != "unreachable":
        for j in along:
            assert abs(np.dot(found["queries"][0], keys[int(j)])) < 1e-9 * max(1, found["norm"])


def test_noise_in_every_direction_leaves_no_steady_query():
    noise = {"isotropic": 0, "along": {"1": 1, "2": 1}}
    found = told(goal=copy(3), steady=True, noise=noise)
    assert found["status"] == "not found"
    assert "span the whole space" in found["reason"]


def test_a_layer_is_proved_row_by_row():
    layer = [copy(1), copy(2), None]
    found = told(keys=CORNERS, goal=copy(1), layer=layer, row=0)
    assert found["status"] == "proved"
    assert "2 rows attend within total variation 0.01" in found["sentence"]
    assert exact_error(CORNERS, found, hw.Copy(1), 1.0) <= 0.01
    assert told(keys=CORNERS, goal=None, layer=[None] * 3)["status"] == "no goal"
    for other in ({"heads": 2}, {"noise": {"isotropic": 1, "along": {}}}, {"goal": copy(2)}, {"radius": 0.1}):
        wrong = told(**{"keys": CORNERS, "goal": copy(1), "layer": layer, **other})
        assert wrong["status"] == "error"
        assert wrong["sentence"] == ""
    unreachable = told(goal=copy(4), layer=[copy(4), None, None, None, None])
    assert unreachable["status"] == "unreachable"


def test_what_the_library_refuses_is_an_error_in_words():
    found = told(goal=copy(3), heads=2)
    assert found["status"] == "error"
    assert found["reason"] == "`heads` must be 1 or the number of targets (1) for fixed keys, got 2"
    assert told(goal=top(1), noise={"isotropic": 1, "along": {}})["status"] == "undecided"


def test_an_internal_error_reaches_the_page_as_words(monkeypatch):
    def breaks(scene):
        raise RuntimeError("first line\nsecond line")

    monkeypatch.setattr(answers, "designed", breaks)
    found = told(goal=copy(3))
    assert (found["status"], found["reason"]) == ("error", "The library failed: RuntimeError: first line second line")


def test_a_proof_that_takes_long_is_left_undecided(monkeypatch):
    def long(scene):
        budget.spend(10**15)

    monkeypatch.setattr(answers, "designed", long)
    found = told(goal=copy(3))
    assert found["status"] == "undecided"
    assert "more work than the playground waits for" in found["reason"]


def test_a_probability_that_takes_long_to_prove_is_estimated(monkeypatch):
    monkeypatch.setattr(noisy, "_FOR_A_SIDE", 10)
    found = told(goal=copy(3), noise={"isotropic": 0.05, "along": {}}, error=0.05)
    assert found["status"] == "undecided"
    assert found["probability"]["proved"] is False
    assert "estimated" in found["sentence"]


def test_hundreds_of_heads_under_noise_do_not_keep_the_kernel(monkeypatch):
    taken = []
    sampled = noisy.probability_met
    monkeypatch.setattr(
        noisy, "probability_met", lambda *given, **own: taken.append(own["samples"]) or sampled(*given, **own)
    )
    noise, keys = {"isotropic": 0.05, "along": {}}, np.eye(300, 2).tolist()
    for queries in ([[1, 1]], [[1, 1]] * 100):
        assert told(keys=keys, goal=copy(0), queries=queries, noise=noise)["status"] in WORDS - {"error"}
    assert taken == [4096, 666]
    found = told(keys=keys, goal=copy(0), queries=[[1, 1]] * 300, noise=noise)
    assert (found["status"], found["probability"]) == ("undecided", None)
    assert found["sentence"] == "Undecided: 300 heads over 300 keys that vary are too many for the playground."


@pytest.mark.parametrize("name", BAD)
def test_garbage_is_answered_with_its_own_text(name):
    text = texts(BAD)[name]
    found = answer_to({"number": 3, "text": text, "question": None})
    assert (found["status"], found["number"], found["text"]) == ("error", 3, text)
    assert found["reason"].endswith(".")
    assert found["sentence"] == ""


def test_an_answer_names_the_question_it_is_about():
    question = {"goal": copy(3), "error": 1e-7, "confidence": None}
    text = Scene.of({"goal": copy(3)}).text
    assert answer_to({"number": 3, "text": text, "question": question})["posed"] == question
    assert answer_to({"number": 3, "text": "{", "question": question})["posed"] == question
    assert answer_to({"number": 3, "text": text})["posed"] is None


def test_a_norm_budget_is_never_said_to_be_larger_than_it_is():
    found = told(goal=copy(3), max_norm=0.12345678)
    assert "No query of norm at most 0.123456 errs by less than" in found["sentence"]


@pytest.mark.parametrize("asked", [None, [], "text", {}, {"text": 7}, {"text": None, "number": "x"}, {"number": {}}])
def test_a_page_that_asks_nonsense_is_answered(asked):
    found = answer_to(asked)
    assert (found["status"], found["text"]) == ("error", None)


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ({"goal": copy(3), "error": 0.02}, "proved"),
        ({"goal": copy(3)}, "proved"),
        ({"goal": copy(1), "error": 0.02}, "refuted"),
        ({"goal": top(3)}, "proved"),
        ({"goal": top(1)}, "refuted"),
        ({"goal": copy(3), "error": "0.02", "radius": 0.001}, "proved"),
        ({"goal": copy(3), "error": "0.02", "radius": 5}, "refuted"),
        ({"goal": copy(3), "error": "0.02", "radius": -1}, "error"),
        ({"goal": copy(3), "error": "0.02", "radius": 1, "confidence": 0.5}, "error"),
        ({"goal": copy(3), "error": 0.02, "layer": [copy(3)]}, "error"),
        ({"goal": copy(9)}, "error"),
        ({"goal": None}, "error"),
        ({"goal": copy(3), "error": 7}, "error"),
        ({"goal": copy(3), "error": "1/0"}, "error"),
        ({"goal": copy(3), "error": [1]}, "error"),
        ({"goal": copy(3), "confidence": 0.9}, "error"),
        ([], "error"),
        ("goal", "error"),
    ],
)
def test_a_question_is_judged_on_the_heads_of_the_scene(question, status):
    found = told(question, goal=copy(3))
    assert found["status"] == "proved"
    assert found["question"]["status"] == status
    assert found["question"]["sentence"].startswith(status.capitalize() if status != "error" else ("The ", "A "))


def test_a_question_with_a_confidence_is_about_the_noise():
    scene = {"keys": CORNERS, "goal": average(0, 1), "noise": {"isotropic": 0, "along": {"0": 0.25}}, "error": 0.1}
    heads = {"heads": 2, **scene}
    ask = {"goal": average(0, 1), "error": 0.1, "confidence": 0.9}
    assert told(ask, **scene)["question"]["status"] == "refuted"
    assert told(ask, **heads)["question"]["status"] == "proved"
    still = told({"goal": average(0, 1), "error": 0.1}, **scene)["question"]
    assert still["status"] == "proved"
    assert "without their noise" in still["sentence"]


def test_a_question_without_heads_has_no_verdict():
    found = told({"goal": copy(3), "error": 0.5}, goal=copy(4))
    assert found["question"]["status"] == "error"
    assert told({"goal": blend(_0="1/2", _1="1/2")})["question"]["status"] == "error"


def test_an_error_of_nothing_is_not_told_as_one():
    """With two keys the half is exact, and the sentence says so."""
    told = answer(Scene.of({"keys": [[2, 0], [0, 2]], "goal": hw.Average(0, 1).to_dict(), "max_norm": 1}))
    assert told["status"] == "proved"
    assert told["sentence"].endswith("are within total variation 0 of Average(0, 1).")

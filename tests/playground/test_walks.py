"""The twelve steps: what each says, and that the library proves its solution, but not its opening or a near miss."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.goals import goal_from_dict
from headwright.playground import walks
from headwright.playground.answers import answer
from headwright.playground.scene import Scene

STEPS = walks.stored()
ENTRIES = {"keys", "labels", "values", "goal", "error", "scale", "max_norm", "heads", "queries", "noise", "steady"}
ENTRIES |= {"radius", "layer", "row"}
# The scene of a new page, but for its goal.
NEW = {"error": 0.01, "scale": 1, "max_norm": None, "heads": 1, "queries": None, "noise": None, "steady": False}
NEW |= {"radius": 0, "layer": None, "row": 0}
# What `typeset` makes of our texts, and nothing else.
TAGS = {"math", "mi", "mn", "mo", "mrow", "msub", "msup", "msubsup", "msqrt", "mspace", "span", "code"}
ATTRIBUTES = {"class", "tabindex", "stretchy", "form", "lspace", "rspace", "width", "mathvariant"}

every_step = pytest.mark.parametrize("step", STEPS, ids=walks.names())


def scene_of(step, change=None):
    return NEW | step["scene"] | (step[change] if change else {})


def heads_of(scene):
    """The queries that a scene shows, designed where it gives none; None where no query does it."""
    if scene["queries"] is not None:
        return np.array(scene["queries"], dtype=float)
    keys, goal = np.array(scene["keys"], dtype=float), goal_from_dict(scene["goal"])
    asked = {"heads": scene["heads"], "error": str(scene["error"]), "scale": float(scene["scale"])}
    if scene["max_norm"] is not None:
        del asked["error"]
        asked["max_norm"] = scene["max_norm"]
    if scene["radius"]:
        asked |= {"radius": scene["radius"], "norm": "ball"}
    if scene["steady"]:
        noisy = [keys[int(j)] / np.linalg.norm(keys[int(j)]) for j in scene["noise"]["along"]]
        asked["within"] = np.linalg.svd(np.array(noisy))[2][len(noisy) :].T
    try:
        return hw.design(keys, goal, **asked).queries
    except hw.Unreachable:
        return None


def verdict_on(step, scene):
    """What the library says: a status, or None where there is nothing to judge."""
    question = step["question"]
    if "layer" in question:
        wanted = question["layer"]
        if scene["layer"][: len(wanted)] != wanted:
            return None
        goals = {row: goal_from_dict(goal) for row, goal in enumerate(scene["layer"]) if goal is not None}
        return hw.design_layer(np.array(scene["keys"], float), goals, error=str(scene["error"])).verdict.status
    queries = heads_of(scene)
    if queries is None:
        return None
    keys, goal = np.array(scene["keys"], dtype=float), goal_from_dict(question["goal"])
    asked = {"error": str(question["error"]), "scale": float(scene["scale"])}
    if "confidence" in question:
        noise = scene["noise"]
        along = {int(j): variance for j, variance in noise["along"].items()}
        keys = hw.GaussianKeys(keys, isotropic=noise["isotropic"], along=along)
        asked["confidence"] = str(question["confidence"])
    if "radius" in question:
        asked |= {"radius": question["radius"], "norm": "ball"}
    return hw.certify(keys, queries, goal, mix="equal", **asked).status


def test_the_walk_tells_the_story_in_twelve_steps():
    assert walks.names() == [
        *["copy", "average", "coin-toss", "two-heads", "eight-percent", "steady-head"],
        *["impossible-key", "moving-keys", "half-and-half", "positions", "layer", "your-turn"],
    ]


@every_step
def test_a_step_has_what_a_reader_needs(step):
    assert 1 <= len(step["text"]) <= 4
    assert all(len(paragraph) < 420 for paragraph in step["text"])
    assert len(step["lead"]) < 240
    question = step["question"]
    # One error is on the screen, and no two keys have one colour.
    assert scene_of(step)["error"] == question["error"]
    assert len(step["scene"]["keys"]) <= 8
    assert all(question[name].endswith(".") for name in ("words", "right"))
    assert set(question["free"]) <= ENTRIES
    assert set(step["scene"]) <= ENTRIES
    # A solution changes what the question leaves free, and nothing else.
    assert set(step["solution"]) <= set(question["free"])
    assert set(step["near_miss"]) <= set(question["free"])


@every_step
def test_keys_that_must_stay_do_stay(step):
    question, first = step["question"], step["scene"]["keys"]
    for change in (step["solution"], step["near_miss"]):
        for i, key in enumerate(change.get("keys", [])):
            assert question.get("removable") or i in question["movable"] or key == first[i]
            assert not question.get("removable") or key in first


@every_step
def test_the_opening_does_not_answer_the_question(step):
    assert verdict_on(step, scene_of(step)) in (None, "refuted")


@every_step
def test_the_library_proves_the_solution(step):
    assert verdict_on(step, scene_of(step, "solution")) == "proved"


@every_step
def test_a_near_miss_does_not_answer_the_question(step):
    assert verdict_on(step, scene_of(step, "near_miss")) in (None, "refuted")


def kernel_on(step, change=None):
    """The status that the playground's kernel gives the question, or the scene where its verdict is the answer."""
    question = step["question"]
    by_scene = "radius" in question or "layer" in question
    posed = {name: question.get(name) for name in ("goal", "error", "confidence")}
    told = answer(Scene.of(step["scene"] | (step[change] if change else {})), None if by_scene else posed)
    return told["status"] if by_scene else told["question"]["status"]


@every_step
def test_the_kernel_proves_the_solution_and_nothing_less(step):
    assert kernel_on(step, "solution") == "proved"
    if "layer" not in step["question"]:  # there every layer can be had, and the page compares the goals
        assert kernel_on(step) in ("refuted", "unreachable", "error")
        assert kernel_on(step, "near_miss") in ("refuted", "unreachable", "error")


def test_only_one_position_can_be_copied():
    step = next(step for step in STEPS if step["name"] == "positions")
    keys = np.array(step["scene"]["keys"])
    t = 2 * np.arange(5)
    assert np.array_equal(keys, np.column_stack([np.sin(t), np.cos(t)]))
    errors = [hw.design(keys, hw.Copy(i), max_norm=step["scene"]["max_norm"]).error for i in range(5)]
    assert [i for i, error in enumerate(errors) if error <= 0.05] == [2]
    assert sorted(errors)[1] > 0.2  # no other position comes near


def weights_of(step, change=None):
    """The weights in the drawing, at the mean where keys vary."""
    scene = scene_of(step, change)
    return hw.attend(heads_of(scene), np.array(scene["keys"], float)).weights.mean(axis=0)


def chance_of(step, change=None):
    scene, question = scene_of(step, change), step["question"]
    keys = np.array(scene["keys"], float)
    along = {int(j): variance for j, variance in scene["noise"]["along"].items()}
    law = hw.outcome(hw.GaussianKeys(keys, along=along), heads_of(scene), goal_from_dict(question["goal"]), mix="equal")
    return float(law.probability(question["error"]))


def chord(shift):
    return 2 * abs(np.sin(shift / 2))


# Every figure with a point and every percentage in a step's texts that is not the question's own, computed from its scene.
FIGURES = {
    "copy": lambda step: {"0.492": max(weights_of(step)[:2])},
    "average": lambda step: {"0.936": weights_of(step)[0]},
    "coin-toss": lambda step: {"25.6 %": 100 * chance_of(step)},
    "eight-percent": lambda step: {
        "0.0786": normal(-np.sqrt(2)),
        "0.9214": normal(np.sqrt(2)),
        "92 %": 92.14,
        "82.1 %": 100 * chance_of(step),
    },
    "moving-keys": lambda step: {"1.41": abs(sum(step["scene"]["keys"][3]) - 4) / np.sqrt(2)},
    "positions": lambda _: {"0.28": chord(2 * 3), "0.00006": chord(2 * 355)},
    "your-turn": lambda _: {"92 %": 92.14},
}


def normal(x):
    from scipy.stats import norm

    return norm.cdf(x)


@every_step
def test_the_figures_in_a_text_are_those_of_its_drawing(step):
    question = step["question"]
    own = {f"{question['error']:g}", f"{1 - question['error']:g}", f"{100 * question.get('confidence', 0):g} %"}
    words = [step["title"], step["lead"], *step["text"], *(question[name] for name in ("words", "hint", "right"))]
    quoted = set(re.findall(r"\d+(?:\.\d+)? %|\d+\.\d+", " ".join(words))) - own
    computed = FIGURES.get(step["name"], lambda _: {})(step)
    assert quoted <= set(computed)
    for text, value in computed.items():
        number = text.removesuffix(" %")
        assert f"{value:.{len(number.partition('.')[2])}f}" == number, text


@every_step
def test_the_frame_holds_the_scene_and_its_solution(step):
    (left, low), (right, high) = walks.frame(step)
    for scene in (step["scene"], step["scene"] | step["solution"]):
        points = [*scene["keys"], *scene.get("queries", [])]
        flat = points if len(points[0]) == 2 else []
        assert all(left <= x <= right and low <= y <= high for x, y in flat)
        assert all(np.linalg.norm(point) <= right / 0.85 + 1e-12 for point in points if len(point) > 2)


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes = set(), set()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}


def test_the_page_gets_harmless_markup_and_no_solutions():
    reader = Reader()
    for step in walks.steps():
        assert set(step) - {"scene", "question", "guide", "compare"} == {"name", "title", "lead", "text"}
        assert not re.search("[<&]", step["title"])
        asked = step.get("question", {})
        for text in [step["lead"], *step["text"], *(asked[name] for name in ("words", "hint", "right") if asked)]:
            reader.feed(text)
    assert "math" in reader.tags <= TAGS
    assert reader.attributes <= ATTRIBUTES


def test_changing_what_was_read_changes_nothing():
    walks.stored()[0]["scene"]["keys"][0][0] = 99
    walks.steps()[0]["scene"]["keys"][0][0] = 99
    assert walks.stored()[0]["scene"]["keys"][0] == [3, 1]
    assert walks.steps()[0]["scene"]["keys"][0] == [3, 1]

"""hw.play as Python sees it: arguments, `.state`, and answers that are never taken for another state."""

import json
import subprocess
import sys

import numpy as np
import pytest

import headwright as hw
from tests.playground.scenes import BAD, KEYS, copy, texts

play = pytest.mark.needs("anywidget")


def ask(widget, number, text, question=None):
    """What the page does after a change."""
    widget.asked = {"number": number, "text": text, "question": question}
    return widget.answer


def scene_text(**entries):
    return json.dumps({"keys": KEYS, "goal": copy(3), **entries})


@play
def test_it_opens_with_the_keys_and_the_goal():
    widget = hw.play(KEYS, hw.Copy(3), labels=["a", "b", "c", "d", "<script>"], error=0.02)
    state = widget.state
    assert state.keys.tolist() == KEYS
    assert (state.goal, state.error, state.labels[4]) == (hw.Copy(3), 0.02, "<script>")
    assert isinstance(state.design, hw.Design)
    assert state["design"].verdict.status == "proved"
    assert state.noise is None
    assert widget.answer["text"] == widget.asked["text"]
    assert widget.answer["status"] == "proved"
    assert widget.opens == {"host": "notebook", "step": None}


@play
def test_without_arguments_there_are_keys_to_try():
    assert hw.play().state.goal == hw.Copy(3)
    assert hw.play(KEYS).state.goal is None
    assert hw.play(goal=hw.Copy(1)).state.keys.tolist() == KEYS


@play
def test_keys_of_other_libraries_and_types():
    for keys in (np.float32(KEYS), np.int64(KEYS), tuple(map(tuple, KEYS))):
        assert hw.play(keys).state.keys.tolist() == KEYS


@play
def test_no_trait_is_called_keys():
    widget = hw.play()
    own = {name for name in widget.traits(sync=True) if not name.startswith("_")}
    assert {"asked", "answer", "walks", "opens"} <= own
    assert "keys" not in own
    assert isinstance(widget.keys, list)  # what ipywidgets means by it: the names of the traits


@play
def test_it_has_a_width_in_a_row_of_widgets():
    assert hw.play().layout.width == "100%"


@play
def test_queries_that_are_refuted_come_with_their_error():
    sentence = hw.play(KEYS, hw.Average(1, 3), queries=[[1, 1]]).answer["sentence"]
    assert sentence.startswith("Refuted: ")
    assert sentence.endswith(" of Average(1, 3). The total variation is at least 0.4975.")


@play
def test_a_key_model_brings_its_noise():
    model = hw.GaussianKeys(KEYS, isotropic=0.25, along={3: 0.5})
    widget = hw.play(model, hw.Copy(3), error=0.1)
    noise = widget.state.noise
    assert noise.mean.tolist() == KEYS
    assert np.array_equal(noise.covariance(3), model.covariance(3))
    assert widget.answer["probability"] is not None
    assert hw.play(KEYS, noise=0.25).state.noise.isotropic[0] == 0.25
    assert hw.play(KEYS, noise={"along": {1: 2}}).state.noise.along[1] == 2
    assert hw.play(KEYS, noise=model).state.noise.along[3] == 0.5


@play
def test_a_design_shows_its_own_queries():
    design = hw.design(KEYS, hw.Copy(2), error="0.05", scale=2.0)
    state = hw.play(KEYS, design).state
    assert np.array_equal(state.queries, design.queries)
    assert (state.goal, state.error, state.scale, state.design) == (hw.Copy(2), 0.05, 2.0, None)
    heads = hw.design(KEYS, hw.Average(1, 3), heads=2)
    assert len(hw.play(KEYS, heads).state.queries) == 2


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"keys": [[0, np.nan]]}, ValueError, r"`keys` must be finite, got nan at \[0, 1\]"),
        ({"keys": [[0, np.inf]]}, ValueError, "`keys` must be finite"),
        ({"keys": np.zeros((10_000, 2))}, ValueError, "`keys` must be at most 400 .* got 10,000"),
        ({"keys": np.zeros((300, 400))}, ValueError, "`keys` must hold at most 100,000 numbers .* got 120,000"),
        ({"keys": [1, 2]}, ValueError, "`keys` must have 2 dimension"),
        ({"keys": []}, ValueError, "`keys`"),
        ({"keys": "keys"}, TypeError, "`keys`"),
        ({"keys": [[1j, 0]]}, TypeError, "`keys`"),
        ({"keys": hw.ScaledKeys(KEYS, {})}, TypeError, "`keys` must be an array or GaussianKeys .* got ScaledKeys"),
        ({"keys": hw.GaussianKeys(KEYS, isotropic=[1, 2, 1, 1, 1])}, ValueError, "`noise` must have one variance"),
        ({"keys": hw.GaussianKeys(KEYS, factors={0: [1, 2]})}, ValueError, "`noise` must have one variance"),
        ({"keys": hw.GaussianKeys(KEYS, isotropic=1), "noise": 1}, ValueError, "`noise` does not go with GaussianKeys"),
        ({"goal": 3}, TypeError, "`goal` must be a goal such as Copy.3., a Design or None, got int"),
        ({"goal": hw.Copy(5)}, ValueError, "`goal` Copy.5. names key 5"),
        ({"goal": hw.Top(0, 1, 2, 3, 4)}, ValueError, "`goal` .* names all 5 keys"),
        ({"error": 0}, ValueError, "`error` must lie between 0 and 1, got 0.0"),
        ({"error": "nonsense"}, ValueError, "`error`"),
        ({"error": True}, TypeError, "`error` must be a number"),
        ({"scale": -1}, ValueError, "`scale` must be positive, got -1.0"),
        ({"scale": None}, TypeError, "`scale`"),
        ({"max_norm": 0}, ValueError, "`max_norm` must be positive"),
        (
            {"heads": 3, "goal": hw.Average(0, 1)},
            ValueError,
            r"`heads` must be 1 or the number of targets \(2\), got 3",
        ),
        ({"heads": 2}, ValueError, "`heads` must be 1"),
        ({"heads": "auto"}, TypeError, "`heads`"),
        ({"queries": [1, 2, 3]}, ValueError, r"`queries` must have 2 coordinates, .* got shape \(1, 3\)"),
        ({"queries": np.zeros((6, 2))}, ValueError, "`queries` must be at most as many as the keys"),
        ({"noise": -1}, ValueError, "`noise` must be 0 or more"),
        ({"noise": {"along": {9: 1}}}, ValueError, "`noise` names key 9"),
        ({"noise": {"along": {0: 1}}}, ValueError, "`noise` along key 0 has no direction"),
        ({"noise": {"along": {1: -1}}}, ValueError, "`noise along key 1` must be positive"),
        ({"noise": {"spread": 1}}, ValueError, "`noise` must have the entries"),
        ({"noise": hw.GaussianKeys(np.ones((5, 2)))}, ValueError, "`noise` must be GaussianKeys around the keys"),
        ({"radius": -1}, ValueError, "`radius` must be 0 or more"),
        ({"labels": ["a"]}, ValueError, r"`labels` must have one entry per key \(5\), got 1"),
        ({"labels": "abcde"}, TypeError, "`labels` must be a list"),
        ({"labels": ["a", "b", "c", "d", 5]}, TypeError, "`labels` must be texts, got int for key 4"),
        ({"labels": ["x" * 41, "", "", "", ""]}, ValueError, "`labels` must have at most 40 characters"),
        ({"values": ["red"] * 5}, ValueError, "`values` must be colours such as '#0072b2', got 'red' for key 0"),
        ({"values": [1] * 5}, ValueError, "`values` must be colours"),
    ],
)
def test_a_wrong_argument_is_named(given, error, words):
    with pytest.raises(error, match=words):
        hw.play(**{"keys": KEYS, **given})


@pytest.mark.parametrize("heads", [hw.design(KEYS, hw.Blend({1: 1, 3: 3}), heads=2)])
def test_a_design_with_unequal_shares_is_refused(heads):
    with pytest.raises(ValueError, match="mixed unequally: pass its goal, and heads=2"):
        hw.play(KEYS, heads)


def test_without_the_extra_it_says_what_to_install():
    code = "import sys; sys.modules['anywidget'] = None\nimport headwright as hw\nhw.play()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == (
        "ImportError: this needs `anywidget`, which the extra `play` brings: pip install 'headwright[play]'"
    )


@play
def test_setting_the_state_moves_the_picture():
    widget = hw.play(KEYS, hw.Copy(3))
    widget.state = {"goal": hw.Copy(4)}
    assert widget.answer["status"] == "unreachable"
    assert widget.asked["number"] == widget.answer["number"] == 2
    assert json.loads(widget.asked["text"])["goal"] == copy(4)
    assert isinstance(widget.state.design, hw.Unreachable)
    assert widget.state.keys.tolist() == KEYS
    widget.state = {"keys": [[0, 1], [2, 0]], "goal": hw.Copy(1), "error": "0.2", "noise": 0.5, "radius": None}
    assert (widget.state.keys.shape, widget.state.error) == ((2, 2), 0.2)
    assert widget.state.noise.isotropic[1] == 0.5
    widget.state = {"noise": None, "steady": True, "max_norm": 2}
    assert (widget.state.noise, widget.state.steady, widget.state.max_norm) == (None, True, 2.0)
    other = hw.play()
    other.state = widget.state
    assert other.asked["text"] == widget.asked["text"]
    widget.state = {"max_norm": None, "design": hw.design([[0.0, 1.0], [2.0, 0.0]], hw.Copy(0))}
    assert (widget.state.goal, len(widget.state.queries)) == (hw.Copy(0), 1)


@play
def test_a_layer_can_be_set_and_designed():
    widget = hw.play(np.eye(3))
    widget.state = {"layer": [hw.Copy(1), None, hw.Copy(0)], "row": 2, "goal": hw.Copy(0)}
    assert isinstance(widget.state.design, hw.Layer)
    assert widget.answer["status"] == "proved"


@play
def test_the_goal_shown_is_that_of_its_row():
    widget = hw.play(np.eye(3), hw.Copy(2))
    widget.state = {"layer": [hw.Copy(1), None, hw.Copy(0)]}
    assert (widget.state.goal, widget.answer["status"]) == (hw.Copy(1), "proved")
    widget.state = {"row": 2}
    assert (widget.state.goal, widget.answer["status"]) == (hw.Copy(0), "proved")
    widget.state = {"goal": hw.Copy(2)}
    assert (widget.state.layer, widget.answer["status"]) == ((hw.Copy(1), None, hw.Copy(2)), "proved")
    with pytest.raises(ValueError, match=r"row 2 of the layer, Copy\(0\), got Copy\(1\)"):
        widget.state = {"goal": hw.Copy(1), "layer": [None, None, hw.Copy(0)]}


@play
def test_a_norm_budget_is_not_rounded_up_in_what_is_proved():
    sentence = hw.play(KEYS, hw.Copy(3), max_norm=1.23456789).answer["sentence"]
    assert "No query of norm at most 1.23456 errs" in sentence


@play
@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"goal": hw.Copy(9)}, ValueError),
        ({"error": 5}, ValueError),
        ({"keys": [[1, 2]]}, ValueError),  # the goal names a key that is gone
        ({"keys": [[1], [2], [3], [4], [5]], "goal": None, "queries": [[1, 2]]}, ValueError),
        ({"colour": 1}, ValueError),
        ({"steady": 1}, TypeError),
        ({"row": 7}, ValueError),
        ({"layer": [hw.Copy(1)]}, ValueError),
        ({"layer": [1] * 5}, TypeError),
        ({"design": 3}, TypeError),
        ({"error": 0.5, "scale": "x"}, ValueError),
        (7, TypeError),
    ],
)
def test_a_wrong_state_raises_and_changes_nothing(given, error):
    widget = hw.play(KEYS, hw.Copy(3))
    asked, answer = widget.asked, widget.answer
    with pytest.raises(error):
        widget.state = given
    assert widget.asked is asked
    assert widget.answer is answer
    assert widget.state.goal == hw.Copy(3)


@play
def test_the_state_is_frozen():
    state = hw.play().state
    with pytest.raises(AttributeError):
        state.error = 1
    with pytest.raises(ValueError, match="read-only"):
        state.keys[0, 0] = 1
    with pytest.raises(KeyError, match="'colour' is no entry of the state: there are keys, goal, "):
        state["colour"]
    assert {"keys", "design"} <= set(state)
    assert "keys" in state
    assert "colour" not in state
    assert repr(state) == "State: 5 keys of dimension 2, Copy(3), error 0.01"


@play
def test_states_are_equal_where_they_show_the_same():
    widget = hw.play(KEYS, hw.Copy(3))
    before = widget.state
    widget.state = before
    assert widget.state == before
    assert hash(widget.state) == hash(before)
    widget.state = {"error": 0.02}
    assert widget.state != before
    assert repr(widget) == "Playground: 5 keys of dimension 2, Copy(3), error 0.02"


@play
def test_what_the_page_asks_is_answered_for_its_very_text():
    widget = hw.play(KEYS, hw.Copy(3))
    for number, entries in enumerate([{"error": 0.05}, {"goal": copy(4)}, {"goal": None}, {"scale": 2}], start=2):
        text = scene_text(**entries)
        assert widget.answer["text"] != text  # until it is proved anew, nothing is said about the new state
        answer = ask(widget, number, text)
        assert (answer["number"], answer["text"]) == (number, text)
    assert widget.state.scale == 2


@play
def test_spaces_and_digits_of_the_text_are_echoed():
    widget = hw.play()
    text = ' { "keys" : [ [0.10, 1e0], [2.50, 3] ], "goal":\n{"goal": "copy", "indices": [1], "shares": ["1"]} } '
    assert ask(widget, 5, text)["text"] == text
    assert widget.answer["status"] == "proved"


@play
@pytest.mark.parametrize("name", BAD)
def test_garbage_of_the_page_leaves_the_last_good_state(name):
    widget = hw.play(KEYS, hw.Copy(3))
    answer = ask(widget, 2, texts(BAD)[name])
    assert (answer["status"], answer["text"]) == ("error", texts(BAD)[name])
    assert widget.state.goal == hw.Copy(3)
    assert ask(widget, 3, scene_text(error=0.5))["status"] == "proved"


@play
@pytest.mark.parametrize("asked", [None, 7, "x", [], {"text": 3}, {"number": 2}])
def test_a_page_that_sends_nonsense_raises_nothing(asked):
    widget = hw.play()
    widget.asked = asked
    assert widget.answer["status"] == "error"
    assert widget.state.goal == hw.Copy(3)


@play
def test_a_question_is_answered_beside_the_scene():
    widget = hw.play(KEYS, hw.Copy(3))
    answer = ask(widget, 2, scene_text(), {"goal": copy(3), "error": 0.05})
    assert answer["question"]["status"] == "proved"
    assert ask(widget, 3, scene_text(), {"goal": copy(1), "error": 0.05})["question"]["status"] == "refuted"
    assert ask(widget, 4, scene_text(), None)["question"] is None

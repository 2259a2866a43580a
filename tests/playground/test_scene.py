"""Scenes: read from strangers within limits, written so that they are read back the same."""

import json

import numpy as np
import pytest

import headwright as hw
from headwright.playground.scene import Scene, SceneError
from tests.playground.scenes import BAD, GOOD, KEYS, average, blend, copy, texts, top


@pytest.mark.parametrize("name", GOOD)
def test_a_good_scene_is_read_and_written(name):
    text = texts(GOOD)[name]
    scene = Scene.read(text)
    assert scene.text == text
    again = Scene.of(scene.to_dict())
    assert again.to_dict() == scene.to_dict()
    assert Scene.read(again.text).to_dict() == scene.to_dict()


@pytest.mark.parametrize("name", BAD)
def test_a_bad_scene_is_refused_in_one_sentence(name):
    with pytest.raises(SceneError) as refused:
        Scene.read(texts(BAD)[name])
    sentence = str(refused.value)
    assert sentence.endswith(".")
    assert len(sentence) < 120


def test_a_text_that_is_too_long_is_not_read():
    with pytest.raises(SceneError, match="too long"):
        Scene.read(" " * 4_000_001)


def test_numbers_keep_their_value():
    scene = Scene.read('{"keys": [[0.1, 9007199254740993], [1e-400, 5e-324]]}')
    assert scene.keys.tolist() == [[0.1, 9007199254740992.0], [0.0, 5e-324]]
    awkward = np.random.default_rng(0).standard_normal((7, 3)) * 10.0 ** np.arange(-9, 12).reshape(7, 3)
    assert Scene.of({"keys": awkward.tolist()}).keys.tobytes() == awkward.tobytes()


@pytest.mark.parametrize(
    ("data", "goal"),
    [
        (copy(3), hw.Copy(3)),
        (average(0, 3), hw.Average(0, 3)),
        (blend(_1="7/10", _0="3/10"), hw.Blend({0: "3/10", 1: "7/10"})),
        (top(1, 2), hw.Top(1, 2)),
        (None, None),
    ],
)
def test_a_goal_is_what_it_says(data, goal):
    scene = Scene.of({"keys": KEYS, "goal": data})
    assert scene.goal == goal
    assert Scene.of(scene.to_dict()).goal == goal


def test_noise_is_a_key_model_around_the_keys():
    scene = Scene.of({"keys": KEYS, "noise": {"isotropic": 0.5, "along": {"3": 2}}})
    assert scene.model.mean.tolist() == KEYS
    assert np.allclose(scene.model.covariance(3), 0.5 * np.eye(2) + np.ones((2, 2)))
    assert Scene.of({"keys": KEYS, "noise": {"isotropic": 0, "along": {}}}).model is None


def test_a_scene_cannot_be_changed():
    scene = Scene.of({"keys": KEYS, "noise": {"isotropic": 0.5, "along": {"3": 2}}})
    with pytest.raises(ValueError, match="read-only"):
        scene.keys[0, 0] = 1
    with pytest.raises(AttributeError):
        scene.error = 0.5
    with pytest.raises(TypeError):
        scene.along[1] = 1.0
    assert json.loads(scene.text)["keys"] == KEYS

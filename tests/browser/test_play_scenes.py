"""The page refuses the scenes that the library refuses, with the same sentences, and takes those that it takes."""

import pytest

from headwright.playground.scene import Scene, SceneError
from headwright.playground.scene_faults import FIRST
from tests.browser.play_module import Module
from tests.playground.scenes import BAD, GOOD, texts

pytestmark = pytest.mark.needs("playwright")


@pytest.fixture(scope="module")
def module(browser):
    return Module(browser)


def test_page_and_library_begin_with_the_same_scene(module):
    assert module.page.evaluate("own.FIRST_SCENE") == FIRST


def test_page_and_library_say_the_same(module):
    named = {**texts(GOOD), **texts(BAD)}
    # Half of a surrogate pair does not survive the way to the browser, but its escape in JSON does.
    read = "(texts) => texts.map((text) => own.readScene(text).problem ?? null)"
    said = dict(zip(named, module.page.evaluate(read, list(named.values())), strict=True))
    assert len(BAD) >= 60
    for name, text in named.items():
        try:
            Scene.read(text)
            ours = None
        except SceneError as refused:
            ours = str(refused)
        assert said[name] == (ours and ours.replace("The state is not", "The state in this address is not")), name
    assert [name for name in GOOD if said[name] is not None] == []

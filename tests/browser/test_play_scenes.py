"""The page refuses the scenes that the library refuses, with the same sentences, and takes those that it takes."""

import pytest

from headwright.playground.module import module_text
from headwright.playground.scene import Scene, SceneError
from tests.playground.scenes import BAD, GOOD, texts

pytestmark = pytest.mark.needs("playwright")
PAGE = "<!doctype html><title>scenes</title><script type='module'>%s\nwindow.readScene = readScene</script>"


def test_page_and_library_say_the_same(browser):
    named = {**texts(GOOD), **texts(BAD)}
    context = browser.new_context()
    page = context.new_page()
    page.set_content(PAGE % module_text())
    page.wait_for_function("typeof window.readScene === 'function'")
    read = "(texts) => texts.map((text) => readScene(text).problem ?? null)"
    # Half of a surrogate pair does not survive the way to the browser, but its escape in JSON does.
    said = dict(zip(named, page.evaluate(read, list(named.values())), strict=True))
    context.close()
    assert len(BAD) >= 60
    for name, text in named.items():
        try:
            Scene.read(text)
            ours = None
        except SceneError as refused:
            ours = str(refused)
        assert said[name] == (ours and ours.replace("The state is not", "The state in this address is not")), name
    assert [name for name in GOOD if said[name] is not None] == []

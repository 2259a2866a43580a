"""Compiled programs in a real browser: the page computes what the library computes, says what is wrong, and proves nothing."""

import json
from functools import cache

import numpy as np
import pytest

import headwright as hw
from examples.programs import PROGRAMS
from headwright.playground.module import module_text, style_text
from headwright.playground.programs import program_answer, program_traits
from headwright.playground.single_file import page_text
from tests.browser.play_module import Module

pytestmark = pytest.mark.needs("playwright")
# A model as a notebook has it, with a library that answers when the test lets it.
NOTEBOOK = """async ([module, style, program]) => {
    const sheet = document.createElement("style")
    sheet.textContent = style
    document.head.append(sheet)
    const own = await import(URL.createObjectURL(new Blob([module], {type: "text/javascript"})))
    const heard = new Map()
    window.traits = {opens: {host: "notebook", step: null}, program, program_asked: {}, program_answer: {}}
    window.saved = 0
    window.answers = (answer) => {
        traits.program_answer = answer
        for (const act of heard.get("change:program_answer") ?? []) act()
    }
    const model = {
        get: (name) => traits[name], set: (name, value) => { traits[name] = value }, save_changes: () => { saved += 1 },
        on: (name, act) => heard.set(name, [...(heard.get(name) ?? []), act]),
        off: (name, act) => heard.set(name, (heard.get(name) ?? []).filter((other) => other !== act)),
    }
    window.close_view = own.default.render({model, el: document.body})
    window.listeners = () => [...heard.values()].flat().length
}"""

# What the page computes of some words, as JSON: fractions as the library writes them.
RUN = """([program, words]) => words.map((word) => {
    const seen = own.valuesByPage(program, own.makeRunner(program), word)
    if (seen.problem) return {problem: seen.problem}
    const plain = (value) => {
        if (value === null || typeof value !== "object") return value
        return [`${value[0]}${value[1] === 1n ? "" : "/" + value[1]}`]
    }
    const registers = seen.registers.map(({says, holds, off}) => ({says: says.map(plain), holds, off}))
    const leaks = program.heads.map((head, k) => {
        if (head.kind === "count") return null
        return own.leakOf({n: seen.n, weights: seen.attention[k], selected: seen.selected[k]})
    })
    const attention = seen.attention.map((own) => [...own])
    return {output: seen.output, registers, leaks, attention, codes: [...seen.codes.at]}
})"""


@cache
def compiled(name, length=10, **options):
    program, output = PROGRAMS[name](length)
    return hw.compile(program, output, **options)


@pytest.fixture(scope="module")
def module(browser):
    """The exports of the module, in an empty page."""
    page = Module(browser).page
    yield page
    page.close()


def opened(tab, model, tmp_path, word=None):
    page, asked, said, how = tab
    path = tmp_path / "program.html"
    path.write_text(page_text({"program": program_traits(model, word)}), encoding="utf-8")
    page.goto(path.as_uri())
    page.wait_for_selector(".hw-program-output li")
    return page, asked, said, how


def outputs(page):
    return page.locator(".hw-program-output b").all_text_contents()


def in_basis(rng):
    p = hw.Program("abcd", length=6)
    return hw.compile(p, p.count(p.tokens.matches(p.tokens)), basis=rng.integers(-4, 5, (12, 9)) / 4)


def models(rng):
    """Models whose 200 words go through the page, with the number of words for each."""
    return [(compiled(name), 15) for name in PROGRAMS] + [(in_basis(rng), 20)]


def test_the_page_computes_what_the_library_computes(module, rng):
    """200 random words: attention, codes and columns to 1e-9; outputs, meanings and refusals are equal."""
    told, compared = 0, 0
    for model, count in models(rng):
        written, traits = model.program.written(), program_traits(model)
        words = []
        for _ in range(count):
            size = int(rng.integers(1, written.length + 1))
            words.append([written.vocabulary[k] for k in rng.integers(0, len(written.vocabulary), size)])
        found = module.evaluate(RUN, [traits, words])
        for word, seen in zip(words, found, strict=True):
            told += 1
            answer = program_answer(model, {"number": 1, "word": word})
            assert seen.get("problem") == answer["problem"]
            if answer["problem"]:
                continue
            compared += 1
            n = len(word) + 1
            streams = model.streams(word)
            every = [np.asarray(block.attention(x)) for block, x in zip(model.blocks, streams, strict=False)]
            for head, weights, leak in zip(traits["heads"], seen["attention"], seen["leaks"], strict=True):
                own = every[head["block"]][head["head"]]
                np.testing.assert_allclose(np.array(weights).reshape(n, n), own, rtol=0, atol=1e-9)
                assert leak is None or leak <= head["leak"] * (1 + 1e-9), head["name"]
            codes = np.array(seen["codes"]).reshape(n, -1)[1:]
            np.testing.assert_allclose(codes, model.codes(word), rtol=0, atol=1e-9)
            for own, theirs in zip(seen["registers"], answer["registers"], strict=True):
                assert own["says"] == theirs["says"]
                if theirs["holds"] is None:
                    assert own["holds"] is None
                    continue
                np.testing.assert_allclose(own["off"], theirs["off"], rtol=0, atol=1e-9)
                if isinstance(theirs["holds"][0], float):
                    np.testing.assert_allclose(own["holds"], theirs["holds"], rtol=0, atol=1e-9)
                else:
                    assert own["holds"] == theirs["holds"]
            if isinstance(answer["output"][0], float):
                np.testing.assert_allclose(seen["output"], answer["output"], rtol=0, atol=1e-9)
            else:
                assert seen["output"] == answer["output"]
    assert told == 200
    assert compared >= 150


def test_a_word_is_typed_in_the_file(tab, tmp_path):
    page, asked, said, _ = opened(tab, compiled("induction"), tmp_path, "abacad")
    assert outputs(page) == ["?", "?", "b", "?", "c", "?"]
    page.get_by_label("Word", exact=True).fill("abcabdab")
    assert outputs(page) == list("???bc?bd")
    assert page.locator(".hw-program-figure").count() == 2
    assert (
        "at most 0.01553 on any word (proved by the library when the file was written)"
        in page.locator(".hw-leak").first.inner_text()
    )
    assert "last token of keys whose pick#2 is my token" in page.locator(".hw-program-figure").nth(1).inner_text()
    # Nothing that a page computes by itself is called proved.
    badge = page.locator(".hw-badge")
    assert (badge.inner_text(), badge.get_attribute("data-tone")) == ("Computed, not proved", "computed")
    assert (
        "when the file was written: Proved for every word of up to 10 tokens"
        in page.locator(".hw-program-verdict").inner_text()
    )
    assert "Computed in this page" in page.locator(".hw-program-source").inner_text()
    page.get_by_label("Remove the last token").click()
    page.get_by_role("button", name="Add e").click()
    assert outputs(page) == list("???bc?b?")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert said == []
    assert [url for url in asked if not url.startswith("file:")] == []


def test_what_is_wrong_with_a_word_is_said_and_old_values_are_grey(tab, tmp_path):
    page, _, said, _ = opened(tab, compiled("copy"), tmp_path, "abcdab")
    results, problem = page.locator(".hw-program-results"), page.locator(".hw-program-problem")
    assert problem.inner_text() == ""
    for word, words in {
        "abz": "“z” at position 2 is not a token of this model. The tokens are: a b c d e f g h",
        "": "Type a word of 1 to 10 tokens",
        "abcdabcdabc": "The word has 11 tokens, but the model takes at most 10.",
        "ab": "The program is undefined on this word: pick#2 has no value at position 0, because no key is selected there.",
    }.items():
        page.get_by_label("Word", exact=True).fill(word)
        assert words in problem.inner_text()
        assert "hw-stale" in results.get_attribute("class")
        assert page.locator(".hw-program-source").inner_text() == "These values are for the word abcdab."
        assert outputs(page) == list("dddddd")
    page.get_by_label("Word", exact=True).fill("aabb")
    assert problem.inner_text() == ""
    assert "hw-stale" not in results.get_attribute("class")
    assert outputs(page) == list("bbbb")
    assert said == []


def test_tokens_are_text_and_never_markup(tab, tmp_path):
    hostile = ["<script>window.hit = 1</script>", "<img src=x onerror='window.hit=1'>", "a b", "c,d"]
    p = hw.Program(hostile, length=4)
    name = p.named(p.count(p.tokens.matches(p.tokens)), "<b onclick=hit>how often</b>")
    page, asked, said, _ = opened(tab, hw.compile(p, name), tmp_path, hostile[:3])
    page.get_by_role("button", name=f"Add {hostile[0]}").click()
    assert outputs(page) == ["2", "1", "1", "2"]
    assert page.locator(".hw-program-title").inner_text() == "<b onclick=hit>how often</b>"
    assert page.locator(".hw-program b[onclick], .hw-program img, .hw-program script").count() == 0
    assert page.evaluate("window.hit") is None
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert [url for url in asked if not url.startswith("file:")] == []
    assert said == []


def test_fifty_tokens_scroll_in_a_frame_of_their_own(tab, tmp_path):
    page, _, said, _ = opened(tab, compiled("reverse", 50), tmp_path)
    word = "abcdefghab" * 5
    page.get_by_label("Word", exact=True).fill(word)
    assert "".join(outputs(page)) == word[::-1]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    frame = page.locator(".hw-heat-frame").first
    assert frame.evaluate("own => own.scrollWidth > own.clientWidth && own.scrollHeight > own.clientHeight")
    # The keyboard reaches every cell, and the frame follows it.
    cells = page.locator(".hw-heat-cells").nth(1)
    cells.focus()
    for _ in range(60):
        page.keyboard.press("ArrowDown")
    reading = page.locator(".hw-heat-reading").nth(1)
    assert "Position 49 “b” gives position 0 “a” a weight of 0.9445" in reading.inner_text()
    assert page.locator(".hw-heat-frame").nth(1).evaluate("own => own.scrollTop") > 0
    page.keyboard.press("ArrowLeft")
    assert "gives BOS a weight of" in reading.inner_text()
    assert said == []


def test_cells_are_read_by_pointer(tab, tmp_path):
    page, _, _, _ = opened(tab, compiled("induction"), tmp_path, "abab")
    cells = page.locator(".hw-heat-cells").first
    cells.scroll_into_view_if_needed()
    box = cells.bounding_box()
    side = box["width"] / 5
    page.mouse.move(box["x"] + 1.5 * side, box["y"] + 2.5 * side)
    reading = page.locator(".hw-heat-reading").first
    assert "Position 1 “b” gives position 0 “a” a weight of 0.98" in reading.inner_text()
    page.mouse.move(box["x"] + 4.5 * side, box["y"] + 2.5 * side)
    assert "no weight: the mask hides it" in reading.inner_text()
    page.mouse.move(1, 1)
    assert "Point at a cell" in reading.inner_text()


def notebook(tab, model, word):
    page, _, said, _ = tab
    page.set_content("<title>notebook</title>")
    page.evaluate(NOTEBOOK, [module_text(), style_text(), program_traits(model, word)])
    return page, said


def test_a_kernel_confirms_the_word_that_is_typed_and_no_other(tab):
    model = compiled("histogram")
    page, said = notebook(tab, model, "aab")
    badge, source = page.locator(".hw-badge"), page.locator(".hw-program-source")
    assert badge.inner_text() == "Proved for every word of up to 10 tokens. The error is at most 0.2465."
    assert badge.get_attribute("data-tone") == "proved"
    assert "The library has not answered yet" in source.inner_text()
    page.wait_for_function("traits.program_asked.word?.join('') === 'aab' && saved === 1")
    asked = page.evaluate("traits.program_asked")
    page.evaluate("(answer) => answers(answer)", program_answer(model, asked))
    assert source.inner_text() == "Computed by the library."
    page.get_by_label("Word", exact=True).fill("abcb")
    assert "The library has not answered yet" in source.inner_text()
    assert outputs(page) == ["1", "2", "1", "2"]
    late = program_answer(model, {"number": asked["number"], "word": ["a"]})
    page.evaluate("(answer) => answers(answer)", late)
    assert "The library has not answered yet" in source.inner_text()
    assert outputs(page) == ["1", "2", "1", "2"]
    page.wait_for_function("traits.program_asked.word.join('') === 'abcb'")
    page.evaluate("(answer) => answers(answer)", program_answer(model, page.evaluate("traits.program_asked")))
    assert source.inner_text() == "Computed by the library."
    assert outputs(page) == ["1", "2", "1", "2"]
    page.evaluate("close_view()")
    assert page.evaluate("listeners()") == 0
    assert said == []


def test_a_model_that_is_too_large_waits_for_the_library(tab, tmp_path):
    model = compiled("frac_prevs_full", 120, error="0.01")
    page, said = notebook(tab, model, "aabb")
    assert page.locator(".hw-program-problem").inner_text() == "The library is computing this word."
    assert page.locator(".hw-program-results").is_hidden()
    page.evaluate("(answer) => answers(answer)", program_answer(model, {"number": 1, "word": list("aabb")}))
    assert page.locator(".hw-program-problem").inner_text() == ""
    assert np.round([float(text) for text in outputs(page)], 2).tolist() == [1, 1, 0.67, 0.5]
    page.get_by_label("Word", exact=True).fill("b")
    assert "hw-stale" in page.locator(".hw-program-results").get_attribute("class")
    path = tmp_path / "large.html"
    path.write_text(page_text({"program": program_traits(model)}), encoding="utf-8")
    page.goto(path.as_uri())
    assert "cannot run it without Python" in page.locator(".hw-program-problem").inner_text()
    assert said == []


def test_a_kernel_that_fails_is_heard(tab):
    page, said = notebook(tab, compiled("histogram"), "aab")
    page.wait_for_function("saved === 1")
    page.evaluate("answers({number: traits.program_asked.number, problem: 'The library failed: a test.'})")
    assert page.locator(".hw-program-problem").inner_text() == "The library failed: a test."
    assert "hw-stale" in page.locator(".hw-program-results").get_attribute("class")
    assert said == []


@pytest.mark.needs("axe_playwright_python")
def test_contrast_and_names(tab, tmp_path):
    from axe_playwright_python.sync_playwright import Axe

    page, _, _, _ = opened(tab, compiled("addition"), tmp_path)
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [(own["id"], own["nodes"][0]["html"][:200]) for own in found] == []


def test_a_page_with_a_program_is_small():
    for name in ("sort", "most_frequent"):
        text = page_text({"program": program_traits(compiled(name, 50))})
        assert len(text.encode()) < 500_000, json.dumps({name: len(text)})

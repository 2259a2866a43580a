"""What the handbook generates: the list of messages is complete and names the right lines, pictures follow the page's colours."""

import ast
import doctest
import importlib
import re

import pytest

import headwright as hw
from handbook import command_line, figures, mathematics, messages, reference

MODULES = ("certificate_format", "command_line", "messages", "outputs", "reference", "repository", "walk")


@pytest.fixture(scope="module")
def listed():
    return messages.messages()


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_the_generators_run(name):
    result = doctest.testmod(importlib.import_module(f"handbook.{name}"))
    assert result.attempted >= 1
    assert result.failed == 0


def test_every_raised_sentence_is_listed(listed):
    texts = {(message.place, message.text) for message in listed if message.kind == "error"}
    for path in messages.SOURCES.rglob("*.py"):
        name = path.relative_to(messages.SOURCES).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                first = node.exc.args[0]
                is_text = isinstance(first, ast.JoinedStr) or (
                    isinstance(first, ast.Constant) and isinstance(first.value, str)
                )
                if is_text and messages.spelled(first).count(" ") >= 3:
                    assert (f"{name}:{first.lineno}", messages.spelled(first)) in texts


def test_places_are_right(listed):
    for message in listed[::25]:
        name, _, line = message.place.rpartition(":")
        source = (messages.SOURCES / name).read_text("utf-8").split("\n")
        words = re.findall(r"[A-Za-z]{4,}", re.sub(r"\{[^}]*\}", "", message.text))
        assert not words or words[0] in "".join(source[int(line) - 1 : int(line) + 25])


@pytest.mark.parametrize("name", ["design", "play"])
def test_the_reference_names_a_file_that_exists(name):
    file = re.search(r"Source: `(.+)`", reference.entry(f"hw.{name}", getattr(hw, name)))[1]
    assert (messages.SOURCES.parents[1] / file).is_file()


def test_help_texts_are_listed(listed):
    helped = {message.text for message in listed if message.kind == "help"}
    assert len(helped) > 50


def test_the_page_shows_every_message(listed):
    page = messages.page()
    assert page.count("<tr><td>") == len(listed) >= 1500


def test_the_command_line_page_has_every_command_and_option():
    import typer

    from headwright.cli.app import app

    page = command_line.page()
    for name, command in typer.main.get_command(app).commands.items():
        section = page.split(f"## headwright {name}\n")[1].split("\n## ")[0]
        for param in command.params:
            if param.param_type_name == "option":
                assert f"`{param.opts[0]}`" in section


def test_colours_of_a_picture_follow_the_page():
    drawn = figures.recoloured('<svg id="a"><path id="b" style="fill: #0072b2; stroke: #000000"/></svg>', "name")
    assert drawn == '<svg id="name-a"><path id="name-b" style="fill: var(--hw-blue); stroke: var(--hw-ink)"/></svg>'


@pytest.mark.needs("latex2mathml")
def test_formulas_become_mathml():
    html = mathematics.with_mathml('<p><span class="arithmatex">\\(x &lt; y\\)</span></p>')
    assert "<math" in html
    assert "arithmatex" not in html


@pytest.mark.needs("matplotlib")
@pytest.mark.parametrize("name", ["hull", "oblique", "goals", "certificate_path"])
def test_pictures_are_drawn_with_words_for_those_who_cannot_see_them(name):
    text = figures.drawn(name)
    assert "<title>" in text
    assert "<desc>" in text
    assert "#000000" not in text

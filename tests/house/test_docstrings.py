"""Every public name explains itself and shows a running example; doctests of the sources run the examples."""

import inspect

import pytest

from handbook import reference

NAMES = {name: thing for name, thing in reference.public() if inspect.isclass(thing) or inspect.isroutine(thing)}


def test_there_are_many_public_names():
    assert len(NAMES) >= 60


@pytest.mark.parametrize("name", NAMES)
def test_public_name_has_a_docstring_with_an_example(name):
    assert ">>>" in (NAMES[name].__doc__ or ""), f"{name} has no example"


@pytest.mark.parametrize("name", [name for name, thing in NAMES.items() if inspect.isclass(thing)])
def test_public_members_have_docstrings(name):
    assert reference.undocumented(NAMES[name]) == []


def test_every_public_name_has_a_place_in_the_reference():
    pages = reference.pages()
    for name, home in reference.homes().items():
        assert f"{{#{name}}}" in pages[home] or f"id='{name}'" in pages[home], name

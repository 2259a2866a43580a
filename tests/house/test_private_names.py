"""A name that begins with an underscore belongs to its module: no other file of src imports it, or reaches for it."""

import ast
from pathlib import Path, PurePosixPath

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "headwright"
NOT_YET = {
    "kernel/goals_contradict.py",
    "theories/matrices/outputs_contradict.py",
}  # take `_read` and its like from out_of_reach.py


def modules():
    """The dotted names of all modules, those that begin with an underscore among them: they are doors with a name."""
    return {
        ".".join(("headwright", *path.relative_to(PACKAGE).with_suffix("").parts)) for path in PACKAGE.rglob("*.py")
    }


def private(name):
    return name.startswith("_") and not name.startswith("__")


def taken(file, source, known):
    """Private names that a source takes from modules of ours, by import or as an attribute of a module."""
    package = ["headwright", *file.parent.parts]
    tree = ast.parse(source)
    here = {}  # what names of modules mean in this file
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module, names, level):
                base = package[: len(package) - level + 1] if level else []
                base = ".".join([*base, module] if module else base)
                if base.split(".")[0] != "headwright":
                    continue
                for alias in names:
                    if f"{base}.{alias.name}" in known:
                        here[alias.asname or alias.name] = f"{base}.{alias.name}"
                    elif private(alias.name):
                        yield node.lineno, f"{base}.{alias.name}"
            case ast.Import(names):
                here |= {alias.asname: alias.name for alias in names if alias.asname and alias.name in known}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ast.Name(name), attr) if name in here and private(attr):
                yield node.lineno, f"{here[name]}.{attr}"


def test_no_file_takes_a_private_name():
    known = modules()
    faults = [
        f"{file}:{line} takes {name}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if str(file := path.relative_to(PACKAGE)) not in NOT_YET
        for line, name in taken(file, path.read_text("utf-8"), known)
    ]
    assert not faults, "\n" + "\n".join(faults)


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("from headwright.search.random_keys.outcome import outcome", 0),
        ("from headwright.words import design\ndesign.Design", 0),
        ("from headwright.search.random_keys.outcome import _law", 1),
        ("def f():\n    from ..random_keys.outcome import outcome, _law, _values", 2),
        ("from headwright.search.random_keys import outcome\noutcome._law(1)", 1),
        ("import headwright.search.random_keys.outcome as way\nway._law(1)", 1),
        ("from numpy import _core\nfrom math import pi\nself._law", 0),
    ],
)
def test_what_counts_as_taken(source, count):
    assert len(list(taken(PurePosixPath("search/top/some.py"), source, modules()))) == count

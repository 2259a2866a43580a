"""The public names are what `__all__` says, and no import, in whatever order, changes what they mean."""

import json
import subprocess
import sys

import pytest

# What the extras bring. A module may need one of these to be imported; a public name may not.
EXTRAS = {"anywidget", "jax", "marimo", "matplotlib", "torch", "traitlets"}
NAMESPACES = {"claims", "problems", "position", "spectrum"}

# Runs in a process of its own: it imports every module there is, then looks at the names.
SURVEY = """
import importlib, json, pkgutil, sys, types
import headwright

extras = set(sys.argv[1:])
broken = []

def load(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        lacking = error.name or getattr(error.__cause__, "name", None) or ""
        if lacking.partition(".")[0] not in extras:
            broken.append(f"{name}: {error}")

def modules(path, prefix):
    for found in pkgutil.iter_modules(path, prefix):
        if not found.name.endswith(".__main__"):
            module = load(found.name)
            yield found.name
            if found.ispkg and module:
                yield from modules(module.__path__, found.name + ".")

def kind(name):
    thing = getattr(headwright, name)
    if getattr(headwright, name) is not thing:
        return "unstable"
    if isinstance(thing, types.ModuleType):
        return "module"
    return "good" if callable(thing) or isinstance(thing, dict) else type(thing).__name__

def public(names):
    return sorted(name for name in names if not name.startswith("_"))

tree = list(modules(headwright.__path__, "headwright."))
names = public(headwright.__all__)
namespaces = {n: public(getattr(getattr(headwright, n), "__all__", [])) for n in names if kind(n) == "module"}
print(json.dumps({
    "broken": broken, "tree": tree, "names": names, "listed": public(dir(headwright)),
    "kinds": {n: kind(n) for n in names}, "namespaces": namespaces,
}))
"""


@pytest.fixture(scope="module")
def survey():
    command = [sys.executable, "-c", SURVEY, *sorted(EXTRAS)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_module_imports(survey):
    assert survey["broken"] == []


def test_dir_lists_the_public_names(survey):
    assert survey["listed"] == survey["names"]


def test_no_name_is_given_twice(survey):
    assert len(set(survey["names"])) == len(survey["names"])


def test_names_are_stable_and_of_a_useful_kind(survey):
    odd = {n: kind for n, kind in survey["kinds"].items() if kind != ("module" if n in NAMESPACES else "good")}
    assert odd == {}


def test_no_module_is_named_like_a_public_name(survey):
    taken = {f"headwright.{name}" for name in set(survey["names"]) - NAMESPACES}
    taken |= {f"headwright.{space}.{name}" for space, names in survey["namespaces"].items() for name in names}
    assert taken.isdisjoint(survey["tree"]), f"shadowed: {sorted(taken.intersection(survey['tree']))}"

"""A file imports from lower layers or its own folder, and the trusted base trusts nothing above or beside it."""

import ast
from pathlib import Path, PurePosixPath

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "headwright"
LONGEST_FILE = 300

# Every file and folder directly in headwright/, and its layer.
LAYER = {
    **dict.fromkeys(
        [
            "inputs.py",
            "array_libraries.py",
            "budget.py",
            "exact_inputs.py",
            "frozen.py",
            "number_types.py",
            "optional.py",
            "pickling.py",
            "progress.py",
            "shown.py",
        ],
        0,
    ),
    **dict.fromkeys(
        [
            "argued.py",
            "attention.py",
            "batches.py",
            "goals.py",
            "key_laws.py",
            "key_models.py",
            "scaled_keys.py",
            "semidefinite.py",
            "_design.py",
            "design_record.py",
            "_stored.py",
            "query_norms.py",
            "block.py",
            "block_parts.py",
            "block_steps.py",
            "torch_layers.py",
            "training_tasks.py",
            "trained/",
            "layer.py",
            "program.py",
            "program_meaning.py",
            "program_registers.py",
            "program_steps.py",
            "program_values.py",
            "program_text.py",
            "refusal_types.py",
            "verdict.py",
        ],
        1,
    ),
    **dict.fromkeys(["balls/"], 2),
    **dict.fromkeys(["forms/", "bounded.py"], 3),
    **dict.fromkeys(["proofs/"], 4),
    **dict.fromkeys(
        [
            "formulas/",
            "geometry/",
            "noise/",
            "position/",
            "spectrum/",
            "kernels/",
            "_said.py",
            "toml_files.py",
            "array_files.py",
            "goal_tables.py",
            "profiles.py",
            "claims.py",
        ],
        5,
    ),
    **dict.fromkeys(["compression/", "constructions/", "judging/", "reachability/", "_save.py"], 6),
    **dict.fromkeys(["programs/"], 7),
    **dict.fromkeys(["pictures/"], 8),
    **dict.fromkeys(["problems/", "auditing/"], 9),
    **dict.fromkeys(["autograders/", "cards/", "reports/"], 10),
    **dict.fromkeys(["playground/"], 11),
    **dict.fromkeys(["cli/"], 12),
    **dict.fromkeys(["__init__.py", "__main__.py"], 13),
}
FREE_WITHIN = {0, 1}  # these layers are single files, which may import one another
TRUSTED = 4  # the highest layer of the trusted base
UNTRUSTED = {"scipy", "torch", "jax", "jaxlib"}
PLACE = {place.removesuffix(".py").removesuffix("/"): place for place in LAYER}


def place_of(file):
    """`proofs/leak.py` lies in `proofs/`, and `_design.py` in itself."""
    return file.parts[0] + "/" if len(file.parts) > 1 else file.name


def imports(file, source):
    """Every import in the source, wherever it stands, as (line, absolute dotted name)."""
    package = ["headwright", *file.parent.parts]
    # `need` of optional.py is the door to the extras (Layer.to_torch). Above layer 1 it is an import like any other.
    calls = {"import_module", "__import__"} | ({"need"} if LAYER[place_of(file)] > 1 else set())
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module, names, level):
                base = package[: len(package) - level + 1] if level else []
                base = [*base, module] if module else base
                yield from ((node.lineno, ".".join([*base, alias.name])) for alias in names)
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name), args) if name in calls:
                named = args and isinstance(args[0], ast.Constant)
                yield node.lineno, args[0].value if named else "a module named at run time"


def complaint(place, imported):
    """Why a file in `place` may not import this, or None."""
    layer = LAYER[place]
    root, *rest = imported.split(".")
    if root == "flint" and place not in ("balls/", "geometry/"):
        return "only balls/ and geometry/ import flint"
    if root in UNTRUSTED and layer <= TRUSTED:
        return f"the trusted base imports no {root}"
    if " " in root and layer <= TRUSTED and place != "optional.py":
        return "the trusted base names what it imports"
    if root != "headwright":
        return None
    target = PLACE.get(rest[0], "__init__.py") if rest else "__init__.py"
    if LAYER[target] > layer:
        return f"{target} is in layer {LAYER[target]}, above layer {layer}"
    if LAYER[target] == layer and target != place and layer not in FREE_WITHIN:
        return f"{target} is another folder of layer {layer}"
    return None


def violations(file, source):
    """What is wrong with one file, given by its path inside headwright/."""
    place = place_of(file)
    if place not in LAYER:
        return [f"{file}: {place} has no layer; add it to the table LAYER in {Path(__file__).name}"]
    found = [(line, name, complaint(place, name)) for line, name in imports(file, source)]
    faults = [f"{file}:{line}: imports {name}: {why}" for line, name, why in found if why]
    length = len(source.splitlines())
    if length > LONGEST_FILE:
        faults.append(f"{file}: {length} lines; the limit is {LONGEST_FILE}")
    return faults


def test_the_tree_keeps_its_layers():
    files = sorted(PACKAGE.rglob("*.py"))
    assert files, f"no files in {PACKAGE.name}"
    faults = [fault for path in files for fault in violations(path.relative_to(PACKAGE), path.read_text("utf-8"))]
    assert not faults, "\n" + "\n".join(faults)


def test_every_folder_has_a_layer():
    folders = {path.name + "/" for path in PACKAGE.iterdir() if path.is_dir()} - {"__pycache__/"}
    unknown = sorted(folders - LAYER.keys())
    assert not unknown, f"no layer for {unknown}; add them to the table LAYER in {Path(__file__).name}"


@pytest.mark.parametrize(
    ("file", "source", "why"),
    [
        ("geometry/hull.py", "from headwright.constructions import design", "above layer 5"),
        ("geometry/hull.py", "def f():\n    from ..constructions import design", "above layer 5"),
        ("goals.py", "if TYPE_CHECKING:\n    from .balls import Ball", "above layer 1"),
        ("goals.py", "from . import proofs", "above layer 1"),
        ("inputs.py", "import headwright.goals as goals", "above layer 0"),
        ("cli/tour.py", "import headwright as hw", "above layer 12"),
        ("cli/tour.py", "from headwright import design", "above layer 12"),
        ("proofs/leak.py", "importlib.import_module('headwright.noise')", "above layer 4"),
        ("geometry/hull.py", "from ..noise.laws import law", "another folder of layer 5"),
        ("judging/certify.py", "from headwright import reachability", "another folder of layer 6"),
        ("proofs/leak.py", "from flint import arb", "only balls/ and geometry/ import flint"),
        ("noise/laws.py", "import flint.types", "only balls/ and geometry/ import flint"),
        ("proofs/leak.py", "import scipy.linalg", "imports no scipy"),
        ("balls/ball.py", "def f():\n    from torch import nn", "imports no torch"),
        ("inputs.py", "__import__('jax')", "imports no jax"),
        ("proofs/leak.py", "need('scipy', extra='plots')", "imports no scipy"),
        ("proofs/leak.py", "import_module(name)", "names what it imports"),
        ("drawer/odds.py", "", "drawer/ has no layer; add it"),
        ("odds.py", "", "odds.py has no layer; add it"),
        ("proofs/leak.py", "\n" * 301, "301 lines"),
    ],
)
def test_a_fault_is_reported(file, source, why):
    (fault,) = violations(PurePosixPath(file), source)
    assert why in fault


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("goals.py", "from .verdict import Proved\nfrom . import inputs"),
        ("balls/ball.py", "from flint import arb\nfrom .rational import Q\nfrom . import rational"),
        ("proofs/leak.py", "from ..balls.ball import Ball\nfrom headwright.goals import Copy\nimport numpy as np"),
        ("proofs/__init__.py", "from .leak import leak\nfrom .. import _design"),
        ("constructions/least/dual.py", "from ...geometry import hull\nfrom ..copy import design\nimport scipy"),
        ("optional.py", "import_module(name)"),
        ("_design.py", "def to_torch():\n    need('torch', extra='torch')"),
        ("__main__.py", "from headwright.cli import main"),
        ("__init__.py", "from .goals import Copy\nfrom . import problems"),
    ],
)
def test_what_is_allowed_passes(file, source):
    assert violations(PurePosixPath(file), source) == []

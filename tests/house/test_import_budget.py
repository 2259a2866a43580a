"""`import headwright` loads nothing heavy, and the trusted base stands without SciPy."""

import subprocess
import sys

HEAVY = {"torch", "matplotlib", "transformers", "flint", "jax", "typer"}

# An empty stand-in for the package lets its trusted modules load alone.
TRUSTED_ALONE = """
import importlib, pkgutil, sys, types
from importlib.util import find_spec

package = types.ModuleType("headwright")
package.__path__ = find_spec("headwright").submodule_search_locations
sys.modules["headwright"] = package
for folder in ("kernel", "theories"):
    for module in pkgutil.walk_packages([f"{package.__path__[0]}/{folder}"], f"headwright.{folder}."):
        importlib.import_module(module.name)
"""


def loaded_by(code):
    code += "\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {name.partition(".")[0] for name in done.stdout.split()}


def test_import_loads_nothing_heavy():
    assert sorted(loaded_by("import headwright") & HEAVY) == []


def test_trusted_base_stands_alone():
    assert sorted(loaded_by(TRUSTED_ALONE) & {"scipy", "torch", "jax"}) == []

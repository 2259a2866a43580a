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
untrusted = {
    "formulas", "geometry", "noise", "position", "spectrum", "pictures", "constructions", "judging",
    "problems", "cards", "reports", "playground", "cli", "__main__",
}
for module in pkgutil.iter_modules([*package.__path__], "headwright."):
    if module.name.split(".")[1] not in untrusted:
        loaded = importlib.import_module(module.name)
        for inner in pkgutil.iter_modules(getattr(loaded, "__path__", []), module.name + "."):
            importlib.import_module(inner.name)
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

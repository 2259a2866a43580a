"""`python -m benchmarks [name ...]`: measure the claims, show the rows, keep them in results.json."""

import json
import os
import pkgutil
import platform
import sys
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

# Before NumPy is imported: afterwards its thread pool is already made.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.table import Column, Table  # noqa: E402

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results.json"
BORDER = 3  # characters between two columns of a table
WIDEST = 40  # characters of a column: a fault can be a whole sentence


def main(names: list[str]) -> int:
    known = sorted(found.name for found in pkgutil.iter_modules([str(FOLDER)]) if not found.name.startswith("_"))
    if unknown := sorted(set(names) - set(known)):
        print(f"no benchmark named {', '.join(unknown)}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    console = Console(markup=False)  # a column may be called "time [ms]"
    met = True
    for name in names or known:
        result = measure(name)
        show(console, name, result)
        keep(name, result)
        met = met and not any(row["met"] is False for row in result["rows"])
    return 0 if met else 1


def measure(name: str) -> dict[str, Any]:
    module = import_module(f"benchmarks.{name}")
    try:
        rows = [plain(row) for row in module.run()]
    except Exception as error:  # a benchmark that breaks is a row too, and the others still run
        rows = [{"fault": repr(error), "met": False}]
    return {
        "claim": module.CLAIM,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "cpus": os.cpu_count(),
        "rows": rows,
    }


def plain(row: dict[str, Any]) -> dict[str, Any]:
    """The row with NumPy scalars as Python values, and a `met` in every case."""
    values = {column: value.item() if isinstance(value, np.generic) else value for column, value in row.items()}
    return {**values, "met": values.get("met")}


def show(console: Console, name: str, result: dict[str, Any]) -> None:
    """The claim and its table. What is too wide for the console goes on in a further table below, its rows numbered alike."""
    columns = list(dict.fromkeys(column for row in result["rows"] for column in row))
    shown = {column: [cell(row.get(column)) for row in result["rows"]] for column in columns}
    console.print(f"{name}: {result['claim']}")
    parts = in_parts({column: width(column, cells) for column, cells in shown.items()}, console.width)
    if len(parts) > 1:
        shown["row"] = [str(number) for number in range(1, len(result["rows"]) + 1)]
        parts = in_parts(
            {column: width(column, shown[column]) for column in columns}, console.width - BORDER - len("row")
        )
        parts = [["row", *part] for part in parts]
    for part in parts:
        table = Table(
            *(Column(in_words(column), width=width(column, shown[column]), overflow="fold") for column in part)
        )
        for cells in zip(*(shown[column] for column in part), strict=True):
            table.add_row(*cells)
        console.print(table)


def in_parts(widths: dict[str, int], room: int) -> list[list[str]]:
    """The columns in order, as many together as there is room for."""
    parts: list[list[str]] = [[]]
    for column, size in widths.items():
        if parts[-1] and sum(widths[name] + BORDER for name in parts[-1]) + size + BORDER >= room:
            parts.append([])
        parts[-1].append(column)
    return parts


def width(column: str, cells: list[str]) -> int:
    """As wide as the longest cell and the longest word of the heading, but no wider than `WIDEST`."""
    return min(WIDEST, max(map(len, (*in_words(column).split(), *cells))))


def in_words(column: str) -> str:
    return column.replace("_", " ")


def cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "NO"
        case float():
            return f"{value:.4g}"
    return str(value)


def keep(name: str, result: dict[str, Any]) -> None:
    """Replace this benchmark's entry in results.json; each entry says when and where it was measured."""
    results = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    results[name] = result
    RESULTS.write_text(json.dumps(results, indent=2, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Time inside the import statement, in fresh processes, the two taking turns; the best of each counts."""

import subprocess
import sys

LIMIT = 1.0
CLAIM = f"`import headwright` takes at most {LIMIT:g} times as long as `import numpy, scipy.linalg`."

OURS, BASE = "headwright", "numpy, scipy.linalg"
REPEATS = 7


def run() -> list[dict[str, object]]:
    turns = [{what: seconds(what) for what in (BASE, OURS)} for _ in range(REPEATS)]
    base, ours = (min(turn[what] for turn in turns) for what in (BASE, OURS))
    return [
        {"import": BASE, "best [ms]": 1e3 * base, "ratio": 1.0, "limit": None, "met": None},
        {"import": OURS, "best [ms]": 1e3 * ours, "ratio": ours / base, "limit": LIMIT, "met": ours <= LIMIT * base},
    ]


def seconds(what: str) -> float:
    code = f"from time import perf_counter; start = perf_counter(); import {what}; print(perf_counter() - start)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)

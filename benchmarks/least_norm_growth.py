"""How the time of the shortest query grows with n and d: fitted exponents, and a picture where matplotlib is installed."""

from __future__ import annotations

import math
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from benchmarks.certify_speed import best_of
from headwright.geometry import least_norm

CLAIM = "the search for the shortest query takes time about proportional to n, and to at most d²"
C = math.log(0.01 / 0.99)
SIZES = {"n": [(n, 64) for n in (500, 1000, 2000, 4000, 8000, 16000)], "d": [(4000, d) for d in (16, 32, 64, 128, 256)]}
PICTURE = Path(__file__).with_name("least_norm_growth.svg")


def run() -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for along, sizes in SIZES.items():
        times = [best_of(3, lambda n=n, d=d: solve(n, d)) for n, d in sizes]
        steps = [size[0 if along == "n" else 1] for size in sizes]
        exponent = float(np.polyfit(np.log(steps), np.log(times), 1)[0])
        rows += [{"n": n, "d": d, "ms": 1e3 * t, "met": None} for (n, d), t in zip(sizes, times, strict=True)]
        rows.append({"along": along, "exponent": exponent, "met": exponent <= (1.3 if along == "n" else 2.2)})
    draw(rows)
    return rows


_KEYS: dict[tuple[int, int], np.ndarray] = {}


def solve(n: int, d: int) -> None:
    if (n, d) not in _KEYS:
        _KEYS[n, d] = np.random.default_rng(n + d).standard_normal((n, d))
    keys = _KEYS[n, d]
    least_norm(keys[1:] - keys[0], np.zeros((0, d)), np.zeros(0), C)


def draw(rows: list[dict[str, object]]) -> None:
    if find_spec("matplotlib") is None:
        print("no picture: matplotlib is not installed (the extra `plots` brings it)")
        return
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
    fitted = {row["along"]: row["exponent"] for row in rows if "along" in row}
    for panel, (along, sizes) in zip(panels, SIZES.items(), strict=True):
        which = 0 if along == "n" else 1
        points = [(size[which], row["ms"]) for size in sizes for row in rows if (row.get("n"), row.get("d")) == size]
        x, y = zip(*points, strict=True)
        panel.loglog(x, y, "o-", color="#2166ac")
        other = f"d = {sizes[0][1]}" if along == "n" else f"n = {sizes[0][0]}"
        panel.set(title=f"{other}: time ∝ {along}^{fitted[along]:.2f}", xlabel=along)
        panel.grid(visible=True, which="both", alpha=0.3)
    panels[0].set_ylabel("milliseconds")
    figure.savefig(PICTURE)
    pyplot.close(figure)

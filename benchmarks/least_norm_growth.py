"""How the time of the shortest query grows with n and d: fitted exponents, and a picture where matplotlib is installed."""

from __future__ import annotations

import math
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from benchmarks.certify_speed import best_of
from headwright.search.least_norm.newton import least_norm

CLAIM = "the search for the shortest query takes time about proportional to n, and to at most d²"
C = math.log(0.01 / 0.99)
SIZES = {"n": [(n, 64) for n in (500, 1000, 2000, 4000, 8000, 16000)], "d": [(4000, d) for d in (16, 32, 64, 128, 256)]}
Series = tuple[list[int], list[float], float]  # sizes, milliseconds, fitted exponent
PICTURE = Path(__file__).with_name("least_norm_growth.svg")


def run() -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    series: dict[str, Series] = {}
    for along, sizes in SIZES.items():
        times = [best_of(3, lambda n=n, d=d: solve(n, d)) for n, d in sizes]
        steps = [size[0 if along == "n" else 1] for size in sizes]
        exponent = float(np.polyfit(np.log(steps), np.log(times), 1)[0])
        rows += [{"n": n, "d": d, "ms": 1e3 * t, "met": None} for (n, d), t in zip(sizes, times, strict=True)]
        rows.append({"along": along, "exponent": exponent, "met": exponent <= (1.3 if along == "n" else 2.2)})
        series[along] = steps, [1e3 * t for t in times], exponent
    draw(series)
    return rows


_KEYS: dict[tuple[int, int], np.ndarray] = {}


def solve(n: int, d: int) -> None:
    if (n, d) not in _KEYS:
        _KEYS[n, d] = np.random.default_rng(n + d).standard_normal((n, d))
    keys = _KEYS[n, d]
    least_norm(keys[1:] - keys[0], np.zeros((0, d)), np.zeros(0), C)


def draw(series: dict[str, Series]) -> None:
    if find_spec("matplotlib") is None:
        print("no picture: matplotlib is not installed (the extra `plots` brings it)")
        return
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
    for panel, (along, (x, y, exponent)) in zip(panels, series.items(), strict=True):
        level = float(np.exp(np.mean(np.log(y) - exponent * np.log(x))))
        panel.loglog(
            x, level * np.array(x, dtype=float) ** exponent, "--", color="#999999", label=f"{along}^{exponent:.2f}"
        )
        panel.loglog(x, y, "o-", color="#2166ac", label="measured")
        panel.set_xticks(x, [str(value) for value in x])
        panel.set_xticks([], minor=True)
        fixed = f"d = {SIZES['n'][0][1]}" if along == "n" else f"n = {SIZES['d'][0][0]}"
        panel.set(title=f"the shortest query, {fixed}", xlabel=along)
        panel.grid(visible=True, alpha=0.3)
        panel.legend()
    ticks = [1, 2, 5, 10, 20, 50, 100]
    panels[0].set_yticks(ticks, [str(value) for value in ticks])
    panels[0].set_yticks([], minor=True)
    panels[0].set_ylabel("milliseconds")
    figure.savefig(PICTURE)
    pyplot.close(figure)

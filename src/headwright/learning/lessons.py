"""learn_all: copying and averaging from three seeds, into one folder; what is finished there stays, what was stopped goes on."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic

from headwright.learning.recipe import Recipe
from headwright.learning.training import Report, train
from headwright.tasks import LESSONS, SEEDS, Learned, file_name

_RATES = {
    1: 0.01,
    2: 0.02,
}  # at 0.01 two heads that average may stop halfway between averaging and copying one place each


def learn_all(
    folder: str | Path, *, recipe: Recipe | None = None, say: Callable[[str], None] | None = None
) -> list[Learned]:
    """Every lesson from every seed. `say` gets a line per block; a terminal also sees how far the current one is."""
    learned = []
    for task, heads in LESSONS:
        for seed in SEEDS:
            words = f"{task.name}, {heads} head{'s' if heads > 1 else ''}, seed {seed}"
            found = (Path(folder) / file_name(task, heads, seed)).is_file()
            start = monotonic()
            own = replace(recipe or Recipe(rate=_RATES[heads]), heads=heads)
            one = train(task, seed=seed, recipe=own, folder=folder, report=_line(words))
            learned.append(one)
            if say is not None:
                how = "was there already" if found else f"{monotonic() - start:.0f} s"
                say(f"{words}: {own.steps} steps, loss {one.recipe['final loss']:.2e} ({how})")
    return learned


def _line(words: str) -> Report:
    """Reports on one line of stderr, on terminals only, with the time left as the pace so far suggests; wiped at the end."""
    start: list[tuple[float, int]] = []

    def report(done: int, total: int, loss: float) -> None:
        if not sys.stderr.isatty():
            return
        now = monotonic()
        start[:] = start or [(now, done)]
        since, first = start[0]
        left = f", about {(now - since) / (done - first) * (total - done):.0f} s left" if done > first else ""
        line = f"{words}: step {done} of {total}, loss {loss:.2e}{left}"
        print(f"\r{line:<78}" if done < total else f"\r{'':<78}\r", end="", file=sys.stderr, flush=True)

    return report

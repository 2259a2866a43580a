"""A progress line on stderr for work that takes more than two seconds, removed when the work ends."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import TypeVar

T = TypeVar("T")
_PATIENCE = 2.0  # seconds
_PAUSE = 0.5


def with_progress(steps: Iterable[T], total: int, words: str) -> Iterator[T]:
    """The steps as they are; once two seconds have passed, a line says how many of `total` are done (on terminals only)."""
    start = said = monotonic()
    spoken = False
    for done, step in enumerate(steps):
        now = monotonic()
        if now - start > _PATIENCE and now - said > _PAUSE and sys.stderr.isatty():
            left = (now - start) / done * (total - done) if done else 0.0
            print(f"\r{words}: {done / total:.0%}, about {left:.0f} s left ", end="", file=sys.stderr, flush=True)
            said, spoken = now, True
        yield step
    if spoken:
        print("\r" + " " * (len(words) + 30) + "\r", end="", file=sys.stderr, flush=True)

"""Verdicts: one verdict per key set of a batch, or per query of many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, final, overload

import numpy as np

from headwright.kernel.frozen import Immutable, sealed
from headwright.kernel.shown import Shown
from headwright.kernel.verdict import Proved, Verdict
from headwright.words.batches import nested, places

STATUSES = ("proved", "refuted", "undecided")


@final
class Verdicts(Immutable, Shown, Sequence[Any]):
    """One verdict for each of many key sets (..., n, d), or with `each=True` for each of many queries, as `certify` returns them.

    `verdicts[i]` is the verdict on key set i, and `verdicts[i, j]` that on key set (i, j). `statuses` has the shape of the batch.
    For separate queries the last axis is theirs, and `about` is "query". Where `whole` is a verdict, it proves bounds on every
    total variation, and the statuses follow from them. A single verdict is then proved when it is asked for.

    >>> import numpy as np, headwright as hw
    >>> verdicts = hw.certify(np.stack([np.eye(3), -np.eye(3)]), [9.0, 0.0, 0.0], hw.Copy(0))
    >>> verdicts
    Verdicts on 2 key sets: 1 proved, 1 refuted
    >>> verdicts[1].status, verdicts.statuses.tolist()
    ('refuted', ['proved', 'refuted'])
    """

    __slots__ = ("_known", "_prove", "_statuses", "about", "shape", "whole")
    shape: tuple[int, ...]
    whole: Verdict | None
    about: Literal["key set", "query"]
    _statuses: np.ndarray
    _known: dict[int, Verdict]
    _prove: Callable[[int], Verdict]

    def __init__(
        self,
        shape: Sequence[int],
        prove: Callable[[int], Verdict],
        statuses: Sequence[str | None] | None = None,
        whole: Verdict | None = None,
        about: Literal["key set", "query"] = "key set",
    ) -> None:
        """`prove` judges one of them by its flat index. Where `whole` settles a status, it need not be called for it."""
        count = int(np.prod(shape))
        self._set(shape=tuple(shape), whole=whole, about=about, _prove=prove, _known={})
        settled = [None] * count if statuses is None or not isinstance(whole, Proved) else list(statuses)
        found = [status or self._one(i).status for i, status in enumerate(settled)]
        table = np.array(found).reshape(self.shape)
        self._set(_statuses=table)

    @property
    def statuses(self) -> np.ndarray:
        """The status of each verdict, with the shape of the batch."""
        return sealed(self._statuses.copy())  # type: ignore[no-any-return]

    def _one(self, i: int) -> Verdict:
        if i not in self._known:
            self._known[i] = self._prove(i)
        return self._known[i]

    def __len__(self) -> int:
        return self.shape[0]

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> list[Any]: ...
    def __getitem__(self, place: Any) -> Any:
        """The verdict at an index of the batch; nested lists of verdicts where the index leaves axes open."""
        chosen = np.arange(self.statuses.size).reshape(self.shape)[place]
        if np.ndim(chosen) == 0:
            return self._one(int(chosen))
        return nested([self._one(int(i)) for i in chosen.ravel()], chosen.shape)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    @property
    def counts(self) -> dict[str, int]:
        """How many have each status."""
        found = Counter(self.statuses.ravel().tolist())
        return {status: found[status] for status in STATUSES}

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Proved bounds, each with the shape of the batch, on every total variation; None if there are none.

        None, too, if the arrays of `whole` were changed after its proof.
        """
        if not isinstance(self.whole, Proved) or self.whole.changed:
            return None
        held: Any = self.whole.record
        return sealed(held.least.reshape(self.shape).copy()), sealed(held.most.reshape(self.shape).copy())

    def table(self) -> dict[str, list[Any]]:
        """One row per key set, or query: its index, its status and, where they are proved, bounds on its total variation."""
        index: list[Any] = [place[0] if len(place) == 1 else place for place in places(self.shape)]
        columns = {self.about: index, "status": self.statuses.ravel().tolist()}
        if self.bounds is not None:
            columns |= {"at least": self.bounds[0].ravel().tolist(), "at most": self.bounds[1].ravel().tolist()}
        return columns

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        table = self.table()
        rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
        return {"shape": list(self.shape), "counts": self.counts, self.many.replace(" ", "_"): rows}

    @property
    def many(self) -> str:
        """What they are about: "key sets" or "queries"."""
        return "queries" if self.about == "query" else "key sets"

    def expect(self) -> Verdicts:
        """These verdicts if every one is Proved; otherwise NotProved of the first that is not."""
        for i in np.flatnonzero(self.statuses.ravel() != "proved")[:1]:
            self._one(int(i)).expect()
        return self

    def __bool__(self) -> bool:
        raise TypeError("verdicts have no truth value: look at `.statuses` or `.counts`, or call `.expect()`")

    def __reduce__(self) -> tuple[Any, ...]:
        every = [self._one(i) for i in range(self.statuses.size)]
        return Verdicts, (self.shape, every.__getitem__, self.statuses.ravel().tolist(), self.whole, self.about)

    def __repr__(self) -> str:
        said = ", ".join(f"{number} {status}" for status, number in self.counts.items() if number)
        size = "×".join(map(str, self.shape))
        return f"Verdicts on {size} {self.many}: {said}"

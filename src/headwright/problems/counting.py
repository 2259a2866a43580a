"""How a file counts its keys: from 0 as in Python, or from 1 as formulas do, with `count_from = 1`.

The entries that name keys by their numbers are taken to numbers from 0 here, once. What is wrong with a number is said in the
count of the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from headwright.problems.claim_tables import EVERY_N
from headwright.reading.goal_tables import GOALS

_NUMBERED = re.compile(r"(\bkey |\b(?:along|factors|laws)\[)([0-9]{1,9})\b")


@final
@dataclass(frozen=True, slots=True)
class Counting:
    """The number of the first key, and how many keys there are: None for every n.

    >>> Counting(1, 3).goal({"copy": 3}), Counting(1, None).goal({"blend": {"1": 0.7, "7": 0.3}})
    ({'copy': 2}, {'blend': {'0': 0.7, '6': 0.3}})
    """

    first: int
    n: int | None

    @classmethod
    def of(cls, table: Mapping[str, Any], keys: Any) -> Counting:
        first = table.get("count_from", 0)
        if isinstance(first, bool) or first not in (0, 1):
            raise ValueError(f"`count_from` must be 0 or 1, got {first!r}")
        return cls(int(first), len(keys) if isinstance(keys, np.ndarray | tuple) else None)

    def place(self, number: int, entry: str) -> int:
        """The place of a key, counted from 0; ValueError about `entry` where there is no such key."""
        n = EVERY_N if self.n is None else self.n
        if not self.first <= number < n + self.first:
            raise ValueError(
                f"{entry} names key {number}, but there are only {n} keys ({self.first} to {n - 1 + self.first})"
            )
        return number - self.first

    def goal(self, claim: Mapping[str, Any]) -> dict[str, Any]:
        """The claim with its goal, and the outputs of a layer, by places."""
        return {
            name: self._any(value, f"`{name}`") if name in (*GOALS, "outputs") else value
            for name, value in claim.items()
        }

    def law(self, law: Mapping[str, Any]) -> dict[str, Any]:
        """How keys vary, by places."""
        read = dict(law)
        if isinstance(law.get("gaussian"), Mapping):
            read["gaussian"] = {
                name: self._any(value, f"`gaussian`: `{name}`") if name in ("along", "factors") else value
                for name, value in law["gaussian"].items()
            }
        if isinstance(law.get("scaled"), Mapping):
            read["scaled"] = self._any(law["scaled"], "`scaled`")
        return read

    def names(self, names: Any) -> Any:
        """What names stand for, keys by their places."""
        if not isinstance(names, Mapping):
            return names
        return {name: self._named(name, what) if isinstance(what, dict) else what for name, what in names.items()}

    def _named(self, name: str, what: Mapping[str, Any]) -> dict[str, Any]:
        read = dict(what)
        if "key" in read:
            read["key"] = self._any(read["key"], f"`names.{name}`")
        if isinstance(read.get("axis"), int):
            read["axis"] -= self.first
        return read

    def said(self, text: str) -> str:
        """A message in the count of the file, where the library counts from 0.

        >>> Counting(1, 3).said("`along[2]` asks for variance along the mean of key 2")
        '`along[3]` asks for variance along the mean of key 3'
        """
        return _NUMBERED.sub(lambda found: f"{found[1]}{int(found[2]) + self.first}", text)

    def _any(self, value: Any, entry: str) -> Any:
        """A number, a list of numbers or a table by numbers, by places; whatever else is left to its reader."""
        if isinstance(value, int) and not isinstance(value, bool):
            return self.place(value, entry)
        if isinstance(value, list):
            return [self._any(one, entry) if isinstance(one, int) else one for one in value]
        if isinstance(value, dict):
            return {
                str(self.place(int(key), entry)) if key.isascii() and key.isdecimal() and len(key) < 10 else key: one
                for key, one in value.items()
            }
        return value

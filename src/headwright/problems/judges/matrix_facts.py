"""Facts about tokens in an order, position codes, matrices and trained blocks: how their tables become claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from headwright.verdict import Verdict

Table = Mapping[str, Any]

KINDS: dict[str, Callable[[Table], Verdict]] = {}

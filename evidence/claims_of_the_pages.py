"""What the standalone checker says of the claims that the handbook's own examples make.

Every block of code on the pages runs. Of each example the last decided claim of each kind counts, so that the steps of a search,
which prove hundreds of claims, do not. Claims that occur twice count once.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import headwright_check
from evidence.partial import BOTH, LIBRARY, Partial
from handbook import outputs
from headwright.claims import KINDS
from headwright.kernel.certificate import text_of
from headwright.kernel.claim import Claim
from headwright.kernel.verdict import Verdict
from tests.certificate_files import write

CLAIM = (
    "Of the claims that the handbook's examples decide, the standalone checker decides 93 %, each as the library does."
)
DOCS = Path(__file__).parents[1] / "docs"
WORDS = {"proved": "confirmed", "refuted": "refuted"}


@contextmanager
def watched() -> Iterator[dict[str, Verdict]]:
    """The last decided verdict of each kind, of claims that are not a part of another claim's proof."""
    found: dict[str, Verdict] = {}
    depth = 0

    def watch(prove: Callable[[Claim], Verdict]) -> Callable[[Claim], Verdict]:
        @wraps(prove)
        def proved(claim: Claim) -> Verdict:
            nonlocal depth
            depth += 1
            try:
                verdict = prove(claim)
            finally:
                depth -= 1
            if not depth and verdict.status in WORDS:
                found[claim.kind] = verdict
            return verdict

        return proved

    plain = {kind: owner.prove for kind, owner in KINDS.items()}
    for owner in KINDS.values():
        owner.prove = watch(owner.prove)  # type: ignore[method-assign]
    try:
        yield found
    finally:
        for kind, owner in KINDS.items():
            owner.prove = plain[kind]  # type: ignore[method-assign]


def examine(page: Path) -> list[dict[str, str]]:
    """The claims of a page, and what both checkers say of them."""
    rows = {}
    with TemporaryDirectory() as folder, watched() as found, patch.dict(os.environ, COLUMNS="80"):
        shutil.copytree(DOCS.parent / "examples", Path(folder) / "examples")
        before = Path.cwd()
        os.chdir(folder)
        try:
            for _ in outputs.ran(page.read_text("utf-8"), {"__name__": "__main__"}):
                for verdict in list(found.values()):
                    write(Path(folder) / "c", verdict.record, verdict)
                    said = headwright_check.check(str(Path(folder) / "c"))[0]
                    rows[_name(verdict.record)] = {
                        "kind": verdict.record.kind,
                        "library": verdict.status,
                        "standalone": said,
                    }
                found.clear()
        finally:
            os.chdir(before)
    return [{"claim": name, **row} for name, row in rows.items()]


def _name(claim: Claim) -> str:
    arrays = [f"{name} {array.shape}".encode() + array.tobytes() for name, array in sorted(claim.arrays().items())]
    return sha256(b"\n".join([text_of(claim).encode(), *arrays])).hexdigest()[:16]


def run(store: Path, limit: int | None = None) -> dict[str, Any]:
    pages = sorted(page for page in DOCS.rglob("*.md") if outputs.BLOCK.search(page.read_text("utf-8")))[:limit]
    with Partial(store, __file__, library=LIBRARY.parent, parts=BOTH) as partial:
        for page in pages:
            if (name := page.relative_to(DOCS).as_posix()) not in partial:
                partial.add(name, {"claims": examine(page)})
        rows = {row["claim"]: row for name in partial for row in partial[name]["claims"]}
    agreed = Counter(row["kind"] for row in rows.values() if row["standalone"] == WORDS[row["library"]])
    open_ = Counter(row["kind"] for row in rows.values() if row["standalone"] == "open")
    share = agreed.total() / max(len(rows), 1)
    return {
        "holds": share >= 0.93 and agreed.total() + open_.total() == len(rows),
        "claims": len(rows),
        "decided alike": agreed.total(),
        "share": round(share, 4),
        "open": dict(open_.most_common()),
        "otherwise": [row for row in rows.values() if row["standalone"] not in (WORDS[row["library"]], "open")],
    }

"""Finished cases of a long run, kept on disk so that a stopped run resumes where it was."""

import ast
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Self

LIBRARY = Path(__file__).parents[1] / "src" / "headwright"
ALL = ("**/*.py",)
BOTH = ("headwright/**/*.py", "headwright_check.py")  # the library and the standalone checker, below `LIBRARY.parent`
Row = dict[str, Any]


def digest(module: str | Path, library: Path = LIBRARY, *, parts: Sequence[str] = ALL) -> str:
    """SHA-256 of the library's source files (those that match `parts`) and of the evidence module, without their prose."""
    total = hashlib.sha256()
    for path in [*sorted({path for part in parts for path in library.glob(part)}), Path(module)]:
        content = code(path.read_text("utf-8")).encode()
        name = path.relative_to(library).as_posix() if path.is_relative_to(library) else path.name
        total.update(f"{name} {len(content)}\n".encode())
        total.update(content)
    return total.hexdigest()


def code(source: str) -> str:
    """Python without comments and docstrings: what they say changes no result."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(
            node
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


class Partial:
    """The finished cases of one evidence module, in `store/<module>.jsonl`.

    The first line holds the digest of the sources, or of those `parts` that the cases rest on; where it differs from
    today's, the file is of other code and starts afresh. Each later line is one case. A last line without its newline was
    cut off by a kill and is dropped.

        with Partial(store, __file__) as partial:
            for case in cases:
                if case not in partial:
                    partial.add(case, examine(case))
            rows = [partial[case] for case in cases]
    """

    def __init__(self, store: Path, module: str | Path, *, library: Path = LIBRARY, parts: Sequence[str] = ALL) -> None:
        store.mkdir(parents=True, exist_ok=True)
        self.name = Path(module).stem
        header = {"digest": digest(module, library, parts=parts)}
        self._file = open(store / f"{self.name}.jsonl", "a+b")  # noqa: SIM115 (closed by `close`)
        self._rows = self._resume(header)
        self._told = monotonic()

    def _resume(self, header: Row) -> dict[str, Row]:
        self._file.seek(0)
        whole = [line for line in self._file if line.endswith(b"\n")]
        if not whole or json.loads(whole[0]) != header:
            self._file.truncate(0)
            self._write(header)
            return {}
        self._file.truncate(sum(map(len, whole)))
        return {entry["case"]: entry["row"] for entry in map(json.loads, whole[1:])}

    def _write(self, entry: Row) -> None:
        self._file.write(json.dumps(entry).encode() + b"\n")
        self._file.flush()

    def add(self, case: str, row: Row) -> None:
        """Keep the row of a finished case; it is on disk when this returns."""
        if case in self._rows:
            raise ValueError(f"`case` must be new; {case!r} is already there")
        self._write({"case": case, "row": row})
        self._rows[case] = row
        self._tell()

    def _tell(self) -> None:
        """How far we are: twice a second on a terminal, once a minute in a log."""
        terminal = sys.stderr.isatty()
        if monotonic() - self._told > (0.5 if terminal else 60):
            print(f"  {self.name}: {len(self)} cases", end="\r" if terminal else "\n", file=sys.stderr, flush=True)
            self._told = monotonic()

    def __contains__(self, case: str) -> bool:
        return case in self._rows

    def __getitem__(self, case: str) -> Row:
        return self._rows[case]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

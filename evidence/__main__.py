"""`python -m evidence [name ...] [--limit N]`: run the counts, write `evidence/<name>.json`.

With `--limit` the summary is shown and not written: the files hold full-size runs only.
"""

import argparse
import json
import os
import pkgutil
import platform
import sys
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

from evidence.partial import ALL, digest

FOLDER = Path(__file__).parent
STORE = FOLDER / ".partial"
NOT_EVIDENCE = {"__main__", "budget", "call_bugs", "fork_server", "partial", "prover_bugs"}
NOT_EVIDENCE |= {"mutations", "program_bugs", "walk_bugs", "program_cases", "program_runs", "runs_through"}


def main(arguments: list[str]) -> int:
    known = sorted({found.name for found in pkgutil.iter_modules([str(FOLDER)])} - NOT_EVIDENCE)
    parser = argparse.ArgumentParser("evidence", description=f"Known: {', '.join(known) or 'none yet'}.")
    parser.add_argument("names", nargs="*", metavar="name", help="what to run; everything where none is given")
    parser.add_argument("--limit", type=int, help="only the first so many cases; nothing is written")
    asked = parser.parse_args(arguments)
    if unknown := sorted(set(asked.names) - set(known)):
        parser.error(f"no evidence named {', '.join(unknown)}")
    names = asked.names or [name for name in known if _can_run(name)]
    held = [gather(name, f"{number}/{len(names)}", asked.limit) for number, name in enumerate(names, start=1)]
    return 0 if all(held) else 1


def _can_run(name: str) -> bool:
    """Whether the packages that a module needs beyond the extras are there; it says so where they are not."""
    missing = [
        package for package in getattr(import_module(f"evidence.{name}"), "NEEDS", ()) if find_spec(package) is None
    ]
    if missing:
        print(f"{name} is left out: it needs {', '.join(missing)}")
    return not missing


def gather(name: str, place: str, limit: int | None) -> bool:
    """Run one module; whether its claim held."""
    module = import_module(f"evidence.{name}")
    print(f"[{place}] {name}: {module.CLAIM}", flush=True)
    start = perf_counter()
    result = module.run(STORE, limit=limit)
    print(f"  {json.dumps(result)}\n  {perf_counter() - start:.1f} s", flush=True)
    if limit is None:
        record = {
            "claim": module.CLAIM,
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "python": platform.python_version(),
            "sources": digest(FOLDER / f"{name}.py", parts=getattr(module, "PARTS", ALL)),
            "result": result,
        }
        write(FOLDER / f"{name}.json", record)
    return bool(result.get("holds", True))


def write(path: Path, record: dict[str, object]) -> None:
    """All of the file or none of it: a reader never meets half a record."""
    draft = path.with_suffix(".json.draft")
    draft.write_text(json.dumps(record, indent=2) + "\n", "utf-8")
    os.replace(draft, path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

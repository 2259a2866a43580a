"""The command line: `headwright`, also as `python -m headwright`. Same words and same answers as the library.

Exit codes: 0 done or proved, 1 refuted or unreachable, 2 usage error, 3 undecided, argued or not found, 4 internal error.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command (by default the one this process was started with) and exit with its code."""
    from headwright.cli.app import run

    sys.exit(run(sys.argv[1:] if arguments is None else list(arguments)))

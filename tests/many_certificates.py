"""2,900 small certificates of all kinds and outcomes, with the verdict and the bound that each had when it was written.

The tests of 2026-11-19 proved these claims. They were chosen evenly by kind and outcome, and stay as they are: a change of the
library or of the standalone checker must judge them as before.
"""

import json
import tarfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKED = Path(__file__).with_suffix(".tar.xz")


class Certificate(NamedTuple):
    name: str  # kind/beginning of its digest
    status: str
    bound: float | None
    content: bytes

    @property
    def kind(self):
        return self.name.partition("/")[0]


@cache
def certificates():
    """All of them, in the order of their names."""
    with tarfile.open(PACKED) as held:
        files = {member.name: held.extractfile(member).read() for member in held}
    index = json.loads(files.pop("index.json"))
    return [Certificate(name, *index[name], files[name]) for name in sorted(files)]

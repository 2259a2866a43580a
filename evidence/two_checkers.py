"""The library and the standalone checker judge the same files: certificates in which one number is another, and damaged ones.

Each of the 2,900 certificates of the tests is changed eighteen times: a number of the claim or of an array, by a hair or by
much, or a figure put 10^-13 to either side of the bound that the library proves. Both read the file that results. A claim that
one of them proves and the other refutes is a contradiction, and the tests' second opinion says which of them is wrong. Where
only one of them takes a file for a certificate, the file is listed too.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from math import isfinite, nextafter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from safetensors.numpy import load, save

import headwright as hw
import headwright_check
from evidence.partial import BOTH, LIBRARY, Partial
from headwright.proofs.certificate import _unpacked, packed
from tests import second_opinion
from tests.certificate_files import signed
from tests.many_certificates import Certificate, certificates

CLAIM = (
    "Of 50,000 certificates with a number changed, the standalone checker confirms none that the library refutes and refutes "
    "none that it proves, and both refuse 2,000 damaged files."
)
CHANGES, DAMAGED = 18, 2000
SAYS = {"proved": "confirmed", "refuted": "refuted", "undecided": "open"}
_RATIONAL, _BASE_16 = re.compile(r"-?\d+(/\d+)?"), re.compile(r"-?0x[0-9a-f]+(/0x[0-9a-f]+)?")
_SCALES = [1 + sign * Fraction(1, 10**k) for k in (13, 13, 13, 6, 2) for sign in (1, -1)]
_CHANGES: tuple[Callable[[Fraction], Fraction], ...] = (
    *(lambda x, scale=scale: x * scale for scale in _SCALES),
    lambda x: -x,
    lambda x: Fraction(0),
    lambda x: 2 * x,
    lambda x: 1 - x,
    lambda x: x + 1,
)

Arrays = dict[str, np.ndarray]


def parts(content: bytes) -> tuple[dict[str, Any], str | None, Arrays, bool]:
    """The claim, what is said of it, the arrays, and whether they were packed."""
    arrays, size = load(content), int.from_bytes(content[:8], "little")
    metadata = json.loads(content[8 : 8 + size])["__metadata__"]
    packs = list(arrays) == ["packed"]
    return json.loads(metadata["claim"]), metadata.get("said"), _unpacked(arrays["packed"]) if packs else arrays, packs


def whole(claim: dict[str, Any], said: str | None, arrays: Arrays, packs: bool) -> bytes:
    metadata = signed(json.dumps(claim, sort_keys=True), arrays, said=said)
    return save({"packed": packed(arrays)} if packs else arrays, metadata=metadata)


def leaves(part: Any, home: Any = None, key: Any = None) -> Iterator[tuple[Any, Any]]:
    """Where each number and truth value of a claim stands: the object or list, and the place in it."""
    items = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for name, inner in items:
        yield from leaves(inner, part, name)
    if isinstance(part, bool | int | float) or (isinstance(part, str) and _is_number(part)):
        yield home, key


def _is_number(text: str) -> bool:
    return bool(_RATIONAL.fullmatch(text) or _BASE_16.fullmatch(text))


def another(value: Any, rng: random.Random) -> Any:
    """Another value in the same form."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return max(value + rng.choice((1, -1)), 0)
    if isinstance(value, float):
        return value * rng.choice((0.5, 2.0, 1 + 1e-13))
    if _BASE_16.fullmatch(value):
        number = Fraction(*(int(part, 16) for part in value.split("/"))) + rng.choice((1, -1))
        sign, number = "-" if number < 0 else "", abs(number)
        return f"{sign}{number.numerator:#x}" + (f"/{number.denominator:#x}" if number.denominator > 1 else "")
    return str(rng.choice(_CHANGES)(Fraction(value)))


def changed(certificate: Certificate, rng: random.Random) -> bytes:
    """The certificate with another number, under a digest that fits."""
    claim, said, arrays, packs = parts(certificate.content)
    places, own = list(leaves(claim)), [name for name in arrays if not name.startswith("said.")]
    figures = [
        (home, key)
        for home, key in places
        if home is claim and isinstance(home[key], str) and _RATIONAL.fullmatch(home[key])
    ]
    if figures and certificate.bound and isfinite(certificate.bound) and rng.random() < 0.25:
        home, key = rng.choice(figures)
        home[key] = str(Fraction(certificate.bound) * rng.choice(_SCALES[:2]))
    elif places and (not own or rng.random() < 0.5):
        home, key = rng.choice(places)
        home[key] = another(home[key], rng)
    elif own:
        name = rng.choice(own)
        arrays[name] = array = np.array(arrays[name])
        at = rng.randrange(array.size)
        x = float(array.flat[at])
        choices = [
            x * (1 + 1e-13),
            x * (1 - 1e-13),
            nextafter(x, 2 * x + 1),
            -x,
            0.0,
            2 * x,
            x + 1e-3,
            float(array.flat[0]),
        ]
        array.flat[at] = rng.choice([y for y in choices if isfinite(y)])
    return whole(claim, said, arrays, packs)


def damaged(content: bytes, rng: random.Random) -> bytes:
    """The file with a bit flipped, its end cut off, or two bytes swapped."""
    while True:
        found, at, to = bytearray(content), rng.randrange(len(content)), rng.randrange(len(content))
        how = rng.randrange(3)
        if how == 0:
            found[at] ^= 1 << rng.randrange(8)
        elif how == 1:
            del found[at:]
        else:
            found[at], found[to] = found[to], found[at]
        if found != content:
            return bytes(found)


def library(path: Path) -> str:
    try:
        return SAYS[hw.verify(path, budget=2e9).status]
    except hw.BadCertificate:
        return "not a certificate"


def examine(number: int) -> dict[str, Any]:
    """What both say of the changes of one certificate, and of its damaged copy."""
    certificate, rng = certificates()[number], random.Random(number)
    found: Counter[str] = Counter()
    apart = []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "c.safetensors"
        for _ in range(CHANGES):
            path.write_bytes(changed(certificate, rng))
            ours, theirs = library(path), headwright_check.check(str(path))[0]
            found[f"{ours} / {theirs}"] += 1
            if ours != theirs and "open" not in (ours, theirs):
                certificate_both = "not a certificate" not in (ours, theirs)
                third = second_opinion.judge(path) if certificate_both else ""
                apart.append({"of": certificate.name, "library": ours, "standalone": theirs, "second opinion": third})
        path.write_bytes(damaged(certificate.content, rng))
        read = [ours for ours in (library(path), headwright_check.check(str(path))[0]) if ours != "not a certificate"]
    return {"found": found, "apart": apart, "damaged and read": read}


def run(store: Path, limit: int | None = None) -> dict[str, Any]:
    headwright_check.BASE_BUDGET = 3_000_000  # what takes longer stays open, and contradicts nothing
    numbers = range(len(certificates()))[:: 1 if limit is None else max(1, len(certificates()) // limit)]
    both = Partial(store, __file__, library=LIBRARY.parent, parts=BOTH)
    with both as partial, ProcessPoolExecutor() as pool:
        left = [number for number in numbers if str(number) not in partial]
        for number, row in zip(left, pool.map(examine, left, chunksize=4), strict=True):
            partial.add(str(number), row)
        rows = [partial[str(number)] for number in numbers]
    found = sum((Counter(row["found"]) for row in rows), Counter())
    apart = [entry for row in rows for entry in row["apart"]]
    contradictions = [entry for entry in apart if "not a certificate" not in entry.values()]
    read = sum(len(row["damaged and read"]) for row in rows)
    return {
        "holds": not contradictions
        and not read
        and found.total() >= (50_000 if limit is None else 1)
        and len(rows) >= 1,
        "certificates": found.total(),
        "contradictions": contradictions,
        "a certificate for one alone": len(apart) - len(contradictions),
        "damaged files": len(rows),
        "damaged files that one of them read": read,
        "library / standalone": dict(found.most_common()),
        "apart": apart[:100],
    }

"""Five hundred files that a stranger could send to waste our time: certificates, layer, answer and problem files.

Each is small or of ordinary size and asks for as much work as its kind of claim or reader can be asked for: lengths of 10^9,
scores that tie where no precision tells, exponents over the whole range of float64, rationals of thousands of digits that share
no denominator, many heads, many targets, names of many parts, nested brackets, headers that promise more than there is. Each is
read in a process of its own with hard limits far above the budget. What is checked is that the process ends by itself, well
below those limits, with a verdict or an error that says what is wrong. Seconds and memory are recorded beside the
counted work; the verdict itself rests on the count alone.
"""

from __future__ import annotations

import io
import json
import random
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

import headwright as hw
from evidence.partial import Partial
from headwright.proofs.certificate import FORMAT, digest, packed

CASES, SECONDS, MEGABYTES = 500, 60, 3000
PATIENCE = 20  # seconds on the clock of a busy machine for each second of computing
CLAIM = (
    f"{CASES} hostile certificates, layer, answer and problem files, each read within the default budget: every one ends by "
    f"itself with a verdict or a clear error, below {SECONDS} seconds of computing and {MEGABYTES} MB"
)
ROOT = Path(__file__).parents[1]
# One file, read in a process of its own. The limits are there to end what the budget failed to end.
READ = """
import json, re, resource, sys, time
sys.path[:0] = sys.argv[4:]
import headwright as hw
from headwright import budget
from headwright.cli.layer_files import read_layer
from headwright.problems import CATALOGUE, load
from headwright.problems.answers.answer_files import read_answers
from pathlib import Path
path, seconds, megabytes = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
purses, plain = [], budget.Purse
budget.Purse = lambda amount: purses.append(plain(amount)) or purses[-1]
readers = {
    ".safetensors": lambda: hw.verify(path).status,
    ".layer": lambda: type(read_layer(path)).__name__,
    ".answers": lambda: type(read_answers(path, ids=CATALOGUE)).__name__,
    ".problem": lambda: type(load(path)).__name__,
}
hw.verify  # imported when first asked for
resource.setrlimit(resource.RLIMIT_CPU, (2 * seconds, 2 * seconds))
resource.setrlimit(resource.RLIMIT_AS, (2**20 * 4 * megabytes,) * 2)
start, said = time.process_time(), ""
try:
    status = readers[path.suffix]()
except Exception as error:
    status, said = type(error).__name__, str(error)
print(json.dumps({
    "status": status, "said": said[:300], "seconds": round(time.process_time() - start, 2),
    "megabytes": int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024,
    "units": purses[-1].spent if purses else 0,
}))
"""
CLEAR = (
    "proved",
    "refuted",
    "undecided",
    "LayerFile",
    "AnswerFile",
    "FrozenMap",
    "BadCertificate",
    "ValueError",
    "TypeError",
)


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    numbers = list(range(CASES))[:limit]
    with Partial(store, __file__) as partial, ThreadPoolExecutor(2) as pool:
        missing = [number for number in numbers if str(number) not in partial]
        for number, row in zip(missing, pool.map(examined, missing), strict=True):
            partial.add(str(number), row)
        rows = {number: partial[str(number)] for number in numbers}
    bad = {number: row for number, row in rows.items() if row["bad"]}
    longest = max(rows.values(), key=lambda row: row["seconds"])
    largest = max(rows.values(), key=lambda row: row["megabytes"])
    return {
        "holds": not bad,
        "bad": dict(list(bad.items())[:20]),
        "files": len(rows),
        "kinds": len({row["family"] for row in rows.values()}),
        "bytes_at_most": max(row["bytes"] for row in rows.values()),
        "ends": dict(Counter(row["status"] for row in rows.values())),
        "ended_by_the_budget": sum(row["units"] > 10**10 for row in rows.values()),
        "longest_seconds": longest["seconds"],
        "longest": longest["family"],
        "largest_megabytes": largest["megabytes"],
        "largest": largest["family"],
    }


def examined(number: int) -> dict[str, Any]:
    family, files = case(number)
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            (Path(folder) / name).write_bytes(content)
        row = read(Path(folder) / next(iter(files)))
    ended = row["status"] in CLEAR and (row["said"] or row["status"] in CLEAR[:6])
    within = row["seconds"] <= SECONDS and row["megabytes"] <= MEGABYTES
    return {"family": family, "bytes": sum(map(len, files.values())), **row, "bad": not (ended and within)}


def read(path: Path) -> dict[str, Any]:
    """What one file came to, in a process that is stopped where the budget fails to stop it."""
    command = [sys.executable, "-c", READ, str(path), str(SECONDS), str(MEGABYTES), str(ROOT / "src")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE * SECONDS, check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines()[-1:] or [""]
        return {
            "status": f"ended with {done.returncode}",
            "said": said[0][:300],
            "seconds": 0.0,
            "megabytes": 0,
            "units": 0,
        }
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def case(number: int) -> tuple[str, dict[str, bytes]]:
    """The family and the files of one case; the first file is the one that is read."""
    family = list(FAMILIES)[number % len(FAMILIES)]
    made = FAMILIES[family](random.Random(number), np.random.default_rng(number))
    return family, made if isinstance(made, dict) else {"claim.safetensors": made}


# Certificates


def signed(claim: str, stored: dict[str, np.ndarray]) -> dict[str, str]:
    metadata = {"headwright": FORMAT, "claim": claim}
    return {**metadata, "digest": digest(metadata, stored)}


def certificate(kind: str, arrays: dict[str, Any], **fields: Any) -> bytes:
    claim = json.dumps({"kind": kind, **fields})
    stored = {name: np.ascontiguousarray(array, dtype=np.float64) for name, array in arrays.items()}
    return save(stored, metadata=signed(claim, stored))


def wide(numbers: np.random.Generator, *shape: int) -> np.ndarray:
    """Floats over the whole range: exact integers of two thousand bits."""
    return np.ldexp(numbers.standard_normal(shape), numbers.integers(-1000, 1000, shape))


def heads(keys: np.ndarray, queries: np.ndarray) -> dict[str, np.ndarray]:
    return {"keys": keys, "queries": queries, "mix": np.ones(len(queries))}


def tied(numbers: np.random.Generator, n: int, h: int) -> dict[str, np.ndarray]:
    """Heads in opposite pairs over keys ±x: each key of a pair weighs the same, which no precision shows."""
    x = numbers.standard_normal((n // 2, 1))
    q = numbers.standard_normal((h // 2, 1))
    return heads(np.concatenate([x, -x]), np.concatenate([q, -q]))


def copy(i: int) -> dict[str, Any]:
    return {"goal": "copy", "indices": [i], "shares": ["1"]}


def average(m: int) -> dict[str, Any]:
    return {"goal": "average", "indices": list(range(m)), "shares": [f"1/{m}" if m > 1 else "1"] * m}


def long_rational(rng: random.Random, digits: int = 4000) -> str:
    return f"{rng.randrange(10**digits)}/{rng.randrange(10**digits) | 1}"


def blend(rng: random.Random, m: int, digits: int) -> dict[str, Any]:
    return {"goal": "blend", "indices": list(range(m)), "shares": [long_rational(rng, digits) for _ in range(m)]}


def different(m: int) -> dict[str, Any]:
    """Shares that all differ, so that every subset of the support counts."""
    whole = m * (m + 1) // 2
    from fractions import Fraction

    return {"goal": "blend", "indices": list(range(m)), "shares": [str(Fraction(i + 1, whole)) for i in range(m)]}


PLAIN = {"scale": "1"}


def packed_program(how: str, size: int) -> bytes:
    """A certificate of a compiled program in which one thing is large, for `size` numbers that compress to almost nothing."""
    program = hw.Program("ab", length=3)
    made = hw.compile(program, program.count(program.tokens.matches(program.tokens))).verdict
    fields, arrays = made.record.stated(), dict(made.record.arrays())
    if how == "width":
        grown = {name: [(0, size // 40 if n == 5 else 0) for n in array.shape] for name, array in arrays.items()}
        arrays = {name: np.pad(array, grown[name]) for name, array in arrays.items()}
    elif how == "length":
        fields["program"]["length"] = size
    elif how == "positions":
        fields["program"]["length"] = size // 5
        arrays["weights.positions"] = np.zeros((size // 5 + 1, 5))
    elif how == "arrays":
        arrays |= {f"weights.w{i}": np.zeros(1) for i in range(size // 30)}
    elif how == "blocks":
        own = {name[10:]: array for name, array in arrays.items() if name.startswith("weights.0.")}
        arrays |= {
            f"weights.{i}.{name}": np.zeros_like(array) for i in range(1, size // 80) for name, array in own.items()
        }
    elif how == "layout":
        fields["layout"] = fields["layout"] * (size // 100)
    elif how == "labels":
        fields["program"]["vocabulary"] = [f"a{i}" for i in range(size // 8)]
        arrays["weights.tokens"] = np.zeros((size // 8 + 1, 5))
    else:
        arrays[f"weights.{how}"] = np.zeros((size // 5, 5))
    claim = json.dumps(fields, sort_keys=True)
    return save({"packed": packed(arrays)}, metadata=signed(claim, arrays))


PACKED_PROGRAMS = (
    "width",
    "length",
    "positions",
    "arrays",
    "blocks",
    "layout",
    "labels",
    "unembedding",
    "tokens",
    "basis",
)


def packed_programs(rng: random.Random, numbers: np.random.Generator) -> bytes:
    return packed_program(rng.choice(PACKED_PROGRAMS), rng.choice([10**5, 10**6, 3 * 10**6, 10**7]))


def ties(rng: random.Random, numbers: np.random.Generator) -> bytes:
    n, h = rng.choice([(2, 2), (2**10, 2), (2**14, 2), (2**17, 2), (500, 40), (4, 2000)])
    return certificate("within-error", tied(numbers, n, h), **PLAIN, goal=average(n // 2), error="1/2")


def many_heads(rng: random.Random, numbers: np.random.Generator) -> bytes:
    h, n = rng.choice([(100_000, 100_000), (20_000, 300), (3000, 3000), (300_000, 2)])
    made = heads(numbers.standard_normal((n, 1)), numbers.standard_normal((h, 1)))
    return certificate("within-error", made, **PLAIN, goal=copy(0), error=rng.choice(["1/2", "1e-4000"]))


def wide_scores(rng: random.Random, numbers: np.random.Generator) -> bytes:
    n, d = rng.choice([(2, 40_000), (300, 300), (40_000, 2)])
    return certificate(
        "within-error", heads(wide(numbers, n, d), wide(numbers, 2, d)), **PLAIN, goal=copy(0), error="1/3"
    )


def long_shares(rng: random.Random, numbers: np.random.Generator) -> bytes:
    m, digits = rng.choice([(100, 4000), (1000, 2000), (20_000, 40), (3, 4199)])
    made = heads(numbers.standard_normal((m, 1)), np.ones((1, 1)))
    return certificate("within-error", made, **PLAIN, goal=blend(rng, m, digits), error=long_rational(rng))


def repeated_index(rng: random.Random, numbers: np.random.Generator) -> bytes:
    m = rng.choice([1000, 100_000, 300_000])
    goal = {"goal": "average", "indices": [*range(m), m - 1], "shares": [f"1/{m + 1}"] * (m + 1)}
    return certificate("within-error", heads(np.ones((2, 1)), np.ones((1, 1))), **PLAIN, goal=goal, error="1/2")


def subsets(rng: random.Random, numbers: np.random.Generator) -> bytes:
    m, h = rng.choice([(20, 1), (19, 5), (12, 400), (40, 30)])
    made = heads(numbers.standard_normal((m + 5, 3)), numbers.standard_normal((h, 3)))
    region = {"radius": rng.choice(["1/100", "1e-4000", "1e300"]), "norm": rng.choice(["box", "ball"])}
    return certificate("withstands", made, **PLAIN, goal=different(m), error="1/3", **region)


def moved_averages(rng: random.Random, numbers: np.random.Generator) -> bytes:
    m, h = rng.choice([(2**17, 1), (2**12, 100), (30_000, 3)])
    made = heads(numbers.standard_normal((m + 1, 1)), numbers.standard_normal((h, 1)))
    return certificate("withstands", made, **PLAIN, goal=average(m), error="1/2", radius="1e-9", norm="box")


def functionals(rng: random.Random, numbers: np.random.Generator) -> bytes:
    n, h = rng.choice([(100_000, 1), (30_000, 2), (2000, 100)])
    values = wide(numbers, n) if rng.random() < 0.5 else numbers.standard_normal(n)
    made = {**heads(numbers.standard_normal((n, 1)), numbers.standard_normal((h, 1))), "values": values}
    region = {"radius": "1e-3", "norm": "ball"} if rng.random() < 0.7 else {}
    return certificate(
        "weight-bound", made, **PLAIN, side="at most", bound=rng.choice(["0", long_rational(rng)]), **region
    )


def shorter(rng: random.Random, numbers: np.random.Generator) -> bytes:
    n, d = rng.choice([(100_000, 1), (300, 300), (5, 20_000)])
    keys = wide(numbers, n, d) if rng.random() < 0.5 else numbers.standard_normal((n, d))
    arrays = {"keys": keys, "witness": np.abs(numbers.standard_normal(n))}
    return certificate("no-shorter", arrays, goal=copy(0), error="1e-4000", scale=long_rational(rng), least="1e4000")


def hex_witness(rng: random.Random, numbers: np.random.Generator) -> bytes:
    m, digits = rng.choice([(1, 2_000_000), (300, 3000), (30_000, 16), (3000, 300)])
    witness = [
        [0, j + 1, f"{rng.getrandbits(4 * digits) | 1:#x}/{rng.getrandbits(4 * digits) | 1:#x}"] for j in range(m)
    ]
    keys = numbers.standard_normal((m + 1, 1))
    if rng.random() < 0.5:
        return certificate("out-of-reach", {"keys": keys}, goal=copy(0), error="1/3", witness=witness)
    goals = [[0, copy(0)]]
    rows = [[0, *entry] for entry in witness]
    return certificate("goals-contradict", {"tokens": keys}, goals=goals, error="1/3", witness=rows, causal=False)


def cancelling(rng: random.Random, numbers: np.random.Generator) -> bytes:
    """A witness that cancels, at an error that it barely fails to prove: entropies at every precision."""
    m = rng.choice([1000, 10_000, 50_000])
    x = numbers.integers(1, 10**6, (m, 1)).astype(float)
    keys, witness = np.concatenate([[[0.0]], x, -x]), [[0, j, "0x1"] for j in range(1, 2 * m + 1)]
    from fractions import Fraction

    error = str(1 - Fraction(1, 2 * m + 1))
    return certificate("out-of-reach", {"keys": keys}, goal=copy(0), error=error, witness=witness)


def many_tokens(rng: random.Random, numbers: np.random.Generator) -> bytes:
    n = rng.choice([100_000, 3000, 10_000])
    arrays = {"tokens": wide(numbers, n, 1)}
    return certificate(
        "goals-contradict", arrays, goals=[[0, copy(0)]], error="1/3", witness=[[0, 0, 1, "0x1"]], causal=False
    )


def gaps(rng: random.Random, numbers: np.random.Generator) -> bytes:
    n, d = rng.choice([(2, 100_000), (500, 500), (100_000, 1)])
    keys, top = wide(numbers, n, d), {"goal": "top", "indices": list(range(n // 2))}
    if rng.random() < 0.5:
        made = heads(keys, wide(numbers, 1, d))
        return certificate("top-gap", made, **PLAIN, top=top, gap=long_rational(rng), radius="1/7", norm="ball")
    arrays = {"keys": keys, "witness": np.abs(wide(numbers, n))}
    return certificate("gap-norm", arrays, top=top, gap="1", scale=long_rational(rng), least="1e-4000")


def hulls(rng: random.Random, numbers: np.random.Generator) -> bytes:
    n, digits = rng.choice([(4, 500_000), (10_000, 300), (300, 10_000)])
    weights = [f"{rng.getrandbits(4 * digits) | 1:#x}" for _ in range(n // 2)] * 2
    fields = {"top": {"goal": "top", "indices": list(range(n // 2))}, "indices": list(range(n)), "weights": weights}
    return certificate("hulls-meet", {"keys": wide(numbers, n, 3)}, **fields)


def spans(rng: random.Random, numbers: np.random.Generator) -> bytes:
    m, digits = rng.choice([(2, 1_000_000), (300, 3000), (1000, 200)])
    numbers_in = [f"{rng.getrandbits(4 * digits) | 1:#x}" for _ in range(m)]
    arrays = {"basis": wide(numbers, 50, m), "against": wide(numbers, 50, m)}
    return certificate("spans-meet", arrays, in_basis=numbers_in, in_against=numbers_in)


def readouts(rng: random.Random, numbers: np.random.Generator) -> bytes:
    d = rng.choice([20, 100, 300, 600])
    arrays = {name: wide(numbers, d, d) for name in ("matrix", "basis", rng.choice(["against", "witness"]))}
    return certificate("reads-out", arrays, share=long_rational(rng), bound=rng.choice(["0", long_rational(rng)]))


def finite_laws(rng: random.Random, numbers: np.random.Generator) -> bytes:
    keys, digits, n = rng.choice(
        [(22, 0, 30), (12, 4000, 12), (20, 300, 20), (21, 0, 1000), (11, 4000, 2000), (22, 1, 23)]
    )
    law = [["1/2", "1/2"], ["3/2", "1/2"]]
    if digits:
        p = rng.randrange(10 ** (digits - 1), 10**digits)
        law = [[long_rational(rng, digits), f"{p}/{10**digits + 1}"], ["3/2", f"{10**digits + 1 - p}/{10**digits + 1}"]]
    made = heads(np.concatenate([np.eye(2)] * n)[:n], np.ones((rng.choice([1, 2, 50]), 2)))
    fields = {"law": "scaled", "laws": [[j, law] for j in range(keys)], "confidence": "1/2", "error": "1/2"}
    return certificate("within-error-with-probability", made, **PLAIN, goal=average(n // 2), **fields)


def gaussians(rng: random.Random, numbers: np.random.Generator) -> bytes:
    n, d, h, m = rng.choice(
        [(3000, 2, 1, 1500), (6, 2, 300, 3), (300, 40, 20, 5), (100_000, 1, 1, 2), (200, 2, 3, 100)]
    )
    keys = wide(numbers, n, d) if rng.random() < 0.3 else numbers.standard_normal((n, d))
    made = {**heads(keys, numbers.standard_normal((h, d))), "isotropic": np.full(n, 0.01), "along": np.zeros(n)}
    if rng.random() < 0.5:
        made |= {f"factor_{j}": numbers.standard_normal((d, 3)) for j in range(min(n, 200))}
    fields = {
        "law": "gaussian",
        "confidence": "1/2",
        "error": rng.choice(["1/2", "1e-9"]),
        "scale": long_rational(rng, 1000),
    }
    return certificate("within-error-with-probability", made, **{**PLAIN, **fields}, goal=average(m))


def layers(rng: random.Random, numbers: np.random.Generator) -> bytes:
    n, d, h, v = rng.choice([(3000, 2, 1, 1), (200, 50, 20, 50), (30, 300, 1, 300), (2000, 1, 20, 1)])
    make = wide if rng.random() < 0.5 else lambda g, *shape: g.standard_normal(shape)
    arrays = {
        "tokens": make(numbers, n, d),
        "Q": make(numbers, h, d, d),
        "K": make(numbers, h, d, d),
        "V": make(numbers, v, d),
    }
    fields = {"error": "1e-30", "wanted": list(range(n)), "tolerance": "1e-30", "causal": rng.random() < 0.5}
    goals = [[row, copy(0)] for row in range(n)]
    return certificate("layer-rows", {**arrays, "outputs": make(numbers, n, v)}, goals=goals, **fields)


def relations(rng: random.Random, numbers: np.random.Generator) -> bytes:
    m, d, digits = rng.choice([(300, 5, 3000), (2000, 5, 200), (100, 300, 1000), (2, 1, 1_000_000)])
    goals = [[row, copy(row)] for row in range(m)]
    witness = [f"-{rng.getrandbits(4 * digits) | 1:#x}/{rng.getrandbits(4 * digits) | 1:#x}" for _ in range(m)]
    arrays = {"tokens": wide(numbers, m, d), "outputs": wide(numbers, m, d)}
    return certificate("outputs-contradict", arrays, goals=goals, witness=witness)


def waves(rng: random.Random, numbers: np.random.Generator) -> bytes:
    length = rng.choice([2**32, 2**27, 10**6, 2**16])
    rows = {
        "code": rng.choice(["sinusoidal", "rotary"]),
        "length": length,
        "dim": rng.choice([2, 64, 2**16]),
        "base": rng.choice(["10000", "1", "1e-300", "1e300", "3"]),
    }
    distance = rng.choice(["0", "1e-9", "1e-4000", "1", "100"])
    pair = {"pair": [0, length - 1], "within": "1e-300"} if rng.random() < 0.3 else {}
    return certificate("rows-apart", {}, rows=rows, distance=distance, **pair)


def tables(rng: random.Random, numbers: np.random.Generator) -> bytes:
    n, d = rng.choice([(300_000, 1), (2000, 100), (20_000, 2), (3, 100_000)])
    table = rng.choice([wide, lambda g, *shape: g.standard_normal(shape), lambda g, *shape: g.integers(0, 2, shape)])(
        numbers, n, d
    )
    distance = rng.choice(["0", "1e-4000", "1e9", "1"])
    return certificate("rows-apart", {"table": table}, rows={}, distance=distance)


def colliding(rng: random.Random, numbers: np.random.Generator) -> bytes:
    """Rows that all differ and have one hash: the factors of the hash are known."""
    from headwright.balls.equal_rows import _FACTORS

    n = rng.choice([1000, 20_000, 60_000])
    first = np.abs(numbers.standard_normal(n)).view(np.uint64)
    mixed = first * _FACTORS[0]
    mixed ^= mixed >> np.uint64(29)
    second = mixed ^ mixed[:1] ^ np.float64(1.0).view(np.uint64)
    table = np.stack([first.view(np.float64), second.view(np.float64)], axis=1)
    table = np.where(np.isfinite(table), table, 1.0)
    return certificate("rows-apart", {"table": table}, rows={}, distance="0")


def spectra(rng: random.Random, numbers: np.random.Generator) -> bytes:
    n, d = rng.choice([(1500, 1500), (300_000, 2), (1, 300_000), (400, 400)])
    matrix, p = (wide if rng.random() < 0.3 else lambda g, *s: g.standard_normal(s))(numbers, n, d), min(n, d)
    left, right, values = np.eye(n, p), np.eye(d, p), np.ones(p)
    if rng.random() < 0.5:
        arrays = {
            "matrix": matrix,
            "low": np.zeros(p),
            "high": np.ones(p),
            "left": left,
            "values": values,
            "right": right,
        }
        return certificate("singular-values", arrays)
    arrays = {"matrix": matrix, "left": left, "right": right.T, "witness_left": left}
    return certificate(
        "low-rank",
        {**arrays, "witness_values": values, "witness_right": right},
        error="1e-4000",
        best=long_rational(rng),
    )


def blocks(rng: random.Random, numbers: np.random.Generator) -> bytes:
    n, d, h = rng.choice([(100, 1, 1), (8, 8, 8), (2, 40, 3), (30, 4, 2), (10**12, 2, 1), (60, 2, 1), (3, 2, 3000)])
    make = wide if rng.random() < 0.5 else lambda g, *shape: g.standard_normal(shape)
    arrays = {name: make(numbers, h, d, d) for name in ("query", "key", "value", "output")}
    settings = {
        "activation": "gelu",
        "norm_first": False,
        "norm_eps": 1e-5,
        "residual": True,
        "causal": False,
        "scale": 1.0,
    }
    if n < 10**6 and rng.random() < 0.6:
        hidden = rng.choice([1, 1000])
        arrays |= {"inner": make(numbers, hidden, d), "outer": make(numbers, d, hidden), "input": make(numbers, n, d)}
        settings |= {"permutation": [*range(1, n), 0]}
    return certificate("block-equivariant", arrays, **settings, tokens=n)


def forms(rng: random.Random, numbers: np.random.Generator) -> bytes:
    """Files that are hostile as files: deep or long JSON, thousands of arrays, absurd numbers, types without a reading."""
    made = heads(np.ones((2, 1)), np.ones((1, 1)))
    fields: dict[str, Any] = {**PLAIN, "goal": copy(0), "error": "1/2"}
    plain = certificate("within-error", made, **fields)
    changed = {
        "scale": ["9" * 4100, "1e-4000", "1e999999999", "nan", "inf", "0x1", "1_0" * 1000, "1/" + "9" * 8000, 10**4000],
        "goal": [[[]] * 300_000, {"goal": "copy", "indices": [10**4000], "shares": ["1"]}, average(1_000_000), {}],
        "error": [["1"] * 10**6, "1e-4199", "-0", " 1/2 " * 900],
    }
    kind = rng.choice(["json", "deep", "arrays", "types", "header", "value", "text"])
    if kind == "json":
        name = rng.choice(list(changed))
        return certificate("within-error", made, **{**fields, name: rng.choice(changed[name])})
    if kind == "deep":
        claim = rng.choice(["[", '{"a":', "[[],"]) * rng.choice([1000, 10**6])
        return save(made, metadata=signed(claim, made))
    if kind == "arrays":
        return certificate("within-error", {**made, **{f"factor_{j}": np.ones(1) for j in range(30_000)}}, **fields)
    if kind == "value":
        made["keys"] = np.full((2, 1), rng.choice([np.nan, np.inf, -np.inf]))
        return certificate("within-error", made, **fields)
    if kind == "text":
        return certificate("within-error", made, **{**fields, "x" * 5_000_000: "y" * 5_000_000})
    header = json.loads(plain[8 : 8 + struct.unpack("<Q", plain[:8])[0]])
    if kind == "types":
        for name in ("keys", "mix", "queries"):
            narrow = rng.choice(["F8_E4M3", "F8_E5M2", "F4", "F6_E2M3", "F8_E8M0", "BF16", "F16", "C64", "F9"])
            start = header[name]["data_offsets"][0]
            header[name] |= {"dtype": narrow, "shape": [8], "data_offsets": [start, start + 8]}
    else:
        header["keys"]["shape"] = rng.choice([[2**62, 4], [2**31, 2**31], [-1], [1] * 100_000, [0] * 70])
    text = json.dumps(header).encode()
    return struct.pack("<Q", rng.choice([len(text), len(text), 2**63, 10**9])) + text + plain[-32:]


# Layer, answer and problem files


def dotted(rng: random.Random, size: int) -> str:
    part = rng.choice(["a", '"a"', "'a'", '""', "a" * 50, '"' + "b" * 60 + '"'])
    dot = rng.choice([".", " . ", "\t.\t", " " * 5 + "." + " " * 5, ". "])
    name = dot.join([part] * (size // (len(part) + len(dot))))
    return rng.choice(
        [f"{name} = 1", f"[{name}]", f"[[{name}]]", f"x = {{{name} = 1}}", f'x = ["""a"""", {{{name} = 1}}]']
    )


def nasty_toml(rng: random.Random, size: int) -> str:
    deep = size // 6
    return rng.choice(
        [
            dotted(rng, size),
            dotted(rng, size),
            dotted(rng, size),
            "x = " + "[" * deep + "]" * deep,
            "x = " + "{a=" * deep,
            "x = [" + "{}," * (size // 3) + "]",
            "x = [" + "[]," * (size // 3) + "]",
            "".join(f"[t{i}.a.b.c.d]\n" for i in range(size // 16)),
            "".join(f"k{i} = {i}.5\n" for i in range(size // 14)),
            "[[a]]\n" * (size // 6),
            'x = """' + '\\"""' * (size // 4),
            "x = '''" + "''" * (size // 2),
            "x = 0x" + "f" * size,
            f"x = {'9' * size}",
            f"x = {'1' * (size // 2)}.{'1' * (size // 2)}e999999999",
            "# " + "." * size,
            "\n" * size,
            "x = [1, 2, 3" + ", 1979-05-27T07:32:00.999999-07:00" * (size // 40) + "]",
        ]
    )


def layer_files(rng: random.Random, numbers: np.random.Generator) -> dict[str, bytes]:
    name, rows = "a.layer", "[rows.0]\ncopy = 1\n"
    kind = rng.choice(["toml", "toml", "toml", "large", "shares", "archive", "csv", "goals"])
    if kind == "toml":
        return {name: nasty_toml(rng, rng.choice([60_000, 240_000, 2_000_000])).encode()}
    if kind == "large":
        cell = rng.choice(["1.5,", "1,", "[],"])
        return {name: f"tokens = [[{cell * rng.choice([10**6, 5 * 10**6, 12 * 10**6])}]]\n{rows}".encode()}
    if kind == "shares":
        m, digits = rng.choice([(300, 3000), (3000, 300), (5, 4000)])
        shares = ", ".join(f'{j} = "{long_rational(rng, digits)}"' for j in range(m))
        return {name: f"tokens = {[[float(j)] for j in range(m)]}\n[rows.0]\nblend = {{{shares}}}\n".encode()}
    if kind == "goals":
        n = rng.choice([300, 2000])
        asked = "".join(f"[rows.{r}]\naverage = {list(range(n))}\n" for r in range(rng.choice([10, n // 4])))
        return {name: f"tokens = {[[float(j)] for j in range(n)]}\n{asked}".encode()}
    text = f'tokens = "x.{"npz" if kind == "archive" else "csv"}"\n{rows}'.encode()
    if kind == "csv":
        return {name: text, "x.csv": rng.choice([b"1\n", b"1,", b"\n", b";"]) * 8_000_000}
    held = io.BytesIO()
    with (
        zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("x.npy", "w", force_zip64=True) as file,
    ):
        np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (2, 50_000_000)})
        for _ in range(100):
            file.write(bytes(8_000_000))
    return {name: text, "x.npz": held.getvalue()}


def answer_files(rng: random.Random, numbers: np.random.Generator) -> dict[str, bytes]:
    size = rng.choice([60_000, 240_000, 250_000])
    if rng.random() < 0.7:
        return {"a.answers": nasty_toml(rng, size).encode()}
    entry = rng.choice(["1,", "1.5,", "[1],", "0xffff,", "[[1]],", "true,", '"",', "{},", "1e400,"])
    lines = [f"[A.1a]\nq = [{entry * (size // 5)}]", f"[D.b-i]\nM = [{'[' + '1,' * 300 + '],'} {'[1],' * 300}]"]
    lines += ["".join(f"[Z{i}.1]\nq = 1\n" for i in range(size // 14)), f'[A.1a]\n"{"q" * size}" = 1']
    return {"a.answers": rng.choice(lines).encode()}


def problem_files(rng: random.Random, numbers: np.random.Generator) -> dict[str, bytes]:
    name, begin = "a.problem", 'id = "X.1"\nquestion = "Find it."\n'
    kind = rng.choice(["toml", "toml", "solution", "gaussian", "scaled", "shares", "npy", "csv"])
    if kind == "toml":
        return {name: nasty_toml(rng, 240_000).encode()}
    n = rng.choice([30, 1000, 4096])
    zero = ", ".join(f"q{h + 1} = {[0.5] * n}" for h in range(rng.choice([2, 4]) if n < 4096 else 2))
    heads_at = f"heads = {zero.count('q')}\nsolution = {{{zero}}}\n"
    if kind == "solution":
        return {name: f"{begin}orthonormal = {n}\naverage = {list(range(n // 2))}\nerror = 0.9\n{heads_at}".encode()}
    if kind == "gaussian":
        noise = f"gaussian = {{isotropic = {rng.choice([0.01, 1e-300, 1e300])}}}"
        return {name: f"{begin}orthonormal = {n}\naverage = {list(range(n // 2))}\n{noise}\n{heads_at}".encode()}
    if kind == "scaled":
        digits = rng.choice([1, 300, 3000])
        p = rng.randrange(10 ** (digits - 1), 10**digits)
        law = f'{{"{long_rational(rng, digits)}" = "{p}/{10**digits + 1}", "3/2" = "{10**digits + 1 - p}/{10**digits + 1}"}}'
        laws = ", ".join(f"{j} = {law}" for j in range(rng.choice([8, 11, 20])))
        return {
            name: f"{begin}orthonormal = 30\ncopy = 0\nscaled = {{{laws}}}\nsolution = {{q = {[9.0] + [0.0] * 29}}}\n".encode()
        }
    if kind == "shares":
        shares = ", ".join(f'{j} = "{long_rational(rng, 1000)}"' for j in range(100))
        return {name: f"{begin}orthonormal = 100\nblend = {{{shares}}}\n".encode()}
    text = f'{begin}keys = "k.{kind}"\ncopy = 0\n'.encode()
    if kind == "csv":
        return {name: text, "k.csv": rng.choice([b"1\n", b"1,", b"\n"]) * 8_000_000}
    held = io.BytesIO()
    shape = rng.choice([(10**9, 1), (10**12, 2), (2**40, 2**40), (3, 2)])
    np.lib.format.write_array_header_1_0(
        held, {"descr": rng.choice(["<f8", "|O", "<f4"]), "fortran_order": False, "shape": shape}
    )
    return {name: text, "k.npy": held.getvalue() + bytes(48)}


Maker = Callable[[random.Random, np.random.Generator], "bytes | dict[str, bytes]"]
FAMILIES: dict[str, Maker] = {
    make.__name__: make
    for make in (
        *(
            ties,
            layer_files,
            many_heads,
            answer_files,
            wide_scores,
            problem_files,
            long_shares,
            repeated_index,
            subsets,
        ),
        *(moved_averages, functionals, shorter, hex_witness, cancelling, many_tokens, gaps, hulls, spans, readouts),
        *(finite_laws, gaussians, layers, relations, waves, tables, colliding, spectra, blocks, forms, packed_programs),
    )
}
FAMILIES |= {
    f"{name} again": FAMILIES[name] for name in ("layer_files", "answer_files", "problem_files", "waves", "forms")
}

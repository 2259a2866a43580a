"""Generated input objects at the doors: the numbers that come out are exactly those that went in, or the object is refused.

An object is made from the bits or digits of its numbers, and what they are worth is worked out here, in rationals, from those
bits and digits alone: NumPy, torch and the library under test are never asked for a value. Objects are nested lists of every
scalar and array type at hand, whole arrays, and much that only looks like an array. `listed` objects, whose every number is of a
listed type and finite, must be taken: a door that refuses everything shows nothing.
"""

import array
import warnings
from collections import Counter, UserList, deque, namedtuple
from collections.abc import Callable, Sequence
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

import headwright as hw
from evidence.partial import Partial
from headwright.kernel import inputs
from headwright.theories.order.block_equivariant import BlockEquivariant

CLAIM = "of 1,000 generated input objects every one comes through a door with exactly its own numbers, or is refused by name"
SEED = 20530
CASES = 1000
LIBRARIES = ("torch", "jax", "ml_dtypes", "array_api_strict", "pandas", "polars")
Truth = Fraction | None  # None: no finite real number
Matrix = list[list[Truth]]


def at_hand() -> dict[str, ModuleType]:
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = import_module(name)
        except ImportError:
            continue
    return found


class Float(NamedTuple):
    """A floating-point format by its bits; `ends` says which codes are no numbers."""

    exponent: int
    fraction: int
    bias: int
    ends: str = "ieee"

    @property
    def bits(self) -> int:
        return 8 if self.ends == "e8m0" else 1 + self.exponent + self.fraction

    def value(self, code: int) -> Truth:
        if self.ends == "e8m0":
            return None if code == 255 else Fraction(2) ** (code - 127)
        sign, rest = code >> (self.bits - 1), code & ((1 << (self.bits - 1)) - 1)
        exponent, fraction = rest >> self.fraction, rest & ((1 << self.fraction) - 1)
        top = (1 << self.exponent) - 1
        special = {
            "ieee": exponent == top,
            "fn": rest == (1 << (self.bits - 1)) - 1,
            "fnuz": code == 1 << (self.bits - 1),
        }
        if special[self.ends]:
            return None
        size = Fraction(fraction + (1 << self.fraction if exponent else 0), 1 << self.fraction)
        return (-1) ** sign * size * Fraction(2) ** (max(exponent, 1) - self.bias)


FLOATS = {
    "float64": Float(11, 52, 1023),
    "float32": Float(8, 23, 127),
    "float16": Float(5, 10, 15),
    "bfloat16": Float(8, 7, 127),
    "float8_e3m4": Float(3, 4, 3),
    "float8_e4m3": Float(4, 3, 7),
    "float8_e4m3b11fnuz": Float(4, 3, 11, "fnuz"),
    "float8_e4m3fn": Float(4, 3, 7, "fn"),
    "float8_e4m3fnuz": Float(4, 3, 8, "fnuz"),
    "float8_e5m2": Float(5, 2, 15),
    "float8_e5m2fnuz": Float(5, 2, 16, "fnuz"),
    "float8_e8m0fnu": Float(0, 0, 127, "e8m0"),
}
WHOLE = tuple(f"{u}int{bits}" for u in ("", "u") for bits in (8, 16, 32, 64))
PLAIN = ("float64", "float32", "float16", *WHOLE, "bool")


class Made(NamedTuple):
    """An object, what it is worth (None where it stands for no real numbers), and whether the door must take it."""

    value: Any
    truth: Any
    listed: bool


class Maker:
    """Objects of one case, drawn from `rng`, of the libraries at hand."""

    def __init__(self, rng: np.random.Generator, libraries: dict[str, ModuleType]) -> None:
        self.rng, self.at_hand = rng, libraries
        self.shape = (int(rng.integers(2, 5)), 2 * int(rng.integers(1, 3)))

    def pick(self, *choices: Any) -> Any:
        return choices[int(self.rng.integers(len(choices)))]

    def integer(self, least: int = -(2**70), largest: int = 2**70) -> int:
        """Mostly small; now and then about 2^53, 2^63 or 2^64."""
        if self.rng.random() < 0.9:
            number = int(self.rng.integers(-9, 10))
        else:
            number = self.pick(-1, 1) * (1 << self.pick(53, 54, 60, 63, 64)) + int(self.rng.integers(-2, 3))
        return min(max(number, least), largest)

    def code(self, kind: Float) -> int:
        code = int(self.rng.integers(0, 2**63)) * 2 + int(self.rng.integers(0, 2))
        if self.rng.random() < 0.1:
            code &= (1 << max(kind.fraction, 1)) - 1  # subnormal
        while kind.value(code % 2**kind.bits) is None and self.rng.random() < 0.99:
            code = int(self.rng.integers(0, 2**63))
        return code % 2**kind.bits

    def numpy(self, kind: str, count: int) -> tuple[np.ndarray, list[Truth]]:
        """So many numbers of a type, as a NumPy array made from their bits, and what they are worth."""
        if kind in FLOATS:
            form = FLOATS[kind]
            codes = [self.code(form) for _ in range(count)]
            bits = np.array(codes, dtype=f"uint{form.bits}")
            own = kind if kind in PLAIN else getattr(self.at_hand["ml_dtypes"], kind)
            return bits.view(own), [form.value(code) for code in codes]
        if kind == "bool":
            flags = [int(self.rng.integers(0, 2)) for _ in range(count)]
            return np.array(flags, dtype=np.uint8).view(bool), [Fraction(flag) for flag in flags]
        limits = np.iinfo(kind)
        given = [self.integer(int(limits.min), int(limits.max)) for _ in range(count)]
        return np.array(given, dtype=kind), [Fraction(number) for number in given]

    def array(self, count: int) -> Made:
        """A flat array of one library."""
        makers = [
            self.from_numpy,
            *(getattr(self, f"from_{name}") for name in self.at_hand if hasattr(self, f"from_{name}")),
        ]
        return self.pick(*makers)(count)

    def from_numpy(self, count: int) -> Made:
        found, truth = self.numpy(self.pick(*PLAIN), count)
        if self.rng.random() < 0.2:
            found = found.astype(found.dtype.newbyteorder(">"))
        return Made(found, truth, taken(truth))

    def from_ml_dtypes(self, count: int) -> Made:
        found, truth = self.numpy(self.pick(*(kind for kind in FLOATS if kind not in PLAIN)), count)
        return Made(found, truth, taken(truth))

    def from_torch(self, count: int) -> Made:
        torch = self.at_hand["torch"]
        kinds = [kind for kind in (*PLAIN, *FLOATS) if hasattr(torch, kind)]
        kind = self.pick(*kinds)
        if kind in PLAIN:
            found, truth = self.numpy(kind, count)
            tensor = torch.from_numpy(found.copy())
        else:
            form = FLOATS[kind]
            codes = [self.code(form) for _ in range(count)]
            truth = [form.value(code) for code in codes]
            bits = np.array(codes, dtype=f"uint{form.bits}").view(f"int{form.bits}")
            tensor = torch.from_numpy(bits).view(getattr(torch, kind))
        if tensor.is_floating_point() and self.rng.random() < 0.3:
            tensor = torch.nn.Parameter(tensor)
        return Made(tensor, truth, taken(truth))

    def from_jax(self, count: int) -> Made:
        kinds = ["float32", "float16", "bool", *(kind for kind in WHOLE if "64" not in kind)]
        kinds += [kind for kind in FLOATS if kind not in PLAIN and "ml_dtypes" in self.at_hand]
        found, truth = self.numpy(self.pick(*kinds), count)
        made = self.at_hand["jax"].numpy.asarray(found)
        assert made.dtype == found.dtype, "JAX keeps 32 bits and fewer"
        return Made(made, truth, taken(truth))

    def from_array_api_strict(self, count: int) -> Made:
        found, truth = self.numpy(self.pick(*(kind for kind in PLAIN if kind != "float16")), count)
        return Made(self.at_hand["array_api_strict"].asarray(found), truth, taken(truth))

    def scalar(self) -> Made:
        """One number, of a type that is listed or not."""
        own = [self.number, self.number, self.one_of_an_array]
        return self.pick(*own, self.unlisted)() if self.rng.random() < 0.3 else self.pick(*own)()

    def number(self) -> Made:
        if self.rng.random() < 0.5:
            (found,), (truth,) = self.numpy("float64", 1)
            return Made(float(found), truth, taken([truth]))
        number = self.integer()
        return Made(number, Fraction(number), taken([Fraction(number)]))

    def one_of_an_array(self) -> Made:
        """An element of an array, which is a scalar of its library, or an array without dimensions."""
        found, truth, listed = self.array(1)
        plain = isinstance(found, np.ndarray) and self.rng.random() < 0.7
        return Made(found[0] if plain or not isinstance(found, np.ndarray) else found.reshape(()), truth[0], listed)

    def unlisted(self) -> Made:
        """A number of a type that the door need not take, or something that says two things of itself."""
        number = self.integer()
        high, low = Fraction(2) ** 60, Fraction(1)
        wide = np.longdouble(2.0**60) + np.longdouble(1)
        kept = np.finfo(np.longdouble).nmant >= 60
        return self.pick(
            Made(Fraction(number, 3), Fraction(number, 3), False),
            Made(Decimal(number) / 8, Fraction(number, 8), False),
            Made(Decimal("0.1"), Fraction(1, 10), False),
            Made(wide, high + low if kept else high, False),
            Made(np.longdouble(0.5), Fraction(1, 2), False),
            Made(complex(number % 7, 1), None, False),
            Made(str(number), None, False),
            Made(np.datetime64(number % 99, "s"), None, False),
            Made(None, None, False),
            Made(TwoFloats(0.5), None, False),
            Made(TwoIntegers(3), None, False),
            Made(Named.SEVEN, Fraction(7), False),
            Made(Rounding([[0.5]]), None, False),
            Made(hw.Bounded(0.5, low=0.25, high=0.75, proved=False, how="by hand"), Fraction(1, 2), True),
        )

    def entries(self) -> Made:
        """Lists or tuples of scalars, each from one of a few types."""
        few = [self.scalar() for _ in range(int(self.rng.integers(1, 4)))]
        n, d = self.shape
        rows = [[self.pick(*few) for _ in range(d)] for _ in range(n)]
        value = [self.pick(list, tuple)(made.value for made in row) for row in rows]
        return Made(
            value, [[made.truth for made in row] for row in rows], all(made.listed for row in rows for made in row)
        )

    def rows(self) -> Made:
        """A list of arrays, maybe of several libraries, maybe with a list of numbers among them."""
        n, d = self.shape
        made = [self.array(d) for _ in range(n)]
        if self.rng.random() < 0.5:
            few = [self.scalar() for _ in range(d)]
            made[0] = Made([one.value for one in few], [one.truth for one in few], all(one.listed for one in few))
        return Made(
            self.pick(list, tuple)(one.value for one in made),
            [one.truth for one in made],
            all(one.listed for one in made),
        )

    def whole(self) -> Made:
        """One array, in another order of its axes now and then."""
        n, d = self.shape
        found, flat, listed = self.array(n * d)
        if self.rng.random() < 0.3:
            return Made(self.shaped(found, d, n).T, [list(row) for row in zip(*in_rows(flat, n), strict=True)], listed)
        return Made(self.shaped(found, n, d), in_rows(flat, d), listed)

    def shaped(self, found: Any, *shape: int) -> Any:
        if hasattr(found, "reshape"):
            return found.reshape(shape)
        return self.at_hand["array_api_strict"].reshape(found, shape)

    def ours(self) -> Made:
        found, flat = self.numpy("float64", self.shape[0] * self.shape[1])
        table = found.reshape(self.shape)
        if None in flat:
            return Made(table, in_rows(flat, self.shape[1]), False)
        return Made(hw.position.learned(table), in_rows(flat, self.shape[1]), True)

    def strange(self) -> Made:
        """What looks like an array and is none, or is one whose numbers are not all there."""
        made = self.pick(self.entries, self.whole, self.rows)()
        wrapped = self.pick(
            *(
                wrap
                for name, wrap in STRANGE.items()
                if name.partition(" ")[0] not in LIBRARIES or name.partition(" ")[0] in self.at_hand
            )
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return wrapped(self, made)
            except (TypeError, ValueError, OverflowError, RuntimeError):  # it cannot hold such numbers
                other = self.entries()
                return Made(deque(other.value), other.truth, False)


def in_rows(flat: Sequence[Truth], width: int) -> Matrix:
    return [list(flat[start : start + width]) for start in range(0, len(flat), width)]


def taken(truth: Sequence[Truth]) -> bool:
    """Whether a door must take these numbers of a listed type: finite, and no integer beyond 2^53 that may be one."""
    return all(number is not None and (abs(number) <= 2**53 or number.denominator > 1) for number in truth)


class TwoFloats(float):
    def __float__(self) -> float:
        return 0.75


class TwoIntegers(int):
    def __index__(self) -> int:
        return 4

    __int__ = __index__


class Named(IntEnum):
    SEVEN = 7


class Rounding:
    """Has an `__array__` that rounds."""

    def __init__(self, rows: Any) -> None:
        self.rows = rows

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.round(np.array(self.rows, dtype=np.float64)).astype(dtype or np.float64)


class Quiet(np.ndarray):
    """A subclass of NumPy's array."""


Pair = namedtuple("Pair", ["first", "second"])


def plain(maker: Maker) -> tuple[np.ndarray, Matrix]:
    n, d = maker.shape
    found, flat = maker.numpy(maker.pick("float64", "float32", "int64"), n * d)
    return found.reshape(n, d), in_rows(flat, d)


def hidden(maker: Maker, made: Made) -> Made:
    found, _ = plain(maker)
    mask = np.zeros(maker.shape, bool)
    mask[0, 0] = True
    masked = np.ma.array(found, mask=mask)
    return Made(maker.pick(masked, list(masked), [list(row) for row in masked]), None, False)


def of_plain(wrap: Callable[[np.ndarray], Any]) -> Callable[[Maker, Made], Made]:
    def made_so(maker: Maker, made: Made) -> Made:
        found, truth = plain(maker)
        return Made(wrap(found), truth, False)

    return made_so


def frame(library: str) -> Callable[[Maker, Made], Made]:
    """Columns of several types: integers that float64 cannot hold beside floats."""

    def made_so(maker: Maker, made: Made) -> Made:
        n, d = maker.shape
        columns = [maker.numpy(maker.pick("float64", "int64", "uint8"), n) for _ in range(d)]
        held = maker.at_hand[library].DataFrame({f"c{k}": found for k, (found, _) in enumerate(columns)})
        return Made(held, [list(row) for row in zip(*(truth for _, truth in columns), strict=True)], False)

    return made_so


def tensor(change: Callable[[Any, Any], Any]) -> Callable[[Maker, Made], Made]:
    def made_so(maker: Maker, made: Made) -> Made:
        torch = maker.at_hand["torch"]
        found, truth = plain(maker)
        return Made(change(torch, torch.from_numpy(found.copy())), truth, False)

    return made_so


def negative_view(maker: Maker, made: Made) -> Made:
    """The imaginary part of a conjugate, which torch keeps as what it is the negative of."""
    torch, (n, d) = maker.at_hand["torch"], maker.shape
    found, flat = maker.numpy("float64", n * d)
    kept = torch.from_numpy(found.reshape(n, d))
    return Made(torch.complex(kept, -kept).conj().imag, in_rows(flat, d), taken(flat))


STRANGE: dict[str, Callable[[Maker, Made], Made]] = {
    "deque": lambda maker, made: Made(deque(list(made.value)), made.truth, False),
    "rows as deques": lambda maker, made: Made([deque(list(row)) for row in made.value], made.truth, False),
    "list of its own": lambda maker, made: Made(UserList(list(made.value)), made.truth, False),
    "named tuple": lambda maker, made: Made([Pair(*list(row)[:2]) for row in made.value], [row[:2] for row in made.truth], False),
    "generator": lambda maker, made: Made((row for row in made.value), made.truth, False),
    "dictionary": lambda maker, made: Made(dict(enumerate(made.value)), None, False),
    "ragged": lambda maker, made: Made([*list(made.value)[:-1], list(made.value[-1])[:-1]], None, False),
    "too deep": lambda maker, made: Made([[made.value]], None, False),
    "objects": lambda maker, made: Made(np.array([list(row) for row in made.value], dtype=object), made.truth, False),
    "array.array": lambda maker, made: Made([array.array("d", row.astype(float)) for row in plain(maker)[0]], None, False),
    "range": lambda maker, made: Made([range(maker.shape[1])] * 2, [[Fraction(k) for k in range(maker.shape[1])]] * 2, False),
    "bytes": lambda maker, made: Made([b"12"] * 2, None, False),
    "memoryview": of_plain(memoryview),
    "rounding __array__": lambda maker, made: Made(Rounding(plain(maker)[0]), None, False),
    "hidden numbers": hidden,
    "nothing hidden": of_plain(np.ma.array),
    "matrix": of_plain(np.matrix),
    "subclass": of_plain(lambda found: found.view(Quiet)),
    "fields": lambda maker, made: Made(np.zeros(maker.shape, dtype=[("a", "f8")]), None, False),
    "record": lambda maker, made: Made(np.zeros(maker.shape, dtype=[("a", "f8")]).view(np.recarray), None, False),
    "complex": of_plain(lambda found: found.astype(complex)),
    "dates": lambda maker, made: Made(np.zeros(maker.shape, dtype="datetime64[s]"), None, False),
    "text": lambda maker, made: Made(np.full(maker.shape, "1"), None, False),
    "wide": lambda maker, made: Made(np.full(maker.shape, np.longdouble(1) / 3), None, False),
    "pandas frame": frame("pandas"),
    "polars frame": frame("polars"),
    "torch sparse": tensor(lambda torch, found: found.to_sparse()),
    "torch compressed": tensor(lambda torch, found: found.to_sparse_csr()),
    "torch meta": tensor(lambda torch, found: found.to("meta")),
    "torch quantised": tensor(lambda torch, found: torch.quantize_per_tensor(found.float(), 0.1, 0, torch.qint8)),
    "torch complex": tensor(lambda torch, found: found.to(torch.complex64)),
    "torch nested": tensor(lambda torch, found: torch.nested.nested_tensor(list(found.double()))),
    "torch negative view": negative_view,
    "torch subclass": tensor(lambda torch, found: found.as_subclass(type("Own", (torch.Tensor,), {}))),
}  # fmt: skip

# Every public way in that keeps a matrix (n, d), and how the numbers that it holds are read off.
DOORS: dict[str, Callable[[Any, int, int], np.ndarray]] = {
    "float64": lambda value, n, d: inputs.float64(value, name="keys", ndim=2),
    "GaussianKeys": lambda value, n, d: hw.GaussianKeys(value).centre,
    "ScaledKeys": lambda value, n, d: hw.ScaledKeys(value, {}).centre,
    "learned": lambda value, n, d: hw.position.learned(value).rows(0, n),
    "Design": lambda value, n, d: hw.Design(value, [1.0] * n, 1.0, hw.Copy(0), "0.1", [1.0]).queries,
    "Layer tokens": lambda value, n, d: hw.Layer(*_maps(d), value, {0: hw.Copy(0)}, {}, "0.1").tokens,
    "Layer maps": lambda value, n, d: hw.Layer(value, value, value, [[0.0] * d], {}, {}, "0.1").K,
    "Block": lambda value, n, d: BlockEquivariant(hw.Block(*_maps(d), np.eye(d), positions=value), n).block.positions,
}


def _maps(d: int) -> list[np.ndarray]:
    return [np.eye(d)] * 3


def examine(i: int, libraries: dict[str, ModuleType]) -> dict[str, str]:
    maker = Maker(np.random.default_rng([SEED, i]), libraries)
    kinds = {
        "entries": maker.entries,
        "rows": maker.rows,
        "whole": maker.whole,
        "strange": maker.strange,
        "ours": maker.ours,
    }
    order = ("entries", "rows", "whole", "entries", "strange", "rows", "scalar", "strange", "entries", "ours")
    kind = order[i % len(order)]
    if kind == "scalar":
        return {"kind": kind, "door": "rational", "seen": rational(maker)}
    made = kinds[kind]()
    door = "float64" if kind == "strange" else list(DOORS)[(i // len(order)) % len(DOORS)]
    if door == "Block" and not isinstance(made.value, np.ndarray | list | tuple):
        made = made._replace(
            listed=False
        )  # of other libraries a Block takes what they compute with: no integers, no float8
    return {"kind": kind, "door": door, "seen": judged(made, lambda: DOORS[door](made.value, *maker.shape), of_array)}


def rational(maker: Maker) -> str:
    """The door of single numbers, which takes every Fraction and refuses bools and arrays without dimensions."""
    made = maker.scalar()
    exact = type(made.value) in (int, float) and made.truth is not None
    return judged(
        Made(made.value, made.truth, exact), lambda: inputs.rational(made.value, name="keys"), lambda found: found
    )


def of_array(found: Any) -> Matrix:
    """The numbers of a float64 array by their bits."""
    assert found.dtype == np.float64
    codes = np.ascontiguousarray(found).view(np.uint64).tolist()
    return [[FLOATS["float64"].value(code) for code in row] for row in codes]


def judged(made: Made, enter: Callable[[], Any], read: Callable[[Any], Any]) -> str:
    try:
        found = enter()
    except (TypeError, ValueError) as error:
        named = "`" in str(error)
        return (
            ("REFUSED THOUGH LISTED" if made.listed else "refused")
            if named
            else f"UNNAMED {type(error).__name__}: {error}"
        )
    except Exception as error:  # anything else is a fault of the door
        return f"RAISED {type(error).__name__}: {error}"
    return "exact" if made.truth is not None and read(found) == made.truth else "NOT EXACT"


def run(store: Path, *, limit: int | None = None) -> dict[str, Any]:
    libraries = at_hand()
    told = {name: metadata.version(name) for name in libraries}
    mark = " ".join(f"{name}={version}" for name, version in told.items())
    with Partial(store, __file__) as partial:
        for i in range(CASES)[:limit]:
            if f"{i} {mark}" not in partial:
                partial.add(f"{i} {mark}", examine(i, libraries))
        rows = [partial[f"{i} {mark}"] for i in range(CASES)[:limit]]
    return summary(rows, told)


def summary(rows: list[dict[str, str]], libraries: dict[str, str]) -> dict[str, Any]:
    seen = Counter(row["seen"] for row in rows)
    kinds = {
        kind: dict(Counter(row["seen"] for row in rows if row["kind"] == kind))
        for kind in {row["kind"]: 0 for row in rows}
    }
    doors = {
        door: dict(Counter(row["seen"] for row in rows if row["door"] == door))
        for door in {row["door"]: 0 for row in rows}
    }
    return {
        "holds": seen["exact"] + seen["refused"] == len(rows) and 4 * seen["exact"] >= len(rows),
        "objects": len(rows),
        "exact": seen["exact"],
        "refused by name": seen["refused"],
        "neither": {what: count for what, count in seen.items() if what not in ("exact", "refused")},
        "per kind of object": kinds,
        "per door": doors,
        "libraries at hand": libraries,
        "not at hand": [name for name in LIBRARIES if name not in libraries],
        "seed": SEED,
    }

"""Inputs made safe: which array library they come from, their shape, their finiteness, their exact value.

Two needs, two ways in. `attend` computes in the caller's own array library (`namespace`). Everything that is designed,
proved or saved works on float64 NumPy arrays and exact rationals (`float64`, `rational`): a conversion here either
keeps the value exactly or is refused, because a proof speaks about the numbers the user holds.
"""

from __future__ import annotations

import math
import operator
import re
import sys
import weakref
from decimal import Decimal
from fractions import Fraction
from types import ModuleType
from typing import Any

import array_api_compat
import numpy as np

from headwright import budget

# The longest rational taken: "1e-300" is ordinary, "1e-999999999" would fill the memory. Python writes and reads
# integers of up to 4300 digits, and certificate files hold rationals as text.
_LONGEST_DIGITS = 4200
_LONGEST_BITS = int(_LONGEST_DIGITS * math.log2(10))
_EXACT_INTEGERS = 2**53
_SETTLED: weakref.WeakValueDictionary[int, np.ndarray] = weakref.WeakValueDictionary()  # what `float64` has returned
_TOO_LARGE = "`{}` holds integers beyond 2^53, which float64 cannot hold exactly"


def namespace(*arrays: Any) -> ModuleType:
    """The array library all `arrays` belong to (plain lists count as NumPy).

    >>> namespace(np.zeros(2)).__name__
    'array_api_compat.numpy'
    """
    known = [a for a in arrays if array_api_compat.is_array_api_obj(a)]
    if not known:
        known = [np.empty(0)]
    try:
        found: ModuleType = array_api_compat.array_namespace(*known)
        return found
    except TypeError as error:
        kinds = ", ".join(sorted({type(a).__module__.split(".")[0] for a in known}))
        raise TypeError(f"arrays must come from one library, got a mixture of {kinds}") from error


def is_concrete(array: Any) -> bool:
    """Whether the values can be looked at now (False inside a JAX transformation that traces)."""
    if array_api_compat.is_jax_array(array):
        return not isinstance(array, sys.modules["jax"].core.Tracer)
    return not array_api_compat.is_lazy_array(array)


def float64(value: Any, *, name: str, ndim: int | tuple[int, ...]) -> np.ndarray:
    """`value` as a read-only float64 NumPy array with the same exact numbers, or an error that names `name`.

    Half types, bfloat16 and integers up to 2^53 convert exactly; wider types are refused.

    >>> float64([[1, 2], [3, 4]], name="keys", ndim=2).dtype
    dtype('float64')
    """
    array = _as_numpy(value, name)
    allowed = (ndim,) if isinstance(ndim, int) else ndim
    if array.ndim not in allowed:
        wanted = " or ".join(str(k) for k in allowed)
        raise ValueError(f"`{name}` must have {wanted} dimension(s), got shape {array.shape}")
    if array.size == 0:
        raise ValueError(f"`{name}` must not be empty, got shape {array.shape}")
    result = array
    if not _is_settled(array):
        result = np.array(_widen(array, name), dtype=np.float64, order="C", copy=True)
    if not np.isfinite(result).all():
        where = tuple(int(k) for k in np.argwhere(~np.isfinite(result))[0])
        raise ValueError(f"`{name}` must be finite, got {result[where]} at {list(where)}")
    result.flags.writeable = False
    _SETTLED[id(result)] = result
    return result


def _is_settled(array: np.ndarray) -> bool:
    """Whether this very array came from `float64` and was not opened since, so that passing it on costs no second copy."""
    return _SETTLED.get(id(array)) is array and not array.flags.writeable


def _as_numpy(value: Any, name: str) -> np.ndarray:
    if array_api_compat.is_torch_array(value):
        value = value.detach().to("cpu")
        if value.is_floating_point():
            value = value.double()
        return np.asarray(value.numpy())
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"`{name}` must be a plain array: a masked one hides numbers")
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"`{name}` must be a rectangular array of numbers: {error}") from error
    if array.dtype == np.float64 and isinstance(value, list | tuple):
        mixed = np.asarray(
            value, dtype=object
        )  # a list of floats and integers: NumPy would round the integers silently
        if any(isinstance(entry, int) and abs(entry) > _EXACT_INTEGERS for entry in mixed.flat):
            raise ValueError(_TOO_LARGE.format(name))
    return array


def _widen(array: np.ndarray, name: str) -> np.ndarray:
    """The array in a type that converts to float64 without rounding, else TypeError or ValueError."""
    kind = array.dtype.kind
    if kind in "iu" and array.size and max(abs(int(array.min())), abs(int(array.max()))) > _EXACT_INTEGERS:
        raise ValueError(_TOO_LARGE.format(name))
    if kind == "b" or kind in "iu" or (kind == "f" and array.dtype.itemsize <= 8):
        return array
    if array.dtype.name == "bfloat16" or array.dtype.name.startswith("float8"):
        return array.astype(np.float64)
    raise TypeError(f"`{name}` must hold real numbers of at most 64 bits, got dtype {array.dtype}")


def need_gradual_underflow() -> None:
    """FloatingPointError when this process reads or makes subnormal numbers as zero: then float64 cannot be read exactly."""
    smallest = np.nextafter(np.float64(0), np.float64(1))
    if smallest == 0 or np.float64(sys.float_info.min) / 2 == 0:
        raise FloatingPointError(
            "this process flushes subnormal numbers to zero (as torch.set_flush_denormal does); nothing can be proved in it"
        )


def rational(value: Any, *, name: str) -> Fraction:
    """The exact rational `value` stands for: a float its binary value, a string or Fraction what it spells.

    >>> rational("0.01", name="error"), rational(0.5, name="error")
    (Fraction(1, 100), Fraction(1, 2))
    """
    if isinstance(value, bool | np.bool_):
        raise TypeError(f"`{name}` must be a number, got {value!r}")
    if isinstance(value, str):
        budget.spend(1000 + 3 * budget.product(4 * len(value), 4 * len(value)))
        return _short_enough(_spelled(value, name), name)
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"`{name}` must be finite, got {value!r}")
        return rational(str(value), name=name)
    if isinstance(value, float | np.floating):
        if not math.isfinite(value):
            raise ValueError(f"`{name}` must be finite, got {value!r}")
        return _short_enough(Fraction(*value.as_integer_ratio()), name)
    if isinstance(value, Fraction):
        return _short_enough(value, name)
    if isinstance(value, int | np.integer):
        return _short_enough(Fraction(int(value)), name)
    raise TypeError(f"`{name}` must be a number, a string or a Fraction, got {type(value).__name__}")


def _spelled(text: str, name: str) -> Fraction:
    exponent = re.search(r"[eE]([+-]?[\d_]+)", text[: 2 * _LONGEST_DIGITS])
    if len(text) > 2 * _LONGEST_DIGITS or (exponent and abs(int(exponent[1].replace("_", ""))) > _LONGEST_DIGITS):
        raise _too_long(name)
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"`{name}` must spell a number such as '0.01' or '1/100', got {text[:60]!r}") from None


def _short_enough(number: Fraction, name: str) -> Fraction:
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > _LONGEST_BITS:
        raise _too_long(name)
    return number


def _too_long(name: str) -> ValueError:
    return ValueError(
        f"`{name}` is too long a number: at most {_LONGEST_DIGITS} digits above and below the fraction bar"
    )


def index(value: Any, *, name: str) -> int:
    """`value` as a non-negative Python integer; negative indices are refused, never counted from the end.

    >>> index(np.int64(3), name="i")
    3
    """
    number = _integer(value, name)
    if number < 0:
        raise ValueError(f"`{name}` must be non-negative (0-based, never from the end), got {number}")
    return number


def count(value: Any, *, name: str, least: int = 0) -> int:
    """`value` as a Python integer of at least `least`: how many there are of something, or a seed.

    >>> count(np.int64(3), name="samples", least=1)
    3
    """
    number = _integer(value, name)
    if number < least:
        raise ValueError(f"`{name}` must be an integer of at least {least}, got {number}")
    return number


def _integer(value: Any, name: str) -> int:
    """`value` as a Python integer; a bool is none, and neither is a float that happens to be whole."""
    if isinstance(value, bool | np.bool_):
        raise TypeError(f"`{name}` must be an integer, got {value!r}")
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"`{name}` must be an integer, got {value!r}") from None


def show(number: Fraction) -> str:
    """A rational for people: the float it equals exactly, a short fraction as such, a long one by its first digits.

    >>> show(Fraction(0.01)), show(Fraction(1, 100)), show(Fraction(1, 3**40)), show(Fraction(1, 10**400))
    ('0.01', '1/100', '8.22526e-20…', '1e-400')
    """
    nearest = float(number) if abs(number) < 2**1024 - 2**970 else math.inf
    if math.isfinite(nearest) and Fraction(nearest) == number and number:
        return repr(nearest)
    if max(abs(number.numerator), number.denominator) < 10**12:
        return str(number)
    power = math.floor(math.log10(abs(number.numerator)) - math.log10(number.denominator))
    power += (abs(number) >= Fraction(10) ** (power + 1)) - (
        abs(number) < Fraction(10) ** power
    )  # the logs are rounded
    digits = abs(number) / Fraction(10) ** (power - 5)
    leading = f"{math.floor(digits) / 10**5:.5f}".rstrip("0").rstrip(".")
    return f"{'-' if number < 0 else ''}{leading}e{power}{'' if digits.denominator == 1 else '…'}"

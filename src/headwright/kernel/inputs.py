"""Checked inputs: shape, finiteness, exact value.

Design, proof and certificates use float64 NumPy arrays and exact rationals (`float64`, `rational`). A conversion here either
keeps the value exactly or is refused, because a proof is about the numbers that the user has.
"""

from __future__ import annotations

import math
import operator
import re
import weakref
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from headwright.kernel import budget, exact_inputs
from headwright.kernel.exact_inputs import need_gradual_underflow as need_gradual_underflow

# The longest rational taken: "1e-300" is ordinary, "1e-999999999" would fill the memory. Python writes and reads
# integers of up to 4300 digits, and certificate files hold rationals as text.
_LONGEST_DIGITS = 4200
_LONGEST_BITS = int(_LONGEST_DIGITS * math.log2(10))
_SETTLED: weakref.WeakValueDictionary[int, np.ndarray] = weakref.WeakValueDictionary()  # what `float64` has returned


def float64(value: Any, *, name: str, ndim: int | tuple[int, ...], finite: bool = True) -> np.ndarray:
    """`value` as a read-only float64 NumPy array with the same exact numbers, or an error that names `name`.

    Only a closed list of types converts (`exact_inputs`), including half types, bfloat16 and integers up to 2^53.

    >>> float64([[1, 2], [3, 4]], name="keys", ndim=2).dtype
    dtype('float64')
    """
    allowed = (ndim,) if isinstance(ndim, int) else ndim
    settled = _is_settled(value)
    array = value if settled else exact_inputs.read(value, name, max(allowed))
    if array.ndim not in allowed:
        wanted = " or ".join(str(k) for k in allowed) if len(allowed) < 4 else f"{min(allowed)} to {max(allowed)}"
        raise ValueError(f"`{name}` must have {wanted} dimension(s), got shape {array.shape}")
    if array.size == 0:
        raise ValueError(f"`{name}` must not be empty, got shape {array.shape}")
    result = array if settled else exact_inputs.widened(array)
    if finite and not np.isfinite(result).all():
        where = tuple(int(k) for k in np.argwhere(~np.isfinite(result))[0])
        raise ValueError(f"`{name}` must be finite, got {result[where]} at {list(where)}")
    result.flags.writeable = False
    _SETTLED[id(result)] = result
    return result


def match(array: Any, name: str, shape: Iterable[str | int], sizes: dict[str | int, int]) -> None:
    """ValueError unless `array` has this shape. A letter in `sizes` stands for that number, and a new letter is added to it."""
    shape, actual, learned = tuple(shape), tuple(array.shape), dict(sizes)
    fits = len(actual) == len(shape) and all(
        size > 0 and size == (learned.setdefault(letter, size) if isinstance(letter, str) else letter)
        for size, letter in zip(actual, shape, strict=True)
    )
    if not fits:
        letters = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
        known = ", ".join(f"{letter} = {sizes[letter]}" for letter in dict.fromkeys(shape) if letter in sizes)
        raise ValueError(f"`{name}` must have shape ({letters}){' with ' + known if known else ''}, got {actual}")
    sizes.update(learned)


def _is_settled(value: Any) -> bool:
    """Whether this very array came from `float64` and is still read-only, so that it need not be copied again."""
    if type(value) is not np.ndarray or value.dtype != np.float64 or value.flags.writeable:
        return False
    return _SETTLED.get(id(value)) is value


def rational(value: Any, *, name: str) -> Fraction:
    """The exact rational that `value` stands for: the binary value of a float, the number that a string or Fraction spells.

    >>> rational("0.01", name="error"), rational(0.5, name="error")
    (Fraction(1, 100), Fraction(1, 2))
    """
    kind = type(value)
    if kind in (bool, np.bool_):
        raise TypeError(f"`{name}` must be a number, got {value!r}")
    if kind in (str, np.str_):
        budget.spend(1000 + 3 * budget.product(4 * len(value), 4 * len(value)))
        return _short_enough(_spelled(value, name), name)
    if kind is Decimal:
        if not value.is_finite():
            raise ValueError(f"`{name}` must be finite, got {value!r}")
        return rational(str(value), name=name)
    if kind in exact_inputs.FLOAT_SCALARS:
        if not math.isfinite(value):
            raise ValueError(f"`{name}` must be finite, got {value!r}")
        need_gradual_underflow()
        return _short_enough(Fraction(*value.as_integer_ratio()), name)
    if kind is Fraction:
        return _short_enough(value, name)
    if kind in exact_inputs.WHOLE_SCALARS:
        return _short_enough(Fraction(int(value)), name)
    # An array of one number, like `tensor.norm()`.
    one = getattr(value, "ndim", None) == 0 and not isinstance(value, np.generic)
    if one and "bool" not in str(getattr(value, "dtype", "bool")):
        return rational(float(float64(value, name=name, ndim=0)), name=name)
    raise TypeError(f"`{name}` must be a number, a string or a Fraction, got {exact_inputs.type_name(kind)}")


def held(value: Any, *, name: str) -> float:
    """`value`, given as for `rational`, as the float64 that is exactly that number; ValueError if there is none.

    >>> held("1/4", name="scale"), held(1, name="scale")
    (0.25, 1.0)
    """
    number = rational(value, name=name)
    nearest = _nearest(number)
    if nearest != number:
        raise ValueError(
            f"`{name}` must be a number that float64 holds exactly, got {show(number)}; the nearest is {nearest!r}"
        )
    return nearest


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
    """`value` as a plain Python integer; bools and floats are refused, even whole ones."""
    if isinstance(value, bool | np.bool_) or "bool" in str(getattr(value, "dtype", "")):
        raise TypeError(f"`{name}` must be an integer, got {value!r}")
    try:
        return int.__index__(operator.index(value))  # for a subclass, its integer value, whatever it overrides
    except TypeError:
        raise TypeError(f"`{name}` must be an integer, got {value!r}") from None


def _nearest(number: Fraction) -> float:
    if abs(number) < 2**1024 - 2**970:
        return float(number)
    return math.inf if number > 0 else -math.inf


def show(number: Fraction, digits: int = 17) -> str:
    """A rational for people: the float that equals it, or a short fraction. Of a longer one the leading digits, then "…".

    Different rationals are written differently, unless "…" says that digits are missing. A float of more than `digits` digits
    is cut too: what a search has found differs in its last digits from one machine to the next.

    >>> show(Fraction(0.01)), show(Fraction(1, 100)), show(Fraction(1, 3**50)), show(Fraction(1, 10**400))
    ('0.01', '1/100', '1.39295e-24…', '1e-400')
    >>> show(Fraction(20 / 3), 12)
    '6.66666666666…'
    """
    nearest = _nearest(number)
    if math.isfinite(nearest) and Fraction(nearest) == number and number:
        text = repr(nearest)
        if len(text.partition("e")[0].replace(".", "").strip("-0")) <= digits:
            return text
    elif max(abs(number.numerator), number.denominator) < 10**20:
        return str(number)
    kept = digits if digits < 17 else 6
    power = math.floor(math.log10(abs(number.numerator)) - math.log10(number.denominator))
    power += (abs(number) >= Fraction(10) ** (power + 1)) - (
        abs(number) < Fraction(10) ** power
    )  # the logs are rounded
    leading = abs(number) / Fraction(10) ** (power - kept + 1)
    shown = str(math.floor(leading)).rstrip("0")
    # No float is written like a number beyond their range, so that one of few digits may stand there in full.
    cut = "" if leading.denominator == 1 and nearest in (0, math.inf, -math.inf) else "…"
    sign = "-" if number < 0 else ""
    if -4 <= power < 0:
        return f"{sign}0.{'0' * (-power - 1)}{shown}{cut}"
    plain = 0 <= power < len(shown)
    whole, rest = (shown[: power + 1], shown[power + 1 :]) if plain else (shown[0], shown[1:])
    return f"{sign}{whole}{'.' if rest else ''}{rest}{'' if plain else f'e{power}'}{cut}"

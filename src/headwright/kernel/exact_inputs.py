"""The closed list of numbers and arrays that are known to convert to float64 without rounding; `read` converts them.

NumPy silently rounds when it converts mixed types (`np.asarray` of a list, a masked array, a frame), and so may anything with an
`__array__`. So only objects on this list are converted, by their exact type, because a subclass may convert differently. The
list holds plain NumPy arrays and scalars, dense torch tensors, JAX, array-api-strict and ml_dtypes arrays, our own array-likes
(`own`), and lists and tuples of all these, which are read entry by entry.
"""

from __future__ import annotations

import sys
from itertools import chain
from typing import Any, NoReturn, TypeVar

import numpy as np

_EXACT_INTEGERS = 2**53
_NESTED = {list, tuple}
_WHOLE_CODES, _NARROW_CODES = "bBhHiIlLqQ", "ef"
# Number types by the class of their dtype: ml_dtypes calls its int1 "e", as NumPy does its float16.
_WHOLE = {type(np.dtype(code)) for code in _WHOLE_CODES}
_NARROW = {type(np.dtype(code)) for code in _NARROW_CODES}
_AS_THEY_ARE = {type(np.dtype(code)) for code in "?d"}
WHOLE_SCALARS = {int, *(np.dtype(code).type for code in _WHOLE_CODES)}
_NARROW_SCALARS = {np.dtype(code).type for code in _NARROW_CODES}
FLOAT_SCALARS: set[type] = {float, np.float64} | _NARROW_SCALARS  # and our own floats
_ARRAYS: set[type] = {np.ndarray, np.memmap}  # and our own array-likes
_ELSEWHERE = {("jaxlib", "ArrayImpl"), ("array_api_strict", "Array")}
_TORCH_DEVICES = {"cpu", "cuda", "mps", "xpu"}
_TORCH_PLAIN = {"bool", "float64", "float32", "float16"} | {
    f"{u}int{bits}" for u in ("", "u") for bits in (8, 16, 32, 64)
}
_FLOAT8 = {"float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"}
_ML_DTYPES = {"bfloat16", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz"} | _FLOAT8
Kind = TypeVar("Kind", bound=type)


def own(kind: Kind) -> Kind:
    """Decorator that adds one of our own classes to the list: a float, or a class whose `__array__` is its float64 content."""
    (FLOAT_SCALARS if issubclass(kind, float) else _ARRAYS).add(kind)
    return kind


def read(value: Any, name: str, deepest: int) -> np.ndarray:
    """`value` as a NumPy array of a type that float64 holds, with the same numbers; lists may be `deepest` deep.

    TypeError, which names the type, for anything that is not on the list; ValueError for integers beyond 2^53 and for ragged
    lists.
    """
    kind, torch = type(value), sys.modules.get("torch")
    if kind in _NESTED:
        return _rows(value, name, deepest)
    if _is_scalar(kind):
        return _scalars([value], {kind}, name).reshape(())
    if kind in _ARRAYS or kind in _small_types():
        return _listed(np.asarray(value), name)
    if torch is not None and kind in (torch.Tensor, torch.nn.Parameter):
        check_torch(value, name)
        return _listed(_from_torch(torch, value, name), name)
    if (kind.__module__.partition(".")[0], kind.__qualname__) in _ELSEWHERE:
        try:
            return _listed(np.asarray(value), name)
        except RuntimeError as error:  # NumPy cannot access its numbers
            raise TypeError(f"`{name}` must hold real numbers that can be read from here: {error}") from error
    return _refuse(kind, name)


def widened(array: np.ndarray) -> np.ndarray:
    """The array as float64, in a new copy."""
    with np.errstate(invalid="ignore"):  # a signalling NaN: `float64` says that it is not finite
        return np.array(array, dtype=np.float64, order="C", copy=True)


def need_gradual_underflow() -> None:
    """FloatingPointError if this process flushes subnormal numbers to zero, because floats are then not read exactly."""
    smallest = np.nextafter(np.float64(0), np.float64(1))
    if smallest == 0 or np.float64(sys.float_info.min) / 2 == 0:
        raise FloatingPointError(
            "this process flushes subnormal numbers to zero (as torch.set_flush_denormal does); nothing can be proved in it"
        )


def type_name(kind: type) -> str:
    """The type as people import it.

    >>> type_name(np.matrix), type_name(dict)
    ('numpy.matrix', 'dict')
    """
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _refuse(kind: type, name: str) -> NoReturn:
    raise TypeError(
        f"`{name}` must hold real numbers in a plain array (NumPy, torch, JAX) or in lists, which convert to float64 exactly; "
        f"got {type_name(kind)}"
    )


def _rows(value: Any, name: str, deepest: int) -> np.ndarray:
    """Nested lists, read level by level without a call per row; the types of the innermost entries decide how they are read."""
    level: list[Any] = [value]
    shape: list[int] = []
    kinds: set[type] = {list}
    while level and kinds <= _NESTED:
        if len(shape) == deepest:
            raise ValueError(f"`{name}` must have {deepest} dimension(s) or fewer, got lists nested more deeply")
        lengths = set(map(len, level))
        if len(lengths) > 1:
            raise _ragged(name, f"rows of length {', '.join(map(str, sorted(lengths)[:4]))}")
        shape += lengths
        level = list(chain.from_iterable(level))
        kinds = set(map(type, level))
    if all(map(_is_scalar, kinds)):
        return _scalars(level, kinds, name).reshape(shape)
    parts = [read(part, name, deepest - len(shape)) for part in level]
    shapes = {part.shape for part in parts}
    if len(shapes) > 1:
        raise _ragged(name, f"entries of shape {', '.join(map(str, sorted(shapes)[:4]))}")
    return np.array([widened(part) for part in parts]).reshape(*shape, *parts[0].shape)


def _ragged(name: str, got: str) -> ValueError:
    return ValueError(f"`{name}` must be a rectangular array of numbers, got {got}")


def _is_scalar(kind: type) -> bool:
    return kind in FLOAT_SCALARS or kind in WHOLE_SCALARS or kind in (bool, np.bool_)


def _scalars(entries: list[Any], kinds: set[type], name: str) -> np.ndarray:
    """Each entry converted to float64 by itself: next to a float, NumPy would convert and round large integers."""
    whole = entries
    if kinds != {int}:
        whole = [int(entry) for entry in entries if type(entry) in WHOLE_SCALARS] if kinds & WHOLE_SCALARS else []
    _check_whole(min(whole, default=0), max(whole, default=0), name)
    if kinds & _NARROW_SCALARS:
        need_gradual_underflow()
    return np.array(entries, dtype=np.float64)


def _listed(array: np.ndarray, name: str) -> np.ndarray:
    kind = type(array.dtype)
    if kind in _AS_THEY_ARE:
        return array
    if kind in _WHOLE:
        _check_whole(int(array.min(initial=0)), int(array.max(initial=0)), name)
        return array
    if kind not in _NARROW and array.dtype.type not in _small_types():
        raise TypeError(f"`{name}` must hold real numbers of at most 64 bits, got dtype {array.dtype}")
    need_gradual_underflow()
    return array


def _check_whole(least: int, largest: int, name: str) -> None:
    if max(-least, largest) > _EXACT_INTEGERS:
        raise ValueError(f"`{name}` holds integers beyond 2^53, which float64 cannot hold exactly")


def _small_types() -> set[type]:
    """The scalar types of ml_dtypes that float64 holds; empty if it has not been imported."""
    module = sys.modules.get("ml_dtypes")
    return {getattr(module, kind) for kind in _ML_DTYPES if hasattr(module, kind)}


def check_torch(tensor: Any, name: str) -> None:
    """TypeError unless this is a plain, dense tensor of a listed type."""
    torch, kind = sys.modules["torch"], str(tensor.dtype).removeprefix("torch.")
    if type(tensor) not in (torch.Tensor, torch.nn.Parameter):
        _refuse(type(tensor), name)
    strange = (
        ("quantised", tensor.is_quantized),
        ("nested", tensor.is_nested),
        (f"{tensor.layout}, not dense", tensor.layout is not torch.strided),
        (f"on the device {tensor.device.type!r}", tensor.device.type not in _TORCH_DEVICES),
        (f"of dtype {kind}", kind not in _TORCH_PLAIN | _FLOAT8 | {"bfloat16"}),
    )
    for what, applies in strange:
        if applies:
            raise TypeError(
                f"`{name}` must hold real numbers in a dense tensor on a CPU or GPU, got one that is {what}"
            )


def _from_torch(torch: Any, tensor: Any, name: str) -> np.ndarray:
    """The numbers of a checked tensor. torch copies only their bits, and NumPy converts them to float64 in this thread."""
    kind = str(tensor.dtype).removeprefix("torch.")
    try:
        plain = tensor.detach().cpu().resolve_neg()
        if kind in _TORCH_PLAIN:
            return np.asarray(plain.numpy())
        if kind == "bfloat16":  # the upper half of a float32
            bits = plain.view(torch.int16).numpy().view(np.uint16).astype(np.uint32)
            return np.asarray((bits << 16).view(np.float32))
        need_gradual_underflow()
        table = torch.arange(256, dtype=torch.uint8).view(plain.dtype).to(torch.float32).numpy()
        return np.asarray(table[plain.view(torch.uint8).numpy()])
    except RuntimeError as error:  # traced or wrapped by a transformation: there are no numbers to read
        raise TypeError(f"`{name}` must hold real numbers that can be read from here: {error}") from error

"""Optional libraries: import one where it is used, or say which extra installs it."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any


def need(module: str, *, extra: str) -> ModuleType:
    """The imported module; ImportError that names the extra if it is missing.

    >>> need("math", extra="plots").pi > 3
    True
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f"this needs `{module}`, which the extra `{extra}` brings: pip install 'headwright[{extra}]'"
        ) from error


def torch_type(dtype: Any, default: str) -> Any:
    """The torch dtype given by itself or by its name, such as "bfloat16"; TypeError if there is none. None is the default."""
    torch = need("torch", extra="torch")
    named = default if dtype is None else dtype
    found = getattr(torch, named, None) if isinstance(named, str) else named
    if not isinstance(found, torch.dtype):
        raise TypeError(f"`dtype` must be a torch dtype or its name, such as 'bfloat16', got {dtype!r}")
    return found

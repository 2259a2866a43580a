"""Optional libraries: import one where it is used, or say which extra installs it."""

from __future__ import annotations

import importlib
from types import ModuleType


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

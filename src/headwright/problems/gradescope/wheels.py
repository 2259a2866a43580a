"""This installation of headwright as a wheel, and the versions of what it needs: an autograder runs what its teacher tried.

The wheel is made from the files of the package as they lie here, so that an editable checkout, an installed wheel and an sdist
give the same, without a network and without build tools.
"""

from __future__ import annotations

import base64
import hashlib
import re
import sys
from collections.abc import Iterator
from importlib import metadata
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

PACKAGE = Path(__file__).parents[2]
NAME = "headwright"
_LEFT_OUT = ("__pycache__", ".pyc", ".DS_Store")
_WHEEL = "Wheel-Version: 1.0\nGenerator: headwright\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:\[([^\]]*)\])?")
_EXTRA = re.compile(r"""extra\s*==\s*["']([^"']+)["']""")


def wheel() -> tuple[str, bytes]:
    """The file name of the wheel and its content.

    >>> name, content = wheel()
    >>> name.endswith("-py3-none-any.whl")
    True
    """
    installed = distribution()
    about = f"{NAME}-{installed.version}.dist-info"
    files = dict(_package_files())
    files |= {f"{about}/{name}": content for name, content in _licences(installed)}
    files[f"{about}/METADATA"] = _metadata(installed).encode()
    files[f"{about}/WHEEL"] = _WHEEL.encode()
    files[f"{about}/entry_points.txt"] = (installed.read_text("entry_points.txt") or "").encode()
    record = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in files.items()]
    files[f"{about}/RECORD"] = "\n".join([*record, f"{about}/RECORD,,", ""]).encode()
    return f"{NAME}-{installed.version}-py3-none-any.whl", zipped(files)


def pins() -> list[str]:
    """Lines name==version for whatever headwright needs and is installed here, in alphabetical order.

    They are constraints rather than requirements: pip looks at the conditions of each dependency where it installs it, which may
    be another system or another version of Python.

    >>> [line.partition("==")[0] for line in pins() if line.startswith(("numpy", "scipy"))]
    ['numpy', 'scipy']
    """
    found: dict[str, str] = {}
    queue = [(NAME, frozenset[str]())]
    seen = set(queue)
    while queue:
        name, extras = queue.pop()
        try:
            installed = metadata.distribution(name)
        except metadata.PackageNotFoundError:  # needed on another system only
            continue
        if name != NAME:
            found[name] = installed.version.partition("+")[0]  # a local build of a release: the index has the release
        for needed in _needed(installed, extras):
            if needed not in seen:
                seen.add(needed)
                queue.append(needed)
    return [f"{name}=={version}" for name, version in sorted(found.items())]


def constraints() -> bytes:
    """The pins as the content of a file, which says with which Python they were tried.

    >>> constraints().decode().startswith("# Tried with Python 3.")
    True
    """
    python = ".".join(map(str, sys.version_info[:2]))
    return "\n".join([f"# Tried with Python {python}", *pins(), ""]).encode()


def distribution() -> metadata.Distribution:
    """The installation of headwright; ValueError where there is only a folder of sources."""
    try:
        return metadata.distribution(NAME)
    except metadata.PackageNotFoundError:
        raise ValueError(
            "headwright runs from a source tree that is not installed, so nothing says what it needs: "
            "run `pip install .` in that tree first"
        ) from None


def zipped(files: dict[str, bytes], *, executable: tuple[str, ...] = ()) -> bytes:
    """A zip archive of these files. The same files give the same bytes, and those named in `executable` may be run.

    >>> import io
    >>> ZipFile(io.BytesIO(zipped({"a/b.txt": b"c"}))).namelist()
    ['a/b.txt']
    """
    held = BytesIO()
    with ZipFile(held, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = ZipInfo(name)
            entry.compress_type = ZIP_DEFLATED
            entry.create_system = 3  # Unix, whose permissions follow
            entry.external_attr = (0o100755 if name in executable else 0o100644) << 16
            archive.writestr(entry, content)
    return held.getvalue()


def _package_files() -> Iterator[tuple[str, bytes]]:
    for path in sorted(PACKAGE.rglob("*")):
        inner = path.relative_to(PACKAGE)
        if path.is_file() and not any(part.endswith(_LEFT_OUT) for part in inner.parts):
            yield f"{NAME}/{inner.as_posix()}", path.read_bytes()


def _licences(installed: metadata.Distribution) -> Iterator[tuple[str, bytes]]:
    """The texts of the licences, which go wherever a copy goes."""
    for file in sorted(installed.files or (), key=str):
        folder, *inner = file.parts
        if folder.endswith(".dist-info") and inner[0] == "licenses":
            yield "/".join(inner), Path(str(installed.locate_file(file))).read_bytes()


def _metadata(installed: metadata.Distribution) -> str:
    text = installed.read_text("METADATA") or installed.read_text("PKG-INFO") or ""
    head, *_ = text.partition("\n\n")  # the body is the README, which an autograder does not need
    kept = [line for line in head.splitlines() if not line.startswith("Description-Content-Type")]
    return "\n".join([*kept, ""])


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


def _needed(installed: metadata.Distribution, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """What an installed distribution needs, with the extras that are asked of it; what no named extra brings is left out."""
    for line in installed.requires or ():
        requirement, _, condition = line.partition(";")
        asked = set(_EXTRA.findall(condition))
        if (match := _REQUIREMENT.match(requirement)) and (not asked or asked & extras):
            name = re.sub(r"[-_.]+", "-", match[1]).lower()
            yield name, frozenset(filter(None, (extra.strip() for extra in (match[2] or "").split(","))))

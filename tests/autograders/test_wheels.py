"""The wheel that goes into an autograder, and the versions that go with it."""

import base64
import hashlib
import io
import subprocess
import sys
from importlib import metadata
from zipfile import ZipFile

import pytest

import headwright as hw
from headwright.problems.gradescope import wheels
from headwright.problems.gradescope.wheels import pins, wheel, zipped


@pytest.fixture
def unpacked(tmp_path):
    _, content = wheel()
    ZipFile(io.BytesIO(content)).extractall(tmp_path / "wheel")
    return tmp_path / "wheel"


def test_the_record_is_of_the_files(unpacked):
    (held,) = metadata.distributions(path=[str(unpacked)])
    assert (held.metadata["Name"], held.version) == ("headwright", metadata.version("headwright"))
    assert held.requires == metadata.distribution("headwright").requires
    assert [point.value for point in held.entry_points] == ["headwright.cli:main"]
    written = {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if path.is_file()}
    assert {str(file) for file in held.files} == written
    for file in held.files:
        if file.hash is not None:
            content = (unpacked / file).read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            assert (file.hash.mode, file.hash.value, file.size) == ("sha256", digest, len(content)), file
    assert [file.name for file in held.files if file.hash is None] == ["RECORD"]
    licences = [file.parts[2:] for file in held.files if "licenses" in file.parts]
    assert ["/".join(parts) for parts in licences] == held.metadata.get_all("License-File")


def test_it_holds_this_package_and_its_data(unpacked):
    here = {str(path.relative_to(wheels.PACKAGE)) for path in wheels.PACKAGE.rglob("*") if path.is_file()}
    here = {name for name in here if "__pycache__" not in name}
    there = {str(path.relative_to(unpacked / "headwright")) for path in (unpacked / "headwright").rglob("*.*")}
    assert here == {name for name in there if (unpacked / "headwright" / name).is_file()}
    assert "problems/sheets/a.toml" in there


def test_it_runs_without_this_checkout(unpacked):
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import headwright as hw; print(hw.__file__);"
        "print(hw.problems.grade_answer('A.1a', {'q': '2*log(n/eps)*k_1'}).word)"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code, str(unpacked)], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == [str(unpacked / "headwright" / "__init__.py"), "right"]


def test_from_an_installed_wheel_comes_the_same_wheel(unpacked):
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from headwright.problems.gradescope.wheels import wheel;"
        "sys.stdout.buffer.write(wheel()[1])"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code, str(unpacked)], capture_output=True, check=True)
    assert done.stdout == wheel()[1]


def test_the_same_files_give_the_same_wheel():
    assert wheel() == wheel()


def test_versions_are_those_installed_here_and_nothing_else_is_named():
    found = dict(line.split("==") for line in pins())
    needed = {"numpy", "scipy", "python-flint", "array-api-compat", "safetensors", "typer", "rich", "mdurl"}
    assert needed <= set(found)  # mdurl: of markdown-it-py, of rich
    assert not {"headwright", "matplotlib", "pytest", "torch"} & set(found)
    assert found["numpy"] == metadata.version("numpy")
    assert list(found) == sorted(found)


def test_extras_are_followed_where_they_are_asked_for(tmp_path, monkeypatch):
    """Names are folded, local versions dropped, extras that nobody asks for and what is not installed left out."""
    held = {
        "one": ("1.0", ["Two_B[fast, small] (>=2)", 'absent; sys_platform == "win32"', 'dev; extra == "dev"']),
        "two-b": ("2.0+cpu", ['three; extra == "fast"', 'four ; extra == "slow"', 'five; python_version < "3"', "one"]),
        "three": ("3", []),
        "four": ("4", []),
        "five": ("5", []),
        "dev": ("6", []),
    }
    for name, (version, requires) in held.items():
        folder = tmp_path / f"{name.replace('-', '_')}-{version}.dist-info"
        folder.mkdir()
        lines = [f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {each}" for each in requires)]
        (folder / "METADATA").write_text("\n".join(["Metadata-Version: 2.1", *lines, ""]), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(wheels, "NAME", "one")
    assert pins() == ["five==5", "three==3", "two-b==2.0"]


def test_a_tree_that_is_not_installed_is_refused(monkeypatch):
    monkeypatch.setattr(wheels, "NAME", "headwright-that-nobody-installed")
    with pytest.raises(ValueError, match="pip install"):
        wheel()


def test_permissions():
    entries = ZipFile(io.BytesIO(zipped({"run": b"", "read": b""}, executable=("run",)))).infolist()
    assert [entry.external_attr >> 16 for entry in entries] == [0o100755, 0o100644]
    assert hw.__version__ in wheel()[0]

"""The page on certificate files: it has every kind and every part, and its reader reads what the library writes."""

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

import headwright as hw
from headwright.claims import KINDS
from tests.every_claim import CLAIMS

PAGE = (Path(__file__).parents[2] / "docs" / "certificate_format.md").read_text("utf-8")
SECTIONS = dict(zip(*[iter(re.split(r"^### (.+)\n", PAGE, flags=re.MULTILINE)[1:])] * 2, strict=True))
_NAMED_BY_USERS = {"ranges", "point", "further", "path", "laws", "goals", "wanted"}


@pytest.fixture(scope="module")
def page():
    """What the code of the page defines."""
    exec(re.search(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1], scope := {})
    return scope


def names(said):
    """The names that the format gives, in a part of a claim and below it."""
    if not isinstance(said, dict):
        return {name for own in said for name in names(own)} if isinstance(said, list) else set()
    own = {name for name in said if not name.isdecimal()}
    return own.union(*(names(below) for name, below in said.items() if name not in _NAMED_BY_USERS))


def test_the_page_has_every_kind_and_no_other():
    kinds = PAGE.partition("## The kinds\n")[2]
    assert sorted(re.findall(r"^### (.+)$", kinds, re.MULTILINE)) == sorted(KINDS)
    assert CLAIMS.keys() == KINDS.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_its_table_its_statement_and_what_decides_it(kind):
    marks = (f"<!-- table: claim_{kind.replace('-', '_')} -->", "**Statement.**", "hows it|that shows the", "efutes it")
    assert [mark for mark in marks if not re.search(mark.replace("*", r"\*"), SECTIONS[kind])] == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_part_that_a_claim_writes_is_on_the_page(kind):
    claim, own = CLAIMS[kind], SECTIONS[kind]
    arrays = {re.sub(r"^factor_\d+$", "factor_j", name) for name in claim.arrays()}
    arrays = {re.sub(r"^(given|vectors)\..+$", r"\1.NAME", name) for name in arrays if not name.startswith("weights.")}
    written = (claim.fields().keys() | (set() if kind in ("all-of", "contrary") else arrays)) - {
        "table"
    }  # of rows-apart
    assert {name for name in written if f"| `{name}` |" not in own} == set()
    assert {name for name in names(claim.stated()) if f'"{name}"' not in PAGE and f"`{name}`" not in PAGE} == set()


@pytest.mark.parametrize("kind", KINDS)
def test_the_reader_of_the_page_reads_what_is_written(kind, page, tmp_path):
    claim = CLAIMS[kind]
    hw.save(tmp_path / "c.safetensors", claim.prove())
    content = (tmp_path / "c.safetensors").read_bytes()
    stated, said, arrays = page["opened"](content)
    assert stated == json.loads(json.dumps(claim.stated()))
    assert said["verdict"] == claim.prove().status
    own = {name: numbers for name, numbers in arrays.items() if not name.startswith("said.")}
    assert own == {name: (x.shape, x.ravel().tolist()) for name, x in claim.arrays().items()}
    spoiled = bytearray(content)
    spoiled[-1] ^= 1
    with pytest.raises((ValueError, page["zlib"].error)):
        page["opened"](bytes(spoiled) if arrays else content[:-1])


def test_the_worked_example_is_a_certificate_with_that_digest(page, tmp_path):
    example = PAGE.partition("### A worked example")[2].partition("### A reader")[0]
    content = bytes.fromhex("".join(re.findall(r"^[0-9a-f]{4}  (.+)$", example, re.MULTILINE)))
    (tmp_path / "c.safetensors").write_bytes(content)
    assert (len(content), hw.verify(tmp_path / "c.safetensors").status) == (312, "proved")
    metadata, arrays = page["container"](content)
    said, named = metadata["claim"], ("headwright", "claim", "said")
    texts = [text.encode() for name in named for text in (name, metadata[name])] + [b"matrix <f8 (1, 2)", content[-16:]]
    hashed = b"".join(len(text).to_bytes(8, "big") + text for text in texts)
    assert metadata["digest"] == page["digest"](metadata, arrays) == sha256(hashed).hexdigest()
    shown = f"`{metadata['digest']}`", f"`{said}`, which has {len(said)} bytes", f"These {len(hashed)} bytes are hashed"
    assert [text for text in shown if text not in " ".join(example.split())] == []

"""Certificates whose arrays are packed: they come back bit by bit, and what does not unpack as it declares is refused."""

import json
import os
import struct
import tracemalloc
import zlib
from contextlib import suppress

import numpy as np
import pytest
from safetensors.numpy import load_file, save, save_file

import headwright as hw
from evidence.hostile_files import PACKED_PROGRAMS, packed_program
from headwright.kernel import budget
from headwright.kernel.certificate import BadCertificate, load, packed
from headwright.kernel.within_error import WithinError
from tests.certificate_files import metadata, signed
from tests.second_opinion import parts

KEYS = np.array([[1.0, 0.25], [0.5, -1.0], [0.0, 2.0]])
QUERY = np.array([6.0, -1.0])
MANY = 10**6  # bytes that a short text of zeros unpacks to


@pytest.fixture
def verdict(monkeypatch):
    """A verdict of a claim that is stored packed, although its kind usually is not."""
    monkeypatch.setattr(WithinError, "packed", True)
    return hw.certify(KEYS, QUERY, hw.Copy(0), error="0.2")


@pytest.fixture
def path(verdict, tmp_path):
    hw.save(tmp_path / "packed", verdict)
    return tmp_path / "packed"


def rewrite(path, stored, *, arrays=None, **other):
    """The file with other tensors, and with the digest that belongs to these arrays: those of the claim, unless given."""
    arrays = load(path).arrays() if arrays is None else arrays
    save_file(stored, path, metadata={**signed(metadata(path)["claim"], arrays), **other})


def content(path):
    """The safetensors text inside the file."""
    return zlib.decompress(load_file(path)["packed"].tobytes()[8:])


def as_packed(text, *, size=None, more=b""):
    whole = (len(text) if size is None else size).to_bytes(8, "little") + zlib.compress(text) + more
    return np.frombuffer(whole, dtype=np.uint8)


def test_the_second_checker_unpacks_the_same_numbers(path):
    kind, arrays, _ = parts(path)
    assert kind == "within-error"
    assert arrays.keys() == load(path).arrays().keys()
    assert all(arrays[name].tobytes() == array.tobytes() for name, array in load(path).arrays().items())


def test_what_is_packed_comes_back(path):
    assert list(load_file(path)) == ["packed"]
    assert (load(path).heads.keys == KEYS).all()
    assert hw.verify(path).status == "proved"


@pytest.mark.parametrize("number", [-0.0, 5e-324, -(2.0**1000), 1 / 3])
def test_every_bit_of_a_number_is_kept(path, number):
    arrays = {**load(path).arrays(), "keys": np.array([[number, 0.25], [0.5, -1.0], [0.0, 2.0]])}
    rewrite(path, {"packed": packed(arrays)}, arrays=arrays)
    assert load(path).heads.keys.tobytes() == arrays["keys"].tobytes()


def test_tables_that_repeat_become_small(verdict, tmp_path):
    keys = np.triu(np.full((399, 406), -7.625))
    hw.save(tmp_path / "table", hw.certify(keys, np.zeros(406), hw.Copy(0), error="0.999"))
    assert os.path.getsize(tmp_path / "table") < 20_000
    assert (load(tmp_path / "table").heads.keys == keys).all()


def test_a_kind_has_one_form_only(path, monkeypatch):
    arrays = load(path).arrays()
    plain = path.with_name("plain")
    plain.write_bytes(path.read_bytes())
    rewrite(plain, arrays)
    with pytest.raises(BadCertificate, match="packed"):
        load(plain)
    monkeypatch.setattr(WithinError, "packed", False)
    assert hw.verify(plain).status == "proved"
    with pytest.raises(BadCertificate, match="plain"):
        load(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda whole: {"packed": whole, "keys": KEYS},
        lambda whole: {"packed": whole, "more": whole},
        lambda whole: {"bytes": whole},
        lambda whole: {"packed": whole.astype(np.float64)},
        lambda whole: {"packed": whole.view(np.int8)},
        lambda whole: {"packed": whole.reshape(1, -1)},
        lambda whole: {"packed": whole[:0]},
        lambda whole: {"packed": whole[:8]},
        lambda whole: {"packed": whole[:-1]},
        lambda whole: {"packed": whole[:-4]},
        lambda whole: {"packed": np.append(whole, np.uint8(0))},
        lambda whole: {"packed": np.concatenate([whole, whole[8:]])},
    ],
)
def test_other_tensors_and_other_bytes_are_refused(path, change):
    rewrite(path, change(load_file(path)["packed"]))
    with pytest.raises(BadCertificate, match=r"`path`"):
        hw.verify(path)


@pytest.mark.parametrize("off", [-8, -1, 1, 8, 10**6, 2**40])
def test_a_size_that_is_not_true_is_refused(path, off):
    text = content(path)
    rewrite(path, {"packed": as_packed(text, size=len(text) + off)})
    with pytest.raises(BadCertificate, match="budget" if off == 2**40 else "declare"):
        hw.verify(path)
    with pytest.raises(BadCertificate, match="declare"):
        load(path)  # without a budget, a size alone takes no memory


def test_the_largest_size_that_can_be_declared_is_refused(path):
    rewrite(path, {"packed": as_packed(content(path), size=2**64 - 1)})
    with pytest.raises(BadCertificate):
        load(path)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\0" * 7,
        b"\xff" * 64,
        b"\0" * MANY,
        struct.pack("<Q", 2) + b"[]",
        struct.pack("<Q", 1) + b"3",
        struct.pack("<Q", 10**5) + b"[" * 10**5,
        save({"keys": KEYS.astype(np.float32)}),
        save({"keys": KEYS.astype(np.uint8)}),
        save({"keys": KEYS, "queries": QUERY[None], "mix": np.ones(1), "more": np.ones(1)}),
        save({"keys": KEYS, "queries": QUERY[None], "mix": np.ones(1)}) + b"\0",
        save({"keys": KEYS, "queries": QUERY[None], "mix": np.ones(1)})[:-8],
        save({"keys": KEYS, "queries": QUERY[None]}),
    ],
)
def test_content_that_is_not_the_arrays_of_the_claim_is_refused(path, text):
    rewrite(path, {"packed": as_packed(text)})
    with pytest.raises(BadCertificate, match=r"`path`"):
        hw.verify(path)


def test_arrays_of_another_claim_are_refused_by_the_digest(path):
    arrays = {**load(path).arrays(), "keys": -KEYS}
    stored = {"packed": packed(arrays)}
    rewrite(path, stored)
    with pytest.raises(BadCertificate, match="digest"):
        load(path)
    rewrite(path, stored, arrays=arrays)
    assert hw.verify(path).status == "refuted"  # with its digest, a forged file is judged anew


def test_metadata_inside_is_refused(path):
    rewrite(path, {"packed": as_packed(save(load(path).arrays(), metadata={"verdict": "proved"}))})
    with pytest.raises(BadCertificate, match="metadata"):
        load(path)


def test_a_name_that_occurs_twice_inside_is_refused(path):
    text = content(path)
    (length,) = struct.unpack("<Q", text[:8])
    header = text[8 : 8 + length].decode().rstrip()
    own = json.dumps({"mix": json.loads(header)["mix"]})
    twice = (header[:-1] + ", " + own[1:]).encode()
    rewrite(path, {"packed": as_packed(struct.pack("<Q", len(twice)) + twice + text[8 + length :])})
    with pytest.raises(BadCertificate, match="twice"):
        load(path)


def test_a_file_cut_anywhere_is_refused(path):
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(BadCertificate):
            hw.verify(path)


def test_a_flipped_bit_is_refused_or_means_the_same(path):
    """Up to seven bits before the checksum of a zlib stream have no meaning."""
    whole, before, same = bytearray(path.read_bytes()), load(path), 0
    start = 8 + struct.unpack("<Q", whole[:8])[0]
    for bit in range(8 * start, 8 * len(whole)):
        whole[bit // 8] ^= 1 << bit % 8
        path.write_bytes(whole)
        try:
            after = load(path)
        except BadCertificate:
            pass
        else:
            same += 1
            assert after.fields() == before.fields()
            assert all(after.arrays()[name].tobytes() == array.tobytes() for name, array in before.arrays().items())
        whole[bit // 8] ^= 1 << bit % 8
    assert same < 8


@pytest.mark.parametrize("size", [MANY, 10 * MANY])
def test_what_is_unpacked_is_paid_for_first(path, size):
    rewrite(path, {"packed": as_packed(b"\0" * size)})
    assert os.path.getsize(path) < size / 50
    with budget.within(990 * size), pytest.raises(budget.OverBudget):
        load(path)
    with budget.within(1010 * size + MANY), pytest.raises(BadCertificate):
        load(path)


def test_a_stream_that_goes_on_beyond_its_size_stops_there(path, monkeypatch):
    """The bomb: a small size is declared and paid for, and the stream holds much more."""
    seen = []
    plain = zlib.decompressobj

    class Watched:
        def __init__(self):
            self.stream = plain()

        def decompress(self, *given):
            made = self.stream.decompress(*given)
            seen.append(len(made))
            return made

        def __getattr__(self, name):
            return getattr(self.stream, name)

    monkeypatch.setattr("headwright.kernel.certificate.zlib.decompressobj", Watched)
    rewrite_bomb(path)
    with pytest.raises(BadCertificate, match="declare"):
        hw.verify(path)
    assert seen == [1001]


def rewrite_bomb(path):
    made = metadata(path)
    save_file({"packed": as_packed(b"\0" * MANY, size=1000)}, path, metadata=made)


@pytest.mark.parametrize("size", [10**4, 2 * 10**4])
def test_every_byte_of_the_names_inside_is_paid_for(path, size):
    arrays = {"x" * size: np.ones(1)}
    rewrite(path, {"packed": packed(arrays)}, arrays=arrays)
    with budget.within(10**12) as purse, pytest.raises(BadCertificate):
        load(path)
    assert purse.spent > 3000 * size


LARGE = {"width": 10**7, "arrays": 900_000, "blocks": 150_000, "layout": 100_000}  # others: 1,100,000 numbers


@pytest.mark.parametrize("how", PACKED_PROGRAMS)
def test_a_small_file_takes_little_memory(tmp_path, how):
    """Programs with one thing so large that the budget barely suffices, or does not: they end within 100 MB."""
    (tmp_path / "program").write_bytes(packed_program(how, LARGE.get(how, 1_100_000)))
    tracemalloc.start()
    with suppress(BadCertificate):
        hw.verify(tmp_path / "program")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10**8

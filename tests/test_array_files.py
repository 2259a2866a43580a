"""Arrays in files: every good format reads exactly, every bad file is refused by a ValueError that says what is wrong."""

import io
import json
import struct
import zipfile

import numpy as np
import pytest
from numpy.lib import format as npy_format
from safetensors.numpy import save_file

from headwright.kernel import budget
from headwright.reading.array_files import read_array

KEYS = np.arange(12.0).reshape(3, 4) / 8 - 0.5  # exact in every float type, bfloat16 too


def read_keys(path, *, name=None):
    return read_array(path, argument="keys", ndim=2, name=name)


@pytest.fixture
def write(tmp_path):
    """Bytes or text into a file of this name; returns its path."""

    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def npy(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


def npy_header(shape, descr="<f8"):
    file = io.BytesIO()
    npy_format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
    return file.getvalue()


def npz(**members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return file.getvalue()


def safetensors(dtype, shape, data):
    header = json.dumps({"k": {"dtype": dtype, "shape": shape, "data_offsets": [0, len(data)]}}).encode()
    return struct.pack("<Q", len(header)) + header + data


@pytest.mark.parametrize("dtype", ["<f2", "<f4", "<f8", ">f8", "<i1", "<i8", "<u2"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy(write, dtype, order):
    keys = np.array(KEYS * 8 + 4, dtype=dtype, order=order)
    read = read_keys(write("k.npy", npy(keys)))
    assert read.dtype == np.float64
    np.testing.assert_array_equal(read, KEYS * 8 + 4)
    assert not read.flags.writeable


def test_npy_of_format_version_2(write):
    file = io.BytesIO()
    npy_format.write_array(file, KEYS, version=(2, 0))
    np.testing.assert_array_equal(read_keys(write("k.NPY", file.getvalue())), KEYS)


def test_npz(write):
    np.testing.assert_array_equal(read_keys(write("one.npz", npz(k=npy(KEYS)))), KEYS)
    several = write("several.npz", npz(k=npy(KEYS), q=npy(KEYS[0])))
    np.testing.assert_array_equal(read_keys(several, name="k"), KEYS)
    np.testing.assert_array_equal(read_array(several, argument="query", ndim=(1, 2), name="q"), KEYS[0])


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "int32", "int64", "uint8"])
def test_safetensors(tmp_path, dtype):
    keys = (KEYS * 8 + 4).astype(dtype)
    save_file({"k": keys, "q": keys[0]}, tmp_path / "k.safetensors")
    np.testing.assert_array_equal(read_keys(tmp_path / "k.safetensors", name="k"), KEYS * 8 + 4)


def test_safetensors_bfloat16_as_raw_bytes(write):
    upper_halves = (KEYS.astype("<f4").view("<u4") >> 16).astype("<u2").tobytes()
    path = write("k.safetensors", safetensors("BF16", [3, 4], upper_halves))
    np.testing.assert_array_equal(read_keys(path), KEYS)


@pytest.mark.needs("ml_dtypes")
def test_safetensors_bfloat16_as_others_write_it(write, rng):
    import ml_dtypes

    keys = rng.normal(size=(5, 3)).astype(ml_dtypes.bfloat16)
    path = write("k.safetensors", safetensors("BF16", [5, 3], keys.tobytes()))
    np.testing.assert_array_equal(read_keys(path), keys.astype(np.float64))


@pytest.mark.parametrize(
    "text",
    [
        "1,2.5\n-3,4e-1\n",
        "1;2.5\n-3;4e-1",
        "x,y\n1,2.5\n-3,4e-1\n",
        "\ufeffx;y\r\n1;2.5\r\n\r\n-3;4e-1\r\n",
        '"1", 2.5 \n-3,"0.4"\n\n',
    ],
)
def test_csv(write, text):
    np.testing.assert_array_equal(read_keys(write("k.csv", text)), [[1, 2.5], [-3, 0.4]])


@pytest.mark.parametrize("text", ["1,2.5,-3\n", "1\n2.5\n-3\n"])
def test_a_row_or_a_column_is_a_vector_where_one_is_expected(write, text):
    read = read_array(write("b.csv", text), argument="b", ndim=1)
    np.testing.assert_array_equal(read, [1, 2.5, -3])
    assert read_keys(write("k.csv", text)).ndim == 2
    with pytest.raises(ValueError, match="`b`"):
        read_array(write("b.csv", "1,2\n3,4\n"), argument="b", ndim=1)


PICKLED = npy(np.array([{"a": 1}], dtype=object), allow_pickle=True)
REFUSED = {
    "pickled": ("k.npy", PICKLED, "`keys`"),
    "pickled member": ("k.npz", npz(k=PICKLED), "`keys`"),
    "bare pickle": ("k.npy", b"\x80\x04N.", "`keys`"),
    "empty npy": ("k.npy", b"", "`keys`"),
    "10^15 promised": ("k.npy", npy_header((10**9, 10**6)) + bytes(64), "`keys`.*8000000000000000"),
    "2^70 rows of nothing": ("k.npy", npy_header((2**70, 0)), "`keys`"),
    "negative shape": ("k.npy", npy_header((-1, 4)) + bytes(64), "`keys`"),
    "cut short": ("k.npy", npy(KEYS)[:-1], "`keys`.*96"),
    "10^15 in a member": ("k.npz", npz(k=npy_header((10**9, 10**6)) + bytes(64)), "`keys`.*64"),
    "strings": ("k.npy", npy(np.array([["a", "b"]])), "`keys`.*<U1"),
    "complex": ("k.npy", npy(KEYS * 1j), "`keys`.*complex128"),
    "one dimension": ("k.npy", npy(KEYS[0]), r"`keys`.*\(4,\)"),
    "three dimensions": ("k.npy", npy(KEYS[None]), r"`keys`.*\(1, 3, 4\)"),
    "no rows": ("k.npy", npy(KEYS[:0]), r"`keys`.*\(0, 4\)"),
    "nan": ("k.npy", npy(np.where(KEYS == 0, np.nan, KEYS)), r"`keys`.*\[1, 0\]"),
    "huge integer": ("k.npy", npy(np.array([[2**60]])), "`keys`.*2"),
    "several members": ("k.npz", npz(b=npy(KEYS), a=npy(KEYS)), "`--array`"),
    "no members": ("k.npz", npz(), "`keys`"),
    "no zip": ("k.npz", b"no zip at all", "`keys`"),
    "member is no npy": ("k.npz", npz(k=b"hello"), "`keys`"),
    "no safetensors": ("k.safetensors", b"hello", "`keys`"),
    "10^15 in safetensors": (
        "k.safetensors",
        safetensors("F64", [10**9, 10**6], bytes(64)),
        "`keys`",
    ),
    "float8": ("k.safetensors", safetensors("F8_E5M2", [2, 2], bytes(4)), "`keys`.*F8_E5M2"),
    "empty csv": ("k.csv", "", "`keys`"),
    "header only": ("k.csv", "x,y\n", "`keys`"),
    "ragged": ("k.csv", "1,2\n3\n", "`keys`.*2"),
    "word in a cell": ("k.csv", "x,y\n1,2\n3,four\n", "`keys`.*'four'"),
    "half a header": ("k.csv", "x,2\n3,4\n", "`keys`.*'x'"),
    "decimal comma": ("k.csv", "0,5;2\n0,25;4\n1;2\n", "`keys`.*'0,5'"),
    "large integer in csv": ("k.csv", "9007199254740993,0.5\n", r"`keys`.*2\^53"),
    "endless integer in csv": ("k.csv", "1" * 5000 + ",0.5\n", "`keys`"),
    "nan in csv": ("k.csv", "1,nan\n", r"`keys`.*\[0, 1\]"),
    "no utf-8": ("k.csv", b"\xff\xfe\x00", "`keys`.*8"),
    "unknown suffix": ("k.pt", b"", r"`keys`.*'k\.pt'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(write, case):
    name, content, message = REFUSED[case]
    with pytest.raises(ValueError, match=message) as caught:
        read_keys(write(name, content))
    assert str(caught.value).startswith("`keys`")


def test_unknown_names_are_refused_with_the_known_ones(write):
    with pytest.raises(ValueError, match=r"`keys`.*'x'"):
        read_keys(write("k.npz", npz(b=npy(KEYS), a=npy(KEYS))), name="x")
    with pytest.raises(ValueError, match="`keys`"):
        read_keys(write("k.npy", npy(KEYS)), name="x")


def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="`keys`"):
        read_keys(tmp_path / "k.npy")


def test_a_member_that_lies_about_its_size_is_refused(write):
    honest = npz(k=npy_header((100, 100)) + bytes(64))
    size, claimed = struct.pack("<L", 128 + 64), struct.pack("<L", 128 + 80_000)
    assert honest.count(size) >= 1
    with pytest.raises(ValueError, match="`keys`"):
        read_keys(write("k.npz", honest.replace(size, claimed)))


def test_an_archive_that_unfolds_to_more_than_the_budget_is_refused(write):
    path = write("k.npz", npz(k=npy_header((2, 10**6)) + bytes(16 * 10**6)))
    with budget.within(1e8), pytest.raises(budget.OverBudget, match="budget"):
        read_keys(path)


@pytest.mark.parametrize("suffix", ["npy", "npz", "safetensors", "csv"])
def test_damaged_files_are_refused_by_name(write, rng, suffix):
    good = {"npy": npy(KEYS), "npz": npz(k=npy(KEYS)), "csv": b"x,y\n1,2\n3,4\n"}
    good["safetensors"] = safetensors("F64", [3, 4], KEYS.tobytes())
    for _ in range(200):
        damaged = bytearray(good[suffix])
        for _ in range(rng.integers(1, 4)):
            damaged[rng.integers(len(damaged))] = rng.choice([*b"0(9-,", rng.integers(256)])
        try:
            read_keys(write(f"k.{suffix}", bytes(damaged[: rng.integers(1, 2 * len(damaged))])))
        except ValueError as error:
            assert str(error).startswith("`keys`")  # noqa: PT017 - a damaged file may also still be readable
        except TypeError as error:
            assert str(error).startswith("`keys`")  # noqa: PT017

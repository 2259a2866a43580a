"""Certificate files: damage is refused, an edited claim is judged anew, and no file makes a false claim Proved."""

import copy
import dataclasses
import json
import os
import pickle
import struct
import zipfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import headwright as hw
from headwright.claims import KINDS
from headwright.kernel import budget
from headwright.kernel.certificate import BadCertificate, load
from headwright.kernel.claim import Claim
from headwright.kernel.older_formats import VERSIONS
from headwright.kernel.within_error import WithinError
from headwright.kernel.withstands import Withstands
from headwright.problems.grading.results import from_parts, to_parts
from tests.certificate_files import metadata, rewrite
from tests.every_claim import CLAIMS
from tests.second_opinion import judge
from tests.toy_claim import Toy

KEYS = np.array([[1.0, 0.25], [0.5, -1.0], [0.0, 2.0]])
QUERY = np.array([6.0, -1.0])


@pytest.fixture
def path(tmp_path):
    target = tmp_path / "copy.safetensors"
    hw.save(target, hw.certify(KEYS, QUERY, hw.Copy(0), error="0.2"))
    return target


def edit(path, **changes):
    rewrite(path, claim=json.dumps({**json.loads(metadata(path)["claim"]), **changes}))


def test_what_is_saved_comes_back(path):
    assert isinstance(load(path), WithinError)
    assert (load(path).heads.keys == KEYS).all()
    assert hw.verify(path).status == "proved"
    assert judge(path) == "true"


def test_every_kind_comes_back(tmp_path):
    verdicts = {
        "proved": hw.certify(KEYS, QUERY, hw.Average(0, 1), error="0.6", radius="0.01", norm="ball", scale="1/3"),
        "refuted": hw.certify(KEYS, [QUERY, -QUERY], of=1, at_least="0.9", mix=[1, 2]),
    }
    verdicts["moved"] = hw.certify(KEYS, QUERY, of=[0.5, 0, 1], at_most="0.7", radius=0.125)
    verdicts["blend"] = hw.certify(KEYS, QUERY, hw.Blend({0: "0.7", 2: "0.3"}), error=0.5)
    for name, verdict in verdicts.items():
        hw.save(tmp_path / name, verdict)
        again = hw.verify(tmp_path / name)
        assert (again.status, again.claim) == (verdict.status, verdict.claim)
    assert isinstance(load(tmp_path / "proved"), Withstands)


def test_truncated_anywhere_is_refused(path):
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(BadCertificate):
            hw.verify(path)


def test_every_flipped_bit_of_the_numbers_is_refused(path):
    whole = bytearray(path.read_bytes())
    start = 8 + struct.unpack("<Q", whole[:8])[0]
    for bit in range(8 * start, 8 * len(whole)):
        whole[bit // 8] ^= 1 << bit % 8
        path.write_bytes(whole)
        with pytest.raises(BadCertificate, match=r"`path`"):
            load(path)
        whole[bit // 8] ^= 1 << bit % 8


def test_a_flipped_bit_of_the_header_is_refused_or_means_the_same(path):
    whole, before = bytearray(path.read_bytes()), load(path)
    end = 8 + struct.unpack("<Q", whole[:8])[0]
    for bit in range(8 * end):
        whole[bit // 8] ^= 1 << bit % 8
        path.write_bytes(whole)
        try:
            after = load(path)
        except BadCertificate:
            pass
        else:
            assert after.fields() == before.fields()
            assert all((after.arrays()[name] == array).all() for name, array in before.arrays().items())
        whole[bit // 8] ^= 1 << bit % 8


def test_an_edited_claim_is_judged_anew(path):
    edit(path, error="1/1000000")
    assert hw.verify(path).status == "refuted"
    assert judge(path) == "false"
    edit(path, goal=hw.Copy(1).to_dict(), error="1/5")
    assert hw.verify(path).status == "refuted"


def test_edited_numbers_are_judged_anew(path):
    arrays = load_file(path)
    rewrite(path, arrays={**arrays, "queries": -arrays["queries"]})
    assert hw.verify(path).status == "refuted"


@pytest.mark.parametrize(
    "changes",
    [
        *({"kind": kind} for kind in ("true", ["within-error"], None)),
        *({"error": e} for e in ("0", "1", "-1/5", True, None, "1/0", "nan", "1e-999999999", float("inf"))),
        *({"scale": scale} for scale in ("0", "-1", [])),
        {"goal": "copy"},
        {"goal": {}},
        {"goal": {"goal": "copy", "indices": [7], "shares": ["1"]}},
        {"goal": {"goal": "copy", "indices": [-1], "shares": ["1"]}},
        {"goal": {"goal": "copy", "indices": [0], "shares": ["1/2"]}},
        {"goal": {"goal": "copy", "indices": [0, 1], "shares": ["1", "1"]}},
        {"goal": {"goal": "average", "indices": [0, 0], "shares": ["1/2", "1/2"]}},
        {"goal": {"goal": "blend", "indices": [0, 1], "shares": ["3/2", "-1/2"]}},
        {"goal": {"goal": "top", "indices": [0], "shares": ["1"]}},
        {"radius": "1"},
        {"verdict": "proved"},
    ],
)
def test_claims_that_mean_nothing_are_refused(path, changes):
    edit(path, **changes)
    with pytest.raises(BadCertificate, match=r"`path`"):
        hw.verify(path)


@pytest.mark.parametrize("claim", ["", "proved", "[]", "3", "null", "{", "[" * 100_000])
def test_claims_that_are_no_object_are_refused(path, claim):
    rewrite(path, claim=claim)
    with pytest.raises(BadCertificate):
        hw.verify(path)


def test_missing_field_is_named(path):
    fields = json.loads(metadata(path)["claim"])
    del fields["scale"]
    rewrite(path, claim=json.dumps(fields))
    with pytest.raises(BadCertificate, match=r"`path`.*'scale'"):
        hw.verify(path)


@pytest.mark.parametrize("part", ["headwright", "claim", "digest"])
def test_missing_metadata_is_named(path, part):
    kept = {name: text for name, text in metadata(path).items() if name != part}
    save_file(load_file(path), path, metadata=kept)
    with pytest.raises(BadCertificate, match=part):
        hw.verify(path)


@pytest.mark.parametrize("said", ['{"verdict": "refuted"}', '{"verdict": "sure"}', "{}", None])
def test_what_is_said_is_under_the_digest_and_has_a_verdict(path, said):
    kept = {**metadata(path), "said": said}
    save_file(load_file(path), path, metadata={name: text for name, text in kept.items() if text is not None})
    with pytest.raises(BadCertificate, match="damaged"):
        hw.verify(path)
    rewrite(path, said=said)
    if said in (None, '{"verdict": "refuted"}'):  # may be missing, and nothing believes it
        assert hw.verify(path).status == "proved"
    else:
        with pytest.raises(BadCertificate, match="sender"):
            hw.verify(path)


def test_no_metadata_at_all(path):
    save_file(load_file(path), path)
    with pytest.raises(BadCertificate, match=r"headwright.*claim.*digest"):
        hw.verify(path)


def test_another_version_is_refused(path):
    rewrite(path, version="5")
    with pytest.raises(BadCertificate, match=r"`path`.*'5'"):
        hw.verify(path)


def with_arrays(**changes):
    arrays = {"keys": KEYS, "queries": QUERY[None], "mix": np.ones(1), **changes}
    return {name: array for name, array in arrays.items() if array is not None}


@pytest.mark.parametrize(
    "arrays",
    [
        with_arrays(extra=np.ones(1)),
        with_arrays(values=np.ones(3)),
        with_arrays(keys=None),
        with_arrays(keys=KEYS.astype(np.float32)),
        with_arrays(mix=np.ones(1, dtype=np.int64)),
        with_arrays(keys=np.where(KEYS == 2, np.nan, KEYS)),
        with_arrays(keys=np.where(KEYS == 2, np.inf, KEYS)),
        with_arrays(keys=np.zeros((0, 2))),
        with_arrays(keys=KEYS[:, :1].copy()),
        with_arrays(keys=KEYS[0]),
        with_arrays(mix=np.ones(2)),
        with_arrays(mix=-np.ones(1)),
        with_arrays(mix=np.zeros(1)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(path, arrays):
    rewrite(path, arrays=arrays)
    with pytest.raises(BadCertificate, match=r"`path`"):
        hw.verify(path)


@pytest.mark.parametrize("shape", [[3, 2**62], [2**40, 2**40], [-1, 2], [3, 3], ["a", 2], []])
def test_absurd_shapes_are_refused(path, shape):
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + length])
    header["keys"]["shape"] = shape
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + raw[8 + length :])
    with pytest.raises(BadCertificate):
        hw.verify(path)


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff" * 64, b"PK\x03\x04" + bytes(100), struct.pack("<Q", 2**62)])
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "other").write_bytes(content)
    with pytest.raises(BadCertificate, match=r"`path`"):
        hw.verify(tmp_path / "other")


def test_missing_file_and_folder(tmp_path):
    for target in (tmp_path / "none", tmp_path):
        with pytest.raises(FileNotFoundError, match=r"`path`"):
            hw.verify(target)


def test_saving_is_all_or_nothing(path, monkeypatch):
    before = path.read_bytes()

    def broken(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(OSError, match="disk full"):
        hw.save(path, hw.certify(KEYS, QUERY, hw.Copy(2)))
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_only_verdicts_with_numbers_are_saved(tmp_path):
    with pytest.raises(ValueError, match="`verdict`"):
        hw.save(tmp_path / "file", hw.Undecided("2 is even"))
    with pytest.raises(TypeError, match="`verdict`"):
        hw.save(tmp_path / "file", True)
    assert os.listdir(tmp_path) == []


def test_saving_where_no_file_can_be(tmp_path):
    verdict = hw.certify(KEYS, QUERY, hw.Copy(0), error=0.9)
    for place in (tmp_path, tmp_path / "absent" / "c.safetensors"):
        with pytest.raises(FileNotFoundError, match=r"`path`"):
            hw.save(place, verdict)
    assert list(tmp_path.iterdir()) == []


def objects(value, at=()):
    """The place of every JSON object in a value."""
    if isinstance(value, dict):
        yield at
        for name, part in value.items():
            yield from objects(part, (*at, name))
    elif isinstance(value, list):
        for k, part in enumerate(value):
            yield from objects(part, (*at, k))


def at(value, place):
    for name in place:
        value = value[name]
    return value


def test_there_is_a_claim_of_every_kind():
    assert set(CLAIMS) == set(KINDS)


@pytest.mark.parametrize("kind", CLAIMS)
def test_an_unknown_field_anywhere_is_refused(kind, tmp_path):
    path = tmp_path / "claim"
    hw.save(path, CLAIMS[kind].prove())
    whole = metadata(path)["claim"]
    assert load(path).fields() == CLAIMS[kind].fields()
    for place in objects(json.loads(whole)):
        fields = json.loads(whole)
        at(fields, place)["proved_by"] = "hand"
        rewrite(path, claim=json.dumps(fields))
        with pytest.raises(BadCertificate, match="claim that can be judged"):
            load(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"error": "1/5"', '"error": "0.2"'),
        ('"error": "1/5"', '"error": 0.25'),
        ('"scale": "1"', '"scale": 1'),
        ('"indices": [0]', '"indices": [0.0]'),
        ('"error": "1/5"', '"error": "1/1000000", "error": "1/5"'),
        ('"goal": "copy"', '"goal": "average", "goal": "copy"'),
        ('"kind"', '"precision": null, "kind"'),
    ],
)
def test_only_what_the_claim_writes_is_read(path, old, new):
    claim = metadata(path)["claim"]
    assert claim.count(old) == 1
    rewrite(path, claim=claim.replace(old, new))
    with pytest.raises(BadCertificate):
        load(path)


def test_unknown_metadata_is_refused(path):
    rewrite(path, verdict="proved")
    with pytest.raises(BadCertificate, match="verdict"):
        load(path)


def test_an_array_in_another_shape_is_refused(tmp_path):
    path = tmp_path / "varying"
    keys = hw.GaussianKeys(np.eye(2), isotropic=0.01)
    hw.save(path, hw.certify(keys, 9 * np.eye(2)[0], hw.Copy(0), error="0.1", confidence="0.5"))
    rewrite(path, arrays={**load_file(path), "isotropic": np.array([0.01])[0:1].reshape(())})
    with pytest.raises(BadCertificate, match="isotropic"):
        load(path)


OLDER = zipfile.ZipFile(Path(__file__).with_name("older_formats.zip"))


@pytest.mark.parametrize(("name", "verdict"), json.loads(OLDER.read("index.json")).items())
def test_files_of_older_formats_are_still_read(name, verdict, tmp_path):
    """Written by the last version that wrote formats 1 to 3: every kind, ranges of every form, some designs."""
    path = tmp_path / "claim"
    path.write_bytes(OLDER.read(name))
    again = hw.verify(path)
    assert [again.status, again.claim] == verdict
    assert metadata(path)["headwright"] in VERSIONS
    said = json.loads(metadata(path)["claim"])
    rewrite(path, claim=json.dumps({**said, "more": 1}))
    with pytest.raises(BadCertificate):
        load(path)


@pytest.mark.parametrize("kind", CLAIMS)
def test_a_claim_travels_between_processes(kind):
    sent = json.loads(json.dumps(to_parts(CLAIMS[kind])))
    found = from_parts(sent)
    assert (found.kind, found.fields()) == (kind, CLAIMS[kind].fields())
    assert all((found.arrays()[name] == array).all() for name, array in CLAIMS[kind].arrays().items())
    for wrong in ({}, None, [], {**sent, "claim": "{}"}, {**sent, "arrays": {"keys": "no"}}, {**sent, "arrays": []}):
        with pytest.raises(BadCertificate):
            from_parts(wrong)


def forged(verdict, record):
    """A Proved that came out of a pickle, of a claim that nobody proved."""
    again = pickle.loads(pickle.dumps(verdict))
    object.__setattr__(again, "record", record)
    return again


def test_a_verdict_from_elsewhere_is_proved_again_before_it_is_saved(path, tmp_path):
    proved = hw.certify(KEYS, QUERY, hw.Copy(0), error="0.2")
    false = hw.certify(KEYS, QUERY, hw.Copy(0), error="1e-9")
    assert (proved.status, false.status) == ("proved", "refuted")
    hw.save(tmp_path / "again", pickle.loads(pickle.dumps(proved)))
    assert hw.verify(tmp_path / "again").status == "proved"
    for liar in (forged(proved, false.record), copy.copy(forged(proved, false.record)).explained("trust me")):
        assert (liar.status, liar.restored) == ("proved", True)
        with pytest.raises(ValueError, match="refuted"):
            hw.save(tmp_path / "lie", liar)
    here = copy.copy(proved)
    object.__setattr__(here, "record", dataclasses.replace(proved.record, error=Fraction(1, 10**9)))
    assert (here.restored, here.changed) == (False, False)
    with pytest.raises(ValueError, match="refuted"):
        hw.save(tmp_path / "lie", here)
    assert not (tmp_path / "lie").exists()
    assert not proved.restored
    assert not proved.explained("well known").restored


class Hopeful(hw.claims.WithinError):
    """A claim that would be read from a file as one of our own."""

    def judge(self):
        return self.proved()


@dataclasses.dataclass(frozen=True, eq=False)
class Namesake(Claim):
    words: str = "1 = 2"
    kind = "within-error"

    def sentence(self):
        return self.words

    def judge(self):
        return self.proved()


@pytest.mark.parametrize(
    "claim",
    [
        Hopeful(hw.certify(KEYS, QUERY, hw.Copy(0)).record.heads, hw.Copy(0), Fraction(1, 5)),
        Namesake(),
        Toy(hw.Proved, "1 = 1"),
    ],
    ids=lambda claim: type(claim).__name__,
)
def test_only_our_own_classes_are_saved(claim, tmp_path):
    verdict = claim.prove()
    assert verdict.status == "proved"
    with pytest.raises(ValueError, match=rf"`verdict`.*{type(claim).__name__}.*'{claim.kind}'"):
        hw.save(tmp_path / "x", verdict)
    assert not list(tmp_path.iterdir())


def narrowed(path, kind):
    """The file with its keys, of the same bytes, said to be of another type."""
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + length])
    start, stop = header["keys"]["data_offsets"]
    header["keys"] |= {"dtype": kind, "shape": [stop - start if "8" in kind else 2 * (stop - start)]}
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + raw[8 + length :])


@pytest.mark.parametrize("kind", ["F8_E4M3", "F8_E5M2", "F8_E8M0", "U8", "BOOL8", "F4", "F6_E2M3", "F9"])
def test_arrays_of_narrow_types_are_refused(path, kind):
    narrowed(path, kind)
    with pytest.raises(BadCertificate):
        hw.verify(path)


@pytest.mark.parametrize("kind", ["F8_E4M3", "F8_E5M2"])
def test_the_refusal_names_the_array_and_its_type(path, kind):
    narrowed(path, kind)
    with pytest.raises(BadCertificate, match=rf"keys \({kind}\)"):
        hw.verify(path)


def test_a_file_that_cannot_be_read_within_the_budget_is_refused_and_names_it(path):
    with pytest.raises(BadCertificate, match="budget"):
        hw.verify(path, budget=1000)
    assert hw.verify(path, budget=1e11).status == "proved"


@pytest.mark.parametrize("amount", [0, -1, None, "much", True])
def test_the_budget_is_a_positive_number(path, amount):
    with pytest.raises((ValueError, TypeError), match="`budget`"):
        hw.verify(path, budget=amount)


@pytest.mark.parametrize("size", [10**5, 2 * 10**5])
def test_every_byte_of_the_claim_and_of_the_arrays_is_paid_for(path, size):
    before = read_cost(path)
    rewrite(path, arrays={"keys": np.ones((size // 16, 2)), "queries": QUERY[None], "mix": np.ones(1)})
    assert read_cost(path) - before > 25 * (size - 100)
    before = read_cost(path)
    rewrite(path, claim=metadata(path)["claim"] + " " * size)
    assert read_cost(path) - before > 400 * size


def read_cost(path):
    with budget.within(10**12) as purse:
        load(path)
    return purse.spent


@pytest.mark.parametrize(
    "changes",
    [
        {"goal": {"goal": "average", "indices": [*range(10**5), 10**5 - 1], "shares": ["1/100001"] * (10**5 + 1)}},
        {
            "goal": {
                "goal": "blend",
                "indices": list(range(300)),
                "shares": [f"{7**4000 + k}/{3**8000 + k}" for k in range(300)],
            }
        },
    ],
)
def test_goals_that_would_take_minutes_to_read_are_refused(path, changes):
    edit(path, **changes)
    with pytest.raises(BadCertificate):
        hw.verify(path)


def test_a_long_rational_in_base_16_is_paid_for_before_it_is_made(tmp_path):
    from headwright.kernel.gibbs import read

    with budget.within(), pytest.raises(budget.OverBudget):
        read(f"0x{'1' * 10**6}/0x{'3' * 10**6}")

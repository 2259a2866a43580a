"""A Design through a file: the same design comes back, its claims are proved again, and a forged file is refused."""

import dataclasses
import json
import pickle
from fractions import Fraction

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

import headwright as hw
from headwright.kernel.certificate import BadCertificate, digest
from tests.toy_claim import proved

KEYS = np.random.default_rng(5).normal(size=(9, 5))
IMAGE = np.random.default_rng(6).normal(size=(5, 4))
MAKE = {
    "copy": lambda: hw.design(KEYS, hw.Copy(3)),
    "text": lambda: hw.design(KEYS, hw.Average(3, 7), error="1/50", scale=0.25),
    "fraction": lambda: hw.design(KEYS, hw.Blend({1: 0.3, 2: 0.7}), error=Fraction(1, 30)),
    "shares": lambda: hw.design(KEYS, hw.Blend(np.arange(9.0) % 2), error=0.2),
    "heads": lambda: hw.design(KEYS, hw.Average(1, 2), heads=2),
    "top": lambda: hw.design(KEYS, hw.Top(3, 7)),
    "narrow": lambda: hw.design(KEYS, hw.Copy(2), precision="bfloat16"),
    "closed form": lambda: hw.design(np.eye(5), hw.Copy(2), method="closed-form"),
    "inexact": lambda: hw.design(np.array([[0.0], [1.0], [2.5]]), hw.Average(0, 1), error=0.4),
    "within a norm": lambda: hw.design(KEYS, hw.Average(3, 7), max_norm=2),
    "copy within a norm": lambda: hw.design(np.vstack([KEYS, KEYS[:3].mean(axis=0)]), hw.Copy(9), max_norm="5/2"),
    "top within a norm": lambda: hw.design(KEYS, hw.Top(3, 7), max_norm=2),
    "in an image": lambda: hw.design(KEYS, hw.Copy(3), within=IMAGE, error=0.2),
    "in a moved image": lambda: hw.design(KEYS, hw.Copy(3), within=(IMAGE, np.full(5, 0.1)), error=0.2),
    "in an image, within a norm": lambda: hw.design(KEYS, hw.Average(3, 7), within=IMAGE, max_norm=4),
    "top in a moved image, within a norm": lambda: hw.design(
        KEYS, hw.Top(3), within=(IMAGE, np.full(5, 0.1)), max_norm=4
    ),
    "top in an image": lambda: hw.design(KEYS, hw.Top(3), within=IMAGE),
    "within a norm, out of reach": lambda: hw.design(np.array([[0.0], [1.0], [2.5]]), hw.Copy(1), max_norm=1e100),
    "within a norm, by heads": lambda: hw.design(KEYS, hw.Average(3, 7), max_norm=2.5, heads=2),
    "keys that move": lambda: hw.design(KEYS, hw.Copy(3), radius=0.01, error=0.1),
    "varying": lambda: hw.design(hw.GaussianKeys(np.eye(4), along={0: 0.01}), hw.Copy(0), error=0.1, confidence="0.9"),
}
every_design = pytest.mark.parametrize("make", MAKE.values(), ids=MAKE)


@every_design
def test_the_same_design_comes_back(make, tmp_path):
    design = make()
    hw.save(tmp_path / "d", design)
    back = hw.load(tmp_path / "d")
    for part in dataclasses.fields(hw.Design):
        if not part.name.startswith("prove"):
            mine, theirs = getattr(design, part.name), getattr(back, part.name)
            assert type(mine) is type(theirs), part.name
            for one, other in zip(*((x if isinstance(x, tuple) else (x,)) for x in (mine, theirs)), strict=True):
                assert np.array_equal(one, other), part.name
    assert "verdict" not in vars(back)  # nothing is believed: the proof is made when it is asked for
    assert back.to_dict() == design.to_dict()
    assert (back.lower_bound, back.error, back.gap) == (design.lower_bound, design.error, design.gap)
    assert back.verdict.record is not design.verdict.record
    assert hw.verify(tmp_path / "d").status == "proved"
    hw.save(tmp_path / "again", back)
    (said, arrays), (again, others) = parts(tmp_path / "d"), parts(tmp_path / "again")
    assert said == again
    assert {name: array.tobytes() for name, array in arrays.items()} == {n: a.tobytes() for n, a in others.items()}
    assert pickle.loads(pickle.dumps(back)).to_dict() == design.to_dict()


def parts(path):
    with safe_open(path, framework="numpy") as file:
        return dict(file.metadata()), {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def forged(path, metadata, arrays, *, resign=True):
    if resign:
        metadata["digest"] = digest(metadata, arrays)
    save_file(arrays, path, metadata=metadata)
    return path


def edited(tmp_path, make, change):
    """A file whose design part was changed by someone who knows how to compute the digest."""
    hw.save(tmp_path / "d", MAKE[make]())
    metadata, arrays = parts(tmp_path / "d")
    said = json.loads(metadata["design"])
    change(said, arrays)
    metadata["design"] = json.dumps(said, sort_keys=True)
    return forged(tmp_path / "forged", metadata, arrays)


def another_optimality(said, arrays):
    """The bound of a harder goal over other keys."""
    other = hw.design(0.01 * KEYS, hw.Copy(3)).optimality.record
    said["prove_optimality"] = {"claim": json.dumps(other.stated(), sort_keys=True), "shared": []}
    arrays |= {f"design.prove_optimality.{name}": np.array(array) for name, array in other.arrays().items()}


def another_goal(said, arrays):
    other = hw.design(KEYS, hw.Copy(4)).optimality.record
    said["prove_optimality"] = {"claim": json.dumps(other.stated(), sort_keys=True), "shared": ["keys"]}
    arrays["design.prove_optimality.witness"] = np.array(other.witness)


def another_image(said, arrays):
    """The bound among the queries of an image, for a design that may be any query."""
    other = MAKE["in an image"]().optimality.record
    claim = json.loads(said["prove_optimality"]["claim"])
    stated = {**other.stated(), "error": claim["error"]}
    said["prove_optimality"] = {"claim": json.dumps(stated, sort_keys=True), "shared": ["keys"]}
    arrays |= {f"design.prove_optimality.{name}": np.array(a) for name, a in other.arrays().items() if name != "keys"}


def another_kind(said, arrays):
    other = hw.spectrum.singular_values(np.eye(2)).verdict.record
    del arrays["design.prove_optimality.witness"]
    said["prove_optimality"] = {"claim": json.dumps(other.stated(), sort_keys=True), "shared": []}
    arrays |= {f"design.prove_optimality.{name}": np.array(array) for name, array in other.arrays().items()}


def bound_of_an_error(said, arrays):
    """A bound of an error in the place of one of a norm, about the same error."""
    other = dataclasses.replace(hw.design(KEYS, hw.Copy(3), max_norm=1).optimality.record, error=0.01)
    said["prove_optimality"] = {"claim": json.dumps(other.stated(), sort_keys=True), "shared": ["keys"]}
    arrays["design.prove_optimality.witness"] = np.array(other.witness)


def another_goal_within(said, arrays):
    other = hw.design(KEYS, hw.Average(3, 8), max_norm="3/2").optimality.record
    said["prove_optimality"] = {"claim": json.dumps(other.stated(), sort_keys=True), "shared": ["keys"]}
    arrays["design.prove_optimality.witness"] = np.array(other.witness)


def bound_of_fixed_keys(said, arrays):
    """A bound of one query over fixed keys, for a design of another kind over the same keys."""
    other = hw.design(np.eye(4), hw.Copy(0), error=0.1).optimality.record
    said["prove_optimality"] = {"claim": json.dumps(other.stated(), sort_keys=True), "shared": []}
    arrays |= {f"design.prove_optimality.{name}": np.array(array) for name, array in other.arrays().items()}


def bound_of_one_query(said, arrays):
    other = hw.design(KEYS, hw.Average(1, 2)).optimality.record
    said["prove_optimality"] = {"claim": json.dumps(other.stated(), sort_keys=True), "shared": ["keys"]}
    arrays["design.prove_optimality.witness"] = np.array(other.witness)


def a_gap_that_needs_no_more_than_the_norm(said, arrays):
    """With an offset, "a gap of g takes norm R" does not bound the gap at norm R."""
    claim = json.loads(said["prove_optimality"]["claim"])
    claim["least"] = said["max_norm"]["rational"]
    said["prove_optimality"]["claim"] = json.dumps(claim, sort_keys=True)


@pytest.mark.parametrize(
    ("make", "change"),
    [
        ("varying", bound_of_fixed_keys),
        ("heads", bound_of_one_query),
        ("top in a moved image, within a norm", a_gap_that_needs_no_more_than_the_norm),
        ("copy", lambda said, arrays: said.update(asked=0.001)),
        ("copy", lambda said, arrays: said.update(asked="cheap")),
        ("copy", lambda said, arrays: said.update(confidence=0.9)),
        ("varying", lambda said, arrays: said.update(asked=0.001)),
        ("varying", lambda said, arrays: said.update(confidence=0.999)),
        ("copy", lambda said, arrays: said.update(colour="red")),
        (
            "copy",
            lambda said, arrays: (
                said.update(queries={"array": "design.q"}) or arrays.update({"design.q": np.ones((1, 5))})
            ),
        ),
        (
            "copy",
            lambda said, arrays: said.update(weights={"array": "design.w"}) or arrays.update({"design.w": np.ones(9)}),
        ),
        ("copy", lambda said, arrays: said.pop("asked")),
        ("copy", lambda said, arrays: said.update(method={"array": "nowhere"})),
        ("copy", lambda said, arrays: said.update(method={"pickle": "x"})),
        ("copy", lambda said, arrays: arrays.update({"design.more": np.ones(2)})),
        ("copy", another_optimality),
        ("copy", another_goal),
        ("copy", lambda said, arrays: said.update(max_norm={"rational": "1"})),
        ("within a norm", lambda said, arrays: said.update(max_norm={"rational": "3"})),
        ("within a norm", lambda said, arrays: said.update(max_norm=None)),
        ("top within a norm", lambda said, arrays: said.update(max_norm={"rational": "3"})),
        ("top within a norm", lambda said, arrays: said.update(max_norm=None)),
        ("copy", another_kind),
        ("copy", another_image),
        ("in a moved image", another_image),
        ("copy", lambda said, arrays: said["prove_optimality"].update(shared=["keys", "witness"])),
        ("copy", bound_of_an_error),
        ("within a norm", another_goal_within),
        ("copy", lambda said, arrays: said.update(max_norm={"rational": "1000"})),
        ("heads", lambda said, arrays: said.update(max_norm={"rational": "1/1000"})),
        ("heads", lambda said, arrays: said.update(max_norm={"rational": "-1000"})),
    ],
)
def test_a_forged_design_is_refused(make, change, tmp_path):
    with pytest.raises(BadCertificate):
        hw.load(edited(tmp_path, make, change))


def test_a_false_bound_is_judged_and_not_believed(tmp_path):
    def promise(said, arrays):
        claim = json.loads(said["prove_optimality"]["claim"])
        said["prove_optimality"]["claim"] = json.dumps({**claim, "least": "1000"}, sort_keys=True)

    design = hw.load(edited(tmp_path, "copy", promise))
    assert design.verdict.status == "proved"
    assert design.lower_bound is None


def test_damage_is_noticed(tmp_path):
    hw.save(tmp_path / "d", MAKE["varying"]())
    for change, resign in (("claim", False), ("design", False), ("design", True)):
        metadata, arrays = parts(tmp_path / "d")
        metadata[change] = metadata[change].replace("{", "{ ", 1)
        with pytest.raises(BadCertificate):
            hw.load(forged(tmp_path / "changed", metadata, arrays, resign=resign))
    metadata, arrays = parts(tmp_path / "d")
    metadata["design"] = json.dumps({**json.loads(metadata["design"]), "method": "magic"}, sort_keys=True)
    with pytest.raises(BadCertificate, match="digest"):
        hw.load(forged(tmp_path / "changed", metadata, arrays, resign=False))
    metadata, arrays = parts(tmp_path / "d")
    arrays["design.weights"] = arrays["design.weights"] + 1
    with pytest.raises(BadCertificate, match="digest"):
        hw.verify(forged(tmp_path / "changed", metadata, arrays, resign=False))
    del metadata["design"]
    with pytest.raises(BadCertificate):  # its arrays are left over
        hw.load(forged(tmp_path / "changed", metadata, arrays))


def test_a_claim_that_is_not_about_a_design(tmp_path):
    hw.save(tmp_path / "v", hw.spectrum.singular_values(np.eye(2)).verdict)
    metadata, arrays = parts(tmp_path / "v")
    metadata["design"] = "{}"
    with pytest.raises(BadCertificate, match="Design"):
        hw.load(forged(tmp_path / "forged", metadata, arrays))


def test_a_verdict_is_read_as_its_claim_and_other_results_by_their_verdict(tmp_path):
    hw.save(tmp_path / "v", hw.certify(np.eye(3), 9 * np.eye(3)[0], hw.Copy(0)))
    assert isinstance(hw.load(tmp_path / "v"), hw.claims.WithinError)
    hw.save(tmp_path / "l", hw.design_layer(np.eye(3), {0: hw.Copy(2)}))
    assert isinstance(hw.load(tmp_path / "l"), hw.claims.LayerRows)
    hw.save(tmp_path / "s", hw.spectrum.singular_values(np.eye(2)))
    assert hw.verify(tmp_path / "s").status == "proved"


@pytest.mark.parametrize("value", [None, "text", np.eye(3), hw.Copy(0), hw.attend(np.ones(2), np.eye(2))])
def test_what_has_no_verdict_cannot_be_saved(value, tmp_path):
    with pytest.raises(TypeError, match="`verdict`"):
        hw.save(tmp_path / "x", value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("path", [None, 3, b"name"])
def test_the_file_is_named_first(path, tmp_path):
    with pytest.raises(TypeError, match=r"`path`.*Design"):
        hw.save(MAKE["copy"](), tmp_path / "d")
    with pytest.raises(TypeError, match="`path`"):
        hw.save(path, MAKE["copy"]())


OTHERS = {
    "goal": {
        "copy": hw.Copy(6),
        "heads": hw.Average(2, 4),
        "keys that move": hw.Copy(4),
        "top": hw.Top(3, 8),
        "varying": hw.Copy(2),
    },
    "asked": {"text": "1/3", "fraction": 1e-6, "top": "7/8", "top within a norm": 0.5, "varying": 0.001},
    "queries": {"copy": np.ones((1, 5)), "narrow": np.ones((1, 5)), "heads": np.eye(5)[:2], "top": 3 * np.eye(5)[:1]},
    "mix": {"heads": [1.0, 3.0], "within a norm, by heads": [0.25, 0.75]},
    "scale": {"text": "1/2", "top": 0.5, "in a moved image": 2},
    "confidence": {"varying": "0.9999"},
    "weights": {"copy": np.full(9, 1 / 9), "in an image": np.eye(9)[3]},
    "max_norm": {"copy": Fraction(100), "top": Fraction(50), "within a norm": Fraction(3)},
}


@pytest.mark.parametrize(("name", "make"), [(name, make) for name, rows in OTHERS.items() for make in rows])
@pytest.mark.parametrize("proved_before", [False, True])
def test_a_changed_design_says_only_what_is_proved_of_it(name, make, proved_before, tmp_path):
    design, record = MAKE[make](), MAKE[make]().verdict.record
    keys = record.model if make == "varying" else record.heads.keys
    region = getattr(record, "region", None)
    moves = {} if region is None else {"radius": region.radius, "norm": region.norm}
    assert not proved_before or design.verdict.status == "proved"
    changed = dataclasses.replace(design, **{name: OTHERS[name][make]})
    again = hw.certify(keys, dataclasses.replace(changed, prove=None, prove_optimality=None), **moves).to_dict()
    found = changed.verdict
    assert {name: found.to_dict()[name] for name in ("status", "claim", "bound_value")} == {
        name: again[name] for name in ("status", "claim", "bound_value")
    }
    if make != "varying":
        np.testing.assert_allclose(changed.weights, hw.attend(changed, keys).weights, atol=1e-12)
    if changed.optimality is not None:
        best, record = changed.optimality.record, found.record
        assert getattr(best, "goal", getattr(best, "top", None)) == changed.goal
        assert best.scale == Fraction(changed.scale)
        if changed.max_norm is None:
            assert getattr(best, "error", getattr(best, "gap", None)) == getattr(
                record, "error", getattr(record, "gap", 0)
            )
    elif changed.max_norm is None:
        assert changed.lower_bound is None
    hw.save(tmp_path / "changed", changed)
    assert hw.verify(tmp_path / "changed").claim == found.claim
    assert hw.load(tmp_path / "changed").to_dict() == changed.to_dict()


@pytest.mark.parametrize(
    ("make", "changes"),
    [
        ("copy", {"goal": hw.Top(2)}),
        ("top", {"goal": hw.Copy(2)}),
        ("copy", {"goal": hw.Copy(40)}),
        ("copy", {"precision": "float16"}),
        ("copy", {"confidence": 0.9}),
        ("varying", {"confidence": None}),
        ("varying", {"queries": np.ones((1, 4))}),
        ("copy", {"within": (np.eye(5), None)}),
        ("copy", {"within": (np.eye(5), None), "coordinates": np.ones((1, 5))}),
        ("in an image", {"within": None}),
        ("in an image", {"within": (2 * IMAGE, None)}),
        ("in an image", {"queries": np.ones((1, 5))}),
        ("in a moved image", {"coordinates": np.ones((1, 4))}),
        ("copy", {"max_norm": Fraction(1, 2)}),
        ("heads", {"max_norm": Fraction(1, 2)}),
        ("heads", {"mix": [1.0, -1.0]}),
    ],
)
def test_a_design_is_not_changed_to_what_cannot_be_proved(make, changes):
    with pytest.raises((TypeError, ValueError), match="`"):
        dataclasses.replace(MAKE[make](), **changes)


def test_a_proof_from_elsewhere_is_not_shown(tmp_path):
    design, other = MAKE["copy"](), MAKE["text"]()
    for wrong in (lambda: proved("1 = 1"), hw.spectrum.singular_values(np.eye(2)).verdict.record.prove):
        with pytest.raises(ValueError, match="not about queries"):
            print(dataclasses.replace(design, prove=wrong).error)
    borrowed = dataclasses.replace(design, prove=lambda: other.verdict, prove_optimality=lambda: other.optimality)
    assert borrowed.verdict.record.goal == hw.Copy(3)
    assert borrowed.lower_bound is None
    state = design.__reduce__()
    forged = state[0](state[1][0], {**state[1][1], "goal": hw.Copy(1)})
    forged.__setstate__({"verdict": design.verdict})
    assert forged.verdict.status == "refuted"
    with pytest.raises(ValueError, match=r"`verdict`.*Design"):
        hw.save(tmp_path / "x", dataclasses.replace(design, prove=None))
    assert not list(tmp_path.iterdir())


def test_as_an_array():
    design = MAKE["heads"]()
    array = np.asarray(design)
    np.testing.assert_array_equal(array, design.queries)
    array[:] = 0  # a copy
    assert design.queries.any()
    assert np.asarray(design, dtype=np.float32).dtype == np.float32
    assert np.array(design).shape == (2, 5)
    for call in (lambda: hw.certify(design, np.ones(5), hw.Copy(0)), lambda: hw.attend(np.ones(5), design)):
        with pytest.raises(TypeError, match=r"`keys`.*Design"):
            call()


@pytest.mark.needs("torch")
def test_as_a_tensor():
    import torch

    design = MAKE["heads"]()
    tensor = design.to_torch()
    assert tensor.dtype == torch.float64
    np.testing.assert_array_equal(tensor.numpy(), design.queries)
    tensor.zero_()
    assert design.queries.any()
    half = design.to_torch(dtype=torch.bfloat16, device="cpu")
    assert (half.dtype, half.device.type, tuple(half.shape)) == (torch.bfloat16, "cpu", (2, 5))
    assert torch.equal(half, design.to_torch(dtype="bfloat16"))
    for wrong in ("bfloat61", "Tensor", np.float32, 16):
        with pytest.raises(TypeError, match="`dtype`"):
            design.to_torch(dtype=wrong)


def test_extras_that_are_missing_are_named(monkeypatch):
    import sys

    design = MAKE["copy"]()
    for module in ("torch", "matplotlib", "matplotlib.style", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r"headwright\[torch\]"):
        design.to_torch()
    with pytest.raises(ImportError, match=r"headwright\[plots\]"):
        design.plot()


@pytest.mark.needs("matplotlib")
@every_design
def test_every_design_is_drawn(make):
    from headwright.faces.pictures import svg

    design = make()
    figure = design.plot()
    heights = [patch for axes in figure.axes for patch in axes.patches]
    assert heights
    assert figure.get_suptitle() == str(design.goal) + "\n"
    assert "norm" in figure.get_label()
    assert svg(figure) == svg(design.plot())


@pytest.mark.needs("matplotlib")
def test_of_many_keys_the_goals_and_the_heaviest_are_drawn(rng):
    design = hw.design(rng.normal(size=(200, 20)), hw.Average(150, 7))
    figure = design.plot()
    labels = [int(label.get_text()) for label in figure.axes[0].get_xticklabels()]
    assert {7, 150} <= set(labels)
    assert len(labels) < 30
    heaviest = set(np.argsort(-design.weights)[: len(labels)].tolist())
    assert heaviest == set(labels)


def test_a_bound_of_a_gap_is_rounded_up(tmp_path):
    def above(said, arrays):
        claim = json.loads(said["prove_optimality"]["claim"])
        third = Fraction(claim["gap"]) + Fraction(1, 3 * 2**60)
        said["prove_optimality"]["claim"] = json.dumps({**claim, "gap": str(third)}, sort_keys=True)

    design = hw.load(edited(tmp_path, "top within a norm", above))
    assert Fraction(design.gap_upper_bound) >= design.optimality.record.gap

"""Frozen values: arrays and mappings that nobody can write to, also after pickling and copying; properties computed once."""

import copy
import dataclasses
import json
import pickle
import subprocess
import sys
from collections.abc import Mapping
from threading import Barrier, RLock, Thread

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.frozen import FrozenMap, computed_once, sealed
from headwright.search.readout.readout_matrix import Readout
from headwright.words.refusals import AssumptionFailed
from headwright.words.stored import Stored
from tests.every_claim import CLAIMS

KEYS = np.random.default_rng(3).normal(size=(9, 5))
SCALED = hw.ScaledKeys(np.eye(3), {0: {"1/2": "1/2", "3/2": "1/2"}})

WAYS = {"pickle": lambda value: pickle.loads(pickle.dumps(value)), "copy": copy.copy, "deepcopy": copy.deepcopy}
each_way = pytest.mark.parametrize("again", WAYS.values(), ids=WAYS)


def arrays_in(value):
    """Every NumPy array that can be reached from a value through mappings, sequences and attributes."""
    seen, waiting = set(), [value]
    while waiting:
        part = waiting.pop()
        if id(part) in seen or isinstance(part, str | bytes | int | float | type(None)):
            continue
        seen.add(id(part))
        if isinstance(part, np.ndarray):
            yield part
        elif isinstance(part, hw.GaussianKeys | hw.ScaledKeys):
            waiting += part.arrays().values()
        elif isinstance(part, dict | FrozenMap):
            waiting += part.values()
        elif isinstance(part, list | tuple):
            waiting += part
        elif type(part).__module__.startswith("headwright") and hasattr(part, "__dict__"):
            waiting += vars(part).values()


@each_way
@pytest.mark.parametrize("kind", CLAIMS)
def test_verdicts_come_back_as_they_were(kind, again):
    verdict = CLAIMS[kind].prove()
    found = again(verdict)
    for name in ("status", "claim", "scope", "reason", "method"):
        assert getattr(found, name) == getattr(verdict, name)
    assert getattr(found, "bound", None) == getattr(verdict, "bound", None)
    assert found.record.fields() == verdict.record.fields()
    for name, array in verdict.record.arrays().items():
        np.testing.assert_array_equal(found.record.arrays()[name], array)
    assert found.record.prove().status == verdict.status
    held = [*arrays_in(found), *found.record.arrays().values()]
    assert held or not verdict.record.arrays()
    for array in held:
        assert not array.flags.writeable


def test_a_verdict_comes_back_from_another_process():
    code = (
        "import pickle, sys, numpy as np, headwright as hw\n"
        "verdict = hw.certify(np.eye(3), 9 * np.eye(3)[1], hw.Copy(0), error='0.1')\n"
        "sys.stdout.buffer.write(pickle.dumps(verdict))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    found = pickle.loads(done.stdout)
    assert (found.status, found.restored) == ("refuted", True)
    assert found.bound == found.record.prove().bound
    assert all(not array.flags.writeable for array in arrays_in(found))
    with pytest.raises(TypeError):
        found.counterexample["keys"] = np.eye(3)


@pytest.mark.parametrize(
    "value",
    [
        hw.GaussianKeys(np.eye(3), along={0: 0.5}, factors={1: np.ones((3, 2)), 2: np.ones(3)}),
        hw.ScaledKeys(np.eye(3), {0: {"1/2": "1/2", "3/2": "1/2"}, 2: {2: 1}}),
        hw.design_layer(np.eye(3), {0: hw.Copy(2), 1: hw.Average(0, 1)}, outputs={0: np.ones(2)}),
        hw.design(np.eye(3), hw.Copy(0)),
        hw.Block(np.eye(2), np.eye(2), np.eye(2), np.eye(2), positions=np.ones((3, 2))),
        hw.spectrum.singular_values(np.eye(3)),
        hw.Blend({0: "0.7", 2: "0.3"}),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("again", [lambda value: value, *WAYS.values()], ids=["itself", *WAYS])
def test_values_hold_nothing_that_can_be_written(value, again):
    found = again(value)
    assert all(not array.flags.writeable for array in arrays_in(found))
    for name in ("factors", "laws", "goals", "outputs"):
        held = getattr(found, name, None)
        for mapping in [held, *(held.values() if name == "laws" and held else ())]:
            if mapping is not None:
                with pytest.raises(TypeError):
                    mapping[0] = None
                with pytest.raises(TypeError):
                    del mapping[0]


def overwrite(array):
    """Write to the memory of an array that is read-only, as `torch.from_numpy` and other libraries can."""

    class Reopened:
        __array_interface__ = array.__array_interface__ | {"data": (array.__array_interface__["data"][0], False)}

    if array.size:
        np.asarray(Reopened()).flat[:] = 7


def lent_by(value):
    """Every array that the public attributes of a value hand out."""
    for name in {*dir(type(value)), *getattr(value, "__dict__", {})}:
        found = None if name.startswith("_") else getattr(value, name, None)
        waiting = [found] if isinstance(found, np.ndarray | Mapping | tuple) else []
        while waiting:
            part = waiting.pop()
            if isinstance(part, np.ndarray):
                yield part
            elif isinstance(part, Mapping | tuple):
                waiting += part.values() if isinstance(part, Mapping) else part


LENDERS = {
    "Design": lambda: hw.design(KEYS, hw.Average(3, 7)),
    "Design in an image": lambda: hw.design(KEYS, hw.Copy(3), within=(np.eye(5)[:, :4], np.ones(5)), error=0.2),
    "Layer": lambda: hw.design_layer(np.eye(3), {0: hw.Copy(2)}, outputs={0: np.ones(2)}),
    "Stored": lambda: hw.stored(KEYS, "int4", symmetric=False),
    "Stored factors": lambda: Stored("float16", KEYS, factors=(KEYS[:, :2], np.ones((2, 5)))),
    "Refuted": lambda: hw.certify(KEYS, KEYS[0], hw.Copy(1), radius="1/8"),
    "Undecided": lambda: hw.Undecided("P = NP", evidence={"years": KEYS, "inner": [{"more": KEYS[1]}]}),
    "Comparison": lambda: hw.compare(KEYS, 0.9 * KEYS, KEYS[:2], values=KEYS, stored_values=KEYS),
    "Compression": lambda: hw.compress(KEYS, KEYS[:2], error="0.4", kinds=["int8"]),
    "Radius": lambda: hw.radius(KEYS, hw.design(KEYS, hw.Copy(3), error=0.1), profile=np.arange(1.0, 10.0), error=0.3),
    "Readout": lambda: hw.readout(KEYS[:, :2], against=KEYS[:, 3:]),
    "Readout out of the complement": lambda: hw.readout(KEYS[:, :2]),
    "Spectrum": lambda: hw.spectrum.singular_values(KEYS),
    "Energy": lambda: hw.spectrum.energy(KEYS),
    "Tail": lambda: hw.spectrum.tail(KEYS, 2),
    "LowRank": lambda: hw.spectrum.low_rank(KEYS, 2),
    "NearestPair": lambda: hw.position.nearest_pair(KEYS),
    "Outcome": lambda: hw.outcome(SCALED, [9.0, 0.0, 0.0], hw.Copy(0), values=np.eye(3)),
    "Verdicts": lambda: hw.certify(np.stack([KEYS, -KEYS]), KEYS[0], hw.Copy(1)),
    "Model": lambda: (lambda p: hw.compile(p, p.count(p.tokens.matches(p.tokens))))(hw.Program("ab", length=4)),
}


@pytest.mark.parametrize("make", LENDERS.values(), ids=LENDERS)
def test_writing_through_what_is_handed_out_changes_nothing(make):
    value = make()
    before = json.dumps(value.to_dict()), [array.copy() for array in lent_by(value)]
    for array in lent_by(value):
        overwrite(array)
    for array in [np.asarray(value), value[0]] if isinstance(value, Stored | Readout) else []:
        overwrite(array)
    assert json.dumps(value.to_dict()) == before[0]
    for array, as_it_was in zip(lent_by(value), before[1], strict=True):
        np.testing.assert_array_equal(array, as_it_was)


@pytest.mark.parametrize("make", LENDERS.values(), ids=LENDERS)
def test_no_part_of_what_was_found_is_replaced_alone(make):
    value = make()
    parts = dataclasses.fields(value) if dataclasses.is_dataclass(value) else []
    for part in parts if not isinstance(value, hw.Design | hw.Layer | Readout | hw.Undecided) else []:
        with pytest.raises(TypeError, match=r"replace|made by the `prove\(\)`"):
            dataclasses.replace(value, **{part.name: getattr(value, part.name)})
    for name in ("verdict", "status", "statuses", "claim"):
        if hasattr(value, name):
            with pytest.raises(AttributeError):
                setattr(value, name, getattr(value, name))
    assert copy.copy(value).to_dict() == value.to_dict()


@pytest.mark.parametrize(
    "refused",
    [
        hw.design([[0], [1], [2]], hw.Copy(1), throw=False),
        hw.NotFound("the search ended", proved_bound=3.0),
        hw.NotProved(hw.Undecided("P = NP")),
        AssumptionFailed("orthogonal keys", (0, 1), 0.5, "keys 0 and 1 are not"),
    ],
    ids=lambda refused: type(refused).__name__,
)
@pytest.mark.parametrize("again", [lambda value: value, *WAYS.values()], ids=["itself", *WAYS])
def test_an_answer_that_is_raised_stays_as_it_is(refused, again):
    found = again(refused)
    assert str(found) == str(refused)
    assert vars(found)
    for name in vars(found):
        with pytest.raises(AttributeError, match=f"`{name}`"):
            setattr(found, name, None)
    with pytest.raises(type(refused)):
        raise found


@pytest.mark.needs("torch")
def test_torch_writes_to_copies_alone(recwarn):
    import torch

    design, kept = LENDERS["Design"](), LENDERS["Stored"]()
    before = design.queries, kept.values
    for array in (design.queries, kept.values, np.asarray(kept)):
        torch.from_numpy(array).zero_()
    np.testing.assert_array_equal(design.queries, before[0])
    np.testing.assert_array_equal(kept.values, before[1])


@pytest.mark.parametrize("kind", CLAIMS)
@each_way
def test_a_verdict_notices_that_its_numbers_were_changed(kind, again, tmp_path):
    verdict = again(pickle.loads(pickle.dumps(CLAIMS[kind])).prove())
    if not verdict.record.arrays():
        return
    assert not verdict.changed
    assert "beware" not in verdict.to_dict()
    said = verdict.claim
    overwrite(list(verdict.record.arrays().values())[-1])
    assert verdict.changed
    assert "changed" in verdict.to_dict()["beware"]
    assert verdict.claim == said
    assert verdict.explained("well known").changed
    with pytest.raises(ValueError, match=r"`verdict`.*changed"):
        hw.save(tmp_path / "x", verdict)
    assert not list(tmp_path.iterdir())


def test_a_carried_verdict_whose_keys_were_changed_is_proved_anew():
    design = hw.design(KEYS, hw.Copy(3))
    carried = design.verdict
    assert hw.certify(KEYS, design) is carried
    overwrite(carried.record.heads.keys)
    for keys in (KEYS, np.full_like(KEYS, 7)):
        found = hw.certify(keys, design)
        assert found is not carried
        assert found.status == hw.certify(keys, design.query, hw.Copy(3)).status


def test_a_carried_verdict_on_a_claim_of_another_class_is_not_taken():
    class Kind(hw.claims.WithinError):
        """Its `judge` could say anything."""

    claim = Kind(hw.claims.Heads(KEYS, KEYS[:1], [1.0], 1), hw.Copy(3), "0.01")
    design = hw.Design(KEYS[:1], [1.0], 1.0, claim.goal, claim.error, np.ones(9) / 9, prove=claim.prove)
    assert type(design.verdict.record) is Kind
    assert type(hw.certify(KEYS, design).record) is hw.claims.WithinError


@pytest.mark.parametrize("law", [{"along": {0: 0.25}}, {"isotropic": 0.01}, {"cov": np.eye(3) / 64}])
def test_an_outcome_is_about_the_keys_as_they_were(law):
    model = hw.GaussianKeys(np.eye(3), **law)
    ask = {"goal": hw.Copy(0), "seed": 1, "samples": 256}
    found = hw.outcome(model, [3.0, 0.0, 0.0], **ask)
    for array in model.arrays().values():
        overwrite(array)
    again = hw.outcome(hw.GaussianKeys(np.eye(3), **law), [3.0, 0.0, 0.0], **ask)
    assert repr(found.probability("0.1")) == repr(again.probability("0.1"))
    assert repr(found) == repr(again)


@each_way
def test_bounds_are_not_read_from_numbers_that_were_changed(again):
    found = LENDERS["Verdicts"]()
    before, statuses = found.bounds, found.statuses
    overwrite(found.whole.record.most)
    for verdicts in (found, again(found)):
        assert before is not None
        assert verdicts.bounds is None
        assert "at most" not in verdicts.table()
        assert (verdicts.statuses == statuses).all()


def opened(value):
    """A copy of what a claim holds that can be changed: lists for tuples, dicts for mappings, arrays that are writeable."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, Mapping):
        return dict(value)
    return [opened(part) for part in value] if isinstance(value, tuple) else value


def spoil(value):
    if isinstance(value, np.ndarray):
        value[...] = 7
    elif isinstance(value, list):
        for part in value:
            spoil(part)
        value.clear()
    elif isinstance(value, dict):
        value.clear()


@pytest.mark.parametrize("kind", CLAIMS)
def test_a_claim_does_not_change_with_what_it_was_made_of(kind):
    claim = CLAIMS[kind]
    given = {part.name: opened(getattr(claim, part.name)) for part in dataclasses.fields(claim)}
    made = type(claim)(**given)
    for value in given.values():
        spoil(value)
    assert made.fields() == claim.fields()
    for name, array in claim.arrays().items():
        np.testing.assert_array_equal(made.arrays()[name], array)


def test_sealed_copies_only_what_others_can_write():
    own = np.arange(3.0)
    view = own[1:]
    view.flags.writeable = False
    closed = np.arange(3.0)
    closed.flags.writeable = False
    found = sealed({"own": own, "view": view, "closed": closed, "list": [own, {"inner": [1]}]})
    own[:] = 7
    assert found["own"].tolist() == [0, 1, 2]
    assert found["view"].tolist() == [1, 2]
    assert found["closed"] is closed
    assert found["list"][1]["inner"] == (1,)
    assert not found["list"][0].flags.writeable


def test_frozen_maps():
    held = {"n": 3}
    frozen = FrozenMap(held)
    held["n"] = 4
    assert frozen == {"n": 3}
    assert {**frozen, "m": 1} == {"n": 3, "m": 1}
    for change in (lambda: setattr(frozen, "_held", {}), lambda: delattr(frozen, "_held")):
        with pytest.raises(AttributeError):
            change()
    for way in WAYS.values():
        assert type(way(frozen)) is FrozenMap
        assert way(frozen) == frozen


def test_computed_once_holds_no_lock():
    """A thread inside the property waits for a lock, whose holder asks for the property: both must come to an end."""
    lock, inside = RLock(), Barrier(2, timeout=600)  # an end for threads that do wait for each other, on any machine

    class Value:
        @computed_once
        def number(self):
            if not lock._is_owned():
                inside.wait()  # the other thread has the lock by now
            with lock:
                return object()

    value, found = Value(), []

    def holder():
        with lock:
            inside.wait()
            found.append(value.number)

    threads = [Thread(target=holder, daemon=True), Thread(target=lambda: found.append(value.number), daemon=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(600)
    assert not any(thread.is_alive() for thread in threads)
    assert found[0] is found[1] is value.number
    assert isinstance(Value.number, computed_once)

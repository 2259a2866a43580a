"""No query withstands, or none that is shorter: shown by witnesses, and never by one that shows less."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.certificate import load
from headwright.kernel.none_withstands import NoneWithstands
from headwright.kernel.region import Region
from tests.second_opinion import judge

ONE = Fraction(1)
each = pytest.mark.parametrize


def line(radius, least=None, norm="box", profile=None, error="1/10", scale=ONE):
    """Copy the right one of two keys a unit apart: ln((1-e)/e) <= q(1 - 2r) in one dimension."""
    return NoneWithstands([[0.0], [1.0]], hw.Copy(1), error, scale, Region(radius, norm, profile), [1.0, 5.0], least)


@each("norm", ["box", "ball"])
def test_two_keys_on_a_line(norm):
    needed = np.log(9) / (1 - 2 * 0.25)
    assert line("1/4", Fraction(needed) * (1 - Fraction(1, 10**12)), norm).prove().status == "proved"
    assert line("1/4", Fraction(needed) * (1 + Fraction(1, 10**12)), norm).prove().status == "undecided"
    assert line("1/4", None, norm).prove().status == "undecided"
    assert line("1/4", Fraction(needed) * Fraction(199, 100), norm, scale=Fraction(1, 2)).prove().status == "proved"
    assert line("1/4", Fraction(needed) * Fraction(201, 100), norm, scale=Fraction(1, 2)).prove().status == "undecided"
    assert line("1/2", None, norm).prove().status == "proved"  # the keys can meet
    assert line(Fraction(1, 2) - Fraction(1, 10**9), None, norm).prove().status == "undecided"
    assert line("1/4", Fraction(0), norm).prove().status == "proved"
    assert line("1/2", None, norm, error="1/2").prove().status == "undecided"  # the zero query does it


@each("norm", ["box", "ball"])
def test_profiles(norm):
    """Key 0 moves three quarters, key 1 one quarter: they can meet. One of them alone cannot reach the other."""
    assert line(ONE, None, norm, [[0.75], [0.25]]).prove().status == "proved"
    assert line(ONE, None, norm, [[0.75], [0.2]]).prove().status == "undecided"
    assert line(ONE, None, norm, [[0.75], [0.0]]).prove().status == "undecided"
    assert line(ONE, None, norm, [[1.0], [0.0]]).prove().status == "proved"
    across = [[0.0, 0.0], [1.0, 0.0]]
    for profile, status in (([[0.5, 0.0]], "proved"), ([[0.0, 9.0]], "undecided"), ([[0.4, 9.0]], "undecided")):
        claim = NoneWithstands(across, hw.Copy(1), "0.1", ONE, Region(ONE, norm, profile), [1.0, 0.0])
        assert claim.prove().status == status
        assert judge(claim) != {"proved": "false"}.get(status)


@each("norm", ["box", "ball"])
@each("per", [(1, 1), (7, 1), (1, 3), (7, 3)])
def test_no_query_found_is_shorter_than_any_witness_says(rng, norm, per):
    """A query that withstands bounds every claim from above, whatever the witness."""
    keys = rng.normal(size=(7, 3))
    i = int(np.linalg.norm(keys, axis=1).argmax())
    profile = rng.uniform(0, 1, size=per)
    region = Region(Fraction(1, 20), norm, profile)
    radius = 0.05 * np.broadcast_to(profile, keys.shape)
    design = hw.design(keys, hw.Copy(i), error="0.1", radius=radius, norm=norm)
    assert hw.claims.Withstands(design.verdict.record.heads, hw.Copy(i), "0.1001", region).prove().status == "proved"
    for _ in range(20):
        claim = NoneWithstands(
            keys, hw.Copy(i), "0.1", ONE, region, rng.choice([1.0, 1000.0]) * rng.uniform(size=7) ** 4
        )
        assert claim.prove().status == "undecided"
        above = replace(claim, least=Fraction(design.norm) * Fraction(10001, 10000))
        assert above.prove().status == "undecided"


def test_saved_and_proved_again(tmp_path, rng):
    keys = rng.normal(size=(7, 3))
    i = int(np.linalg.norm(keys, axis=1).argmax())
    design = hw.design(keys, hw.Copy(i), error="0.1", radius=rng.uniform(0, 0.1, size=(7, 3)), norm="ball")
    hw.save(tmp_path / "bound", design.optimality)
    assert isinstance(load(tmp_path / "bound"), NoneWithstands)
    assert hw.verify(tmp_path / "bound").bound == design.lower_bound
    assert judge(tmp_path / "bound") == "true"


@each(
    ("change", "message"),
    [
        ({"goal": hw.Average(0, 1)}, "`goal`"),
        ({"goal": hw.Copy(2)}, "`goal`"),
        ({"witness": [-1.0, 0.0]}, "`witness`"),
        ({"witness": [0.0, 1.0]}, "`witness`"),
        ({"witness": [1.0]}, "`witness`"),
        ({"scale": Fraction(0)}, "`scale`"),
        ({"least": Fraction(-1)}, "`least`"),
        ({"error": Fraction(1)}, "`error`"),
        ({"region": Region(ONE, "box", np.ones((3, 1)))}, "`profile`"),
    ],
)
def test_wrong_claims_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        replace(line("1/4"), **change)

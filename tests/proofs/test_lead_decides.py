"""How far a score must lead: the true thresholds, sharper ones that are false, and weights at the thresholds themselves."""

from fractions import Fraction

import mpmath
import pytest

from headwright.kernel.certificate import verify
from headwright.theories.formulas.lead_decides import LEADS, LeadDecides
from headwright.words.files import save
from tests import second_opinion_leads
from tests.second_opinion import judge

ONE = Fraction(1)
ENOUGH, NEEDED = LEADS.enough, LEADS.needed


@pytest.mark.parametrize(
    ("enough", "needed", "status"),
    [
        (ENOUGH, NEEDED, "proved"),
        (((Fraction(2), 1, 1),), ((Fraction(1, 2), 0, 1),), "proved"),
        (((ONE, 2, 1),), NEEDED, "proved"),
        ((*ENOUGH, (ONE, 0, 0)), NEEDED, "proved"),
        (((ONE, 0, 1),), NEEDED, "refuted"),  # 1/odds is enough for two keys alone
        (((Fraction(99, 100), 1, 1),), NEEDED, "refuted"),
        (((ONE, 1, 0),), NEEDED, "refuted"),
        (((Fraction(1, 2), 2, 1),), NEEDED, "refuted"),  # enough from three keys on
        (((ONE, 1, 2),), NEEDED, "refuted"),  # too little where odds > 1
        (ENOUGH, ((Fraction(101, 100), 0, 1),), "refuted"),
        (ENOUGH, ENOUGH, "refuted"),  # what is enough is not needed beyond two keys
        (ENOUGH, ((ONE, 0, 0),), "refuted"),
        (((Fraction(1, 2), 0, 1), (Fraction(1, 2), 2, 1)), NEEDED, "proved"),  # (m² + 1)/2 is never behind m
    ],
)
def test_thresholds(enough, needed, status):
    verdict = LeadDecides(enough, needed).prove()
    assert verdict.status == status
    assert judge(verdict.record) == {"proved": "true", "refuted": "false"}[status]
    if status == "refuted":
        point = verdict.counterexample
        m, w = point["n"] - 1, 1 / point["odds"]
        sides = {"enough": m * w - value(enough, m, w), "needed": value(needed, m, w) - w}
        assert sides[point["fails"]] > 0


def value(terms, m, w):
    return sum(c * m**i * w**j for c, i, j in terms)


def test_what_coefficients_do_not_tell_is_undecided():
    # (m·w)² + 1/4 >= m·w always, as (m·w - 1/2)² >= 0; no point refutes it
    assert LeadDecides(((ONE, 2, 2), (Fraction(1, 4), 0, 0)), NEEDED).prove().status == "undecided"
    # c + m²/10 is nearest to m at m = 5, of which it falls short by 1/100 at the second c
    for c, said in (("5/2", "true"), ("249/100", "unknown")):
        slow = {"enough": [[c, 0, 1], ["1/10", 2, 1]], "needed": [["1", 0, 1]]}
        assert second_opinion_leads.judge(slow) == said


@pytest.mark.parametrize("n", [2, 3, 10, 1000])
@pytest.mark.parametrize("error", ["0.001", "0.01", "0.5", "0.99"])
def test_the_weights_at_the_thresholds(n, error):
    with mpmath.workdps(50):
        wanted = mpmath.mpf(error)
        odds = wanted / (1 - wanted)
        lead = mpmath.log((n - 1) / odds)
        assert abs(1 / (1 + (n - 1) * mpmath.exp(-lead)) - (1 - wanted)) < mpmath.mpf(10) ** -40
        below = mpmath.log(1 / odds) - mpmath.mpf("1e-9")
        assert 1 / (1 + mpmath.exp(-below)) < 1 - wanted


@pytest.mark.parametrize(
    ("enough", "match"),
    [((), "terms"), (((-ONE, 1, 1),), "coefficients"), (((ONE, 9, 1),), "powers"), (((ONE, 1, 1),) * 17, "terms")],
)
def test_wrong_parts_are_named(enough, match):
    with pytest.raises(ValueError, match=match):
        LeadDecides(enough, NEEDED)


def test_files(tmp_path):
    save(tmp_path / "lead.safetensors", LEADS.prove())
    again = verify(tmp_path / "lead.safetensors")
    assert (again.status, again.scope) == ("proved", LEADS.prove().scope)

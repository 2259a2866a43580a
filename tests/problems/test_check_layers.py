"""Maps for the three tokens: the limit of the outputs as the vectors grow, and numbers at β = 5/2, against mpmath."""

import mpmath
import numpy as np
import pytest

import headwright as hw
from headwright.problems import check

V, K, Q = "(u_b*u_b' - u_c*u_c')/beta^2", "I", "(u_c*u_d' + u_d*u_a')/beta^2"
RIGHT = [
    {"Q": "u_c*u_d' + u_d*u_a'"},
    {"K": "I/beta"},
    {"Q": "5*(u_c*u_d' + u_d*u_a')/beta^2", "K": "I + u_a*u_a'/beta^2"},
    {"V": "(u_b*u_b' - u_c*u_c')/beta^2 + u_a*u_a'"},
    {"Q": "(u_c*u_d' + u_d*u_a')/beta^4*log(beta)*3"},
    {"Q": "I", "K": "(u_d*u_c' + u_a*u_d')/beta^2"},
    {"V": "(u_b*u_b' - u_c*u_c')/beta^2 + beta^9*u_a*u_a'"},
    {"V": "(u_b*u_b' - u_c*u_c')/beta^2*(1 + 1/beta)"},
]
WRONG = [
    {"V": "I"},
    {"V": "u_b*u_b'/beta^2"},
    {"Q": "I"},
    {"K": "I/beta^2"},
    {"Q": "(u_d*u_c' + u_a*u_d')/beta^2"},
    {"Q": "-(u_c*u_d' + u_d*u_a')/beta^2"},
    {"V": "(u_b*u_b' - u_c*u_c')/beta"},
    {"V": "2*(u_b*u_b' - u_c*u_c')/beta^2"},
    {"V": "(u_b*u_b' - u_c*u_c')/beta^2*(1 + 1/1000)"},
]
WANTED = {0: (0, 1, -1, 0), 1: (0, 1, 0, 0)}


def off(maps, beta):
    """‖output - wanted‖/β of both rows, by mpmath; maps as formulas."""
    beta = mpmath.mpf(beta)
    u = {f"u_{letter}": [beta * (i == j) for j in range(4)] for i, letter in enumerate("abcd")}
    known = {name: mpmath.matrix(vector) for name, vector in u.items()}
    read = {}
    for name, text in maps.items():
        code = text.replace("^", "**").replace("'", ".T")
        read[name] = eval(code, {"__builtins__": {}}, {**known, "beta": beta, "I": mpmath.eye(4), "log": mpmath.log})
    tokens = [known["u_d"] + known["u_b"], known["u_a"], known["u_c"] + known["u_b"]]
    found = []
    for row, wanted in WANTED.items():
        scores = [((read["Q"] * tokens[row]).T * (read["K"] * token))[0] for token in tokens]
        powers = [mpmath.exp(score - max(scores)) for score in scores]
        output = mpmath.matrix([0, 0, 0, 0])
        for power, token in zip(powers, tokens, strict=True):
            output += power / sum(powers) * (read["V"] * token)
        found.append(mpmath.norm(output / beta - mpmath.matrix(wanted)))
    return max(found)


def whole(changed):
    return {"V": V, "K": K, "Q": Q, **changed}


@pytest.mark.parametrize("changed", RIGHT, ids=str)
def test_right_maps_in_other_forms(changed):
    verdict = check("B.3e-ii", whole(changed))
    assert verdict.status == "proved", verdict
    with mpmath.workdps(60):
        assert off(whole(changed), 10**4) < mpmath.mpf("0.001")
        reached = float(verdict.reason.split("at β = ")[1].rstrip("."))
        assert off(whole(changed), reached) <= mpmath.mpf("0.01")


@pytest.mark.parametrize("changed", WRONG, ids=str)
def test_wrong_maps_fail_at_a_length(changed):
    verdict = check("B.3e-ii", whole(changed))
    assert verdict.status == "refuted", verdict
    with mpmath.workdps(60):
        at = off(whole(changed), int(verdict.counterexample["β"]))
        assert at == pytest.approx(float(verdict.counterexample["off by"].removesuffix("·β")), rel=1e-3)
        assert off(whole(changed), 10**5) > mpmath.mpf("0.0004")  # and no nearer far out


def numbers(beta=2.5):
    q = np.zeros((4, 4))
    q[2, 3] = q[3, 0] = 1.0
    return {"Q": q, "K": np.eye(4), "V": np.diag([0.0, 1.0, -1.0, 0.0])}


def test_numbers_at_the_setting():
    made = numbers()
    assert check("B.3e-ii", made).status == "proved"
    assert check("B.3e-ii", {**made, "K": "I"}).status == "proved"  # a formula beside arrays
    assert check("B.3e-ii", made, error="0.002").status == "refuted"
    for factor, status in ((0.79, "refuted"), (0.9, "proved"), (3, "proved")):
        changed = {**made, "Q": factor * made["Q"]}
        assert check("B.3e-ii", changed).status == status
    factored = {"Q": made["Q"][[2, 3]], "K": np.eye(4)[[2, 3]], "V": made["V"]}  # the rows that count
    assert check("B.3e-ii", factored).status == "proved"


def test_a_designed_layer_as_numbers():
    setting = hw.problems.CATALOGUE["B.3e-ii"].setting()
    u = setting.names
    layer = hw.design_layer(
        setting.keys, {0: hw.Copy(2), 1: hw.Copy(0)}, {0: u["u_b"] - u["u_c"], 1: u["u_b"]}, error=0.002
    )
    assert check("B.3e-ii", {"Q": layer.Q, "K": layer.K, "V": layer.V}).status == "proved"


def test_the_bound_of_numbers_in_high_precision():
    with mpmath.workdps(60):
        at = off(whole({}), "2.5")
    verdict = check("B.3e-ii", numbers())
    assert f"c_1 by {float(at):.3g}·β" in verdict.reason


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"Q": "u_a"}, "`Q`"),
        ({"V": "beta"}, "`V`"),
        ({"Q": np.eye(3)}, "`Q`.*4"),
        ({"V": np.eye(5)}, r"`V`.*\(4, 4\)"),
        ({"K": np.ones((2, 4))}, "`Q`.*`K`"),
        ({"K": "u_a*u_e'"}, "u_e"),
    ],
)
def test_maps_that_are_none(changed, why):
    with pytest.raises(ValueError, match=why):
        check("B.3e-ii", whole(changed))


def test_what_cannot_be_seen_is_undecided():
    assert check("B.3e-ii", whole({"Q": f"{Q}*sqrt(log(beta))"})).status in ("proved", "undecided")
    assert check("B.3e-ii", whole({"V": f"{V}*exp(1/beta)"})).status == "undecided"

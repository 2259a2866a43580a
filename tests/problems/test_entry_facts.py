"""An entry is decided by its facts alone: one fact that is not so, and nothing is."""

import pytest

import headwright as hw
from headwright.problems.judges import entries
from headwright.problems.judges.entries import verdict_on

SO = {"query": "7*u_3", "weight": 3, "at_least": "0.99"}
NOT_SO = {"query": "7*u_3", "weight": 3, "at_least": "0.999"}
ARGUED = {"argument": "weights.md#weights-are-a-distribution", "scope": "all keys", "reason": "So it is."}


def status(entry, check=None):
    return verdict_on(entry, "what is said", check).status


def proved(answer):
    return hw.certify([[1.0], [0.0]], [9.0], of=0, at_least="0.99")


def test_facts_of_its_own_come_before_the_answer():
    assert status({"for": [NOT_SO], "answer": {"q": "u_3"}}, proved) == "undecided"


def test_a_contrary_is_proved_where_the_fact_is_refuted():
    assert entries.fact(NOT_SO | {"not": True}).status == "proved"
    assert entries.fact(SO | {"not": True}).status == "refuted"
    open_one = {"holds": "s^2 + t^2 - t >= -1/4", "where": {"s": ">= 0", "t": ">= 0"}}
    assert {entries.fact(open_one | {"not": turned}).status for turned in (True, False)} == {"undecided"}


def test_a_fact_has_one_kind():
    with pytest.raises(ValueError, match="exactly one of"):
        entries.fact({"query": "u_0"})
    with pytest.raises(ValueError, match="exactly one of"):
        entries.fact(SO | {"near": {"copy": 3}})


@pytest.mark.parametrize(
    ("matrix", "share", "status"),
    [("A*A'", 1, "proved"), ("2*A*A'", "1/2", "proved"), ("A*A'", "1/2", "refuted"), ("B*B'", 1, "refuted")],
)
def test_a_read_out(matrix, share, status):
    columns = {"A": ["u_0", "u_2"], "B": ["u_1"]}
    table = {"reads_out": matrix, "columns": columns, "dimension": 4, "share": share, "within": 0}
    assert entries.fact(table).status == status


def test_a_designed_layer_is_certified_for_the_asked_error():
    table = {
        "designed_layer": {"0": {"copy": 2}, "1": {"copy": 0}},
        "outputs": {"1": "u_1", "0": "u_1 - u_2"},  # by row, not in order
        "keys": ["u_3 + u_1", "u_0", "u_2 + u_1"],
        "dimension": 4,
        "error": "0.001",
    }
    verdict = entries.fact(table)
    assert verdict.status == "proved"
    assert verdict.bound <= 0.001
    outputs = dict(zip(verdict.record.wanted, verdict.record.outputs.tolist(), strict=True))
    assert outputs == {0: [0.0, 1.0, -1.0, 0.0], 1: [0.0, 1.0, 0.0, 0.0]}
    assert entries.figure(table) > entries.figure(table | {"error": "0.01"}) > 0

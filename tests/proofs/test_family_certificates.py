"""Every verdict on a formula of the answer bank: saved, proved again from its file alone, and judged by the second checker."""

import json
from collections import Counter

import numpy as np
import pytest

import headwright as hw
from headwright import problems
from headwright.kernel.certificate import BadCertificate
from headwright.kernel.combined import AllOf, Contrary
from headwright.reading.formulas import FormulaError, parse
from headwright.theories.formulas.forms import Range
from headwright.theories.formulas.inequality import Inequality
from tests import second_opinion, second_opinion_families
from tests.answer_bank import RIGHT, WRONG
from tests.certificate_files import signed
from tests.second_opinion_families import KINDS

LOW_RANK = {
    "right": [{"M": "svd_part(A, k-1)"}, {"M": "svd_part(A, (k^2-1)/(k+1))"}],
    "wrong": [{"M": "A"}, {"M": "svd_part(A, k)"}, {"M": "2*svd_part(A, k-1)"}, {"M": "A*A'"}],
}

SIX = {
    "serves-family",
    "serves-keys",
    "exact-average",
    "reads-out-always",
    "low-rank-formula",
    "layer-outputs",
}


def answers(side):
    bank = {"right": RIGHT, "wrong": WRONG}[side]
    yield from ((problem_id, answer) for problem_id, found in bank.items() for answer in found)
    yield from (("A.3c", answer) for answer in LOW_RANK[side])
    if side == "right":  # judged at the setting's own keys
        yield "B.3b", {"q": [14.0, 14.0] + 8 * [0.0]}
        yield "D.b-ii", {"q": "(1e18+14-1e18)*[1,1,0,0,0,0,0,0,0,0]"}
    else:
        yield "D.b-ii", {"q": "(4e16+5-4e16)*[1,1,0,0,0,0,0,0,0,0]"}


def claim_in(path):
    from safetensors import safe_open

    with safe_open(path, framework="numpy") as file:
        arrays = {name: file.get_tensor(name) for name in file.keys() if not name.startswith("said.")}  # noqa: SIM118
        return json.loads(file.metadata()["claim"]), arrays


def rewritten(path, fields, arrays):
    """The file with another claim, its digest computed anew, as a stranger would."""
    from safetensors.numpy import save_file

    claim = json.dumps(fields, sort_keys=True)
    save_file(arrays, path, metadata=signed(claim, arrays))


@pytest.mark.parametrize(("side", "status", "least"), [("right", "proved", 102), ("wrong", "refuted", 100)])
def test_every_family_verdict_is_verified_from_its_file_and_judged_again(side, status, least, tmp_path):
    counts, kinds = Counter(), set()
    for problem_id, answer in answers(side):
        try:
            verdict = problems.check(problem_id, answer)
        except FormulaError:
            assert side == "wrong"
            continue
        if getattr(verdict.record, "kind", None) not in KINDS or verdict.status == "undecided":
            counts["left out"] += 1
            continue
        path = tmp_path / "verdict.safetensors"
        hw.save(path, verdict)
        again = hw.verify(path)
        for field in ("status", "scope", "claim"):
            assert getattr(again, field) == getattr(verdict, field), answer
        if status == "refuted":
            assert again.holds_when == verdict.holds_when, answer
            assert np.array_equal(str(again.counterexample), str(verdict.counterexample)), answer
        counts[verdict.status] += 1
        kinds.add(verdict.record.kind)
        # No number of members confirms a claim about all; a number at given keys, and "none", it decides.
        said = second_opinion.judge(str(path))
        assert said == "not contradicted" or verdict.record.kind in ("serves-keys", "exact-average") or said == "false"
        counts["agreed"] += said in {"proved": ("true", "not contradicted"), "refuted": ("false",)}[verdict.status]
        if verdict.status == "refuted":
            counts["points"] += second_opinion.check_counterexample(again) is True
        fields, _ = claim_in(path)
        assert stores_trees(fields), answer
    print(side, dict(counts), sorted(kinds))
    assert set(counts) <= {status, "agreed", "points", "left out"}, counts
    assert counts["agreed"] == counts[status] >= least, counts
    assert counts["left out"] <= 1, counts
    assert kinds >= SIX, kinds


def stores_trees(fields):
    """Whether every text in the claim is a name, a number, or a word of the tree's own: none is a formula."""

    def texts(part):
        if isinstance(part, str):
            yield part
        for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
            yield from texts(inner)

    return not any(c in text for text in texts(fields) for c in "()[]*+' ,=")


@pytest.mark.parametrize(
    ("problem_id", "answer", "old", "new", "status"),
    [
        ("A.1a", {"q": "2*log(n/eps)*k_1"}, "2", "21/10", "undecided"),  # too long, and its parts prove it no more
        ("A.1a", {"q": "3*log(n/eps)*k_1"}, "3", "2", "undecided"),  # its member does not fail any more
        ("B.3b", {"q": "5*beta*k_a + 5*beta*k_b"}, "5", "6", "undecided"),
        ("D.b-i", {"M": "2*A*A'"}, "2", "1", "undecided"),
        ("D.b-i", {"M": "A*A' + 0*I"}, "0", "1/1000000000", "undecided"),
        ("D.b-ii", {"q": "(1e18+14-1e18)*[1,1,0,0,0,0,0,0,0,0]"}, "14", "5", "refuted"),
        ("D.b-ii", {"q": "(4e16+5-4e16)*[1,1,0,0,0,0,0,0,0,0]"}, "5", "14", "proved"),
        ("A.3c", {"M": "svd_part(A, k-1)"}, "1", "0", "undecided"),
    ],
)
def test_one_number_of_the_tree_changes_the_verdict(problem_id, answer, old, new, status, tmp_path):
    path = tmp_path / "verdict.safetensors"
    hw.save(path, problems.check(problem_id, answer))
    fields, arrays = claim_in(path)

    def edited(part, left):
        if part == ["number", old] and left:
            left.pop()
            return ["number", new]
        if isinstance(part, dict):
            return {name: edited(inner, left) for name, inner in part.items()}
        return [edited(inner, left) for inner in part] if isinstance(part, list) else part

    left = [1]
    changed = edited(fields, left)
    assert not left, "the number is in the tree"
    rewritten(path, changed, arrays)
    assert hw.verify(path).status == status


def test_a_formula_in_the_place_of_a_tree_is_refused(tmp_path):
    path = tmp_path / "verdict.safetensors"
    hw.save(path, problems.check("A.1a", {"q": "2*log(n/eps)*k_1"}))
    fields, arrays = claim_in(path)
    for text in ("2*log(n/eps)*k_1", ["2*log(n/eps)*k_1"], ["formula", "k_1"], ["number", "1+1"]):
        rewritten(path, {**fields, "trees": [text]}, arrays)
        with pytest.raises(BadCertificate):
            hw.verify(path)


@pytest.mark.parametrize(
    ("problem_id", "answer", "opinions"),
    [
        ("D.c-i", "log(t)/n*(mu_a + mu_b)", {"not contradicted", "unknown"}),  # at n = 10^30 the lead is still 10^-28
        ("D.b-ii", "exp(10)*(k_a + k_b)", {"false"}),  # its counterexample has an n of more than 4,300 digits
    ],
)
def test_the_second_opinion_waits_for_slow_limits_and_reads_long_numbers(problem_id, answer, opinions):
    assert second_opinion.judge(hw.problems.check(problem_id, {"q": answer}).record) in opinions


def vanishing(*points):
    """x - 1/3 squared, and the like: a formula that is zero at these points alone."""
    return parse("*".join(f"(x-{point})^2" for point in points), names=["x"]).root


def off_the_grid():
    """False claims about all, each with a counterexample that no list of points has; what is said of two of them together."""
    for point in ("1/3", "123457/1000003"):
        yield Inequality(vanishing(point), ">", {"x": Range(0, 1)}, {}, None), "not contradicted"
        yield Inequality(vanishing(point), "!=", {"x": Range(0)}, {}, None), "not contradicted"
    at_eleven = problems.check("B.3b", {"q": "5*log(n/eps)*(n-11)^2*(k_a+k_b)"}).record
    yield at_eleven, "not contradicted"
    small = Inequality(vanishing("1/3"), ">", {"x": Range(0, 1)}, {}, None)
    yield AllOf((small, Inequality(parse("3", names=[]).root, ">", {}, {}, None))), "not contradicted"
    yield Contrary(small), "unknown"


@pytest.mark.parametrize(("claim", "said"), [*off_the_grid()])
def test_points_confirm_no_claim_about_all(claim, said):
    assert second_opinion.judge(claim) == said
    assert claim.prove().status != "proved" or claim.kind == "contrary"


def test_an_even_query_is_confirmed_by_no_number_of_tolerances():
    """k_i gets more than k_j at every ε but those that are tried."""
    wrong = "*".join(f"(eps-{e})" for e in second_opinion_families.TOLERANCES if e.denominator < 10**40)
    tree = problems.check("E.1c", {"q": f"k_i + k_j + {wrong}*k_i"}).record.fields()["tree"]
    fields = {"kind": "exact-average", "basis": ["k_i", "k_j"], "n": "2", "tree": tree}
    assert second_opinion.judge_parts("exact-average", {}, fields) == "not contradicted"

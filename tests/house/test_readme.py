"""The README is short, and every figure in it comes from a file or is computed here."""

import json
import re
from pathlib import Path

from headwright import problems

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
MOST_WORDS = 620  # code and output included: a reader finishes it


def evidence(name):
    result = json.loads((ROOT / "evidence" / f"{name}.json").read_text("utf-8"))["result"]
    assert not result.get("bad")
    assert not result.get("missed")
    return result


def measured(name, **row):
    rows = json.loads((ROOT / "benchmarks" / "results.json").read_text("utf-8"))[name]["rows"]
    (match,) = (each for each in rows if row.items() <= each.items())
    return match


def test_it_can_be_read_in_two_minutes():
    assert len(README.split()) <= MOST_WORDS


def test_counts_of_evidence():
    assert f"all {evidence('planted_bugs')['bugs']:,} bugs" in README
    assert f"the {evidence('trusted_base')['lines']:,} lines" in README
    assert "All {0} of {0} infeasible".format(evidence("impossible")["cases"]) in README
    assert "All {0} of {0} designs".format(evidence("designs_under_noise")["outcomes"]["proved"]) in README


def test_speeds_are_those_measured():
    query = measured("least_norm_speed", n=10_000, d=128)
    assert f"{query['search_ratio']:.0f} times as fast as CVXPY" in README
    assert f"{query['proved_ratio']:.0f} times with its proof" in README
    pair = measured("nearest_pair_speed", all_pairs="float64")
    assert f"{pair['L']:,} positions, found and proved in {pair['with_proof_seconds']:.2f} s" in README


def test_published_answers_are_counted():
    verdicts = [verdict for each in problems.CATALOGUE if (verdict := problems.published(each)) is not None]
    refuted = sum(verdict.status == "refuted" for verdict in verdicts)
    assert re.search(rf"Of {len(verdicts)} published answers .*, {refuted} turn out not to hold", README)

"""The README is short, and every figure in it comes from a file or is computed here."""

import json
import re
from pathlib import Path

import numpy as np

import headwright as hw
from headwright import problems

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
MOST_WORDS = 750  # code and its output included, some 500 words of prose: a reader finishes it


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
    assert f"all kinds on {evidence('trusted_base')['lines']:,}, and" in README
    files = hw.certify(np.eye(3), 9 * np.eye(3)[0], hw.Average(0)).trust()  # as that of the first example
    assert f"rests on {sum(files.values()):,} lines" in README
    assert "{0} random infeasible problems: {0} refusals".format(evidence("impossible")["cases"]) in README
    assert (
        "{0} random problems with noisy keys, feasible by construction: {0} designs".format(
            evidence("designs_under_noise")["outcomes"]["proved"]
        )
        in README
    )


def test_each_figure_is_on_a_page_that_its_line_links():
    claims = README.partition("## What sets it apart")[2].partition("\n## ")[0].strip().split("\n")
    for claim in claims:
        shown = "".join(linked(*link) for link in re.findall(r"\]\((docs/[^)#]+)#?([^)]*)\)", claim))
        figures = re.findall(r"\d[\d,.]*\d(?: m?s\b)?|\b\d\b", re.sub(r"\]\([^)]*\)", "", claim))
        assert [figure for figure in figures if not re.search(rf"\b{re.escape(figure)}\b", shown)] == [], claim
    assert len(claims) >= 8


def linked(page, anchor):
    """What a link leads to: a page, or the section whose heading has this anchor."""
    text = (ROOT / page).read_text("utf-8")
    sections = [each for each in text.split("\n## ") if re.sub(r"\W+", "-", each.split("\n")[0].lower()) == anchor]
    return sections[0] if anchor else text


def test_the_four_notebooks_are_linked():
    assert sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")) == sorted(
        ROOT / name for name in re.findall(r"\]\((docs/notebooks/[^)]+)\)", README)
    )


def test_speeds_are_those_measured():
    query = measured("least_norm_speed", goal="Copy", n=10_000, d=128)
    assert f"{query['search_ms']:.1f} ms for 10,000 keys of dimension 128, {query['proved_ms']:.1f} ms proved" in README
    assert f"CVXPY with Clarabel takes {query['cvxpy_ms'] / 1000:.1f} s" in README
    pair = measured("nearest_pair_speed", all_pairs="float64")
    assert f"{pair['L']:,} sinusoidal positions, found and proved in {pair['with_proof_seconds']:.2f} s" in README


def test_published_answers_are_counted():
    verdicts = [verdict for each in problems.CATALOGUE if (verdict := problems.published(each)) is not None]
    refuted = sum(verdict.status == "refuted" for verdict in verdicts)
    assert re.search(rf"Of {len(verdicts)} published answers .*, {refuted} do not hold as written", README)

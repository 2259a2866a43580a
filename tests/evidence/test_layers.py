"""A seeded subset of the layers that `make evidence` designs."""

import math

import numpy as np
import pytest

from evidence import layers


def test_layers_are_certified_or_refused_with_a_witness(tmp_path):
    found = layers.run(tmp_path, limit=5)
    assert found["holds"], found
    assert found["outcomes"]["three tokens"] == found["outcomes"]["independent"] == {"certified": 5}
    assert sum(found["outcomes"]["dependent"].values()) == 5
    assert found["outcomes"]["dependent"]["refused (outputs-contradict)"] == 1
    assert 0.9 < found["longest_norm_of_three_tokens"] < math.sqrt(2)
    assert layers.run(tmp_path, limit=5) == found  # from the store


def test_the_last_three_token_example():
    """β = 20: an error of 10^-173."""
    row = layers.three_tokens(20)
    assert row["good"]
    assert row["norm"] == pytest.approx(0.948, abs=1e-3)


def test_a_layer_that_is_not_found_is_counted(tmp_path, monkeypatch):
    def never(*arguments, **options):
        raise layers.hw.NotFound("nothing")

    monkeypatch.setattr(layers.hw, "design_layer", never)
    assert not layers.dependent(0)["good"]
    assert not layers.independent(0)["good"]
    assert np.isfinite(layers.three_tokens(2)["norm"])

"""The page on singular values prints what it says, and its theorem holds with room to spare on random matrices."""

import doctest
from pathlib import Path

import numpy as np


def test_the_theory_page_prints_what_it_says():
    page = Path(__file__).parents[2] / "docs" / "theory" / "singular_values.md"
    assert "```pycon" in page.read_text("utf-8")
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted >= 8
    assert result.failed == 0


def test_the_theorem_on_witnesses_far_from_true(rng):
    """√((1-α)⁺(1-β)⁺) s_i - ε <= σ_i <= √((1+α)(1+β)) s_i + ε with spectral norms, which are the sharpest there are."""
    for _ in range(200):
        n, d = rng.integers(1, 7, size=2)
        matrix, size = rng.normal(size=(n, d)), 10.0 ** rng.uniform(-3, 0)
        u, s, vt = np.linalg.svd(matrix, full_matrices=False)
        u, v = (part + size * rng.normal(size=part.shape) for part in (u, vt.T))
        s = -np.sort(-np.abs(s + size * rng.normal(size=s.shape)))
        alpha, beta = (np.linalg.norm(part.T @ part - np.eye(len(s)), 2) for part in (u, v))
        missed = np.linalg.norm(matrix - u * s @ v.T, 2)
        true = np.linalg.svd(matrix)[1]
        assert (true <= np.sqrt((1 + alpha) * (1 + beta)) * s + missed + 1e-12).all()
        assert (true >= np.sqrt(max(1 - alpha, 0) * max(1 - beta, 0)) * s - missed - 1e-12).all()

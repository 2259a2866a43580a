"""The first cases of the larger evidence, as `make evidence` runs them: each count holds on a subset too."""

from evidence import comparisons, impossible, radius, shortest_queries


def test_infeasible_problems_are_refused_and_confirmed(tmp_path):
    found = impossible.run(tmp_path, limit=25)
    assert found["holds"], found
    assert found["cases"] == 25
    assert found["best_errors_compared"] == 10  # two Copy cases in five


def test_shortest_queries_agree_with_the_peer_and_are_optimal(tmp_path):
    found = shortest_queries.run(tmp_path, limit=20)
    assert found["holds"], found
    assert sum(found["random"].values()) == 20
    assert 0 < found["largest_gap"] <= 1e-9
    assert 0 < found["largest_difference_from_cvxpy"] <= 1e-6


def test_radii_agree_with_an_independent_bisection(tmp_path):
    found = radius.run(tmp_path, limit=24)
    assert found["holds"], found
    assert len(found["cases"]) == 8
    assert found["largest_width"] <= 1e-6


def test_no_bound_of_a_comparison_is_violated(tmp_path):
    found = comparisons.run(tmp_path, limit=2)
    assert found["holds"], found
    assert found["queries"] == 4096
    assert found["queries with 40 digits"] == 2
    assert found["widest bounds"] < 1e-9

"""Shortest queries, nearest points of hulls, and the proofs that nothing shorter will do."""

"""A query for keys stored in bfloat16: rounding the shortest query breaks it, the one returned holds, proved."""

import numpy as np

import headwright as hw
from headwright.kernel.number_types import round_to

keys = np.random.default_rng(0).normal(size=(200, 32))
goal = hw.Average(1, 2, 3, 4, 5)

exact = hw.design(keys, goal, error=0.01)
print(f"float64: norm {exact.norm:.6f}, none with exact ratios is shorter than {exact.lower_bound:.6f}")

stored_keys, rounded = round_to(keys, "bfloat16"), round_to(exact.queries, "bfloat16")
broken = hw.certify(stored_keys, rounded, goal, error=0.01)
print(f"rounded to bfloat16: {broken.status}, {broken.bound_text}")

kept = hw.design(keys, goal, error=0.01, precision="bfloat16")
print(f"designed for bfloat16: norm {kept.norm:.6f}")
print(hw.certify(keys, kept))

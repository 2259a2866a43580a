"""One head or two for the same average, and what each weight is guaranteed to be."""

import numpy as np

import headwright as hw

keys = np.eye(16)
goal = hw.Average(0, 9)
for heads in (1, 2):
    design = hw.design(keys, goal, error=0.02, heads=heads, method="closed-form")
    weight = hw.certify(keys, design, of=9, at_least="0.48")
    moved = hw.certify(keys, design, error=0.05, radius=0.02)
    print(f"{heads} head(s): longest query {design.norm:.4f}, error at most {design.error:.4g}")
    print(f"  weight of key 9: {weight.status}, {weight.bound_text}")
    print(f"  keys moved by 0.02 in every coordinate: {moved.status}, {moved.method.split('; ')[-1]}")

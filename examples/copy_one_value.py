"""Copy one value: the shortest route from keys and a goal to a query with a proof."""

import numpy as np

import headwright as hw

keys = np.eye(12)  # twelve orthonormal keys
design = hw.design(keys, hw.Copy(4), error=0.01, method="closed-form")
print(design)
print(hw.certify(keys, design))

values = np.arange(12.0)
print("the head returns", hw.attend(design, keys, values[:, None]).output, "and key 4 holds", values[4])

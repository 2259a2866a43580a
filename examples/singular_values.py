"""Singular values with proof: what they add up to, how they fall, and how near a matrix of low rank comes."""

import numpy as np

import headwright as hw

# A table of 400 token vectors in 32 dimensions: four directions and a little noise, as embeddings often look.
rng = np.random.default_rng(7)
table = rng.standard_normal((400, 4)) @ rng.standard_normal((4, 32)) + 0.05 * rng.standard_normal((400, 32))

energy = hw.spectrum.energy(table)
spectrum = energy.singular_values
print(f"‖A‖_F² = {energy.total:.6f}; the squares of the singular values add up to {energy.sum}")
print(f"  {spectrum.summary()}")
for k in (1, 4, 5, 32):
    tail = hw.spectrum.tail(table, k)
    print(f"  σ_{k:<2} = {tail.singular_value:10.6f} <= ‖A‖_F/√{k} = {tail.bound:.6f}")

near = hw.spectrum.low_rank(table, 4)
print(f"rank 4: within {near.error:.9f}, and none is nearer than {near.best:.9f}")
print(near.verdict)

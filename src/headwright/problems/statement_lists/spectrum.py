"""Statements about singular values (A.3a, A.3b)."""

from headwright.problems.statement import listed

ENERGY = listed(
    sum_of_singular_values="σ_1 + ... + σ_d = ‖A‖_F, and both sides are squared.",
    determinant_of_gram="Both sides are the determinant of AᵀA.",
    trace_identity="Both sides are the trace of AᵀA: the sum of its diagonal is Σ a_ij², and the sum of its eigenvalues "
    "is Σ σ_i².",
    square_alone="It holds for square matrices alone, where the singular values are the eigenvalues' absolute values.",
    orthogonal_maps="A = UΣVᵀ, and multiplying by orthogonal matrices does not change the Frobenius norm: ‖A‖_F = ‖Σ‖_F.",
    largest_is_all="‖A‖_F is the largest singular value σ_1, and the other terms are 0.",
)

TAIL = listed(
    without_the_square="Taking roots in σ_1² + ... + σ_k² <= ‖A‖_F² gives σ_k <= ‖A‖_F/k, which is stronger than asked.",
    every_term_below_the_mean="Every σ_i² is at most the mean ‖A‖_F²/d of all terms, hence at most ‖A‖_F²/k.",
    k_largest_terms="Each of the k largest terms of Σ σ_i² = ‖A‖_F² is at least σ_k², so k σ_k² <= ‖A‖_F².",
    least_of_the_largest="σ_k² is the least of σ_1², ..., σ_k², so at most their mean, which is at most ‖A‖_F²/k.",
    equality_at_the_rank="At k = rank A all of ‖A‖_F² is in the k largest terms, so that σ_k² = ‖A‖_F²/k there, and it is less "
    "for smaller k.",
    k_smallest_terms="Each of the k smallest terms of Σ σ_i² = ‖A‖_F² is at least σ_k², so k σ_k² <= ‖A‖_F².",
)

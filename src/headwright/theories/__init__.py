"""The theories: for each subject its rules, its claims and the sentences that state them. Nothing here searches.

Here stands where the claims of each kind are defined, those of the kernel too. A certificate names a kind, and only the module
of that kind is then imported.
"""

from headwright import kernel

_CLAIMS = {
    "kernel.combined": "all-of contrary",
    "kernel.gap_norm": "gap-norm",
    "kernel.goals_contradict": "goals-contradict",
    "kernel.hulls_meet": "hulls-meet",
    "kernel.no_shorter": "no-shorter",
    "kernel.no_smaller_error": "no-smaller-error",
    "kernel.none_withstands": "none-withstands",
    "kernel.out_of_reach": "out-of-reach",
    "kernel.top_gap": "top-gap",
    "kernel.variation_of_each": "variation-of-each",
    "kernel.weight_bound": "weight-bound",
    "kernel.within_error": "within-error",
    "kernel.withstands": "withstands",
    "theories.formulas.families.exact_average": "exact-average",
    "theories.formulas.families.layer_outputs": "layer-outputs",
    "theories.formulas.families.low_rank_formula": "low-rank-formula",
    "theories.formulas.families.reads_out_always": "reads-out-always",
    "theories.formulas.families.serves_family": "serves-family",
    "theories.formulas.families.serves_keys": "serves-keys",
    "theories.formulas.inequality": "inequality",
    "theories.formulas.lead_decides": "lead-decides",
    "theories.matrices.layer_rows": "layer-rows",
    "theories.matrices.low_rank": "low-rank",
    "theories.matrices.outputs_contradict": "outputs-contradict",
    "theories.matrices.reads_out": "reads-out",
    "theories.matrices.singular_squares": "singular-squares singular-tail",
    "theories.matrices.singular_values": "singular-values",
    "theories.matrices.spans_meet": "spans-meet",
    "theories.order.block_equivariant": "block-equivariant",
    "theories.positions.rows_apart": "rows-apart",
    "theories.programs.needs_later": "needs-later",
    "theories.programs.runs_program": "runs-program",
    "theories.random_keys.weight_variance": "weight-variance",
    "theories.random_keys.with_probability": "within-error-with-probability",
    "theories.stored_keys.attention_kept": "attention-kept",
    "theories.stored_keys.kept_on_ball": "kept-on-ball",
}
kernel.HOMES.update({kind: f"headwright.{module}" for module, kinds in _CLAIMS.items() for kind in kinds.split()})

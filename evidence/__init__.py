"""The full-size counts behind the claims of soundness, one file per claim.

Each file has `CLAIM`, a sentence, and `run(store, *, limit=None)`, which returns a summary: a dict that JSON can hold,
with `holds` False where the claim failed. `store` is the folder for partial results (see `evidence.partial`); `limit`
runs only the first so many cases, which is how the tests run a subset.
"""

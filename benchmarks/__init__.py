"""One file per claim. Each has `CLAIM`, a sentence, and `run()`, which measures it.

`run` returns rows: dicts of column to value. The column `met` is True or False where the row decides the claim, and
None where it is there for comparison. What is compared is measured in the same run.
"""

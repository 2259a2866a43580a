"""Planted bugs of programs: what a program means, and why one is refused.

A table for `planted_bugs.py`, which plants them, one section for each kind of claim.
"""

# ruff: noqa: E501 - one row per bug reads better than one word per line

REFUSALS: tuple[tuple[str, str, str, str], ...] = (
    # theories/programs/meaning.py: the interpreter that judges the witness
    ("a causal program sees later keys", "theories/programs/meaning.py", "range(i + 1 if program.causal else len(word))", "range(len(word))"),
    ("full attention sees no later keys", "theories/programs/meaning.py", "range(i + 1 if program.causal else len(word))", "range(i + 1)"),
    ("before leaves the position itself out", "theories/programs/meaning.py", "[j for j in keys if j <= i]", "[j for j in keys if j < i]"),
    ("before without a limit", "theories/programs/meaning.py", "[j for j in keys if j <= i]", "keys"),
    ("only the first condition counts", "theories/programs/meaning.py", "for atom in step.select:\n        keys", "for atom in step.select[:1]:\n        keys"),
    ("values that differ picked all the same", "theories/programs/meaning.py", "any(value != values[0] for value in values)", "False"),
    ("a default where keys are selected", "theories/programs/meaning.py", "not keys and step.default is not None", "step.default is not None"),
    ("an empty mean is undefined no more", "theories/programs/meaning.py", "if not keys or (step.kind", "if not keys and step.kind != \"mean\" or (step.kind"),
    ("a mean over all keys of the word", "theories/programs/meaning.py", "return _sum(values) / len(values)", "return _sum(values) / len(word)"),
    ("the first match for the last", "theories/programs/meaning.py", "return values[-1]", "return values[0]"),
    ("strict comparisons forgotten", "theories/programs/meaning.py", "return value > 0 if step.strict else value >= 0", "return value >= 0"),
    ("comparisons all strict", "theories/programs/meaning.py", "return value > 0 if step.strict else value >= 0", "return value > 0"),
    ("a sign without zero", "theories/programs/meaning.py", "return (value > 0) - (value < 0)", "return 1 if value >= 0 else -1"),
    ("constants of sums forgotten", "theories/programs/meaning.py", "return total.constant + sum(", "return sum("),
    ("tables read in another order", "theories/programs/meaning.py", "place = place * len(labels) + labels.index", "place = place + len(labels) * labels.index"),
    ("below or equal", "theories/programs/steps.py", "self._rank(key) < self._rank(mine)", "self._rank(key) <= self._rank(mine)"),
    ("tokens in the order of the alphabet", "theories/programs/steps.py", "enumerate(self.vocabulary)}", "enumerate(sorted(self.vocabulary))}"),
    ("an unknown token accepted", "theories/programs/meaning.py", "type(token) is not str or token not in known", "False"),
    ("too long a word accepted", "theories/programs/meaning.py", "if not 1 <= len(word) <= program.length:", "if not 1 <= len(word):"),
    # theories/programs/needs_later.py
    ("words that differ earlier accepted", "theories/programs/needs_later.py", "if self.first[: position + 1] != self.second[: position + 1]:", "if False:"),
    ("words that differ at the position accepted", "theories/programs/needs_later.py", "if self.first[: position + 1] != self.second[: position + 1]:", "if self.first[:position] != self.second[:position]:"),
    ("equal outputs prove it", "theories/programs/needs_later.py", "if one == other:", "if False:"),
    ("another position compared", "theories/programs/needs_later.py", "return one[self.position], other[self.position]", "return one[-1], other[-1]"),
    ("the whole difference for the error", "theories/programs/needs_later.py", "abs(Fraction(one) - Fraction(other)) / 2", "abs(Fraction(one) - Fraction(other))"),
    ("words of a claim not checked", "theories/programs/needs_later.py", "need_word(self.program, getattr(self, name), name)", "pass"),
    ("uncounted in program_meaning: a step", "theories/programs/meaning.py", "budget.spend(_price(program, step, len(word)))", "pass"),
    ("uncounted in program_meaning: labels that are chosen", "theories/programs/meaning.py", "size**2 * (_A_KEY * (1 + len(step.select)) + _A_LABEL * passed)", "size**2 * (_A_KEY * (1 + len(step.select)))"),
    ("uncounted in program_meaning: labels of a map", "theories/programs/meaning.py", "len(step.sum.terms if step.sum else ())) + _A_LABEL * passed)", "len(step.sum.terms if step.sum else ())))"),
    ("uncounted in program_meaning: sums of fractions", "theories/programs/meaning.py", "return budget.summed([Fraction(whole), *(value for value in values if isinstance(value, Fraction))])", "return sum((value for value in values if isinstance(value, Fraction)), Fraction(whole))"),
)  # fmt: skip

PROGRAM_ROWS = REFUSALS

"""How an entry of a question's file is judged: a statement, our own answer, the published one.

- `for = [facts]`: the entry says that these hold, and is proved when they all are;
- `against = [facts]`: it cannot be true beside these;
- `argument = "order.md#step-by-step"`, `scope`, `instances = [facts]`: a written argument, its instances certified;
- `answer`: an answer to the question, judged as anybody's would be.

A fact with `not = true` must be refuted instead. `reason` says why in words, and `example` where. Beside `against`, `where` has
facts that say when the entry holds after all, or an answer that does: proved with the refutation, they are its `holds_when`. A
`condition` explains more of that in words; where no condition saves the entry, `instead` says what is true. `besides` are facts
that these words rest on, and `figures` the numbers in them. Unless all facts come out as they must, the entry is Undecided:
nothing is taken on trust.

A fact is a small claim, read from one table: `weight_facts.py` has those about keys and weights, `matrix_facts.py` those about
tokens, positions and matrices.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from headwright.kernel.claim import Claim
from headwright.kernel.combined import AllOf, Contrary
from headwright.kernel.verdict import Proved, Undecided, Verdict
from headwright.problems.family import ERROR
from headwright.problems.judges import matrix_facts, weight_facts
from headwright.problems.judges.weight_facts import USUAL, Table, goal_of, keys_of, layer_of, queries_of
from headwright.reading import formulas
from headwright.search.random_keys.outcome import outcome
from headwright.words.argued import Argued

Entry = Mapping[str, Any]
KINDS: dict[str, Callable[[Table], Claim | Verdict]] = {**weight_facts.KINDS, **matrix_facts.KINDS}
_LONGEST_SYMBOL = 4
_IN_TEXT = re.compile(r"\{([^{}]+)\}")


def verdict_on(entry: Entry, said: str, check: Callable[[Mapping[str, Any]], Verdict] | None = None) -> Verdict:
    """The verdict on an entry that says `said`; an `answer` without facts of its own is judged by `check`."""
    kind = next((name for name in ("argument", "against", "for") if name in entry), "answer")
    own = {"argument": "instances", "answer": "no facts"}.get(kind, kind)
    besides, where, rests_on = (
        [check(table["answer"]) if check and "answer" in table else fact(table) for table in entry.get(name, ())]
        for name in ("besides", "where", own)
    )
    proofs, saved = ([verdict for verdict in facts if isinstance(verdict, Proved)] for facts in (rests_on, where))
    if len(proofs + saved) < len(rests_on + where) or not all(isinstance(verdict, Proved) for verdict in besides):
        return _open(said, [*besides, *where, *rests_on])
    if kind == "argument":
        argument = f"docs/theory/{entry['argument']}"
        verdict: Verdict = Argued(
            entry.get("claim", said), scope=entry["scope"], argument=argument, instances=tuple(proofs)
        )
    elif kind == "against":  # `said` implies that these facts are not all so
        verdict = Contrary(_together(proofs), _together(saved) if saved else None).prove()
    elif kind == "for":
        verdict = proofs[0] if len(proofs) == 1 else _together(proofs).prove()
    else:
        assert check is not None, "an entry without facts is an answer to its question"
        verdict = check(entry["answer"])
    if isinstance(verdict, Undecided) or "reason" not in entry:
        return verdict
    return verdict.explained(_words(entry))


def _together(proofs: Sequence[Proved]) -> Claim:
    """The claim that all these facts are so."""
    records = tuple(map(record_of, proofs))
    return records[0] if len(records) == 1 else AllOf(records)


def _open(said: str, verdicts: Sequence[Verdict]) -> Verdict:
    failed = next((verdict for verdict in verdicts if not isinstance(verdict, Proved)), None)
    return Undecided(
        said,
        reason="a fact that this rests on did not go through",
        next_step="a person must read this",
        evidence=None if failed is None else {"fact": f"{failed.status}: {failed.claim}"},
    )


def _words(entry: Entry) -> str:
    parts = [entry["reason"]]
    if "example" in entry:
        parts.append(f"The example: {'; '.join(_put(name, what) for name, what in entry['example'].items())}.")
    if "condition" in entry:
        parts.append(f"It would hold under this condition, stated as an explanation: {entry['condition']}.")
    if "instead" in entry:
        parts.append(f"What is true instead: {entry['instead']}.")
    return text(" ".join(parts), entry.get("figures", {}))


def _put(name: str, what: Any) -> str:
    """A symbol and its value, or a word and what it stands for."""
    return f"{name} = {what}" if len(name) <= _LONGEST_SYMBOL else f"{name}: {what}"


def fact(table: Table) -> Verdict:
    """The verdict on one fact, or with `not = true` on its contrary; its kind is the entry that no other kind has."""
    kinds = [name for name in KINDS if name in table]
    if len(kinds) != 1:
        raise ValueError(f"a fact must have exactly one of {', '.join(KINDS)}; got {table!r}")
    stated, turned = KINDS[kinds[0]](table), table.get("not", False)
    if isinstance(stated, Claim):
        return (Contrary(stated) if turned else stated).prove()
    return Contrary(record_of(stated)).prove() if turned and not isinstance(stated, Undecided) else stated


def record_of(verdict: Verdict) -> Claim:
    """The claim that was judged; TypeError for a verdict that has none."""
    if not isinstance(verdict.record, Claim):
        raise TypeError(f"a fact must be a claim, but this one is none: {verdict.claim}")
    return verdict.record


def text(said: str, figures: Table) -> str:
    """The text with every {formula} as a number of four digits, and every {name} of `figures` as that figure.

    >>> text("t = ln((n-2)/(2·odds)) = {log((n - 2)/(2*odds))}", {})
    't = ln((n-2)/(2·odds)) = 5.981'
    """

    def shown(braces: re.Match[str]) -> str:
        name = braces[1]
        if name in figures:
            return f"{figure(figures[name]):.4f}"
        return f"{float(formulas.evaluate(formulas.parse(name, names=tuple(USUAL)), USUAL)):.4g}"

    return _IN_TEXT.sub(shown, said)


def figure(table: Table) -> float:
    """A figure of the weights' law: { mean_of = 0, … }, { sd_of = 0, … } or { probability_of = { average = [0, 1] }, … }.

    Of a designed layer, { designed_layer = … }, it is the Frobenius norm of QᵀK.
    """
    if "designed_layer" in table:
        return layer_of(table).norm
    goal = goal_of(table.get("probability_of", {"average": [0, 1]}))
    law = outcome(keys_of(table), queries_of(table), goal, mix="equal")
    if not law.proved:
        raise ValueError(f"a figure must be one that `outcome` proves, and this one is an estimate: {table!r}")
    if "mean_of" in table:
        return float(law.mean[table["mean_of"]])
    if "sd_of" in table:
        return float(law.sd[table["sd_of"]])
    return float(law.probability(ERROR))

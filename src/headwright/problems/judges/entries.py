"""How an entry of a question's file is judged: a statement, our own answer, the published one.

- `for = [facts]`: the entry says that these hold, and is proved when they all are;
- `against = [facts]`: it cannot be true beside these;
- `argument = "order.md#step-by-step"`, `scope`, `instances = [facts]`: a written argument, its instances certified.

A fact with `not = true` must be refuted instead. `reason` says why in words, `example` where, and `condition` when it would
hold; `besides` are facts that these words rest on, and `figures` the numbers in them. Unless all facts come out as they must,
the entry is Undecided: nothing is taken on trust.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from headwright.problems.judges import facts
from headwright.proofs import AllOf, Claim, Contrary
from headwright.verdict import Argued, Proved, Refuted, Undecided, Verdict

Entry = Mapping[str, Any]


def verdict_on(entry: Entry, said: str) -> Verdict:
    """The verdict on an entry that says `said`."""
    besides = [_fact(table) for table in entry.get("besides", ())]
    if not all(isinstance(verdict, Proved) for verdict in besides):
        return _open(said, besides)
    if "argument" in entry:
        return _argued(entry, said)
    if "against" in entry:
        return _against(entry, said)
    return _for(entry, said)


def _for(entry: Entry, said: str) -> Verdict:
    verdicts = [_fact(table) for table in entry["for"]]
    if len(verdicts) == 1:
        return explained(verdicts[0], entry)
    if any(isinstance(verdict, Undecided) for verdict in verdicts):
        return _open(said, verdicts)
    return explained(AllOf(tuple(_record(verdict) for verdict in verdicts)).prove(), entry)


def _against(entry: Entry, said: str) -> Verdict:
    """Refuted where all these facts are so: the verdict is that of the claim that they are not all so, which `said` implies."""
    verdicts = [_fact(table) for table in entry["against"]]
    if not all(isinstance(verdict, Proved) for verdict in verdicts):
        return _open(said, verdicts)
    records = [_record(verdict) for verdict in verdicts]
    verdict = Contrary(records[0] if len(records) == 1 else AllOf(tuple(records))).prove()
    return explained(verdict, entry) if isinstance(verdict, Refuted) else _open(said, verdicts)


def _argued(entry: Entry, said: str) -> Verdict:
    instances = [_fact(table) for table in entry.get("instances", ())]
    proofs = tuple(verdict for verdict in instances if isinstance(verdict, Proved))
    if len(proofs) < len(instances):
        return _open(said, instances)
    return Argued(
        entry.get("claim", said),
        scope=entry["scope"],
        reason=_words(entry),
        argument=f"docs/theory/{entry['argument']}",
        instances=proofs,
    )


def _fact(table: Mapping[str, Any]) -> Verdict:
    verdict = facts.fact(table)
    if isinstance(verdict, Undecided) or not table.get("not", False):
        return verdict
    return Contrary(_record(verdict)).prove()


def _open(said: str, verdicts: Sequence[Verdict]) -> Verdict:
    failed = next((verdict for verdict in verdicts if not isinstance(verdict, Proved)), None)
    return Undecided(
        said,
        reason="a fact that this rests on did not go through",
        next_step="a person must read this",
        evidence=None if failed is None else {"fact": f"{failed.status}: {failed.claim}"},
    )


def explained(verdict: Verdict, entry: Entry) -> Verdict:
    """A decided verdict with the entry's own reason, where it has one."""
    decided = isinstance(verdict, Proved | Refuted) and "reason" in entry
    return verdict.explained(_words(entry)) if decided else verdict


def _words(entry: Entry) -> str:
    parts = [entry["reason"]]
    if "example" in entry:
        parts.append(f"Here {', '.join(f'{name}: {what}' for name, what in entry['example'].items())}.")
    if "condition" in entry:
        parts.append(f"It would hold under this condition: {entry['condition']}.")
    return facts.text(" ".join(parts), entry.get("figures", {}))


def _record(verdict: Verdict) -> Claim:
    if not isinstance(verdict.record, Claim):
        raise TypeError(f"a fact must be a claim, but this one is none: {verdict.claim}")
    return verdict.record

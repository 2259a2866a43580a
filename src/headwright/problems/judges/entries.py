"""How an entry of a question's file is judged: a statement, our own answer, the published one.

- `for = [facts]`: the entry says that these hold, and is proved when they all are;
- `against = [facts]`: it cannot be true beside these;
- `argument = "order.md#step-by-step"`, `scope`, `instances = [facts]`: a written argument, its instances certified;
- `answer`: an answer to the question, judged as anybody's would be.

A fact with `not = true` must be refuted instead. `reason` says why in words, `example` where, and `condition` when it would
hold; `besides` are facts that these words rest on, and `figures` the numbers in them. Unless all facts come out as they must,
the entry is Undecided: nothing is taken on trust.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from headwright.argued import Argued
from headwright.problems.judges import facts
from headwright.proofs import AllOf, Contrary
from headwright.verdict import Proved, Undecided, Verdict

Entry = Mapping[str, Any]


def verdict_on(entry: Entry, said: str, check: Callable[[Mapping[str, Any]], Verdict] | None = None) -> Verdict:
    """The verdict on an entry that says `said`; an `answer` without facts of its own is judged by `check`."""
    besides = [facts.fact(table) for table in entry.get("besides", ())]
    if not all(isinstance(verdict, Proved) for verdict in besides):
        return _open(said, besides)
    if "argument" in entry:
        verdict = _argued(entry, said)
    elif "against" in entry:
        verdict = _against(entry, said)
    elif "for" not in entry and check is not None:
        verdict = check(entry["answer"])
    else:
        verdict = _for(entry, said)
    if isinstance(verdict, Undecided) or "reason" not in entry:
        return verdict
    return verdict.explained(_words(entry))


def _for(entry: Entry, said: str) -> Verdict:
    verdicts = [facts.fact(table) for table in entry["for"]]
    if not all(isinstance(verdict, Proved) for verdict in verdicts):
        return _open(said, verdicts)
    return verdicts[0] if len(verdicts) == 1 else AllOf(tuple(map(facts.record_of, verdicts))).prove()


def _against(entry: Entry, said: str) -> Verdict:
    """Refuted where all these facts are so: the verdict is that of the claim that they are not all so, which `said` implies."""
    verdicts = [facts.fact(table) for table in entry["against"]]
    if not all(isinstance(verdict, Proved) for verdict in verdicts):
        return _open(said, verdicts)
    records = [facts.record_of(verdict) for verdict in verdicts]
    return Contrary(records[0] if len(records) == 1 else AllOf(tuple(records))).prove()


def _argued(entry: Entry, said: str) -> Verdict:
    instances = [facts.fact(table) for table in entry.get("instances", ())]
    proofs = tuple(verdict for verdict in instances if isinstance(verdict, Proved))
    if len(proofs) < len(instances):
        return _open(said, instances)
    argument = f"docs/theory/{entry['argument']}"
    return Argued(entry.get("claim", said), scope=entry["scope"], argument=argument, instances=proofs)


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
        parts.append(f"Here {', '.join(f'{name}: {what}' for name, what in entry['example'].items())}.")
    if "condition" in entry:
        parts.append(f"It would hold under this condition: {entry['condition']}.")
    return facts.text(" ".join(parts), entry.get("figures", {}))

"""How an entry of a question's file is judged: a statement, our own answer, the published one.

- `for = [facts]`: the entry says that these hold, and is proved when they all are;
- `against = [facts]`: it cannot be true beside these;
- `argument = "order.md#step-by-step"`, `scope`, `instances = [facts]`: a written argument, its instances certified;
- `answer`: an answer to the question, judged as anybody's would be.

A fact with `not = true` must be refuted instead. `reason` says why in words, and `example` where. A refuted entry may have a
`condition` under which it holds; where no such condition saves it, `instead` says what is true. `besides` are facts that these
words rest on, and `figures` the numbers in them. Unless all facts come out as they must, the entry is Undecided: nothing is taken
on trust.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from headwright.argued import Argued
from headwright.problems.judges import facts
from headwright.proofs import AllOf, Claim, Contrary
from headwright.verdict import Proved, Undecided, Verdict

Entry = Mapping[str, Any]


def verdict_on(entry: Entry, said: str, check: Callable[[Mapping[str, Any]], Verdict] | None = None) -> Verdict:
    """The verdict on an entry that says `said`; an `answer` without facts of its own is judged by `check`."""
    kind = next((name for name in ("argument", "against", "for") if name in entry), "answer")
    own = {"argument": "instances", "answer": "no facts"}.get(kind, kind)
    besides, rests_on = ([facts.fact(table) for table in entry.get(name, ())] for name in ("besides", own))
    proofs = tuple(verdict for verdict in rests_on if isinstance(verdict, Proved))
    if len(proofs) < len(rests_on) or not all(isinstance(verdict, Proved) for verdict in besides):
        return _open(said, [*besides, *rests_on])
    if kind == "argument":
        argument = f"docs/theory/{entry['argument']}"
        verdict: Verdict = Argued(entry.get("claim", said), scope=entry["scope"], argument=argument, instances=proofs)
    elif kind == "against":  # `said` implies that these facts are not all so
        verdict = Contrary(_together(proofs)).prove()
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
    records = tuple(map(facts.record_of, proofs))
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
        parts.append(f"Here {', '.join(f'{name}: {what}' for name, what in entry['example'].items())}.")
    if "condition" in entry:
        parts.append(f"It would hold under this condition: {entry['condition']}.")
    if "instead" in entry:
        parts.append(f"What is true instead: {entry['instead']}.")
    return facts.text(" ".join(parts), entry.get("figures", {}))

"""Cards of verdicts, of refusals, which carry verdicts, and of whatever else has one and a summary."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from headwright.faces.cards.parts import (
    BLUE,
    BROWN,
    DOWN,
    GREEN,
    MOST_BARS,
    RED,
    SLATE,
    UP,
    Bar,
    Html,
    badge,
    bars,
    count,
    enclosed,
    figures,
    fold,
    frame,
    grid,
    note,
    number,
    rows,
    share,
    styled,
    text,
)
from headwright.kernel.verdict import Proved, Refuted, Undecided, Verdict
from headwright.words.argued import Argued

if TYPE_CHECKING:
    from headwright.kernel.verdict import NotProved
    from headwright.search.positions import NearestPair
    from headwright.search.spectrum import Energy, LowRank, Spectrum, Tail
    from headwright.words.refusals import AssumptionFailed, NotFound, Unreachable, Witness
    from headwright.words.verdicts import Verdicts

_MARKS = {Proved: ("✓", GREEN), Refuted: ("✗", RED), Undecided: ("?", BROWN), Argued: ("¶", BLUE)}
_HOW = {Proved: "Proof", Refuted: "How the counterexample was checked", Undecided: "What was tried", Argued: "Argument"}
_FOLDED = ("how", "scope", "about")
_LONG = 240  # letters of a counterexample that is shown in the open


def mark(verdict: Verdict | None) -> tuple[Html, str]:
    """The badge of a verdict and its colour. The word is the verdict's status; only the four kinds of verdict have one."""
    if verdict is None:
        return badge("–", "Not judged", SLATE), SLATE
    if type(verdict) not in _MARKS:
        return badge("–", "Unknown kind of verdict", SLATE), SLATE
    sign, colour = _MARKS[type(verdict)]
    found = badge(sign, type(verdict).__name__, colour)
    if verdict.restored:
        return Html(f"{found} {badge('↻', 'Restored, not checked here', SLATE)}"), SLATE
    return found, colour


def verdict_card(verdict: Verdict) -> Html:
    found, colour = mark(verdict)
    return frame([found], verdict.scope, text(verdict.claim), *_details(verdict), colour=colour)


def verdicts_card(verdicts: Verdicts) -> Html:
    """How many key sets, or queries, have each status, and a table that begins with those that are not proved."""
    shown = {f"{verdicts.many} {status}": (number(n), Html("")) for status, n in verdicts.counts.items() if n}
    table = verdicts.table()
    first = sorted(zip(*table.values(), strict=True), key=lambda row: row[1] == "proved")[:MOST_BARS]
    roundings = (DOWN, UP)
    lines = [
        (text(place), *(number(end, way) for end, way in zip(ends, roundings, strict=False)), text(status))
        for place, status, *ends in first
    ]
    header = [verdicts.about, *(f"error {name}" for name in list(table)[2:]), "status"]
    more = verdicts.statuses.size - len(first)
    body = [figures(shown), grid(header, lines, last_is_text=True)]
    body += [note(text(f"{more:,} more {verdicts.many}"))] if more else []
    return frame([], "Verdicts", text(f"{verdicts.statuses.size:,} {verdicts.many}"), *body)


def _details(verdict: Verdict) -> list[Html]:
    """Everything that follows the claim: what was found in the open, how it was found in a fold."""
    lines = verdict.lines()
    folded = [name for name, words in lines.items() if name in _FOLDED or (name == "fails at" and len(words) > _LONG)]
    parts = [rows({name: text(words) for name, words in lines.items() if name not in folded})]
    if verdict.restored:
        words = "This verdict was unpickled, and no proof in this process stands behind it. hw.save proves it again."
        parts.append(note(text(words)))
    how = {name: text(lines[name]) for name in folded}
    if verdict.record is not None:
        how["claim"] = text(type(verdict.record).__name__)
        how["keep it"] = text(
            "hw.save(path, verdict) writes the claim, and hw.verify(path) proves it again from the file."
        )
    inside = [rows(how)]
    if isinstance(verdict, Argued):
        inside += [folded_verdict(instance) for instance in verdict.instances[:MOST_BARS]]
        if (more := len(verdict.instances) - MOST_BARS) > 0:
            inside.append(note(text(f"{more:,} more instances")))
    return [*parts, fold(_HOW.get(type(verdict), "Details"), *inside)]


def folded_verdict(verdict: Verdict) -> Html:
    """A verdict inside another card's fold: badge, claim and every line."""
    found, _ = mark(verdict)
    words = {name: text(line) for name, line in verdict.lines().items()}
    return styled("div", "claim", found, Html(" "), text(verdict.claim), rows(words))


def proof(verdicts: Iterable[Verdict | None], summary: str = "Proof") -> list[Html]:
    """The fold of a card whose value carries verdicts; nothing where it carries none."""
    held = [verdict for verdict in verdicts if verdict is not None]
    return [fold(summary, *map(folded_verdict, held))] if held else []


def unreachable_card(refusal: Unreachable) -> Html:
    shown = {}
    if refusal.best_error is not None:
        shown["no query comes nearer than"] = number(refusal.best_error, DOWN), text("total variation")
    body = [figures(shown), *([_witness(refusal.witness)] if refusal.witness else [])]
    body += proof([refusal.verdict, refusal.best_verdict], "Proof of impossibility")
    marks = [badge("⊘", "Unreachable", RED)]
    if refusal.verdict.restored or not isinstance(refusal.verdict, Proved):
        marks.append(mark(refusal.verdict)[0])  # what stands behind it is less than a proof made here
    return frame(marks, "impossible", text(refusal.reason), *body, colour=RED)


def _witness(witness: Witness) -> Html:
    order = sorted(zip(witness.weights, witness.indices, strict=True), key=lambda pair: (-pair[0], pair[1]))
    shown = [Bar(f"key {j}", share(weight), float(weight)) for weight, j in order[:MOST_BARS]]
    more = len(order) - len(shown)
    left = f" {more:,} more keys have the rest." if more else ""
    words = f"Witness: no query can tell the goal from these exact weights on other keys.{left}"
    return Html(note(text(words)) + bars(shown))


def not_found_card(refusal: NotFound) -> Html:
    shown = {}
    if refusal.proved_bound is not None:
        shown["proved of every query"] = number(refusal.proved_bound, DOWN), text("norm or error, at least")
    if refusal.probability is not None:
        shown["probability"] = number(refusal.probability, DOWN), text("of the best design found")
    body = [note(text("The search ended without a design. That does not show that there is none.")), figures(shown)]
    if refusal.best is not None:
        body.append(fold("The best design found", Html(refusal.best._repr_html_() or "")))
    return frame([badge("…", "Not found", BROWN)], "a search that ended", text(refusal.reason), *body, colour=BROWN)


def assumption_card(refusal: AssumptionFailed) -> Html:
    i, j = refusal.pair
    keys = f"{i}" if i == j else f"{i} and {j}"
    lines = {"assumed": text(refusal.assumption), "found": text(refusal.found), "keys": text(keys)}
    title = text("The closed form does not apply to these keys.")
    return frame([badge("!", "Assumption failed", BROWN)], "closed form", title, rows(lines), colour=BROWN)


def not_proved_card(refusal: NotProved) -> Html:
    return verdict_card(refusal.verdict)


def result_card(result: Any, *body: Html, title: Html | None = None) -> Html:
    """A value with a `summary()` or a text of its own, and perhaps a verdict."""
    verdict = getattr(result, "verdict", None)
    marks, colour = [], SLATE
    if verdict is not None:
        found, colour = mark(verdict)
        marks = [found]
    words = result.summary() if hasattr(result, "summary") else repr(result).partition("\n")[0]
    return frame(marks, type(result).__name__, title or text(words), *body, *proof([verdict]), colour=colour)


def low_rank_card(found: LowRank) -> Html:
    size = f"{len(found.left):,} × {found.right.shape[1]:,} matrix"
    nearest = {
        "distance": (Html(f"≤ {number(found.error, UP)}"), text("spectral norm")),
        "no matrix of this rank is nearer than": (number(found.best, DOWN), text("spectral norm")),
    }
    return result_card(found, figures(nearest), title=text(f"Rank {found.rank} in place of a {size}"))


def spectrum_card(found: Spectrum) -> Html:
    largest = float(found.values[0]) or 1.0
    shown = [Bar(f"σ_{i + 1}", number(s), s / largest) for i, s in enumerate(found.values[:MOST_BARS].tolist())]
    more = len(found.values) - len(shown)
    left = [note(Html(f"{count(more, 'more singular value')}, the least {number(float(found.values[-1]))}"))]
    n, d = found.shape
    title = text(f"Singular values of a {n:,} × {d:,} matrix")
    return result_card(found, bars(shown), *(left if more else []), title=title)


def nearest_pair_card(found: NearestPair) -> Html:
    i, j = found.pair
    distance = {"distance": (number(found.distance), Html(f"rows {i:,} and {j:,}"))}
    stored = f", stored as {found.dtype}" if found.dtype else ""
    return result_card(found, figures(distance), title=text(f"The two nearest rows of {found.of}{stored}"))


def energy_card(found: Energy) -> Html:
    both = {"‖A‖_F²": enclosed(found.total), "Σσ_i²": enclosed(found.sum)}
    return result_card(found, figures(both), title=text("The squares of the singular values add up to ‖A‖_F²"))


def tail_card(found: Tail) -> Html:
    k = found.k
    three = {
        f"σ_{k}": enclosed(found.singular_value),
        f"‖A‖_F/√{k}": enclosed(found.bound),
        f"Σσ_i² from i = {k} on": enclosed(found.energy),
    }
    return result_card(found, figures(three), title=text(f"σ_{k} is at most ‖A‖_F/√{k}"))

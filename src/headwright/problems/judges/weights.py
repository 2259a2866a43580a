"""The weights of heads whose scores are formulas: enclosed at one member of a family, bounded by rational functions over many.

A head knows the score f_t of each target and the score r of every other key, of which there are n - m. With differences alone,

    α_t = 1/(1 + Σ_{s≠t} e^{f_s - f_t} + (n-m) e^{r - f_t}),      Σ_t α_t = S/(S + n-m),  S = Σ_t e^{f_t - r}.

For two targets the total variation from one half each is (½-α_a)₊ + (½-α_b)₊ where α_a + α_b <= 1, so that it is at most e just
when α_a >= ½-e, α_b >= ½-e and α_a + α_b >= 1-e. All of it is increasing in the target's own score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import final

from headwright import balls
from headwright.balls import RationalFunction
from headwright.formulas import LogForm
from headwright.frozen import computed_once
from headwright.problems.judges.exponentials import exponential
from headwright.problems.judges.questions import Ask
from headwright.problems.judges.regions import Region

Function = RationalFunction
_FAR = 10**6  # e^-FAR is nothing beside any tolerance


@final
@dataclass(frozen=True)
class Head:
    """Scores of the targets and of every other key."""

    targets: tuple[LogForm, ...]
    rest: LogForm

    @computed_once
    def gaps(self) -> tuple[tuple[LogForm, ...], ...]:
        """For every target: how far the other targets are ahead of it, and last how far the other keys are."""
        return tuple(
            tuple(form - own for form in (*self.targets, self.rest) if form is not own) for own in self.targets
        )


def heads_of_length(ask: Ask, queries: Sequence[Mapping[str, LogForm]], length: Fraction) -> tuple[Head, ...]:
    """The heads of queries given by their coefficients, when the first key has this length."""
    return _heads(ask, tuple(tuple(query[name] for name in ask.basis) for query in queries), length)


@lru_cache(maxsize=32)
def _heads(ask: Ask, queries: tuple[tuple[LogForm, ...], ...], length: Fraction) -> tuple[Head, ...]:
    """Kept, since one answer is looked at for many members; forms are told apart by identity."""
    return tuple(Head((query[0] * length, *query[1 : ask.targets]), query[0] * ask.leaning) for query in queries)


def mean_weights(
    heads: Sequence[Head], n: int, values: Mapping[str, Fraction], *, bits: int
) -> list[balls.Ball] | None:
    """Balls around the mean weight of each target at one member; None where a score is not defined."""
    shares: list[list[balls.Ball]] = []
    for head in heads:
        own = [_share(gaps, n - len(head.targets), values, bits) for gaps in head.gaps]
        known = [share for share in own if share is not None]
        if len(known) < len(own):
            return None
        shares.append(known)
    with balls.precision(bits):
        return [balls.total(list(column)) / len(heads) for column in zip(*shares, strict=True)]


def _share(gaps: Sequence[LogForm], others: int, values: Mapping[str, Fraction], bits: int) -> balls.Ball | None:
    """1/(1 + Σ e^gap + others·e^{last gap}), also for scores so far apart that their exponentials have no ball."""
    enclosed = [gap.enclosure(values, bits=bits) for gap in gaps]
    if not all(ball.is_finite() for ball in enclosed):
        return None
    with balls.precision(bits):
        counted = list(zip(enclosed, [1] * (len(gaps) - 1) + [others], strict=True))
        tiny = balls.exact(0).union((-balls.exact(_FAR)).exp())
        if any(ball > _FAR for ball, count in counted if count):
            return tiny
        powers = [count * (tiny if ball < -_FAR else ball.exp()) for ball, count in counted if count]
        return 1 / (1 + balls.total(powers))


def room(ask: Ask, weights: Sequence[balls.Ball], epsilon: Fraction) -> list[balls.Ball]:
    """What must not be negative, for weights within the question's tolerance."""
    m = ask.targets
    if ask.each:
        return [weight - balls.exact(1 / (m + epsilon)) for weight in weights]
    e = epsilon / (m + epsilon)
    return [*(w - balls.exact(Fraction(1, m) - e) for w in weights), balls.total(list(weights)) - balls.exact(1 - e)]


def inequalities(
    ask: Ask, heads: Sequence[Head], region: Region, *, steps: int = 1, most: int | None = None
) -> list[Function]:
    """Functions of the region's symbols that must not be negative: each is a lower bound of what `room` speaks of."""
    shares = [_bounded(head, region, steps, most) for head in heads]
    least = [_mean([own[t] for own, _ in shares]) for t in range(ask.targets)]
    eps, m, one = region.symbols["eps"], Function.constant(ask.targets), Function.constant(1)
    if ask.each:
        return [share - one / (m + eps) for share in least]
    allowed = eps / (m + eps)
    together = _mean([total for _, total in shares])
    return [*(share - (one / m - allowed) for share in least), together - (one - allowed)]


def _mean(parts: Sequence[Function]) -> Function:
    total = Function.constant(0)
    for part in parts:
        total = total + part
    return total / Function.constant(len(parts))


def _bounded(head: Head, region: Region, steps: int, most: int | None) -> tuple[list[Function], Function]:
    """(a lower bound of each target's weight, one of their sum); 0 where no better one was found."""
    zero, one = Function.constant(0), Function.constant(1)
    others = region.symbols["n"] - Function.constant(len(head.targets))
    shares, total = [], zero
    for own in head.targets:
        parts = [
            one if form is own else exponential(form - own, region, steps=steps, most=most).upper
            for form in head.targets
        ]
        if not others.is_zero():
            outside = exponential(head.rest - own, region, steps=steps, most=most).upper
            # outside >= e^{r - f_t}, so 1/outside <= e^{f_t - r}
            parts.append(None if outside is None else others * outside)
            total = total if outside is None else total + one / outside
        whole = zero
        for part in parts:
            whole = whole if part is None else whole + part
        shares.append(zero if None in parts else one / whole)
    return shares, one if others.is_zero() else total / (total + others)

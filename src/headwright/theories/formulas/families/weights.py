"""The weights of heads whose scores are formulas: enclosed at one member of a family, bounded by rational functions on a part.

A head has a score f_t for each of m targets and a score r for each of the n - m other keys. In terms of their differences,

    α_t = 1/(1 + Σ_{s≠t} e^{f_s - f_t} + (n-m) e^{r - f_t}),      Σ_t α_t = S/(S + n-m),  S = Σ_t e^{f_t - r}.

For two targets the total variation from one half each is (½-α_a)₊ + (½-α_b)₊ where α_a + α_b <= 1, so that it is at most e if
and only if α_a >= ½-e, α_b >= ½-e and α_a + α_b >= 1-e. Each weight increases with the target's own score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from headwright.kernel import balls
from headwright.theories.formulas.families.exponentials import exponential
from headwright.theories.formulas.families.family import Head, QueryFamily
from headwright.theories.formulas.families.regions import Part
from headwright.theories.formulas.rational_functions import RationalFunction

Function = RationalFunction
FAR = 10**6  # scores further apart have no ball for their exponentials; e^-FAR is negligible beside any tolerance


def mean_weights(
    heads: Sequence[Head], n: int, values: Mapping[str, Fraction], *, bits: int
) -> list[balls.Ball] | None:
    """Balls around the mean weight of each target at one member; None if a score is not defined."""
    with balls.precision(bits):
        enclosed = [[[gap.enclosure(values, bits=bits) for gap in own] for own in head.gaps] for head in heads]
        if not all(ball.is_finite() for head in enclosed for own in head for ball in own):
            return None
        return mean_shares(enclosed, n)


def mean_shares(heads: Sequence[Sequence[Sequence[balls.Ball]]], n: int) -> list[balls.Ball]:
    """The mean weight of each target, from how far the other targets and last the other keys are ahead of it in each head."""
    shares = [[_share(gaps, n - len(head)) for gaps in head] for head in heads]
    return [balls.total(list(column)) / len(heads) for column in zip(*shares, strict=True)]


def _share(gaps: Sequence[balls.Ball], others: int) -> balls.Ball:
    """1/(1 + Σ e^gap + others·e^{last gap}), also for scores so far apart that their exponentials have no ball."""
    counted = list(zip(gaps, [1] * (len(gaps) - 1) + [others], strict=True))
    tiny = balls.exact(0).union((-balls.exact(FAR)).exp())
    if any(ball > FAR for ball, count in counted if count):
        return tiny
    powers = [count * (tiny if ball < -FAR else ball.exp()) for ball, count in counted if count]
    return 1 / (1 + balls.total(powers))


def room(
    family: QueryFamily, weights: Sequence[balls.Ball], epsilon: Fraction, slack: Fraction = Fraction(0)
) -> list[balls.Ball]:
    """Balls that must not be negative if the targets' weights are within the family's tolerance.

    `slack` relaxes the tolerance by that fraction; with vanishing noise it tightens it.
    """
    m, error = family.targets, family.error(epsilon)
    if family.each:
        return [weight - balls.exact(1 / (m + epsilon * (1 + slack))) for weight in weights]
    e = min(error * (1 - slack if family.vanishing else 1 + slack), (1 + error) / 2)
    return [*(w - balls.exact(Fraction(1, m) - e) for w in weights), balls.total(list(weights)) - balls.exact(1 - e)]


def inequalities(family: QueryFamily, heads: Sequence[Head], part: Part) -> list[Function]:
    """Functions of the part's symbols that must not be negative: each is a lower bound of a value of `room`."""
    shares = [_bounded(head, part) for head in heads]
    least = [_mean([own[t] for own, _ in shares]) for t in range(family.targets)]
    eps, m, one = part.symbols["eps"], Function.constant(family.targets), Function.constant(1)
    if family.each:
        return [share - one / (m + eps) for share in least]
    allowed = eps / (m + eps)
    together = _mean([total for _, total in shares])
    return [*(share - (one / m - allowed) for share in least), together - (one - allowed)]


def _mean(parts: Sequence[Function]) -> Function:
    return sum(parts, Function.constant(0)) / len(parts)


def _bounded(head: Head, part: Part) -> tuple[list[Function], Function]:
    """(a lower bound of each target's weight, one of their sum); 0 where no better one was found."""
    zero, one = Function.constant(0), Function.constant(1)
    others = part.symbols["n"] - Function.constant(len(head.targets))
    shares, total = [], zero
    for own in head.targets:
        parts = [one if form is own else exponential(form - own, part).upper for form in head.targets]
        if not others.is_zero():
            outside = exponential(head.rest - own, part).upper
            # outside >= e^{r - f_t}, so 1/outside <= e^{f_t - r}
            parts.append(None if outside is None else others * outside)
            total = total if outside is None else total + one / outside
        known = [size for size in parts if size is not None]
        shares.append(one / sum(known, zero) if len(known) == len(parts) else zero)
    return shares, one if others.is_zero() else total / (total + others)

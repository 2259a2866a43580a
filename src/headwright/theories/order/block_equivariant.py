"""Claim: a block commutes with permutations of its rows, f(Px) = P f(x) for every permutation P and every real x of shape (n, d).

The proof checks polynomial identities in x and the exponentials of its scores (`block_identities.py`) for two permutations, the
swap of two rows and the cycle of all. They suffice, because they generate every permutation, and what holds for π and σ and every
x holds for their product: f(x_πσ) = f(x_π)_σ = f(x)_πσ. If the identities fail, nothing is shown.

A refutation needs a witness, an input of floats and a permutation: if two entries of f(Px) and P f(x), as balls, certainly
differ, the claim is false. The claim is about exact arithmetic with the block's stored numbers. In floating point, sums are taken
in another order after a permutation, and the results may differ in the last bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np

from headwright.kernel import balls, budget, inputs
from headwright.kernel.claim import Claim, at_least
from headwright.kernel.verdict import Proved, Refuted, Verdict
from headwright.theories.order.block_identities import commutes
from headwright.theories.order.block_parts import BlockParts, sinusoidal_table
from headwright.theories.order.block_rows import BlockRows, Row

_BITS = (128, 512, 2048)
_MOST_TERMS = 8_000_000  # of polynomials that are multiplied: some seconds
_MOST_PRODUCTS = 3_000_000  # of balls, for one input


@final
@dataclass(frozen=True, eq=False)
class BlockEquivariant(Claim):
    """`block` on `tokens` rows commutes with all permutations of the rows. `input` (n, d) and `permutation` can refute it.

    The block is held in float64, its positions as the table of the first n rows; "sinusoidal" means the float64 table made here.

    >>> import numpy as np, headwright as hw
    >>> one = np.eye(2)[None]
    >>> hw.claims.BlockEquivariant(hw.Block(query=one, key=one, value=one, output=one), 3).prove().status
    'proved'
    """

    block: BlockParts
    tokens: int
    input: np.ndarray | None = None
    permutation: tuple[int, ...] | None = None
    kind: ClassVar[str] = "block-equivariant"
    unsaid: ClassVar[tuple[str, ...]] = ("activation", "norm_first", "norm_eps", "residual", "scale")

    def __post_init__(self) -> None:
        n = inputs.count(self.tokens, name="tokens", least=2)  # a single row cannot be permuted
        object.__setattr__(self, "tokens", n)
        object.__setattr__(self, "block", _settled(self.block, n))
        self.settle({"n": n, "d": self.width}, input="nd")
        if (self.input is None) != (self.permutation is None):
            raise ValueError("`input` and `permutation` must be given together: they are one witness")
        if self.permutation is not None:
            order = tuple(inputs.index(row, name="permutation") for row in self.permutation)
            if sorted(order) != list(range(n)):
                raise ValueError(f"`permutation` must hold each of the rows 0 to {n - 1} once")
            object.__setattr__(self, "permutation", order)

    @property
    def width(self) -> int:
        """The length of a row."""
        return int(self.block.query.shape[-1])

    def sentence(self) -> str:
        h, causal = len(self.block.query), "causal " if self.block.causal else ""
        return (
            f"the {causal}block of {h} head{'s'[: h - 1]} commutes with permutations: f(Px) = P f(x) for every permutation P of "
            f"{self.tokens} tokens and every x of shape ({self.tokens}, {self.width})"
        )

    def judge(self) -> Verdict:
        inputs.need_gradual_underflow()
        small = self.terms() <= _MOST_TERMS
        if small:
            self._count_identities()
        if small and all(commutes(self.block, order) for order in _generators(self.tokens)):
            return self._proved()
        if self.input is not None and self.permutation is not None and self.products() <= _MOST_PRODUCTS:
            for bits in _BITS:
                with balls.precision(bits):
                    refuted = self._difference(self.input, self.permutation)
                if refuted is not None:
                    return refuted
        why = (
            "the identities that would prove it fail" if small else "there are too many polynomials to check identities"
        )
        why += (
            ", and there is no witness against it"
            if self.input is None
            else ", and the witness against it shows nothing"
        )
        return self.undecided(why, "find an input and a permutation of its rows where the outputs differ")

    def _proved(self) -> Proved:
        return self.proved(
            scope=f"every real x of shape ({self.tokens}, {self.width}), in exact arithmetic with the block's stored numbers",
            reason="permuted rows have the permuted scores, hence the permuted exponentials, and every head's numerators and "
            "denominators agree; norms and feed-forward act row by row, on rows that are equal",
            method="polynomial identities with exact rational coefficients, exponentials as free variables, for the swap of two "
            "rows and the cycle of all, which generate every permutation",
        )

    def terms(self) -> int:
        """About how many terms of polynomials are multiplied: in scores, and in numerators times denominators."""
        (h, r, d), n = self.block.query.shape, self.tokens
        return int(2 * h * n * n * (r * d * d + n * d * (d + 1)))

    def _count_identities(self) -> None:
        """A term holds an exponent for each variable and a rational as long as three or four of the block's numbers."""
        variables = self.tokens * (self.width + 2)
        long = max(sum(map(int.bit_length, float(x).as_integer_ratio())) for part in self._extremes() for x in part)
        each = variables + 4 * long // 8 + 64
        budget.spend(variables * variables + self.terms() * (1000 + each + budget.product(4 * long, 4 * long)))
        budget.hold((self.width + 2) ** 2 * self.tokens**2 * each)

    def _extremes(self) -> list[tuple[float, float]]:
        """The largest and the smallest non-zero |entry| of every array."""
        sizes = [np.abs(array[array != 0]) for array in self.block.arrays().values()]
        return [(part.max(), part.min()) for part in sizes if part.size] or [(1.0, 1.0)]

    def products(self) -> int:
        """About how many products of balls one input takes."""
        (h, r, d), (v, n) = self.block.query.shape, (self.block.value.shape[1], self.tokens)
        hidden = 0 if self.block.inner is None else len(self.block.inner)
        return int(n * d * (h * (2 * r + 2 * v) + 2 * hidden) + h * n * n * (r + v + 1))

    def _difference(self, x: np.ndarray, order: tuple[int, ...]) -> Refuted | None:
        """Refuted at the entry with the largest certain difference of f(Px) and P f(x); None if no entry certainly differs."""
        hidden = 0 if self.block.inner is None else len(self.block.inner)
        exponentials = self.tokens * (len(self.block.query) * self.tokens + 8 * hidden + self.width)
        budget.spend(4 * self.products() * balls.unit_cost() + 2 * exponentials * balls.function_cost())
        budget.hold(2 * self.products())
        steps = BlockRows(self.block, balls.exact)
        rows = _each_exact(x)
        plain, moved = steps.results(rows), steps.results([rows[k] for k in order])
        best, place = Fraction(0), None
        for r, k in enumerate(order):
            for c in range(self.width):
                apart = balls.lower(abs(moved[r][c] - plain[k][c]))
                if apart is not None and apart > best:
                    best, place = apart, (r, c)
        if place is None:
            return None
        r, c = place
        return self.refuted(
            counterexample={
                "permutation": order,
                "input": x,
                "row": r,
                "column": c,
                "f(Px)": _ends(moved[r][c]),
                "P f(x)": _ends(plain[order[r]][c]),
            },
            **at_least("the two differ there by", best),
            scope="exact arithmetic with the block's stored numbers",
            reason=f"the output depends on the order of the rows, through {' and '.join(self._marks())}",
            method="both outputs in ball arithmetic; the two entries certainly differ",
        )

    def _marks(self) -> list[str]:
        """What can tell one row's place from another's."""
        marks = {"its positions": self.block.positions is not None, "the causal mask": self.block.causal}
        return [name for name, there in marks.items() if there]


def _settled(block: BlockParts, n: int) -> BlockParts:
    """The block with float64 arrays that hold the same numbers, and with exactly n positions."""
    held: dict[str, Any] = dict(block.arrays())
    if isinstance(block.positions, str):
        held["positions"] = sinusoidal_table(n, block.query.shape[-1])
    elif block.positions is not None:
        if len(block.positions) < n:
            raise ValueError(f"`tokens` is {n}, but `positions` has only {len(block.positions)} rows")
        held["positions"] = held["positions"][:n]
    return BlockParts.from_parts(held, block.fields())


def _generators(n: int) -> list[tuple[int, ...]]:
    """The swap of the first two rows, and the cycle of all."""
    return [(1, 0, *range(2, n)), (*range(1, n), 0)]


def _each_exact(x: np.ndarray) -> list[Row]:
    return [[balls.exact(entry) for entry in row] for row in x.tolist()]


def _ends(ball: balls.Ball) -> tuple[float, float]:
    """Floats on both sides of the ball."""
    low, high = balls.lower(ball), balls.upper(ball)
    assert low is not None, "a certain difference has finite ends"
    assert high is not None
    return balls.float_below(low), balls.float_above(high)

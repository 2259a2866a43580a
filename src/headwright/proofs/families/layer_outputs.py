"""Claim: maps Q, K, V given by formulas bring about wanted outputs as β, the length of orthogonal vectors, grows; or at one β.

In units of the vectors u the tokens are rows of whole numbers, every map is a matrix of forms in β, and row r scores
s_rj = β² x_rᵀQᵀK x_j. As β grows the tokens that no other leaves behind without bound keep the weight, and the claim holds
if and only if Σ_j α_rj V x_j tends to the wanted output, with u as the unit. A token that loses its weight must lose it faster
than V x_j may grow. At one β, ‖c_r - wanted‖ <= error·β is judged in balls, the error relaxed by the part `slack` of itself.
**Witness** of a refutation for large β: a row, a β at which its output is off, and an error that the output's limit misses too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self, final

import numpy as np

from headwright import arrays, balls, forms
from headwright.forms import FormulaError, Grid, LogForm, Node, OutOfClass
from headwright.proofs.claim import ASK_FURTHER_AWAY, OUT_OF_PRECISION, Claim
from headwright.proofs.families.family import NO_FORM
from headwright.proofs.families.layer_limits import RANGES, Row, Whole, output_less
from headwright.proofs.families.limits import defined_far_out
from headwright.proofs.families.low_rank_formula import grid
from headwright.verdict import Proved, Refuted, Verdict

_BITS = (256, 1024)
_MOST_DEGREE = 30
_MOST = 16
_MAPS = ("Q", "K", "V")


@final
@dataclass(frozen=True, eq=False)
class LayerOutputs(Claim):
    """`maps` are trees of Q, K, V over the vectors `basis`; `tokens` rows of whole numbers, `wanted` {row: whole numbers}.

    `beta` None: for every error from some β on; `row` and `far` show that it is not so. Otherwise at this β, to within `error`;
    `given` are arrays that the trees name.
    """

    basis: tuple[str, ...]
    tokens: Whole
    wanted: Mapping[int, tuple[int, ...]]
    maps: Mapping[str, Node]
    error: Fraction
    beta: Fraction | None = None
    slack: Fraction = Fraction(0)
    given: Mapping[str, np.ndarray] | None = None
    row: int | None = None
    far: Fraction | None = None
    kind: ClassVar[str] = "layer-outputs"

    def __post_init__(self) -> None:
        self.settle()
        d = len(self.basis)
        rows = (*self.tokens, *self.wanted.values())
        if not 1 <= d <= _MOST or not 1 <= len(self.tokens) <= _MOST or any(len(row) != d for row in rows):
            raise ValueError(f"`tokens` and `wanted` must be rows of {d} whole numbers, at most {_MOST} of them")
        if any(type(x) is not int for row in rows for x in row) or not {*self.wanted} <= {*range(len(self.tokens))}:
            raise TypeError("`tokens` and `wanted` must hold whole numbers, and `wanted` rows of the tokens")
        if {*self.maps} != {*_MAPS} or not self.wanted or not self.error > 0 or not 0 <= self.slack < 1:
            raise ValueError("`maps` must be Q, K and V, with an output wanted and a positive `error`")
        if (self.beta is not None and not self.beta > 0) or (self.far is not None and not self.far > 1):
            raise ValueError("`beta` must be positive, and `far` beyond 1")
        if (
            (self.row is None) != (self.far is None)
            or self.row not in (None, *self.wanted)
            or (self.row is not None and self.beta)
        ):
            raise ValueError("`row` and `far` must be given together, for a claim about large β")
        kept = {name: arrays.float64(x, name=name, ndim=2) for name, x in (self.given or {}).items()}
        object.__setattr__(self, "given", kept)
        names = {forms.plain_name(name) for name in self.basis}
        if {"beta", *names} & {*kept} or (kept and self.beta is None) or len(names) < d or "beta" in names:
            raise ValueError("`basis` and `given` must have names of their own, and `given` goes with one β")
        if not all(forms.names_in(tree) <= {"beta", *names, *kept} for tree in self.maps.values()):
            raise ValueError("`maps` must use the names of the basis and beta")

    def sentence(self) -> str:
        outputs = ", ".join(
            f"c_{row + 1} ≈ {self._spelled(whole)}" for row, whole in sorted(self.wanted.items(), reverse=True)
        )
        shown = ", ".join(f"{name} = {forms.spelled(self.maps[name])}" for name in _MAPS)
        tokens = ", ".join(f"x_{i + 1} = {self._spelled(whole)}" for i, whole in enumerate(self.tokens))
        return f"with the tokens {tokens} the outputs are {outputs}: {shown}"

    def _spelled(self, whole: tuple[int, ...]) -> str:
        terms = [
            f"{'-' if x < 0 else '+'} {abs(x) if abs(x) != 1 else ''}{u}"
            for x, u in zip(whole, self.basis, strict=True)
            if x
        ]
        return " ".join(terms).removeprefix("+ ") or "0"

    def scope(self) -> str:
        if self.beta is None:
            return f"all orthogonal {', '.join(self.basis)} of one length β, every error, from a value of β on"
        rounding = f", up to rounding (one part in {1 / self.slack})" if self.slack else ""
        return f"β = {arrays.show(self.beta)}; outputs to within {arrays.show(self.error)}·β in length{rounding}"

    def judge(self) -> Verdict:
        if self.beta is not None:
            return self._judged_at(self.beta)
        try:
            maps = {name: self._matrix(self.maps[name]) for name in _MAPS}
        except FormulaError as fault:
            return self._refuted({"fault": fault.message}, "the formula has no value")
        except NO_FORM as beyond:
            return self.undecided(
                f"the formulas are beyond what can be proved for all large β: {beyond}", "simpler factors"
            )
        every = [form for matrix in maps.values() for line in matrix for form in line]
        if self.row is not None:
            return self._missed(Row(self.tokens, self.wanted[self.row], maps, self.row))
        if defined_far_out(every, ["beta"], RANGES) and all(
            Row(self.tokens, self.wanted[r], maps, r).tends_to_wanted() for r in self.wanted
        ):
            return Proved(
                self.sentence(), scope=self.scope(), method="limits of the differences of the scores", record=self
            )
        return self.undecided("the limit of the outputs was not found", "use simpler factors")

    def _matrix(self, tree: Node) -> list[list[LogForm]]:
        """The map on the span, in the orthonormal vectors u/β: β²·c_ij for c_ij u_i u_jᵀ, and c on the diagonal for c·I."""
        forms.need_degree(tree, _MOST_DEGREE)
        square = LogForm.symbol("beta") * LogForm.symbol("beta")
        entries, identity = forms.matrix_on(tree, self.basis, square, RANGES)
        return [[entries[i, j] * square + (identity if i == j else 0) for j in self.basis] for i in self.basis]

    def _missed(self, row: Row) -> Verdict:
        assert self.far is not None
        missed = row.off(self.far)
        if missed is None or not missed > balls.exact(self.error) or not row.stays_off(self.error):
            return self.undecided(
                "the output given is not certainly off for good", "look at another row, or further out"
            )
        off = balls.lower(missed) or Fraction(0)
        point = {"β": str(self.far), "output": f"c_{row.row + 1}", "off by": f"{float(off):.4g}·β"}
        return self._refuted(point, "the limit of the output, and the output there in balls")

    def _judged_at(self, beta: Fraction) -> Verdict:
        for bits in _BITS:
            with balls.precision(bits):
                try:
                    maps = {name: self.value(name) for name in _MAPS}
                    offs = {row: self._off_at(maps, row) for row in self.wanted}
                except OutOfClass:
                    continue
                except FormulaError as fault:
                    return self._refuted({"fault": fault.message}, "the formula has no value there")
                allowed = balls.exact((self.error * (1 + self.slack)) ** 2)
                method = f"scores and values in balls of {bits} bits"
                for row, square in offs.items():
                    if square > allowed:
                        point = {
                            "β": arrays.show(beta),
                            "output": f"c_{row + 1}",
                            "off by": f"{float(square.sqrt().mid()):.3g}·β",
                        }
                        return self._refuted(point, method)
                if all(square <= allowed for square in offs.values()):
                    return Proved(self.sentence(), scope=self.scope(), method=method, record=self)
        return self.undecided(OUT_OF_PRECISION, ASK_FURTHER_AWAY)

    def value(self, name: str) -> Grid:
        """A map at this β, in orthonormal coordinates, at the precision in force; FormulaError or OutOfClass."""
        assert self.beta is not None
        d = len(self.basis)
        units = {u: forms.column([self.beta * (i == j) for i in range(d)]) for j, u in enumerate(self.basis)}
        named: dict[str, Any] = {key: grid(x) for key, x in (self.given or {}).items()}
        found = forms.at_point(self.maps[name], {**units, **named, "beta": self.beta}, size=d)
        return found if isinstance(found, tuple) else ((found,),)

    def offs(self) -> dict[int, float]:
        """How far each output is off, over β, as a float64 near it; FormulaError or OutOfClass."""
        with balls.precision(_BITS[0]):
            maps = {name: self.value(name) for name in _MAPS}
            return {row: float(self._off_at(maps, row).sqrt().mid()) for row in self.wanted}

    def _off_at(self, maps: Mapping[str, Grid], row: int) -> balls.Ball:
        """‖c_r - wanted‖²/β², for maps in orthonormal coordinates."""
        assert self.beta is not None
        if len(maps["V"]) != len(self.basis) or len(maps["Q"]) != len(maps["K"]):
            raise FormulaError("The maps do not fit each other.")
        beta = balls.exact(self.beta)
        images = {name: [_image(maps[name], token) for token in self.tokens] for name in _MAPS}
        scores = [
            beta * beta * balls.total([a * b for a, b in zip(images["Q"][row], key, strict=True)])
            for key in images["K"]
        ]
        return balls.total([x * x for x in output_less(scores, images["V"], self.wanted[row])])

    def _refuted(self, point: dict[str, str], method: str) -> Refuted:
        return Refuted(self.sentence(), scope=self.scope(), counterexample=point, method=method, record=self)

    def arrays(self) -> dict[str, np.ndarray]:
        return dict(self.given or {})

    def fields(self) -> dict[str, Any]:
        numbers = {
            name: None if (x := getattr(self, name)) is None else str(x) for name in ("error", "beta", "slack", "far")
        }
        return {
            "basis": list(self.basis),
            "tokens": [list(token) for token in self.tokens],
            "wanted": {str(row): list(whole) for row, whole in self.wanted.items()},
            "maps": {name: forms.to_lists(tree) for name, tree in self.maps.items()},
            "row": self.row,
            **numbers,
        }

    @classmethod
    def from_parts(cls, stored: Mapping[str, np.ndarray], fields: Mapping[str, Any]) -> Self:
        def number(name: str) -> Any:
            return None if fields[name] is None else arrays.rational(fields[name], name=name)

        return cls(
            tuple(str(name) for name in fields["basis"]),
            tuple(tuple(token) for token in fields["tokens"]),
            {int(row): tuple(whole) for row, whole in fields["wanted"].items()},
            {name: forms.from_lists(tree) for name, tree in fields["maps"].items()},
            number("error"),
            number("beta"),
            number("slack"),
            dict(stored),
            fields["row"],
            number("far"),
        )


def _image(matrix: Grid, token: tuple[int, ...]) -> list[balls.Ball]:
    if len(matrix[0]) != len(token):
        raise FormulaError("A map does not fit the tokens.")
    return [balls.total([forms.ball(x) * t for x, t in zip(row, token, strict=True) if t]) for row in matrix]

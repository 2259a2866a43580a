"""readings: every formula that a text may stand for. parse: the one that it stands for."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from headwright.reading.formulas.conditions import Condition, after_equals, conditions, divided
from headwright.reading.formulas.error_pictures import marked
from headwright.reading.formulas.formula import Formula
from headwright.reading.formulas.grammar import read_tokens
from headwright.reading.formulas.kinds import UNKNOWN
from headwright.reading.formulas.part_readings import Reading
from headwright.reading.formulas.symbols import Symbols
from headwright.reading.formulas.tokens import MOST_READINGS, Token, token_lists, too_many
from headwright.theories.formulas.forms import FormulaError
from headwright.theories.formulas.forms.trees import MOST_DEPTH, parts


def readings(text: str, symbols: Symbols) -> tuple[Formula, ...]:
    """Every reading of a text that the rules of notation leave and whose parts fit together; FormulaError if there is none.

    >>> symbols = Symbols({"n": "number", "eps": "number", "k_1": "column"}, answer="q")
    >>> [formula.shown for formula in readings(r"q = 2 \\ln(n/\\epsilon) k_1", symbols)]
    ['2·ln(n/ε)·k_1']
    >>> [formula.shown for formula in readings("log n/eps k_1", symbols)]
    ['ln(n/ε)·k_1', 'ln(n)/ε·k_1']
    """
    found: list[tuple[Reading, tuple[Condition, ...]]] = []
    faults: list[FormulaError] = []
    for tokens in token_lists(text, symbols):
        try:
            found += _read(text, tokens, symbols)
        except FormulaError as fault:
            faults.append(fault)
    if not found:
        raise (
            faults[0] if faults else marked("This cannot be read. Put brackets around what belongs together.", text, 0)
        )
    fit = [one for one in found if one[0].fault is None]
    if not fit:
        at, message = found[0][0].fault or (0, "")
        raise marked(message, text, at)
    wanted = [one for one in fit if symbols.kind in (UNKNOWN, one[0].kind) or one[0].kind == UNKNOWN] or fit
    unlike: list[Formula] = []
    for reading, said in wanted:
        if all(reading.node != other.root for other in unlike):
            unlike.append(Formula(text, reading.node, frozenset(symbols.names), said))
    if len(unlike) > MOST_READINGS:
        raise too_many(text, 0)
    for formula in unlike:
        _need_shallow(formula)
    return tuple(unlike)


def parse(
    text: str,
    *,
    names: Collection[str],
    functions: Collection[str] = (),
    hints: Mapping[str, str] | None = None,
) -> Formula:
    """Read a text as a formula over these names; FormulaError if it is not one, or if it can be read in two ways.

    `functions` are those that only some questions have, such as svd_part.
    `hints` maps names that the question does not have, but writers may expect, to what the error should say.
    The constants pi, e and I (the identity matrix) are always known, unless the question uses that name for something else.

    >>> parse("2 log(n/eps) k_1", names=["k_1", "n", "eps"]).shown
    '2·ln(n/ε)·k_1'
    >>> parse("log n/eps", names=["n", "eps"])
    Traceback (most recent call last):
    headwright.theories.formulas.forms.faults.FormulaError: This can be read in two ways: ln(n/ε) or ln(n)/ε. Add brackets.
        log n/eps
        ^
    """
    symbols = Symbols(dict.fromkeys(names, UNKNOWN), functions, hints or {})
    found = readings(text, symbols)
    if len(found) > 1:
        ways = f"{found[0].shown} or {found[1].shown}"
        raise marked(f"This can be read in two ways: {ways}. Add brackets.", text, found[0].root.at)
    return found[0]


def _read(text: str, tokens: list[Token], symbols: Symbols) -> list[tuple[Reading, tuple[Condition, ...]]]:
    tokens = after_equals(text, tokens, symbols.answer)
    tokens, behind = divided(text, tokens, symbols)
    found = read_tokens(text, tokens, symbols)
    said = conditions(text, behind, symbols, lambda value: read_tokens(text, value, symbols))
    return [(reading, said) for reading in found]


def _need_shallow(formula: Formula) -> None:
    """FormulaError for a tree that is too deep for recursion, found without recursion."""
    level, depth = [formula.root], 0
    while level:
        depth += 1
        if depth > MOST_DEPTH:
            raise formula.wrong(level[0], f"This part is nested more than {MOST_DEPTH} deep.")
        level = [part for node in level for part in parts(node)]

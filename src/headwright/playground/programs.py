"""A compiled model for the page: its program, proved steps and weights as JSON, and what it computes on a word that was typed."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from headwright.frozen import computed_once
from headwright.layer import counted
from headwright.program_meaning import Undefined, Value, registers
from headwright.program_steps import FIRST, INDICES, TOKENS, WrittenProgram
from headwright.programs import Model, ProvedStep
from headwright.programs.words import step_in_words
from headwright.proofs.program_walk import Place, Walk
from headwright.proofs.runs_program import begin, block_writes, one_part

# Letters of JSON. With the page's own code, which has some 300,000, a single file stays below half a megabyte.
MOST_TEXT = 150_000
# Tokens of the word that is there at the start: enough to see a pattern, and few enough to read.
FIRST_TOKENS = 8


def program_traits(model: Model, word: Sequence[str] | None = None) -> dict[str, Any]:
    """What the page is given about a model: everything that does not depend on a word, and the word to begin with.

    `weights` is None if the model is too large to travel with the page; `too_large` then says so. The page computes nothing then.

    >>> import headwright as hw
    >>> p = hw.Program("abcd", length=10)
    >>> traits = program_traits(hw.compile(p, p.count(p.tokens.matches(p.tokens))), "abacad")
    >>> traits["sentence"], traits["heads"][0]["words"]
    ('Proved for every word of up to 10 tokens. The error is at most 0.2465.', 'count keys whose token is my token')
    """
    if not isinstance(model, Model):
        raise TypeError(f"`model` must be a compiled program (Model), got {type(model).__name__}")
    page = _Page(model)
    written, weights = model.program.to_dict(), {name: _packed(own) for name, own in page.weights().items()}
    registers = page.registers()
    size = len(json.dumps([written, weights, registers]))
    too_large = None
    if size > MOST_TEXT:
        too_large = (
            f"This model takes {size / 1000:,.0f} kB, and a page holds at most {MOST_TEXT // 1000} kB, "
            "so the page cannot run it without Python."
        )
        registers = [{**own, "codes": None} for own in registers]  # only a page that runs the model decodes its columns
    return {
        "output": model.program.name(model.claim.output),
        "vocabulary": written["vocabulary"],
        "length": written["length"],
        "causal": written["causal"],
        "about": page.about(),
        "status": model.verdict.status,
        "sentence": page.sentence(),
        "claim": str(model.verdict),
        "word": list(model.program.word(word)) if word is not None else _first_word(model),
        "registers": registers,
        "heads": page.heads(),
        "written": None if too_large else written,
        "weights": None if too_large else weights,
        "too_large": too_large,
    }


def program_answer(model: Model, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What the library says about the word of `asked`, {"number", "word"}: output, registers and attention, or the problem.

    >>> import headwright as hw
    >>> p = hw.Program("abcd", length=10)
    >>> model = hw.compile(p, p.count(p.tokens.matches(p.tokens)))
    >>> program_answer(model, {"number": 3, "word": ["a", "b", "a"]})["output"]
    [2, 1, 2]
    >>> program_answer(model, {"number": 4, "word": ["z"]})["problem"]
    "`word` must be made of tokens of the vocabulary, but position 0 holds 'z'"
    """
    number, word = asked.get("number"), asked.get("word")
    made: dict[str, Any] = {"number": number, "word": word, "output": None, "registers": None, "attention": None}
    if not isinstance(word, list) or not all(type(token) is str for token in word):
        return {**made, "problem": "`word` must be a list of tokens"}
    try:
        says = registers(model.program.written(), word, model.claim.output)
    except Undefined as undefined:
        return {**made, "problem": undefined_in_words(model, undefined)}
    except ValueError as fault:
        return {**made, "problem": str(fault)}
    page = _Page(model)
    return {
        **made,
        "output": [_plain(value) for value in model(word)],
        "registers": page.values(word, says),
        "attention": [_packed(own, np.float32) for own in page.attention(word)],
        "problem": None,
    }


def undefined_in_words(model: Model, undefined: Undefined) -> str:
    """Why the program has no value on a word."""
    values = undefined.values
    why = f"the selected keys hold {' and '.join(map(repr, values[:2]))}" if values else "no key is selected"
    name = model.program.name(undefined.register)
    return f"The program is undefined on this word: {name} has no value at position {undefined.position}, because {why} there."


def _first_word(model: Model) -> list[str]:
    """A short word on which the program is defined and has several values, if one of those tried is such a word."""
    own = model.program.written()
    size = min(own.length, FIRST_TOKENS)
    rng = np.random.default_rng(0)
    tries = [[own.vocabulary[k % len(own.vocabulary)] for k in (0, 1, 0, 2, 0, 3, 1, 0)[:size]]]
    tries += [[own.vocabulary[k] for k in rng.integers(0, len(own.vocabulary), size)] for _ in range(50)]
    tries += [[token] * size for token in own.vocabulary[:5]]
    values = [_how_many_values(model, word) for word in tries]
    return tries[values.index(2)] if 2 in values else tries[values.index(max(values))]


def _how_many_values(model: Model, word: list[str]) -> int:
    """0 if the program is undefined on the word, 1 if it has one value throughout, and 2 if it has more."""
    try:
        return min(2, len(set(model.program.run(word, model.output))))
    except Undefined:
        return 0


class _Page:
    """The parts of a model that a page shows, in the order in which the program has them."""

    def __init__(self, model: Model) -> None:
        self.model, self.claim = model, model.claim
        self.written: WrittenProgram = model.program.written()

    def about(self) -> str:
        own = self.model
        heads = sum(place.head is not None for place in own.layout)
        kind = "real arithmetic" if own.claim.dtype == "real" else own.claim.dtype
        mask = "causal mask" if self.written.causal else "no mask"
        return (
            f"{counted(len(own.blocks), 'block')}, {counted(heads, 'head')}, width {own.embedding.shape[1]}, "
            f"{own.parameters:,} parameters, {mask}, {kind}"
        )

    def sentence(self) -> str:
        tokens = counted(self.written.length, "token")
        verdict = self.model.verdict
        if verdict.status != "proved":
            return f"{verdict.status.capitalize()} for words of up to {tokens}."
        bound = verdict.to_dict()["bound"].rsplit("at most ", 1)[-1]
        return f"Proved for every word of up to {tokens}. The error is at most {bound}."

    def weights(self) -> dict[str, np.ndarray]:
        held = {name: array for name, array in self.claim.weights.items() if name != "basis"}
        basis = self.claim.weights.get("basis")
        # What reads the columns of the layout from the stream, where the stream has another basis.
        return held if basis is None else held | {"reader": np.linalg.pinv(basis)}

    @computed_once
    def places(self) -> list[tuple[ProvedStep, np.ndarray | None]]:
        """Each place with what is proved of it, and the code of each label of its register, or None for a number."""
        codes = _codes(self.model) if self.model.steps else {}
        return [(own, codes[own.place]) for own in self.model.steps]

    def shown(self, register: int) -> tuple[ProvedStep, np.ndarray | None] | None:
        """The place from which a register is read: the last one that is written."""
        found = [pair for pair in self.places if pair[0].place.register == register]
        return found[-1] if found else None

    def registers(self) -> list[dict[str, Any]]:
        made = []
        for register in self.written.needed(self.claim.output):
            values, found = self.written.values[register], self.shown(register)
            row: dict[str, Any] = {
                "number": register,
                "name": self.model.program.name(register),
                "words": _meaning(self.written, register, self.model.program.name),
                "labels": None if values.labels is None else list(values.labels),
                "columns": None,
                "codes": None,
                "error": None,
            }
            if found is not None:
                row["columns"], row["error"] = list(found[0].place.columns), found[0].error
                row["codes"] = None if found[1] is None else _packed(found[1])
            made.append(row)
        return made

    def heads(self) -> list[dict[str, Any]]:
        return [
            {
                "register": own.place.register,
                "name": self.model.program.name(own.place.register),
                "words": self.model.step(own.place),
                "kind": self.written.step(own.place.register).kind,
                "default": self.written.step(own.place.register).default is not None,
                "block": own.place.block,
                "head": own.place.head,
                "leak": own.leak,
                "error": own.error,
                "rank": own.rank,
            }
            for own, _ in self.places
            if own.place.head is not None
        ]

    def attention(self, word: Sequence[str]) -> list[np.ndarray]:
        """The weights of each head of `heads`, in that order."""
        streams = self.model.streams(word)
        every = [np.asarray(block.attention(x)) for block, x in zip(self.model.blocks, streams, strict=False)]
        places = [own.place for own, _ in self.places]
        return [every[place.block][place.head] for place in places if place.head is not None]

    def values(self, word: Sequence[str], says: Mapping[int, list[Value]]) -> list[dict[str, Any]]:
        """Each register of `registers`: what the program says, what the model holds, and how far its columns are off the code."""
        stream = self.model.streams(word)[-1][1:].astype(np.float64)
        if "basis" in self.claim.weights:
            stream = stream @ np.linalg.pinv(self.claim.weights["basis"]).T
        made = []
        for register in self.written.needed(self.claim.output):
            said, found = says[register], self.shown(register)
            row: dict[str, Any] = {"says": [_plain(value) for value in said], "holds": None, "off": None}
            if found is not None:
                place, codes = found[0].place, found[1]
                held = stream[:, list(place.columns)]
                if codes is None:
                    row["holds"] = [float(x) for x in held[:, 0]]
                    row["off"] = [abs(float(x) - float(Fraction(v))) for x, v in zip(held[:, 0], said, strict=True)]
                else:
                    labels = self.written.values[register].labels or ()
                    away = np.abs(held[:, None, :] - codes).max(axis=2)
                    row["holds"] = [_plain(labels[k]) for k in away.argmin(axis=1)]
                    row["off"] = [float(away[i, labels.index(v)]) for i, v in enumerate(said)]
            made.append(row)
        return made


def _codes(model: Model) -> dict[Place, np.ndarray | None]:
    """What the columns of each place should hold for each label: (labels, columns); None for a number in one column.

    The proof knows a box for each label. Where the box lies around a one-hot row or the number itself, that is the code. A raw
    count has no other code than the middle of its box.
    """
    claim = model.claim
    made: dict[Place, np.ndarray | None] = {}
    with np.errstate(all="ignore"):
        walk = begin(claim.program, claim.layout, claim.weights, claim.dtype)
        for place in claim.layout:
            if place.block < 0:
                held = walk.held[place.register]
                made[place] = held.boxes.middle[:, [held.columns.index(column) for column in place.columns]]
        for number, block in enumerate(claim.blocks):
            for heads in (True, False):
                for place in claim.layout:
                    if place.block == number and (place.head is not None) == heads:
                        written = one_part(walk, block, place)
                        made[place] = None if written.error is not None else _code(walk, place, written.boxes)
                walk.write(*block_writes(walk, block, number, heads=heads))
    return made


def _code(walk: Walk, place: Place, boxes: Any) -> np.ndarray | None:
    values = walk.program.values[place.register]
    labels = values.labels or ()
    codes = [np.eye(len(labels))]
    number = np.array([[float(label)] for label in labels]) if values.numeric else np.empty((0, 1))
    if values.numeric:
        codes += [number, np.hstack([codes[0], number]), np.hstack([number, codes[0]])]
    raw = walk.program.step(place.register).kind == "count" and place.head is not None
    fitting = [] if raw else [code for code in codes if code.shape == boxes.middle.shape]
    best = min(fitting, key=lambda code: float(boxes.distance(code).max()), default=np.asarray(boxes.middle))
    # One column that holds the number itself is shown as a number, not as the nearest label.
    return None if values.numeric and np.array_equal(best, number) else best


def _meaning(program: WrittenProgram, register: int, name: Any) -> str:
    told = {TOKENS: "the tokens of the word", INDICES: "positions, counted from 0"}
    return told[register] if register < FIRST else step_in_words(program, register, name)


def _packed(array: np.ndarray, kind: Any = np.float64) -> dict[str, Any]:
    """The numbers as base64 of little-endian floats, which keeps every bit and is shorter than digits."""
    held = np.ascontiguousarray(array, dtype=np.dtype(kind).newbyteorder("<"))
    return {"shape": list(held.shape), "data": base64.b64encode(held.tobytes()).decode("ascii")}


def _plain(value: Any) -> Any:
    """A value for JSON: a fraction as text such as "1/3" in a list, which no label is."""
    return [str(value)] if isinstance(value, Fraction) else value

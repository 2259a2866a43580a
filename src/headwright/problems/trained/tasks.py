"""Two tasks for a block to learn, copying one value and averaging two, and the files of blocks that learned them.

A sequence is LENGTH value tokens followed by the asking token. Token t carries a value (WIDTH numbers) in its first coordinates.
The asking token has a 1 in coordinate WIDTH + t for every place t that it asks for. The first WIDTH numbers of the block's last
row should be the value at that place (copy), or the mean of the values at the two places (average). Tokens do not carry their
places. These come from the block's positions.

Values are multiples of 1/64 and stored parameters, including positions, multiples of 1/4096, and all are small. So float64 holds
queries and keys without rounding (`Learned.is_exact`), and a certificate about them is about the block itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, final

import numpy as np

from headwright.kernel import inputs
from headwright.kernel.goals import Average, Copy, Goal
from headwright.words.block import Block

LENGTH = 12
WIDTH = 4
DIM = 32
CLOSE = 0.1  # an answer is right when each of its WIDTH numbers is this close
STEP = 2.0**-12  # stored parameters are multiples of this
WEIGHTS = Path(__file__).parent  # the embedded blocks
_FORMAT = "headwright block 1"


@final
@dataclass(frozen=True, eq=False)
class Sequences:
    """tokens (count, LENGTH + 1, DIM), the places asked for (count, asked), and the wanted values (count, WIDTH)."""

    tokens: np.ndarray
    places: np.ndarray
    wanted: np.ndarray


@final
@dataclass(frozen=True)
class Task:
    """`asked` places per sequence: 1 is copying, 2 averaging.

    >>> drawn = AVERAGE.draw(3, seed=0)
    >>> bool((drawn.tokens[0, drawn.places[0], :WIDTH].mean(axis=0) == drawn.wanted[0]).all())
    True
    """

    name: str
    asked: int

    def draw(self, count: int, *, seed: int | tuple[int, ...]) -> Sequences:
        """`count` sequences; every set of places is equally likely, values are uniform on [-1, 1]."""
        inputs.count(count, name="count", least=1)
        rng = np.random.default_rng(seed)
        tokens = np.zeros((count, LENGTH + 1, DIM))
        tokens[:, :LENGTH, :WIDTH] = rng.integers(-64, 65, (count, LENGTH, WIDTH)) / 64
        places = np.argsort(rng.random((count, LENGTH)), axis=1)[:, : self.asked]
        rows = np.arange(count)[:, None]
        tokens[rows, LENGTH, WIDTH + places] = 1.0
        return Sequences(tokens, places, tokens[rows, places, :WIDTH].mean(axis=1))

    def goal(self, places: np.ndarray) -> Goal:
        """The goal of the asking row in a head that does the task."""
        indices = sorted(int(place) for place in places)
        return Copy(indices[0]) if len(indices) == 1 else Average(*indices)

    def accuracy(self, block: Block, drawn: Sequences) -> float:
        """The share of sequences that `block` answers correctly: each number within CLOSE of the wanted one."""
        answers = block(drawn.tokens)[:, -1, :WIDTH]
        return float((np.abs(answers - drawn.wanted) <= CLOSE).all(axis=1).mean())

    def errors(self, block: Block, drawn: Sequences) -> np.ndarray:
        """Total variation (count, h) of each head's asking row from the goal, in floating point."""
        goals = np.zeros((len(drawn.tokens), LENGTH + 1))
        np.put_along_axis(goals, drawn.places, 1 / self.asked, axis=1)
        off: np.ndarray = np.abs(block.attention(drawn.tokens)[:, :, -1, :] - goals[:, None, :]).sum(axis=-1) / 2
        return off


COPY = Task("copy", 1)
AVERAGE = Task("average", 2)
TASKS = {task.name: task for task in (COPY, AVERAGE)}
LESSONS = ((COPY, 1), (AVERAGE, 1), (AVERAGE, 2))  # a task and its number of heads, learned from each of SEEDS
SEEDS = (0, 1, 2)


@final
@dataclass(frozen=True, eq=False)
class Learned:
    """A block that learned `task`, with its training recipe in words and numbers, as stored in its file."""

    block: Block
    task: Task
    recipe: Mapping[str, Any]

    @property
    def is_exact(self) -> bool:
        """Whether float64 computes queries and keys on drawn tokens without rounding.

        All terms are multiples of STEP²; a sum of such terms, in any order, is exact while it stays below 2^53 STEP².
        """
        held = self._held()
        largest = {name: float(np.abs(array).max()) for name, array in held.items()}
        on_grid = all((array / STEP == np.round(array / STEP)).all() for array in held.values())
        tokens = 1.0 + largest.get("positions", 0.0)
        maps = max(largest["query"], largest["key"])
        biases = max(largest.get("query_bias", 0.0), largest.get("key_bias", 0.0))
        return on_grid and self.block.norm_scale is None and DIM * maps * tokens + biases < 2**53 * STEP**2

    def _held(self) -> dict[str, np.ndarray]:
        return {name: inputs.float64(array, name=name, ndim=array.ndim) for name, array in self.block.arrays().items()}

    def save(self, path: str | Path) -> None:
        """Write a safetensors file: float32 arrays, and the rest as JSON in its metadata."""
        from safetensors.numpy import save

        stored = {name: array.astype(np.float32) for name, array in self._held().items()}
        for name, array in self._held().items():
            if (stored[name] != array).any():
                raise ValueError(f"`{name}` of the block must hold float32 numbers, as its file does: round them first")
        described = {
            "format": _FORMAT,
            "task": self.task.name,
            "recipe": dict(self.recipe),
            "settings": self.block.fields(),
        }
        draft = Path(path).with_suffix(".draft")
        # A single entry, since safetensors does not keep their order: equal blocks give equal bytes.
        draft.write_bytes(save(stored, metadata={"block": json.dumps(described, sort_keys=True)}))
        draft.replace(path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The block in the file; ValueError if it does not hold one. Nothing in the file is ever executed."""
        from safetensors import SafetensorError, safe_open

        if not Path(path).is_file():
            raise FileNotFoundError(f"`path` {path} is not a file")
        try:
            with safe_open(path, framework="numpy") as file:
                metadata = dict(file.metadata() or {})
                stored = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            described = json.loads(metadata.get("block", "{}"))
            if described.get("format") != _FORMAT:
                raise ValueError(f"its format is {described.get('format')!r}, not {_FORMAT!r}")
            block = Block.from_parts(stored, described["settings"])
            return cls(block, TASKS[described["task"]], described["recipe"])
        except (SafetensorError, AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"`path` {path} does not hold a learned block: {error}") from error


def file_name(task: Task, heads: int, seed: int) -> str:
    """The name of the file of the block that learned `task` from `seed`.

    >>> file_name(AVERAGE, 2, 0)
    'average_2_heads_0.safetensors'
    """
    return f"{task.name}_{heads}_head{'s' if heads > 1 else ''}_{seed}.safetensors"

"""train: a Block learns a task by gradient descent; stopped at any moment, it goes on where its last checkpoint was.

What is trained is `Block` itself, its parameters being torch tensors; the gradient is torch's. At the end the parameters are
rounded to multiples of STEP, so that proofs can speak of them without a rounding error.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from headwright import arrays
from headwright.block import Block
from headwright.learning.recipe import Recipe
from headwright.learning.state import State
from headwright.optional import need
from headwright.tasks import STEP, TASKS, WIDTH, Learned, Task, file_name

Report = Callable[[int, int, float], None]  # steps done, steps in all, latest loss
_EVERY = 100  # steps between checkpoints, and between reports
_DECAY = (0.9, 0.99)
_TINY = 1e-8


def train(
    task: str | Task,
    *,
    seed: int,
    recipe: Recipe | None = None,
    folder: str | Path | None = None,
    report: Report | None = None,
    until: int | None = None,
) -> Learned:
    """A Block trained on `task` ("copy" or "average") from `seed`; needs the extra `torch`.

    With `folder`, checkpoints are kept there, training goes on from the last one, and the result is written there; a result
    of the same recipe that is there already is returned. `until` stops after that many steps, as if the run had been killed.
    """
    task = _task(task)
    seed, recipe = arrays.count(seed, name="seed"), recipe or Recipe()
    told = {"seed": seed, **recipe.to_dict()}
    target = None if folder is None else Path(folder) / file_name(task, recipe.heads, seed)
    partial = None if target is None else target.with_suffix(".partial")
    if target is not None and target.is_file():
        done = Learned.load(target)
        if {**done.recipe, "final loss": None} == {**told, "final loss": None}:
            return done
    state = (None if partial is None else State.load(partial, told)) or State.begin(recipe.start(seed))
    last = recipe.steps if until is None else min(until, recipe.steps)
    while state.step < last:
        state = _advance(task, seed, recipe, state, min(state.step + _EVERY, last))
        if partial is not None:
            partial.parent.mkdir(parents=True, exist_ok=True)
            state.save(partial, told)
        if report is not None:
            report(state.step, recipe.steps, float(state.losses[-1]))
    learned = _finished(task, state, told)
    if target is not None and partial is not None and last == recipe.steps:
        learned.save(target)
        partial.unlink(missing_ok=True)
    return learned


def _task(task: str | Task) -> Task:
    if isinstance(task, Task):
        return task
    if task not in TASKS:
        raise ValueError(f"`task` must be one of {', '.join(TASKS)}, got {task!r}")
    return TASKS[task]


def _advance(task: Task, seed: int, recipe: Recipe, state: State, until: int) -> State:
    """The state after step `until`."""
    torch = need("torch", extra="torch")
    parameters = {name: torch.tensor(array, requires_grad=True) for name, array in state.parameters.items()}
    first, second = ({name: torch.tensor(a) for name, a in part.items()} for part in (state.first, state.second))
    block = Block(**parameters)
    losses = []
    for step in range(state.step, until):
        drawn = task.draw(recipe.batch, seed=(seed, 1, step))
        answers = block(torch.tensor(drawn.tokens, dtype=torch.float32))[:, -1, :WIDTH]
        loss = ((answers - torch.tensor(drawn.wanted, dtype=torch.float32)) ** 2).mean()
        slopes = torch.autograd.grad(loss, list(parameters.values()))
        with torch.no_grad():
            for name, slope in zip(parameters, slopes, strict=True):
                _adam(parameters[name], first[name], second[name], slope, step, recipe.rate_at(step))
        losses.append(loss.item())
    held = [{name: t.detach().numpy() for name, t in part.items()} for part in (parameters, first, second)]
    return State(until, held[0], held[1], held[2], np.concatenate([state.losses, np.array(losses, dtype=np.float32)]))


def _adam(parameter: Any, first: Any, second: Any, slope: Any, step: int, rate: float) -> None:
    """One step of Adam (Kingma and Ba), in place."""
    first.mul_(_DECAY[0]).add_(slope, alpha=1 - _DECAY[0])
    second.mul_(_DECAY[1]).addcmul_(slope, slope, value=1 - _DECAY[1])
    mean = first / (1 - _DECAY[0] ** (step + 1))
    size = (second / (1 - _DECAY[1] ** (step + 1))).sqrt_()
    parameter.addcdiv_(mean, size.add_(_TINY), value=-rate)


def _finished(task: Task, state: State, told: dict[str, Any]) -> Learned:
    rounded: dict[str, Any] = {
        name: np.round(array.astype(np.float64) / STEP) * STEP for name, array in state.parameters.items()
    }
    final = float(state.losses[-_EVERY:].mean()) if len(state.losses) else None
    return Learned(Block(**rounded), task, {**told, "final loss": final})

"""Heads that learn: the blocks of question E.2a trained again (extra `torch`), then judged on sequences they never saw.

    python examples/train_heads.py --into my_heads      # nine blocks, a minute or two on two cores

A run that was killed resumes from its last checkpoint, to the same bits: batches are drawn from (seed, step). Without `--into`
nothing is trained, and the blocks that are stored with the library are judged.

What is trained is `hw.Block` itself, its parameters being torch tensors. At the end they are rounded to multiples of STEP, so
that proofs can speak of them without a rounding error.
"""

import math
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import headwright as hw
from headwright.problems.judges.trained_blocks import trained
from headwright.problems.trained.tasks import DIM, LENGTH, LESSONS, SEEDS, STEP, WEIGHTS, WIDTH, Learned, file_name
from headwright.words.optional import need

WARM_UP = 100  # steps
EVERY = 100  # steps between checkpoints
DECAY = (0.9, 0.99)
METHOD = (
    f"Adam {DECAY} on fresh batches, warm-up over {WARM_UP} steps, cosine decay; "
    "rounded to multiples of 2^-12 at the end"
)
RATES = {
    1: 0.01,
    2: 0.02,
}  # at 0.01 two heads that average may stop halfway between averaging and copying one place each


@dataclass(frozen=True)
class Recipe:
    """Everything but the task and the seed; `width` is that of queries and keys."""

    heads: int = 1
    steps: int = 1500
    batch: int = 64
    rate: float = 0.01
    width: int = 12
    hidden: int = 32

    def rate_at(self, step):
        """Rises linearly while warming up, and falls along half a cosine to 0."""
        return self.rate * min(1, (step + 1) / WARM_UP) * 0.5 * (1 + math.cos(math.pi * step / self.steps))

    def start(self, seed):
        """The parameters at first: biases 0, all else Gaussian with variance one over the last dimension."""
        rng = np.random.default_rng((seed, 0))
        h, r, f = self.heads, self.width, self.hidden
        shapes = {
            "query": (h, r, DIM),
            "key": (h, r, DIM),
            "value": (h, WIDTH, DIM),
            "output": (h, DIM, WIDTH),
            "query_bias": (h, r),
            "value_bias": (h, WIDTH),
            "output_bias": (DIM,),
            "inner": (f, DIM),
            "inner_bias": (f,),
            "outer": (DIM, f),
            "outer_bias": (DIM,),
            "positions": (LENGTH + 1, DIM),
        }
        return {
            name: np.zeros(shape) if name.endswith("bias") else rng.normal(size=shape) / math.sqrt(shape[-1])
            for name, shape in shapes.items()
        }


def train(task, seed, recipe, folder, *, until=None):
    """The block that learned `task`, also written to `folder`; one of the same recipe that is there already is not trained again.

    `until` stops after so many steps, as if the run had been killed; then there is no block yet, and the result is None.
    """
    told = {"seed": seed, **asdict(recipe), "method": METHOD}
    target = folder / file_name(task, recipe.heads, seed)
    if target.is_file():
        done = Learned.load(target)
        if {**done.recipe, "final loss": None} == {**told, "final loss": None}:
            return done
    torch = need("torch", extra="torch")
    parameters = {
        name: torch.tensor(array, dtype=torch.float32, requires_grad=True) for name, array in recipe.start(seed).items()
    }
    adam = torch.optim.Adam(parameters.values(), betas=DECAY)
    checkpoint, losses = target.with_suffix(".partial"), []
    if (state := kept(checkpoint, told)) is not None:
        losses = state["losses"]
        adam.load_state_dict(state["adam"])
        with torch.no_grad():
            for name, tensor in parameters.items():
                tensor.copy_(state["parameters"][name])
    block = hw.Block(**parameters)
    last = recipe.steps if until is None else until
    for step in range(len(losses), last):
        drawn = task.draw(recipe.batch, seed=(seed, 1, step))
        answers = block(torch.tensor(drawn.tokens, dtype=torch.float32))[:, -1, :WIDTH]
        loss = ((answers - torch.tensor(drawn.wanted, dtype=torch.float32)) ** 2).mean()
        adam.zero_grad()
        loss.backward()
        adam.param_groups[0]["lr"] = recipe.rate_at(step)
        adam.step()
        losses.append(loss.item())
        if (step + 1) % EVERY == 0 or step + 1 == last:
            keep(checkpoint, {"told": told, "parameters": parameters, "adam": adam.state_dict(), "losses": losses})
            show(f"{target.stem}: step {step + 1} of {recipe.steps}, loss {losses[-1]:.2e}")
    if last < recipe.steps:
        return None
    arrays = {name: tensor.detach().numpy().astype(np.float64) for name, tensor in parameters.items()}
    rounded = {name: np.round(array / STEP) * STEP for name, array in arrays.items()}
    learned = Learned(hw.Block(**rounded), task, {**told, "final loss": float(np.mean(losses[-EVERY:]))})
    learned.save(target)
    checkpoint.unlink()
    return learned


def keep(path, state):
    """Written whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".draft")
    need("torch", extra="torch").save(state, draft)
    draft.replace(path)


def kept(path, told):
    """The state in the file; None where there is none, it cannot be read, or it belongs to another run."""
    try:
        state = need("torch", extra="torch").load(path, weights_only=True)
        return state if state["told"] == told else None
    except Exception:  # torch names no class for a damaged file
        return None


def show(line):
    """One line on a terminal, written over by the next."""
    if sys.stderr.isatty():
        print(f"\r{line:<78}", end="", file=sys.stderr, flush=True)


def learn_all(folder, recipe=None):
    """Copying by one head, averaging by one and by two, each from three seeds."""
    for task, heads in LESSONS:
        for seed in SEEDS:
            own = recipe or Recipe(rate=RATES[heads])
            learned = train(task, seed, Recipe(**{**asdict(own), "heads": heads}), folder)
            show("")
            print(f"{file_name(task, heads, seed)}: final loss {learned.recipe['final loss']:.2e}")


def main():
    folder = WEIGHTS
    if "--into" in sys.argv[:-1]:
        folder = Path(sys.argv[sys.argv.index("--into") + 1])
        learn_all(folder)
    print(trained(hw.problems.find("E.2a").ours["for"][0], folder))


if __name__ == "__main__":
    main()

"""What learning finds against what is designed: trained heads that copy and average, certified; a learned query, compared.

`python examples/learned_heads.py --pictures docs` draws the pictures of docs/learned_heads.md into that folder.

A single query is trained over fixed keys. The loss is the cross-entropy of the goal w against the weights α = softmax(Kq). Its
gradient is Kᵀ(α - w) = Σ_j α_j (k_j - k̄), k̄ = Σ_j w_j k_j. The second form has no cancellation for Copy, where k_i - k̄ = 0
exactly. Nothing holds the query short, so its norm grows without end while its direction settles: on that of the least-norm query
for ever smaller errors, the maximum-margin query (Soudry and others, 2018; for attention Tarzanagh and others, 2023). Plain steps
shrink with the loss, and the direction would take exponentially many of them; each step here has the same length,
q ← q - rate · gradient/‖gradient‖.
"""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import headwright as hw
from headwright.faces import pictures
from headwright.faces.pictures import palette
from headwright.problems.judges.trained_blocks import HELD_OUT
from headwright.problems.trained.tasks import LESSONS, SEEDS, WEIGHTS, Learned, file_name
from headwright.words.optional import need

SHOWN = 16  # sequences in the first picture
DRAWS = 5  # sets of keys in the second
GOALS = (hw.Copy(2), hw.Average(2, 5))
# Errors at which a design stands for the limit, the maximum-margin direction. Several targets must tie, and float64 holds their
# tie to a relative 1e-16 of a score only, so that much smaller errors cannot be certified for them.
NEAR_THE_LIMIT, NEAR_WITH_TIES = "1e-60", "1e-9"


def learned_attention():
    """Asking rows of the embedded blocks (seed 0) over held-out sequences; the places asked for are ringed."""
    panels = []
    for task, heads in LESSONS:
        block = Learned.load(WEIGHTS / file_name(task, heads, 0)).block
        drawn = task.draw(SHOWN, seed=HELD_OUT)
        for h, rows in enumerate(np.moveaxis(block.attention(drawn.tokens)[:, :, -1, :], 1, 0)):
            name = f"{task.name}, head {h} of {heads}" if heads > 1 else f"{task.name}, one head"
            panels.append((name, rows, drawn.places))
    with palette.house_style():
        figure = palette.sheet(
            width=11.5,
            height=5.2,
            title="What trained heads attend to",
            note="Each row is one held-out sequence: the weights of its asking token. Rings: the places it asks for.",
        )
        axes = figure.subplots(1, len(panels), sharey=True)
        for place, (name, rows, asked) in zip(axes, panels, strict=True):
            drawn_as = place.imshow(rows, cmap="Greys", vmin=0, vmax=1, aspect="auto")
            sequences = np.repeat(np.arange(SHOWN), asked.shape[1])
            place.scatter(
                asked.ravel(), sequences, s=70, facecolors="none", edgecolors=palette.LOOKS[4].colour, linewidths=1.6
            )
            place.set_title(name)
            place.set_xlabel("token")
            place.set_xticks([0, 4, 8, 12], ["0", "4", "8", "asks"])
        axes[0].set_ylabel("held-out sequence")
        figure.colorbar(drawn_as, ax=axes, label="weight", shrink=0.85)
    told = "The head that copies is black at the place asked for; the one that averages is grey at both; of two heads, each is"
    return palette.describe(figure, f"Weights over {SHOWN} held-out sequences. {told} black at one of the two places.")


def beside_the_shortest(task, heads, seed):
    """Learned query over shortest query that does as well, on the keys of each sequence: ratios of norms, and cosines."""
    block = Learned.load(WEIGHTS / file_name(task, heads, seed)).block
    drawn = task.draw(SHOWN, seed=HELD_OUT)
    queries, keys, _ = block.projections(drawn.tokens)
    ratios, cosines = [], []
    for query, own, places, error in zip(
        queries[:, 0, -1], keys[:, 0], drawn.places, task.errors(block, drawn)[:, 0], strict=True
    ):
        shortest = hw.design(own, task.goal(places), error=float(error))
        centred = own - own.mean(axis=0)
        query = np.linalg.pinv(centred) @ (centred @ query)  # what lies across all key differences does nothing
        ratios.append(np.linalg.norm(query) / shortest.norm)
        cosines.append(query @ shortest.query / (np.linalg.norm(query) * shortest.norm))
    return np.median(ratios), np.median(cosines)


@dataclass(frozen=True, eq=False)
class QueryPath:
    """The query after each step, queries (steps, d), the designed one, and the cosine (steps,) between the two."""

    queries: np.ndarray
    designed: hw.Design
    cosines: np.ndarray
    errors: np.ndarray  # total variation from the goal after each step, in floating point


def learn_query(keys, goal, *, steps=2000, rate=0.05, error=None):
    """Train a query from 0 for `steps` steps (fewer when the gradient vanishes in float64) and compare it with `design`.

    `error` is the one to design for; by default it is so small that the design has the direction of the limit.
    """
    designed = hw.design(keys, goal, error=error or (NEAR_THE_LIMIT if len(goal.indices) == 1 else NEAR_WITH_TIES))
    wanted = goal.weights(len(keys))
    centred = keys - wanted @ keys
    query, queries, errors = np.zeros(keys.shape[1]), [], []
    for _ in range(steps):
        slope = hw.attend(query, keys).weights @ centred
        size = np.linalg.norm(slope)
        if size == 0:
            break
        query = query - rate * slope / size
        queries.append(query)
        errors.append(np.abs(hw.attend(query, keys).weights - wanted).sum() / 2)
    path = np.array(queries)
    cosines = path @ designed.query / (np.linalg.norm(path, axis=1) * designed.norm)
    return QueryPath(path, designed, cosines, np.array(errors))


def paths():
    """For each goal, queries learned over several sets of twelve random keys in eight dimensions."""
    keys = [np.random.default_rng(seed).standard_normal((12, 8)) for seed in range(DRAWS)]
    return {goal: [learn_query(each, goal) for each in keys] for goal in GOALS}


def cosine_curves(learned):
    with palette.house_style():
        figure = palette.sheet(
            width=8.2,
            height=4.6,
            title="A learned query turns towards the designed one",
            note="Cosine between the query after so many steps of equal length and the shortest query for a tiny error.",
        )
        axes = figure.subplots()
        for look, (goal, found) in zip(palette.LOOKS, learned.items(), strict=False):
            for k, path in enumerate(found):
                steps = np.arange(1, len(path.cosines) + 1)
                label = f"{goal}, {DRAWS} sets of keys" if k == 0 else None
                axes.plot(steps, path.cosines, color=look.colour, linestyle=look.line, linewidth=1.6, label=label)
        axes.axhline(0.98, color=palette.FAINT, linewidth=1, linestyle=":")
        axes.text(1.1, 0.983, "0.98", color=palette.FAINT, va="bottom")
        axes.set_xscale("log")
        axes.set_xlabel("steps of training")
        axes.set_ylabel("cosine")
        axes.set_ylim(top=1.005)
        axes.legend(loc="lower right")
    ends = ", ".join(f"{goal} {min(path.cosines[-1] for path in found):.4f}" for goal, found in learned.items())
    return palette.describe(figure, f"Cosine against steps of training, rising; the lowest at the end: {ends}.")


def main():
    print(hw.problems.run("E.2a").ours)

    for task, heads in LESSONS[:2]:
        found = [beside_the_shortest(task, heads, seed) for seed in SEEDS]
        longer, cosine = (", ".join(f"{figure:.3f}" for figure in column) for column in zip(*found, strict=True))
        print(f"{task.name}: learned over shortest norm, median by seed: {longer}; cosine {cosine}")

    learned = paths()
    for goal, found in learned.items():
        rising = ", ".join(
            f"{min(path.cosines[k - 1] for path in found):.4f} after {k}" for k in (1, 10, 100, 1000, 2000)
        )
        print(f"{goal}, lowest cosine over {DRAWS} sets of keys: {rising} steps")

    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(sys.argv[sys.argv.index("--pictures") + 1]) if "--pictures" in sys.argv else Path(scratch)
        try:
            need("matplotlib", extra="plots")
            for name, make in (
                ("learned_attention", learned_attention),
                ("learned_cosine", lambda: cosine_curves(learned)),
            ):
                print("drawn:", pictures.save(make(), folder / f"{name}.svg").name)
        except ImportError as missing:
            print("not drawn:", missing)


if __name__ == "__main__":
    main()

"""One head tosses a coin between two values; the designed head holds steady. The picture at the top of the README.

    python examples/coin_toss.py                  # the figures and the proof
    python examples/coin_toss.py --into docs      # also coin_toss_light.svg and coin_toss_dark.svg (extra `plots`)

The length of key 0 varies from draw to draw. The textbook query gives keys 0 and 1 equal scores on average, so in each draw
the longer key takes all the weight. The designed query ignores the length of key 0 and pushes the other keys down. It meets the
asked error with a probability that is proved.
"""

import sys
from pathlib import Path

import numpy as np

import headwright as hw
from headwright.optional import need
from headwright.pictures.palette import LOOKS, house_style

DRAWS = 150
COLOURS = {  # paper, ink, band, dots of the designed head
    "light": ("#ffffff", "#1f2328", "#8c959f", LOOKS[0].colour),
    "dark": ("#0d1117", "#e6edf3", "#8b949e", LOOKS[5].colour),
}
ERROR, CONFIDENCE = "0.05", "0.99"
keys = hw.GaussianKeys(np.eye(12), along={0: 0.5})
goal = hw.Average(0, 1)
textbook = 9.2 * (np.eye(12)[0] + np.eye(12)[1])
designed = hw.design(keys, goal, error=ERROR, confidence=CONFIDENCE)


def outputs(queries):
    """What the head returns in each draw of the keys, where key 0 has the value 1, key 1 the value 0, and the others 1/2."""
    values = np.array([1.0, 0.0, *[0.5] * 10])
    drawn = keys.sample(DRAWS, seed=2)
    return np.array([hw.attend(queries, each, values[:, None]).output.mean() for each in drawn])


def picture(paper, ink, faint, steady):
    figure = need("matplotlib.figure", extra="plots").Figure(figsize=(8.4, 3.4), layout="constrained", facecolor=paper)
    panels = figure.subplots(1, 2, sharey=True)
    likely = float(hw.outcome(keys, textbook, goal).probability(ERROR))
    stories = [
        (
            "The textbook head tosses a coin",
            f"within {ERROR} of the average in {likely:.1%} of draws",
            textbook,
            LOOKS[4].colour,
        ),
        (
            "The designed head holds steady",
            f"within {ERROR} in at least {float(CONFIDENCE):.0%} of draws, proved",
            designed,
            steady,
        ),
    ]
    for panel, (title, note, query, colour) in zip(panels, stories, strict=True):
        panel.set_facecolor(paper)
        panel.axhspan(0.5 - float(ERROR), 0.5 + float(ERROR), color=faint, alpha=0.25, linewidth=0, zorder=0)
        panel.scatter(range(1, DRAWS + 1), outputs(query), s=16, color=colour, linewidth=0)
        panel.set_title(f"{title}\n", color=ink, fontsize=13, fontweight="bold")
        panel.text(0, 1.03, note, transform=panel.transAxes, color=ink, fontsize=10.5)
        panel.set_xlabel("draw of the keys", color=ink)
        panel.set_yticks([0, 0.5, 1], ["value of\nkey 1", "average", "value of\nkey 0"])
        panel.set_ylim(-0.06, 1.06)
        panel.tick_params(colors=ink, length=0)
        for side in panel.spines.values():
            side.set_visible(False)
    panels[0].set_ylabel("output of the head", color=ink)
    figure.set_label(
        "Two scatter plots over draws of the keys. The textbook head's output jumps between the two values; "
        "the designed head's output stays near their average."
    )
    return figure


def main():
    print(f"textbook: {hw.outcome(keys, textbook, goal).probability(ERROR):.4f}")
    print(hw.certify(keys, designed))
    if "--into" in sys.argv:
        folder = Path(sys.argv[sys.argv.index("--into") + 1])
        for name, colours in COLOURS.items():
            with house_style():
                figure = picture(*colours)
            hw.pictures.save(figure, folder / f"coin_toss_{name}.svg")


if __name__ == "__main__":
    main()

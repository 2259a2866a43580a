"""The two pictures in motion that open the README and the handbook: python -m handbook.loops

Each is one SVG without a script or a font of its own, in the light or dark colours that the reader's system asks for. CSS moves
it where the reader has not asked for less motion. Otherwise it shows the end of its story. All that moves was computed: weights
by `hw.attend`, draws by `hw.GaussianKeys.sample`. Coordinates are coarse, so that every machine writes the same file.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

import headwright as hw
from handbook import figures

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "loops"
WIDTH, HEIGHT = 420, 320
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7")  # of keys, as the playground has them
_STYLE = """\
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;font-size:14px;fill:var(--ink)}
.title{font-size:17px;font-weight:650}.faint{fill:var(--faint)}.middle{text-anchor:middle}.bold{font-weight:650}
.number{font-variant-numeric:tabular-nums}"""


# A reader drags the tip of the query: seconds, its angle in degrees and its length; then it rests there until the next entry.
DRAG, STILL = 8.0, 5.5
# Not the keys of the walk's first step: its answer is the reader's to find.
KEYS = np.array([[2.6, 1.2], [0.4, 2.7], [-2.2, 0.6], [-1.2, -1.8], [1.2, -2.2]])
COPIED, ENOUGH = 0, 0.95
HELD = ((0.0, 0.4, 70.0, 0.35), (1.7, 2.1, 104.0, 1.4), (4.7, 6.7, 4.0, 2.55), (7.8, 8.0, 70.0, 0.35))
UNIT, CENTRE = 40, (118, 188)  # pixels for 1, and where the plane has its origin


def _arrow_at(second: float) -> tuple[float, float]:
    """The angle and the length of the query: at rest, or between two rests, slow at both ends."""
    for (_, leaves, *start), (arrives, until, *end) in pairwise(HELD):
        if second <= until:
            share = min(max((second - leaves) / (arrives - leaves), 0.0), 1.0)
            share = share * share * (3 - 2 * share)
            angle, length = (a + share * (b - a) for a, b in zip(start, end, strict=True))
            return round(angle, 1), round(length, 3)
    raise ValueError(f"the drag ends before {second} s")


def weights_at(second: float) -> list[float]:
    """What the query of this moment gives to each key."""
    angle, length = _arrow_at(second)
    turn = math.radians(angle)
    query = length * np.array([math.cos(turn), math.sin(turn)])
    return [round(float(weight), 3) for weight in hw.attend(query, KEYS, KEYS).weights.ravel()]


def drag() -> str:
    times = [round(0.1 * i, 1) for i in range(round(DRAG * 10) + 1)]
    angles, lengths = zip(*map(_arrow_at, times), strict=True)
    weights = [weights_at(second) for second in times]
    x, y = CENTRE
    still = times.index(STILL)
    rules, drawn = [], []

    def moved(name: str, values: Iterable[str], what: str = "transform", *, jumps: bool = False) -> str:
        """Animates the class `name` and returns the attributes of an element that has it."""
        told = list(values)
        rules.append(_animation(name, DRAG, zip(times, told, strict=True), what, jumps=jumps))
        return f'class="{name}" style="{what}:{told[still]}"'

    for j, (across, up) in enumerate(KEYS):
        at = f"translate({x + UNIT * across:g} {y - UNIT * up:g})"
        halo = moved(f"h{j}", (f"scale({math.sqrt(each[j]):.2f})" for each in weights))
        bar = moved(f"b{j}", (f"scaleX({each[j]:.3f})" for each in weights))
        shown = moved(f"n{j}", (f"translateY({-20 * round(100 * each[j])}px)" for each in weights), jumps=True)
        row = 76 + 30 * j
        drawn += [
            f'<g transform="{at}"><circle r="24" fill="{COLOURS[j]}" fill-opacity=".38" {halo}/>{_key(j)}</g>',
            f'<g transform="translate(287 {row})">{_key(j, 9)}</g><g transform="translate(303 {row - 6})">'
            '<rect width="66" height="12" rx="2" fill="var(--rest)" fill-opacity=".55"/>'
            f'<rect width="66" height="12" rx="2" fill="{COLOURS[j]}" {bar}/></g>',
            f'<svg x="374" y="{row - 10}" width="36" height="20"><g {shown}><use href="#n"/></g></svg>',
        ]
    turn = moved("turn", (f"rotate({-angle:.1f}deg)" for angle in angles))
    back = moved("back", (f"rotate({angle:.1f}deg)" for angle in angles))
    tip = moved("tip", (f"translateX({UNIT * length:.1f}px)" for length in lengths))
    shaft = moved("shaft", (f"scaleX({UNIT * length - 9:.1f})" for length in lengths))
    mixed = moved("mixed", (_mixture(each) for each in weights), "fill")
    done = [each[COPIED] >= ENOUGH for each in weights]
    copied = moved("copied", (str(int(now)) for now in done), "opacity", jumps=True)
    mixes = moved("mixes", (str(int(not now)) for now in done), "opacity", jumps=True)
    numbers = "".join(f'<text y="{15 + 20 * i}">{i / 100:.2f}</text>' for i in range(101))
    return _sheet(
        "Drag the query, and the weights follow",
        "Five keys in the plane and a query, drawn as an arrow. A pointer drags its tip. A short query mixes the values of all "
        f"keys. A long one in the right direction gives key {COPIED} a weight of {weights[still][COPIED]:.2f}, a copy.",
        rules,
        f'<defs><g id="n" class="number">{numbers}</g></defs>',
        f'<path d="M14 {y}H262M{x} 44V306" stroke="var(--rest)"/>',
        *drawn,
        f'<g transform="translate({x} {y})" stroke-width="1.5"><g {turn}>'
        f'<rect y="-1.5" width="1" height="3" fill="var(--ink)" {shaft}/><g {tip}><path d="M0 0L-13-6V6Z" fill="var(--ink)"/>'
        f'<circle r="9" fill="var(--ink)" fill-opacity=".12" stroke="var(--ink)"/>'
        f'<g {back}><text x="-13" y="-11" style="text-anchor:end">query</text>'
        '<path d="M2 2V21L6.6 16.8 10 24 13.4 22.4 10.1 15.5H16.5Z" fill="var(--paper)" stroke="var(--ink)"/></g></g></g></g>',
        '<text x="278" y="56" class="faint">weight of each key</text><text x="278" y="240" class="faint">output</text>',
        f'<rect x="278" y="248" width="128" height="28" rx="6" {mixed}/>',
        f'<g {mixes}><text x="278" y="298">a mixture</text></g>',
        f'<g {copied}><text x="278" y="298" class="bold">a copy of key {COPIED}</text></g>',
    )


def _mixture(weights: Sequence[float]) -> str:
    """The colour that attention returns where the values are colours."""
    parts = [[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in COLOURS[: len(weights)]]
    return "#" + "".join(f"{round(sum(w * p[i] for w, p in zip(weights, parts, strict=True))):02x}" for i in range(3))


# The coin toss: 36 draws of keys, of which key 0 varies in length. The first draws take their time, the others hurry.
END, DRAWS, FALL = 10.0, 36, 0.45
MODEL = hw.GaussianKeys(np.eye(12), along={0: 0.5})
GOAL, NEAR = hw.Average(0, 1), 0.05
VALUES = np.array([1.0, 0.0, *[0.5] * 10])[:, None]
LENGTH, ORIGIN = 95, 135  # pixels for a key of length 1, and where it begins
FLOOR, PITCH = 266, 7.8  # where the heaps lie, and how far the middles of two dots are apart


def heads() -> dict[str, np.ndarray]:
    """The textbook query, and one designed for a little less than `NEAR`, so that four decimals of it suffice."""
    textbook = 9.2 * (np.eye(12)[0] + np.eye(12)[1])
    designed = hw.design(MODEL, GOAL, error="0.049", confidence="0.99").queries
    return {"textbook query": textbook, "headwright’s query": designed.round(4)[0]}


def coin_toss() -> str:
    drawn = MODEL.sample(DRAWS, seed=2)
    starts = [0.4]
    for i in range(DRAWS - 1):
        starts.append(round(starts[-1] + max(0.75 * 0.86**i, 0.11), 2))
    rules, shown = [], []
    lengths = [1.0, *drawn[:, 0, 0].round(2).tolist()]
    ticks = "".join(f"M{LENGTH * length:.0f} 0v12" for length in lengths[1:])
    jumps = [(0.0, 1.0)]
    for start, before, after in zip(starts, lengths, lengths[1:], strict=False):
        jumps += [(start - 0.06, before), (start, after)]
    told = [(at, f"scaleX({LENGTH * length:.0f})") for at, length in [*jumps, (9.6, lengths[-1]), (END, 1.0)]]
    rules.append(_animation("length", END, told))
    above, below = "translate(var(--x),var(--y));opacity:", "translate(0,0);opacity:1"
    for i, start in enumerate(starts):
        falls = f"{above}1;animation-timing-function:cubic-bezier(.5,.1,.9,.7)"
        told = [(0.0, f"{above}0"), (start, f"{above}0"), (start + 0.02, falls), (start + FALL, below), (END, below)]
        rules.append(_animation(f"d{i}", END, told))
    rules.append(_animation("all", END, [(0.0, "1"), (9.4, "1"), (9.9, "0"), (END, "0")], "opacity"))
    rules.append(_animation("count", END, [(0.0, "0"), (starts[-1] + FALL, "0"), (8.2, "1"), (END, "1")], "opacity"))
    for (name, query), middle in zip(heads().items(), (112, 308), strict=True):
        outputs = [round(float(hw.attend(query, keys, VALUES).output.mean()), 3) for keys in drawn]
        shown.append(_heap(name, outputs, middle))
    return _sheet(
        "Average two keys, one of varying length",
        "Key 0 has another length in each draw. The textbook query attends to whichever key is longer, so its outputs collect in "
        "two heaps, at the values of the two keys. The outputs of headwright's query collect in one heap near their average.",
        rules,
        f'<text x="16" y="58">key 0</text><text x="16" y="80">key 1</text><path d="M{ORIGIN} 43V86" stroke="var(--faint)"/>',
        f'<g transform="translate({ORIGIN} 47)">'
        f'<path d="{ticks}" stroke="{COLOURS[0]}" stroke-opacity=".5"/>'
        f'<rect width="1" height="12" fill="{COLOURS[0]}" class="length" style="transform:scaleX({LENGTH})"/></g>',
        f'<rect x="{ORIGIN}" y="69" width="{LENGTH}" height="12" fill="{COLOURS[1]}"/>',
        *shown,
    )


def _heap(name: str, outputs: list[float], middle: int) -> str:
    """The outputs of one head as dots, which fall on the nearest tenth between the values of key 0 and key 1, two in a row."""
    lie: Counter[int] = Counter()
    dots = []
    for i, output in enumerate(outputs):
        tenth = round(10 * (1 - output))
        row, side = divmod(lie[tenth], 2)
        lie[tenth] += 1
        x, y = middle - 80 + 16 * tenth + PITCH * (side - 0.5), FLOOR - PITCH * (row + 0.5)
        fall = f"--x:{middle - x:.1f}px;--y:{124 - y:.1f}px"
        colour = _mixture((output, 1 - output))
        dots.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.6" fill="{colour}" class="d{i}" style="{fall}"/>')
    near = sum(abs(output - 0.5) <= NEAR for output in outputs)
    return (
        f'<text x="{middle}" y="115" class="middle bold">{name}</text><g class="all">{"".join(dots)}</g>'
        f'<path d="M{middle - 90} {FLOOR + 0.5}H{middle + 90}" stroke="var(--faint)"/>'
        f'<g transform="translate({middle - 80} 281)">{_key(0, 9)}</g>'
        f'<g transform="translate({middle + 80} 281)">{_key(1, 9)}</g>'
        f'<text x="{middle}" y="285" class="middle faint">average</text>'
        f'<g class="all"><text x="{middle}" y="309" class="middle count">{near} of {len(outputs)} near the average</text></g>'
    )


def _key(j: int, radius: int = 12) -> str:
    letters = f"fill:{'#ffffff' if j == 0 else '#000000'};font-size:{radius + 2}px"
    below = radius // 2 - 1
    return (
        f'<circle r="{radius}" fill="{COLOURS[j]}"/><text y="{below}" class="middle bold" style="{letters}">{j}</text>'
    )


def _animation(
    name: str, seconds: float, values: Iterable[tuple[float, str]], what: str = "transform", *, jumps: bool = False
) -> str:
    """Rules that lead the class `name` through these values at these seconds, again and again."""
    told = list(values)
    inside = [
        f"{100 * at / seconds:.2f}%{{{what}:{value}}}"
        for i, (at, value) in enumerate(told)
        if i in (0, len(told) - 1) or not told[i - 1][1] == value == told[i + 1][1]
    ]
    pace = "step-end" if jumps else "linear"
    return f".{name}{{animation:{name} {seconds:g}s {pace} infinite}}@keyframes {name}{{{''.join(inside)}}}"


def _sheet(title: str, words: str, rules: list[str], *drawn: str) -> str:
    """A card with its title, whatever ground the page around it has."""
    light, dark = (
        ";".join(f"--{word}:{colours[word]}" for word in ("ink", "paper", "faint", "rest"))
        for colours in figures.schemes()
    )
    moving = "\n".join(rules)
    style = f"svg{{{light}}}@media (prefers-color-scheme:dark){{svg{{{dark}}}}}\n{_STYLE}\n"
    style += f"@media (prefers-reduced-motion:no-preference){{\n{moving}\n}}"
    body = "\n".join(drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">\n'
        f"<title>{title}</title>\n<desc>{words}</desc>\n<style>{style}</style>\n"
        f'<rect x=".5" y=".5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="10" fill="var(--paper)" stroke="var(--rest)"/>\n'
        f'<text x="16" y="28" class="title">{title}</text>\n{body}\n</svg>\n'
    )


LOOPS = {"drag": drag, "coin_toss": coin_toss}  # by the name of the file


def main() -> None:
    for name, loop in LOOPS.items():
        (FOLDER / f"{name}.svg").write_text(loop(), "utf-8")


if __name__ == "__main__":
    main()

"""The pictures of the handbook: files beside its pages, and, when it is built, SVG in a page's own colours."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

import headwright as hw
from handbook.measured import ROOT, evidence
from headwright.faces import pictures
from headwright.faces.pictures import palette
from headwright.faces.pictures._save import text_of
from headwright.faces.pictures.line_chart import Axis, Line, line_chart
from headwright.faces.pictures.weight_columns import weight_columns
from headwright.search.least_norm.closed_form import error_of_epsilon

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Colours of the palette as names that docs/styles/handbook.css gives a value for each scheme.
_COLOURS = {
    "#000000": "ink",
    "#ffffff": "paper",
    palette.FAINT: "faint",
    palette.REST: "rest",
    palette.LOOKS[0].colour: "blue",
    palette.LOOKS[1].colour: "orange",
    palette.LOOKS[2].colour: "green",
    palette.LOOKS[4].colour: "vermilion",
}
BLUE, ORANGE, GREEN, _, VERMILION, _ = palette.LOOKS
_DRAWN: dict[str, Callable[[], Figure]] = {}


def picture(draw: Callable[[], Figure]) -> Callable[[], Figure]:
    """Makes a function known by its name, for `<!-- picture: NAME -->`."""
    _DRAWN[draw.__name__] = draw
    return draw


def names() -> list[str]:
    return sorted(_DRAWN)


@cache
def _figure(name: str) -> Figure:
    """The picture of this name; KeyError for a name that no function here has."""
    return _DRAWN[name]()


@cache
def drawn(name: str) -> str:
    """The picture as a <figure> in the colours of the page around it."""
    text = recoloured(pictures.svg(_figure(name)), name)
    return f'<figure class="picture" tabindex="0">\n{text}\n</figure>'


def file(name: str) -> str:
    """The picture as a file of its own, light or dark as the reader's system asks."""
    svg = recoloured(pictures.svg(_figure(name)), name)
    light, dark = (";".join(f"--hw-{word}:{colour}" for word, colour in scheme.items()) for scheme in schemes())
    style = f"<style>svg{{{light};fill:var(--hw-ink)}}@media (prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"
    return svg.replace("<title>", f"{style}\n <title>", 1) + "\n"


def words(name: str) -> str:
    """What the picture shows, for those who cannot see it."""
    return re.sub(r"\s+", " ", text_of(_figure(name)))


def letters(svg: str) -> str:
    """The words and numbers drawn in a picture, whose letters are outlines.

    >>> letters('<use xlink:href="#hull-DejaVuSans-4b"/><use xlink:href="#hull-DejaVuSans-Bold-33"/>')
    'K3'
    """
    return "".join(chr(int(code, 16)) for code in re.findall(r'href="#[\w-]*DejaVuSans[\w-]*-([0-9a-f]+)"', svg))


def schemes() -> list[dict[str, str]]:
    """The light and the dark colours, as docs/styles/handbook.css has them."""
    sheet = (ROOT / "docs" / "styles" / "handbook.css").read_text("utf-8")
    found = re.findall(r"--hw-(\w+): (#\w+);", sheet)
    return [dict(found[: len(_COLOURS)]), dict(found[len(_COLOURS) :])]


def recoloured(svg: str, name: str) -> str:
    """The drawing with its colours as CSS variables, and every id made its own, since a page may hold several."""
    for colour, word in _COLOURS.items():
        svg = re.sub(rf"{colour}\b", f"var(--hw-{word})", svg, flags=re.IGNORECASE)
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\1{name}-", svg)
    svg = re.sub(r"<\?xml.*?\?>|<!DOCTYPE.*?>", "", svg, flags=re.DOTALL)
    # Markdown ends a block of HTML at an empty line.
    return re.sub(r"\n\s*\n", "\n", svg).strip()


def _keys(n: int = 12, d: int = 8) -> np.ndarray:
    return np.random.default_rng(0).standard_normal((n, d))


def _plane(title: str, note: str, *, width: float = 7.2, height: float = 4.9) -> tuple[Figure, Any]:
    figure = palette.sheet(width=width, height=height, title=title, note=note)
    axes = figure.subplots()
    axes.set(aspect="equal")
    return figure, axes


def _points(axes: Any, keys: np.ndarray, *, look: palette.Look, name: str, first: int = 0, gap: float = 0.12) -> None:
    axes.scatter(*keys.T, color=look.colour, edgecolor=palette.INK, marker=look.marker, s=95, zorder=4, label=name)
    for j, (x, y) in enumerate(keys):
        axes.annotate(f"key {first + j}", (x, y), xytext=(9, 7), textcoords="offset points", zorder=5)


def _arrow(
    axes: Any, end: Any, text: str, *, start: Any = (0, 0), colour: str = palette.INK, offset: Any = (8, 4)
) -> None:
    style = {"arrowstyle": "-|>", "color": colour, "linewidth": 2, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 16}
    axes.annotate("", end, xytext=start, arrowprops=style, zorder=3)
    axes.annotate(text, end, xytext=offset, textcoords="offset points", fontweight="bold")


@picture
def goals() -> Figure:
    keys = _keys()
    asked = {
        "Copy(3)": hw.Copy(3),
        "Average(3, 7)": hw.Average(3, 7),
        "Blend: 0.7 on key 3, 0.3 on key 7": hw.Blend({3: "0.7", 7: "0.3"}),
    }
    panels = [(name, hw.design(keys, goal).weights, goal) for name, goal in asked.items()]
    return weight_columns("Three goals over the same twelve keys", panels)


@picture
def coin_toss() -> Figure:
    keys = hw.GaussianKeys(np.eye(12), along={0: 0.5})
    textbook = 9.2 * (np.eye(12)[0] + np.eye(12)[1])
    designed = hw.design(keys, hw.Average(0, 1), error="0.1", confidence="0.99")
    strips = {"textbook": textbook, "designed": designed}
    return pictures.weights_over_samples(keys, strips, hw.Average(0, 1), error="0.1")


@picture
def hull() -> Figure:
    keys = np.array([[0, 0], [4, 0], [0, 4], [5, 5], [2, 1]])
    with palette.house_style():
        figure, axes = _plane(
            "Why no query copies key 4",
            "Key 4 is ¼ key 0 + ½ key 1 + ¼ key 2, so its score is the same mean of their scores.",
        )
        axes.fill(
            *keys[[0, 1, 2]].T,
            facecolor=palette.REST,
            edgecolor=palette.FAINT,
            alpha=0.6,
            zorder=1,
            label="hull of keys 0, 1, 2",
        )
        _points(axes, keys[:4], look=BLUE, name="other keys")
        _points(axes, keys[4:], look=VERMILION, name="the key to copy", first=4)
        axes.set(xlim=(-0.6, 6.4), ylim=(-0.6, 5.9), xlabel="first coordinate", ylabel="second coordinate")
        figure.legend(loc="outside lower left", ncols=3)
    return palette.describe(figure, "Five keys in the plane. Key 4 lies inside the triangle of keys 0, 1 and 2.")


@picture
def norm_against_error() -> Figure:
    keys, errors = np.eye(40), np.geomspace(1e-4, 0.4, 25)
    short = [hw.design(keys, hw.Average(3, 7), error=float(e)).norm for e in errors]
    known = [hw.design(keys, hw.Average(3, 7), error=float(e), method="closed-form").norm for e in errors]
    lines = [
        Line("shortest", errors, short, BLUE, ("shortest", "proved: none is shorter")),
        Line("textbook", errors, known, ORANGE, ("closed form", "t·(k₃ + k₇)")),
    ]
    return line_chart(
        lines,
        x=Axis("error allowed (total variation)", (1e-4, 0.4), log=True, form="g"),
        y=Axis("norm of the query", (0, None)),
        title="A smaller error takes a longer query",
        note="Average(3, 7) over 40 orthonormal keys.",
        text="The norm of the shortest query and of the closed form against the error; both fall as the error grows.",
    )


@picture
def best_within_norm() -> Figure:
    keys = 1.4 * np.random.default_rng(0).standard_normal((74, 32))
    norms = np.linspace(0.4, 16, 40)
    ranked = np.argsort(hw.attend(keys, keys, scale=32**-0.5).weights.diagonal())

    def best(goal: hw.Copy | hw.Average) -> list[float]:
        return [1 - (hw.design(keys, goal, max_norm=r, scale=32**-0.5).error or 0.0) for r in norms]

    lines = [
        Line("easy", norms, best(hw.Copy(int(ranked[-1]))), BLUE, ("an easy key", "")),
        Line("hard", norms, best(hw.Copy(int(ranked[0]))), VERMILION, ("a hard key", "")),
        Line("four", norms, best(hw.Average([int(i) for i in ranked[-4:]])), GREEN, ("four keys", "averaged")),
    ]
    return line_chart(
        lines,
        x=Axis("norm that the query may have", (0, 16)),
        y=Axis("largest weight on the goal", (0, 1.02)),
        title="What a query can do within a norm",
        note="74 random keys in dimension 32, at scale 1/√32. No query of that norm does better: each point is proved.",
        text="The largest weight on two keys and on the average of four against the norm; all rise towards 1.",
    )


@picture
def norm_against_columns() -> Figure:
    rng = np.random.default_rng(0)
    keys, matrix = rng.standard_normal((12, 16)), rng.standard_normal((16, 16))
    columns = list(range(4, 17))
    shortest = [hw.design(keys, hw.Copy(3), error=0.05, within=matrix[:, :r]).norm for r in columns]
    free = hw.design(keys, hw.Copy(3), error=0.05).norm
    lines = [
        Line("within", columns, shortest, BLUE, ("queries Wx", "proved: none is shorter")),
        Line("free", columns, [free] * len(columns), ORANGE, ("any query", "W left out")),
    ]
    return line_chart(
        lines,
        x=Axis("columns of W", (4, 16), whole=True),
        y=Axis("norm of the query", (0, None)),
        title="A wider image takes a shorter query",
        note="Copy(3) over 12 keys of dimension 16, error 0.05. With 3 columns no query does it.",
        text="The norm of the shortest query Wx falls with the columns of W to that of the shortest query of all.",
    )


@picture
def top_set() -> Figure:
    rng = np.random.default_rng(3)
    keys = np.vstack([rng.normal((2.2, 1.6), 0.5, (3, 2)), rng.normal((0, 0), 0.8, (8, 2))])
    found = hw.design(keys, hw.Top(0, 1, 2))
    with palette.house_style():
        figure, axes = _plane(
            "Keys 0, 1 and 2 above all others",
            "The shortest query with a score gap of 1. Dashed: lines of equal score at both ends of the gap.",
        )
        axes.scatter(*keys[3:].T, color=palette.REST, edgecolor=palette.INK, s=80, label="other keys", zorder=3)
        _points(axes, keys[:3], look=BLUE, name="keys of the goal")
        scores, unit = keys @ found.query, found.query / found.norm
        across = np.array([-unit[1], unit[0]])
        for score in (scores[:3].min(), scores[3:].max()):
            line = np.array([-4, 4])[:, None] * across + unit * score / found.norm
            axes.plot(*line.T, color=palette.FAINT, linestyle="--", linewidth=1.2)
        _arrow(axes, found.query, "query")
        axes.set(xlim=(-2.2, 3.9), ylim=(-2.0, 3.2))
        figure.legend(loc="outside lower left", ncols=2)
    return palette.describe(
        figure, "Eleven keys in the plane; a band without keys separates keys 0, 1 and 2 from the others."
    )


@picture
def key_range() -> Figure:
    return pictures.key_range(hw.GaussianKeys(np.eye(12), along={0: 0.5}, isotropic=0.01), 0)


@picture
def worst_error() -> Figure:
    keys = np.random.default_rng(0).standard_normal((1000, 64))
    found = hw.design(keys, hw.Average(3, 7), error=0.01)
    radii = np.linspace(0, 0.04, 17)[1:]
    curves = {
        norm: [hw.certify(keys, found, error="0.999", radius=float(r), norm=norm).bound for r in radii]
        for norm in ("box", "ball")
    }
    lines = [
        Line("box", radii, curves["box"], BLUE, ("box", "each coordinate")),
        Line("ball", radii, curves["ball"], ORANGE, ("ball", "length of the move")),
    ]
    return line_chart(
        lines,
        x=Axis("radius within which every key may move", (0, 0.04)),
        y=Axis("worst total variation", (0, None)),
        title="How much error can moving keys cause?",
        note="Average(3, 7) over 1,000 keys in dimension 64, designed for an error of 0.01. Each point is proved.",
        text="The proved worst total variation against the radius, for boxes and balls.",
    )


@picture
def moved_attention() -> Figure:
    rng = np.random.default_rng(0)
    keys, queries = rng.standard_normal((256, 64)), rng.standard_normal((400, 64))
    lines = []
    for bits, look in ((8, BLUE), (6, GREEN), (4, ORANGE), (3, VERMILION)):
        steps = np.abs(keys).max(axis=0) / (2 ** (bits - 1) - 1)
        moved = hw.compare(keys, np.rint(keys / steps) * steps, queries, scale="1/8").variation
        share = np.arange(1, moved.size + 1) / moved.size
        lines.append(Line(f"{bits} bits", share, np.sort(moved), look, (f"{bits} bits", "")))
    return line_chart(
        lines,
        x=Axis("share of the queries", (0, 1)),
        y=Axis("total variation at most", log=True, form="g"),
        title="How far does attention move when keys are rounded?",
        note="400 queries over 256 keys in dimension 64, rounded to whole steps in every channel. Each point is proved.",
        text="The total variation that a share of the queries does not exceed, for keys of 8, 6, 4 and 3 bits.",
    )


@picture
def narrow_types() -> Figure:
    from headwright.kernel.number_types import round_to

    keys, goal = np.random.default_rng(0).normal(size=(200, 32)), hw.Average(1, 2, 3, 4, 5)
    exact = hw.design(keys, goal, error=0.01)
    rows = []
    for kind in ("float32", "float16", "bfloat16"):
        stored = round_to(keys, kind)
        rounded = hw.certify(stored, round_to(exact.queries, kind), goal, error="0.999").bound
        kept = hw.certify(keys, hw.design(keys, goal, error=0.01, precision=kind), error="0.999").bound
        rows.append((kind, rounded, kept))
    with palette.house_style():
        figure = palette.sheet(
            width=8.0,
            height=3.9,
            title="Rounding a query breaks it; designing for the type does not",
            note="Proved total variation from Average(1, …, 5), 200 keys in dimension 32. Dotted: the error asked for.",
        )
        axes = figure.subplots()
        for k, (_, rounded, kept) in enumerate(rows):
            axes.barh(
                k + 0.19,
                rounded,
                0.36,
                color=ORANGE.colour,
                hatch=ORANGE.hatch,
                edgecolor=palette.INK,
                label="rounded afterwards" if k == 0 else None,
            )
            axes.barh(
                k - 0.19,
                kept,
                0.36,
                color=BLUE.colour,
                edgecolor=palette.INK,
                label="designed for the type" if k == 0 else None,
            )
        axes.axvline(0.01, color=palette.INK, linestyle=":", linewidth=1.6)
        axes.set_yticks(range(3), [kind for kind, *_ in rows])
        axes.set_xlabel("total variation")
        figure.legend(loc="outside lower left", ncols=2)
    return palette.describe(figure, "; ".join(f"{k}: {r:.4g} rounded, {d:.4g} designed" for k, r, d in rows))


@picture
def bits_of_a_model() -> Figure:
    found = evidence("compressed_keys")["result"]
    rows = sorted(found["kinds"].values(), key=lambda row: row["bits"])
    bits = [row["bits"] for row in rows]
    series = (("all", "all queries", "certified", BLUE), ("attack", "all queries", "strongest attack", VERMILION))
    lines = []
    for name, words, note, look in (*series, ("own", "own queries", "certified = observed", ORANGE)):
        least = np.minimum.accumulate([row[f"{name}_median"] for row in rows])
        marks = [row[f"{name}_median"] for row in rows]
        lines.append(Line(f"each of {name}", bits, marks, look, most_markers=len(rows), style={"linestyle": "none"}))
        steps = {"drawstyle": "steps-post", "marker": ""}
        lines.append(Line(name, bits, least, look, (words, note), style=steps))
    return line_chart(
        lines,
        x=Axis("bits per number, scales counted", (2, 16.5)),
        y=Axis("largest total variation of a head, median", log=True),
        title="How few bits do the keys of a model need?",
        note=f"Median over {found['heads']} heads of all-MiniLM-L6-v2. Steps: the least error with so many bits.",
        text="Bits per number against the certified and observed total variation, median over the heads of a model.",
    )


@picture
def layer_weights() -> Figure:
    tokens = np.random.default_rng(5).standard_normal((6, 6))
    layer = hw.design_layer(tokens, {0: hw.Copy(2), 1: hw.Average(0, 3), 4: hw.Blend({1: "0.7", 5: "0.3"})})
    return _matrices(
        "One layer, three rows with a goal",
        "Row r shows the weights of token r; rings mark the keys of its goal.",
        [("weights", layer.weights(tokens))],
        [(0, 2), (1, 0), (1, 3), (4, 1), (4, 5)],
    )


def _induction() -> hw.Model:
    p = hw.Program("abcdefgh", length=20, causal=True)
    previous = p.named(p.pick(p.at(p.indices - 1), p.tokens, default="?"), "previous")
    follows = p.named(p.last(previous.matches(p.tokens) & p.before(), p.tokens, default="?"), "follows")
    return hw.compile(p, follows, dtype="float32")


@picture
def induction_layers() -> Figure:
    return pictures.program_layers(_induction())


@picture
def induction_attention() -> Figure:
    return pictures.program_attention(_induction(), "abcabdab")


@picture
def addition_attention() -> Figure:
    p = hw.Program(["00", "01", "10", "11"], length=20, causal=True)
    starts = p.named(p.map(lambda pair: int(pair == "11"), p.tokens), "start")
    leaves = p.named(p.last(p.tokens.among(["00", "11"]) & p.before(), starts, default=0), "carry out")
    enters = p.named(p.pick(p.at(p.indices - 1), leaves, default=0), "carry in")
    digit = p.map(lambda pair, carry: (pair.count("1") + carry) % 2, p.tokens, enters)
    return pictures.program_attention(hw.compile(p, digit, dtype="float32"), ["11", "01", "00", "10"])


@picture
def permuted_scores() -> Figure:
    x, order = np.random.default_rng(2).normal(size=(5, 3)), [2, 0, 4, 1, 3]
    block = hw.Block(1.2 * np.eye(3), np.eye(3), np.eye(3), np.eye(3))
    one, two = (block.attention(rows)[0] for rows in (x, x[order]))
    return _matrices(
        "Permuted tokens permute the weights in both directions",
        "Rows ask and columns answer. Right: tokens in the order 2, 0, 4, 1, 3.",
        [("tokens as given", one), ("tokens permuted", two)],
        [],
    )


def _matrices(title: str, note: str, panels: list[tuple[str, np.ndarray]], rings: list[tuple[int, int]]) -> Figure:
    with palette.house_style():
        figure = palette.sheet(width=2.4 + 4.2 * len(panels), height=4.9, title=title, note=note)
        for axes, (name, weights) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
            n = len(weights)
            for r in range(n):
                for j in range(n):
                    side = 0.94 * np.sqrt(weights[r, j])
                    corner = (j - side / 2, r - side / 2)
                    axes.add_patch(_square(corner, side, BLUE.colour))
            for r, j in rings:
                axes.scatter([j], [r], s=620, facecolor="none", edgecolor=VERMILION.colour, linewidths=2)
            axes.set(
                xlim=(-0.6, n - 0.4),
                ylim=(n - 0.4, -0.6),
                aspect="equal",
                xlabel="key",
                ylabel="row",
                title=f"{name} (area = weight)",
            )
            axes.set_xticks(range(n))
            axes.set_yticks(range(n))
    told = "; ".join(f"{name}: {np.array2string(w, precision=2).replace(chr(10), ' ')}" for name, w in panels)
    return palette.describe(figure, f"{title}. {told}")


def _square(corner: tuple[float, float], side: float, colour: str) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle(corner, side, side, facecolor=colour, edgecolor="none")


@picture
def oblique() -> Figure:
    first, second = np.array([1.0, 0.0]), np.array([0.6, 0.8])
    v_a, v_b = 2.2 * first, 1.6 * second
    with palette.house_style():
        figure, axes = _plane(
            "Reading v_a out of v_a + v_b", "The read-out moves along span(B) until it meets span(A).", height=4.3
        )
        for direction, name in ((first, "span(A)"), (second, "span(B)")):
            axes.plot(*np.outer([-0.5, 4.0], direction).T, color=palette.FAINT, linewidth=1, linestyle="--")
            axes.annotate(
                name,
                3.0 * direction if name == "span(B)" else (3.75, 0),
                xytext=(4, 8),
                textcoords="offset points",
                color=palette.FAINT,
            )
        _arrow(axes, v_a, "v_a", colour=BLUE.colour, offset=(-4, -18))
        _arrow(axes, v_b, "v_b", colour=ORANGE.colour, offset=(-34, 2))
        _arrow(axes, v_a + v_b, "v_a + v_b")
        axes.plot(*np.array([v_a + v_b, v_a]).T, color=VERMILION.colour, linestyle=":", linewidth=2.4)
        axes.set(xlim=(-0.5, 4.4), ylim=(-0.5, 2.6))
    return palette.describe(figure, "Two vectors and their sum; moving from the sum along span(B) leads back to v_a.")


@picture
def shifts() -> Figure:
    return pictures.distance_against_shift(
        [hw.position.sinusoidal(4096, 2), hw.position.sinusoidal(4096, 4), hw.position.sinusoidal(4096, 128)]
    )


@picture
def collisions() -> Figure:
    return pictures.collisions_by_type(hw.position.sinusoidal(4096, 2))


@picture
def spectrum() -> Figure:
    rng = np.random.default_rng(7)
    table = rng.standard_normal((400, 4)) @ rng.standard_normal((4, 32)) + 0.05 * rng.standard_normal((400, 32))
    return pictures.spectrum_and_bound(table)


@picture
def textbook_epsilon() -> Figure:
    eps = np.linspace(0.005, 1, 60)
    lines = []
    for targets, look in ((1, BLUE), (2, ORANGE), (4, GREEN)):
        errors = [float(error_of_epsilon(float(e), targets=targets)) for e in eps]
        lines.append(Line(f"{targets}", eps, errors, look, (f"{targets} target{'s' if targets > 1 else ''}", "")))
    return line_chart(
        lines,
        x=Axis("ε of the textbook", (0, 1)),
        y=Axis("total variation", (0, None)),
        title="From a textbook's ε to total variation",
        note="Each of m targets gets a weight of at least 1/(m + ε).",
        text="Total variation against ε for one, two and four targets; all rise from 0.",
    )


@picture
def answers_by_size() -> Figure:
    sizes = np.unique(np.geomspace(2, 1000, 60).round().astype(int))
    eps = 0.5

    def weight(factor: float) -> np.ndarray:
        grown = np.exp(factor * np.log(sizes / eps) / 2)  # the other keys score half as much as the first
        return grown / (grown + sizes - 1)

    lines = [
        Line("right", sizes, weight(2), BLUE, ("2·log(n/ε)·k₁", "proved for all n and ε")),
        Line(
            "required",
            sizes,
            np.full(len(sizes), 1 / (1 + eps)),
            palette.Look(palette.INK, "", "--", ""),
            ("required", "1/(1 + ε)"),
        ),
        Line("wrong", sizes, weight(1), VERMILION, ("log(n/ε)·k₁", "refuted at n = 10")),
    ]
    return line_chart(
        lines,
        x=Axis("number of keys n", (2, 1000), log=True, form=",.0f"),
        y=Axis("weight on k₁", (0, 1.02)),
        title="Two answers to question A.1a, at ε = 1/2",
        note="Unit keys whose dot product with k₁ is 1/2, the worst that the question allows.",
        text="The weight of the first key against n for two answers; one stays above the required 2/3, the other below it.",
    )


@picture
def sharpening() -> Figure:
    keys, query, values = _keys(6, 4), _keys(1, 4)[0] * 0.5, np.linspace(0, 20, 60)
    weights = np.array([hw.attend(query, keys, scale=float(s) + 1e-9).weights for s in values])
    order = np.argsort(-weights[-1])[:4]
    lines = [
        Line(f"key {j}", values, weights[:, j], look, (f"key {j}", ""))
        for j, look in zip(order, (BLUE, ORANGE, GREEN, VERMILION), strict=True)
    ]
    return line_chart(
        lines,
        x=Axis("scale", (0, 20)),
        y=Axis("weight", (0, 1)),
        title="Softmax sharpens as the scale grows",
        note="The same query over six keys; the four largest weights.",
        text="Weights of four keys against the scale; one tends to 1, the others to 0.",
    )


@picture
def own_question() -> Figure:
    keys = np.array([[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 2], [1, 1, 1, 1], [-1, 0, 1, 0]], dtype=float)
    student, teacher = 1.5 * (keys[0] + keys[1] - keys[2] - keys[3]), 2 * (keys[0] + keys[1]) - 2 * (keys[2] + keys[3])
    goal = hw.Average(0, 1)
    return weight_columns(
        "Question X.1: two different right answers",
        [
            ("the student's query", hw.attend(student, keys).weights, goal),
            ("the teacher's query", hw.attend(teacher, keys).weights, goal),
        ],
    )


@picture
def certificate_path() -> Figure:
    steps = (
        ("keys, goal", "yours"),
        ("design", "search,\nnot trusted"),
        ("certify", "proof"),
        ("a file", "save"),
        ("verify", "proof again,\nanywhere"),
    )
    with palette.house_style():
        figure = palette.sheet(
            width=8.2,
            height=2.3,
            title="What you must trust on the way",
            note="Only the blue steps. Whatever a search or a file says is proved again there.",
        )
        axes = figure.subplots()
        axes.set(xlim=(0, 10), ylim=(0, 1.7))
        axes.axis("off")
        for k, (name, about) in enumerate(steps):
            trusted = name in ("certify", "verify")
            box = {
                "boxstyle": "round,pad=0.5",
                "facecolor": BLUE.colour if trusted else palette.REST,
                "edgecolor": palette.INK,
            }
            axes.text(
                2 * k + 1,
                1.25,
                name,
                ha="center",
                va="center",
                fontweight="bold",
                bbox=box,
                color=palette.PAPER if trusted else palette.INK,
            )
            axes.text(2 * k + 1, 0.78, about, ha="center", va="top", fontsize=10, color=palette.FAINT)
            if k:
                _arrow(axes, (2 * k + 0.22, 1.25), "", start=(2 * k - 0.22, 1.25))
    return palette.describe(figure, "Keys and a goal, design, certify, a file, verify. Certify and verify are trusted.")


@picture
def many_heads() -> Figure:
    keys = np.random.default_rng(0).standard_normal((4, 8, 64, 32))
    verdicts = hw.certify(keys, 0.6 * keys[:, :, 3], hw.Copy(3), error=0.01)
    assert verdicts.bounds is not None
    errors = verdicts.bounds[1].ravel()
    held = verdicts.statuses.ravel() == "proved"
    with palette.house_style():
        title = f"Copy(3) over {held.size} key sets"
        note = "Each point is the total variation over one key set, proved to more digits than can be seen."
        figure = palette.sheet(width=7.2, height=4.0, title=title, note=note)
        axes = figure.subplots()
        places = np.arange(held.size)
        for name, chosen, look in (("proved", held, BLUE), ("refuted", ~held, VERMILION)):
            axes.scatter(
                places[chosen],
                errors[chosen],
                color=look.colour,
                edgecolor=palette.INK,
                marker=look.marker,
                s=60,
                label=name,
            )
        axes.axhline(0.01, color=palette.INK, linewidth=1.4, linestyle=(0, (4, 2)), label="error asked for")
        axes.set(yscale="log", xlabel="key set (sample by sample, 8 heads each)", ylabel="total variation")
        axes.set_xticks(places[::8])
        figure.legend(loc="outside lower left", ncols=3)
    told = f"{held.sum()} of {held.size} key sets lie below the error asked for, 0.01, and the others above it."
    return palette.describe(figure, f"{title}. {told}")

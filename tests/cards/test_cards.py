"""Notebook cards: every value has one, nothing in it is executed, and its badge says what the value says."""

import dataclasses
import pickle
import re
from fractions import Fraction
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pytest

import headwright as hw
from headwright.faces.cards import draw, parts
from headwright.faces.cards.parts import DOWN, UP, number, text
from headwright.faces.cards.verdicts import mark
from headwright.kernel.shown import Shown
from headwright.words.refusals import AssumptionFailed, Witness
from tests.toy_claim import proved, refuted

ATTACK = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>"
ALLOWED = {"div", "span", "table", "tr", "td", "details", "summary", "sub", "sup"}
VARYING = hw.GaussianKeys(np.eye(4), along={0: 0.5})
CORNERS = np.array([[0, 0], [4, 0], [0, 4], [5, 5], [2, 1]])


class Card(HTMLParser):
    """What a browser makes of a card: its tags, its attributes, its text, and what stands in its badges."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.words, self.badges, self.open = [], [], [], [], []
        self.feed(html)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        self.open.append((tag, dict(attrs).get("style") or ""))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        self.words.append(data)
        if "border-radius:1em" in self.open[-1][1]:
            self.badges.append(data)

    @property
    def text(self):
        return " ".join(self.words)


def unreachable():
    with pytest.raises(hw.Unreachable) as caught:
        hw.design(CORNERS, hw.Copy(4))
    return caught.value


def failed_assumption():
    with pytest.raises(AssumptionFailed) as caught:
        hw.design(CORNERS, hw.Copy(1), method="closed-form")
    return caught.value


def compiled(vocabulary="abc"):
    p = hw.Program(vocabulary, length=4)
    return hw.compile(p, p.count(p.tokens.matches(p.tokens)))


VALUES = {
    "Proved": lambda: proved("1 = 1", bound=0.25),
    "Refuted": lambda: refuted("1 = 2", counterexample={"x": 3}),
    "Undecided": lambda: hw.Undecided("P = NP", reason="nobody knows", next_step="wait", evidence={"years": 54}),
    "Argued": lambda: hw.Argued(
        "all is well", argument="a.md", instances=tuple(proved(f"{i} = {i}") for i in range(12))
    ),
    "Program": lambda: hw.Program([ATTACK, "b"], length=3),
    "NotProved": lambda: hw.NotProved(refuted("1 = 2")),
    "Unreachable": unreachable,
    "NotFound": lambda: hw.NotFound("none", best=hw.design(np.eye(3), hw.Copy(1)), proved_bound=1.5, probability=0.5),
    "AssumptionFailed": failed_assumption,
    "Design": lambda: hw.design(np.eye(3), hw.Average(0, 2)),
    "Design of Top": lambda: hw.design(np.eye(3), hw.Top(0, 2)),
    "Design within a norm": lambda: hw.design(np.eye(3), hw.Average(0, 2), max_norm=2),
    "Design of Top within a norm": lambda: hw.design(np.eye(3), hw.Top(0, 2), max_norm=2),
    "Design for varying keys": lambda: hw.design(VARYING, hw.Average(0, 1), error="0.1", confidence="0.9"),
    "Verdicts": lambda: hw.certify(np.stack([np.eye(3), -np.eye(3)]), 9 * np.eye(3)[0], hw.Copy(0)),
    "Verdicts of Top": lambda: hw.certify(np.eye(3)[None], 9 * np.eye(3)[0], hw.Top(0)),
    "Layer": lambda: hw.design_layer(np.eye(3), {0: hw.Copy(2), 1: hw.Average(0, 1)}, {0: [1.0]}),
    "Radius": lambda: hw.radius(np.eye(3), [9.0, 0.0, 0.0], hw.Copy(0)),
    "Outcome": lambda: hw.outcome(VARYING, np.ones(4), hw.Average(0, 1)),
    "Outcome without goal": lambda: hw.outcome(VARYING, np.ones(4)),
    "Outcome, estimated": lambda: hw.outcome(hw.GaussianKeys(np.eye(4), isotropic=0.1), np.ones(4), hw.Copy(0), seed=1),
    "Comparison": lambda: hw.compare(CORNERS, 0.9 * CORNERS, [[1.0, 0.0], [0.0, 1.0]], values=CORNERS),
    "Copy": lambda: hw.Copy(3),
    "Average": lambda: hw.Average(3, 7),
    "Blend": lambda: hw.Blend({3: "0.7", 7: "0.3"}),
    "Top": lambda: hw.Top(3, 7),
    "GaussianKeys": lambda: VARYING,
    "ScaledKeys": lambda: hw.ScaledKeys(np.eye(3), {0: {0.5: 0.5, 1.5: 0.5}}),
    "Bounded": lambda: hw.outcome(VARYING, np.ones(4), hw.Copy(0)).error_mean,
    "Compression": lambda: hw.compress(np.eye(4), np.eye(4), error="0.1", kinds=["int8", "int4"]),
    "Compression, none found": lambda: hw.compress(np.eye(4), max_norm=9, error="1e-9", kinds=["int4"]),
    "Stored": lambda: hw.stored(np.eye(4), "int4", axis="token", group=2),
    "Readout": lambda: hw.readout(np.eye(3)[:, :1]),
    "LowRank": lambda: hw.spectrum.low_rank(np.diag([3.0, 2.0, 1.0]), 1),
    "Spectrum": lambda: hw.spectrum.singular_values(np.diag(np.arange(1.0, 12))),
    "Energy": lambda: hw.spectrum.energy(np.eye(2)),
    "Tail": lambda: hw.spectrum.tail(np.eye(2), 1),
    "Positions": lambda: hw.position.sinusoidal(100, 4),
    "NearestPair": lambda: hw.position.nearest_pair(hw.position.sinusoidal(100, 4)),
    "Model": compiled,
    "Problem": lambda: hw.problems.CATALOGUE["A.1a"],
}
every_value = pytest.mark.parametrize("make", VALUES.values(), ids=VALUES)


def verdicts_of(value):
    """Every verdict that a value carries."""
    if isinstance(value, hw.NotFound):
        return verdicts_of(value.best)
    if hasattr(value, "status"):
        return [value, *getattr(value, "instances", ())]
    held = [getattr(value, name, None) for name in ("verdict", "optimality", "best_verdict", "refutation")]
    return [verdict for verdict in held if verdict is not None]


@every_value
def test_every_value_has_a_card_of_plain_markup(make):
    value = make()
    assert isinstance(value, Shown)
    html = value._repr_html_()
    card = Card(html)
    assert card.text.strip()
    assert set(card.tags) <= ALLOWED
    assert set(card.attributes) <= {"style"}
    assert not re.search(
        r"url\(|expression|javascript|currentColor", html
    )  # JupyterLab drops these where it does not trust
    assert len(html) < 30_000
    assert repr(value) == repr(value)


@every_value
def test_no_badge_says_proved_but_for_a_proved_verdict(make):
    value = make()
    words = [badge.split(" ", 1)[1] for badge in Card(value._repr_html_()).badges]
    statuses = [verdict.status for verdict in verdicts_of(value)]
    for status in ("proved", "refuted", "undecided", "argued"):
        said = sum(status in word.lower() for word in words)
        assert bool(said) == (status in statuses)


def test_the_badge_word_is_the_status():
    for name in ("Proved", "Refuted", "Undecided", "Argued"):
        verdict = VALUES[name]()
        first = Card(verdict._repr_html_()).badges[0]
        assert first.split(" ", 1)[1].lower() == verdict.status


def test_signs_differ_where_colours_do():
    signs = {
        Card(VALUES[name]()._repr_html_()).badges[0].split()[0] for name in ("Proved", "Refuted", "Undecided", "Argued")
    }
    assert len(signs) == 4


@pytest.mark.parametrize("impostor", [None, SimpleNamespace(status="proved"), hw.Undecided])
def test_what_is_no_verdict_gets_no_green_badge(impostor):
    badge, colour = mark(impostor)
    assert "Proved" not in badge
    assert colour == mark(None)[1]


def test_a_design_that_nobody_judged_does_not_say_proved():
    bare = hw.Design(np.ones((1, 3)), np.ones(1), 1.0, hw.Copy(1), 0.01, np.array([0.1, 0.8, 0.1]))
    assert "roved" not in Card(bare._repr_html_()).text.replace("not proved", "").replace("no least norm proved", "")


def test_a_restored_verdict_says_so():
    here = VALUES["Proved"]()
    there = pickle.loads(pickle.dumps(hw.certify(np.eye(3), hw.design(np.eye(3), hw.Copy(1)))))
    assert [badge.split(" ", 1)[1] for badge in Card(here._repr_html_()).badges] == ["Proved"]
    assert [badge.split(" ", 1)[1] for badge in Card(there._repr_html_()).badges] == [
        "Proved",
        "Restored, not checked here",
    ]
    assert mark(there)[1] == mark(None)[1]  # and the card is not green


def test_a_refusal_says_where_its_proof_is_missing():
    made_up = hw.Unreachable("no", verdict=hw.Undecided("perhaps"))
    assert [badge.split(" ", 1)[1] for badge in Card(made_up._repr_html_()).badges[:2]] == ["Unreachable", "Undecided"]
    there = pickle.loads(pickle.dumps(unreachable()))
    assert "Restored" in Card(there._repr_html_()).badges[2]


def test_a_large_layer_shows_rows_with_goals_and_what_they_attend_to(rng):
    layer = hw.design_layer(rng.standard_normal((30, 16)), {20: hw.Copy(29), 25: hw.Copy(3)})
    shown = Card(layer._repr_html_()).text
    assert re.search(r"◆ token 20.*0\.99.*◆ token 25.*0\.99", shown)
    assert "12 of 30 rows and columns" in shown


def attacked():
    yield proved(ATTACK, bound_text=ATTACK, reason=ATTACK, method=ATTACK, scope=ATTACK)
    yield refuted(ATTACK, counterexample={ATTACK: ATTACK}, holds_when=ATTACK)
    yield hw.Undecided(ATTACK, next_step=ATTACK, evidence={ATTACK: ATTACK})
    yield hw.Argued(ATTACK, argument=ATTACK, instances=(proved(ATTACK),))
    yield hw.Unreachable(ATTACK, verdict=proved(ATTACK), best_error=0.5, best_verdict=proved(ATTACK))
    weights = np.array([0.1, 0.9])
    bare = hw.Design(np.ones((1, 3)), np.ones(1), 1.0, hw.Copy(1), "1/100", weights, method=ATTACK, precision=ATTACK)
    made = hw.design(np.eye(3), hw.Copy(1))
    yield dataclasses.replace(made, method=ATTACK, prove=lambda: made.verdict.explained(ATTACK))
    yield hw.NotFound(ATTACK, best=bare)
    yield AssumptionFailed(ATTACK, (0, 1), 0.5, ATTACK)


def test_tokens_of_a_model_are_escaped():
    p = hw.Program(["a", ATTACK], length=3)
    card = Card(hw.compile(p, p.pick(p.tokens.among([ATTACK]), p.tokens, default="a"))._repr_html_())
    assert set(card.tags) <= ALLOWED
    assert "<script>" in card.text


@pytest.mark.parametrize("value", list(attacked()), ids=lambda value: type(value).__name__)
def test_text_is_escaped(value):
    card = Card(value._repr_html_())
    assert set(card.tags) <= ALLOWED
    assert set(card.attributes) <= {"style"}
    assert "<script>" in card.text  # as text


def test_a_fault_in_a_student_file_is_escaped(tmp_path):
    path = tmp_path / "answers.toml"
    path.write_text(f"student = '''{ATTACK}'''\n[\"<b>\"]\nq = 1\n[A.1a]\nq = '''{ATTACK}'''\n", "utf-8")
    card = Card(hw.problems.grade(path)._repr_html_())
    assert set(card.tags) <= ALLOWED
    assert "<script>" in card.text
    unreadable = hw.problems.Grade("a.toml", None, "", (), unreadable=ATTACK)
    assert set(Card(unreadable._repr_html_()).tags) <= ALLOWED


def test_long_texts_are_cut_and_counted():
    html = hw.Undecided("x" * 100_000, reason="y" * 100_000, next_step="z" * 100_000)._repr_html_()
    assert len(html) < 10_000
    assert html.count("99,400 more characters") == 3


@pytest.mark.parametrize(
    "value",
    [
        hw.Average(*range(5000)),
        hw.Top(*range(5000)),
        hw.Blend({j: j + 1 for j in range(5000)}),
        hw.GaussianKeys(np.eye(1000, 8) + 1, isotropic=0.1),
        hw.Design(np.ones((1, 3)), np.ones(1), 1.0, hw.Average(*range(4000)), 0.01, np.full(5000, 1 / 5000)),
        hw.Unreachable("no", verdict=proved(), witness=Witness(tuple(range(999)), (Fraction(1, 999),) * 999)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_thousands_of_keys_are_counted_not_listed(value):
    html = value._repr_html_()
    assert len(html) < 15_000
    assert re.search(r"(4,99\d|99\d) more", Card(html).text)


def test_long_fractions_are_rounded():
    long = Fraction(1, 3**20_000)
    short = Fraction(1, 3)
    refusal = hw.Unreachable("no", verdict=proved(), witness=Witness((0, 1, 2), (long, short, 1 - short - long)))
    assert re.findall(r"1/3|0\.6667", Card(refusal._repr_html_()).text) == ["0.6667", "1/3"]
    asked = hw.Design(np.ones((1, 3)), np.ones(1), 1.0, hw.Copy(1), Fraction(1, 3**4000), np.array([0.1, 0.9]))
    assert len(asked._repr_html_()) < 10_000


def test_the_heaviest_keys_are_shown_and_the_rest_adds_up():
    weights = np.full(1000, 1e-5)
    weights[[3, 7, 500]] = [0.6, 0.3, 1 - 0.9 - 997e-5]
    design = hw.Design(np.ones((1, 3)), np.ones(1), 1.0, hw.Average(3, 7), 0.01, weights)
    shown = Card(design._repr_html_()).text
    assert re.findall(r"key (\d+)", shown)[:3] == ["3", "7", "500"]
    assert "994 more keys, 0.0099 together" in shown


def test_proved_bounds_are_rounded_outward():
    assert (number(0.30001, UP), number(0.29999, DOWN), number(0.01, UP)) == ("0.3001", "0.2999", "0.01")
    assert number(-0.30001, UP) == "−0.3"
    assert number(0.99996, DOWN) == "0.9999"
    assert [number(x) for x in (np.inf, -np.inf, np.nan, 0.0)] == ["∞", "−∞", "not a number", "0"]
    assert "10<sup" in number(1e-300)


def test_minus_signs_and_powers_in_text():
    assert text("[-1.5, -.5] x-1 e-5 0x1e-3 1e+20").startswith("[−1.5, −.5] x-1 e-5 0x1e-3 1 × 10<sup")


def test_an_unknown_value_is_shown_as_text():
    assert "&lt;b&gt;" in draw("<b>")


def test_without_the_package_a_value_is_shown_as_text(monkeypatch):
    monkeypatch.setattr("headwright.kernel.shown.drawing", [])
    assert hw.Copy(3)._repr_html_() is None


def test_a_card_does_not_make_a_proof_heavier():
    """The trusted base holds no markup: what draws cards is found at run time, from above."""
    from evidence.partial import LIBRARY
    from evidence.trusted_base import lines_of

    base = lines_of(LIBRARY)
    assert not any(file.startswith("cards/") for file in base)
    assert not [file for file in base if "<div" in (LIBRARY / file).read_text("utf-8")]


def luminance(colour):
    """Relative luminance of "#rrggbb", as the WCAG defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colour", [parts.GREEN, parts.RED, parts.BROWN, parts.BLUE, parts.SLATE])
def test_badges_can_be_read(colour):
    assert contrast(colour, "#ffffff") >= 4.5


@pytest.mark.parametrize("ground", ["#ffffff", "#111111", "#181c1a"], ids=["light", "JupyterLab dark", "marimo dark"])
def test_bars_stand_out_in_light_and_dark(ground):
    assert min(contrast(colour, ground) for colour in (parts.GOAL, parts.OTHER)) >= 3

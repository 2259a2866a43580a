"""The sentences that the playground writes itself."""

import json

import pytest

from headwright.playground.answers import answer_to
from headwright.playground.module import module_text
from tests.browser.play_pages import AVERAGE, SCENE, open_widget

pytestmark = pytest.mark.needs("playwright")


page = pytest.fixture(scope="module")(open_widget)


def words(page, scene=None, *, answer=None, fresh=False, host="notebook", chance=None, seen=None):
    """The sentences below the badge, as texts."""
    view = {"scene": {**SCENE, **(scene or {})}, "answer": answer, "fresh": fresh, "host": host, "number": 18}
    return page.evaluate(
        """([view, own, chance]) => verdictWords({ ...view, seen: { ...compute(view.scene), ...own } }, chance)
          .map((parts) => parts.map((part) => part.formula?.join(" ") ?? part).join(""))""",
        [view, seen or {}, chance],
    )


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (0.01, "0.01"),
        (0.123456, "0.1235"),
        (-2.5, "−2.5"),
        (1, "1"),
        (4096, "4,096"),
        (12345.6, "12,350"),
        (1e48, "10⁴⁸"),
        (-3.21987e48, "−3.2·10⁴⁸"),
        (2.5e-7, "2.5·10⁻⁷"),
        (1.696e-11, "1.7·10⁻¹¹"),
        (0.0001, "0.0001"),
        (999999.9, "10⁶"),
        (None, "—"),
    ],
)
def test_numbers_in_prose(page, number, text):
    assert page.evaluate("prose", number) == text


def test_infinity_in_prose(page):
    assert page.evaluate("[prose(Infinity), prose(-Infinity), prose(NaN)]") == ["∞", "−∞", "—"]


def test_a_goal_that_is_met(page):
    assert words(page) == [
        "The query gives key 3 a weight of 0.99.",
        "The total variation from the goal is 0.01, within the 0.01 allowed.",
        "The query has the norm ‖ q ‖ = 1.292.",
        "The shortest query uses up the error, so no key may move.",
    ]


def test_a_key_inside_the_hull(page):
    goal = {"goal": "copy", "indices": [4], "shares": ["1"]}
    said = words(page, {"goal": goal}, seen={"witness": {"indices": [0, 1, 2], "weights": [0.25, 0.5, 0.25]}})
    assert said == [
        "Key 4 is ¼ · key 0 + ½ · key 1 + ¼ · key 2, so its score is a weighted mean of theirs and never above them all.",
        "No query gives it more than 0.2271 of the weight.",
    ]


def test_a_witness_has_fractions_or_numbers_but_not_both(page):
    scene = {"goal": {"goal": "copy", "indices": [4], "shares": ["1"]}}
    (said, _) = words(page, scene, seen={"witness": {"indices": [0, 1, 3], "weights": [0.55, 0.25, 0.2]}})
    assert said.startswith("Key 4 is 11/20 · key 0 + ¼ · key 1 + ⅕ · key 3,")
    (said, _) = words(page, scene, seen={"witness": {"indices": [0, 1], "weights": [0.5, 0.49731234]}})
    assert said.startswith("Key 4 is 0.5 · key 0 + 0.497 · key 1,")


def test_the_library_speaks_for_the_state_that_it_was_asked_about(page):
    answer = {"number": 17, "status": "proved", "sentence": "Proved: it holds.", "norm": 1.29191, "lower_bound": 1.2919}
    said = words(page, answer=answer, fresh=True)
    assert said[:2] == [
        "Proved: it holds.",
        "The query has the norm ‖ q ‖ = 1.292. No query shorter than 1.291 does it (proved).",
    ]
    assert not any("Proved" in text or "proved" in text for text in words(page, answer=answer))


def test_the_weights_stand_below_the_claim_of_the_library(page):
    scene = {"queries": [[0.0, 0.0]]}
    answer = answer_to({"number": 17, "text": json.dumps({**SCENE, **scene}), "question": None})
    assert answer["status"] == "refuted"
    assert words(page, scene, answer=answer, fresh=True)[1] == "The query gives key 3 a weight of 0.2."


def test_a_bound_is_not_rounded_up_to_the_norm(page):
    answer = {"number": 17, "status": "proved", "sentence": "", "norm": 2.0, "lower_bound": 1.99996}
    said = words(page, answer=answer, fresh=True)
    assert "No query shorter than 1.999 does it (proved)." in "".join(said)


def test_the_library_refuses_with_a_witness(page):
    witness = {"indices": [0, 1, 2], "weights": ["1/4", "1/2", "1/4"]}
    answer = {"number": 17, "status": "unreachable", "sentence": "Proved: no query does it.", "witness": witness}
    said = words(
        page,
        {"goal": {"goal": "copy", "indices": [4], "shares": ["1"]}},
        answer={**answer, "best_error": 0.7731},
        fresh=True,
    )
    assert said == [
        "Proved: no query does it.",
        "Key 4 is ¼ · key 0 + ½ · key 1 + ¼ · key 2, so its score is a weighted mean of theirs and never above them all.",
        "No query gives it more than 0.2269 of the weight.",
    ]


def test_what_is_proved_of_steady_queries_is_said_of_no_other(page):
    """Key 1 is not key 0: only a query that does not feel key 1's noise gives both the same score."""
    scene = {"goal": {"goal": "copy", "indices": [1], "shares": ["1"]}, "steady": True}
    scene["noise"] = {"isotropic": 0, "along": {"1": 0.5}}
    answer = answer_to({"number": 17, "text": json.dumps({**SCENE, **scene}), "question": None})
    assert answer["status"] == "unreachable"
    said = words(page, scene, answer=answer, fresh=True)
    assert said[1:3] == [
        "To a steady query, key 1 looks the same as key 0, so both have the same score.",
        "No steady query gives it more than 0.5 of the weight.",
    ]
    computed = words(page, scene)
    assert computed[0].startswith("To a steady query, key 1 ")
    assert computed[1].startswith("No steady query gives it more than 0.")


def test_a_query_that_withstands_no_moves(page):
    scene = {"goal": {"goal": "copy", "indices": [1], "shares": ["1"]}, "radius": 3}
    assert words(page, scene)[0] == "If every key may move by 3, no query copies key 1 to within 0.01."


def test_a_goal_that_is_missed(page):
    said = words(page, {"queries": [[0.0, 0.0]]})
    assert said[:2] == [
        "The query gives key 3 a weight of 0.2.",
        "The total variation from the goal is 0.8, more than the 0.01 allowed.",
    ]
    assert said[2].startswith("Your query has the norm")


def test_several_heads(page):
    said = words(page, {"goal": AVERAGE, "heads": 2})
    assert said[0].startswith("Two heads together give key 1 a weight of 0.495 and key 2")
    assert said[2].startswith("The longest query has the norm")


def test_top(page):
    said = words(page, {"goal": {"goal": "top", "indices": [3]}})
    assert said[0] == "Key 3 scores above every other key. The smallest score gap is 1."
    assert said[2].startswith("Every key may move by ")
    assert said[2].endswith("still scores above every other key.")
    said = words(page, {"goal": {"goal": "top", "indices": [1, 2]}})
    assert said[0].startswith("The hull of the targets meets the hull of the other keys")


def test_no_goal(page):
    assert words(page, {"goal": None}) == ["Click a key to choose it as the goal."]


def test_the_radius(page):
    assert "The error stays within 0.01 however each key moves by at most 0.1." in words(page, {"radius": 0.1})
    said = words(page, {"queries": [[3.0, 3.0]]}, seen={"status": "met", "radius": 0.2134})
    assert said[-1] == "Every key may move by 0.213, all at once, and the error stays within 0.01."
    answer = {
        "number": 17,
        "status": "proved",
        "sentence": "Proved: it holds.",
        "radius": {"low": 0.21297, "high": 0.22},
    }
    said = words(page, {"queries": [[3.0, 3.0]]}, answer=answer, fresh=True, seen={"status": "met"})
    assert said[-1] == "Proved: every key may move by 0.212, all at once, and the error stays within 0.01."
    said = words(page, {"queries": [[3.0, 3.0]], "error": 0.010002}, answer=answer, fresh=True, seen={"status": "met"})
    assert said[-1].endswith("the error stays within 0.01001.")  # 0.01 is less than what was proved


def test_below_a_valid_badge_only_the_library_speaks(page):
    """What the page computed must not stand below the word Proved as if it were proved."""
    answer = {"number": 17, "status": "proved", "sentence": "Proved: it holds.", "radius": None, "norm": None}
    for scene in ({"queries": [[3.0, 3.0]]}, {"radius": 0.1}, {}):
        assert len(words(page, scene)) > 1
        assert words(page, scene, answer=answer, fresh=True) == ["Proved: it holds."]


@pytest.mark.parametrize(
    "scene",
    [{}, {"goal": {"goal": "copy", "indices": [4], "shares": ["1"]}}, {"queries": [[3.0, 3.0]]}, {"max_norm": 0.8}],
    ids=["copy", "impossible", "own", "budget"],
)
def test_the_words_of_the_library_itself(page, scene):
    answer = answer_to({"number": 17, "text": json.dumps({**SCENE, **scene}), "question": None})
    said = words(page, scene, answer=answer, fresh=True)
    assert said[0] == answer["sentence"]
    assert said[0].startswith("Proved: ")
    assert ("That is more than the 0.01 allowed." in said) == ("max_norm" in scene)
    assert any("may move by 1.49" in text for text in said) == ("queries" in scene)


def test_the_probability_under_noise(page):
    noise = {"noise": {"isotropic": 0, "along": {"3": 0.1}}}
    known = {"low": 0.9128, "high": 0.9131, "proved": False}
    answer = {"number": 17, "status": "undecided", "sentence": "Undecided: no proof.", "probability": known}
    said = words(page, noise, answer=answer, fresh=True)
    assert (
        said[-1]
        == "With noise the error stays within 0.01 with a probability of about 0.912 to 0.914 (estimated, not proved)."
    )


def test_with_noise_the_weights_are_those_at_the_mean(page):
    goal = {"goal": "average", "indices": [1, 3], "shares": ["1/2", "1/2"]}
    noise = {"noise": {"isotropic": 0, "along": {"1": 0.1}}, "goal": goal}
    said = words(page, noise)
    assert said[0] == "At the mean of the keys, the query gives key 1 a weight of 0.495 and key 3 a weight of 0.495."
    assert said[1].startswith("There the total variation from the goal is 0.01, within")
    assert said[-1] == "With noise the error stays within 0.01 with a probability of …"
    said = words(page, noise, chance=0.44831)
    assert (
        said[-1] == "With noise the error stays within 0.01 with a probability of about 0.448 (computed, not proved)."
    )


def test_a_copy_that_no_query_keeps_while_keys_move(page):
    keys = [[0, 0], [4, 0], [0, 4], [3, 3]]
    scene = {"keys": keys, "error": 0.05, "radius": 1}
    why = (
        "Key 3 lies about 1.414 from the hull of the other keys. "
        "It must be more than 2 away, because key and hull can move towards each other."
    )
    assert words(page, scene) == ["If every key may move by 1, no query copies key 3 to within 0.05.", why]
    answer = answer_to({"number": 17, "text": json.dumps({**SCENE, **scene}), "question": None})
    assert words(page, scene, answer=answer, fresh=True) == [answer["sentence"], why]


def test_no_query_of_ones_own_is_said_to_withstand_moves_that_it_does_not(page):
    own = {"queries": [[3.0, 3.0]], "radius": 2.5}
    assert words(page, own)[-1].endswith("moves by at most 1.49, but moves of up to 2.5 are allowed for.")
    assert words(page, {**own, "radius": 1})[-1] == "The error stays within 0.01 however each key moves by at most 1."


def test_a_steady_query_sees_the_keys_without_the_noise(page):
    scene = {"keys": [[4, 0], [0, 4], [0, -3], [0, -1]], "goal": {"goal": "copy", "indices": [0], "shares": ["1"]}}
    noise = {"noise": {"isotropic": 0, "along": {"0": 8}}, "steady": True}
    said = words(page, {**scene, **noise}, seen={"witness": {"indices": [1, 3], "weights": [0.2, 0.8]}})
    assert said[0].startswith("To a steady query, key 0 is ⅕ · key 1 + ⅘ · key 3, so its score")
    assert said[1:3] == [
        "No steady query gives it more than 0.25 of the weight.",
        "This is about the keys without their noise.",
    ]


def averaging(i, j):
    return {"goal": "average", "indices": [i, j], "shares": ["1/2", "1/2"]}


@pytest.mark.parametrize(
    ("scene", "start"),
    [
        (
            {"keys": [[1, 1], [1, 1], [0, 0]], "goal": {"goal": "copy", "indices": [0], "shares": ["1"]}},
            "Key 0 equals key 1",
        ),
        (
            {"keys": [[0, 0], [4, 0], [0, 4], [4, 4]], "goal": averaging(0, 3)},
            "Whatever the query, a weighted mean of the scores of key 0, key 1, key 2 and key 3 equals",
        ),
        ({"goal": averaging(3, 4), "heads": 2}, "The page found no copying query for some target."),
        (
            {"goal": averaging(1, 3), "radius": 5},
            "The page found no query that meets the goal however each key moves by at most 5.",
        ),
    ],
    ids=["equal keys", "an average", "heads", "moves"],
)
def test_why_there_is_no_query(page, scene, start):
    assert words(page, scene)[0].startswith(start)


def test_every_sentence_of_the_module_keeps_the_house_rules():
    from tests.house.test_voice import forbidden, turns_in

    text = module_text()
    assert turns_in(text, forbidden()) == []
    sentences = [line for line in text.splitlines() if '"' in line or "`" in line]
    assert [line for line in sentences if "n't " in line or "'re " in line or "it's " in line.lower()] == []


def test_a_sentence_is_spoken_with_its_numbers(page):
    view = {"scene": SCENE, "answer": None, "fresh": False, "host": "file", "number": 18}
    said = page.evaluate("(view) => spokenVerdict({ ...view, seen: compute(view.scene) })", view)
    assert said.startswith("Computed, not proved. The query gives key 3")
    assert "The query has the norm 1.292." in said
    assert json.dumps(said).count("object") == 0

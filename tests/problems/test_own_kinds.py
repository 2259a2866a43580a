"""A teacher's questions beyond one query: none, numbers, choices, free text, any keys of every n, matrices, layers, counting."""

import itertools
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import headwright as hw
from headwright.problems.grading import grade_many
from headwright.problems.judges.keyed import judge_choice
from headwright.reading.formulas import FormulaError
from headwright.words.attention import attend
from tests.facts import says

ID = 'id = "X.1"\ntext = "?"\n'
LINE = ID + "keys = [[-1.0], [0.0], [1.0]]\nerror = 0.1\n"
NONE = 'claim = {kind = "impossible"}\n'


@pytest.fixture
def one(tmp_path):
    def one(text):
        path = tmp_path / "mine.toml"
        path.write_text(text, "utf-8")
        (problem,) = hw.problems.load(path).values()
        return problem

    return one


def none(problem):
    return problem.check(dict.fromkeys(problem.answers, "none"))


# None.


def test_none_shows_its_witness(one):
    verdict = none(one(LINE + NONE + "copy = 1"))
    assert verdict.status == "proved"
    assert verdict.record.kind == "out-of-reach"
    assert "k_2 = 1/2·k_1 + 1/2·k_3" in verdict.reason


@pytest.mark.parametrize("solution", ['{q = "none"}', '"none"', '{q = "Impossible"}'])
def test_none_is_judged_in_every_question_about_given_keys(one, solution):
    problem = one(LINE + f"copy = 1\nsolution = {solution}")
    assert problem.kind == "near"
    assert none(problem).status == "proved"
    assert problem.check({"q": "9*k_3"}).status == "refuted"
    assert none(one(LINE + "copy = 0")).status == "refuted"
    with pytest.raises(FormulaError):
        none(one(LINE + "copy = 0\ngaussian = {isotropic = 0.01}"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LINE + 'copy = 0\nsolution = {q = "none"}', r"`solution`.*refuted"),
        (LINE + 'copy = 1\nanswer = "impossible"', r"`answer`.*impossible"),
        (
            ID + 'keys = "orthonormal"\ncopy = 0\nnames = {u = {key = 0}}\nsolution = {q = "none"}',
            r"`solution`.*\"exact\"",
        ),
        (LINE + 'copy = 1\ngaussian = {isotropic = 0.01}\nsolution = {q = "none"}', "`solution`.*vary"),
    ],
)
def test_none_in_the_wrong_place_is_refused(one, text, said):
    with pytest.raises(ValueError, match=said):
        one(text)


def test_heads_that_copy_are_no_better_than_one(one, rng):
    problem = one(LINE + NONE + "copy = 1\nheads = 2")
    assert none(problem).status == "proved"
    keys = np.array([[-1.0], [0.0], [1.0]])
    for pair in rng.normal(scale=20, size=(200, 2, 1)):  # what the proof says, seen
        assert np.mean([attend(query, keys).weights[1] for query in pair]) < 0.9
    with pytest.raises(hw.problems.AnswerError, match="`q1 and q2`"):
        problem.check({"q1": "none", "q2": "k_1"})


def test_heads_may_average_what_no_query_does(one):
    apart = LINE + NONE + "average = [0, 2]\n"
    assert none(one(apart)).status == "proved"
    together = one(apart + "heads = 2")
    assert none(together).status == "refuted"
    assert together.check({"q1": "9*k_1", "q2": "9*k_3"}).status == "proved"
    middle = one(LINE + NONE + "average = [0, 1]\nheads = 2")
    assert none(middle).status == "undecided"  # no claim is about the mean of several heads


@pytest.mark.parametrize(("length", "status"), [(4, "proved"), (5, "refuted")])
@pytest.mark.parametrize("heads", [1, 2])
def test_none_within_a_length(one, length, status, heads):
    """Three orthonormal keys: the shortest query is t(1, -1/2, -1/2) with 3t/2 = ln(2·99), 4.318 long."""
    shortest = math.log(2 * 99) / math.sqrt(1.5)
    assert 4 < shortest < 5
    problem = one(ID + NONE + f"orthonormal = 3\ncopy = 0\nmax_length = {length}\nheads = {heads}")
    verdict = none(problem)
    assert verdict.status == status
    if status == "proved":
        assert verdict.record.kind == "no-shorter"
        assert verdict.record.goal == hw.Copy(0)
        assert length < verdict.record.least <= Fraction(shortest + 1e-9)


def test_a_length_that_the_bound_does_not_exceed_is_undecided(one):
    """Between the proved bound and the query that was found lie lengths that neither decides; the bound itself is one."""
    design = hw.design(np.eye(3), hw.Copy(0), error="1/100")
    norm = design.optimality.record.least
    assert norm**2 < sum(Fraction(x) ** 2 for x in design.query.tolist())
    assert none(one(ID + NONE + f'orthonormal = 3\ncopy = 0\nmax_length = "{norm}"')).status == "undecided"


def test_a_score_gap_is_met_by_the_shortest_of_queries(one):
    assert none(one(ID + NONE + 'orthonormal = 3\ntop = [0]\nmax_length = "1/1000"')).status == "refuted"


# Numbers.


def number(one, entries):
    return one(ID + f'claim = {{kind = "number", {entries}}}\n')


@pytest.mark.parametrize(
    ("entries", "right", "wrong"),
    [
        ('value = "2*log(10)", tolerance = "0.01"', [4.6, "4.6", "2*log(10)", "log(100)", "4.615"], [4.59, "4.62"]),
        ('value = "1/2", tolerance = 0.01', [0.51, 0.49, "51/100"], [0.510001, "0.4899999", -0.5]),
        ("value = 7, tolerance = 0", [7, 7.0, "7", "sqrt(49)", np.float64(7)], [7.0000001, "7 + 10^(-30)"]),
        ('value = -100, relative = "1%"', [-101, "-99"], [-101.01, 101, "-98.9"]),
        ("value = 1e-3, relative = 0.1", ["0.0011", 0.0009], [0.00111, 0]),
        ('value = "10^30", relative = 0.1', [1e30, "1.1*10^30"], [1e31]),
    ],
)
def test_numbers_are_judged_exactly(one, entries, right, wrong):
    problem = number(one, entries)
    for answer in right:
        assert problem.check({"answer": answer}).status == "proved", answer
    for answer in wrong:
        verdict = problem.check({"answer": answer})
        assert verdict.status == "refuted", answer
        assert verdict.record.kind == "inequality"


def test_a_float_at_the_edge_means_its_decimal(one):
    """1.01 as float64 is above 101/100, which must not cost the answer."""
    assert Fraction(1.01) > Fraction(101, 100)
    assert number(one, "value = 1, tolerance = 0.01").check({"answer": 1.01}).status == "proved"


def test_what_balls_cannot_tell_apart_is_undecided(one):
    problem = number(one, 'value = "log(2)", tolerance = 1')
    assert problem.check({"answer": "1 + log(4)/2"}).status == "undecided"


@pytest.mark.parametrize(
    "answer", ["4.6 nats", "4.6nats", "$4.6 \\text{ nats}$", "4.6\\,\\mathrm{nats}", "4.6 Nats.", "4.6"]
)
def test_the_unit_may_stand_after_the_number(one, answer):
    problem = number(one, 'value = "2*log(10)", tolerance = 0.01, unit = "nats"')
    assert "nats" in problem.question
    assert problem.check({"answer": answer}).status == "proved"


@pytest.mark.parametrize(
    "answer", ["4.6 bits", "nats", "k_1", "[1, 2]", "log(-1)", "exp(exp(exp(9)))", True, None, "", [4.6]]
)
def test_what_is_not_a_number(one, answer):
    problem = number(one, 'value = "2*log(10)", tolerance = 0.01, unit = "nats"')
    with pytest.raises((hw.problems.AnswerError, FormulaError)):
        problem.check({"answer": answer})


def test_the_message_does_not_give_the_value_away(one):
    reason = number(one, 'value = "2*log(10)", tolerance = 0.01').check({"answer": 4}).reason
    assert says(reason, 4, 0.01)
    assert "4.6" not in reason
    assert "log" not in reason


# Choices and free text.

CHOICE = 'claim = {kind = "choice", options = {a = "It halves.", b = "It doubles.", c = "It stays."}, right = %s}\n'
TABLES = """claim = {kind = "choice"}
option = [{id = "a", text = "It halves."}, {id = "b", text = "It doubles.", right = true}, {id = "c", text = "It stays."}]
"""
SPELLINGS = ("b", "B", "b)", "(b)", "b.", " b ", "b) It doubles.", "It doubles")


@pytest.mark.parametrize("claim", [CHOICE % '"b"', CHOICE % '["b"]', TABLES])
def test_a_choice_is_marked_by_the_key(one, claim):
    problem = one(ID + claim)
    assert all(text in problem.question for text in ("a) It halves.", "b) It doubles."))
    for answer in SPELLINGS:
        assert judge_choice(problem, {"answer": answer}).right is True, answer
    for answer in ("a", "C", "a, b", "abc d"):
        assert judge_choice(problem, {"answer": answer}).right is not True
    assert dict(problem.ours["answer"]) == {"answer": "b"}


@pytest.mark.parametrize("answer", [*SPELLINGS, "a", ["b"], ["a", "b"]])
def test_no_choice_is_proved_or_refuted(one, answer):
    verdict = one(ID + CHOICE % '"b"').check({"answer": answer})
    assert (verdict.status, verdict.record) == ("undecided", None)


def test_several_right_options_are_all_asked_for(one):
    problem = one(ID + CHOICE % '["c", "a"]')
    for answer in ("a, c", "c a", "A and C", "(a) (c)", "a;c", "a & c"):
        assert judge_choice(problem, {"answer": answer}).status == "key-right", answer
    for answer in itertools.chain("abc", ("a, b", "a, b, c")):
        assert judge_choice(problem, {"answer": answer}).status == "key-wrong", answer


def test_ids_may_be_numbers(one):
    problem = one(ID + 'claim = {kind = "choice", options = {1 = "It halves.", 2 = "It doubles."}, right = "2"}')
    assert "right" in problem.check({"answer": 2}).reason
    assert "wrong" in problem.check({"answer": 1}).reason


def test_words_beside_an_id_go_to_a_person_and_an_unknown_id_does_not(one):
    problem = one(ID + CHOICE % '"b"')
    assert judge_choice(problem, {"answer": "b, because it grows"}).status == "undecided"
    with pytest.raises(hw.problems.AnswerError, match="`answer`"):
        problem.check({"answer": "d"})


def test_grades_of_choices_numbers_and_texts(tmp_path):
    mine, answers = tmp_path / "mine.toml", tmp_path / "a.toml"
    text = 'claim = {kind = "text"}\nsolution = {answer = "It is."}\npoints = 4\n'
    count = 'claim = {kind = "number", value = 3, tolerance = 0}\npoints = 7.5\n'
    bodies = (CHOICE % '"b"' + "points = 2\n", CHOICE % '"b"' + "points = 2\n", count, text)
    mine.write_text("".join(f'[[question]]\nid = "X.{k}"\ntext = "?"\n{body}' for k, body in enumerate(bodies)))
    answers.write_text('[X.0]\nanswer = "B)"\n[X.1]\nanswer = "a"\n[X.2]\nanswer = 3\n[x.3]\nanswer = "Because."\n')
    graded = hw.problems.grade(answers, problems=hw.problems.load(mine), explain=True)
    got = [(result.status, result.points, result.to_read) for result in graded.results.values()]
    assert got == [("key-right", 2, False), ("key-wrong", 0, False), ("proved", 7.5, False), ("undecided", 0, True)]
    assert (graded.totals[0].points, graded.totals[0].possible) == (9.5, 15.5)
    assert (graded.totals[0].right, graded.totals[0].judged) == (2, 3)
    assert [result.explanation for result in graded.results.values()][::3] == ["answer = b", "answer = It is."]
    (there,) = grade_many([answers], problems=mine)
    assert [r.status for r in there.results.values()] == [r.status for r in graded.results.values()]


# Any keys of every n.


def every(goal, names, law=""):
    asked = f'symbols = ["n", "eps", "t"]\nclaim = {{kind = "near", {goal}}}\n'
    return f'{ID}keys = "orthonormal"\n{law}names = {{{names}}}\n{asked}'


def test_names_are_only_names(one):
    usual = one(every("average = [0, 1]", "a = {key = 0}, b = {key = 1}"))
    other = one(every("average = [6, 2]", "a = {key = 2}, b = {key = 6}"))
    for query in ("2*log(n/eps)*(a + b)", "log(n/eps)*a", "t*(a + b)", "t*a", "log((n - 2)/eps)*(a + b)"):
        assert other.check({"q": query}).status == usual.check({"q": query}).status, query
    assert "n ≥ 2" in other.question
    assert "n ≥ 2" not in usual.question


def test_a_copied_key_may_have_any_number(one):
    problem = one(every("copy = 4", "k = {key = 4}").replace(', "t"', ""))
    assert problem.check({"q": "2*log(n/eps)*k"}).status == "proved"
    assert problem.check({"q": "log(2)*k"}).status == "refuted"
    assert problem.check({"q": 9 * np.eye(10)[0]}).status == "proved"  # arrays have it first, as the question says


def test_the_key_of_random_length_is_found_wherever_it_stands(one):
    law = 'scaled = {7 = {"1/2" = "1/2", "2" = "1/2"}}\n'
    problem = one(every("average = [3, 7]", "a = {key = 3}, u = {key = 7}", law) + "heads = 2\n")
    assert problem.family.basis == ("u", "a")
    assert problem.check({"q1": "2*log(2*n/eps)*u", "q2": "log(2*n/eps)*a"}).status == "proved"
    assert problem.check({"q1": "log(2*n/eps)*u", "q2": "2*log(2*n/eps)*a"}).status == "refuted"


LENGTHS = '{"1/2" = "1/2", "2" = "1/2"}'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (every("average = [3, 7]", "a = {key = 3}, b = {key = 7}", f"scaled = {{0 = {LENGTHS}}}\n"), "`scaled`"),
        (
            every("average = [0, 1]", "a = {key = 0}, b = {key = 1}", f"scaled = {{0 = {LENGTHS}, 1 = {LENGTHS}}}\n"),
            "`scaled`",
        ),
        (every("average = [0, 1]", "a = {key = 0}, b = {key = 1}", "scaled = 3\n"), "`scaled`"),
        (every("average = [0, 1]", "a = {key = 0}, b = {key = 1}", 'scaled = {0 = {"2" = 5}}\n'), "`scaled`"),
        (every("average = [0, 1]", "a = {key = 0}, b = {key = 1}, c = 9.0"), "`names`.*c"),
        (every("average = [0, 1]", "a = {key = 0}, t = {key = 1}"), "`basis`"),
        (every("average = [0, 1]", "a = {key = 0}, b = {key = 1}") + "heads = 3", "`heads`"),
        (every("copy = 4", "k = {key = 4}"), "`symbols`"),
    ],
)
def test_what_proofs_for_every_n_do_not_cover_is_refused(one, text, said):
    with pytest.raises((ValueError, TypeError), match=said):
        one(text)


# Matrices and layers.


@pytest.mark.parametrize(
    ("columns", "rows", "right", "wrong"),
    [
        ("orthonormal", "", "3*X*X'", "X*X'"),
        ("independent", "", "3*X*inv(X'*X)*X'", "3*X*X'"),
        ("independent", ", rows = true", "3*X*pinv(X)", "3*I"),
    ],
)
def test_read_outs_with_own_names(one, columns, rows, right, wrong):
    names = f'names = {{X = {{columns = "{columns}"}}, Y = {{columns = "{columns}", tenths = 2}}}}\nanswers = ["R"]\n'
    problem = one(ID + names + f'claim = {{kind = "reads-out", first = "X", second = "Y", share = "1/3"{rows}}}\n')
    assert problem.check({"R": right}).status == "proved"
    verdict = problem.check({"R": wrong})
    assert verdict.status == "refuted"
    assert "M" not in verdict.reason
    with pytest.raises(hw.problems.AnswerError, match="`R`"):
        problem.check({"R": np.ones((2, 7))})
    with pytest.raises(hw.problems.AnswerError, match="`R`"):
        problem.check({"R": "7"})


LAYER = """keys = ["u", "v + w"]
names = {u = {axis = 0, length = "beta"}, v = {axis = 1, length = "beta"}, w = {axis = 2, length = "beta"}, beta = 2.5}
claim = {kind = "layer", outputs = {0 = "v"}}
"""


def test_a_layer_with_own_tokens(one):
    problem = one(ID + LAYER)
    assert problem.check({"Q": "v*u'", "K": "I", "V": "v*v'/beta^2"}).status == "proved"
    assert problem.check({"Q": "v*u'", "K": "I", "V": "I"}).status == "refuted"
    with pytest.raises(hw.problems.AnswerError, match=r"`V`.*\(3, 3\)"):
        problem.check({"Q": np.eye(3), "K": np.eye(3), "V": np.ones((4, 4))})


# Counting.


def test_keys_counted_from_1(one):
    keys = "keys = [[1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]\n"
    for goal, meant in {
        "copy = 2": hw.Copy(1),
        "average = [1, 3]": hw.Average(0, 2),
        "blend = {1 = 0.7, 3 = 0.3}": hw.Blend({0: "0.7", 2: "0.3"}),
        "top = [2, 3]": hw.Top(1, 2),
    }.items():
        assert one(ID + f"count_from = 1\n{keys}{goal}").family.goal == meant
    noisy = one(ID + f"count_from = 1\n{keys}copy = 1\ngaussian = {{along = {{3 = 0.5}}, factors = {{1 = [0.5, 0]}}}}")
    model = noisy.setting().model
    assert (np.flatnonzero(model.along).tolist(), set(model.factors)) == ([2], {0})
    scaled = one(ID + f'count_from = 1\n{keys}copy = 1\nscaled = {{2 = {{"1/2" = "1/2", "2" = "1/2"}}}}')
    assert set(scaled.setting().model.laws) == {1}
    named = one(ID + f"count_from = 1\n{keys}copy = 2\nnames = {{u = {{key = 3}}, v = {{key = 2}}}}")
    np.testing.assert_array_equal(named.setting().names["v"], [0.0, 1.0])
    assert "key 1" in one(ID + f"count_from = 1\n{keys}copy = 1\nnames = {{t = 1.0}}").check({"q": [0.0, 1.0]}).reason


def test_the_count_of_the_file_holds_for_every_question(tmp_path):
    path = tmp_path / "mine.toml"
    body = "orthonormal = 3\ncopy = 1\n"
    path.write_text(
        f'count_from = 1\n[[question]]\nid = "X.1"\ntext = "?"\n{body}'
        f'[[question]]\nid = "X.2"\ntext = "?"\ncount_from = 0\n{body}'
    )
    problems = hw.problems.load(path)
    assert [problem.family.goal for problem in problems.values()] == [hw.Copy(0), hw.Copy(1)]


# What is wrong with a file is said of its entry.

KEYS = "orthonormal = 3\n"
NUMBER, PICK = 'claim = {kind = "number", %s}\n', 'claim = {kind = "choice", %s}\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (KEYS + "copy = 0\ncount_from = 1", "`copy`.*key 0.*1 to 3"),
        (KEYS + "copy = 4\ncount_from = 1", "`copy`.*key 4.*1 to 3"),
        (KEYS + "copy = 1\ncount_from = 2", "`count_from`"),
        (KEYS + "copy = 1\ncount_from = true", "`count_from`"),
        (KEYS + "copy = 1\ncount_from = 1\ngaussian = {along = {4 = 0.5}}", "`gaussian`.*`along`.*key 4.*1 to 3"),
        (
            "keys = [[1.0], [0.0]]\ncopy = 1\ncount_from = 1\ngaussian = {along = {2 = 0.5}}",
            r"`gaussian`.*`along\[2\]`.*key 2",
        ),
        (KEYS + 'copy = 1\ncount_from = 1\nscaled = {0 = {"1" = 1}}', "`scaled`.*key 0"),
        (KEYS + "copy = 1\ncount_from = 1\nnames = {a = {key = 4}}", r"`names\.a`.*key 4.*1 to 3"),
        (KEYS + "blend = {1 = 0.7, 4 = 0.3}\ncount_from = 1", "`blend`.*key 4"),
        (KEYS + "copy = 0\npoints = -0.5", "`points`.*-0.5"),
        (KEYS + 'copy = 0\npoints = "7.5"', "`points`"),
        (KEYS + "copy = 0\npoints = nan", "`points`"),
        (KEYS + "copy = 0\npoints = true", "`points`"),
        (NUMBER % "tolerance = 1", "`value`"),
        (NUMBER % 'value = "n", tolerance = 1', "`value`"),
        (NUMBER % 'value = "1/0", tolerance = 1', "`value`"),
        (NUMBER % 'value = "I", tolerance = 1', "`value`"),
        (NUMBER % "value = true, tolerance = 1", "`value`"),
        (NUMBER % "value = 1", "`tolerance`.*`relative`"),
        (NUMBER % "value = 1, tolerance = 1, relative = 0.1", "`tolerance`.*`relative`"),
        (NUMBER % "value = 1, tolerance = -1", "`tolerance`"),
        (NUMBER % 'value = "log(2)", tolerance = 0', "`tolerance`"),
        (NUMBER % 'value = 1, relative = "200%"', "`relative`"),
        (NUMBER % 'value = 1, relative = "few"', "`relative`"),
        (NUMBER % "value = 0, relative = 0.1", "`relative`"),
        (NUMBER % "value = 1, tolerance = 1, unit = 3", "`unit`"),
        (NUMBER % "value = 1, tolerance = 1" + "copy = 0", "`copy`"),
        (NUMBER % "value = 1, tolerance = 1" + KEYS, "`orthonormal`"),
        (NUMBER % "value = 1, tolerance = 1" + "heads = 2", "`heads`"),
        (NUMBER % "value = 1, tolerance = 1" + 'answers = ["a", "b"]', "`answers`"),
        (NUMBER % "value = 1, tolerance = 1" + "solution = {answer = 3}", "`solution`"),
        (PICK % 'right = "a"', "`options`"),
        (PICK % 'options = {a = "x"}, right = "a"', "`options`"),
        (PICK % 'options = {a = "x", A = "y"}, right = "a"', "`options`"),
        (PICK % 'options = {a = "x", "b c" = "y"}, right = "a"', "`options`"),
        (PICK % 'options = {a = "x", b = 3}, right = "a"', "`options`"),
        (PICK % 'options = {a = "x", b = "y"}', "`right`"),
        (PICK % 'options = {a = "x", b = "y"}, right = []', "`right`"),
        (PICK % 'options = {a = "x", b = "y"}, right = "c"', "`right`.*'c'"),
        (PICK % 'options = {a = "x", b = "y"}, right = "a"' + 'solution = {answer = "b"}', "`solution`.*key"),
        (PICK % 'options = {a = "x", b = "y"}, right = "a"' + "option = []", "`option`"),
        ('claim = {kind = "choice"}\noption = [{id = "a"}, {id = "b", text = "y", right = true}]', "`option`"),
        ('claim = {kind = "choice"}\noption = [{id = "a", text = "x"}, {id = "a", text = "y", right = true}]', "`option`"),
        ('claim = {kind = "choice"}\noption = [{id = "a", text = "x"}, {id = "b", text = "y"}]', "`right`"),
        ('claim = {kind = "text"}\noption = [{id = "a", text = "x"}]', "`option`"),
        ('claim = {kind = "text", max_length = 3}', "`max_length`"),
        ('claim = {kind = ["text"]}', "`claim`"),
        ('claim = {kind = "reads-out", first = "A", second = "B"}', "`first`"),
        ('names = {A = {columns = "round"}}\nclaim = {kind = "reads-out", first = "A", second = "A"}', r"`names\.A\.columns`"),
        ('names = {A = {columns = "orthonormal", tenths = 6}}\nclaim = {kind = "reads-out"}', r"`names\.A\.tenths`"),
        ('names = {A = {columns = "orthonormal"}}\nclaim = {kind = "reads-out", first = "A", second = "A"}', "`first`.*`second`"),
        (
            'names = {A = {columns = "orthonormal"}, B = {columns = "independent"}}\n'
            'claim = {kind = "reads-out", first = "A", second = "B"}',
            "`first`.*`second`",
        ),
        ('names = {A = {matrix = "integers"}}\nclaim = {kind = "low-rank"}', "`names`"),
        ('names = {A = {matrix = "integers"}, k = 2}\nclaim = {kind = "low-rank", of = "B"}', "`of`"),
        ('names = {A = {matrix = "x"}, k = 2}\nclaim = {kind = "low-rank"}', r"`names\.A`"),
        ('names = {A = {matrix = "integers"}, k = {at_most = "x"}}\nclaim = {kind = "low-rank"}', r"`names\.k`"),
        ('functions = 3\nclaim = {kind = "text"}', "`functions`"),
        (LAYER.replace('0 = "v"', 'k = "v"'), "`outputs`"),
        (LAYER.replace('"v + w"', '"v/2"'), "`keys`.*v/2"),
        (LAYER.replace('"v + w"', '"x"'), "`keys`.*x"),
        (LAYER.replace('0 = "v"', '0 = "2*beta"'), "`outputs`"),
        (LAYER.replace('0 = "v"', '2 = "v"'), "`outputs`.*2"),
        (LAYER.replace('"beta"}, v', '"gamma"}, v'), "`names`.*beta"),
        (LAYER.replace("axis = 1", "axis = 2"), "`keys`.*axes"),
        (LAYER + 'answers = ["Q", "K"]', "`answers`"),
        ('keys = ["u"]\nnames = {u = {axis = 0, length = "beta"}, beta = 2.5}\nclaim = {kind = "near"}', "`keys`.*layer"),
    ],
)  # fmt: skip
def test_a_wrong_entry_is_named(one, text, said):
    with pytest.raises((ValueError, TypeError), match=rf"(?s){said}"):
        one(ID + text)


def test_ids_that_stand_twice_are_both_named(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("".join(f'[[question]]\nid = "{i}"\ntext = "?"\n{KEYS}copy = 0\n' for i in ("X.1", "X.2", "x.1")))
    with pytest.raises(ValueError, match=r"question 3: `id` x\.1 .*question 1 .*X\.1"):
        hw.problems.load(path)


def test_points_may_be_fractional(one):
    assert [one(ID + KEYS + f"copy = 0\npoints = {points}").points for points in ("7.5", "10", "0")] == [7.5, 10, 0]


def test_the_questions_of_the_document_load(tmp_path):
    """Their solutions are judged when they are read."""
    page = Path(__file__).parents[2] / "docs" / "own_problems.md"
    blocks = [block.split("```")[0] for block in page.read_text("utf-8").split("```toml\n")[1:]]
    path = tmp_path / "mine.toml"
    path.write_text("".join(block for block in blocks if block.startswith("[[question]]")), "utf-8")
    kinds = {problem.kind for problem in hw.problems.load(path).values()}
    assert kinds == {"impossible", "each", "reads-out", "layer", "number", "choice"}

"""A teacher's own questions: read with the entry named that is wrong, judged by certify at the given keys."""

import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import headwright as hw
from headwright.problems import load
from headwright.problems.answers import grade_many

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "own_problem.toml"


@pytest.fixture
def written(tmp_path):
    def written(text):
        path = tmp_path / "mine.toml"
        path.write_text(text, "utf-8")
        return path

    return written


BASE = 'id = "X.1"\nquestion = "?"\n'
PLAIN = BASE + "orthonormal = 5\naverage = [0, 1]\n"


def one(path):
    (problem,) = load(path).values()
    return problem


def test_defaults(written):
    problem = one(written(PLAIN))
    assert (problem.id, problem.sheet, problem.points, problem.answers) == ("X.1", "X", None, ("q",))
    assert (problem.goal, problem.error, problem.confidence, problem.max_length) == (
        hw.Average(0, 1),
        Fraction(1, 100),
        None,
        None,
    )
    assert problem.names == ("k_1", "k_2", "k_3", "k_4", "k_5", "n")
    assert repr(problem) == "<OwnProblem X.1>"
    assert problem.explain() == ""


def test_an_answer_is_a_formula_or_an_array(written):
    problem = one(written(PLAIN + "error = 0.1\n"))
    t = math.log(3 / 2 / (0.1 / 0.9))  # the least multiple for n = 5, m = 2: section 1 of the mathematics
    for answer in (f"{t + 1e-9}*(k_1 + k_2)", [t + 1e-9, t + 1e-9, 0, 0, 0], f"-{t + 1e-9}*(k_3 + k_4 + k_5)"):
        assert problem.check({"q": answer}).status == "proved", answer
    for answer in (f"{t - 1e-9}*(k_1 + k_2)", "k_1", np.zeros(5)):
        verdict = problem.check({"q": answer})
        assert verdict.status == "refuted", answer
        assert "must be at most 0.1" in verdict.reason
        assert "total variation at least" in verdict.reason


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({}, "`q` is missing; question X.1 asks for `q`"),
        ({"q": "k_1", "p": "k_1"}, "`p` is not asked for"),
        ({"q": [1.0, 2.0]}, "`q` must be a vector of 5 numbers like the keys, got an array of shape (2,)"),
        ({"q": "3*n"}, "`q` must be a vector of 5 numbers like the keys, got a single number"),
        ({"q": 3.0}, "got a single number"),
        ({"q": [math.nan] * 5}, "`q` must be finite"),
        ([1], "`answer` must map names to formulas or arrays"),
    ],
)
def test_what_is_no_answer_is_told(written, answer, said):
    with pytest.raises((ValueError, TypeError), match=re.escape(said)):
        one(written(PLAIN)).check(answer)


def test_formulas_of_strangers_are_refused_by_the_grammar(written):
    from headwright.formulas import FormulaError

    for text in ("k_9", "__import__('os')", "k_1.__class__", "(" * 5000, "k_1 +", "9**9**9**9*k_1"):
        with pytest.raises(FormulaError):
            one(written(PLAIN)).check({"q": text})


def test_the_length_is_compared_exactly(written):
    problem = one(written(BASE + "orthonormal = 2\ncopy = 0\nmax_length = 5\nerror = 0.1\n"))
    assert problem.check({"q": [4.0, -3.0]}).status == "proved"  # of length 5 exactly
    verdict = problem.check({"q": [4.0, -math.nextafter(3.0, 4)]})
    assert verdict.status == "refuted"
    assert "`q` is 5 long, and at most 5 is allowed" in verdict.reason


def test_decimals_of_the_error_mean_just_that(written):
    assert one(written(PLAIN + "error = 0.1\n")).error == Fraction(1, 10)
    goal = one(written(BASE + "orthonormal = 3\nblend = {0 = 0.7, 2 = 0.3}\n")).goal
    assert goal == hw.Blend({0: "0.7", 2: "0.3"})


def test_top(written):
    problem = one(written(BASE + "orthonormal = 3\ntop = [0, 2]\n"))
    assert problem.check({"q": "k_1 + 2*k_3"}).status == "proved"
    assert problem.check({"q": "k_1 + k_2"}).status == "refuted"


def test_keys_from_files_beside(written, tmp_path, rng):
    keys = rng.normal(size=(4, 3))
    np.save(tmp_path / "k.npy", keys)
    np.testing.assert_array_equal(one(written(BASE + 'keys = "k.npy"\ncopy = 0\n')).keys, keys)
    (tmp_path / "k.csv").write_text("a,b\n1,2\n3.5,4\n")
    np.testing.assert_array_equal(one(written(BASE + 'keys = "k.csv"\ncopy = 0\n')).keys, [[1, 2], [3.5, 4]])


def test_keys_that_vary(written):
    gaussian = one(
        written(BASE + "orthonormal = 3\ncopy = 1\nerror = 0.1\ngaussian = {along = {0 = 0.5}}\nconfidence = 0.9\n")
    )
    assert isinstance(gaussian.keys, hw.GaussianKeys)
    assert gaussian.keys.along[0] == 0.5
    assert gaussian.check({"q": "9*k_2"}).status == "proved"  # it does not feel the noise of key 0
    assert gaussian.check({"q": "9*(k_1 + k_2)"}).status == "refuted"
    spread = one(
        written(BASE + "orthonormal = 3\ncopy = 1\ngaussian = {isotropic = 0.25, factors = {2 = [0.5, 0, 0]}}\n")
    )
    assert (spread.confidence, spread.keys.isotropic[0]) == (Fraction(99, 100), 0.25)
    scaled = one(
        written(BASE + 'orthonormal = 3\naverage = [0, 1]\nheads = 2\nscaled = {0 = {"0.5" = 0.5, "1.5" = "1/2"}}\n')
    )
    assert scaled.answers == ("q1", "q2")
    assert scaled.check({"q1": "20*k_1", "q2": "20*k_2"}).status == "proved"
    assert scaled.check({"q1": "20*(k_1 + k_2)", "q2": "20*k_2"}).status == "refuted"


def test_names(written):
    problem = one(
        written(PLAIN + "names = {u = {key = 4}, t = 2.5, A = [[1, 0], [0, 1], [0, 0], [0, 0], [0, 0]], v = [1, 2]}\n")
    )
    assert problem.names == ("u", "t", "A", "v")
    np.testing.assert_array_equal(problem.values["u"], np.eye(5)[4])
    assert problem.values["t"] == 2.5
    assert problem.check({"q": "t*A*v"}).status == "refuted"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "`id` must be given"),
        ('id = ""\n', "`id` must be a text"),
        ('id = "a b"\n', "`id` must be letters, digits"),
        ('id = "A.1a"\nquestion = "?"\northonormal = 3\ncopy = 0\n', "`id` A.1a is taken"),
        ('id = "X.1"\northonormal = 3\ncopy = 0\n', "`question` must be given"),
        (BASE + "orthonormal = 3\ncopy = 0\neror = 1\n", "`eror` is no entry of a problem file"),
        (BASE + "copy = 0\n", "`keys` must be given as rows or a file, or `orthonormal` as a number; got neither"),
        (BASE + "keys = [[1]]\northonormal = 3\ncopy = 0\n", "got both"),
        (BASE + "orthonormal = 0\ncopy = 0\n", "`orthonormal` must be a whole number from 1 to 4096"),
        (BASE + "orthonormal = true\ncopy = 0\n", "`orthonormal` must be a whole number"),
        (BASE + "keys = [[1], [2, 3]]\ncopy = 0\n", "`keys` must be a rectangular array"),
        (BASE + "keys = [[1, nan]]\ncopy = 0\n", "`keys` must hold finite numbers"),
        (BASE + 'keys = [["1"]]\ncopy = 0\n', "`keys` must hold numbers, got '1'"),
        (BASE + f"keys = {'[' * 50}1{']' * 50}\ncopy = 0\n", "`keys` must hold numbers, got a deeper list"),
        (BASE + 'keys = "none.npy"\ncopy = 0\n', "`keys` none.npy is not a file beside the problem file"),
        (BASE + 'keys = "k.pkl"\ncopy = 0\n', "`keys` must be a file of type .npy or .csv"),
        (BASE + "keys = [[9007199254740993, 0.5], [0.5, 1]]\ncopy = 0\n", "`keys` holds integers beyond"),
        (BASE + 'keys = "large.csv"\ncopy = 0\n', "`keys` holds integers beyond"),
        (BASE + "orthonormal = 3\ncopy = 0\ngaussian = {along = {0 = 9007199254740993}}\n", "along.* holds exactly"),
        (BASE + 'keys = "words.csv"\ncopy = 0\n', "`keys` words.csv cannot be read as an array of numbers"),
        (BASE + 'keys = "objects.npy"\ncopy = 0\n', "`keys` objects.npy cannot be read as an array of numbers"),
        (BASE + "orthonormal = 3\n", "`goal` must be exactly one of copy, average, blend, top, got none"),
        (BASE + "orthonormal = 3\ncopy = 0\ntop = [1]\n", "got copy and top"),
        (BASE + "orthonormal = 3\ncopy = 3\n", "`copy`: "),
        (BASE + "orthonormal = 3\ncopy = [1]\n", "`copy` must look like 0"),
        (BASE + "orthonormal = 3\naverage = [1, 1]\n", "`average`: "),
        (BASE + "orthonormal = 3\naverage = 1\n", r"`average` must look like \[0, 1\]"),
        (BASE + "orthonormal = 3\nblend = {x = 1}\n", "`blend`: keys are named by their numbers"),
        (BASE + "orthonormal = 3\nblend = {0 = true}\n", "`blend`: shares are numbers"),
        (BASE + "orthonormal = 3\ntop = [0]\nerror = 0.1\n", "`top` asks for a score gap"),
        (BASE + "orthonormal = 3\ntop = [0]\nheads = 2\n", "`top` asks for one query"),
        (PLAIN + "error = 1\n", "`error` must lie strictly between 0 and 1"),
        (PLAIN + 'error = "much"\n', "`error` must spell a number"),
        (PLAIN + "error = nan\n", "`error` must be finite"),
        (PLAIN + "confidence = 0.9\n", "`confidence` goes with keys that vary"),
        (PLAIN + "gaussian = {along = {0 = 0.5}}\nconfidence = 1.5\n", "`confidence` must lie strictly"),
        (PLAIN + "gaussian = {}\n", "`gaussian` must be a table"),
        (PLAIN + "gaussian = {along = {9 = 0.5}}\n", "`gaussian`: `along` names key 9"),
        (PLAIN + "gaussian = {along = {a = 0.5}}\n", "`along` must name keys by their numbers"),
        (PLAIN + "gaussian = {isotropic = 1}\nscaled = {0 = {1 = 1}}\n", "two laws"),
        (PLAIN + "scaled = {0 = 3}\n", "`scaled`: every key must have a law"),
        (PLAIN + "scaled = {0 = {1 = 0.5}}\n", "`scaled`: .*sum to one"),
        (PLAIN + "max_length = 0\n", "`max_length` must be positive"),
        (PLAIN + "points = -1\n", "`points` must be a whole number"),
        (PLAIN + "heads = 0\n", "`heads` must be a whole number from 1 to 16"),
        (PLAIN + 'heads = 2\nanswers = ["q"]\n', "`heads` is 2, but `answers` has 1 names"),
        (PLAIN + 'answers = ["q", "q"]\n', "`answers` must name each query once"),
        (PLAIN + 'answers = ["1q"]\n', "`answers` must be a list of names"),
        (PLAIN + "names = 3\n", "`names` must be a table"),
        (PLAIN + "names = {a = {key = 9}}\n", "`names.a` names key 9, but there are only 5 keys"),
        (PLAIN + "names = {a = {keys = 1}}\n", r"`names.a` must be \{key = 0\}"),
        (PLAIN + 'names = {a = "b"}\n', "`names.a` must be .* got a text"),
        (PLAIN + 'names = {"a b" = 1}\n', "`names` must be letters"),
        (PLAIN + 'solution = {r = "k_1"}\n', "`solution` must be a table with an entry for each of q"),
        (PLAIN + 'solution = {q = "k_1"}\n', r"`solution` of X.1 is not right by its own question \(refuted\)"),
        (PLAIN + 'solution = {q = "k_77"}\n', "`solution` of X.1: "),
        ("problem = 3\n", "`problem` must be tables"),
        (f"note = 3\n[[problem]]\n{PLAIN}", r"`note` stands before the first \[\[problem\]\]"),
        (f"[[problem]]\n{PLAIN}[[problem]]\n{PLAIN}", "problem 2: `id` X.1 is taken"),
        (f'[[problem]]\n{PLAIN}[[problem]]\nid = "X.2"\n', "problem 2: `keys` must be given|problem 2: `question` must be given"),
        (f'[[problem]]\n{PLAIN}[[problem]]\n{PLAIN.replace("X.1", "X.1.a")}', "problem 2: `id` X.1.a is taken"),
        (PLAIN.replace("X.1", "E.9"), "`sheet` E is one of ours"),
        ("[[problem", "`path` mine.toml is not valid TOML"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_told_by_its_entry(written, tmp_path, text, said):
    (tmp_path / "words.csv").write_text("1,2\nx,y\n")
    (tmp_path / "large.csv").write_text("9007199254740993,2\n3,4\n")
    np.save(tmp_path / "objects.npy", np.array([{}]), allow_pickle=True)
    with pytest.raises((ValueError, TypeError, OSError), match=said):
        load(written(text))


def test_the_worked_example():
    """What docs/own_problems.md and the examples say: both solutions are right, one answer is and one is not."""
    problems = load(EXAMPLE)
    assert list(problems) == ["X.1", "X.2"]
    for problem in problems.values():
        assert problem.check(problem.solution).status == "proved"
    answers = ROOT / "examples" / "own_answers.toml"
    here = hw.problems.grade(answers, problems=problems)
    (there,) = grade_many([answers], problems=EXAMPLE)
    assert here.to_dict() == there.to_dict()
    assert [(r.id, r.status, r.earned) for r in here.results] == [("X.1", "proved", 10), ("X.2", "refuted", 0)]
    assert str(here.totals[0]) == "10 of 15 points"
    assert "t*u" not in here.results[1].message
    explained = hw.problems.grade(answers, problems=problems, explain=True)
    assert explained.results[1].explanation == "q1 = t*u, q2 = t*k_2"


def test_the_document_shows_the_example():
    """The question in docs/own_problems.md is that of the example, line by line."""
    text = (ROOT / "docs" / "own_problems.md").read_text("utf-8")
    block = text.split("```toml\n")[1].split("```")[0]
    assert block.strip() in EXAMPLE.read_text("utf-8")


def test_check_takes_an_own_problem_like_any_other(written):
    problem = one(written(PLAIN))
    for query in (9 * np.eye(5)[:2].sum(0), np.eye(5)[0]):
        assert hw.problems.check(problem, {"q": query}).to_dict() == problem.check({"q": query}).to_dict()
    assert hw.problems.check(problem, {"q": 9 * np.eye(5)[:2].sum(0)}).status == "proved"
    for fixed in ({"n": 5}, {"error": "0.1"}):
        with pytest.raises(
            ValueError, match=rf"`{next(iter(fixed))}` goes with a question of the sheets: X\.1 has its own"
        ):
            hw.problems.check(problem, {"q": np.eye(5)[0]}, **fixed)


def test_reading_has_a_budget_that_includes_the_proof_of_a_solution(written):
    asked = f"{BASE}orthonormal = 400\ncopy = 0\n"
    path = written(f'{asked}solution = {{q = "20*k_1"}}\n')
    assert one(path).id == "X.1"
    with pytest.raises(ValueError, match=r"mine\.toml.*budget"):
        load(path, budget=3 * 10**5)
    assert len(load(written(asked), budget=3 * 10**5)) == 1
    with pytest.raises((ValueError, TypeError), match="`budget`"):
        load(path, budget=0)


@pytest.mark.parametrize("dot", [" . ", "\t.\t", " " * 9 + "." + " " * 9])
def test_names_of_many_parts_are_refused_however_they_are_spaced(written, dot):
    with pytest.raises(ValueError, match="parts joined by dots"):
        load(written(dot.join(["a"] * 2000) + " = 1\n"))


def test_shares_without_a_common_denominator_end_at_the_budget(written):
    shares = ", ".join(f'{j} = "{7**1200 + j}/{3**2000 + j}"' for j in range(90))
    path = written(f"{BASE}orthonormal = 100\nblend = {{{shares}}}\n")
    with pytest.raises(ValueError, match="budget"):
        load(path, budget=10**8)


def test_a_file_of_keys_that_promises_more_than_it_holds_is_refused(written, tmp_path):
    with (tmp_path / "k.npy").open("wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (10**12, 2)})
    with pytest.raises(ValueError, match=r"`keys` k\.npy"):
        load(written(f'{BASE}keys = "k.npy"\ncopy = 0\n'))

"""A teacher's own questions: read with the entry named that is wrong, judged by certify at the given keys."""

import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import headwright as hw
from headwright.problems import check, load
from headwright.problems.grading import grade_many
from tests.facts import says

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
    assert (problem.family.goal, problem.error) == (hw.Average(0, 1), Fraction(1, 100))
    assert not {"confidence", "max_length"} & set(problem.claim)
    assert problem.names == ("k_1", "k_2", "k_3", "k_4", "k_5", "n")
    assert repr(problem) == "<Problem X.1>"
    assert not problem.ours


def test_an_answer_is_a_formula_or_an_array(written):
    problem = one(written(PLAIN + "error = 0.1\n"))
    t = math.log(3 / 2 / (0.1 / 0.9))  # the least multiple for n = 5, m = 2: section 1 of the mathematics
    for answer in (f"{t + 1e-9}*(k_1 + k_2)", [t + 1e-9, t + 1e-9, 0, 0, 0], f"-{t + 1e-9}*(k_3 + k_4 + k_5)"):
        assert check(problem, {"q": answer}).status == "proved", answer
    for answer in (f"{t - 1e-9}*(k_1 + k_2)", "k_1", np.zeros(5)):
        verdict = check(problem, {"q": answer})
        assert verdict.status == "refuted", answer
        assert says(verdict.reason, "0.1")
        assert verdict.reason


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({}, "`q`"),
        ({"q": "k_1", "p": "k_1"}, "`p`"),
        ({"q": [1.0, 2.0]}, "(2,)"),
        ({"q": "3*n"}, "`q`"),
        ({"q": 3.0}, "`q`"),
        ({"q": [math.nan] * 5}, "`q`"),
        ([1], "`answer`"),
    ],
)
def test_what_is_no_answer_is_told(written, answer, said):
    with pytest.raises((ValueError, TypeError), match=re.escape(said)):
        check(one(written(PLAIN)), answer)


def test_formulas_of_strangers_are_refused_by_the_grammar(written):
    from headwright.reading.formulas import FormulaError

    for text in ("k_9", "__import__('os')", "k_1.__class__", "(" * 5000, "k_1 +", "9**9**9**9*k_1"):
        with pytest.raises(FormulaError):
            check(one(written(PLAIN)), {"q": text})


def test_the_length_is_compared_exactly(written):
    problem = one(written(BASE + "orthonormal = 2\ncopy = 0\nmax_length = 5\nerror = 0.1\n"))
    assert check(problem, {"q": [4.0, -3.0]}).status == "proved"  # of length 5 exactly
    verdict = check(problem, {"q": [4.0, -math.nextafter(3.0, 4)]})
    assert verdict.status == "refuted"
    assert says(verdict.reason, "`q`", 5)


def test_decimals_of_the_error_mean_just_that(written):
    assert one(written(PLAIN + "error = 0.1\n")).error == Fraction(1, 10)
    goal = one(written(BASE + "orthonormal = 3\nblend = {0 = 0.7, 2 = 0.3}\n")).family.goal
    assert goal == hw.Blend({0: "0.7", 2: "0.3"})


def test_top(written):
    problem = one(written(BASE + "orthonormal = 3\ntop = [0, 2]\n"))
    assert check(problem, {"q": "k_1 + 2*k_3"}).status == "proved"
    assert check(problem, {"q": "k_1 + k_2"}).status == "refuted"


def test_keys_from_files_beside(written, tmp_path, rng):
    keys = rng.normal(size=(4, 3))
    np.save(tmp_path / "k.npy", keys)
    np.testing.assert_array_equal(one(written(BASE + 'keys = "k.npy"\ncopy = 0\n')).setting().keys, keys)
    (tmp_path / "k.csv").write_text("a,b\n1,2\n3.5,4\n")
    np.testing.assert_array_equal(one(written(BASE + 'keys = "k.csv"\ncopy = 0\n')).setting().keys, [[1, 2], [3.5, 4]])


def test_keys_that_vary(written):
    gaussian = one(
        written(BASE + "orthonormal = 3\ncopy = 1\nerror = 0.1\ngaussian = {along = {0 = 0.5}}\nconfidence = 0.9\n")
    )
    assert isinstance(gaussian.setting().model, hw.GaussianKeys)
    assert gaussian.setting().model.along[0] == 0.5
    assert check(gaussian, {"q": "9*k_2"}).status == "proved"  # it does not feel the noise of key 0
    assert check(gaussian, {"q": "9*(k_1 + k_2)"}).status == "refuted"
    spread = one(
        written(BASE + "orthonormal = 3\ncopy = 1\ngaussian = {isotropic = 0.25, factors = {2 = [0.5, 0, 0]}}\n")
    )
    assert (spread.claim["confidence"], spread.setting().model.isotropic[0]) == (Fraction(99, 100), 0.25)
    scaled = one(
        written(BASE + 'orthonormal = 3\naverage = [0, 1]\nheads = 2\nscaled = {0 = {"0.5" = 0.5, "1.5" = "1/2"}}\n')
    )
    assert scaled.answers == ("q1", "q2")
    assert check(scaled, {"q1": "20*k_1", "q2": "20*k_2"}).status == "proved"
    assert check(scaled, {"q1": "20*(k_1 + k_2)", "q2": "20*k_2"}).status == "refuted"


def test_names(written):
    problem = one(
        written(PLAIN + "names = {u = {key = 4}, t = 2.5, A = [[1, 0], [0, 1], [0, 0], [0, 0], [0, 0]], v = [1, 2]}\n")
    )
    assert problem.names == ("u", "t", "A", "v")
    np.testing.assert_array_equal(problem.setting().names["u"], np.eye(5)[4])
    assert problem.setting().names["t"] == 2.5
    assert check(problem, {"q": "t*A*v"}).status == "refuted"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "`id`"),
        ('id = ""\n', "`id`"),
        ('id = "a b"\n', "`id`"),
        ('id = "A.1a"\nquestion = "?"\northonormal = 3\ncopy = 0\n', r"`id`.*A\.1a"),
        ('id = "X.1"\northonormal = 3\ncopy = 0\n', "`text`"),
        (BASE + "orthonormal = 3\ncopy = 0\neror = 1\n", "`eror`"),
        (BASE + "solutoin = 1\n", "`solutoin`.*did you mean `solution`"),
        (BASE + 'kind = "number"\nvalue = 3\n', '`kind`.*claim = {kind = "number"}'),
        (BASE + 'kind = "each"\n', '`kind`.*claim = {kind = "each"}'),
        (BASE + "kind = 3\n", "`kind`.*`claim`.*choice"),
        (BASE + "tolerance = 0.1\n", "`tolerance`.*in the table `claim`"),
        (BASE + 'claim = {kind = "numbr", value = 3}\n', '`claim`.*write claim = {kind = "number"}'),
        (BASE + 'claim = "low_rank"\n', '`claim`.*write claim = {kind = "low-rank"}'),
        (BASE + "copy = 0\n", "`keys`.*`orthonormal`.*neither"),
        (BASE + "keys = [[1]]\northonormal = 3\ncopy = 0\n", "`keys`.*both"),
        (BASE + "orthonormal = 0\ncopy = 0\n", "`orthonormal`"),
        (BASE + "orthonormal = true\ncopy = 0\n", "`orthonormal`"),
        (BASE + "keys = [[1], [2, 3]]\ncopy = 0\n", "`keys`"),
        (BASE + "keys = [[1, nan]]\ncopy = 0\n", "`keys`"),
        (BASE + 'keys = [["1"]]\ncopy = 0\n', "`keys`.*'1'"),
        (BASE + f"keys = {'[' * 50}1{']' * 50}\ncopy = 0\n", "`keys`"),
        (BASE + 'keys = "none.npy"\ncopy = 0\n', "`keys`"),
        (BASE + 'keys = "k.pkl"\ncopy = 0\n', "`keys`"),
        (BASE + "keys = [[9007199254740993, 0.5], [0.5, 1]]\ncopy = 0\n", "`keys`"),
        (BASE + 'keys = "large.csv"\ncopy = 0\n', "`keys`"),
        (BASE + "orthonormal = 3\ncopy = 0\ngaussian = {along = {0 = 9007199254740993}}\n", "along"),
        (BASE + 'keys = "words.csv"\ncopy = 0\n', "`keys`"),
        (BASE + 'keys = "objects.npy"\ncopy = 0\n', "`keys`"),
        (BASE + "orthonormal = 3\n", "`goal`.*none"),
        (BASE + "orthonormal = 3\ncopy = 0\ntop = [1]\n", "`goal`"),
        (BASE + "orthonormal = 3\ncopy = 3\n", "`copy`"),
        (BASE + "orthonormal = 3\ncopy = [1]\n", "`copy`.*0"),
        (BASE + "orthonormal = 3\naverage = [1, 1]\n", "`average`"),
        (BASE + "orthonormal = 3\naverage = 1\n", r"`average`.*\[0, 1\]"),
        (BASE + "orthonormal = 3\nblend = {x = 1}\n", "`blend`"),
        (BASE + "orthonormal = 3\nblend = {0 = true}\n", "`blend`"),
        (BASE + "orthonormal = 3\ntop = [0]\nerror = 0.1\n", "`top`"),
        (BASE + "orthonormal = 3\ntop = [0]\nheads = 2\n", "`top`"),
        (PLAIN + "error = 1\n", "`error`"),
        (PLAIN + 'error = "much"\n', "`error`"),
        (PLAIN + "error = nan\n", "`error`"),
        (PLAIN + "confidence = 0.9\n", "`confidence`"),
        (PLAIN + "gaussian = {along = {0 = 0.5}}\nconfidence = 1.5\n", "`confidence`"),
        (PLAIN + "gaussian = {}\n", "`gaussian`"),
        (PLAIN + "gaussian = {along = {9 = 0.5}}\n", "`gaussian`.*`along`.*9"),
        (PLAIN + "gaussian = {along = {a = 0.5}}\n", "`along`"),
        (PLAIN + "gaussian = {isotropic = 1}\nscaled = {0 = {1 = 1}}\n", "`gaussian`"),
        (PLAIN + "scaled = {0 = 3}\n", "`scaled`"),
        (PLAIN + "scaled = {0 = {1 = 0.5}}\n", r"`scaled`.*`laws\[0\]`"),
        (PLAIN + "max_length = 0\n", "`max_length`"),
        (PLAIN + "points = -1\n", "`points`"),
        (PLAIN + "heads = 0\n", "`heads`"),
        (PLAIN + 'heads = 2\nanswers = ["q"]\n', "`heads`.*`answers`"),
        (PLAIN + 'answers = ["q", "q"]\n', "`answers`"),
        (PLAIN + 'answers = ["1q"]\n', "`answers`"),
        (PLAIN + "names = 3\n", "`names`"),
        (PLAIN + "names = {a = {key = 9}}\n", r"`names\.a`.*9"),
        (PLAIN + "names = {a = {keys = 1}}\n", r"`names\.a`.*key"),
        (PLAIN + 'names = {a = "b"}\n', r"`names\.a`"),
        (PLAIN + 'names = {"a b" = 1}\n', "`names`"),
        (PLAIN + 'solution = {r = "k_1"}\n', "`solution`"),
        (PLAIN + 'solution = {q = "k_1"}\n', r"`solution`.*X\.1"),
        (PLAIN + 'solution = {q = "k_77"}\n', r"`solution`.*X\.1"),
        ("problem = 3\n", "`problem`"),
        (f"note = 3\n[[problem]]\n{PLAIN}", r"`note`.*\[\[problem\]"),
        (f"[[problem]]\n{PLAIN}[[problem]]\n{PLAIN}", r"2.*`id`.*X\.1"),
        (f'[[problem]]\n{PLAIN}[[problem]]\nid = "X.2"\n', "2.*(`keys`|`question`)"),
        (f'[[problem]]\n{PLAIN}[[problem]]\n{PLAIN.replace("X.1", "X.1.a")}', r"2.*`id`.*X\.1\.a"),
        (PLAIN.replace("X.1", "E.9"), "`sheet`"),
        ("[[problem", "`path`.*TOML"),
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
        assert check(problem, problem.ours["answer"]).status == "proved"
    answers = ROOT / "examples" / "own_answers.toml"
    here = hw.problems.grade(answers, problems=problems)
    (there,) = grade_many([answers], problems=EXAMPLE)
    assert here.to_dict() == there.to_dict()
    assert [(r.id, r.status, r.points) for r in here.results.values()] == [("X.1", "proved", 10), ("X.2", "refuted", 0)]
    assert says(str(here.totals[0]), 10, 15)
    assert "t*u" not in here.results["X.2"].message
    explained = hw.problems.grade(answers, problems=problems, explain=True)
    assert explained.results["X.2"].explanation == "q1 = t*u, q2 = t*k_2"


def test_the_document_shows_the_example():
    """The question in docs/own_problems.md is that of the example, line by line."""
    text = (ROOT / "docs" / "own_problems.md").read_text("utf-8")
    block = text.split("```toml\n")[1].split("```")[0]
    assert block.strip() in EXAMPLE.read_text("utf-8")


def test_check_takes_an_own_problem_like_any_other(written):
    problem = one(written(PLAIN))
    for query in (9 * np.eye(5)[:2].sum(0), np.eye(5)[0]):
        assert hw.problems.check(problem, {"q": query}).to_dict() == check(problem, {"q": query}).to_dict()
    assert hw.problems.check(problem, {"q": 9 * np.eye(5)[:2].sum(0)}).status == "proved"
    for fixed in ({"n": 5}, {"error": "0.1"}):
        with pytest.raises(ValueError, match=f"`{next(iter(fixed))}`"):
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


def test_other_names_for_what_is_asked(written):
    assert check(one(written(PLAIN + 'also = {w = "q"}\n')), {"w": "9*(k_1 + k_2)"}).status == "proved"
    for wrong in ('{w = "p"}', '{q = "q"}', "{w = 3}", '{"a b" = "q"}'):
        with pytest.raises(ValueError, match="`also`"):
            load(written(PLAIN + f"also = {wrong}\n"))

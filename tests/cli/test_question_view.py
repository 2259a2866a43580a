"""What students may see before they hand in: the question, how to answer it, and nothing of any answer."""

import json
from pathlib import Path

import pytest

import headwright as hw
from tests.facts import says

OWN = Path(__file__).parents[2] / "examples" / "own_problem.toml"


@pytest.mark.parametrize("problem_id", ["A.1a", "A.3c", "C.1.1a", "D.b-i", "B.3e-ii"])
def test_a_question_without_its_answers(call, answer, problem_id):
    problem = hw.problems.find(problem_id)
    code, out, err = call(f"problems {problem_id} --question")
    assert (code, err) == (0, "")
    words = " ".join(out.split())
    assert problem.question.split(".")[0] in words
    assert problem.must_show.split(",")[0] in words
    for name in (*problem.names, *problem.answers, *(statement.id for statement in problem.statements)):
        assert name in words
    for text in ("Our answer", "Published", "Proved", "Refuted"):
        assert text not in words
    assert (problem.published or "…") not in words
    code, told = answer(f"problems {problem_id} --question")
    assert code == 0
    assert not [name for name in told if name.startswith("published")]
    assert told["question"] == problem.question


def test_the_functions_of_a_question_are_listed(call):
    assert "svd_part(A, r)" in call("problems A.3c --question")[1]
    assert "functions" not in call("problems A.1a --question")[1]


def test_a_teachers_questions(call, answer):
    code, out, _ = call(f"problems --problems {OWN} X.1 --question")
    words = " ".join(out.split())
    assert code == 0
    assert says(words, "X.1", 10)
    assert "k_5 = [1.0, 1.0, 1.0, 1.0]" in words
    assert "2*(k_1 + k_2)" not in words
    told = answer(f"problems --problems {OWN} X.2")[1]
    assert "solution" not in json.dumps(told)
    assert (told["answers"], told["names"]) == (["q1", "q2"], ["u", "k_2", "t"])
    assert says(told["keys"], "0.5")
    assert "X.2" in call(f"problems --problems {OWN}")[1]
    assert [q["id"] for q in answer(f"problems --problems {OWN}")[1]["questions"]] == ["X.1", "X.2"]


@pytest.mark.parametrize("problem_id", ["Y.number", "Y.choice", "Y.text"])
def test_a_question_without_keys_has_no_setting(call, problem_id):
    new = OWN.parent / "new_questions.toml"
    code, out, _ = call(f"problems --problems {new} {problem_id}")
    assert code == 0
    assert "setting" not in out
    assert hw.problems.load(new)[problem_id].ours["answer"]["answer"] not in " ".join(out.split("Name one")[-1].split())


def test_a_new_file_of_questions(call, answer, tmp_path):
    code, out, _ = call("problems --new mine.toml")
    assert code == 0
    assert "mine.toml" in out
    problems = hw.problems.load(tmp_path / "mine.toml")
    assert {problem.family.count_from for problem in problems.values()} == {1}
    mine = (tmp_path / "mine.toml").read_bytes()
    assert call("problems --new mine.toml")[0] == 2  # a file that exists is not overwritten
    assert (tmp_path / "mine.toml").read_bytes() == mine
    assert answer("problems --new other.toml")[1]["questions"] == "other.toml"


def test_many_keys_are_counted(call, tmp_path):
    (tmp_path / "m.toml").write_text('id = "X.1"\nquestion = "?"\northonormal = 40\ncopy = 0\n')
    assert says(call("problems --problems m.toml X.1")[1], 40)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("problems --question", "`--question`"),
        ("problems A.1a --question --report r", "`--report`"),
        ("problems Z.9", "`problem_id`"),
        ("problems Z.9 --question", "`problem_id`"),
        (f"problems --problems {OWN} A.1a", "`ID`"),
        ("problems A.1a --new mine.toml", "`--new`"),
        ("problems --question --new mine.toml", "`--new`"),
        ("problems --new nowhere/mine.toml", "`--new`"),
    ],
)
def test_wrong_calls(call, line, said):
    code, out, err = call(line)
    assert (code, out) == (2, "")
    assert said in err


def test_further_weights_are_marked_by_their_own_goal(call):
    """Token 1 is to copy x_3, which is key 2; token 2 is to copy x_1."""
    _, out, _ = call("problems B.3e-ii")
    own, other = (out.split(title)[1].split("\n\n")[0] for title in ("Weights of token 2", "Weights of token 1"))
    for bars, key in ((own, 0), (other, 2)):
        assert [line.split()[:3] for line in bars.splitlines()[1:] if "*" in line] == [["*", "key", str(key)]]


def test_an_entry_of_a_file_is_not_taken_for_an_option(call, tmp_path):
    (tmp_path / "m.toml").write_text("[question]\n", "utf-8")
    code, _, err = call("problems --problems m.toml")
    assert (code, "`question`" in err, "`--question`" in err) == (2, True, False)

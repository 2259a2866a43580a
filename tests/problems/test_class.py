"""A class graded by one assignment: the table, points given by hand, statistics; a stopped run resumes, nothing typed is lost."""

import csv
import json
import os
from fractions import Fraction

import pytest

import headwright as hw
from headwright.problems.classes.class_statistics import outcome_of, skeleton, statistics_of
from headwright.problems.classes.points_by_hand import read_table
from headwright.problems.grading.results import Result
from tests.facts import says

HOMEWORK = """
title = "Homework 3"
[[question]]
id = "A.1a"
points = 7.5
[[question]]
id = "D.a-i"
points = 2
"""
RIGHT, WRONG = 'A.1a = {q = "2*log(n/eps)*k_1"}\n', 'A.1a = {q = "log(n/eps)*k_1"}\n'
WORDS = 'D.a-i = {statement = "in my own words"}\n'


@pytest.fixture
def school(tmp_path):
    """A class that is graded by calling it; files can be added, and `rows` reads a table."""

    class School:
        folder, out, homework = tmp_path / "answers", tmp_path / "marks", tmp_path / "homework.toml"

        def write(self, name, text):
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")

        def __call__(self):
            return hw.problems.grade_class(self.folder, self.homework, self.out, jobs=1)

        def rows(self, name="grades.csv"):
            with (self.out / name).open(encoding="utf-8-sig", newline="") as file:
                return list(csv.DictReader(file))

        def type(self, *rows):
            """Type into to_read.csv: a table with the given rows in place of its own."""
            with (self.out / "to_read.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, list(dict.fromkeys(name for row in rows for name in row)))
                writer.writeheader()
                writer.writerows(rows)

    made = School()
    made.homework.write_text(HOMEWORK, "utf-8")
    return made


@pytest.fixture
def waiting(school, monkeypatch):
    """A class in which Ada's second answer waits for a person: the judge is replaced by one that leaves free words alone."""
    import headwright.problems.classes._grade_class as module

    def grade_many(paths, *, assignment, **_):
        for path in paths:
            graded = hw.problems.grade(path, assignment=assignment)
            results = {
                name: Result(name, result.sheet, "undecided", "A person must read this.", given=result.given).counted(
                    2, hw.problems.read_assignment(assignment).items[name].policy
                )
                if "own words" in result.given
                else result
                for name, result in graded.results.items()
            }
            yield type(graded)(str(path), graded.student, graded.digest, results, title=graded.title)

    monkeypatch.setattr(module, "grade_many", grade_many)
    school.write("ada.toml", f'student = "Ada"\n{RIGHT}{WORDS}')
    school.write("bob.toml", f'student = "Bob"\n{WRONG}')
    return school


def test_the_table_has_points_in_the_order_of_the_assignment(school):
    school.write("ada.toml", f'student = "Ada"\n{RIGHT}')
    school.write("group 2/bob.toml", f'student = "=cmd()"\n{WRONG}')
    school.write("broken.toml", "A.1a = {q = ")
    found = school()
    rows = {row["file"]: row for row in school.rows()}
    assert list(rows) == ["ada.toml", "broken.toml", "group 2/bob.toml"]
    assert list(school.rows()[0])[:9] == [
        "file",
        "student",
        "total",
        "possible",
        "provisional",
        "A.1a",
        "D.a-i",
        "word A.1a",
        "word D.a-i",
    ]
    assert [rows["ada.toml"][name] for name in ("total", "possible", "A.1a", "D.a-i")] == ["7.5", "9.5", "7.5", "0"]
    assert rows["ada.toml"]["word A.1a"] == "right"
    assert rows["group 2/bob.toml"]["student"] == "'=cmd()"
    assert rows["broken.toml"]["total"] == "0"
    assert found.table()["total"] == [7.5, 0, 0]
    assert {path.name for path in (school.out / "feedback").iterdir()} == {
        *("ada.html", "broken.html", "group 2 - bob.html"),
    }


def test_a_stopped_run_resumes_and_changed_files_are_graded_again(school, monkeypatch):
    import headwright.problems.classes._grade_class as module

    graded = []
    plain = module.grade_many

    def counted(paths, **rest):
        paths = list(paths)
        graded.append([path.name for path in paths])
        return plain(paths, **rest)

    monkeypatch.setattr(module, "grade_many", counted)
    for name in ("ada", "bob", "eve"):
        school.write(f"{name}.toml", RIGHT)
    school()
    store = school.out / "results.jsonl"
    lines = store.read_text("utf-8").splitlines(keepends=True)
    store.write_text("".join(lines[:2]) + lines[2][:50], "utf-8")  # killed while it wrote the third
    school()
    lost = json.loads(lines[2])["file"]
    assert graded[1] == [lost]
    school.write("bob.toml", WRONG)
    assert school().table()["total"] == [7.5, 0, 7.5]
    assert graded[-1] == ["bob.toml"]
    school.homework.write_text(HOMEWORK.replace("7.5", "5"), "utf-8")
    assert school().table()["total"] == [5, 0, 5]


def test_points_given_by_hand_count_and_are_kept(waiting):
    found = waiting()
    assert [(file, result.id) for file, result in found.to_read] == [("ada.toml", "D.a-i")]
    (row,) = waiting.rows("to_read.csv")
    assert (row["file"], row["student"], row["question"], row["possible"], row["points"]) == (
        "ada.toml",
        "Ada",
        "D.a-i",
        "2",
        "",
    )
    assert "own words" in row["answer"]
    assert waiting.rows()[0]["D.a-i"] == ""
    waiting.type({**row, "points": "1.5", "comment": "good, but <b>why</b>?", "mine": "x"})
    for _ in range(2):
        found = waiting()
        assert (found.grades[0].points, found.to_read, found.unused) == (9, (), ())
        assert found.grades[0].results["D.a-i"].awarded == 1.5
        (kept,) = waiting.rows("to_read.csv")
        assert (kept["points"], kept["comment"], kept["mine"]) == ("1.5", "good, but <b>why</b>?", "x")
    assert waiting.rows()[0]["word D.a-i"] == "marked by a person"
    assert found.statistics()["questions"][1]["groups"] == []
    assert found.grades[0].results["D.a-i"].message == ""
    page = (waiting.out / "feedback" / "ada.html").read_text("utf-8")
    assert "good, but &lt;b&gt;why&lt;/b&gt;?" in page


def test_points_for_an_answer_that_has_changed_are_listed_and_not_used(waiting):
    waiting()
    (row,) = waiting.rows("to_read.csv")
    waiting.type({**row, "points": "2"})
    waiting.write("ada.toml", f'student = "Ada"\n{RIGHT}{WORDS.replace("my own", "my very own")}')
    found = waiting()
    assert found.grades[0].results["D.a-i"].awarded is None
    (unused,) = found.unused
    assert says(unused, "ada.toml", "changed")
    new, old = waiting.rows("to_read.csv")
    assert (old["points"], new["points"]) == ("2", "")
    assert "changed" in old["note"]
    assert "very own" in new["answer"]
    (waiting.folder / "ada.toml").unlink()
    assert "no such file" in waiting().unused[0]
    assert waiting.rows("to_read.csv")[-1]["points"] == "2"


@pytest.mark.parametrize(
    ("points", "parts"),
    [
        ("2.5", ["at most 2"]),
        ("-1", ["between 0 and"]),
        ("two", ["'two'"]),
        ("nan", ["between 0 and"]),
        ("1e999999", ["between 0 and"]),
    ],
)
def test_wrong_points_are_refused_by_their_row_and_stay(waiting, points, parts):
    waiting()
    (row,) = waiting.rows("to_read.csv")
    waiting.type({**row, "points": points})
    before = (waiting.out / "to_read.csv").read_bytes()
    with pytest.raises(ValueError, match="`points`") as raised:
        waiting()
    for part in ("to_read.csv", "row 2", "ada.toml", "D.a-i", *parts):
        assert part in str(raised.value)
    assert (waiting.out / "to_read.csv").read_bytes() == before


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_what_spreadsheets_save_is_read(waiting, encoding):
    waiting()
    (row,) = waiting.rows("to_read.csv")
    names = list(row)
    cells = {**row, "points": "1,5", "comment": "schön"}
    text = ";".join(names) + "\r\n" + ";".join(f'"{cells[name]}"' for name in names) + "\r\n"
    (waiting.out / "to_read.csv").write_bytes(text.encode(encoding, "replace"))
    found = waiting()
    assert found.grades[0].results["D.a-i"].awarded == 1.5
    assert found.comments == {("ada.toml", "D.a-i"): "schön"}
    assert ";" in (waiting.out / "to_read.csv").read_text("utf-8-sig").splitlines()[0]


def test_a_proposal_earns_nothing_and_all_is_provisional_until_a_person_decides(school):
    school.write("ada.md", "Student: Ada\n## A.1a\nq = 2 ln(n/ε) k_1\nmais divisé par deux\n")
    school.write("bob.toml", RIGHT)
    found = school()
    (row,) = school.rows("to_read.csv")
    assert [row[name] for name in ("question", "words", "proposed", "proposed points", "possible", "points")] == [
        *("A.1a", "mais divisé par deux", "right", "7.5", "7.5", ""),
    ]
    assert [(each["total"], each["provisional"], each["A.1a"]) for each in school.rows()] == [
        ("0", "provisional", ""),
        ("7.5", "", "7.5"),
    ]
    pages = [
        (school.out / name).read_text("utf-8") for name in ("class.html", "feedback/ada.html", "feedback/bob.html")
    ]
    assert ["rovisional" in page for page in (*pages, str(found))] == [True, True, False, True]
    assert "were not judged" in pages[1]
    assert json.loads((school.out / "class.json").read_text("utf-8"))["provisional"] is True
    assert found.statistics()["questions"][0]["outcomes"]["right"] == 1

    school.type({**row, "points": "3"})
    again = school()
    assert (again.grades[0].points, again.statistics()["provisional"], again.to_read) == (3, False, ())
    assert not any(
        "rovisional" in (school.out / name).read_text("utf-8") for name in ("class.html", "feedback/ada.html")
    )


def test_a_row_added_by_hand_marks_any_answer(waiting):
    waiting()
    waiting.type({"file": "bob.toml", "question": "A.1a", "points": "3", "comment": "", "answer id": ""})
    found = waiting()
    assert found.grades[1].points == 3
    assert found.grades[1].results["A.1a"].status == "refuted"
    waiting.write("bob.toml", 'student = "Bob"\nA.1a = {q = "k_1"}\n')
    assert waiting().grades[1].points == 0


def test_a_table_that_lost_its_columns_is_refused(waiting):
    waiting()
    waiting.type({"file": "ada.toml", "points": "1"})
    with pytest.raises(ValueError, match="`question`"):
        waiting()


def test_two_rows_that_disagree_are_refused(waiting):
    waiting()
    (row,) = waiting.rows("to_read.csv")
    waiting.type({**row, "points": "1"}, {**row, "points": "2"})
    with pytest.raises(ValueError, match="row 3"):
        waiting()


def test_an_empty_table_is_none(tmp_path):
    assert read_table(tmp_path / "none.csv").rows == ()
    (tmp_path / "empty.csv").write_text("\n\n")
    assert read_table(tmp_path / "empty.csv").rows == ()


def test_folders_that_cannot_be_graded(school):
    with pytest.raises(ValueError, match="`folder`"):
        school()
    school.folder.mkdir()
    with pytest.raises(ValueError, match=r"\.toml"):
        school()
    school.write("ada.toml", RIGHT)
    school.write("ADA.md", "")
    with pytest.raises(ValueError, match=r"ADA\.md and ada\.toml"):
        school()
    (school.folder / "ADA.md").unlink()
    school.out.write_text("a file")
    with pytest.raises(ValueError, match="`out`"):
        school()


def test_two_files_with_one_name_are_both_graded_and_noted(school):
    school.write("1.toml", f'student = "Ada L"\n{RIGHT}')
    school.write("2.toml", f'student = "ada  l"\n{WRONG}')
    school.write("scan.pdf", "")
    found = school()
    assert list(found.namesakes.values()) == [["1.toml", "2.toml"]]
    assert "2.toml" in school.rows()[0]["notes"]
    assert found.ignored == ("scan.pdf",)
    assert found.table()["total"] == [7.5, 0]


@pytest.mark.parametrize("name", ["<b>&.toml", "=cmd().toml", "x" * 240 + ".toml", b"caf\xe9.toml", "two\nlines.toml"])
def test_odd_names_of_files(school, name):
    school.folder.mkdir()
    try:
        path = os.fsdecode(name)
        (school.folder / path).write_text(RIGHT, "utf-8")
    except (OSError, ValueError):
        pytest.skip("this system has no such names")
    assert school().table()["total"] == [7.5]
    assert school().table()["file"] == [path]
    (page,) = (school.out / "feedback").iterdir()
    assert "<b>&" not in page.read_text("utf-8")
    assert not school.rows()[0]["file"].startswith("=")


def test_results_of_another_version_are_judged_again(school):
    school.write("ada.toml", RIGHT)
    school()
    store = school.out / "results.jsonl"
    held = json.loads(store.read_text("utf-8"))
    del held["grade"]["results"][0]["message"]
    store.write_text(f"{json.dumps(held)}\n[]\n3\n\n", "utf-8")
    assert school().table()["total"] == [7.5]
    assert len(store.read_text("utf-8").splitlines()) == 1


def result(status="refuted", message="", *, credit="", share=0, possible=4, **rest):
    return Result("A.1a", "A", status, message, credit=credit, share=Fraction(share), possible=possible, **rest)


def test_outcomes():
    assert outcome_of(result(share=1, credit="right", status="proved")) == "right"
    assert outcome_of(result(share=Fraction(1, 2), credit="too-short")) == "part"
    assert outcome_of(result(credit="wrong")) == "wrong"
    assert outcome_of(result("undecided")) == "waits"
    assert outcome_of(result("undecided", awarded=0)) == "wrong"
    assert outcome_of(result("missing")) == "missing"
    assert outcome_of(result("proved", share=1, possible=0)) == "right"


def test_wrong_answers_are_grouped_by_what_is_wrong(school):
    asked = hw.problems.read_assignment(school.homework)
    said = "At n = {} your query gives {} on k_1."
    rows = [("10", "0.332", "q = k_1"), ("12", "1.2e-3", "q = k_1 "), ("10^48", "1/3", "q = 2*k_1"), ("", "", "x")]
    results = [
        result(message=said.format(n, weight) if n else "Other.", credit="wrong", given=given)
        for n, weight, given in rows
    ]
    results.append(result("proved", share=1, credit="right"))
    grades = [
        hw.problems.Grade(f"secret{k}.toml", f"Name {k}", "", {"A.1a": each, "D.a-i": result("missing")})
        for k, each in enumerate(results)
    ]
    found = statistics_of(asked, grades)
    first = found["questions"][0]
    assert [(group["files"], group["different"]) for group in first["groups"]] == [(3, 2), (1, 1)]
    assert first["groups"][0]["example"]["files"] == 2
    assert (first["share_right"], first["outcomes"]["right"]) == (0.2, 1)
    assert found["questions"][1]["outcomes"]["missing"] == 5
    bins = found["totals"]["bins"]
    assert sum(each["files"] for each in bins) == 5
    assert (bins[0]["from"], bins[-1]["to"]) == (0, found["possible"])
    assert [each["to"] for each in bins[:-1]] == [each["from"] for each in bins[1:]]
    shown = json.dumps(found)
    assert "secret" not in shown
    assert "Name" not in shown


def test_skeletons_keep_names_and_lose_numbers():
    assert skeleton("weight 0.5 on k_1 at n = 10^48") == skeleton("weight 1e-3 on k_1 at n = 7")
    assert skeleton("weight 0.5 on k_1") != skeleton("weight 0.5 on k_2")

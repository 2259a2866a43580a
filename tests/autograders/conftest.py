"""The assignment that the autograder is made of: two questions of the sheets, one of a teacher, with keys in a file."""

import pytest

HOMEWORK = """\
title = "Homework 3"
problems = "questions/mine.toml"

[[question]]
id = "A.1a"
points = 7.5

[[question]]
id = "D.b-ii"
points = 10
credit = { wrong = "1/4" }

[[question]]
id = "X.1"
points = 4
"""
MINE = '[[question]]\nid = "X.1"\ntext = "Copy the first key."\nkeys = "keys.csv"\ncopy = 0\n'
FREE = '\n[[question]]\nid = "T.1"\ntext = "Why?"\nclaim = {kind = "text"}\nsolution = {answer = "Because it is so."}\n'
RIGHT = {"A.1a": "2*log(n/eps)*k_1", "D.b-ii": "t*(k_a + k_b)", "X.1": "9*k_1"}
WRONG = {"A.1a": "k_1", "D.b-ii": "t*k_a", "X.1": "k_2"}  # a quarter of 10 points for D.b-ii, by its credit


@pytest.fixture
def homework(tmp_path):
    """The assignment's file."""
    folder = tmp_path / "course of mine"
    (folder / "questions").mkdir(parents=True)
    (folder / "homework.toml").write_text(HOMEWORK, "utf-8")
    (folder / "questions" / "mine.toml").write_text(MINE, "utf-8")
    (folder / "questions" / "keys.csv").write_text("1,0\n0,1\n", "utf-8")
    return folder / "homework.toml"


@pytest.fixture
def homework_with_text(homework):
    """The same with a fourth question, T.1, whose answer is free text, for 3 points."""
    mine = homework.parent / "questions" / "mine.toml"
    mine.write_text(MINE + FREE, "utf-8")
    homework.write_text(HOMEWORK + '\n[[question]]\nid = "T.1"\npoints = 3\n', "utf-8")
    return homework


@pytest.fixture
def right():
    return dict(RIGHT)


@pytest.fixture
def wrong():
    return dict(WRONG)

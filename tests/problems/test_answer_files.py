"""Answer files are strangers' files: what is readable is read, everything else gets one sentence and costs nothing else."""

import numpy as np
import pytest

from headwright.kernel.verdict import Undecided
from headwright.problems import CATALOGUE
from headwright.problems.answers.answer_files import read_answers
from headwright.problems.answers.safe_text import plain
from headwright.problems.grading.messages import PERSON, message_of, sentence
from headwright.reading import toml_files
from tests.facts import says
from tests.toy_claim import proved, refuted


@pytest.fixture
def read(tmp_path):
    def read(content):
        path = tmp_path / "a.toml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_answers(path, ids=CATALOGUE)

    return read


def test_both_ways_to_name_a_question(read):
    file = read(
        'student = "Ada"\n["A.1a"]\nq = "k_1"\n[C.1.1a]\nstatement = "x"\n[B.3d-ii]\nq1 = "u_a"\nq2 = [1, 2.5]\n'
    )
    assert file.student == "Ada"
    assert list(file.answers) == ["A.1a", "C.1.1a", "B.3d-ii"]
    assert file.answers["A.1a"] == {"q": "k_1"}
    np.testing.assert_array_equal(file.answers["B.3d-ii"]["q2"], [1.0, 2.5])
    assert file.complaints == {}


def test_every_id_can_be_written_bare(read):
    """No question's name needs quotes, and none hides another."""
    file = read("\n".join(f"[{name}]\nq = 1" for name in CATALOGUE))
    assert set(file.answers) == set(CATALOGUE)
    assert file.complaints == {}


def test_line_ends_byte_order_mark_and_name(read):
    assert read(b'\xef\xbb\xbfname = "Bo"\r\n[A.1a]\r\nq = "k_1"\r\n').answers == {"A.1a": {"q": "k_1"}}
    assert read('name = "Bo"\n').student == "Bo"


def test_digest_is_of_the_content(read):
    assert read("[A.1a]\nq = 1").digest == read("[A.1a]\nq = 1").digest != read("[A.1a]\nq = 2").digest


@pytest.mark.parametrize(
    ("content", "about", "said"),
    [
        ("[A.1x]\nq = 1", "A.1x", "'A.1x'"),
        ("[a.1X]\nq = 1", "a.1X", "A.1"),
        ("[a.1A]\nq = 1\n[A.1a]\nq = 2", "A.1a", "A.1a"),
        ("[zebra]\nq = 1", "zebra", "'zebra'"),
        ("[Q.1.2]\nq = 1", "Q.1.2", "'Q.1.2'"),
        ('q = "k_1"', "q", "`q`"),
        ('[A]\nq = "k_1"', "A.q", "`A.q`"),
        ('A.1a = "k_1"', "A.1a", "`A.1a`"),
        ('[A.1a]\nq = 1\n["A.1a"]\nq = 2', "A.1a", "A.1a"),
        ("[A.1a]\nq = true", "A.1a", "`q`"),
        ("[A.1a]\nq = 2020-01-01", "A.1a", "`q`"),
        ("[A.1a.q]\nx = 1", "A.1a", "`q`"),
        ("[A.1a]\nq = nan", "A.1a", "`q`"),
        ("[A.1a]\nq = -inf", "A.1a", "`q`"),
        (f"[A.1a]\nq = {'9' * 4000}", "A.1a", "`q`"),
        (f"[A.1a]\nq = 0x{'f' * 50_000}", "A.1a", "`q`"),
        (f"[A.1a]\nq = [0x{'f' * 50_000}]", "A.1a", "`q`"),
        ("[A.1a]\nq = [1, nan]", "A.1a", "`q`"),
        ("[A.1a]\nq = [[1, 2], [3]]", "A.1a", "`q`"),
        ("[A.1a]\nq = []", "A.1a", "`q`"),
        ('[A.1a]\nq = ["k_1", "k_2"]', "A.1a", "`q`"),
        ("[A.1a]\nq = [[[[1]]]]", "A.1a", "`q`"),
        (f"[A.1a]\nq = {'[' * 80}1{']' * 80}", "A.1a", "3"),
        (f"[A.1a]\nq = [{2**60}]", "A.1a", "2^53"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_one_question_costs_only_that(read, content, about, said):
    file = read(f'{content}\n["B.3b"]\nq = "u"\n')
    assert said in file.complaints[about]
    assert file.answers == {"B.3b": {"q": "u"}}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"#" * (256 * 1024 + 1), "256 kB"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"PK\x03\x04 ...", "Word"),
        ("[A.1a]\nq = 1".encode("utf-16-le"), "UTF-8"),
        (bytes(range(128, 256)) * 9, "UTF-8"),
    ],
)
def test_what_is_wrong_with_the_whole_file(read, content, said):
    with pytest.raises(ValueError, match=said) as caught:
        read(content)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "content",
    [
        b"[A.1a]\n[A.1a]\n",
        b"[A.1a]\nq = '\x00'\n",
        b"[A.1a]\nq = " + b"[" * 10_000 + b"1" + b"]" * 10_000,
        b"[A.1a]\nq = " + b"{a=" * 10_000,
        b"[A.1a]\nq = " + b"9" * 5000,
        b'[A.1a]\nq = """k_1',
        b"[A.1a]\nq = 'k_1\n",
        b'[A.1a]\nq = "k_1\n',
        b"a" + b".a" * 50_000 + b" = 1",
        b'"a"' + b' . "a"' * 20_000 + b" = 1",
        b"[" + b" . ".join([b"a"] * 2000) + b"]",
    ],
    ids=lambda content: repr(content[:20]),
)
def test_what_is_not_toml_costs_one_answer_at_most(read, content):
    file = read(content + b'\n[B.3b]\nq = "u"\n')
    assert file.answers["B.3b"] == {"q": "u"}
    assert set(file.answers) <= {"A.1a", "B.3b"}


def test_ordinary_formulas_are_no_dotted_names(read):
    text = "+".join(f"0.{k}*S'.T*1.5" for k in range(200))
    assert read(f'[A.1a]\nq = "{text}"\nr = [{", ".join(["0.25"] * 500)}]').answers["A.1a"]["q"] == text


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="`path`"):
        read_answers(tmp_path / "none.toml", ids=CATALOGUE)
    with pytest.raises(FileNotFoundError):
        read_answers(tmp_path, ids=CATALOGUE)


def test_nothing_unprintable_comes_back(read):
    file = read('student = "A\\u001b[31m\\u202edA"\n["\\u001b[2J"]\nq = 1\n[A.1a]\n"\\u0007" = true\n')
    assert file.student == "A\ufffd[31m\ufffddA"
    told = "".join([*file.complaints, *file.complaints.values()])
    assert told.isprintable()


def test_complaints_are_bounded(read):
    """Twenty thousand unknown questions cost no more than twenty."""
    file = read("".join(f"[x{k}]\nq = 1\n" for k in range(10_000)) + '["B.3b"]\nq = "u"\n')
    assert len(file.complaints) == 21
    assert file.complaints["…"]
    assert file.answers == {"B.3b": {"q": "u"}}


def test_entries_of_one_answer_are_bounded(read):
    file = read("[A.1a]\n" + "".join(f"q{k} = 1\n" for k in range(2000)) + '["B.3b"]\nq = "u"\n')
    assert file.answers == {"B.3b": {"q": "u"}}
    assert says(file.complaints["A.1a"], 2000)


def test_messages():
    assert plain("x" * 5000) == "x" * 1200 + "…"
    assert plain("a\n\tb") == "a\n\ufffdb"
    assert sentence("`q` is odd") == "`q` is odd."
    assert message_of(proved("it holds", reason="every weight is 1/2")) == "Every weight is 1/2."
    assert message_of(proved("it holds", bound_text="at most 0.01")) == "It holds. At most 0.01."
    assert says(message_of(refuted("no", reason="the weight is 0.2", holds_when="n ≤ 4")), "0.2", "n ≤ 4")
    assert PERSON in message_of(Undecided("free text", reason="free text")).lower()


def test_the_bound_is_on_bytes_read(monkeypatch, read):
    monkeypatch.setattr(toml_files, "MOST_BYTES", 8)
    with pytest.raises(ValueError, match="kB"):
        read("[A.1a]\nq = 1")

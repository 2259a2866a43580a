"""Answers in Markdown, plain text and TOML with mistakes: what is clear is read, and what is not goes to a person."""

import re

import numpy as np
import pytest

from headwright.problems import CATALOGUE, check
from headwright.problems.answers.answer_files import read_answers
from headwright.problems.answers.templates import chosen, template
from tests.answer_bank import RIGHT, WRONG


@pytest.fixture
def read(tmp_path):
    def read(content, suffix=".md", ids=CATALOGUE):
        path = tmp_path / f"a{suffix}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_answers(path, ids=ids)

    return read


HEADERS = [
    *("## A.1a", "A.1a:", "A.1a)", "Question A.1a", "[A.1a]", "**A.1a**", "# Problem a.1A", "(A.1a)", "A.1a", "__A.1a__"),
    *("### A.1a: Copy one of n separated keys", "## A.1a — Copy one of n separated keys (10 points)"),
    *("**A.1a:**", "Exercise A.1a.", '["A.1a"]', "- A.1a:"),
    *("[A.1a", "A.1a]", "A1a", "\\section*{A.1a}", "=== A.1a ===", "1. A.1a:", "Answer to A.1a:", "A.1a (10 points)"),
    *("## Question A.1a", "## **A.1a**", "  ## a.1A  ", "A.1a -"),
]  # fmt: skip


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("suffix", [".md", ".txt"])
def test_headers(read, header, suffix):
    file = read(f"Ada\n\n{header}\nq = 2*k_1\nThe others trail.\n\n## B.3b\nq = u\n", suffix)
    assert file.answers == {"A.1a": {"q": "2*k_1"}, "B.3b": {"q": "u"}}
    assert file.explanations == {"A.1a": "The others trail."}
    assert file.complaints == {}


@pytest.mark.parametrize(
    "line", ["A.1a is harder than A.1b.", "> A.1a", "See A.1a", "(A.1a) shows that", "Problem A.1a asks for"]
)
def test_a_sentence_about_a_question_is_no_header(read, line):
    file = read(f"## B.3b\nq = u\n{line}\n")
    assert list(file.answers) == ["B.3b"]
    assert not file.complaints


@pytest.mark.parametrize(
    "lines",
    [
        *("q = 2 k_1", "q: 2 k_1", "- q = 2 k_1", "* q = 2 k_1", "q := 2 k_1", "$q = 2 k_1$", "$q = 2 k_1$.", "$$q = 2 k_1$$"),
        *("$q$ = $2 k_1$", "\\(q = 2 k_1\\)", "\\[ q = 2 k_1 \\]", "`q = 2 k_1`", "**q** = 2 k_1", "**q = 2 k_1**", "q = 2 k_1."),
        *("$$\nq = 2\n k_1\n$$", "\\[\nq = 2 k_1\n\\]", "```\nq = 2 k_1\n```", "q =\n2 k_1", "q =\n$$\n2 k_1\n$$", "> q = 2 k_1"),
        *("\\begin{align*}\nq &= 2 k_1 \\\\\n\\end{align*}", "$$\\begin{aligned}\nq &= 2\n&k_1\n\\end{aligned}$$"),
        *("\\vec q = 2 k_1", "\\mathbf{q} = 2 k_1", "**Answer:** q = 2 k_1", "Thus $q = 2 k_1$."),
        *('q = "2 k_1"', "q = '2 k_1'", "q = “2 k_1”", "q = „2 k_1“", "q = «2 k_1»", 'q = "2 k_1', "q = '2 k_1", 'q = 2 k_1"'),
        *("2 k_1", "$2 k_1$", "$$\n2 k_1\n$$", "Answer: $2 k_1$", "q = 2 k_1\nq = 2 k_1", "q =\n\nq = 2 k_1", "\tq\t=\t2 k_1"),
    ],
)  # fmt: skip
def test_one_formula_in_many_forms(read, lines):
    file = read(f"## A.1a\n{lines}\n## B.3b\nq = u")
    assert {name: " ".join(text.split()) for name, text in file.answers["A.1a"].items()} == {"q": "2 k_1"}
    assert file.answers["B.3b"] == {"q": "u"}
    assert (file.complaints, file.explanations) == ({}, {})


@pytest.mark.parametrize(
    ("lines", "value"),
    [
        ("q = 2*(k_1\n + k_1)", "2*(k_1 + k_1)"),
        ("q = 2*k_1 +\n3*k_1", "2*k_1 + 3*k_1"),
        ("q = 2*k_1\n+3*k_1", "2*k_1 +3*k_1"),
        ("q = 2*k_1\n-3*k_1", "2*k_1 -3*k_1"),
        ("q = 2 k_1, n ≫ 0", "2 k_1, n ≫ 0"),
        ("$q = t k_1$ with $t$ large", "t k_1 with t large"),
        ("$q = 2 k_1$ + 3 k_1", "2 k_1 + 3 k_1"),
        ("$q = 2 k_1$ - 3 k_1", "2 k_1 - 3 k_1"),
        ("$q = 2 k_1$ k_1", "2 k_1 k_1"),
        ("q = n k_1\nwith n ≫ 0", "n k_1 with n ≫ 0"),
        ("q = n k_1\nfor n > 3.", "n k_1 for n > 3"),
        ("q = k_1\r+3", "k_1\r+3"),
        ("q = \x00k_1", "\x00k_1"),
        ("M' = 3\nq = k_1", "k_1"),
        ("q^2 = 4\nq = k_1", "k_1"),
    ],
)
def test_no_formula_is_cut_short(read, lines, value):
    assert read(f"## A.1a\n{lines}\n").answers == {"A.1a": {"q": value}}


@pytest.mark.parametrize(
    "lines",
    [
        *("2*k_1\n3*k_1", "The score of k_1 must lead.", "k_1\nis too short", "Take the key k_1.", "none"),
        *("explanation = It leads.", "So q = k_1 fails.", "q' = 5", "‖q‖ = 2 k_1", "q(t) = t k_1"),
    ],
)  # fmt: skip
def test_what_is_not_clear_goes_to_a_person_as_a_whole(read, lines):
    file = read(f"## A.1a\n{lines}\n")
    assert (file.answers, file.complaints) == ({}, {})
    assert file.explanations == {"A.1a": lines.replace("\n\n", "\n")}


@pytest.mark.parametrize(
    "line",
    [
        *("A.1a: q = 2 k_1", "A.1a) q = 2 k_1", "**A.1a.** $q = 2 k_1$", "A.1a q = 2 k_1", "A.1a = 2 k_1"),
        *("A.1a. 2 k_1", "**A.1a** 2 k_1", "[A.1a] q = 2 k_1", "Question A.1a: $2 k_1$", "A.1a = {q = '2 k_1'}"),
        "A.1a.q = 2 k_1",
    ],
)  # fmt: skip
@pytest.mark.parametrize("suffix", [".md", ".toml"])
def test_all_on_one_line(read, line, suffix):
    assert read(f"{line}\n\n[B.3b]\nq = u\n", suffix).answers == {"A.1a": {"q": "2 k_1"}, "B.3b": {"q": "u"}}


def test_a_formula_in_a_heading(read):
    assert read("## A.1a: q = 2 k_1\n").answers == {"A.1a": {"q": "2 k_1"}}


def test_words_behind_a_formula_are_the_explanation(read):
    file = read("## A.1a\n$q = 2 k_1$, because the others trail.\n\n### Proof\n- see above\n\n---\n## A.1b\n")
    assert file.answers == {"A.1a": {"q": "2 k_1"}}
    assert file.explanations == {"A.1a": "### Proof\n- see above\nbecause the others trail"}


@pytest.mark.parametrize("suffix", [".md", ".toml"])
@pytest.mark.parametrize("name", ["Q", "q3", "q_1", "M", "K"])
def test_a_misspelt_name_is_a_complaint(read, suffix, name):
    header, value = ("## A.1a", "2*k_1") if suffix == ".md" else ("[A.1a]", '"2*k_1"')
    file = read(f"{header}\n{name} = {value}\n", suffix)
    assert file.explanations == {}
    with pytest.raises(ValueError, match="`q` is missing"):
        check("A.1a", file.answers["A.1a"])


def test_several_names(read):
    file = read(
        "## B.3d-i\n$q_{1} = \\ln(s) u_a$\n- q₂ = ln(T) u_b\n## A.3c\nB = svd_part(A, k-1)\n## B.3e-ii\nQ: I\nK: I\nV: I\n"
    )
    assert file.answers["B.3d-i"] == {"q1": "\\ln(s) u_a", "q2": "ln(T) u_b"}
    assert file.answers["A.3c"] == {"M": "svd_part(A, k-1)"}
    assert file.answers["B.3e-ii"] == {"Q": "I", "K": "I", "V": "I"}


def test_numbers_and_arrays(read):
    file = read(
        "## A.1a\nq = [1, 2.5,\n  3]\n## A.1b\nq = 3\n## D.b-i\nM = [\n[1, 0],\n[0, 1],\n]\n## B.3b\nq = [1, x]\n"
    )
    np.testing.assert_array_equal(file.answers["A.1a"]["q"], [1.0, 2.5, 3.0])
    assert file.answers["A.1b"] == {"q": 3}
    np.testing.assert_array_equal(file.answers["D.b-i"]["M"], np.eye(2))
    assert file.answers["B.3b"] == {"q": "[1, x]"}


def test_essays(read):
    file = read(
        "## D.a-i\nstatement = each-at-most-one\nIt is so.\n## D.a-ii\nFree words.\n## D.a-iii\nStatement: a-b\n"
    )
    assert file.answers == {"D.a-i": {"statement": "each-at-most-one"}, "D.a-iii": {"statement": "a-b"}}
    assert file.explanations == {"D.a-i": "It is so.", "D.a-ii": "Free words."}


def test_free_text_in_toml(read):
    file = read(
        '[A.1a]\nq = "k_1"\nproof = "It leads."\n[A.1b]\nwhy = "Both lead."\n[B.3d-i]\nq1 = "u_a"\nwhy = "x"\n', ".toml"
    )
    assert file.answers == {"A.1a": {"q": "k_1"}, "B.3d-i": {"q1": "u_a"}}
    assert file.explanations == {"A.1a": "proof: It leads.", "A.1b": "why: Both lead.", "B.3d-i": "why: x"}
    with pytest.raises(ValueError, match="`q2` is missing"):
        check("B.3d-i", file.answers["B.3d-i"])


@pytest.mark.parametrize(
    "text",
    ["q1 = u_a and q2 = u_b", "$q_2=u_b$, $q_1 = u_a$", "we take q_{2} := u_b; q1 is u_a", r"u_a,\quad q_2 =u_b"],
)
def test_a_part_that_stands_in_another_is_not_missing(text):
    with pytest.raises(ValueError, match="`q2` stands in the text of `q1` and needs a line of its own"):
        check("B.3d-i", {"q1": text})
    with pytest.raises(ValueError, match="`q2` is missing"):
        check("B.3d-i", {"q1": text.replace("q2", "p").replace("q_2", "p").replace("q_{2}", "seq_2")})


# Backslashes, quotes, encodings


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *((rf'"\{word}"', rf"\{word}") for word in ("beta k_1", "times 2", "frac{1}{2}", "right)", "nu", "mu_a", "eps", "u x")),
        (r'"2\ln(n/\epsilon) k_1"', r"2\ln(n/\epsilon) k_1"),
        (r'"\\beta k_1"', r"\beta k_1"),
        (r'"\\frac{1}{2} \\nu"', r"\frac{1}{2} \nu"),
        (r"'\beta k_1'", r"\beta k_1"),
        ('"\\u03b2 k_1"', "β k_1"),
        ('"\\"k_1\\""', '"k_1"'),
        ('"""2*\\\n   k_1"""', "2*k_1"),
        ('"""\n\\beta\nk_1"""', "\\beta\nk_1"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("other", ["", "\n[B.3b]\nq = 2*u\n"])
def test_backslashes_mean_themselves(read, written, meant, other):
    """In valid TOML, and in a file that another line keeps from being valid."""
    if other and written == '"""2*\\\n   k_1"""':
        meant = "2*   k_1"
    assert read(f"[A.1a]\nq = {written}\n{other}", ".toml").answers["A.1a"]["q"] == meant


def test_missing_quotes_cost_nothing(read):
    file = read(
        "student = Ada\n[A.1a]\nq = 2*k_1 # long\n[B.3b]\nq = \"u\n[D.b-i]\nM = 'A*A''\n[E.1d]\nM = S*S'\n", ".toml"
    )
    assert file.student == "Ada"
    assert file.answers == {"A.1a": {"q": "2*k_1"}, "B.3b": {"q": "u"}, "D.b-i": {"M": "A*A'"}, "E.1d": {"M": "S*S'"}}


def test_quotes_that_do_not_match_cost_one_answer_and_name_the_line(read):
    file = read('[A.1a]\nq = "k_1" + "k_1"\n[B.3b]\nq = "u"\n', ".toml")
    assert file.answers == {"B.3b": {"q": "u"}}
    assert "line 2" in file.complaints["A.1a"]


@pytest.mark.parametrize("suffix", [".toml", ""])
def test_a_wrong_suffix_is_no_matter(read, suffix):
    wanted = {"A.1a": {"q": "k_1"}, "B.3b": {"q": "u"}}
    assert read("## A.1a\nq = k_1\n## B.3b\nq = u\n", suffix).answers == wanted
    assert read('## A.1a\nq = "k_1"\n## B.3b\nq = "u"\n', suffix).answers == wanted
    assert read('# B.3b\n[A.1a]\nq = "k_1"\n[B.3b] # A.1a\nq = u\n', suffix).answers == wanted


def test_short_forms_of_toml_beside_a_mistake(read):
    file = read('A.1a = {q = "k_1"}\nA.1b.q = "k_2"\nD.b-i = {M = \n[B.3b]\nq = u', ".toml")
    assert file.answers == {"A.1a": {"q": "k_1"}, "A.1b": {"q": "k_2"}, "B.3b": {"q": "u"}}
    assert "line 3" in file.complaints["D.b-i"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
@pytest.mark.parametrize("suffix", [".md", ".toml"])
def test_encodings_and_line_ends(read, encoding, suffix):
    text = 'name = "Zoë"\r\n[A.1a]\r\nq = "k_1"\r\n[A.1b]\r\nq = "2·k_1"\r\n'
    file = read(text.encode(encoding), suffix)
    assert file.answers["A.1a"] == {"q": "k_1"}
    if encoding == "latin-1":
        assert "line 5" in file.complaints["A.1b"]
        assert "UTF-8" in file.complaints["A.1b"]
    else:
        assert (file.student, file.answers["A.1b"]) == ("Zoë", {"q": "2·k_1"})


def test_old_line_ends(read):
    assert read("## A.1a\rq = k_1\r## B.3b\rq = u").answers == {"A.1a": {"q": "k_1"}, "B.3b": {"q": "u"}}


# Damaged headers


@pytest.mark.parametrize(
    ("header", "named"),
    [("## A.1x", "A.1x"), ("[A.1x]", "A.1x"), ("A.1x:", "A.1x"), ("Question Z.9", "Z.9"), ("## §", "line 6"), ("##", "line 6")],
)  # fmt: skip
def test_a_damaged_header_is_named_and_spares_the_answer_above(read, header, named):
    file = read(f"## B.3b\nq = u\nWhy.\n\n{header}\nq = k_1\n\n## C.1.2a\nq = v\n")
    assert file.answers == {"B.3b": {"q": "u"}, "C.1.2a": {"q": "v"}}
    assert "line 5" in file.complaints[named] or "line 6" in file.complaints[named]


def test_a_heading_that_names_nothing_is_named_with_a_colon_too(read):
    assert "line 2" in read("## .1b\nq : k_1\n## B.3b\nq : u\n").complaints["line 2"]


def test_a_missing_header_costs_the_answer_above_which_names_both_lines(read):
    file = read("## B.3b\nq = u\n\nq = k_1\n## C.1.2a\nq = v\n")
    assert file.answers == {"C.1.2a": {"q": "v"}}
    assert "lines 2 and 4" in file.complaints["B.3b"]


def test_lines_before_the_first_header(read):
    file = read("# Homework 3\nStudent: **Ada**\n\nHello: all\nq = 3\n## A.1a\nq = k_1\n")
    assert (file.student, file.answers) == ("Ada", {"A.1a": {"q": "k_1"}})
    assert "line 5" in file.complaints["line 5"]


def test_an_answer_in_two_places(read):
    file = read("## B.3d-i\nq1 = u_a\n## A.1a\nq = k_1\n## B.3d-i\nq2 = u_b\n## a.1A\nq = 2*k_1\n")
    assert file.answers == {"B.3d-i": {"q1": "u_a", "q2": "u_b"}}
    assert "lines 4 and 8" in file.complaints["A.1a"]


# The forms agree


def toml(answers):
    return "".join(
        f"[{name}]\n" + "".join(f'{k} = "{v}"\n' for k, v in answer.items()) for name, answer in answers.items()
    )


@pytest.mark.parametrize("bank", [RIGHT, WRONG])
def test_all_forms_agree_on_the_bank(read, bank):
    """Valid TOML, TOML that one line keeps from being valid, Markdown, plain text, LaTeX signs."""
    for k in range(max(map(len, bank.values()))):
        answers = {name: choices[k % len(choices)] for name, choices in bank.items()}
        lines = [(name, f"{key} = {text}") for name, answer in answers.items() for key, text in answer.items()]
        heads = dict.fromkeys(name for name, _ in lines)
        forms = {
            ".toml": [toml(answers), toml(answers) + "[A.2b]\nstatement = first pair\n"],
            ".md": ["".join(f"## {n}\n\n" + "".join(f"- {x}\n" for m, x in lines if m == n) + "\nWhy?\n\n" for n in heads)],
            ".txt": [
                "".join(f"{n}:\n" + "".join(f"{x}\n" for m, x in lines if m == n) for n in heads),
                "".join(f"{n})\n" + "".join(f"$$\n{x}\n$$\n" for m, x in lines if m == n) for n in heads),
            ],
        }  # fmt: skip
        for suffix, contents in forms.items():
            for content in contents:
                file = read(content, suffix)
                assert {name: dict(file.answers[name]) for name in answers} == answers
                assert file.complaints == {}


# Templates


@pytest.mark.parametrize("sheet", "ABCDE")
def test_a_template_left_blank_is_no_answers(read, sheet):
    file = read(template(chosen([sheet], CATALOGUE)))
    assert (file.answers, file.complaints, file.explanations, file.student) == ({}, {}, {}, None)


@pytest.mark.parametrize("sheet", "ABCDE")
def test_a_template_filled_in_is_read_completely(read, sheet):
    text = template(problems := chosen([sheet], CATALOGUE)).replace("Student:", "Student: Ada")
    wanted = {}
    for problem in problems:
        wanted[problem.id] = (
            dict(RIGHT[problem.id][0]) if problem.id in RIGHT else dict.fromkeys(problem.answers, "k-th")
        )
        before, header, after = text.partition(f"## {problem.id} ")
        for name, value in wanted[problem.id].items():
            after = after.replace(f"\n{name} =\n", f"\n{name} = {value}\n\nBecause of {problem.id}.\n", 1)
        text = before + header + after
    file = read(text)
    assert (file.answers, file.complaints, file.student) == (wanted, {}, "Ada")
    assert set(file.explanations) == set(wanted)
    assert set(chosen([sheet.lower()], CATALOGUE)) == set(problems)


def test_reading_lines_is_counted(tmp_path):
    path = tmp_path / "a.md"
    path.write_text("## A.1a\nq = k_1\n" * 100)
    with pytest.raises(ValueError, match="budget"):
        read_answers(path, ids=CATALOGUE, budget=1e6)
    assert read_answers(path, ids=CATALOGUE, budget=1e7).answers == {"A.1a": {"q": "k_1"}}


# Words beside a formula


FIXES = [
    *("let t = 1/1000\n{}", "Let $t = 1$.\n\n$${}$$", "Let t := 3.\n{}", "Set t = 1 and\n{}"),
    *("We choose t equal to 1.\n{}", "{}\n\nwith t = 0.", "{}\nwith 0 < t < 1", "{}\n\nwith 0 < t < 1"),
    *("{}\n\nfor a very small t", "{}\n\nwhere t is negative.", "{}\n\nwith $t = 0.01$", "{}\n\nHere t = 1/n."),
    *("{}\n\nI chose t = 2.", "{}\n\nlet t = 4 ln(n/eps)", "{}\n\nas t → 0", "{}\n\nt \\to 0", "{}\n\nwhere t ≤ 5"),
    *("{}\n\nwhere $t \\leq n$", "{}\n\nwith n > t", "{}\n\nfor any t", "{}\n\nt ∈ [0, 1]", "{}\n\nt is zero"),
    *("{}\n\nt ≈ 1", "{}\n\nLet t be 5.", "{}\n\nt is fixed", "{}\n\nfor all t > 0", "{}\n\nwith e^t = n"),
    *("{}\n\nwith 2t = 1", "{}\n\nwith 1 = t", "{}\n\nt: 5", "{}\n\nset t to 1", "{}\n\nt approaches zero"),
    *("{}\n\nn = 5", "{}\n\nThe score is t = 1.", "{}\n\n- t = 1", "{}\n\n$t \\ll 1$", "{} for every t", "{}, t given"),
    *("{}\n\nsmall values of t", "{}\n\nt tends to 1", "{}, t ≤ 1", "{}  # t = 1", "{}\n\n|t| < 1", "{} for t > 0 and small"),
    *("{}\n\nt does not exceed 1", "{}\n\n1/t = 5", "{}\n\nwhere t^2 = 4", "{}, t > 0 constant", "{} where t is as large as n"),
    *("{}\n\nnegative values for t", "{}\n\n$t \\leftarrow 1$", "{}\n\nt doesn't need to be large", "{} wobei t = 1"),
    *("{}\n> where t = 0.1", "{}\n= k_a", "$${}$$\n$= k_a$", "{} = 0", "{}\nnormalised to length 1", "{} 这里 t 取 1", "{}❌"),
    *("{}\nI withdraw this answer.", "{}\nCorrection: the query is k_a.", "{}\n~~~wrong\n~~~", "{}\n\n## Correction\nIt is k_a."),
    *("{}\n<!-- scratch -->", "{} <!-- not this -->", "{}\n| not | this |", "{}\n???", "{}\n### Proof", "> {}\n> No.", "{} (?)"),
    *("{}\nQuestion Z.9: not the above", "{}\n# void", "{}\n\\begin{{wrong}}", "draft: true\n---\n{}", "{}\n(-1)", "{}\n- 3*k_a"),
    *("{}\nq += k_a", "{}\nq -> q/2", "{}\n\n+3*k_a", "{}\nM = 3*A", "{}\nQ = k_a", "It is not true that\n{}\nworks."),
    *("\\[\n{}\n\\] ただし t = 1", "$$\n{}\n$$ (not)", "$${}$$(错)", "{} не то", "\\[\n{}\n\\](wrong)", "{}неверно"),
    *("{} - not", "## B.3b: withdrawn\n{}", "## B.3b ❌\n{}", "~~B.3b~~\n{}", "# ~B.3b~\n{}", "## B.3b (not mine)\n{}"),
]  # fmt: skip
SAYS = [
    *("t ≫ 0", "for large t", "t → ∞", "$t \\to \\infty$", "t > n", "n ≥ 2", "t is large", "with t large enough"),
    "Let t be large.",
    *("t is a large number", "n > 1", "n ≪ t", "1 < t", "as t grows", "- where $t \\gg 0$.", "> for t → ∞", "ε < 1"),
    *("---", "```", "***", "Answer:", "> A formula may use k_a, k_b, n, T, eps, t, s, beta.", "$$"),
    *("**Answer**", "### Solution:"),
]  # fmt: skip


@pytest.mark.parametrize("suffix", [".md", ".txt"])
@pytest.mark.parametrize("lines", FIXES)
def test_words_beside_a_formula_send_the_answer_to_a_person(read, lines, suffix):
    lines = lines.format("q = (t + ln(n/eps))(k_a + k_b)")
    file = read(f"## B.3b\n{lines}\n", suffix)
    assert file.complaints == {} or "Z.9" in file.complaints
    kept = "".join([*file.answers.get("B.3b", {}).values(), file.explanations["B.3b"]])
    assert set(re.findall(r"\w+", lines)) - set(re.findall(r"\w+", kept)) <= {"q", "B", "3b"}


@pytest.mark.parametrize("words", SAYS)
def test_what_is_understood_leaves_the_answer_to_the_judge(read, words):
    for lines in (f"q = t(k_a + k_b)\n\n{words}", f"{words}\n\nq = t(k_a + k_b)"):
        file = read(f"## B.3b\n{lines}\n")
        assert file.answers["B.3b"]["q"].startswith("t(k_a + k_b)")
        assert (file.explanations, file.complaints) == ({}, {})


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[B.3b] # withdrawn\n{}", "# withdrawn"),
        ("[B.3b]\n{} # t = 1", "# t = 1"),
        ("[B.3b]\n{}\n# scratch that\n[A.1b]", "# scratch that"),
        ("[A]\n1b.q = 'k_1'\n[B]\n3b.{} # not this", "# not this"),
        ("# Ada\nB.3b = {{{}}} # no", "# no"),
        ("[B.3b]\n{}\nnote = 'I withdraw'", "note: I withdraw"),
        ("[B.3b]\n{}\nt = 1", "t: 1"),
        ("[B.3b]\n{}\ndraft = true", "draft: True"),
        ("[B.3b]\n{}\n[B.3b.notes]\nx = 'wrong'", "notes: {'x': 'wrong'}"),
        ("[B.3b]\n{}\n[errata]\nx = 'It is k_a.'", "errata: {'x': 'It is k_a.'}"),
        ("[B]\n3b.{}\nvoid = true # all", "B.void: True\n# all"),
        ("[B.3b]\n{}\nx = 0x" + "f" * 9000, "x: a number"),
        ("[B.3b]\nx = '''[A.1a]\n'''\n{} # it's wrong", "# it's wrong"),
        ("[B.3b] # broken\n{}\n[A.1b", "# broken"),
        ("[B.3b\n{} # '' \\\\", "# '' \\\\"),
    ],
)
def test_comments_and_entries_of_toml_are_words(read, content, words):
    file = read(content.format("q = 't*(k_a + k_b)'"), ".toml")
    assert any(words in said for said in file.explanations.values())


def test_a_comment_in_toml_that_repeats_the_question(read):
    file = read("# Ada's file\n[A.1a] # Copy one of n separated keys\nq = 'k_1'\n#\n", ".toml")
    assert (file.answers, file.explanations) == ({"A.1a": {"q": "k_1"}}, {})


# More than a formula in a line, and what stands around it


@pytest.mark.parametrize(
    "lines",
    [
        *("q1 = t mu_a, q2 = t mu_b", "q1 = t mu_a; q2 = t mu_b.", "q_1 = t mu_a and q_2 = t mu_b", "- q1 = t mu_a, q2 = t mu_b"),
        *("$q_1 = t mu_a$ and $q_2 = t mu_b$", "$$q_1 = t mu_a, \\qquad q_2 = t mu_b$$", "$$q_1 = t mu_a \\\\ q_2 = t mu_b$$"),
        *("$q_1 = t mu_a$, $q_2 = t mu_b$.", "$$q_1 = t mu_a \\\\\nq_2 = t mu_b$$", "$$\nq_1 = t mu_a, \\quad q_2 = t mu_b\n$$"),
        "Take q_1 = t mu_a, and q_2 = t mu_b",
        *("\\[ q_1 = t mu_a, q_2 = t mu_b \\]", "$\\vec{q}_1 = t mu_a, \\vec{q}_2 = t mu_b$"),
        "\\begin{aligned} q_1 &= t mu_a \\\\ q_2 &= t mu_b \\end{aligned}",
    ],
)  # fmt: skip
def test_several_formulas_in_a_line(read, lines):
    file = read(f"## D.d-i\n{lines}\n")
    assert file.answers == {"D.d-i": {"q1": "t mu_a", "q2": "t mu_b"}}
    assert (file.complaints, file.explanations) == ({}, {})


def test_three_matrices_in_a_line(read):
    file = read("## B.3e-ii\n$Q=\\beta u_b u_a^T, K=I, V=u_b u_b^T$\n")
    assert file.answers == {"B.3e-ii": {"Q": "\\beta u_b u_a^T", "K": "I", "V": "u_b u_b^T"}}


@pytest.mark.parametrize("line", ["q1 = q2 = t mu_a", "q1 = t mu_a where q2 = t mu_b", "q1 = t mu_a, q2 = 1, q1 = 2"])
def test_no_other_line_is_cut(read, line):
    assert read(f"## D.d-i\n{line}\n").answers.get("D.d-i", {}).keys() <= {"q1"}


@pytest.mark.parametrize(
    "lines", ["none", '"none"', "None.", "answer: none", "q =\nnone", "q = none", "No such q exists."]
)
@pytest.mark.parametrize("suffix", [".md", ".txt"])
def test_none_is_an_answer_where_nothing_may_do(read, lines, suffix):
    file = read(f"## E.1c\n{lines}\n", suffix)
    assert file.explanations == {}
    assert check("E.1c", file.answers["E.1c"]).status == check("E.1c", {"q": "none"}).status == "proved"


def test_none_in_toml(read):
    assert read('[E.1c]\nanswer = "none"\n', ".toml").answers == {"E.1c": {"q": "none"}}
    assert read('[A.1a]\nanswer = "none"\n', ".toml").answers == {}


@pytest.mark.parametrize("rule", ["---", "***", "=====", "--------", "___", "- - -"])
def test_a_rule_ends_a_formula(read, rule):
    file = read(f"## A.1a\nq = 2 k_1\n{rule}\nIt leads.\n")
    assert (file.answers, file.explanations) == ({"A.1a": {"q": "2 k_1"}}, {"A.1a": "It leads."})


@pytest.mark.parametrize(
    "line",
    ["\\boxed{q = 2 k_{1}}", "$\\boxed{q = 2 k_{1}}$", "$$\\boxed{q = 2 k_{1}}$$", "$q = \\boxed{2 k_{1}}$.", "**q = 2 k_{1}**"],
)  # fmt: skip
def test_boxes(read, line):
    assert read(f"## A.1a\n{line}\n").answers == {"A.1a": {"q": "2 k_{1}"}}


@pytest.mark.parametrize(
    ("name", "line", "formula", "reason"),
    [
        ("D.b-i", "M = A A^T since A^T A = I", "A A^T", "since A^T A = I"),
        ("A.1b", "$q = k_1 + k_2$ because $q^T k_1 = q^T k_2$", "k_1 + k_2", "because q^T k_1 = q^T k_2"),
        ("A.3c", "M = svd_part(A, k-1), which has rank k-1", "svd_part(A, k-1)", "which has rank k-1"),
        ("B.3b", "q = T(k_a+k_b), so alpha_a = 1/2", "T(k_a+k_b)", "so alpha_a = 1/2"),
        ("B.3b", "$q = T(k_a+k_b)$, so $\\alpha_a = 1/2$", "T(k_a+k_b)", "so \\alpha_a = 1/2"),
        ("B.3b", "q = T(k_a+k_b) (since n ≥ 2)", "T(k_a+k_b)", "(since n ≥ 2)"),
    ],
)
def test_a_reason_behind_a_formula(read, name, line, formula, reason):
    file = read(f"## {name}\n{line}\n")
    assert (list(file.answers[name].values()), file.explanations) == ([formula], {name: reason})
    if "$" not in line:
        asked, value = line.split(" = ", 1)
        file = read(f"[{name}]\n{asked} = '{value}'\n", ".toml")
        assert (file.answers, file.explanations) == ({name: {asked: formula}}, {name: reason})


def test_none_with_an_explanation(read):
    file = read("## E.1c\nnone\n\nAll weights are positive.\n")
    assert (file.answers, file.explanations) == ({"E.1c": {"q": "none"}}, {"E.1c": "All weights are positive."})
    assert read("## E.1c\nnone\n\nt*(k_i + k_j)\n").answers == {}
    assert read("## E.1c\nq = none (so I guess)\n").explanations == {"E.1c": "none (so I guess)"}


def test_several_bold_formulas(read):
    assert read("## D.d-i\n**q1 = t mu_a, q2 = t mu_b**\n").answers == {"D.d-i": {"q1": "t mu_a", "q2": "t mu_b"}}


MATHS = r"$2 \ln(n/\epsilon)(k_1+k_2)$"


@pytest.mark.parametrize(
    "behind",
    [
        "plus $k_1$",
        "over $n$",
        "or $k_1$",
        "minus the vector of all ones",
        "divided by two hundred",
        "squared",
        "does not work",
    ],
)
def test_what_stands_behind_a_formula_may_change_it(read, behind):
    file = read(f"## A.1b\nq = {MATHS} {behind}\n")
    assert file.answers["A.1b"]["q"].strip("$ ") == MATHS.strip("$")
    assert file.explanations == {"A.1b": behind.replace("$", "")}


@pytest.mark.parametrize(
    "behind", ["", ". This works by symmetry.", ", by symmetry", "(by symmetry)", "because both score alike"]
)
def test_an_explanation_behind_a_formula(read, behind):
    assert read(f"## A.1b\nq = {MATHS} {behind}\n").answers["A.1b"]["q"].strip("$ ") == MATHS.strip("$")


def test_a_hidden_comment_is_no_answer(read):
    file = read("## A.1a\n<!--\nq = k_1\n## A.1b\n-->\nSorry.\n## A.1b\nq = k_2\n")
    assert file.answers == {"A.1b": {"q": "k_2"}}
    assert file.explanations == {"A.1a": "Sorry.\n<!--\nq = k_1\n## A.1b\n-->"}


def test_a_line_of_many_signs_is_read_at_once(read):
    """A pattern that goes back would try 2^1000 ways here."""
    assert read("## A.1a\nq = k_1\n\n## A.1b\n" + "$$ " * 1000 + "x\n").answers["A.1a"] == {"q": "k_1"}


def test_an_answer_of_too_many_lines_costs_that_answer(read):
    file = read("## A.1a\n" + "q = 1\n" * 3000 + "## A.1b\nq = k_1\n")
    assert list(file.complaints) == ["A.1a"]
    assert file.answers == {"A.1b": {"q": "k_1"}}

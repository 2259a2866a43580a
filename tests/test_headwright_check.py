"""The standalone checker: its words on the stored certificates, at few bits too, its arithmetic, and what a stranger meets.

`tests/conftest.py` has it judge the verdicts that the tests bring about, and `evidence/` attacks it at full size.
"""

import ast
import io
import json
import operator
import random
import subprocess
import sys
import tokenize
from collections import Counter
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from safetensors.numpy import save_file

import headwright as hw
import headwright_check
from evidence import checker_mutants, two_checkers
from tests.certificate_files import rewrite, signed
from tests.checker_units import UNITS
from tests.every_claim import CLAIMS
from tests.independent import PROGRAM, WORDS
from tests.many_certificates import certificates

LEFT_OUT = {"block-equivariant", "weight-variance", "layer-outputs", "low-rank-formula"}
LEFT_OUT |= {"reads-out-always", "exact-average"}
EVERY = certificates()


@pytest.fixture
def checker(monkeypatch):
    """The module, with a smaller budget of work; its settings are as they were after the test."""
    for owner, name, value in (
        (headwright_check, "BITS", headwright_check.BITS),
        (headwright_check, "BASE_BUDGET", 2_000_000),
        (headwright_check.STATE, "bits", headwright_check.BITS[0]),
    ):
        monkeypatch.setattr(owner, name, value)
    return headwright_check


@pytest.fixture
def judged(checker, tmp_path):
    def judged(content, bits=None):
        checker.BITS = bits or checker.BITS
        (tmp_path / "c.safetensors").write_bytes(content)
        return checker.check(str(tmp_path / "c.safetensors"))[0]

    return judged


def agrees(found, certificate):
    """What the library leaves undecided, the checker may decide."""
    return found == "open" or certificate.status == "undecided" or found == WORDS[certificate.status]


@pytest.mark.parametrize("kind", sorted({each.kind for each in EVERY}))
def test_it_agrees_with_the_library(kind, judged):
    found = Counter()
    for each in [each for each in EVERY if each.kind == kind and each.status != "undecided"][::6]:
        word = judged(each.content)
        assert agrees(word, each), (each.name, word)
        found[word] += 1
    assert (found["confirmed"] + found["refuted"] > 0) == (kind not in LEFT_OUT)


@pytest.mark.parametrize("bits", [5, 8, 12, 16])
def test_at_few_bits_it_decides_less_and_nothing_otherwise(bits, judged):
    """A wrong end of an interval shows here, where it decides."""
    found = Counter()
    for each in EVERY[bits::40]:
        word = judged(each.content, (bits,))
        assert agrees(word, each), (each.name, word)
        found[word] += 1
    assert found["confirmed"] > 5


@pytest.mark.parametrize("unit", UNITS)
def test_a_small_part_does_what_it_must(unit, checker):
    unit(checker)


FUNCTIONS = {
    "exp": (lambda x: x.exp(), mpmath.exp, (-40, 40)),
    "ln": (lambda x: x.ln(), mpmath.log, (Fraction(1, 4), 40)),
    "sqrt": (lambda x: x.sqrt(), mpmath.sqrt, (0, 10**6)),
    "square": (lambda x: x.square(), lambda x: x * x, (-9, 9)),
}
OPERATIONS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def ends(x):
    return [Fraction(end) * Fraction(2) ** x.e for end in (x.lo, x.hi)]


@pytest.mark.parametrize("bits", [4, 8, 11, 16, 53, 200])
@pytest.mark.parametrize("name", [*FUNCTIONS, *OPERATIONS])
def test_its_intervals_hold_what_they_enclose(name, bits, checker):
    """At few bits they are wide, so that an end which is rounded inwards misses the number."""
    rng, near = random.Random(f"{name} {bits}"), Fraction(1, 10**50)
    checker.STATE.bits = bits
    with mpmath.workdps(70):
        for _ in range(150):
            if name in FUNCTIONS:
                own, true, (low, high) = FUNCTIONS[name]
                a, b = sorted(
                    low + (high - low) * Fraction(rng.getrandbits(40), 2**40) ** rng.choice((1, 9)) for _ in "ab"
                )
                wide = checker.hull([checker.exact(a), checker.exact(b)])
                try:
                    found = ends(own(wide))
                except checker.Uncertain:  # at very few bits a range may reach 0
                    continue
                for x in (a, b, (a + b) / 2):
                    value = Fraction(str(true(mpmath.mpf(x.numerator) / x.denominator)))
                    assert found[0] - near * abs(value) <= value <= found[1] + near * abs(value)
                alone = ends(own(checker.exact(b)))
                assert alone[1] - alone[0] <= (abs(alone[1]) + 1) * Fraction(64, 2**bits) * 40
            else:
                x, y = (Fraction(rng.randint(-999, 999) or 1, rng.randint(1, 999)) for _ in "xy")
                low, high = ends(OPERATIONS[name](checker.exact(x), checker.exact(y)))
                assert low <= OPERATIONS[name](x, y) <= high


def test_it_can_be_read_in_an_evening():
    """At most 2,300 lines of code, comments, docstrings and blank lines apart."""
    source = PROGRAM.read_text("utf-8")
    nodes = [
        node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
    ]
    told = [node.body[0] for node in nodes if ast.get_docstring(node) is not None]
    words = {line for node in told for line in range(node.lineno, node.end_lineno + 1)}
    none = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.type not in none]
    code = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    assert len(code - words) <= 2300


def test_the_page_says_which_kinds_are_left_out():
    page = (PROGRAM.parents[1] / "docs" / "trust.md").read_text("utf-8")
    section = page.partition("## One file that anybody can run")[2].partition("\n## ")[0]
    assert {kind for kind in CLAIMS if f"`{kind}`" in section} == LEFT_OUT
    assert f"{len(CLAIMS) - len(LEFT_OUT)} of the {len(CLAIMS)} kinds" in section


def run(*arguments, python=sys.executable):
    done = subprocess.run([python, "-I", PROGRAM, *arguments], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_a_stranger_runs_it(tmp_path):
    """Exit codes, the worst of several files, and a statement in words with its figures."""
    for name, error in (("right", "1/100"), ("wrong", "1/1000000")):
        hw.save(tmp_path / name, hw.certify(np.eye(3), 6 * np.eye(3)[0], hw.Copy(0), error=error))
    hw.save(tmp_path / "open", CLAIMS["block-equivariant"].prove())
    (tmp_path / "none").write_bytes(b"not a certificate")
    answers = {
        "right": (0, "confirmed"),
        "wrong": (1, "refuted"),
        "open": (3, "open"),
        "none": (2, "not a certificate"),
    }
    for name, (code, word) in answers.items():
        found, text = run(tmp_path / name)
        assert (found, word in text) == (code, True)
    code, text = run(*(tmp_path / name for name in answers))
    assert code == 2
    assert "1/100" in text
    assert run(tmp_path / "right", tmp_path / "open")[0] == 3
    code, text = run("--json", "--", tmp_path / "wrong")
    assert (code, [entry["answer"] for entry in json.loads(text)]) == (1, ["refuted"])
    assert run("--help")[0] == 0


def test_it_needs_the_standard_library_alone_and_an_old_python():
    tree = ast.parse(PROGRAM.read_text("utf-8"), feature_version=(3, 9))
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names | {"__future__"}


def test_it_says_when_the_sender_says_otherwise(tmp_path):
    path = tmp_path / "c"
    hw.save(path, hw.certify(np.eye(3), 6 * np.eye(3)[0], hw.Copy(0), error="1/1000000"))
    rewrite(path, said='{"verdict": "proved"}')
    assert "contrary" in run(path)[1]


DEEP = "[" * 40_000 + "]" * 40_000
HOSTILE = {
    "a long integer": lambda: (one("singular-squares", low="0", high="0" * 5000 + "1"), {"matrix": np.ones((1, 1))}),
    "deep JSON": lambda: (f'{{"kind": "inequality", "tree": {DEEP}}}', {}),
    "a tower of powers": lambda: (one("inequality", tree=tower(30), relation=">", ranges={}), {}),
    "a huge power of ten": lambda: (one("exact-average", basis=["a", "b"], n="10^1000000"), {}),
    "long witnesses": lambda: (
        one("spans-meet", in_basis=["0x" + "f" * 300_000] * 9, in_against=["0x" + "e" * 300_000] * 9),
        {"basis": np.full((9, 9), 1e300), "against": np.full((9, 9), 1e-300)},
    ),
    "scores without end": lambda: (heads(error="1/3", scale="1" + "0" * 4000), queries(200, 50)),
    "a long scale": lambda: (heads(error="1/3", scale=f"{7**4900}/{3**8700}"), queries(20_000, 1)),
    "a matrix that is not square": lambda: (
        one("reads-out", share="1", bound="0"),
        {"matrix": np.array([[1.0], [7.0]]), "basis": np.ones((1, 1)), "against": np.zeros((1, 1))},
    ),
    "axes without a common measure": lambda: (
        one("none-withstands", goal=copy(0), error="1/10", scale="1", radius="1/1000", norm="ball"),
        {**keys_of(2, 20_000), "profile": keys_of(1, 20_000)["keys"] ** 2, "witness": np.array([0.0, 1.0])},
    ),
    "many equal shares": lambda: (heads(error="1/3", many=3000, radius="1", norm="ball"), queries(3000, 2)),
}


def one(kind, **parts):
    return json.dumps({"kind": kind, **parts})


def tower(height):
    return ["number", "2"] if not height else ["power", ["number", "9"], tower(height - 1)]


def copy(i):
    return {"goal": "copy", "indices": [i], "shares": ["1"]}


def keys_of(n, d):
    return {"keys": np.random.default_rng(n).standard_normal((n, d))}


def heads(*, many=1, kind="withstands", **parts):
    m = many - 1 or 1
    goal = {"goal": "average", "indices": list(range(m)), "shares": [str(Fraction(1, m))] * m}
    goal = goal if m > 1 else {**goal, "goal": "copy"}
    kind = kind if "radius" in parts else "within-error"
    return one(kind, **{"goal": goal, "scale": "1", **parts})


def queries(n, d):
    rng = np.random.default_rng(n)
    return {"keys": rng.standard_normal((n, d)), "queries": rng.standard_normal((1, d)), "mix": np.ones(1)}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_ends_after_bounded_work(name, tmp_path, checker):
    claim, arrays = HOSTILE[name]()
    save_file(arrays, tmp_path / "c", metadata=signed(claim, arrays))
    word, reason = checker.check(str(tmp_path / "c"))
    assert word in ("open", "not a certificate") or name == "scores without end"
    assert "fault" not in reason


def test_both_checkers_on_changed_and_damaged_files(tmp_path):
    """A seeded part of what `evidence/two_checkers.py` does."""
    result = two_checkers.run(tmp_path, limit=16)
    assert result["contradictions"] == []
    assert result["damaged files that one of them read"] == 0
    assert result["certificates"] >= 16 * two_checkers.CHANGES


def test_a_slip_in_the_rounding_is_noticed(tmp_path):
    """At few bits these two say what is false of certificates; `evidence/checker_mutants.py` tries slips everywhere."""
    source, was = PROGRAM.read_text("utf-8"), "lo >> excess, -(-hi >> excess)"
    assert source.count(was) == 1
    chosen = [each for each in EVERY if each.kind in ("within-error", "weight-bound") and each.status != "undecided"]
    for now in ("-(-lo >> excess), -(-hi >> excess)", "lo >> excess, hi >> excess"):
        slipped, wrong = checker_mutants.loaded(source.replace(was, now)), 0
        for each in chosen:
            (tmp_path / "c").write_bytes(each.content)
            wrong += not agrees(checker_mutants.word(slipped, str(tmp_path / "c"), (5,)), each)
        assert wrong

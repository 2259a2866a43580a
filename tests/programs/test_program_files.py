"""Program files: what a text means is what the same program in Python means, and every complaint names its entry."""

from fractions import Fraction
from itertools import product

import pytest

from headwright import budget
from headwright.program import Program
from headwright.programs.program_files import read_program
from headwright.programs.step_text import read_step, words

HISTOGRAM = """
vocabulary = "abcd"
length = 50
output = "histogram"
[steps]
histogram = "count(tokens matches my tokens)"
"""


@pytest.fixture
def read(tmp_path):
    def read(text, **options):
        path = tmp_path / "program.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_program(path, **options)

    return read


def test_a_whole_file(read):
    asked = read(
        HISTOGRAM + "[more]\n" if False else "error = 0.125\ndtype = 'float32'\nlayers = 2\nrank = 3\n" + HISTOGRAM
    )
    assert asked.options == {"error": "0.125", "dtype": "float32", "layers": 2, "rank": 3}
    assert asked.program.run("abacad", asked.output) == [3, 1, 3, 1, 3, 1]
    assert asked.program.name(asked.output.number) == "histogram"
    assert not asked.program.written().causal


def test_what_is_left_out(read):
    assert read(HISTOGRAM).options == {}


def test_real_arithmetic(read):
    assert read("dtype = 'real'\n" + HISTOGRAM).options == {"dtype": None}


def test_tokens_of_several_letters(read):
    asked = read(HISTOGRAM.replace('"abcd"', '["the", "cat"]'))
    assert asked.program.run(["the", "cat", "the"], asked.output) == [2, 1, 2]


def both(text, python, *, causal=False, vocabulary="abc", length=4):
    """The step from the text and the step from Python, in one program, with a few registers by name."""
    p = Program(vocabulary, length=length, causal=causal)
    known = {"tokens": p.tokens, "indices": p.indices}
    known["times"] = p.count(p.tokens.matches(p.tokens))
    known["is_a"] = p.map({"a": 1, "b": 0, "c": 0}, p.tokens)
    return p, read_step(text, p, known), python(p, known)


@pytest.mark.parametrize(
    ("text", "python"),
    [
        ("tokens", lambda p, k: p.tokens),
        ("count()", lambda p, k: p.count()),
        ("count(tokens matches my tokens)", lambda p, k: p.count(p.tokens.matches(p.tokens))),
        ("count(tokens below my tokens)", lambda p, k: p.count(p.tokens.below(p.tokens))),
        ("count(times below my indices)", lambda p, k: p.count(k["times"].below(p.indices))),
        ("count(tokens below 'c')", lambda p, k: p.count(p.tokens.below("c"))),
        ("count(times below 2)", lambda p, k: p.count(k["times"].below(2))),
        ("count(tokens among 'c')", lambda p, k: p.count(p.tokens.among(["c"]))),
        ("count(tokens among ['a', \"c\"])", lambda p, k: p.count(p.tokens.among("ac"))),
        ("count(times among [1, 3])", lambda p, k: p.count(k["times"].among([1, 3]))),
        ("count(before())", lambda p, k: p.count(p.before())),
        ("count(before() & tokens matches my tokens)", lambda p, k: p.count(p.before() & p.tokens.matches(p.tokens))),
        ("mean(is_a where before())", lambda p, k: p.mean(p.before(), k["is_a"])),
        ("mean(indices)", lambda p, k: p.mean(None, p.indices)),
        ("length()", lambda p, k: p.length()),
        ("pick(tokens where at(indices - 1), default = 'a')", lambda p, k: p.pick(p.at(p.indices - 1), p.tokens, "a")),
        ("pick(times where at(0))", lambda p, k: p.pick(p.at(0), k["times"])),
        (
            "pick(tokens where at(length() - 1 - indices))",
            lambda p, k: p.pick(p.at(p.length() - 1 - p.indices), p.tokens),
        ),
        ("pick(times where at(indices - 1), default = -1)", lambda p, k: p.pick(p.at(p.indices - 1), k["times"], -1)),
        (
            "last(indices where tokens matches my tokens & before())",
            lambda p, k: p.last(p.tokens.matches(p.tokens) & p.before(), p.indices),
        ),
        (
            "last(tokens where tokens below my tokens, default = 'z')",
            lambda p, k: p.last(p.tokens.below(p.tokens), p.tokens, "z"),
        ),
        ("sign(times - indices)", lambda p, k: p.sign(k["times"] - p.indices)),
        (
            "sign(2 * times - indices / 2 - 1.5)",
            lambda p, k: p.sign(2 * k["times"] - Fraction(1, 2) * p.indices - Fraction(3, 2)),
        ),
        ("sign(-(times - 2) + -1)", lambda p, k: p.sign(-(k["times"] - 2) - 1)),
        ("sign(times - 4 / 2 / 2)", lambda p, k: p.sign(k["times"] - 1)),
        ("sign(indices - (3 - 2 - 1))", lambda p, k: p.sign(p.indices)),
        ("times <= indices", lambda p, k: k["times"] <= p.indices),
        ("times >= indices", lambda p, k: k["times"] >= p.indices),
        ("times < indices", lambda p, k: k["times"] < p.indices),
        ("times > indices", lambda p, k: k["times"] > p.indices),
        ("2 < times", lambda p, k: k["times"] > 2),
        ("2 * times > 3", lambda p, k: 2 * k["times"] > 3),
        ("count(tokens below 'c') <= indices", lambda p, k: p.count(p.tokens.below("c")) <= p.indices),
        (
            "count(times matches my count(tokens below 'b'))",
            lambda p, k: p.count(k["times"].matches(p.count(p.tokens.below("b")))),
        ),
        ("mean((times <= 1) where before())", lambda p, k: p.mean(p.before(), k["times"] <= 1)),
        ("mean(times <= 1 where before())", lambda p, k: p.mean(p.before(), k["times"] <= 1)),
        ("count(sign(times - 2) among [0, 1])", lambda p, k: p.count(p.sign(k["times"] - 2).among([0, 1]))),
        ("count((times > 1) among true)", lambda p, k: p.count((k["times"] > 1).among([True]))),
    ],
)
def test_a_text_means_what_python_means(text, python):
    p, mine, theirs = both(text, python)
    for n in range(1, 5):
        for word in product("abc", repeat=n):
            assert p.run(word, mine) == p.run(word, theirs)


def test_the_file_may_name_steps_in_any_order(read):
    text = HISTOGRAM.replace('output = "histogram"', 'output = "last"').replace("last", "final")
    asked = read(text + 'unused = "length()"\n' + 'final = "histogram >= half"\nhalf = "count(before())"\n')
    assert asked.program.run("abb", asked.output) == [True, True, False]
    assert {asked.program.name(k) for k in range(6)} == {"tokens", "indices", "histogram", "half", "final", "unused"}


MAP = """
vocabulary = "ab("
length = 5
output = "mark"
[steps]
twice = "count(tokens matches my tokens) >= 2"
"""


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ('mark = {map = "tokens", table = {a = 1, b = 2, "(" = 3}}', [1, 2, 1, 3]),
        ('mark = {map = ["tokens"], table = {a = "x"}, otherwise = "y"}', ["x", "y", "x", "y"]),
        ('mark = {map = "twice", table = {true = "x", false = "y"}}', ["x", "y", "x", "y"]),
        ('mark = {map = "indices", table = {1 = true}, otherwise = false}', [False, True, False, False]),
        ('mark = {map = "sign(indices - 1)", table = {-1 = "l", 0 = "e", 1 = "g"}}', ["l", "e", "g", "g"]),
        ('mark = {map = ["tokens", "twice"], table = {a = {true = "A"}}, otherwise = "-"}', ["A", "-", "A", "-"]),
        (
            'mark = {map = ["tokens", "twice"], table = {a = "A", b = {false = "B"}}, otherwise = "-"}',
            ["A", "B", "A", "-"],
        ),
        ('[steps.mark]\nmap = ["tokens", "indices"]\notherwise = 0\ntable.a.0 = 7\ntable.a.2 = 8', [7, 0, 8, 0]),
        ('mark.map = "tokens"\nmark.table = {a = 1}\nmark.otherwise = 0', [1, 0, 1, 0]),
    ],
)
def test_maps_are_tables(read, entry, expected):
    asked = read(MAP + entry)
    assert asked.program.run("aba(", asked.output) == expected


@pytest.mark.parametrize(
    ("entry", "names"),
    [
        ('mark = {map = "tokens", table = {a = 1, b = 2}}', ["steps.mark.table", "("]),
        ('mark = {map = "tokens", table = {a = 1, b = 2, c = 3}, otherwise = 1}', ["steps.mark.table.c"]),
        ('mark = {map = "tokens", table = {a = {b = 1}}, otherwise = 1}', ["steps.mark.table.a"]),
        (
            'mark = {map = ["tokens", "twice"], table = {a = {yes = 1}}, otherwise = 1}',
            ["steps.mark.table.a.yes", "true"],
        ),
        ('mark = {map = ["tokens", "twice"], table = {a = {true = 1}}}', ["steps.mark.table", "a.false"]),
        ('mark = {map = "tokens", table = {a = 1.5}, otherwise = 1}', ["steps.mark.table", "1.5"]),
        ('mark = {map = "tokens", table = {a = [1]}, otherwise = 1}', ["steps.mark.table"]),
        ('mark = {map = "tokens", table = {a = 99999999999999999999}, otherwise = 1}', ["steps.mark"]),
        ('mark = {map = "tokens", table = 3}', ["steps.mark.table", "3"]),
        ('mark = {map = "tokens"}', ["steps.mark.table", "nothing"]),
        ("mark = {table = {a = 1}}", ["steps.mark.map", "nothing"]),
        ("mark = {map = [], table = {a = 1}}", ["steps.mark.map"]),
        ('mark = {map = ["tokens", 3], table = {a = 1}}', ["steps.mark.map"]),
        ('mark = {map = "tokns", table = {a = 1}}', ["steps.mark", "tokns", "tokens"]),
        ('mark = {map = "tokens", tabel = {a = 1}}', ["steps.mark.tabel", "steps.mark.table"]),
        ('mark = {map = "mean(indices)", table = {a = 1}}', ["steps.mark.map", "mean"]),
        ("mark = 3", ["steps.mark", "3"]),
        ('mark = ["length()"]', ["steps.mark"]),
    ],
)
def test_a_map_that_cannot_be_read_is_named(read, entry, names):
    with pytest.raises((ValueError, TypeError)) as error:
        read(MAP + entry)
    for name in names:
        assert name in str(error.value)


def test_labels_that_are_written_alike_are_refused(read):
    text = 'mixed = {map = "tokens", table = {a = 0, b = "0"}, otherwise = 1}\nmark = {map = "mixed", table = {}, otherwise = 1}'
    with pytest.raises(ValueError, match=r"steps\.mark\.map"):
        read(MAP + text)


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ('vocabulary = "abcd"', "", ["`vocabulary`"]),
        ("length = 50", "", ["`length`"]),
        ('output = "histogram"', "", ["`output`"]),
        ('output = "histogram"', 'output = "histogramm"', ["`output`", "'histogram'"]),
        ('output = "histogram"', 'output = "x"', ["`output`", "histogram"]),
        ('output = "histogram"', "output = 3", ["`output`", "3"]),
        ('vocabulary = "abcd"', 'vocabulary = ""', ["`vocabulary`"]),
        ('vocabulary = "abcd"', "vocabulary = []", ["`vocabulary`"]),
        ('vocabulary = "abcd"', 'vocabulary = "abca"', ["`vocabulary`", "'a'"]),
        ('vocabulary = "abcd"', 'vocabulary = ["a", 3]', ["`vocabulary`"]),
        ('vocabulary = "abcd"', 'vocabulary = ["a", ""]', ["`vocabulary`"]),
        ('vocabulary = "abcd"', "vocabulary = 3", ["`vocabulary`", "3"]),
        ("length = 50", "length = 0", ["`length`"]),
        ("length = 50", "length = -1", ["`length`"]),
        ("length = 50", "length = 2.5", ["`length`", "2.5"]),
        ("length = 50", "length = true", ["`length`"]),
        ("length = 50", 'length = "50"', ["`length`"]),
        ("length = 50", "length = 50\nlenght = 50", ["`lenght`", "`length`"]),
        ("length = 50", "length = 50\nzzz = 50", ["`zzz`", "vocabulary"]),
        ("length = 50", 'length = 50\ncausal = "yes"', ["`causal`"]),
        ("length = 50", "length = 50\nerror = true", ["`error`"]),
        ("length = 50", "length = 50\nerror = [1]", ["`error`"]),
        ("length = 50", 'length = 50\ndtype = "float16"', ["`dtype`", "float16"]),
        ("[steps]", "[stepps]", ["`stepps`", "`steps`"]),
        ("histogram =", "#", ["`steps`"]),
        ("histogram =", "tokens =", ["`steps.tokens`"]),
        ("histogram =", "count =", ["`steps.count`"]),
        ("histogram =", "my-step =", ["`steps.my-step`"]),
        ("histogram =", '"" =', ["`steps.`"]),
    ],
)
def test_an_entry_that_is_wrong_is_named(read, old, new, names):
    assert HISTOGRAM.count(old) == 1
    with pytest.raises((ValueError, TypeError)) as error:
        read(HISTOGRAM.replace(old, new))
    assert "program.toml" in str(error.value)
    for name in names:
        assert name in str(error.value)


def test_steps_in_a_circle_are_named(read):
    with pytest.raises(ValueError, match=r"`steps`.*'(one|two)' uses '(two|one)'"):
        read(HISTOGRAM + 'one = "count(two matches my tokens)"\ntwo = "one <= 3"\n')
    with pytest.raises(ValueError, match=r"`steps`.*'one' uses 'one'"):
        read(HISTOGRAM + 'one = "one"\n')


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ["nothing"]),
        ("count", ["'('"]),
        ("count(tokens matches tokens)", ["`my`", "'tokens'"]),
        ("count(tokens below tokens)", ["`my`", "'tokens'"]),
        ("count(tokens)", ["matches, below or among"]),
        ("count(tokens matches my tokens", ["')'", "nothing"]),
        ("count(tokens matches my tokens))", ["the end", "')'"]),
        ("count(tokens matches my tokens and before())", ["&", "'and'"]),
        ("count(tokens matches my tokens && before())", ["'&'"]),
        ("count(tokns matches my tokens)", ["'tokns'", "'tokens'"]),
        ("count(zzzz matches my tokens)", ["'zzzz'", "tokens, indices"]),
        ("count(tokens matches my 'a')", ["'a'"]),
        ("count(tokens matches my 3)", ["`my`"]),
        ("count(tokens among 'z')", ["'z'"]),
        ("count(tokens among [])", ["label"]),
        ("count(tokens among ['a' 'b'])", ["']'", "'b'"]),
        ("count(tokens among a)", ["label", "'a'"]),
        ("count(tokens below 'z')", ["'z'"]),
        ("count(tokens below 1.5)", ["label", "3/2"]),
        ("count(3 matches my tokens)", ["condition"]),
        ("count(indices + 1 matches my tokens)", ["condition"]),
        ("mean(tokens where before())", ["mean", "tokens"]),
        ("mean(indices, before())", ["')'", "','"]),
        ("mean(indices + 1 where before())", ["mean(…)"]),
        ("pick(tokens where at(indices - 1), 'a')", ["'default'"]),
        ("pick(tokens where at(indices - 1), default 'a')", ["'='"]),
        ("pick(tokens where at(tokens))", ["`tokens`"]),
        ("pick(tokens where at(indices / 2))", ["`at`"]),
        ("pick(tokens, where before())", ["'default'"]),
        ("pick()", ["')'"]),
        ("at(3)", ["at(…)", "where"]),
        ("before()", ["before(…)", "where"]),
        ("where before()", ["'where'"]),
        ("tokens + 1", ["`tokens`"]),
        ("indices + 1", ["a step must be"]),
        ("3", ["a step must be"]),
        ("3 <= 4", ["comparison"]),
        ("indices <= 3 <= indices", ["one comparison", "'<='"]),
        ("indices == 3", ["<="]),
        ("indices = 3", ["<="]),
        ("indices * indices <= 3", ["multiplied"]),
        ("3 / indices <= 3", ["divided"]),
        ("indices / 0 <= 3", ["0"]),
        ("sign(3)", ["sign(…)"]),
        ("sign()", ["')'"]),
        ("sign(indices", ["')'"]),
        ("length", ["'('"]),
        ("length(tokens)", ["')'", "'tokens'"]),
        ("'a'", ["'a'"]),
        ("tokens tokens", ["the end", "'tokens'"]),
        ("indices ^ 2 <= 3", ["'^'"]),
        ("indices <= $", ["'$'"]),
        ("indices <= 'a", ['"\'"']),
        ("__import__('os').system('true')", ["'.'"]),
        ("__import__('os')", ["'__import__'"]),
        ("indices <= 1e5", ["the end", "'e5'"]),
        (f"indices <= {'9' * 301}", ["300"]),
        ("(" * 40 + "indices" + ")" * 40, ["nested"]),
        ("-" * 10**5 + "indices <= 1", ["nested"]),
        ("count(" * 10**4, ["nested"]),
    ],
)
def test_a_step_that_cannot_be_read_is_named(read, text, names):
    with pytest.raises((ValueError, TypeError)) as error:
        read(HISTOGRAM + f"wrong = '''{text}'''\n")
    assert "`steps.wrong`" in str(error.value)
    for name in names:
        assert name in str(error.value)
    assert len(str(error.value)) < 500


def test_no_causal_program_knows_its_length(read):
    with pytest.raises(ValueError, match=r"steps\.n.*`length`"):
        read("causal = true\n" + HISTOGRAM + 'n = "length()"\n')


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (b"vocabulary = ", ["TOML"]),
        (b"\xff", ["UTF-8"]),
        (b"a = " + b"[" * 10**5, ["nested"]),
        (b"#" * 300_000, ["256 kB"]),
        (HISTOGRAM.replace("50", "1000000000").encode(), ["budget"]),
        (HISTOGRAM.replace("50", "9" * 30).encode(), ["budget"]),
        (
            (
                HISTOGRAM.replace("50", "9999") + 'm = {map = ["indices", "indices"], table = {}, otherwise = 1}'
            ).encode(),
            ["steps.m.map", "99980001"],
        ),
    ],
)
def test_hostile_files_end_with_an_error(read, text, names):
    with pytest.raises(ValueError, match=r".") as error:
        read(text)
    for name in names:
        assert name in str(error.value)


@pytest.mark.parametrize("step", ['"count()"', '{map = ["indices", "indices"], table = {}, otherwise = 1}'])
def test_many_steps_are_paid_for(read, step):
    text = HISTOGRAM.replace("50", "30") + "\n".join(f"n{k} = {step}" for k in range(40))
    read(text, budget=10**10)
    with pytest.raises(ValueError, match="budget"):
        read(text, budget=10**7)


def test_a_larger_budget_reads_more(read):
    with pytest.raises(ValueError, match="budget"):
        read(HISTOGRAM, budget=10**5)
    assert read(HISTOGRAM, budget=10**9).output.labels is not None


def test_every_letter_of_a_step_is_paid_for(tmp_path):
    spent = []
    for size in (10, 10_000):
        path = tmp_path / "p.toml"
        path.write_text(HISTOGRAM + f'more = "{" " * size}indices <= 3"\n')
        with budget.within(10**12) as purse:
            budget_kept(path, purse)
        spent.append(purse.spent)
    assert spent[1] - spent[0] > 1000 * 9000


def budget_kept(path, purse):
    """Read the file with the purse of the test in force, not one of its own."""
    from headwright import toml_files
    from headwright.programs import program_files

    program_files._program(toml_files.parse(path.read_bytes(), called="it"))


def test_words_of_a_text():
    assert words("pick(tokens where at(x_1 - 1), default = 'y') <= zeta") == {
        "tokens",
        "x_1",
        "zeta",
    }

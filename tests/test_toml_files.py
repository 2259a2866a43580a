"""The one door to TOML: names of many parts are refused before the parser sees them, and everything else is read as it stands."""

import tomllib

import pytest

from headwright.kernel import budget
from headwright.reading.toml_files import _longest_name, parse

PARTS = ("a", '"a"', "'a'", '""', '"' + "b" * 90 + '"', '"a\\"b"', '"x.y"')
DOTS = (".", " . ", "\t.\t", " " * 9 + "." + " " * 9, ". ")
PLACES = (
    "{} = 1",
    "[{}]",
    "[[{}]]",
    "x = {{{} = 1}}",
    'y = """a"b""c""""\n{} = 1',
    "y = '''a'b''c'''''\n{} = 1",
    'x = [""""a"""", {{{} = 1}}]',
    "x = ['''a''''', {{{} = 1}}]",
    'x = ["\\\\", {{{} = 1}}]',
    'x = ["\\"", {{{} = 1}}]',
    "y = '\\'\n{} = 1",
    "# it's\n{} = 1",
    'y = """\\""""\n{} = 1',
)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dot", DOTS)
@pytest.mark.parametrize("part", PARTS)
def test_a_name_of_many_parts_is_refused_wherever_it_stands(place, dot, part):
    short = place.format(dot.join([part] * 16)) if part != '"x.y"' else place.format(part)
    with pytest.raises(ValueError, match="parts joined by dots"):
        parse(place.format(dot.join([part] * 18)).encode(), called="the file")
    assert parse(short.encode(), called="the file") == tomllib.loads(short)


@pytest.mark.parametrize("place", PLACES)
def test_the_count_is_that_of_the_longest_name(place):
    for count in (1, 2, 9):
        assert _longest_name(place.format(" . ".join(["a"] * count))) == count - 1


@pytest.mark.parametrize(
    "text",
    [
        'a = "' + "1." * 99 + '"',
        'a = """\n' + "1." * 99 + '\n"""',
        "a = '" + "1." * 99 + "'",
        "a = '''" + "1." * 99 + "\n'''",
        "# " + "1." * 99,
        "a = [" + "1.5, " * 99 + "]",
        "a = [\n" + "1.5,\n" * 99 + "]",
        "a = {b.c = 1.5, d.e = 2.5}\n" + "".join(f"x{i}.y = 1.5\n" for i in range(99)),
        'a = "\\"' + "." * 99 + '"  # "' + "." * 99,
    ],
)
def test_dots_that_belong_to_no_name_are_read(text):
    assert parse(text.encode(), called="the file") == tomllib.loads(text)


@pytest.mark.parametrize("text", ['a = """x', "a = '''x", 'a = "x', "a = 'x", 'a = """\\', '"""' * 5, "'" * 7, '"\\'])
def test_strings_without_an_end_are_refused(text):
    with pytest.raises(ValueError, match="the file"):
        parse(text.encode(), called="the file")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a = \xff", "UTF-8"),
        (b"a = " + b"[" * 10**5, "nested"),
        (b"a = " + b"9" * 5000, "too long"),
        (b"a = b", "not valid TOML.*in quotes"),
    ],
)
def test_complaints_are_in_words(content, said):
    with pytest.raises(ValueError, match=f"the file.*{said}"):
        parse(content, called="the file", hint="write it in quotes")


def test_every_byte_is_paid_for():
    with budget.within(10**9) as purse:
        parse(b"# a\n" * 250, called="the file")
    assert purse.spent >= 1000 * 100
    with budget.within(), pytest.raises(budget.OverBudget):
        parse(b"a = [" + b"{}," * 10**7 + b"]", called="the file")

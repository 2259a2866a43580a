"""What a newcomer copies must work: the README's examples and the example scripts run, links lead somewhere.

The code of the handbook runs in tests/handbook/test_pages.py.
"""

import re
import runpy
import unicodedata
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from handbook import command_line, figures, generated, measured, outputs, repository, written as made
from headwright.claims import KINDS
from tests.second_opinion import NO_SECOND_PROOF

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
LINK = re.compile(r"(?<!!)\[[^\]\n]*(?:\n[^\]\n]*)?\]\(([^)\s]+)\)")


def written(page):
    return (DOCS / page).read_text("utf-8")


def test_readme_prints_what_it_says():
    text = (ROOT / "README.md").read_text("utf-8")
    assert text.count(">>> ") >= 7
    assert outputs.differences(text) == []


@pytest.mark.parametrize("page", PAGES)
def test_fences_are_closed_and_named(page):
    fences = re.findall(r"^```(.*)$", written(page), re.MULTILINE)
    assert len(fences) % 2 == 0
    assert set(fences[::2]) <= {"python", "pycon", "console", "sh", "toml", "text", "bibtex"}
    assert set(fences[1::2]) <= {""}
    assert all(body.strip() for _, body in outputs.BLOCK.findall(written(page)))


def test_every_page_of_a_question_or_tutorial_has_a_picture():
    bare = [p for p in PAGES if p.startswith(("questions/", "tutorials/")) and "<!-- picture: " not in written(p)]
    assert bare == ["questions/index.md"]


def test_every_picture_stands_on_a_page():
    assert {found for page in PAGES for found in re.findall(r"<!-- picture: (\w+) -->", written(page))} == set(
        figures.names()
    )


STALE = "run `make pages`: it writes figures, tables, pictures and the list of commands into the pages"


@pytest.mark.parametrize("page", PAGES)
def test_what_is_made_stands_in_the_page_as_it_is_today(page):
    assert made.filled(written(page), page, drawing=False) == written(page), STALE


def test_the_page_of_the_commands_is_as_today():
    assert command_line.page() == written("command_line.md"), STALE


@pytest.mark.needs("matplotlib")
@pytest.mark.parametrize("name", figures.names())
def test_a_picture_says_what_it_says_today(name):
    """Its words and numbers, on the page and in the file; the lines between them move with the last digits of a machine."""
    stored = (DOCS / "pictures" / f"{name}.svg").read_text("utf-8")
    assert figures.letters(stored) == figures.letters(figures.file(name)) != "", STALE
    pages = [page for page in PAGES if f"<!-- picture: {name} -->" in written(page)]
    assert [page for page in pages if made.filled(written(page), page) != written(page)] == [], STALE


def test_a_page_that_is_stale_is_noticed():
    page = "Of 12<!-- trusted_base.lines --> lines\n\n<!-- table: trusted -->\n\n| of yesterday |\n\n<!-- end -->\nAfter.\n"
    filled = made.filled(page, "trust.md")
    assert "yesterday" not in filled
    assert f"Of {measured.figure('trusted_base.lines')}<!-- trusted_base.lines --> lines" in filled
    assert filled.endswith("<!-- end -->\nAfter.\n")
    assert made.filled(filled, "trust.md") == filled


def test_there_are_five_examples():
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path, capsys):
    runpy.run_path(str(path), run_name="__main__")
    printed = capsys.readouterr().out
    assert "roved" in printed or "efuted" in printed  # each ends in a verdict


@pytest.mark.parametrize("name", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_named_files_exist(name):
    for link in LINK.findall((ROOT / name).read_text("utf-8")):
        if "://" not in link:
            target, _, anchor = link.partition("#")
            assert (ROOT / target).exists(), link
            if anchor and target.startswith("docs/"):
                assert anchor in anchors((ROOT / target).read_text("utf-8")), link


def anchors(text):
    """The ids of a page: of its headings as mkdocs makes them, and those that are written out."""
    outside = outputs.BLOCK.sub("", text)
    found = set(re.findall(r"""\{#([^}\s]+)\}|\bid=['"]([^'"]+)['"]""", outside))
    ids = {one or other for one, other in found}
    for heading in re.findall(r"^#+ +(.+?)(?: *\{#.*\})?$", outside, re.MULTILINE):
        plain = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        ascii_only = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
        ids.add(re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", ascii_only).strip().lower()))
    return ids


@pytest.fixture(scope="module")
def handbook():
    """Every page of the handbook as the hook hands it on, but for pictures."""
    pages = {page: repository.relinked(written(page), page) for page in PAGES}
    return pages | {page: repository.relinked(text, page) for page, text in generated.pages().items()}


def test_links_and_anchors_of_the_handbook_lead_somewhere(handbook):
    known, lost = {page: anchors(text) for page, text in handbook.items()}, []
    for page, text in handbook.items():
        for link in LINK.findall(outputs.BLOCK.sub("", text)):
            target, _, anchor = link.partition("#")
            if "://" in link:
                continue
            path = normpath(join(dirname(page), target)) if target else page
            if path in known:
                lost += [f"{page}: {link}"] * bool(anchor and anchor not in known[path])
            elif not (DOCS / path).is_file():
                lost.append(f"{page}: {link}")
    assert lost == []


def on_host(text):
    """The anchors that a code host makes for the headings of a page, and what it would show as it is written.

    A host keeps letters of every script, makes a hyphen of each space, ends HTML at the next empty line and knows no admonition.
    In formulas, too, it takes the backslash from a sign, so that "\\," is a comma, and makes a list of lines beginning with "+ ".
    """
    outside = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    ids = []
    for heading in re.findall(r"^#+ +(.+)$", outside, re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        own = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        ids.append(f"{own}-{again}" if (again := ids.count(own)) else own)
    html = re.findall(r"^<(?!!--).*(?:\n.+)*", outside, re.MULTILINE)
    marks = re.findall(r"^(?:!!!|\?\?\?\+?|===) .*|\{:? ?[.#][\w-].*\}|^--8<-- .*", outside, re.MULTILINE)
    marks += [mark for part in html for mark in re.findall(r"\[[^\]]*\]\([^)]*\)|\*\*|`", part)]
    formulas = re.findall(r"\$\$.*?\$\$|\$[^$\n]+(?:\n[^$\n]+)?\$", re.sub(r"`[^`\n]*`", "", outside), re.DOTALL)
    return ids, [*marks, *(mark for formula in formulas for mark in re.findall(r"\\[^\w\s]|\n *[-+*] ", formula))]


@pytest.mark.parametrize(
    ("text", "ids", "shown"),
    [
        ("# Noise: σ and `t`\n", ["noise-σ-and-t"], []),
        ("# A + B\n# C\n# C\n", ["a--b", "c", "c-1"], []),
        ("<b>\n[a](b.md)\n\n[c](d.md)\n", [], ["[a](b.md)"]),
        ('??? tip "Title"\n    Words\n\n[a](b.md){ .wide }\n', [], ['??? tip "Title"', "{ .wide }"]),
        ("$$a\n+ \\; b$$, $\\{c$, `$d\\,$` and $e$\n", [], ["\n+ ", "\\;", "\\{"]),
        ("```text\n!!! note\n# D\n```\n<!-- x -->\n**E**\n", [], []),
    ],
)
def test_what_a_code_host_makes_of_a_page(text, ids, shown):
    assert on_host(text) == (ids, shown)


@pytest.mark.parametrize("page", ["../README.md", "../CHANGELOG.md", *PAGES])
def test_a_page_can_be_read_without_the_handbook(page):
    """On a code host the pages are read as they are stored."""
    here, lost = DOCS / page, []
    for link in re.findall(r"\]\(([^)\s]+)", outputs.BLOCK.sub("", written(page))):
        path, _, anchor = link.partition("#")
        target = Path(normpath(here.parent / path)) if path else Path(normpath(here))
        if "://" not in link and (
            not target.exists()
            or (target.suffix == ".md" and anchor and anchor not in on_host(target.read_text("utf-8"))[0])
        ):
            lost.append(link)
    assert (lost, on_host(written(page))[1]) == ([], [])


def test_no_page_asks_another_machine_for_anything(handbook):
    for page, text in handbook.items():
        outside = outputs.BLOCK.sub("", text)
        assert not re.search(r"(?:src|@import)[=\s]*[\"'(]*https?:", outside), page
    assert "://" not in (DOCS / "styles" / "handbook.css").read_text("utf-8")


def test_what_has_no_second_proof_is_listed():
    section = written("trust.md").partition("## What has no second proof")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(.+)` \| (.+) \|$", section, re.MULTILINE)
    assert dict(rows) == NO_SECOND_PROOF
    assert NO_SECOND_PROOF.keys() <= KINDS.keys()

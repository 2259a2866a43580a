"""The files of the playground's module can be joined, and none of them does what a page of ours must not do."""

import re
from importlib.resources import files

import pytest

from headwright.playground.module import FILES, module_text

FOLDER = files("headwright.playground") / "module"
TEXTS = {name: (FOLDER / name).read_text(encoding="utf-8") for name in FILES}
LONGEST = 400  # lines of a file that can be read in one sitting
DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)
IMPORTED = re.compile(r'^import \{ ([\w, ]+) \} from "\./(\w+\.js)"$', re.MULTILINE)
# What could run or fetch text of strangers, or reach outside of the widget's own element.
FORBIDDEN = {
    "innerHTML": "text of strangers would become markup",
    "outerHTML": "text of strangers would become markup",
    "insertAdjacentHTML": "text of strangers would become markup",
    "document.write": "text of strangers would become markup",
    "eval(": "text of strangers would become code",
    "new Function": "text of strangers would become code",
    "fetch(": "the widget asks no machine for anything",
    "XMLHttpRequest": "the widget asks no machine for anything",
    "WebSocket": "the widget asks no machine for anything",
    "import(": "the widget asks no machine for anything",
    "document.querySelector": "a notebook may hold several widgets, and marimo hides them from the document",
    "document.getElementById": "a notebook may hold several widgets, and marimo hides them from the document",
}
# The text of the walk is our own and has formulas in MathML, which only markup can say.
EXCEPTIONS = {("walk.js", "innerHTML")}


def test_every_file_is_listed_once():
    assert sorted(FILES) == sorted(entry.name for entry in FOLDER.iterdir() if entry.name.endswith(".js"))


@pytest.mark.parametrize("name", FILES)
def test_a_file_imports_only_files_before_it(name):
    for line in re.findall(r"^import .*$", TEXTS[name], re.MULTILINE):
        found = IMPORTED.fullmatch(line)
        assert found, f"{name} imports in a form that joining does not know: {line}"
        wanted, source = found.groups()
        assert FILES.index(source) < FILES.index(name), f"{name} imports {source}, which comes later"
        exported = set(
            re.findall(r"^export (?:async )?(?:function\*?|const|let|class) (\w+)", TEXTS[source], re.MULTILINE)
        )
        assert set(wanted.split(", ")) <= exported, f"{name} imports what {source} does not export"


def test_no_two_files_declare_the_same_name():
    seen = {}
    for name, text in TEXTS.items():
        for declared in DECLARED.findall(text):
            assert declared not in seen, f"{name} and {seen[declared]} both declare {declared}"
            seen[declared] = name


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_short_and_keeps_to_itself(name):
    assert TEXTS[name].count("\n") <= LONGEST
    for words, why in FORBIDDEN.items():
        assert words not in TEXTS[name] or (name, words) in EXCEPTIONS, f"{name} uses {words}: {why}"


def test_the_joined_module_has_one_default_and_no_import():
    text = module_text()
    assert len(re.findall(r"^export default", text, re.MULTILINE)) == 1
    assert not re.search(r"^import ", text, re.MULTILINE)

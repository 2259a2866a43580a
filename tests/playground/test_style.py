"""The style sheet is whole, and every rule of it lies below the widget's own class."""

import re

from headwright.playground.module import module_text, style_text

TEXT = re.sub(r"/\*.*?\*/", "", style_text(), flags=re.DOTALL)
PAGE = module_text()
# The page makes these names of two parts.
COMPOSED = {"hw-column-name", "hw-column-number", "hw-walk-solved", "hw-walk-refuted"}


def blocks(text):
    """(selector, body) of each block at the top of a text; a brace too many or too few is an error."""
    found, depth, start, opened = [], 0, 0, 0
    for place, sign in enumerate(text):
        if sign == "{":
            depth += 1
            opened = place if depth == 1 else opened
        elif sign == "}":
            depth -= 1
            assert depth >= 0, f"a brace too many after {text[start : start + 60]!r}"
            if depth == 0:
                found.append((text[start:opened].strip(), text[opened + 1 : place]))
                start = place + 1
    assert depth == 0, f"{found[-1]} is the last rule that ends"
    return found


def selectors(text):
    for name, body in blocks(text):
        if name.startswith(("@media", "@container")):
            yield from selectors(body)
        else:
            # A rule inside a rule is one whose brace was lost.
            assert "{" not in body, f"{name} holds another rule"
            yield name


def test_every_rule_lies_below_the_widget():
    names = list(selectors(TEXT))
    assert len(names) > 100
    parts = [part.strip() for name in names for part in re.split(r",(?![^()]*\))", name)]
    assert [part for part in parts if not part.startswith(".headwright-play")] == []


def test_every_custom_property_is_set_and_used():
    used = set(re.findall(r"var\((--[\w-]+)", TEXT + PAGE))
    told = set(re.findall(r"(--[\w-]+):", TEXT)) | {"--hw-colour"}  # the colour of a share is set by the page
    assert used == told


def test_every_class_of_the_sheet_is_one_that_the_page_sets():
    written = set(re.findall(r"hw-[\w-]+", PAGE))
    assert set(re.findall(r"\.(hw-[\w-]+)", TEXT)) - written == COMPOSED


def test_every_colour_has_a_light_and_a_dark_value():
    (_, root), *_ = blocks(TEXT)
    colours = re.findall(r"(--[\w-]+): ([^;]*);", root)
    assert len(colours) > 20
    pair = re.compile(r"light-dark\(#\w{6}(\w\w)?, #\w{6}(\w\w)?\)")
    assert [name for name, value in colours if not pair.fullmatch(value)] == []

"""The single file: one page that fetches nothing, runs no script but its own, and treats every text as text."""

import base64
import hashlib
import json
import re

import pytest

from headwright.playground import single_file
from headwright.playground.single_file import page_text

HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror=window.hacked=1>{{script}}"


def elements(page):
    """The texts of style, data and script, as the parser of a browser cuts them."""
    return re.findall(r"<(?:style|script)[^>]*>(.*?)</(?:style|script)>", page, re.DOTALL)


def test_size_and_addresses():
    page = page_text()
    assert len(page.encode()) < 500_000
    # Names of namespaces are the only addresses; nothing is loaded from them.
    found = re.findall(r"https?://[^\s\"'`<>]+", page)
    assert {address for address in found if not address.startswith("http://www.w3.org/")} == set()
    assert not re.search(
        r"<(?:link|img|iframe|object|embed|base|form)\b|\bsrc\s*=|@import|url\(", page.split("<main")[0]
    )


def test_the_policy_names_exactly_the_style_and_the_script_by_hash():
    page = page_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    style, _, script = elements(page)
    for kind, text in (("style-src", style), ("script-src", script)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert "-src *" not in policy
    assert "\r" not in page  # a parser would change it, and with it the hash


def test_texts_of_strangers_stay_in_their_element():
    given = {"asked": {"number": 1, "text": json.dumps({"keys": [[0, 0]], "labels": [HOSTILE]})}, HOSTILE: HOSTILE}
    page = page_text(given)
    assert page.count("<script") == page.count("</script>") == page_text().count("<script") == 2
    _, data, script = elements(page)
    assert json.loads(data) == {"opens": {"host": "file", "step": None}, **given}
    assert script == elements(page_text())[2]


@pytest.mark.parametrize(
    ("name", "text"), [("module_text", "// </SCRIPT"), ("module_text", "x <!-- y"), ("style_text", "</style>")]
)
def test_a_module_that_would_end_its_element_is_refused(monkeypatch, name, text):
    monkeypatch.setattr(single_file, name, lambda: text)
    with pytest.raises(ValueError, match="ends early"):
        page_text()

"""The style sheet: its brackets match, and every rule lies below the widget's own element."""

import re

from headwright.playground.module import style_text

# A block without a block inside it, with what stands before it.
RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")


def test_every_rule_lies_below_the_widget():
    text = re.sub(r"/\*.*?\*/", "", style_text(), flags=re.DOTALL)
    loose = []
    while RULE.search(text):
        for selector, _ in RULE.findall(text):
            parts = [part.strip() for part in re.sub(r"\([^()]*\)", "", selector).split(",")]
            if not selector.strip().startswith("@"):
                loose += [part for part in parts if not part.startswith(".headwright-play")]
        text = RULE.sub("", text)
    assert text.strip() == ""  # a bracket without its partner would be left
    assert loose == []

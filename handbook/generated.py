"""The pages that are made and not written, by their paths below docs/."""

from __future__ import annotations

from functools import cache

from handbook import messages, reference, repository


@cache
def pages() -> dict[str, str]:
    made = reference.pages()
    made["messages.md"] = messages.page()
    made["examples.md"] = repository.examples()
    made["changelog.md"] = repository.changelog()
    return made

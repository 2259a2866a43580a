"""The pages that are made and not written, by their paths below docs/."""

from __future__ import annotations

from functools import cache

from handbook import command_line, messages, reference, repository


@cache
def pages() -> dict[str, str]:
    made = reference.pages()
    made["command_line.md"] = command_line.page()
    made["messages.md"] = messages.page()
    made["examples.md"] = repository.examples()
    made["changelog.md"] = repository.changelog()
    return made

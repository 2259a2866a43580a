"""A statement: one possible answer to an essay question, as an id and a sentence.

Whether it is true is written nowhere: `judges/statements.py` computes it.
"""

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Statement:
    """`id` is what an answer names, `text` what is then claimed.

    >>> Statement("sum-to-one", "The weights sum to 1.").to_dict()
    {'id': 'sum-to-one', 'text': 'The weights sum to 1.'}
    """

    id: str
    text: str

    def to_dict(self) -> dict[str, str]:
        return {"id": self.id, "text": self.text}


def listed(**texts: str) -> tuple[Statement, ...]:
    """Statements from ids written with underscores, which become hyphens.

    >>> listed(sum_to_one="The weights sum to 1.")[0].id
    'sum-to-one'
    """
    return tuple(Statement(name.replace("_", "-"), text) for name, text in texts.items())

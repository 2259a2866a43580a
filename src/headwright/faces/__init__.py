"""How results look: cards of notebooks, and pictures."""

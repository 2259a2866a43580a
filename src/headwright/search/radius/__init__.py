"""How far keys may move before a claim breaks."""

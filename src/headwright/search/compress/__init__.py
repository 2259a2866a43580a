"""The fewest bits that keep attention within an error, and how far stored keys move it."""

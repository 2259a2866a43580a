"""Keys that vary: their laws, and the probability with which weights meet a goal."""

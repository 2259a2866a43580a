"""Claims about formulas: for a whole family of attention problems, or at given keys."""

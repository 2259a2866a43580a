"""Order: whether a block commutes with permutations of its rows."""

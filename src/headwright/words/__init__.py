"""What people call and hold: designs, layers, blocks, key models, stored keys, programs, and the files that hold them."""

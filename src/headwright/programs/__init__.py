"""Programs as transformers: how a program is compiled, and why one is refused."""

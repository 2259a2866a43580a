"""Keys as they are stored: how far attention moves when rounded keys replace the given ones."""

"""What people write: TOML tables, arrays in files, and formulas."""

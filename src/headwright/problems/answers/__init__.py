"""Answer files as people write them: TOML, Markdown and plain text, read into one form, and templates to fill in."""

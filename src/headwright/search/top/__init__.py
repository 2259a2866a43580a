"""Queries that score a set of keys above all others."""

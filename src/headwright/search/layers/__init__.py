"""Maps Q, K, V that bring every row to its goal."""

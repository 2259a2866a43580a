"""The playground: drag keys, state a goal, see the query that meets it and what the library proves about it."""

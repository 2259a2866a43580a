"""Autograders made from an assignment: for Gradescope, otter-grader and nbgrader."""

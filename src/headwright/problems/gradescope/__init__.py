"""An autograder for Gradescope, made from an assignment."""

"""From a program to a transformer: plans, scales and weights, which one claim then proves."""

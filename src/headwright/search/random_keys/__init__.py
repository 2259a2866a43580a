"""Designs for keys that vary, and the law of weights and error over such keys."""

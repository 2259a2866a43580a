"""Geometry of keys and queries: shortest queries, nearest points of hulls. Search only; nothing here is trusted."""

from headwright.geometry.many_copies import copy_queries
from headwright.geometry.newton import LeastNorm, least_norm, log_sum_exp

__all__ = ["LeastNorm", "copy_queries", "least_norm", "log_sum_exp"]

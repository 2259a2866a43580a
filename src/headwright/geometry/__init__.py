"""Geometry of keys and queries: shortest queries and nearest points of hulls. This is search, and nothing here is trusted."""

from headwright.geometry.joint_least_norm import JointNorm, joint_least_norm
from headwright.geometry.joint_problem import RowGoal
from headwright.geometry.least_error import LeastError, least_error
from headwright.geometry.many_copies import copy_queries
from headwright.geometry.newton import LeastNorm, LeastNormProblem, least_norm
from headwright.geometry.rows import Rows, log_sum_exp

__all__ = [
    "JointNorm",
    "LeastError",
    "LeastNorm",
    "LeastNormProblem",
    "RowGoal",
    "Rows",
    "copy_queries",
    "joint_least_norm",
    "least_error",
    "least_norm",
    "log_sum_exp",
]

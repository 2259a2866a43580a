"""Programs compiled to transformers, with one proof for every word."""

from headwright.programs._compile import compile as compile
from headwright.programs.model import Model as Model
from headwright.programs.steps_proved import ProvedStep as ProvedStep

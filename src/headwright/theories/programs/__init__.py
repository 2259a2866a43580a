"""Programs: what their steps mean, and the proof that a stored transformer computes one on every word."""

from headwright.kernel.record import written_as
from headwright.theories.programs import text

written_as("WrittenProgram", text.written, lambda said, name: text.read(said))

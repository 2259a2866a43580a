"""The second opinion on inequalities: the formula at many points of its ranges, by the arithmetic of `second_opinion_trees`."""

import itertools
from fractions import Fraction

from tests.second_opinion_trees import Undefined, digits_in, grid, is_number, steady

KIND = "inequality"
_BESIDE = tuple(map(Fraction, ("1/1000000", "1/7", "1/2", "1", "3/2", "10", "1000", str(10**12))))
_BETWEEN = tuple(map(Fraction, ("1/1000000", "1/10", "1/2", "9/10", "999999/1000000")))


def judge(arrays, fields):
    """True where the relation holds at all points tried, which does not confirm it; False where it fails at one, or None."""
    named = {name: grid(x) for name, x in arrays.items()}
    if "point" in fields:
        points = [{name: Fraction(x) for name, x in fields["point"].items()}]
    else:
        values = {name: list(_values(*known)) for name, known in fields["ranges"].items()}
        points = [dict(zip(values, point, strict=True)) for point in itertools.product(*values.values())]
    states = [_holds(fields, {**named, **point}) for point in points[:400]]
    if False in states:
        return False
    return None if None in states or "point" in fields else True


def _values(low, high, closed):
    low = Fraction(low)
    if high is None:
        return [*([low] if closed else []), *(low + x for x in _BESIDE)]
    high = Fraction(high)
    return [*(low + (high - low) * x for x in _BETWEEN), *([high] if closed else [])]


def _holds(fields, names):
    def attempt(do):
        try:
            value = do.value(fields["tree"], names)
        except Undefined:
            return False
        if not is_number(value):
            return False
        # A value too small to be told from 0 is Unsure, unless it is exact.
        sign = do.sign(value)
        return {">=": sign >= 0, ">": sign > 0, "=": sign == 0, "!=": sign != 0}[fields["relation"]]

    return steady(attempt, digits=80 + 2 * digits_in(fields["tree"]))

"""The first generated objects of `evidence/doors.py`, with the libraries that are here."""

from evidence import doors


def test_every_object_comes_through_exactly_or_is_refused_by_name(tmp_path):
    found = doors.run(tmp_path, limit=150)
    assert found["holds"], found
    assert found["objects"] == found["exact"] + found["refused by name"] == 150
    assert found["neither"] == {}


def test_the_formats_are_read_by_their_bits():
    assert doors.FLOATS["float16"].value(0x3C00) == 1
    assert doors.FLOATS["float64"].value(1) == 2**-1074
    assert doors.FLOATS["float8_e4m3fn"].value(0x7E) == 448
    assert doors.FLOATS["float8_e4m3fn"].value(0x7F) is None
    assert doors.FLOATS["float8_e5m2fnuz"].value(0x80) is None


def test_a_door_that_rounds_or_refuses_everything_is_noticed():
    rounded = doors.judged(doors.Made(None, 1, True), lambda: 2, lambda found: found)
    closed = doors.judged(doors.Made(None, 1, True), lambda: int("`keys`"), lambda found: found)
    silent = doors.judged(doors.Made(None, None, False), lambda: float("no name"), lambda found: found)
    assert (rounded, closed, silent.split()[0]) == ("NOT EXACT", "REFUSED THOUGH LISTED", "UNNAMED")

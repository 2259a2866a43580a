"""A second opinion on claims made of claims: the truth tables of "and" and "not", over the second opinions on the parts."""

from tests.second_opinion_words import parts_of

KINDS = ("all-of", "contrary")
NOT = {"true": "false", "false": "true"}


def parts(kind, arrays, fields):
    """(kind, arrays, fields) of each part."""
    if kind == "contrary" and "where" not in fields:
        return [(fields["claim"]["kind"], arrays, fields["claim"])]
    found = []
    for place, each in enumerate(fields["claims"] if kind == "all-of" else (fields["claim"], fields["where"])):
        start = f"{place}."
        own = {name[len(start) :]: array for name, array in arrays.items() if name.startswith(start)}
        found.append((each["kind"], own, each))
    return found


def judge(kind, arrays, fields, judge_parts):
    said = [judge_parts(*part) for part in parts(kind, arrays, fields)]
    if kind == "contrary":
        return NOT.get(said[0], "unknown")
    return next((word for word in ("false", "unknown", "not contradicted") if word in said), "true")


def breaks(verdict, judge_parts):
    """Whether the part that a Refuted names is false; None if open, and for a contrary, whose instance is its own part.

    A contrary that names no more than what may be said instead must have it true, in these words.
    """
    record = verdict.record
    found = parts(*parts_of(record))
    if record.kind == "contrary":
        told = verdict.holds_when is None or (len(found) == 2 and record.where.sentence() in verdict.holds_when)
        return None if told and (verdict.holds_when is None or judge_parts(*found[1]) != "false") else False
    named = found[verdict.counterexample["claim"]]
    return {"true": False, "false": True}.get(judge_parts(*named))

"""A second opinion on claims made of claims: the truth tables of "and" and "not", over the second opinions on the parts."""

KINDS = ("all-of", "contrary")
NOT = {"true": "false", "false": "true"}


def parts(kind, arrays, fields):
    """(kind, arrays, fields) of each part."""
    if kind == "contrary":
        return [(fields["claim"]["kind"], arrays, fields["claim"])]
    found = []
    for place, each in enumerate(fields["claims"]):
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
    """Whether the part that a Refuted names is false; None if open, and for a contrary, whose instance is its own part."""
    record = verdict.record
    if record.kind == "contrary":
        return None
    named = parts(record.kind, record.arrays(), record.fields())[verdict.counterexample["claim"]]
    return {"true": False, "false": True}.get(judge_parts(*named))

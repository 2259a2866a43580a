"""A claim of the present format in the words that the second opinion reads: those of format 2."""

_PREFIXES = {
    "inequality": "given.",
    "layer-outputs": "given.",
    "low-rank-formula": "given.",
    "reads-out-always": "given.",
    "serves-keys": "vectors.",
    "runs-program": "weights.",
}


def parts_of(claim):
    """(kind, arrays, fields) of a claim object, in older words."""
    return in_older_words(claim.kind, claim.arrays(), claim.fields())


def in_older_words(kind, arrays, fields):
    """(kind, arrays, fields): goals by row as objects, ranges as lists, nulls, no marks on base 16 and no prefixes on names."""
    said, prefix = dict(fields), _PREFIXES.get(kind, "no prefix")
    if kind in ("all-of", "contrary"):
        parts = [part for part in ("claim", "where") if part in said] or [
            f"claims.{i}" for i in range(len(said["claims"]))
        ]
        inner, held = [said[part] for part in parts] if kind == "contrary" else [*said["claims"]], {}
        for place, (part, own) in enumerate(zip(parts, inner, strict=True)):
            theirs = {name[len(part) + 1 :]: x for name, x in arrays.items() if name.startswith(f"{part}.")}
            _, theirs, inner[place] = in_older_words(own["kind"], theirs, own)
            before = "" if parts == ["claim"] else f"{place}."
            held |= {f"{before}{name}": x for name, x in theirs.items()}
        return kind, held, said | (dict(zip(parts, inner, strict=True)) if kind == "contrary" else {"claims": inner})
    for name, read in _READERS.items():
        if name in said and not (name == "goals" and kind == "outputs-contradict"):
            said[name] = read(said[name])
    if kind in ("no-shorter", "gap-norm"):
        said["norm"] = said.pop("least")
    if kind == "rows-apart":
        said = {"distance": None, "pair": None, "within": None, **said, "rows": {"dtype": None, **said["rows"]}}
    return kind, {name.removeprefix(prefix): own for name, own in arrays.items()}, said


def _unmarked(said):
    if isinstance(said, str):
        return said.replace("0x", "")
    return [*said[:-1], _unmarked(said[-1])]


def _range(said):
    low = said.get(">=", said.get(">"))
    high = said.get("<=", said.get("<"))
    return [low, high, bool({">=", "<="} & said.keys())]


def _by_row(said):
    pairs = said and all(isinstance(own, list) and len(own) == 2 and isinstance(own[1], dict | list) for own in said)
    return {str(row): own for row, own in said} if pairs else said


_READERS = {
    **dict.fromkeys(("witness", "weights", "in_basis", "in_against"), lambda said: [_unmarked(own) for own in said]),
    "ranges": lambda said: {name: _range(own) for name, own in said.items()},
    "goals": _by_row,
    "wanted": _by_row,
    "laws": lambda said: {str(key): dict(map(tuple, law)) for key, law in said},
}

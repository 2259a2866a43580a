"""No verdict on the bank's answers, the statements and the sheets' own answers changes unless it is listed with a reason."""

import pytest

from tests.frozen import verdicts

FROZEN = verdicts.frozen()
EXPECTED = verdicts.expected(FROZEN, verdicts.exceptions())


@pytest.mark.parametrize("group", verdicts.groups())
def test_every_verdict_is_as_frozen(group):
    wanted = {key: found for key, found in EXPECTED.items() if verdicts.group_of(key) == group}
    found = verdicts.judged(group)
    changed = {key: (wanted.get(key), found.get(key)) for key in wanted | found if wanted.get(key) != found.get(key)}
    told = "\n".join(f"{key}\n  frozen: {was}\n  now:    {now}" for key, (was, now) in changed.items())
    assert not changed, f"{len(changed)} verdicts changed:\n{told}"


def test_the_bank_is_frozen_whole():
    assert len(FROZEN) >= 600
    assert {verdicts.group_of(key) for key in FROZEN} == set(verdicts.groups())


KEY = "A.1a | q = k_1"
HELD = {
    KEY: {"status": "refuted", "scope": "one n", "holds_when": "n = 3"},
    "A.1a | ours": {"status": "proved", "scope": "every n", "holds_when": None},
}


def changed(**listed):
    return verdicts.expected(HELD, {"verdict": [], "reworded": [], **listed})


def test_an_exception_changes_what_it_lists():
    row = {"key": KEY, "status": "undecided", "holds_when": "", "reason": "why"}
    assert changed(verdict=[row])[KEY] == {"status": "undecided", "scope": "one n", "holds_when": None}
    assert changed(verdict=[row])["A.1a | ours"] == HELD["A.1a | ours"]
    row = {"field": "scope", "old": "every n", "new": "all n", "reason": "why"}
    assert changed(reworded=[row])["A.1a | ours"] == {"status": "proved", "scope": "all n", "holds_when": None}


def test_a_verdict_may_have_another_key_now():
    row = {"key": KEY, "status": "invalid", "becomes": "A.1a | q = k_3", "reason": "why"}
    assert changed(verdict=[row]).keys() == {"A.1a | q = k_3", "A.1a | ours"}
    with pytest.raises(ValueError, match="exception for"):
        changed(verdict=[{**row, "becomes": "A.1a | ours"}])


@pytest.mark.parametrize(
    "row",
    [
        {"key": KEY, "status": "proved"},  # no reason
        {"key": KEY, "status": "proved", "reason": " "},
        {"key": KEY, "reason": "why"},  # nothing changes
        {"key": KEY, "status": "refuted", "reason": "why"},  # as frozen
        {"key": KEY, "status": "proved", "scope": "one n", "reason": "why"},
        {"key": "A.1a | q = k_2", "status": "proved", "reason": "why"},  # not frozen
        {"key": KEY, "status": "proved", "bound": "1", "reason": "why"},
    ],
)
def test_an_exception_that_is_not_needed_fails(row):
    with pytest.raises(ValueError, match="exception for"):
        changed(verdict=[row])


def test_an_exception_twice_fails():
    rows = [{"key": KEY, "status": status, "reason": "why"} for status in ("proved", "undecided")]
    with pytest.raises(ValueError, match="exception for"):
        changed(verdict=rows)


@pytest.mark.parametrize(
    "row",
    [
        {"field": "scope", "old": "no n", "new": "all n", "reason": "why"},
        {"field": "scope", "old": "one n", "new": "every n", "reason": "why"},  # two scopes would become one
        {"field": "scope", "old": "one n", "new": "all n", "reason": ""},
        {"field": "scope", "old": "n = 3", "new": "all n", "reason": "why"},  # that is a condition
        {"field": "status", "old": "refuted", "new": "undecided", "reason": "why"},
        {"old": "one n", "new": "all n", "reason": "why"},
    ],
)
def test_a_rewording_that_is_not_one_fails(row):
    with pytest.raises(ValueError, match="exception for"):
        changed(reworded=[row])

"""What every test shares: the `needs` marker, a fixed Hypothesis profile, a seeded generator, a second opinion.

Every Proved and Refuted that the tests bring about, in this process, is judged again by `tests/second_opinion.py`; a
contradiction fails the test in which it arose. HEADWRIGHT_NO_SECOND_OPINION=1 turns this off.
"""

import doctest
import hashlib
import importlib
import os
import pickle
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache, wraps
from threading import RLock

import numpy as np
import pytest
from hypothesis import settings

from handbook.outputs import ranked, settled
from tests import (
    independent,
    second_opinion,
    second_opinion_apart,
    second_opinion_batches,
    second_opinion_families,
    second_opinion_probability,
    second_opinion_readout,
    second_opinion_refusals,
    second_opinion_spectrum,
    second_opinion_top,
)
from tests.choice_of_tests import CASES, NAMES, Slowest, chosen, mark_slow, slow
from tests.kernels import in_use

settings.register_profile("house", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("house")

TALLY = pytest.StashKey[dict[str, Counter]]()  # counts by heading; under pytest-xdist, of all workers together
ONE_AT_A_TIME = RLock()  # mpmath's precision belongs to the whole process, and some tests prove in eight threads
ONE_IN = 8  # verdicts that `make test` hands to the standalone checker: more would make it slower by more than a tenth
MOST_WORK = 4000  # of `second_opinion.work`: a twentieth of a second for most claims


@pytest.fixture
def rng(request):
    """A generator seeded by the name of the test, so that no test depends on which others ran."""
    return np.random.default_rng(list(request.node.name.encode()))


@pytest.fixture(scope="session", autouse=True)
def patience():
    """No answer of a student is stopped because this machine is slow or busy: a test that needs it stopped never ends it."""
    from headwright.problems.grading import _grade_many

    plain = _grade_many._Crew.__init__
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            _grade_many._Crew,
            "__init__",
            lambda crew, size, files, seconds, rules: plain(crew, size, files, max(seconds, 60), rules),
        )
        yield


@cache
def importable(module):
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True


def missing_modules(item):
    needed = {module for mark in item.iter_markers("needs") for module in mark.args}
    return sorted(module for module in needed if not importable(module))


def pytest_addoption(parser):
    parser.addoption(
        "--cases",
        choices=CASES,
        default="all",
        help="; ".join(f"{name}: {what}" for name, what in CASES.items()),
    )
    parser.addoption("--name-slow", action="store_true", help=f"write the names of the slowest tests to {NAMES.name}")


def pytest_report_header():
    return f"BLAS kernels: {', '.join(in_use())}"


def pytest_collection_modifyitems(session, config, items):
    mark_slow(items)
    missing = {item: missing_modules(item) for item in items}
    counts = Counter(module for item in items for module in missing[item])
    if counts and os.environ.get("HEADWRIGHT_TEST_ALL") == "1":
        # As a report, since an exception raised here in a worker of pytest-xdist is not shown.
        missed = f"HEADWRIGHT_TEST_ALL=1 runs every test, but these are missing: {', '.join(counts)}"
        session.ihook.pytest_collectreport(report=pytest.CollectReport("every test", "failed", missed, []))
    config.stash[TALLY]["not run"] = counts
    runnable = [item for item in items if not missing[item]]
    kept = chosen(runnable, config.option.cases)
    config.stash[TALLY]["slow"]["left out"] = sum(map(slow, runnable)) - sum(map(slow, kept))
    if left_out := [item for item in items if item not in set(kept)]:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """A test file that cannot be imported would pass as a skipped doctest, and its tests would be missed by nobody."""
    report = yield
    if report.skipped and "unable to import" in str(report.longrepr) and report.nodeid.startswith("tests/"):
        report.outcome, report.longrepr = "failed", f"{report.nodeid} cannot be imported"
    return report


def pytest_terminal_summary(terminalreporter, config):
    tally = config.stash[TALLY]
    if tally["not run"]:
        terminalreporter.section("not run")
    for module, count in sorted(tally["not run"].items()):
        terminalreporter.line(f"{module} cannot be imported; tests left out: {count}; run by: make test-all")
    if left_out := tally["slow"]["left out"]:
        terminalreporter.line(f"{left_out} slow tests left out, named in tests/{NAMES.name}; run by: make test-all")
    if watched():
        for line in summary(tally["second opinion"]):
            terminalreporter.line(line)


def summary(seen):
    """What the second opinion and the standalone checker could not confirm, by kind, and the kinds without a second proof."""
    kinds = sorted(key.removeprefix("judged ") for key in seen if key.startswith("judged "))
    judged, confirmed = (sum(seen[f"{word} {kind}"] for kind in kinds) for word in ("judged", "confirmed"))
    yield (
        f"second opinion: {judged} certificates re-judged: {confirmed} confirmed, {judged - confirmed} not contradicted;"
        f" {seen['too large']} too large"
    )
    left = [(kind, seen[f"judged {kind}"] - seen[f"confirmed {kind}"], seen[f"judged {kind}"]) for kind in kinds]
    if named := [f"{kind} {open_} of {of}" for kind, open_, of in left if open_]:
        yield f"not contradicted, by kind: {', '.join(named)}"
        yield f"without a second proof, always or at times: {', '.join(second_opinion.NO_SECOND_PROOF)}; docs/trust.md says when"
    left = [(kind, seen[f"handed on {kind}"] - seen[f"decided {kind}"], seen[f"handed on {kind}"]) for kind in kinds]
    handed, open_ = (sum(row[k] for row in left) for k in (2, 1))
    yield f"standalone checker: {handed - open_} of {handed} of the same decided, and none otherwise"
    if named := [f"{kind} {open_} of {of}" for kind, open_, of in left if open_]:
        yield f"left open by it, by kind: {', '.join(named)}"


def every_verdict():
    """CI and `make test-all` hand every verdict to the standalone checker, `make test` one in a few, chosen by its digest."""
    return "1" in (os.environ.get("HEADWRIGHT_EVERY_VERDICT"), os.environ.get("HEADWRIGHT_TEST_ALL"))


def watched():
    return os.environ.get("HEADWRIGHT_NO_SECOND_OPINION") != "1"


def pytest_configure(config):
    config.stash[TALLY] = {heading: Counter() for heading in ("not run", "slow", "second opinion")}
    if config.option.name_slow and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Slowest())
    let_rounding_differ()
    if watched():
        watch(config.stash[TALLY]["second opinion"])


def pytest_sessionfinish(session):
    """A worker of pytest-xdist hands its counts over; a process that runs the tests itself has nobody to hand them to."""
    if (handed := getattr(session.config, "workeroutput", None)) is not None:
        handed["tally"] = {heading: dict(counts) for heading, counts in session.config.stash[TALLY].items()}


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """All workers collect the same tests, so their counts of what is left out agree. The certificates they judged add up."""
    tally = node.config.stash[TALLY]
    for heading, counts in getattr(node, "workeroutput", {}).get("tally", {}).items():
        tally[heading] = tally[heading] + Counter(counts) if heading == "second opinion" else Counter(counts)


def let_rounding_differ():
    """Examples in docstrings and pages are compared as the handbook's pages are, whatever kernels computed them."""
    plain = doctest.OutputChecker.check_output

    def check_output(self, want, got, flags):
        return plain(self, want, got, flags) or plain(self, ranked(want), ranked(settled(want, got)), flags)

    doctest.OutputChecker.check_output = check_output


def watch(seen):
    """Have every claim's verdicts judged again, and counted in `seen`."""
    from headwright.claims import KINDS

    for claim in KINDS.values():
        claim.prove = judged_again(claim.prove, seen)


def judged_again(prove, seen):
    @wraps(prove)
    def proved_and_judged(claim):
        verdict = prove(claim)
        if verdict.status == "undecided":
            return verdict
        if second_opinion.work(claim) > MOST_WORK:
            seen["too large"] += 1
            return verdict
        with ONE_AT_A_TIME:
            seen[f"judged {claim.kind}"] += 1
            confirmed, third = judged_once(verdict)
            seen[f"confirmed {claim.kind}"] += confirmed
            seen[f"handed on {claim.kind}"] += third is not None
            seen[f"decided {claim.kind}"] += third is True
        return verdict

    return proved_and_judged


def judged_once(verdict, known={}):  # noqa: B006 - the memory of this process
    """Whether the second opinion confirms it, and whether the standalone checker decides it; None if it is not asked.

    Tests prove some claims many times, and an opinion on the same numbers, bound and point stays the same.
    """
    from headwright.kernel.certificate import text_of

    claim, point = verdict.record, pickle.dumps(getattr(verdict, "counterexample", None))
    parts = [
        text_of(claim).encode(),
        *(f"{name} {array.shape}".encode() + array.tobytes() for name, array in claim.arrays().items()),
    ]
    key = hashlib.sha256(b"\n".join([verdict.status.encode(), repr(verdict.bound).encode(), point, *parts])).digest()
    if key not in known:
        asked = every_verdict() or key[0] < 256 / ONE_IN
        known[key] = confirms(verdict), independent.agrees(verdict) if asked else None
    return known[key]


def confirms(verdict):
    """Whether the second opinion is the same; AssertionError when it is the contrary, of the claim or of its bound."""
    said = {"proved": "true", "refuted": "false"}[verdict.status]
    found = second_opinion.judge(verdict.record)
    assert found in (said, "unknown", "not contradicted"), f"second opinion: {found}, but\n{verdict}"
    if verdict.status == "proved" and found != said:
        listed = second_opinion.kinds(*second_opinion.parts(verdict.record)) & second_opinion.NO_SECOND_PROOF.keys()
        assert listed, f"second opinion: {found}, but NO_SECOND_PROOF and docs/trust.md do not list\n{verdict}"
    if verdict.status == "refuted":
        breaks = second_opinion.check_counterexample(verdict)
        assert breaks is not False, f"the stored point breaks nothing:\n{verdict}"
        assert breaks or found != "not contradicted", f"it holds wherever it was tried:\n{verdict}"
    reached = bound_claim(verdict)
    if reached is not None:
        opposite = {"proved": "false", "refuted": "true"}[verdict.status]
        assert second_opinion.judge(reached) != opposite, f"the bound {verdict.bound!r} is wrong:\n{verdict}"
    return found == said


def bound_claim(verdict):
    """The claim that the verdict's own bound makes (for a Refuted: one that must be false), None where it has none."""
    if verdict.record.kind in second_opinion_families.KINDS:
        return None  # formulas have no bound
    if verdict.record.kind == second_opinion_batches.KIND:
        return second_opinion_batches.bound_claim(verdict)
    if verdict.record.kind == second_opinion_apart.KIND:
        return second_opinion_apart.bound_claim(verdict)
    if verdict.record.kind == second_opinion_refusals.KIND:
        return second_opinion_refusals.bound_claim(verdict)
    if verdict.record.kind in second_opinion_top.JUDGES:
        return second_opinion_top.bound_claim(verdict)
    if verdict.record.kind in second_opinion_readout.JUDGES:
        return second_opinion_readout.bound_claim(verdict)
    if verdict.record.kind in second_opinion_spectrum.JUDGES:
        return None  # the bound is part of the claim
    if (
        verdict.bound is None
        or not np.isfinite(verdict.bound)
        or verdict.record.kind in ("no-shorter", "no-smaller-error", "none-withstands")
    ):
        return None  # a least norm or error is its own bound
    if verdict.record.kind in ("block-equivariant", "singular-tail"):
        return None  # how far outputs are apart: looked at where the counterexample is
    bound, claim = Fraction(verdict.bound), verdict.record
    if claim.kind == second_opinion_probability.KIND:
        bound = bound if verdict.status == "proved" else bound + Fraction(1, 2**40)
        return replace(claim, confidence=bound) if 0 < bound < 1 else None
    if claim.kind in ("weight-bound", "weight-variance"):
        return replace(claim, bound=bound) if verdict.status == "proved" else None
    if verdict.status == "refuted":
        bound *= 1 - Fraction(1, 2**60)
    return replace(claim, error=bound) if 0 < bound < 1 else None

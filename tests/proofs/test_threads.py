"""Threads take turns: what eight of them prove is what one proves, and the precision afterwards is what it was."""

import ast
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event, Thread

import flint
import numpy as np
import pytest

import headwright as hw
from headwright.kernel import balls
from headwright.kernel.balls import ball
from headwright.kernel.claim import Claim
from headwright.kernel.verdict import Undecided
from tests.every_claim import CLAIMS

SOURCES = Path(hw.__file__).parent
MODEL = hw.GaussianKeys(np.eye(3), along={0: 0.25})
LAWS = hw.ScaledKeys(np.eye(3), {0: {"1/2": "1/2", "3/2": "1/2"}, 1: {1: "1/3", 2: "2/3"}})
HEADS = np.array([[5.0, 0.0, 0.0], [3.0, 1.0, 0.0]])


def told(verdict):
    return verdict.status, getattr(verdict, "bound", None), verdict.method


def law(keys):
    found = hw.outcome(keys, HEADS, hw.Average(0, 1), mix="equal")
    figures = [found.error_mean, found.probability("0.3"), found.quantile("0.5")]
    return [(float(x), x.low, x.high) for x in figures], found.mean.tolist(), found.uncertainty["sd"].tolist()


def spectrum():
    found = hw.spectrum.singular_values(np.arange(12.0).reshape(4, 3) ** 2)
    return found.low.tolist(), found.high.tolist(), told(found.verdict)


def pair():
    found = hw.position.nearest_pair(hw.position.sinusoidal(300, 6))
    return found.pair, float(found.distance), told(found.verdict)


def norm():
    found = hw.design(np.array([[1.0, 0.25], [0.5, -1.0], [0.0, 2.0]]), hw.Average(0, 1), error="1e-3")
    return found.error, found.lower_bound


JOBS = {
    **{kind: lambda claim=claim: told(claim.prove()) for kind, claim in CLAIMS.items()},
    "one Gaussian": lambda: law(MODEL),
    "finite laws": lambda: law(LAWS),
    "singular values": spectrum,
    "nearest pair": pair,
    "shortest query": norm,
    "formula proved": lambda: told(hw.problems.check("A.1a", {"q": "2*log(n/eps)*k_1"})),
    "formula refuted": lambda: told(hw.problems.check("A.1a", {"q": "log(n/eps)*k_1"})),
    "formula with roots": lambda: told(hw.problems.check("A.1a", {"q": "(sqrt(2)+pi)*log(n/eps)*k_1"})),
}


@pytest.fixture(scope="module")
def alone():
    return {name: job() for name, job in JOBS.items()}


def test_eight_threads_find_what_one_finds(alone):
    before, start = flint.ctx.prec, Barrier(8)

    def work(turn):
        names = [*JOBS][turn:] + [*JOBS][:turn]
        start.wait()
        return {name: JOBS[name]() for name in names}

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(work, range(0, 24, 3)))
    assert all(one == alone for one in found)
    assert flint.ctx.prec == before


@pytest.mark.parametrize("name", JOBS)
@pytest.mark.parametrize("bits", [2, 700])
def test_nothing_depends_on_the_precision_at_rest(alone, name, bits):
    """What another thread leaves in force between two of our blocks must not matter."""
    before = flint.ctx.prec
    try:
        flint.ctx.prec = bits
        assert JOBS[name]() == alone[name]
        assert flint.ctx.prec == bits
    finally:
        flint.ctx.prec = before


def free():
    """Whether another thread could compute now."""
    found = []

    def look():
        found.append(ball._ONE_AT_A_TIME.acquire(blocking=False))
        if found[0]:
            ball._ONE_AT_A_TIME.release()

    thread = Thread(target=look)
    thread.start()
    thread.join()
    return found[0]


class Probe(Claim):
    """Looks, while it is proved, whether others could compute, and at which precision it runs."""

    kind = "probe"

    def sentence(self):
        return "this is a proof"

    def judge(self):
        return Undecided(self.sentence(), evidence={"free": free(), "bits": flint.ctx.prec})

    def arrays(self):
        return {}

    def fields(self):
        return {}

    @classmethod
    def from_parts(cls, stored, fields):
        return cls()


def test_a_proof_has_the_arithmetic_to_itself():
    with balls.precision(300):
        found = Probe().prove()
        assert flint.ctx.prec == 300
    assert found.evidence == {"free": False, "bits": balls.FLOAT_BITS}
    assert free()


def test_a_block_has_the_arithmetic_to_itself_and_puts_the_precision_back():
    before = flint.ctx.prec

    def fails():
        with balls.precision(100):
            with balls.precision(200):
                assert flint.ctx.prec == 200
            assert flint.ctx.prec == 100
            assert not free()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert flint.ctx.prec == before
    assert free()


def test_a_check_has_the_arithmetic_to_itself(monkeypatch):
    from headwright.problems.judges import _judge

    seen = []
    monkeypatch.setitem(_judge.JUDGES, "each", lambda *_: seen.append(free()) or hw.Undecided("nothing was looked at"))
    assert hw.problems.check("A.1a", {"q": "k_1"}).status == "undecided"
    assert seen == [False]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_can_compute_while_a_thread_of_its_parent_did():
    inside, forking, held = Event(), Event(), []

    def hold():
        with balls.precision(500):
            inside.set()
            forking.wait()

    def before_fork():  # the last to be registered is the first to be called
        if not forking.is_set():
            held.append(not free())
            forking.set()

    thread = Thread(target=hold)
    thread.start()
    inside.wait()
    os.register_at_fork(before=before_fork)
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # the block ends only once fork waits for it, and so lets the other thread run
    try:
        child = os.fork()
    finally:
        sys.setswitchinterval(usual)
    if child == 0:
        code = 1
        try:
            code = 0 if free() and flint.ctx.prec != 500 else 2
        finally:
            os._exit(code)
    thread.join()
    assert held == [True]
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def blocks(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.With) and any("precision(" in ast.unparse(item) for item in node.items):
            yield node


def test_no_generator_yields_while_it_keeps_others_waiting():
    files = list(SOURCES.rglob("*.py"))
    found = [
        f"{file.relative_to(SOURCES)}:{node.lineno}"
        for file in files
        for block in blocks(ast.parse(file.read_text("utf-8")))
        for node in ast.walk(block)
        if isinstance(node, ast.Yield | ast.YieldFrom | ast.Await) and file.name != "ball.py"
    ]
    assert found == []
    assert sum(len(list(blocks(ast.parse(file.read_text("utf-8"))))) for file in files) > 50


def test_no_property_is_computed_under_a_lock():
    """`functools.cached_property` of Python 3.11 holds one, and two threads could wait for each other: `computed_once`."""
    users = [file.name for file in SOURCES.rglob("*.py") if "import cached_property" in file.read_text("utf-8")]
    assert users == []


def test_only_one_place_sets_the_precision():
    users = {file.name for file in SOURCES.rglob("*.py") if "ctx.prec =" in file.read_text("utf-8")}
    assert users == {"ball.py"}

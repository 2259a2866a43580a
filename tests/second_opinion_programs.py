"""A second opinion on "runs-program": whether a stored transformer computes a program, for every word, in the rounding model.

The stream of a position is a sum of known parts: a row of each table, and for each head or group of hidden units a matrix times
numbers that lie in a box, one box for each label of the register that the part serves. What is read from the stream, for
every combination of the labels that matter, is the sum of what the parts give, plus a bound for all rounding. The layout says
which register a head or a unit serves; whatever it says, boxes are computed from the stored numbers, and nothing follows
unless the boxes of the output lie within the error of their codes. A wrong layout gives wide boxes.

Numbers lie between two float64, rounded outward (`second_opinion_intervals.py`).
"""

from fractions import Fraction
from itertools import pairwise

import numpy as np

from tests import second_opinion_meaning as meaning
from tests.second_opinion_intervals import (
    TINY,
    Box,
    above_product,
    blended,
    box_product,
    down,
    exponential,
    product,
    slack,
    up,
)
from tests.second_opinion_meaning import INDEX, TOKEN

KIND = "runs-program"
MOST_TRIED = 50  # tokens of a word that is run
MOST_COMBINATIONS, MOST_SCORES, MOST_ACTIVE = 2_000_000, 30_000_000, 300_000_000
# unit roundoff, least normal number, least number, a bound on all numbers
TYPES = {
    "real": (Fraction(0), 0.0, 0.0, 2.0**900),
    "float64": (Fraction(1, 2**53), 2.0**-1022, 2.0**-1074, 2.0**900),
    "float32": (Fraction(1, 2**24), 2.0**-126, 2.0**-149, 2.0**120),
}


class Unknown(Exception):  # noqa: N818 - it is an answer
    """Nothing can be shown, for the reason given."""


def judge(arrays, fields):
    """ "true" if the claim is shown, "false" if the transformer itself breaks it on some word, "unknown" otherwise."""
    plan, output = meaning.Plan(fields["program"]), fields["output"]
    try:
        if proved_error(arrays, fields) <= Fraction(fields["error"]):
            return "true"
    except Unknown:
        pass
    return "false" if broken(plan, output, arrays, fields) else "unknown"


def broken(plan, output, arrays, fields):
    """Whether some word of a small selection gives more than the error: by a margin, since this run rounds in its own way."""
    if plan.length > MOST_TRIED:
        return False
    tokens, error = plan.vocabulary, float(Fraction(fields["error"]))
    # Real arithmetic is followed by two types, which must agree. The others run as they are stated.
    kinds = {"real": (np.float64, np.longdouble), "float64": (np.float64,), "float32": (np.float32,)}[fields["dtype"]]
    for n in sorted({1, min(2, plan.length), plan.length}):
        for step, jump in ((0, 1), (1, 1), (2, 1), (1, 2)):
            word = [tokens[i * step // jump % len(tokens)] for i in range(n)]
            try:
                with np.errstate(all="ignore"):
                    seen = [meaning.seen_error(plan, output, arrays, word, kind) for kind in kinds]
            except meaning.NoValue:
                continue
            if np.isfinite(seen).all() and min(seen) > error * (1 + 1e-6) and max(seen) - min(seen) <= 1e-6 * error:
                return True
    return False


def work(arrays, fields):
    """Rough units of 10 microseconds."""
    plan, numbers = meaning.Plan(fields["program"]), sum(np.size(array) for array in arrays.values())
    sizes = [1 if own is None else len(own) for own in plan.labels]
    return 1500 + numbers / 10 + sum(sizes) ** 2 / 40


def proved_error(arrays, fields):
    """A bound on the error of the output, as a Fraction; Unknown if there is none."""
    with np.errstate(all="ignore"):
        return Walk(arrays, fields).error()


class Reading:
    """What a linear map gives for each combination of labels: the box of its exact value, and what rounding depends on.

    `size` bounds Σ|w||x|, `terms` counts the products that may not be 0, `rough` those without a power of two as a factor.
    """

    def __init__(self, box, size, terms, rough, slopes):
        self.box, self.size, self.terms, self.rough, self.slopes = box, size, terms, rough, slopes

    def grouped(self, groups, count):
        """The hull over the combinations of each group."""
        order = np.argsort(groups, kind="stable")
        starts = np.searchsorted(groups[order], np.arange(count))

        def most(array):
            return np.maximum.reduceat(array[order], starts, axis=0)

        return Reading(
            Box(-most(-self.box.lo), most(self.box.hi)),
            most(self.size),
            most(self.terms),
            most(self.rough),
            self.slopes,
        )


class Held:
    """What a machine holds: a box, whether an entry may differ from 0, and whether it is a power of two for certain."""

    def __init__(self, box):
        self.box = box
        self.live = (box.lo != 0) | (box.hi != 0)
        mantissa, _ = np.frexp(np.abs(box.lo))
        self.even = (box.lo == box.hi) & (mantissa == 0.5)


class Part:
    """`matrix` @ z is added to the stream, with z in `boxes[label]`, or z in slope · value + boxes[0] if there is a slope.

    A register of None has one box, and for BOS z lies in `bos`.
    """

    def __init__(self, register, matrix, boxes, bos, slope=None, possible=None):
        self.register, self.matrix, self.boxes, self.bos, self.slope = register, matrix, boxes, bos, slope
        count = len(boxes.lo)
        self.possible = np.ones(count, dtype=bool) if possible is None else possible


class Walk:
    def __init__(self, arrays, fields):
        self.plan, self.output = meaning.Plan(fields["program"]), fields["output"]
        self.layout, self.arrays = (
            fields["layout"],
            {name: np.asarray(a, dtype=np.float64) for name, a in arrays.items()},
        )
        # A register that the output does not need may be undefined where the output is defined: nothing is known of it.
        self.needed = set(self.plan.needed(self.output))
        self.u, self.normal, self.least, self.most = TYPES[fields["dtype"]]
        for name, array in self.arrays.items():
            if not np.isfinite(array).all():
                raise Unknown(f"{name} holds numbers that are not finite")
            kept = array.astype(np.float32) == array if fields["dtype"] == "float32" else True
            if name not in ("basis", "codes") and not np.all(kept):
                raise Unknown(f"float32 does not hold {name}")
            if (np.abs(array) > self.most).any():
                raise Unknown(f"{name} is too large")
        tokens = self.arrays["tokens"]
        self.width = tokens.shape[1]
        positions = self.arrays.get("positions", np.zeros((self.plan.length + 1, self.width)))
        if len(tokens) != len(self.plan.vocabulary) + 1 or positions.shape != (self.plan.length + 1, self.width):
            raise Unknown("tables of the wrong shape")
        self.parts, self.possible = [], {}
        self.tables = {TOKEN: tokens[1:], INDEX: positions[1:]}
        self.bos_tables = [tokens[0], positions[0]]
        both = np.abs(tokens[1:]).max(axis=0) + np.abs(positions[1:]).max(axis=0)
        meet = (tokens[1:] != 0).any(axis=0) & (positions[1:] != 0).any(axis=0)
        self.stray = np.where(meet, self.unit(both), 0.0)
        own = np.abs(tokens[0]) + np.abs(positions[0])
        self.bos_stray = np.where((tokens[0] != 0) & (positions[0] != 0), self.unit(own), 0.0)

    # Rounding

    def gamma(self, terms):
        """γ_k for an array of counts, rounded up."""
        share = np.asarray(terms, dtype=np.float64) * float(self.u)
        if (share > 0.25).any():
            raise Unknown("too many terms for the number type")
        return share / (1 - share) * (1 + 2.0**-50)

    def unit(self, size):
        """A bound on one rounding of a number of this size."""
        return np.where(size > 0, size * float(self.u) * (1 + 2.0**-50) + 2 * self.least, 0.0) if self.u else size * 0

    def machine(self, reading, bias=None):
        """What a machine holds for a reading plus a bias."""
        size, terms, box = reading.size, reading.terms, reading.box
        exact = (terms == 0) | ((terms == 1) & (reading.rough == 0))
        roundings = np.where(exact, 0, terms)
        if bias is not None:
            size, box = up(size + np.abs(bias)), box + Box(np.broadcast_to(bias, box.lo.shape))
            roundings = np.where((bias != 0) & (terms > 0), roundings + 1, roundings)
        if self.u:
            error = np.where(roundings > 0, up(self.gamma(roundings) * size) + (terms + 2) * 2 * self.least, 0.0)
            # An exact product may still underflow.
            error = np.where((roundings == 0) & (terms > 0) & (reading.size < 2.0**-90), 2 * self.least, error)
            box = box.wider(error)
        self.check(box.size, size)
        return Held(box)

    def check(self, *arrays):
        for array in arrays:
            if not (array <= self.most).all():
                raise Unknown("a number may be too large, or is not bounded")

    # Labels

    def roots(self, register):
        """The registers whose labels fix this one's: tokens and indices if they do, itself otherwise."""
        plan = self.plan
        if register in (TOKEN, INDEX) or plan.attends(register):
            return {register}
        found = set().union(*(self.roots(own) for own in plan.inputs(register)))
        return found if found <= {TOKEN, INDEX} else {register}

    def grid(self, registers):
        """Every combination of possible labels: {register: label numbers, one for each combination}."""
        registers = sorted(registers)
        own = [np.nonzero(self.possible.get(r, np.ones(len(self.plan.labels[r]), dtype=bool)))[0] for r in registers]
        if np.prod([float(len(k)) for k in own]) > MOST_COMBINATIONS:
            raise Unknown("too many combinations of labels")
        made = np.meshgrid(*own, indexing="ij") if own else []
        return {r: k.ravel() for r, k in zip(registers, made, strict=True)} or {None: np.zeros(1, dtype=np.int64)}

    def labels(self, register, grid):
        """The label numbers of a register for each combination, None if they do not follow."""
        plan = self.plan
        if register in grid:
            return grid[register]
        if register in (TOKEN, INDEX) or plan.attends(register):
            return None
        known = {own: self.labels(own, grid) for own in plan.inputs(register)}
        if any(own is None for own in known.values()):
            return None
        step = plan.steps[register]
        if step["kind"] == "map":
            place = 0
            for own in step["of"]:
                place = place * len(plan.labels[own]) + known[own]
            number = {label: k for k, label in enumerate(plan.labels[register])}
            return np.array([number[label] for label in step["table"]])[place]
        _, total = self.sums(step["sum"], known)
        return self.compared(register, np.sign(total))

    def compared(self, register, sign):
        step = self.plan.steps[register]
        if step["kind"] == "sign":
            return sign.astype(np.int64) + 1
        return (sign > 0 if step["strict"] else sign >= 0).astype(np.int64)

    def sums(self, total, known):
        """(D, D times the sum) for each combination, in whole numbers."""
        numbers = {own: self.plan.coded(own, int)[known[own]] for own, _ in total[1:]}
        size = max((len(own) for own in numbers.values()), default=1)
        below, made = meaning.whole_sum(total, numbers)
        made = np.broadcast_to(np.asarray(made, dtype=object), (size,))
        if max(abs(made.max()), abs(made.min())) >= 2**62:
            raise Unknown("sums too large")
        return below, made.astype(np.int64)

    # Reading the stream

    def read(self, maps, grid, apart=()):
        """A Reading of maps @ stream for each combination; for registers of `apart` the slopes are given, not hulled."""
        count, rows = len(next(iter(grid.values()))), len(maps)
        box = Box(np.zeros((count, rows)))
        size, terms, rough = np.zeros((count, rows)), np.zeros((count, rows)), np.zeros((count, rows))
        uneven = (maps != 0) & ~powers_of_two(maps)
        slopes = {}
        for source, table in self.tables.items():
            given = product(table, maps.T)
            own = (
                above_product(np.abs(table), np.abs(maps).T),
                (table != 0).astype(float) @ (maps != 0).T.astype(float),
                ((table != 0) & ~powers_of_two(table)).astype(float) @ uneven.T.astype(float),
            )
            known = self.labels(source, grid)
            if known is None:
                given, own = given.hull(), [array.max(axis=0) for array in own]
                known = ...
            box = box + given[known]
            size, terms, rough = up(size + own[0][known]), terms + own[1][known], rough + own[2][known]
        for part in self.parts:
            turned = product(maps, part.matrix)
            reach = part.boxes.only(part.possible[:, None]).hull().size if part.slope is None else self.reach(part)
            touched = (np.abs(part.matrix) * (reach > 0)).any(axis=1)
            terms, rough = terms + (maps[:, touched] != 0).sum(axis=1), rough + uneven[:, touched].sum(axis=1)
            turned_t = Box(turned.lo.T, turned.hi.T)
            given = box_product(part.boxes, turned_t)
            absolute = above_product(np.abs(maps), np.abs(part.matrix)).T
            if part.slope is not None:
                sloped = box_product(part.slope, turned_t)
                size = up(size + above_product(reach, absolute))
                if part.register in apart:
                    before = slopes.get(part.register, Box(np.zeros(rows)))
                    slopes[part.register] = before + sloped[0]
                else:
                    given = given + sloped * self.span(part.register)
                box = box + given[0]
                continue
            known = self.labels(part.register, grid) if part.register is not None else None
            sizes = above_product(part.boxes.size, absolute)
            if known is None:
                given = given.only(part.possible[:, None]).hull()
                sizes = np.where(part.possible[:, None], sizes, 0.0).max(axis=0)
                known = ...
            box, size = box + given[known], up(size + sizes[known])
        strays = above_product(np.abs(maps), self.stray)
        return Reading(box.wider(strays), up(size + strays), terms, rough, slopes)

    def read_bos(self, maps):
        rows = len(maps)
        box, size, terms, rough = (
            Box(np.zeros((1, rows))),
            np.zeros((1, rows)),
            np.zeros((1, rows)),
            np.zeros((1, rows)),
        )
        uneven = (maps != 0) & ~powers_of_two(maps)
        for row in self.bos_tables:
            box = box + product(row[None], maps.T)
            size = up(size + above_product(np.abs(row[None]), np.abs(maps).T))
            terms = terms + ((row != 0) & (maps != 0)).sum(axis=1)
            rough = rough + ((row != 0) & ~powers_of_two(row) & uneven).sum(axis=1)
        for part in self.parts:
            turned = product(maps, part.matrix)
            box = box + box_product(part.bos, Box(turned.lo.T, turned.hi.T))
            size = up(size + above_product(part.bos.size, above_product(np.abs(maps), np.abs(part.matrix)).T))
            touched = (np.abs(part.matrix) * (part.bos.size[0] > 0)).any(axis=1)
            terms, rough = terms + (maps[:, touched] != 0).sum(axis=1), rough + uneven[:, touched].sum(axis=1)
        strays = above_product(np.abs(maps), self.bos_stray)
        return Reading(box.wider(strays), up(size + strays), terms, rough, {})

    def span(self, register):
        """The values of a register of numbers, as a box."""
        low, high = self.plan.ends[register]
        return Box(down(float(low)), up(float(high)))

    def reach(self, part):
        return (part.boxes + part.slope * self.span(part.register)).size[0]

    def columns(self, *, bos=False):
        """(bounds on the size of each column, whether it may differ from 0)."""
        if bos:
            size = np.abs(self.bos_tables[0]) + np.abs(self.bos_tables[1])
            live, stray = size > 0, self.bos_stray
        else:
            size = sum(np.abs(table).max(axis=0) for table in self.tables.values())
            live, stray = size > 0, self.stray
        for part in self.parts:
            if bos:
                reach = part.bos.size[0]
            elif part.slope is not None:
                reach = self.reach(part)
            else:
                reach = part.boxes.only(part.possible[:, None]).hull().size
            size = up(size + above_product(np.abs(part.matrix), reach))
            live = live | (np.abs(part.matrix) * (reach > 0)).any(axis=1)
        return up(size * (1 + 2.0**-50) + stray), live

    def add(self, made, sums):
        """Add the parts; `sums` gives for each: (terms and sizes of the products by column, for positions; the same for BOS).

        Sums and residual together are a tree with so many leaves: each leaf meets at most as many roundings as there are leaves.
        """
        for bos in (False, True):
            size, live = self.columns(bos=bos)
            terms, rough = live.astype(float), np.zeros(self.width)
            for own in sums:
                own_terms, own_rough, own_size, extra = own[bos]
                terms, rough, size = terms + own_terms, rough + own_rough, up(size + own_size)
                if bos:
                    self.bos_stray = up(self.bos_stray + extra) * (1 + 2.0**-50)
                else:
                    self.stray = up(self.stray + extra) * (1 + 2.0**-50)
            exact = (terms - live <= 0) | ((terms == 1) & (rough == 0))
            error = np.where(exact, 0.0, up(self.gamma(terms) * size) + 2 * (terms + 1) * self.least) if self.u else 0.0
            if self.u:  # a single exact product may underflow
                error = np.where(exact & (terms - live > 0), 2 * self.least, error)
            if bos:
                self.bos_stray = np.where(self.bos_stray + error > 0, up(self.bos_stray + error), 0.0)
            else:
                self.stray = np.where(self.stray + error > 0, up(self.stray + error), 0.0)
            self.check(size)
        self.parts += made

    # The walk

    def error(self):
        number = 0
        while (own := meaning.block(self.arrays, number)) is not None:
            self.heads(own, [part for part in self.layout if part["block"] == number and "head" in part])
            if "inner" in own:
                self.units(own, [part for part in self.layout if part["block"] == number and "units" in part])
            number += 1
        return self.final()

    def heads(self, own, places):
        count = len(own["query"])
        served = {}
        for place in places:
            if place["register"] in self.needed:
                served.setdefault(place["head"], place["register"])
        made, sums = [], []
        for h in range(count):
            if not own["output"][h].any():
                continue
            part = Head(self, own, h).written(served.get(h))
            made.append(part)
            sums.append((self.terms_of(part), self.terms_of(part, bos=True)))
        self.add(made, sums)
        for part in made:
            if part.register is not None and part.slope is None and self.plan.attends(part.register):
                self.possible[part.register] = part.possible & self.possible.get(part.register, True)

    def terms_of(self, part, *, bos=False):
        if bos:
            reach = part.bos.size[0]
        elif part.slope is not None:
            reach = self.reach(part)
        else:
            reach = part.boxes.only(part.possible[:, None]).hull().size
        live = (part.matrix != 0) & (reach > 0)
        rough = (live & ~powers_of_two(part.matrix)).sum(axis=1)
        return live.sum(axis=1), rough, above_product(np.abs(part.matrix), reach), np.zeros(self.width)

    def units(self, own, places):
        count = len(own["inner"])
        serves = np.full(count, -1)
        for number, place in enumerate(places):
            first, last = place["units"]
            own_units = np.arange(max(first, 0), min(last, count))
            serves[own_units[serves[own_units] < 0]] = number
        made, sums = [], []
        for number in range(-1, len(places)):
            chosen = np.nonzero((serves == number) & own["outer"].any(axis=0))[0]
            if len(chosen):
                place = places[number] if number >= 0 else None
                part, spent = Units(self, own, chosen, place).written()
                made.append(part)
                sums.append(spent)
        bias = own.get("outer_bias")
        if bias is not None and bias.any():
            part = Part(None, bias[:, None], Box(np.ones((1, 1))), Box(np.ones((1, 1))))
            made.append(part)
            spent = ((bias != 0).astype(float), np.zeros(self.width), np.abs(bias), np.zeros(self.width))
            sums.append((spent, spent))
        self.add(made, sums)

    def final(self):
        maps, bias = self.arrays["unembedding"], self.arrays.get("unembedding_bias")
        known = meaning.codes(self.plan, self.output, self.arrays)
        if known is None:
            if len(maps) != 1:
                raise Unknown("the unembedding of a mean must have one row")
            reading = self.read(maps, self.grid(()), apart=(self.output,))
            slope = reading.slopes.get(self.output, Box(np.zeros(1))) - Box(np.ones(1))
            held = self.machine(reading, bias).box + slope * self.span(self.output)
            return bounded(held.size.max())
        grid = self.grid(self.roots(self.output))
        labels = self.labels(self.output, grid)
        held = self.machine(self.read(maps, grid), bias).box
        if known.shape != (len(self.plan.labels[self.output]), len(maps)):
            raise Unknown("codes of the wrong shape")
        error = bounded((held - Box(known[labels])).size.max())
        order = [[Fraction(x) for x in row] for row in known.tolist()]
        if not 2 * error < apart(known, order):
            raise Unknown("codes too close together")
        return error


def bounded(number):
    if not np.isfinite(number):
        raise Unknown("no bound")
    return Fraction(float(number))


def apart(known, exact):
    """The least distance of two codes in the largest entry, as a Fraction (below it, where there are several columns)."""
    if len(known) < 2:
        return Fraction(10**9)
    if known.shape[1] == 1:
        column = sorted(row[0] for row in exact)
        return min(b - a for a, b in pairwise(column))
    least = np.inf
    for k in range(1, len(known)):
        least = min(least, float(np.abs(known[k:] - known[:-k]).max(axis=1).min()))
    return Fraction(down(least))


def powers_of_two(array):
    return np.frexp(np.abs(array))[0] == 0.5


class Head:
    """One head of a block: how it reads the stream, and what it writes for each label of the register it serves."""

    def __init__(self, walk, own, h):
        self.walk, self.plan = walk, walk.plan
        self.maps = {name: own[name][h] for name in ("query", "key", "value", "output")}
        self.bias = {
            name: own[f"{name}_bias"][h] if f"{name}_bias" in own else None for name in ("query", "key", "value")
        }
        self.most_keys = self.plan.length + 1
        self.bos = {name: self.machine(name, walk.read_bos(self.maps[name])) for name in ("query", "key", "value")}
        every = walk.grid(())
        self.any = {name: self.machine(name, walk.read(self.maps[name], every)) for name in ("query", "key", "value")}

    def machine(self, name, reading):
        return self.walk.machine(reading, self.bias[name])

    def read(self, name, registers, apart=()):
        grid = self.walk.grid(registers)
        return grid, self.walk.read(self.maps[name], grid, apart)

    def written(self, register):
        bos = self.bos_output()
        matrix = self.maps["output"]
        step = None if register is None else self.plan.steps[register]
        if step is None or step["kind"] not in meaning.ATTENDING:
            return Part(None, matrix, self.rounded(self.everything())[None], bos)
        made = getattr(self, f"_{step['kind']}")(step)
        boxes, slope, possible = made
        if slope is None and not possible.any():
            raise Unknown("no label is possible")
        self.walk.check(boxes.only(possible[:, None]).hull().size if slope is None else boxes.size)
        return Part(register, matrix, boxes, bos, slope, possible)

    def everything(self):
        """The hull of all values, BOS included."""
        return self.any["value"].box[0].joined(self.bos["value"].box[0])

    # Scores

    def scores(self, queries, keys, centre):
        """(lo, hi) of each machine score, less the exact product of its query with the centre: (queries, keys)."""
        q, k = queries.box, keys.box
        qm, qr, km, kr = q.middle, q.radius, k.middle, k.radius
        if len(qm) * len(km) > MOST_SCORES:
            raise Unknown("too many scores")
        made = qm @ km.T - (qm * centre).sum(axis=1)[:, None]
        sizes = np.abs(qm) @ np.abs(km).T + (np.abs(qm) * np.abs(centre)).sum(axis=1)[:, None]
        error = slack(2 * qm.shape[1] + 4) * sizes + TINY
        for r in np.nonzero(qr.any(axis=0))[0]:
            error += up(qr[:, r, None] * up(np.abs(km[None, :, r] - centre[:, r, None])) * (1 + 2.0**-50))
        error = up(error * (1 + slack(qm.shape[1])))
        if kr.any():
            error += above_product(up(np.abs(qm) + qr), kr.T) * (1 + 2.0**-50)
        walk = self.walk
        size = above_product(q.size, k.size.T)
        walk.check(size)
        if walk.u:
            terms = queries.live.astype(float) @ keys.live.T.astype(float)
            even = (queries.live & queries.even).astype(float) @ keys.live.T.astype(float)
            even += queries.live.astype(float) @ (keys.live & keys.even).T.astype(float)
            exact = (terms == 0) | ((terms == 1) & (even > 0))
            error += np.where(
                exact, np.where(terms > 0, walk.least * 2, 0.0), walk.gamma(terms) * size + 2 * (terms + 1) * walk.least
            )
        error = up(error * (1 + 2.0**-50))
        return down(made - error), up(made + error)

    def softened(self, low, high, top):
        """Ends of the scores after the rounding of their difference from the largest, which is at most `top`."""
        u = float(self.walk.u)
        if not u:
            return low, high
        low, high = (
            down(low - up(u * up(top - low)) * (1 + 2.0**-50)),
            up(high + up(u * up(np.maximum(top - high, 0.0))) * (1 + 2.0**-50)),
        )
        return low, high

    def bos_output(self):
        """What BOS itself gets: its own value, and in full attention any others."""
        own = self.bos["value"].box[0]
        if self.plan.causal:
            return self.rounded(own, keys=1)[None]
        centre = self.bos["key"].box.middle
        low, high = self.scores(self.bos["query"], self.any["key"], centre)
        low_b, high_b = self.scores(self.bos["query"], self.bos["key"], centre)
        top = np.maximum(high, high_b)
        (low, high), (low_b, high_b) = self.softened(low, high, top), self.softened(low_b, high_b, top)
        mass = Box(exponential(down(low - high_b))[0][0], up(self.plan.length * exponential(up(high - low_b))[1][0]))
        return self.rounded(blended(own, (mass, self.any["value"].box[0])))[None]

    def rounded(self, box, size=None, keys=None):
        """The box of a weighted sum of values, widened by what softmax and sum round; `size` bounds Σ w|v|."""
        walk = self.walk
        if not walk.u:
            return box
        keys = self.most_keys if keys is None else keys
        reach = self.everything().size
        size = np.minimum(reach, reach if size is None else size)
        others, first = self.any["value"].live[0], self.bos["value"].live[0]
        alone = first & ~others
        terms = np.where(alone, 1, keys - 1 + first) * 1.0
        rest = np.where(alone & self.bos["value"].even[0], 0.0, walk.gamma(terms))
        u = float(walk.u)
        before = (1 + 8 * u) / (1 - 8 * u) * (1 + u) / (1 - walk.gamma(keys - 1.0))
        share = before * (1 + rest) * (1 + 2.0**-48) - 1
        underflow = 16 * keys * walk.normal * (1 + reach)
        return box.wider(np.where(reach > 0, up(share * size) * (1 + 2.0**-50) + underflow, 0.0))

    # Selected keys

    def selection(self, step, *, indexed=False):
        """Classes of queries and of keys that selection can tell apart, who selects whom, and the ends of all scores."""
        walk, plan = self.walk, self.plan
        atoms = step["select"]
        asked, keyed = set(), {INDEX} if indexed else set()
        for atom in atoms:
            asked |= set().union(*(walk.roots(atom[name]) for name in ("mine",) if name in atom))
            asked |= set().union(*(walk.roots(own) for own, _ in atom.get("index", [0])[1:]))
            asked |= {INDEX} if atom["kind"] == "before" else set()
            keyed |= walk.roots(atom["key"]) if "key" in atom else {INDEX}
        own_index = INDEX in asked and (
            any(atom["kind"] == "before" for atom in atoms) or (plan.causal and INDEX in keyed)
        )
        q_grid, q_read = self.read("query", asked)
        k_grid, k_read = self.read("key", keyed)
        code = {}
        q_signs, k_signs, tests = [], [], []
        sure = np.full(len(q_read.size), all(atom["kind"] in ("at", "before") for atom in atoms))
        for atom in atoms:
            kind = atom["kind"]
            if kind == "at":
                known = {own: walk.labels(own, q_grid) for own, _ in atom["index"][1:]}
                below, total = walk.sums(atom["index"], known)
                whole = np.where(total % below == 0, total // below, -1)
                q_signs.append(np.broadcast_to(whole, len(sure)))
                # A key that is not after me exists; without my index, the one at index 0 does.
                sure &= (whole >= 0) & (whole <= q_grid.get(INDEX, 0))
                k_signs.append(k_grid[INDEX])
                tests.append(lambda k, q: k == q)
            elif kind == "before":
                q_signs.append(q_grid[INDEX])
                k_signs.append(k_grid[INDEX])
                tests.append(lambda k, q: k <= q)
            elif kind == "among":
                chosen = plan.coded(atom["key"], lambda label, atom=atom: int(label in atom["chosen"]))
                k_signs.append(chosen[walk.labels(atom["key"], k_grid)])
                q_signs.append(np.ones(len(sure), dtype=np.int64))
                tests.append(lambda k, q: k == q)
            else:
                number = plan.rank if kind == "below" else lambda label: code.setdefault(label, len(code))
                k_signs.append(plan.coded(atom["key"], number)[walk.labels(atom["key"], k_grid)])
                q_signs.append(plan.coded(atom["mine"], number)[walk.labels(atom["mine"], q_grid)])
                tests.append((lambda k, q: k < q) if kind == "below" else (lambda k, q: k == q))
        q_signs.append(sure)
        if own_index:
            q_signs.append(q_grid[INDEX])
        if INDEX in keyed:
            k_signs.append(k_grid[INDEX])
        q_classes, queries = self.classes("query", q_signs, q_read)
        k_classes, keys = self.classes("key", k_signs, k_read)
        chosen = np.ones((len(q_classes), len(k_classes)), dtype=bool)
        for number, test in enumerate(tests):
            chosen &= test(k_classes[None, :, number], q_classes[:, None, number])
        found = Selection()
        found.index = k_classes[:, -1] if INDEX in keyed else None
        found.own = q_classes[:, -1] if own_index else None
        found.sure = q_classes[:, -2 if own_index else -1].astype(bool)  # these are sure to select a key
        found.present = np.ones_like(chosen)
        if plan.causal and own_index and found.index is not None:
            found.present = found.index[None, :] <= found.own[:, None]
        found.chosen = chosen & found.present
        found.only_index = keyed == {INDEX}
        found.itself = meaning.selects_itself(atoms)
        found.sure |= found.itself
        found.at = any(atom["kind"] == "at" for atom in atoms)
        counts = found.chosen.sum(axis=1)[:, None]
        centre = np.where(
            counts > 0, found.chosen.astype(float) @ keys.box.middle / np.maximum(counts, 1), self.bos["key"].box.middle
        )
        low, high = self.scores(queries, keys, centre)
        low_b, high_b = self.scores(queries, self.bos["key"], centre)
        top = np.maximum(np.where(found.present, high, -np.inf).max(axis=1, initial=-np.inf)[:, None], high_b)
        found.low, found.high = self.softened(low, high, top)
        low_b, high_b = self.softened(low_b, high_b, top)
        found.low_b, found.high_b = low_b[:, 0], high_b[:, 0]
        for array in (found.low, found.high, low_b, high_b):
            if not np.isfinite(array).all():
                raise Unknown("scores are not bounded")
        return found

    def classes(self, name, signs, reading):
        """The different signatures, and what is held for each."""
        count = len(reading.size)
        table = (
            np.stack([np.asarray(own, dtype=np.int64) for own in signs], axis=1)
            if signs
            else np.zeros((count, 1), dtype=np.int64)
        )
        found, groups = np.unique(table, axis=0, return_inverse=True)
        return found, self.machine(name, reading.grouped(groups.ravel(), len(found)))

    def values(self, register):
        """(boxes for each label, slope or None) of the values of a register; impossible labels get the hull."""
        walk = self.walk
        if self.plan.labels[register] is None:
            _, reading = self.read("value", (), apart=(register,))
            held = self.machine("value", reading).box
            rows = held.lo.shape[1]
            return held, reading.slopes.get(register, Box(np.zeros(rows)))[None]
        grid, reading = self.read("value", walk.roots(register))
        held = self.machine("value", reading).box
        return by_label(held, walk.labels(register, grid), len(self.plan.labels[register]))[0], None

    def _count(self, step):
        found, plan = self.selection(step), self.plan
        n = plan.length
        low, high = found.ends()
        labels = np.arange(1 if found.itself else 0, n + 1)
        size = len(labels)
        possible = labels <= 1 if found.at else np.ones(size, dtype=bool)
        own, value = self.bos["value"].box[0], self.any["value"].box[0]
        made, reached = None, np.zeros(size, dtype=bool)
        for a in range(len(low)):
            some = found.chosen[a].any()
            here = possible if some else possible & (labels == 0)
            if not here.any():
                continue
            reached |= here
            inside = Box(np.zeros(size))
            if some:
                inside = Box(
                    down(labels * exponential(down(low[a] - found.high_b[a]))[0]),
                    up(labels * exponential(up(high[a] - found.low_b[a]))[1]),
                )
                inside = Box(np.maximum(inside.lo, 0.0), np.where(labels == 0, 0.0, inside.hi))
            masses = exponential(up(found.high[a] - found.low_b[a]))[1]
            outside = Box(np.zeros(size), found.crowd(masses[None], a, n - labels))
            parts = [(inside[:, None], value), (outside[:, None], value)]
            sizes = [(mass, Box(value.size)) for mass, _ in parts]
            box = self.rounded(blended(own, *parts), blended(Box(own.size), *sizes).hi).only(here[:, None])
            made = box if made is None else made.joined(box)
        if made is None:
            raise Unknown("no count is possible")
        if not (np.isfinite(made.lo[reached]).all() and np.isfinite(made.hi[reached]).all()):
            raise Unknown("a count is not bounded")
        return filled(made, reached), None, reached

    def _length(self, step):
        n = self.plan.length
        keys = self.machine("key", self.read("key", {INDEX})[1])
        values = self.machine("value", self.read("value", {INDEX})[1]).box
        queries, centre = self.any["query"], keys.box.middle.mean(axis=0)[None]
        low, high = self.scores(queries, keys, centre)
        low_b, high_b = self.scores(queries, self.bos["key"], centre)
        top = np.maximum(high.max(), high_b)
        low, high = self.softened(low, high, top)
        low_b, high_b = self.softened(low_b, high_b, top)
        low, high = np.minimum.accumulate(low[0]), np.maximum.accumulate(high[0])
        counts = np.arange(1, n + 1)
        spread = np.minimum(up(up(high - low) / 4), 1.0)[:, None]
        error = slack(n + 2) * np.cumsum(values.size, axis=0) / counts[:, None]
        means = Box(
            np.cumsum(values.lo, axis=0) / counts[:, None], np.cumsum(values.hi, axis=0) / counts[:, None]
        ).wider(up(error))
        reach = up(np.maximum.accumulate(values.hi) - np.minimum.accumulate(values.lo))
        means = means.wider(up(spread * reach))
        mass = Box(
            np.maximum(down(exponential(down(low_b[0] - high))[0] / counts), 0.0),
            up(exponential(up(high_b[0] - low))[1] / counts),
        )
        own = self.bos["value"].box[0]
        made = self.rounded(blended(means, (mass[:, None], own)))
        if not (np.isfinite(made.lo).all() and np.isfinite(made.hi).all()):
            raise Unknown("the length is not bounded")
        return made, None, np.ones(n, dtype=bool)

    def _mean(self, step):
        found, plan = self.selection(step), self.plan
        register = step["of"][0]
        rows = found.chosen.any(axis=1)
        if not rows.any():
            raise Unknown("no key is ever selected")
        low, high = found.ends()
        at_least = np.ones(len(low))
        if found.own is not None and found.only_index:
            at_least = np.maximum((found.chosen & (found.index[None, :] <= found.own[:, None])).sum(axis=1), 1.0)
        boxes, slope = self.values(register)
        every = self.any["value"].box[0]
        if slope is None:
            numbers = plan.coded(register, int)
            own = self.walk.possible.get(register, np.ones(len(numbers), dtype=bool))
            first, last = np.argmin(np.where(own, numbers, np.inf)), np.argmax(np.where(own, numbers, -np.inf))
            steep = np.zeros(boxes.lo.shape[1])
            if numbers[last] > numbers[first]:
                steep = (boxes.middle[last] - boxes.middle[first]) / (numbers[last] - numbers[first])
            slope = Box(steep[None])
            every = boxes.only(own[:, None]).hull()
            offset = (boxes - slope * Box(numbers[:, None].astype(float))).only(own[:, None]).hull()[None]
        else:
            offset = boxes
        spread = np.minimum(up(up(high - low) / 4), 1.0)[rows]
        offset = offset.wider(up(spread.max() * up(every.hi - every.lo)))
        outside, bos = found.leaks(low, at_least, plan.length - 1)
        own, other = self.bos["value"].box[0], self.any["value"].box[0]
        zero = Box(np.zeros((1, offset.lo.shape[1])))
        moved = blended(zero, (upto(outside)[rows][:, None], other - every), (upto(bos)[rows][:, None], own - every))
        made = self.rounded(Box(offset.lo, offset.hi) + moved.hull()[None], keys=None)
        if not (np.isfinite(made.lo).all() and np.isfinite(made.hi).all()):
            raise Unknown("the mean is not bounded")
        return made, slope, np.ones(1, dtype=bool)

    def _pick(self, step):
        found = self.selection(step)
        rows = found.chosen.any(axis=1)
        low, _ = found.ends()
        outside, bos = found.leaks(low, 1.0, self.plan.length - 1)
        return self.taken(step, found, outside[rows], bos[rows])

    def _last(self, step):
        found, n = self.selection(step, indexed=True), self.plan.length
        if len(found.low) * n * n > MOST_ACTIVE:
            raise Unknown("too many keys and queries")
        every, others = found.tops(found.present), found.tops(found.present & ~found.chosen)
        least = found.tops(found.chosen, lowest=True)
        outside, bos = [], []
        for j in range(n):
            rows = np.isfinite(least[:, j])
            target = least[rows, j][:, None]
            leak = exponential(up(every[rows, :j] - target))[1].sum(axis=1)
            leak = (leak + exponential(up(others[rows, j + 1 :] - target))[1].sum(axis=1)) * (1 + slack(n + 1))
            outside.append(leak)
            bos.append(exponential(up(found.high_b[rows] - target[:, 0]))[1])
        return self.taken(step, found, np.concatenate(outside), np.concatenate(bos))

    def taken(self, step, found, outside, bos):
        """What a pick gives for each value, if others weigh at most `outside` and BOS at most `bos` times the selected key."""
        plan, register, default = self.plan, step["of"][0], step.get("default")
        boxes, slope = self.values(register)
        own, other = self.bos["value"].box[0], self.any["value"].box[0]
        pairs = np.unique(np.stack([outside, bos], axis=1), axis=0)
        outside, bos = (upto(pairs[:, k])[:, None] for k in (0, 1))
        if slope is not None:
            if not len(pairs):
                raise Unknown("no key is ever selected")
            every = (boxes + slope * self.walk.span(register))[0]
            moved = blended(Box(np.zeros((1, len(every.lo)))), (outside, other - every), (bos, own - every))
            made = self.rounded(boxes + moved.hull()[None])
            return made, slope, np.ones(1, dtype=bool)
        numbers = plan.labels[register]
        possible = self.walk.possible.get(register, np.ones(len(numbers), dtype=bool))
        labels = numbers if default is None or default in numbers else [*numbers, default]
        rows = boxes.lo.shape[1]
        made = Box(np.full((len(labels), rows), np.inf), np.full((len(labels), rows), -np.inf))
        if len(pairs):
            for k in np.nonzero(possible)[0]:
                box = self.rounded(blended(boxes[k][None], (outside, other), (bos, own))).hull()
                made.lo[k], made.hi[k] = box.lo, box.hi
        if default is not None and not found.sure.all():
            k = labels.index(default)
            masses = exponential(up(found.high - found.low_b[:, None]))[1]
            crowd = [found.crowd(masses[a][None], a, self.plan.length)[0] for a in np.nonzero(~found.sure)[0]]
            crowd = np.array(crowd)
            box = self.rounded(blended(own[None], (upto(crowd)[:, None], other))).hull()
            made = Box(made.lo.copy(), made.hi.copy())
            made.lo[k], made.hi[k] = np.minimum(made.lo[k], box.lo), np.maximum(made.hi[k], box.hi)
        reached = (made.lo <= made.hi).all(axis=1)
        wanted = np.zeros(len(labels), dtype=bool)
        wanted[: len(numbers)] = possible & bool(len(pairs))
        if default is not None and not found.sure.all():
            wanted[labels.index(default)] = True
        if (
            (wanted & ~reached).any()
            or not np.isfinite(made.lo[reached]).all()
            or not np.isfinite(made.hi[reached]).all()
        ):
            raise Unknown("a picked value is not bounded")
        return filled(made, reached), None, reached


def upto(most):
    """From 0 to `most`."""
    return Box(np.zeros_like(most), most)


def by_label(box, labels, count):
    """The hull of the rows of each label, and which labels occur; others get the hull of all."""
    low, high = np.full((count, box.lo.shape[1]), np.inf), np.full((count, box.lo.shape[1]), -np.inf)
    np.minimum.at(low, labels, box.lo)
    np.maximum.at(high, labels, box.hi)
    occurs = np.zeros(count, dtype=bool)
    occurs[labels] = True
    return filled(Box(low, high), occurs), occurs


def filled(box, occurs):
    """The box with the hull of all in rows that do not occur."""
    every = box.only(occurs[:, None]).hull()
    return Box(np.where(occurs[:, None], box.lo, every.lo), np.where(occurs[:, None], box.hi, every.hi))


class Selection:
    """Classes of queries against classes of keys; `index` is the index of each class of keys where classes tell it."""

    def ends(self):
        """The least and largest score of a selected key, for each class of queries."""
        low = np.where(self.chosen, self.low, np.inf).min(axis=1, initial=np.inf)
        return low, np.where(self.chosen, self.high, -np.inf).max(axis=1, initial=-np.inf)

    def tops(self, where, *, lowest=False):
        """The largest (of the upper ends) or least (of the lower ends) score at each index, among the classes of `where`."""
        count = int(self.index.max()) + 1
        made = np.full((count, len(self.low)), np.inf if lowest else -np.inf)
        if lowest:
            np.minimum.at(made, self.index, np.where(where, self.low, np.inf).T)
        else:
            np.maximum.at(made, self.index, np.where(where, self.high, -np.inf).T)
        return made.T

    def crowd(self, masses, a, most):
        """A bound on the mass of `most` keys that query class a does not select, given the mass of each class of keys."""
        others = np.where(self.present[a] & ~self.chosen[a], masses, 0.0)
        total = up(most * others.max(axis=1)) * (1 + 2.0**-50)
        if self.index is not None:
            each = np.zeros((int(self.index.max()) + 1, len(others)))
            np.maximum.at(each, self.index, others.T)
            total = np.minimum(total, each.sum(axis=0) * (1 + slack(len(each))))
        return np.atleast_1d(np.where(np.asarray(most) > 0, total, 0.0))

    def leaks(self, low, at_least, most):
        """Upper bounds on the masses of unselected keys and of BOS, over that of the selected ones, for each class of queries."""
        low = np.where(np.isfinite(low), low, self.low_b)
        masses = exponential(up(self.high - low[:, None]))[1]
        outside = np.array([self.crowd(masses[a][None], a, most)[0] for a in range(len(low))])
        bos = exponential(up(self.high_b - low))[1]
        return up(outside / at_least), up(bos / at_least)


class Units:
    """Hidden units that serve one register (or none): what they write for each of its labels."""

    def __init__(self, walk, own, chosen, place):
        self.walk, self.plan = walk, walk.plan
        served = None if place is None else place["register"]
        self.register = served if served in walk.needed else None
        self.inner, self.outer = own["inner"][chosen], own["outer"][:, chosen]
        self.bias = own["inner_bias"][chosen] if "inner_bias" in own else np.zeros(len(chosen))
        self.directions, self.maps = self.split(place)
        grouped = {}
        self.scale, self.group = np.ones(len(chosen)), np.zeros(len(chosen), dtype=np.int64)
        for k, row in enumerate(self.inner):
            first = row[np.nonzero(row)[0][:1]]
            if len(first):  # rows that differ by a power of two or a sign see the same number
                self.scale[k] = np.sign(first[0]) * 2.0 ** np.frexp(abs(first[0]))[1]
            plain = row / self.scale[k]
            if not np.array_equal(plain * self.scale[k], row):
                raise Unknown("weights too small")
            self.group[k] = grouped.setdefault((plain + 0.0).tobytes(), len(grouped))
        self.rows = np.stack([np.frombuffer(own) for own in grouped])

    def split(self, place):
        """Directions G and maps C with outer = G C up to `rest`; any choice is right, a good one is tight."""
        columns = np.nonzero(self.outer.any(axis=1))[0]
        directions = np.eye(self.walk.width)[:, columns]
        maps = self.outer[columns]
        basis = self.walk.arrays.get("basis")
        if basis is not None and place is not None and place["columns"] and max(place["columns"]) < basis.shape[1]:
            directions = basis[:, place["columns"]]
            maps = np.linalg.lstsq(directions, self.outer, rcond=None)[0]
        self.rest = (
            (product(directions, maps) - Box(self.outer)).size if basis is not None else np.zeros_like(self.outer)
        )
        return directions, maps

    def written(self):
        boxes, labels, spent = self.evaluated(*self.cases())
        count = 1 if self.register is None else len(self.plan.labels[self.register])
        boxes, occurs = by_label(boxes, labels, count)
        if self.register is not None and not self.plan.attends(self.register) and self.register >= 2:
            self.walk.possible[self.register] = occurs & self.walk.possible.get(self.register, True)
        bos, _, bos_spent = self.evaluated(*self.seen(self.walk.read_bos(self.rows)), np.zeros(1, dtype=np.int64))
        return Part(self.register, self.directions, boxes, bos, None, occurs), (spent, bos_spent)

    def seen(self, reading):
        return reading.box, reading.size, reading.terms, reading.rough

    def cases(self):
        """(boxes of each row for each case, sizes, terms, rough, the label of each case)."""
        walk, plan, register = self.walk, self.plan, self.register
        if register is not None and plan.labels[register] is None:
            self.register = register = None  # a mean that units touch: only the hull is known
        if register is None:
            return *self.seen(walk.read(self.rows, walk.grid(()))), np.zeros(1, dtype=np.int64)
        if register < 2 or plan.attends(register):
            grid = walk.grid({register})
            return *self.seen(walk.read(self.rows, grid)), grid[register]
        given = plan.inputs(register)
        loose = [own for own in given if plan.labels[own] is None]
        if loose:
            return self.branches(given, loose)
        grid = walk.grid(set().union(*(walk.roots(own) for own in given)))
        return *self.seen(walk.read(self.rows, grid)), walk.labels(register, grid)

    def branches(self, given, loose):
        """Cases of a comparison with means: the sum is negative, zero or positive, and not nearer to zero than its gap."""
        walk, plan, register = self.walk, self.plan, self.register
        total = plan.steps[register]["sum"]
        gap = plan.gap(total)
        if gap is None:
            raise Unknown("sums of means may be arbitrarily small")
        factors = {own: Fraction(factor) for own, factor in total[1:]}
        fixed = [own for own in given if own not in loose]
        grid = walk.grid(set().union(*(walk.roots(own) for own in fixed)))
        count = len(next(iter(grid.values())))
        kept = [total[0], *(term for term in total[1:] if term[0] in fixed)]
        below, rest = walk.sums(kept, {own: walk.labels(own, grid) for own in fixed})
        rest = np.broadcast_to(rest, (count,))
        rest = Box(rest.astype(float)).over(Box(np.full(count, float(below)))) if below > 1 else Box(rest.astype(float))
        low = high = Fraction(0)
        for own in loose:
            ends = [factors[own] * end for end in plan.ends[own]]
            low, high = low + min(ends), high + max(ends)
        least = Fraction(float(gap)) if Fraction(float(gap)) <= gap else Fraction(down(float(gap)))
        ends = rest + Box(down(float(low)), up(float(high)))
        found = []
        for sign in (-1, 0, 1):
            first = np.full(count, float(least)) if sign > 0 else ends.lo if sign < 0 else np.zeros(count)
            last = ends.hi if sign > 0 else np.full(count, -float(least)) if sign < 0 else np.zeros(count)
            there = (first <= last) & (ends.lo <= last) & (ends.hi >= first)
            labels = walk.compared(register, np.full(count, sign))
            reading = walk.read(self.rows, {**grid, register: labels}, apart=tuple(loose))
            slopes = {own: reading.slopes.get(own, Box(np.zeros(len(self.rows)))) for own in loose}
            steep = Box(slopes[loose[0]].middle / float(factors[loose[0]]))
            box = reading.box + (Box(np.minimum(first, last), np.maximum(first, last)) - rest)[:, None] * steep
            for own in loose:
                factor = Box(down(float(factors[own])), up(float(factors[own])))
                box = box + (slopes[own] - steep * factor) * walk.span(own)
            found.append((box, reading.size, reading.terms, reading.rough, labels, there))
        there = np.concatenate([own[5] for own in found])
        box = Box(np.concatenate([own[0].lo for own in found]), np.concatenate([own[0].hi for own in found]))[there]
        size, terms, rough, labels = (np.concatenate([own[k] for own in found])[there] for k in (1, 2, 3, 4))
        return box, size, terms, rough, labels

    def evaluated(self, box, size, terms, rough, labels):
        """(boxes of the directions' factors for each case, the labels, what the sums cost by column)."""
        walk = self.walk
        cases, units = len(size), len(self.bias)
        if cases * units > MOST_ACTIVE:
            raise Unknown("too many units and cases")
        scale, bias = self.scale, self.bias
        by_unit = box[:, self.group]
        sizes = up(size[:, self.group] * np.abs(scale) + np.abs(bias))
        error = np.zeros((cases, units))
        if walk.u:
            many = terms[:, self.group]
            exact = (many == 0) | ((many == 1) & (rough[:, self.group] == 0))
            roundings = np.where(exact, 0, many) + ((bias != 0) & (many > 0))
            error = np.where(roundings > 0, up(walk.gamma(roundings) * sizes), 0.0) + np.where(
                many > 0, (many + 2) * 2 * walk.least, 0.0
            )
        pre = by_unit * Box(scale) + Box(bias)
        active = up(pre.hi + error) > 0
        most = np.where(active, up(pre.hi + error), 0.0)
        walk.check(most, sizes)
        total = Box(np.zeros((cases, len(self.maps))))
        for number in range(len(self.rows)):
            own = np.nonzero(self.group == number)[0]
            total = total + self.swept(box[:, number], own)
        total = total.wider(above_product(np.where(active, error, 0.0), np.abs(self.maps).T))
        columns = np.nonzero(self.outer.any(axis=1))[0]
        outer = self.outer[columns]
        spent = [np.zeros(walk.width) for _ in range(4)]
        spent[0][columns] = (active.astype(float) @ (outer != 0).T.astype(float)).max(axis=0)
        spent[1][columns] = (active.astype(float) @ ((outer != 0) & ~powers_of_two(outer)).T.astype(float)).max(axis=0)
        spent[2][columns] = above_product(most, np.abs(outer).T).max(axis=0)
        spent[3] = above_product(self.rest, most.max(axis=0))
        return total, labels, spent

    def swept(self, seen, own):
        """The hull of Σ_k c_k relu(scale_k y + bias_k) over y in each box: at its ends, and where a unit between them turns."""
        maps, scale, bias = self.maps[:, own], self.scale[own], self.bias[own]
        made = self.at(seen.lo, maps, scale, bias).joined(self.at(seen.hi, maps, scale, bias))
        turns = np.unique(-bias / scale)  # exact: the scale is a power of two
        first, last = np.searchsorted(turns, seen.lo, "left"), np.searchsorted(turns, seen.hi, "right")
        inside = np.nonzero(last > first)[0]
        if len(inside):
            there = self.at(turns, maps, scale, bias)
            low = np.concatenate([there.lo, np.full((1, len(maps)), np.inf)])
            high = np.concatenate([there.hi, np.full((1, len(maps)), -np.inf)])
            pairs = np.stack([first[inside], last[inside]], axis=1).ravel()
            low, high = np.minimum.reduceat(low, pairs)[::2], np.maximum.reduceat(high, pairs)[::2]
            made = Box(made.lo.copy(), made.hi.copy())
            made.lo[inside], made.hi[inside] = np.minimum(made.lo[inside], low), np.maximum(made.hi[inside], high)
        return made

    def at(self, y, maps, scale, bias):
        pre = y[:, None] * scale + bias  # the product is exact, and the sum has the right sign
        relu = np.maximum(pre, 0.0)
        return product(relu, maps.T).wider(above_product(relu * 2.0**-52, np.abs(maps).T))

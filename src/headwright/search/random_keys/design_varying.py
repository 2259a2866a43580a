"""design for keys that vary: short queries that meet the error with a requested probability, and certify so.

Starts that feel little noise (`robust_starts`), a climb on the probability itself (`probability_search`), `shortening`, all on
the law as a proof can see it (`score_nodes`), and the proof. A proof that fails by a hair raises the aim.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from headwright.kernel.verdict import Proved
from headwright.search.random_keys.model_noise import Noise, noise_of
from headwright.search.random_keys.probability_search import Trial, best_length, chance_of, climb, sure_of
from headwright.search.random_keys.query_law import QueryLaw
from headwright.search.random_keys.robust_starts import starts
from headwright.search.random_keys.score_nodes import ESCAPE, FINE, provable_law, true_law
from headwright.search.random_keys.shortening import settle, shorten
from headwright.search.random_keys.varying_request import VaryingRequest, checked_varying, refuse_impossible
from headwright.words.bounded import Bounded
from headwright.words.design import Design
from headwright.words.key_models import KeyModel
from headwright.words.progress import with_progress
from headwright.words.refusals import NotFound

_CLIMBED = 6  # starts that are climbed from
_SMALLER_BOXES = (0.3, 0.6, 0.8)  # parts of the box through which a climb grows to it
_PROVED = 2  # of the short ones found, how many are tried to be proved
_HAIRS = (1e-5, 1e-3, 1e-2, 1e-1)  # by which the search aims below the error and above the confidence
_WIDER_HAIRS = (2e-3, 1e-2, 5e-2, 2e-1)  # for several heads, whose proved bounds are not exact
_HAIRS_IN_A_BOX = (1e-2, 1e-1)  # a box is met or missed by more than rounding, and each proof is dear
_ALIKE = 0.05  # of its norm: starts no further apart climb to the same place
_AGREED = 1e-3  # searches that end within this part of one length found the same minimum
_MOST_TERMS = 12  # heads × sets of targets in a proof that is tried on mere hope: it may take long to fail


def design_varying(
    model: KeyModel, goal: Any, *, error: Any, confidence: Any, scale: Any, heads: Any, seed: int | None
) -> Design:
    """Short certified queries for keys that vary; NotFound with the best found, Unreachable only with a proof."""
    request = checked_varying(model, goal, error, confidence, scale, heads, seed)
    with np.errstate(all="ignore"):  # what overflows does not certify
        refuse_impossible(request)
        noise = noise_of(model, request.goal.indices[0])
        failed: list[tuple[Trial, Bounded]] = []
        for count in request.heads:
            result = _search(request, noise, count)
            if isinstance(result, Design):
                return result
            failed.append(result)
        raise _not_found(request, noise, failed)


def _not_found(request: VaryingRequest, noise: Noise, failed: list[tuple[Trial, Bounded]]) -> NotFound:
    best, chance = max(failed, key=lambda pair: sure_of(pair[1]))
    *few, most = map(str, request.heads)
    counted = f"{', '.join(few)} or {most}" if few else most
    short = "; no proof of that was found" if sure_of(chance) >= float(request.confidence) else ""
    return NotFound(
        f"no design with {counted} head{'' if counted == '1' else 's'} was found that meets error {request.asked} for "
        f"{request.goal} with probability {request.asked_confidence}: the best found has {chance}{short}",
        best=_made(request, noise, best),
        probability=sure_of(chance),
    )


def _search(request: VaryingRequest, noise: Noise, heads: int) -> Design | tuple[Trial, Bounded]:
    """A certified Design, or the best trial found and its probability."""
    error = float(request.error)
    begun = starts(noise, request.goal, error, heads, request.seed)
    law = _law(request, noise, begun[0])
    aim = _aim(request, law)
    scored = sorted((best_length(law, trial, error) for trial in begun), key=lambda pair: pair[0])
    climbed: list[Trial] = []
    short: list[Trial] = []
    distinct = _distinct([trial for _, trial in scored])
    for trial in with_progress(distinct, len(distinct), f"designing with {heads} head{'' if heads == 1 else 's'}"):
        climbed.append(_climbed(law, trial, error, aim))
        if law.probability(climbed[-1].Y, climbed[-1].mix, error) >= aim:
            short.append(shorten(law, climbed[-1], error, aim))
            if _agreed(short):
                break
    for trial in sorted(short, key=lambda trial: trial.norm)[:_PROVED]:
        made = _certified(request, noise, law, trial)
        if made is not None:
            return made
    return _likeliest(request, noise, law, climbed)


def _likeliest(
    request: VaryingRequest, noise: Noise, law: QueryLaw, climbed: list[Trial]
) -> Design | tuple[Trial, Bounded]:
    """The best trial and its probability, after a climb on finer nodes, or on the whole law where the proof's was boxed."""
    error, aim = float(request.error), float(request.confidence)
    best = max(climbed, key=lambda trial: law.probability(trial.Y, trial.mix, error))
    boxed = law.box
    if boxed:  # bounds lose some of the true probability: three quarters of the room are left to them
        law, aim = true_law(request.model, noise, request.goal, len(best.Y), request.seed), 0.25 * aim + 0.75
    else:
        law = provable_law(request.model, noise, request.goal, len(best.Y), 1 - aim, cells=FINE)
    climbed += [climb(law, trial, error, aim) for trial in {id(t): t for t in (best, *climbed[:2])}.values()]
    best = max(climbed, key=lambda trial: law.probability(trial.Y, trial.mix, error))
    chance = chance_of(request.model, noise, request.goal, request.error, best, seed=request.seed)
    quick = len(best.Y) * (2 ** len(request.goal.indices) - 1) <= _MOST_TERMS
    if sure_of(chance) >= aim and (
        chance.proved or (boxed and quick)
    ):  # a proof may do better than the nodes or the box
        for trial in (shorten(law, best, error, aim), best):
            made = _made(request, noise, trial)
            if isinstance(made.verdict, Proved):
                return made
    return best, chance


def _climbed(law: QueryLaw, trial: Trial, error: float, aim: float) -> Trial:
    """A climb; in a box, whose slope is nothing far from where it is met, through boxes that grow to it."""
    for part in _SMALLER_BOXES if law.box else ():
        trial = climb(replace(law, c=part * law.c), trial, error, aim)
    return climb(law, trial, error, aim)


def _distinct(trials: list[Trial]) -> list[Trial]:
    """The most promising starts, no two alike."""
    kept: list[Trial] = []
    for trial in trials:
        # 1e-9: zero queries are alike too
        if all(np.linalg.norm(trial.Y - other.Y) > _ALIKE * max(trial.norm, 1e-9) for other in kept):
            kept.append(trial)
    return kept[:_CLIMBED]


def _agreed(short: list[Trial]) -> bool:
    """Whether three searches ended at the shortest length so far: more would hardly end elsewhere."""
    least = min(trial.norm for trial in short)
    return sum(trial.norm < (1 + _AGREED) * least for trial in short) >= 3


def _aim(request: VaryingRequest, law: QueryLaw) -> float:
    """The confidence, and what escapes the box."""
    confidence = float(request.confidence)
    return confidence + ESCAPE * (1 - confidence) if law.box else confidence


def _law(request: VaryingRequest, noise: Noise, trial: Trial, edges: np.ndarray | None = None) -> QueryLaw:
    """The law as a proof of this trial would see it."""
    felt = {j: float(np.trace(trial.Y @ noise.covariance([j]) @ trial.Y.T)) for j in noise.moving}
    kept = max(felt, key=lambda j: felt[j] * (4 if j in request.goal.indices else 1)) if felt else None
    room = 1 - float(request.confidence)
    return provable_law(request.model, noise, request.goal, len(trial.Y), room, kept=kept, edges=edges)


def _certified(request: VaryingRequest, noise: Noise, law: QueryLaw, trial: Trial) -> Design | None:
    """The Design, settled on finer nodes and proved; where the proof fails, aimed a little higher.

    Bounds for several heads are not exact, so these leave more of the error to the proof than one head needs.
    """
    aimed, error = _aim(request, law), float(request.error)
    for hair in _HAIRS_IN_A_BOX if law.box else _HAIRS if len(trial.Y) == 1 else _WIDER_HAIRS:
        aim, below = aimed + (1 - aimed) * hair, error * (1 - hair)
        for _ in range(2):  # the edges move as the trial does
            law = _law(request, noise, trial, law.edges(trial.Y, trial.mix, below))
            trial = settle(law, trial, below, aim)
        made = _made(request, noise, trial)
        if isinstance(made.verdict, Proved):
            return made
    return None


def _made(request: VaryingRequest, noise: Noise, trial: Trial) -> Design:
    """The Design of a trial; its weights are the mean weights."""
    queries = noise.queries(trial.Y)
    one = len(noise.owner) <= 1 and not noise.spread.any()
    whole = None if one else true_law(request.model, noise, request.goal, len(trial.Y), request.seed)
    return Design(
        request.stored(queries),
        trial.mix,
        float(request.scale),
        request.goal,
        request.asked,
        weights=(whole or _law(request, noise, trial)).mean_weights(trial.Y, trial.mix),
        exact_ratios=False,
        method=f"search under noise, from: {trial.name}",
        confidence=request.asked_confidence,
        prove=request.claim(queries, trial.mix).prove,
    )

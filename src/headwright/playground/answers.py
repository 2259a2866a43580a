"""What the library says about a scene, as JSON for the page.

The words "proved" and "refuted" come from verdicts alone. A refusal of `design` carries a proved verdict, and its status is
"unreachable". Whatever goes wrong becomes the status "error" with one sentence: an exception would leave the page without an
answer.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from headwright.kernel import budget
from headwright.kernel.goals import Copy, Goal, Top
from headwright.kernel.heads import Heads
from headwright.kernel.verdict import Proved, Refuted, Verdict
from headwright.playground.designed import designed, is_exactly_steady, is_steady, steady_basis
from headwright.playground.noisy import answer_with_noise
from headwright.playground.questions import judged_question
from headwright.playground.scene import Scene, SceneError
from headwright.playground.sentences import at_least, at_most, internal_error, one_line, plain, sentence
from headwright.search.certify import certify
from headwright.search.radius.radius import radius
from headwright.search.random_keys.outcome import heads_of
from headwright.words.design import Design
from headwright.words.layer import Layer
from headwright.words.refusals import NotFound, Unreachable

# Units of `budget`, about a nanosecond each: a notebook waits for an answer, and a proof that takes longer is left undecided.
_FOR_A_PROOF = 2 * 10**9
_FOR_THE_RADIUS = 5 * 10**8
_USED_UP = 1e-9  # a radius below this part of the largest coordinate is shown as none
_EMPTY: dict[str, Any] = {
    "status": "no goal",
    "sentence": "",
    "bound": None,
    "queries": None,
    "mix": None,
    "weights": None,
    "norm": None,
    "lower_bound": None,
    "error_lower_bound": None,
    "gap": None,
    "witness": None,
    "best_error": None,
    "radius": None,
    "probability": None,
    "reason": None,
    "question": None,
}


def answer_to(asked: Any) -> dict[str, Any]:
    """The answer to what a page asked, {"number", "text", "question"}. It never raises.

    `text` and `posed` are the state and the question as they were asked, by which a page knows what the answer is about.

    >>> goal = '{"goal": "copy", "indices": [1], "shares": ["1"]}'
    >>> answer = answer_to({"number": 7, "text": '{"keys": [[0], [9]], "goal": ' + goal + "}"})
    >>> answer["number"], answer["status"], answer["sentence"]
    (7, 'proved', 'Proved: the weights of 1 head over 2 keys are within total variation 0.01 of Copy(1).')
    >>> answer_to({"number": 8, "text": "[1, NaN]"})["reason"]
    'The state is not valid JSON.'
    """
    given = asked if isinstance(asked, dict) else {}
    number, text = given.get("number"), given.get("text")
    echo = {
        "number": number if isinstance(number, int | float) else None,
        "text": text if isinstance(text, str) else None,
        "posed": given.get("question"),
    }
    if not isinstance(text, str):
        return {**_EMPTY, **echo, **_error("The page asked about no state.")}
    try:
        scene = Scene.read(text)
    except SceneError as wrong:
        return {**_EMPTY, **echo, **_error(str(wrong))}
    return {**answer(scene, given.get("question")), **echo}


def answer(scene: Scene, question: Any = None) -> dict[str, Any]:
    """What the library says about a scene and about a question that is posed on it. It never raises."""
    heads: Heads | None = None
    try:
        with np.errstate(all="ignore"):
            told, heads = _told(scene)
    except budget.OverBudget:
        told = _undecided("The proof takes more work than the playground waits for. Ask the library itself.")
    except (ValueError, TypeError) as wrong:
        told = _error(plain(one_line(wrong)))
    except Exception as wrong:
        told = _error(internal_error(wrong))
    whole = {**_EMPTY, **told}
    if question is not None:
        whole["question"] = judged_question(scene, heads, question)
    return whole


def _told(scene: Scene) -> tuple[dict[str, Any], Heads | None]:
    """The parts of an answer, and the heads that the scene shows, if there are any."""
    with budget.within(_FOR_A_PROOF):
        found = designed(scene)
    if isinstance(found, Unreachable):
        return _refused(scene, found), None
    if isinstance(found, NotFound):
        return _not_found(found), None
    if isinstance(found, Layer):
        told = _of_layer(scene, found)
        return told, heads_of(scene.keys, told["queries"], scene.scale, told["mix"])
    if scene.goal is None or (found is None and scene.queries is None):
        return {}, None
    if found is None:
        heads = heads_of(scene.keys, scene.queries, scene.scale, "equal")
    else:  # stored queries, in place of the exact ones of an image: they are what is drawn
        heads = heads_of(scene.keys, found.queries, scene.scale, found.mix)
    shown = _numbers(heads)
    model = scene.model
    if model is not None:
        if isinstance(scene.goal, Top):
            return {**shown, **_undecided("The library proves nothing about Top over keys that vary.")}, None
        return {**shown, **answer_with_noise(model, heads, scene.goal, str(scene.error))}, heads
    with budget.within(_FOR_A_PROOF):
        told = _of_queries(scene, scene.goal) if found is None else _of_design(scene, found)
    return {**shown, **told, "radius": _radius(scene, found, heads, told["status"])}, heads


def _of_queries(scene: Scene, goal: Goal | Top) -> dict[str, Any]:
    """The verdict on queries given by hand."""
    asked: dict[str, Any] = {} if isinstance(goal, Top) else {"error": str(scene.error)}
    if scene.radius:
        asked |= {"radius": scene.radius, "norm": "ball"}
    queries: Any = scene.queries
    verdict = certify(scene.keys, queries, goal, scale=scene.scale, mix="equal", **asked)
    bound = getattr(verdict, "bound", None)
    gap = bound if isinstance(goal, Top) else None
    told = {**_verdict(verdict), "gap": gap}
    if isinstance(verdict, Refuted) and bound is not None and gap is None and not scene.radius:
        told["sentence"] += f" The total variation is at least {at_least(bound)}."
    return told


def _of_design(scene: Scene, found: Design) -> dict[str, Any]:
    verdict = found.verdict
    if verdict is None:
        return _undecided("The library made no claim about this design.")
    # The page says of a lower bound that no query at all is shorter. For averages and blends it is proved of exact ratios only.
    every = isinstance(found.goal, Copy | Top)
    told = {
        **_verdict(verdict),
        "norm": found.norm,
        "lower_bound": found.lower_bound if every else None,
        "error_lower_bound": found.error_lower_bound,
        "gap": found.gap,
    }
    if isinstance(verdict, Proved) and found.max_norm is not None and found.error is not None:
        told["sentence"] = _least_error(scene, found)
    elif isinstance(verdict, Proved) and not every and found.lower_bound is not None:
        told["sentence"] += f" No query with exact ratios is shorter than {at_least(found.lower_bound)}."
    return told


def _least_error(scene: Scene, found: Design) -> str:
    """What a design within a norm proves. Its error has all digits of float64, so the sentence has it rounded up."""
    heads = plain(heads_of(scene.keys, found.queries, scene.scale, found.mix).describe())
    met = f"the weights of {heads} are within total variation {at_most(1.0 if found.error is None else found.error)}"
    told = f"Proved: {met} of {found.goal}."
    if not found.error_lower_bound:  # none is known, or it is 0, which says nothing
        return told
    which = "" if isinstance(found.goal, Copy) else " with exact ratios"
    least = at_least(found.error_lower_bound)
    return f"{told} No query of norm at most {at_least(scene.max_norm or 0.0, 6)}{which} errs by less than {least}."


def _of_layer(scene: Scene, layer: Layer) -> dict[str, Any]:
    assert layer.verdict is not None
    product = layer.Q.T @ layer.K
    query = product.T @ scene.keys[scene.row] / scene.scale
    return {
        **_verdict(layer.verdict),
        "queries": [query.tolist()],
        "mix": [1.0],
        "weights": layer.weights()[scene.row].tolist(),
        "norm": float(np.linalg.norm(query)),
    }


def _refused(scene: Scene, refusal: Unreachable) -> dict[str, Any]:
    """No query does it: the proved claim, its witness in exact rationals, and the error that none goes below."""
    told, which = sentence(refusal.verdict), "Every query"
    if is_steady(scene) and (basis := steady_basis(scene)) is not None:
        d, r = basis.shape
        near = "" if is_exactly_steady(scene, basis) else ", up to rounding,"
        told = told.replace(
            f" of the form Wx (matrix W of shape {d} × {r})", f" that{near} does not feel the noise along keys"
        )
        which = "Every such query"
    best = refusal.best_error
    proof = refusal.verdict if refusal.best_verdict is None else refusal.best_verdict
    if best is not None and isinstance(proof, Proved):
        told += f" {which} errs by at least {at_least(best)}."
    if scene.model is not None:
        told += " This is about the keys without their noise."
    witness = None
    if refusal.witness is not None:
        weights = [str(weight) for weight in refusal.witness.weights]
        witness = {"indices": list(refusal.witness.indices), "weights": weights}
    status = "unreachable" if isinstance(refusal.verdict, Proved) else "undecided"
    return {
        "status": status,
        "sentence": told,
        "bound": getattr(refusal.verdict, "bound", None),
        "reason": plain(one_line(refusal)),
        "witness": witness,
        "best_error": best,
    }


def _not_found(refusal: NotFound) -> dict[str, Any]:
    reason = plain(one_line(refusal))
    shown: dict[str, Any] = {}
    if refusal.best is not None:
        best = refusal.best
        norm = float(np.linalg.norm(best.queries, axis=1).max())
        shown = {
            "queries": best.queries.tolist(),
            "mix": best.mix.tolist(),
            "weights": best.weights.tolist(),
            "norm": norm,
        }
    told = f"Not found: {reason}."
    return {**shown, "status": "not found", "sentence": told, "reason": reason, "bound": refusal.proved_bound}


def _radius(scene: Scene, found: Design | None, heads: Heads, status: str) -> dict[str, Any] | None:
    """How far every key may move while the error holds, {"low": proved, "high": refuted}; None where it is not known."""
    goal = scene.goal
    if status != "proved" or goal is None or (found is not None and found.within is not None):
        return None
    error: dict[str, Any] = {} if isinstance(goal, Top) else {"error": str(scene.error)}
    try:
        with budget.within(_FOR_THE_RADIUS):
            if found is not None:
                known = radius(scene.keys, found, norm="ball", **error)
            else:
                known = radius(scene.keys, heads.queries, goal, norm="ball", scale=scene.scale, mix="equal", **error)
    except (budget.OverBudget, ValueError):
        return None
    if known.low is None:
        return {"low": 0.0, "high": 0.0} if known.high == 0 else None
    if not math.isfinite(known.low):
        return None
    # A shortest query has used up its error: what is left to move is the rounding of float64.
    is_used_up = known.high <= _USED_UP * float(np.abs(scene.keys).max())
    return {"low": 0.0 if is_used_up else known.low, "high": known.high if math.isfinite(known.high) else None}


def _numbers(heads: Heads) -> dict[str, Any]:
    """Queries, mix, weights and the largest norm, in float64."""
    scores = float(heads.scale) * (heads.queries @ heads.keys.T)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = heads.mix / heads.mix.sum() @ (powers / powers.sum(axis=1, keepdims=True))
    numbers = {
        "queries": heads.queries.tolist(),
        "mix": (heads.mix / heads.mix.sum()).tolist(),
        "weights": weights.tolist(),
        "norm": float(np.linalg.norm(heads.queries, axis=1).max()),
    }
    return numbers if np.isfinite(weights).all() and math.isfinite(numbers["norm"]) else {}


def _verdict(verdict: Verdict) -> dict[str, Any]:
    reason = plain(verdict.reason) if verdict.status == "undecided" else None
    bound = getattr(verdict, "bound", None)
    return {"status": verdict.status, "sentence": sentence(verdict), "bound": bound, "reason": reason}


def _undecided(reason: str) -> dict[str, Any]:
    return {"status": "undecided", "sentence": f"Undecided: {reason[0].lower()}{reason[1:]}", "reason": reason}


def _error(reason: str) -> dict[str, Any]:
    return {"status": "error", "sentence": "", "reason": reason}

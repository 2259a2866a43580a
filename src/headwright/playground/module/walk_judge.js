// Whether the state on the screen answers the question of a step. Computed in float64: nothing here is a proof.
import { compute, judged } from "./design.js"
import { fractionValue } from "./fractions.js"
import { dot, norm } from "./numbers.js"

// Entries that only say how a scene is shown.
const LOOKS = ["labels", "values", "row"]
// An error this near to the asked one, as a part of it, counts as met: a designed query uses it up to the last digit.
const NEAR = 1e-9
// The normal number is looked at up to this many standard deviations: what lies beyond has a probability below 10^-15.
const FARTHEST = 8
// Where the error is looked at between these; an event narrower than a step would be missed, and a smooth error has none.
const LOOKS_AT = 400
// Halvings that settle where the error crosses the asked one, to about 10^-11.
const HALVINGS = 32

const equal = (a, b) => JSON.stringify(a) === JSON.stringify(b)

// The entries that the reader has changed and should not have: ["scale", …].
function forbiddenChanges({ scene: first, question }, scene) {
  const free = new Set([...question.free, ...LOOKS])
  const changed = Object.keys(scene).filter((name) => !free.has(name) && !equal(scene[name], first[name]))
  if (!changed.includes("keys") && !keysAllowed(first.keys, question, scene.keys)) changed.push("keys")
  return changed
}

function keysAllowed(first, question, keys) {
  if (question.removable) {
    // What is left stands in the order of the first keys, with the targets in their places.
    let at = 0
    for (const key of keys) {
      while (at < first.length && !equal(first[at], key)) at += 1
      if (at === first.length) return false
      at += 1
    }
    return question.goal.indices.every((i) => equal(keys[i], first[i]))
  }
  if (question.movable) return keys.length === first.length && keys.every((key, i) => question.movable.includes(i) || equal(key, first[i]))
  return true
}

// Φ, from the series of its integral for small and a continued fraction for large arguments.
export function normalBelow(x) {
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
  const size = Math.abs(x)
  let above
  if (size < 3) {
    let term = size, sum = size
    for (let k = 1; k < 120; k++) {
      term *= (size * size) / (2 * k + 1)
      sum += term
    }
    above = 0.5 - density * sum
  } else {
    let fraction = size
    for (let k = 60; k > 0; k--) fraction = size + k / fraction
    above = density / fraction
  }
  return x > 0 ? 1 - above : above
}

// The probability that these heads meet the error, where one key varies in length and nothing else varies; null otherwise.
export function chanceOf(scene, seen, goal, error) {
  const along = Object.entries(scene.noise?.along ?? {})
  if (along.length !== 1 || scene.noise.isotropic !== 0 || !seen.queries.length) return null
  const [[name, variance]] = along
  const i = Number(name)
  const unit = scene.keys[i].map((x) => x / norm(scene.keys[i]))
  const bare = { ...scene, goal }
  const still = judged(bare, seen.queries, seen.mix)
  const slopes = seen.queries.map((query) => scene.scale * Math.sqrt(variance) * dot(query, unit))
  // Only the score of key i moves, so a head's other scores need not be computed again.
  const rest = still.scores.map((scores) => ({ top: Math.max(...scores.filter((_, j) => j !== i), -Infinity), scores }))
  const shares = new Map(goal.indices.map((j, k) => [j, fractionValue(goal.shares[k])]))
  const over = (z) => {
    const weights = new Array(scene.keys.length).fill(0)
    rest.forEach(({ top, scores }, h) => {
      const own = scores[i] + slopes[h] * z
      const most = Math.max(top, own)
      const parts = scores.map((score, j) => Math.exp((j === i ? own : score) - most))
      const sum = parts.reduce((a, b) => a + b, 0)
      parts.forEach((part, j) => (weights[j] += (seen.mix[h] * part) / sum))
    })
    return weights.reduce((sum, weight, j) => sum + Math.abs(weight - (shares.get(j) ?? 0)), 0) / 2 - error * (1 + NEAR)
  }
  let probability = 0
  const step = (2 * FARTHEST) / LOOKS_AT
  let before = over(-FARTHEST), opened = before <= 0 ? -Infinity : null
  for (let k = 1; k <= LOOKS_AT; k++) {
    const z = -FARTHEST + k * step
    const now = over(z)
    if (before <= 0 !== now <= 0) {
      let [low, high] = [z - step, z]
      for (let halving = 0; halving < HALVINGS; halving++) {
        const middle = (low + high) / 2
        if (over(middle) <= 0 === before <= 0) low = middle
        else high = middle
      }
      if (now <= 0) opened = low
      else {
        probability += normalBelow(low) - (opened === -Infinity ? 0 : normalBelow(opened))
        opened = null
      }
    }
    before = now
  }
  return opened === null ? probability : probability + 1 - (opened === -Infinity ? 0 : normalBelow(opened))
}

// The largest error of a copying head while every key moves by up to r: its own score falls and the others rise by r‖q‖.
function worstCopy(scene, seen, i, r) {
  const [scores] = seen.scores
  const move = 2 * r * scene.scale * norm(seen.queries[0])
  const leak = scores.reduce((sum, score, j) => (j === i ? sum : sum + Math.exp(score - scores[i] + move)), 0)
  return leak === Infinity ? 1 : leak / (1 + leak)
}

// Whether every row of a layer has the goal that the question names, and a query that meets it: the largest error, or null.
function layerError(scene, question) {
  let worst = 0
  for (const [r, goal] of question.layer.entries()) {
    if (!scene.layer || !equal(scene.layer[r], goal)) return null
    const { status, error } = compute({ ...scene, layer: null, queries: null, goal, row: r })
    if (status !== "met") return null
    worst = Math.max(worst, error)
  }
  return worst
}

// {isMet, changed, lacksOwn, error, probability}: what the judge saw. `seen` is compute(scene).
export function judgeStep(step, scene, seen) {
  const { question } = step
  const changed = forbiddenChanges(step, scene)
  const lacksOwn = question.own === true && scene.queries === null
  const found = { changed, lacksOwn, error: null, probability: null }
  if (question.layer) found.error = layerError(scene, question)
  else if (seen.queries.length && question.goal.indices.every((i) => i < scene.keys.length)) {
    const own = judged({ ...scene, goal: question.goal }, seen.queries, seen.mix)
    found.error = question.radius ? worstCopy(scene, own, question.goal.indices[0], question.radius) : own.error
    if (question.confidence) found.probability = chanceOf(scene, seen, question.goal, question.error)
  }
  const within = question.confidence ? found.probability !== null && found.probability >= question.confidence : found.error !== null && found.error <= question.error * (1 + NEAR)
  const isMet = within && !lacksOwn && changed.length === 0
  // Where the goal is the reader's choice, the error that is shown is that of the choice.
  if (!isMet && question.free.includes("goal") && !question.layer) found.error = seen.error
  return { ...found, isMet }
}

// What the library is asked beside the scene; null where its verdict on the scene itself is the answer.
export function posedQuestion({ question }) {
  if (question.layer || question.radius) return null
  return { goal: question.goal, error: question.error, confidence: question.confidence ?? null }
}

// Whether the library's verdict on the scene itself answers the question: its own error and radius are no weaker than those asked for.
export function sceneAnswers({ question }, scene) {
  if (scene.error > question.error || scene.radius < (question.radius ?? 0)) return false
  return question.layer ? question.layer.every((goal, r) => equal(scene.layer?.[r], goal)) : equal(scene.goal, question.goal)
}

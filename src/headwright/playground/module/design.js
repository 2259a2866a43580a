// What the module computes of a scene by itself, in float64: queries, weights, error, witness, radius. Nothing here is a proof.
import { fractionValue } from "./fractions.js"
import { heldBy, hullsMeet, nearestPoints } from "./hulls.js"
import { safeRadius, spareOdds, worstVariation } from "./moving.js"
import { dot, hullOf, leastSolution, meanOf, minus, norm, plus, softmax, spanOf, times, turn } from "./numbers.js"
import { excluded, leastVariation } from "./reach.js"
import { lowestOf, lowestWithin, makePath, shortestFor } from "./newton.js"

// Keys of more dimensions are first written in coordinates of the space that they span.
const DIRECT_DIMENSIONS = 64
// Dimensions of that space: a Newton step costs its cube, and 128 still takes a fraction of a second.
const MOST_DIMENSIONS = 128
// An error this near to the asked one, as a part of it, counts as met and leaves nothing for keys that move.
const USED_UP = 1e-6
const MET_WITHIN = 1e-9
// Norms, in units of one over the longest row, that copy a key with some room about it. Leaks of such queries have ten
// digits, so that rounding lets no key of the hull pass.
const USUAL_NORM = 1e4

export function sharesOf(goal) {
  const given = goal.indices.map((_, k) => (goal.goal === "blend" && goal.shares ? fractionValue(goal.shares[k]) : 1))
  const sum = given.reduce((a, b) => a + b, 0)
  return given.map((share) => share / sum)
}

// The wanted weights of a goal.
export function wanted(goal, n) {
  const weights = new Array(n).fill(0)
  const shares = sharesOf(goal)
  goal.indices.forEach((i, k) => (weights[i] = shares[k]))
  return weights
}

// The unit vectors of the keys whose noise the query must not feel.
function steadyDirections(scene) {
  if (!scene.steady || !scene.noise) return []
  const rows = Object.keys(scene.noise.along ?? {}).map((j) => scene.keys[Number(j)]).filter((key) => key && norm(key) > 0)
  return rows.map((key) => times(key, 1 / norm(key)))
}

// The keys seen from one of them, in few coordinates and of size 1: {points, fixed, back}. `fixed` are the directions that the
// query must not have, and `back` makes a query for the keys themselves of one for the points. null: too many dimensions.
function seenFrom(scene, origin) {
  const { keys, scale } = scene
  const d = keys[0].length
  let points = keys.map((key) => minus(key, keys[origin]))
  let fixed = steadyDirections(scene)
  let basis = null
  if (d > DIRECT_DIMENSIONS) {
    basis = spanOf([...points, ...fixed]).basis
    if (basis.length > MOST_DIMENSIONS) return null
    const coordinates = (row) => basis.map((own) => dot(own, row))
    points = points.map(coordinates)
    fixed = fixed.map(coordinates)
  }
  let size = 0
  for (const point of points) size = Math.max(size, norm(point))
  const power = size > 0 && size < Infinity ? 2 ** Math.max(-1000, Math.min(1000, Math.ceil(Math.log2(size)))) : 1
  points = points.map((point) => times(point, 1 / power))
  const back = (y) => {
    const whole = basis ? y.reduce((sum, part, k) => plus(sum, basis[k], part), new Array(d).fill(0)) : y
    return times(whole, 1 / power / scale)
  }
  return { points, fixed, back, unit: power * scale, power }
}

// The least-norm problem of a goal: base + free·z has exact ratios, and its leak beside the first target's weight is lse(B z + a).
function problemOf(scene, seen, indices, shares) {
  const { points, fixed } = seen
  const own = indices[0], r = points[own].length
  const E = [...indices.slice(1).map((a) => points[a]), ...fixed]
  const b = [...shares.slice(1).map((share) => Math.log(share / shares[0])), ...fixed.map(() => 0)]
  const solved = E.length ? leastSolution(E, b, r) : { base: new Array(r).fill(0), free: null, consistent: true, rank: 0 }
  const targets = new Set(indices)
  const rest = points.map((_, j) => j).filter((j) => !targets.has(j))
  const { base, free } = solved
  const offsets = rest.map((j) => dot(points[j], base))
  let rows = rest.map((j) => (free ? free.map((way) => dot(way, points[j])) : points[j]))
  // In the plane two targets leave one direction. What lies exactly on their line has no part in it, not even by rounding.
  if (free?.length === 1 && scene.keys[0].length === 2 && !fixed.length) {
    const other = indices.find((a) => norm(points[a]) > 0)
    rows = rows.map((row, k) => (turn(scene.keys[own], scene.keys[other], scene.keys[rest[k]]) === 0 ? [0] : row))
  }
  const query = (z) => (free ? free.reduce((sum, way, k) => plus(sum, way, z[k]), base) : z)
  return { ...solved, rest, path: makePath(rows, offsets, free ? free.length : r), query }
}

// ln of the leak beside the first target's weight that the error allows.
function allowedLeak(error, share) {
  return Math.log(error) - Math.log1p(-error) - Math.log(share)
}

// One designed head: {query, status, witness, bestError}.
function oneHead(scene, goal) {
  const shares = sharesOf(goal)
  const seen = seenFrom(scene, goal.indices[0])
  if (!seen) return { status: "too large" }
  const problem = problemOf(scene, seen, goal.indices, shares)
  const done = (y, more = {}) => ({ query: more.query ?? seen.back(y), status: "met", witness: null, bestError: null, ...more })
  if (scene.max_norm !== null) return withinNorm(scene, seen, problem, done)
  const c = allowedLeak(scene.error, shares[0])
  const copy = goal.indices.length === 1
  const moving = copy && scene.radius > 0 ? scene.radius / seen.power : 0
  const early = copy && scene.keys[0].length > 2 ? shortestFor(problem.path, c, moving, USUAL_NORM) : null
  // The hull of many keys in many dimensions is costly, and a query of usual length that copies the key shows that it lies outside.
  if (early?.reached && norm(early.z) < USUAL_NORM) return done(problem.query(early.z))
  const held = copy && scene.keys.length > 1 ? heldIn(scene, seen, problem, goal.indices[0]) : null
  let best = null
  if (held) {
    best = leastLeak(problem, held.face)
    // A key in the hull can still be copied to a large error.
    if (best >= c - 1e-12) return outOfReach(problem, held, best, done)
  }
  if (problem.consistent) {
    const found = shortestFor(problem.path, c, moving)
    // Where keys move, the path shows that none withstands it. Keys that stay are looked at above, so none was found.
    if (copy && !found.reached) return done(problem.query(found.z), moving ? { status: "unreachable", away: awayFromRest(scene, goal) } : { status: "not found" })
    if (found.reached) return scene.radius > 0 && !copy ? tightened(scene, seen, problem, goal, found, done) : done(problem.query(found.z))
  }
  if (seen.fixed.length) return done(problem.base, { status: "not found" })
  const why = excluded(seen.points, goal.indices, shares, scene.error)
  const found = leastVariation(seen.points, goal.indices, shares, scene.error, problem.consistent ? problem.base : null, why?.sure)
  if (why && (why.sure || found.variation > scene.error)) return done(found.query, { status: "unreachable", witness: { indices: why.indices, weights: why.weights }, bestError: why.bestError })
  return done(found.query, { status: found.variation <= scene.error ? "met" : "not found", exactRatios: false })
}

function withinNorm(scene, seen, problem, done) {
  const room = scene.max_norm * seen.unit
  const shortest = norm(problem.base)
  // 1e-13: a shortest query that is longer than the budget by rounding is within it.
  if (!problem.consistent || shortest > room * (1 + 1e-13)) {
    return done(times(problem.base, Math.min(1, room / (shortest || 1))), { status: "unreachable" })
  }
  const rho = Math.sqrt(Math.max(0, (room - shortest) * (room + shortest)))
  return done(problem.query(lowestWithin(problem.path, rho).z), { status: null })
}

// Whether the key lies in the hull of the others, seen along the directions that the query may have: as `heldBy`, with indices and
// face among the rows of the problem.
function heldIn(scene, seen, problem, own) {
  const place = new Map(problem.rest.map((j, k) => [j, k]))
  if (!seen.fixed.length) {
    const held = heldBy(scene.keys, own)
    return held && { ...held, face: held.face && held.face.map((j) => place.get(j)) }
  }
  const { B, k, r } = problem.path
  if (!r) return { indices: problem.rest, weights: problem.rest.map(() => 1 / k), face: null }
  // 1e-14: the keys have size 1, so what is smaller is rounding of the projection.
  const rows = problem.rest.map((_, j) => Array.from(B.subarray(j * r, (j + 1) * r), (x) => (Math.abs(x) < 1e-14 ? 0 : x)))
  const held = heldBy([new Array(r).fill(0), ...rows], 0)
  return held && { indices: held.indices.map((j) => problem.rest[j - 1]), weights: held.weights, face: held.face && held.face.map((j) => j - 1) }
}

// A query with exact ratios that keeps the error where keys move by the scene's radius. As in the library: the shortest queries
// for smaller and smaller errors, until one withstands the moves, and then back. Its length is only an upper bound.
function tightened(scene, seen, problem, goal, first, done) {
  const shares = sharesOf(goal)
  const look = (found) => {
    const query = seen.back(problem.query(found.z))
    const { weights, outside } = judged(scene, [query], [1])
    const odds = 2 * scene.scale * scene.radius * norm(query), own = goal.indices.map((i) => weights[i])
    const spare = spareOdds(shares, own, outside, scene.error)
    return { query, holds: found.reached && spare !== null && spare >= odds, worst: found.reached ? worstVariation(shares, own, outside, Math.exp(odds)) : 1 }
  }
  let kept = look(first)
  if (kept.holds) return done([], { query: kept.query })
  const at = (error) => look(shortestFor(problem.path, allowedLeak(error, shares[0])))
  let high = scene.error, low = scene.error, worst = 1, rising = 0
  // 60 halvings of the error; three in a row that do not lower the worst error by a thousandth end the search.
  for (let step = 0; step < 60 && !kept.holds && rising <= 2; step++) {
    high = low
    low /= 2
    kept = at(low)
    rising = kept.worst >= worst * (1 - 1e-3) ? rising + 1 : 0
    worst = kept.worst
  }
  if (!kept.holds) return done([], { query: kept.query, status: "not found" })
  // 20 halvings back: six digits of the error.
  for (let step = 0; step < 20; step++) {
    const middle = (low + high) / 2, nearer = at(middle)
    if (nearer.holds) [low, kept] = [middle, nearer]
    else high = middle
  }
  return done([], { query: kept.query })
}

// The least ln of a leak that any query has, for a key in the hull: over the keys of its face alone, in their own coordinates.
function leastLeak(problem, face) {
  const { B, k, r } = problem.path
  let names = face ?? Array.from({ length: k }, (_, j) => j)
  let least = -Infinity
  if (!r) return Math.log(k)
  // Once for each dimension at most: every round leaves keys out that have no part in the face.
  for (let round = 0; round <= r; round++) {
    const rows = names.map((j) => B.subarray(j * r, (j + 1) * r))
    const { basis } = spanOf(rows, 1e-12)
    if (!basis.length) return Math.log(names.length)
    const found = lowestOf(makePath(rows.map((row) => basis.map((own) => dot(own, row))), names.map(() => 0), basis.length))
    least = round && !(found.f < least + 1e-6) ? least : found.f
    const top = Math.max(...found.p)
    // 1e-11: lighter keys lie off the face on which the weights gather.
    const kept = names.filter((_, k) => found.p[k] > 1e-11 * top)
    if (face || kept.length === names.length || norm(found.g) > 1e-6) return least
    names = kept
  }
  return least
}

function outOfReach(problem, held, best, done) {
  // A leak a thousandth above the least one is reached by a query that can be drawn.
  const found = shortestFor(problem.path, best + 1e-3)
  const { indices, weights } = held
  return done(problem.query(found.z), { status: "unreachable", witness: { indices, weights }, bestError: 1 / (1 + Math.exp(-best)) })
}

// How far a key lies from the hull of the others: a query of length 1 / (scale · distance) makes the score gap 1. null: not known.
function awayFromRest(scene, { indices }) {
  const { status, query } = topHead(scene, { goal: "top", indices })
  return status === "met" ? 1 / (scene.scale * norm(query)) : status === "unreachable" ? 0 : null
}

function topHead(scene, goal) {
  const origin = goal.indices[0]
  const seen = seenFrom(scene, origin)
  if (!seen) return { status: "too large" }
  const members = scene.keys.map(() => false)
  for (const i of goal.indices) members[i] = true
  const done = (y, more = {}) => ({ query: seen.back(y), status: "met", witness: null, bestError: null, ...more })
  const { basis } = seen.fixed.length ? spanOf(seen.fixed) : { basis: [] }
  const points = seen.points.map((point) => basis.reduce((rest, own) => plus(rest, own, -dot(own, rest)), point))
  const near = nearestPoints(points, members)
  // 1e-9 of the size: nearer hulls of the plane are looked at exactly.
  const exact = scene.keys[0].length <= 2 && !basis.length && near.distance < 1e-9
  const flat = scene.keys[0].length === 1 ? scene.keys.map(([x]) => [x, 0]) : scene.keys
  const meet = exact ? hullsMeet(flat, members) : !(near.distance > 1e-14)
  if (meet || !(near.distance > 0)) {
    const sums = new Map()
    near.pairs.forEach((pair, k) => pair.forEach((j) => sums.set(j, (sums.get(j) ?? 0) + near.weights[k])))
    const mean = (wantedSide) => meanOf(points.filter((_, j) => members[j] === wantedSide))
    const some = minus(mean(true), mean(false))
    return done(norm(some) > 0 ? times(some, 1 / norm(some) ** 2) : some, {
      status: meet ? "unreachable" : "not found",
      witness: meet ? { indices: [...sums.keys()], weights: [...sums.values()] } : null,
    })
  }
  const length = scene.max_norm !== null ? scene.max_norm * seen.unit : 1 / near.distance
  return done(times(near.difference, length / near.distance), { status: scene.max_norm !== null ? null : "met" })
}

// The heads of a scene: {queries, mix, status, witness, bestError}; status null: whatever the error says.
function headsOf(scene) {
  const { goal, queries } = scene
  if (queries) return { queries, mix: queries.map(() => 1 / queries.length), status: null, witness: null, bestError: null }
  if (goal.goal === "top") return alone(topHead(scene, goal))
  const several = scene.heads > 1 && scene.heads === goal.indices.length
  if (!several) return alone(oneHead(scene, goal))
  const parts = goal.indices.map((i) => oneHead({ ...scene, radius: 0 }, { goal: "copy", indices: [i], shares: ["1"] }))
  const statuses = parts.map((part) => part.status)
  const status = statuses.includes("too large") ? "too large" : statuses.every((own) => own === "met") ? "met" : statuses[0] === null ? null : "not found"
  return { queries: parts.map((part) => part.query), mix: sharesOf(goal), status, witness: null, bestError: null }
}

function alone(part) {
  return { ...part, queries: part.query ? [part.query] : [], mix: part.query ? [1] : [] }
}

const NOTHING_SEEN = { status: "no goal", queries: [], mix: [], norm: 0, scores: [], headWeights: [], weights: [], error: null, gap: null, outside: null, witness: null, bestError: null, away: null, radius: null, exactRatios: true }

// Scores, weights and error of given heads.
export function judged(scene, queries, mix) {
  const { keys, goal, scale } = scene
  const scores = queries.map((query) => keys.map((key) => scale * dot(query, key)))
  const headWeights = scores.map(softmax)
  const weights = keys.map((_, j) => headWeights.reduce((sum, own, h) => sum + mix[h] * own[j], 0))
  const seen = { queries, mix, norm: Math.max(0, ...queries.map(norm)), scores, headWeights, weights, error: null, gap: null, outside: null }
  if (!goal) return seen
  const targets = new Set(goal.indices)
  let outside = 0
  for (let j = 0; j < keys.length; j++) if (!targets.has(j)) outside += weights[j]
  if (goal.goal === "top") {
    const gaps = scores.map((own) => {
      let least = Infinity, most = -Infinity
      own.forEach((score, j) => (targets.has(j) ? (least = Math.min(least, score)) : (most = Math.max(most, score))))
      return least - most
    })
    return { ...seen, outside, gap: Math.min(...gaps) }
  }
  const shares = sharesOf(goal)
  // For one target the error is the leak, which keeps its digits however small it is.
  const error = targets.size === 1 ? outside : (outside + goal.indices.reduce((sum, i, k) => sum + Math.abs(weights[i] - shares[k]), 0)) / 2
  return { ...seen, outside, error }
}

// What is seen of the heads that the library judged, where the page designed others: a badge must not stand beside heads that are
// not its own. A difference of rounding (1e-6) is none.
export function seenAsJudged(scene, seen, { status, queries, mix }) {
  const numbers = (row, size) => Array.isArray(row) && row.length === size && row.every(Number.isFinite)
  if (scene.queries || !["proved", "refuted", "undecided"].includes(status) || !Array.isArray(queries) || !queries.length) return seen
  if (!numbers(mix, queries.length) || !queries.every((query) => numbers(query, scene.keys[0].length))) return seen
  const own = judged(scene, queries, mix)
  if (!own.weights.every(Number.isFinite)) return seen
  const near = (a, b) => Math.abs(a - b) <= 1e-6
  if (seen.weights.length && Math.abs(seen.norm - own.norm) <= 1e-6 * own.norm && own.weights.every((weight, j) => near(weight, seen.weights[j]))) return seen
  const whole = { ...seen, ...own, witness: null, bestError: null }
  return { ...whole, status: statusOf(scene, { status: null }, whole), radius: radiusOf(scene, whole) }
}

// How far every key may move, all at once, while the error stays within the asked one. 0: the error is used up. null: no move
// breaks it, or it is not computed. For several heads a number that is safe, and may be smaller than the largest.
function radiusOf(scene, seen) {
  const { goal, scale, error } = scene
  if (!goal || !seen.queries.length) return null
  const lengths = seen.queries.map((query) => scale * norm(query))
  if (goal.goal === "top") return lengths.length === 1 && seen.norm > 0 ? Math.max(0, seen.gap) / (2 * lengths[0]) : null
  if (!(seen.error < error * (1 - USED_UP))) return 0
  const shares = sharesOf(goal)
  if (seen.queries.length > 1) return safeRadius(shares, goal.indices, seen.headWeights, seen.mix, lengths, error)
  const spare = spareOdds(shares, goal.indices.map((i) => seen.weights[i]), seen.outside, error)
  const radius = spare === null ? null : Math.max(0, spare) / (2 * lengths[0])
  return Number.isFinite(radius) ? radius : null
}

// What the rounding of long scores does to the error, as a part of it.
function roundingOf(scores) {
  let top = 0
  for (const own of scores) for (const score of own) top = Math.max(top, Math.abs(score))
  // Scores beyond 1e9 leave fewer than six digits: an error that is off by more is not met.
  return Math.min(1e-6, 1e-15 * top)
}

// What a scene shows.
export function compute(scene) {
  const hull = scene.keys[0].length === 2 ? hullOf(scene.keys) : []
  try {
    return { ...computed(scene), hull }
  } catch {
    return { ...NOTHING_SEEN, status: "not found", hull }
  }
}

function computed(scene) {
  if (!scene.goal && !scene.queries) return { ...NOTHING_SEEN, ...(scene.layer ? layerOf(scene) : {}) }
  const heads = headsOf(scene)
  const lost = { ...NOTHING_SEEN, status: heads.status === "too large" ? "too large" : "not found", ...(scene.layer ? layerOf(scene) : {}) }
  if (!heads.queries.length || heads.queries.some((query) => !query || !query.every(Number.isFinite))) return lost
  const seen = { ...NOTHING_SEEN, ...judged(scene, heads.queries, heads.mix), witness: heads.witness, bestError: heads.bestError, away: heads.away ?? null, exactRatios: heads.exactRatios ?? true }
  if (!seen.weights.every(Number.isFinite) || !Number.isFinite(seen.norm)) return lost
  if (scene.layer) Object.assign(seen, layerOf(scene))
  if (!scene.goal) return seen
  return { ...seen, status: statusOf(scene, heads, seen), radius: radiusOf(scene, seen) }
}

function statusOf(scene, heads, seen) {
  const good = scene.goal.goal === "top" ? seen.gap > 0 : seen.error <= scene.error * (1 + MET_WITHIN + roundingOf(seen.scores))
  if (heads.status === null) return good ? "met" : "missed"
  return heads.status === "met" && !good ? "not found" : heads.status
}

// A whole layer: every row is designed by itself, so each query is the shortest for its row. The library designs one W = QᵀK for
// all rows together, and its queries W x_r may be longer. `realisable` says whether some W has these queries: always where the
// tokens with a goal are linearly independent. null: not computed.
function layerOf(scene) {
  const rows = scene.layer.map((goal) => {
    const none = { query: null, weights: null, error: null, gap: null, status: "no goal" }
    if (!goal) return none
    const own = { ...scene, goal, queries: null, heads: 1 }
    const heads = headsOf(own)
    if (!heads.queries[0]?.every(Number.isFinite)) return { ...none, status: heads.status === "too large" ? "too large" : "not found" }
    const seen = judged(own, heads.queries, heads.mix)
    return { query: heads.queries[0], weights: seen.weights, error: seen.error, gap: seen.gap, status: statusOf(own, heads, seen) }
  })
  const named = rows.map((_, r) => r).filter((r) => rows[r].query)
  const tokens = named.map((r) => scene.keys[r]), d = scene.keys[0].length
  let realisable = named.length ? null : true
  if (realisable === null && named.length * d <= 4096) {
    realisable = Array.from({ length: d }, (_, c) => leastSolution(tokens, named.map((r) => rows[r].query[c]), d)).every((own) => own.consistent)
  }
  return { rows, realisable }
}

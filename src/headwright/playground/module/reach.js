// Goals with several targets whose exact ratios no query meets: whether any query comes near enough (as geometry/max_entropy.py of
// the library, in float64), and a direct search for a small total variation.
import { dot, minus, norm, plus, solveShifted, spanOf, times } from "./numbers.js"
import { makePath, settledAt } from "./newton.js"

// Sharpness of the smooth maximum: the bound is within ln(m) of this part of the best.
const SHARPEST = 2 ** 20
// Newton steps for each sharpness; a dozen are usual.
const MOST_TILT_STEPS = 100

// Scores, heights f_i - c_i of the targets and their smooth maximum at a query. P holds the points, row by row.
function tiltAt(P, n, targets, levels, query, beta) {
  const m = targets.length, r = query.length
  const scores = new Float64Array(n), heights = new Array(m), spread = new Float64Array(m * n)
  for (let j = 0, at = 0; j < n; j++) for (let c = 0; c < r; c++) scores[j] += P[at++] * query[c]
  let worst = -Infinity
  for (let t = 0; t < m; t++) {
    let top = -Infinity, sum = 0
    for (let j = 0; j < n; j++) if (j !== targets[t] && scores[j] > top) top = scores[j]
    for (let j = 0; j < n; j++) if (j !== targets[t]) sum += spread[t * n + j] = Math.exp(scores[j] - top)
    for (let j = 0; j < n; j++) spread[t * n + j] /= sum
    heights[t] = top - scores[targets[t]] + Math.log(sum) - levels[t]
    worst = Math.max(worst, heights[t])
  }
  const shares = heights.map((height) => Math.exp(beta * (height - worst)))
  const sum = shares.reduce((a, b) => a + b, 0)
  return { query, worst, height: worst + Math.log(sum) / beta, shares: shares.map((share) => share / sum), spread }
}

// The slope of the smooth maximum and the Newton step.
function tiltStep(P, n, targets, at, beta) {
  const r = at.query.length, m = targets.length, H = new Float64Array(r * r), off = new Float64Array(r)
  const means = new Float64Array(m * r), mass = new Float64Array(n), slope = new Array(r).fill(0)
  const add = (weight) => {
    for (let c = 0; c < r; c++) for (let e = 0; e <= c; e++) H[c * r + e] += weight * off[c] * off[e]
  }
  for (let t = 0; t < m; t++) {
    for (let j = 0; j < n; j++) {
      const p = at.spread[t * n + j]
      mass[j] += at.shares[t] * p
      // 1e-30: lighter keys cannot be seen in a mean.
      if (p > 1e-30) for (let c = 0; c < r; c++) means[t * r + c] += p * P[j * r + c]
    }
    for (let c = 0; c < r; c++) slope[c] += at.shares[t] * (means[t * r + c] - P[targets[t] * r + c])
  }
  for (let t = 0; t < m; t++) {
    const share = at.shares[t]
    // 1e-18: what weighs less does not move a float64 Hessian.
    if (!(share > 1e-18)) continue
    for (let j = 0; j < n; j++) {
      const weight = share * at.spread[t * n + j]
      if (!(weight > 1e-18)) continue
      for (let c = 0; c < r; c++) off[c] = P[j * r + c] - means[t * r + c]
      add(weight)
    }
    for (let c = 0; c < r; c++) off[c] = means[t * r + c] - P[targets[t] * r + c] - slope[c]
    add(beta * share)
  }
  for (let c = 0; c < r; c++) for (let e = 0; e < c; e++) H[e * r + c] = H[c * r + e]
  return { slope, mass, move: solveShifted(H, 0, slope) }
}

// min over queries of max over targets of (ln of what the others weigh beside the target) - level. null where a query brings it
// below 0. Otherwise {value, mass, shares, slope}: no query of norm below value / ‖slope‖ does.
function tiltOf(points, targets, levels) {
  const n = points.length, r = points[0].length
  const P = new Float64Array(n * r)
  points.forEach((point, j) => P.set(point, j * r))
  let beta = targets.length === 1 ? SHARPEST : 4
  let at = tiltAt(P, n, targets, levels, new Array(r).fill(0), beta)
  for (;;) {
    let found = tiltStep(P, n, targets, at, beta)
    for (let step = 0; step < MOST_TILT_STEPS; step++) {
      // 1e-9 below 0 is below it in spite of rounding.
      if (at.worst < -1e-9) return null
      const drop = found.move ? dot(found.slope, found.move) : 0
      // 1e-22: no line search sees so small a decrease.
      if (!(drop > 1e-22)) break
      let t = 1, trial = null
      for (; t > 1e-10; t /= 2) {
        trial = tiltAt(P, n, targets, levels, plus(at.query, found.move, -t), beta)
        if (trial.height <= at.height - 0.25 * t * drop + 1e-15 * (1 + Math.abs(at.height))) break
      }
      if (t <= 1e-10) break
      at = trial
      found = tiltStep(P, n, targets, at, beta)
    }
    if (beta >= SHARPEST || Math.log(targets.length) < 1e-3 * beta * at.worst) {
      let entropy = 0
      at.spread.forEach((p, k) => (entropy -= p > 0 ? at.shares[Math.floor(k / n)] * p * Math.log(p) : 0))
      const value = entropy - dot(at.shares, levels)
      return { value, entropy, mass: found.mass, shares: at.shares, slope: found.slope }
    }
    beta *= 8
    at = tiltAt(P, n, targets, levels, at.query, beta)
  }
}

// ln((1 - w + e) / (w - e)): the most that the rest may weigh beside a target of share w that may lose e.
function levelOf(share, error) {
  return Math.log(Math.max(1 - share + error, 1e-300)) - Math.log(share - error)
}

// null, or why no query comes within the error, whatever its ratios: {indices, weights, bestError}.
export function excluded(points, indices, shares, error) {
  const own = indices.map((_, k) => k).filter((k) => shares[k] > error)
  if (!own.length || points.length < 2) return null
  const { basis } = spanOf(points)
  const seen = points.map((point) => (basis.length ? basis.map((way) => dot(way, point)) : [0]))
  let names = points.map((_, j) => j)
  const levels = own.map((k) => levelOf(shares[k], error))
  // Where the least is only approached by ever longer queries, the weights gather on a face. A few faces are looked at.
  for (let round = 0; round < 4; round++) {
    const place = new Map(names.map((j, k) => [j, k]))
    const tilt = tiltOf(names.map((j) => seen[j]), own.map((k) => place.get(indices[k])), levels)
    if (!tilt) return null
    // Any query that comes within the error is longer than value / slope. 1e9 row lengths are beyond what is drawn or meant, and
    // 1e5 are where a search that finds nothing settles it.
    const reach = tilt.value / Math.max(norm(tilt.slope), 1e-300)
    if (tilt.value > 1e-9 && reach > 1e5) {
      const kept = names.map((_, k) => k).filter((k) => tilt.mass[k] > 1e-9)
      const sum = kept.reduce((all, k) => all + tilt.mass[k], 0)
      return { indices: kept.map((k) => names[k]), weights: kept.map((k) => tilt.mass[k] / sum), sure: reach > 1e9, bestError: refutedBy(tilt, own.map((k) => shares[k]), error) }
    }
    const most = Math.max(...tilt.mass)
    const targets = new Set(own.map((k) => indices[k]))
    // 1e-11: lighter keys lie off the face.
    const face = names.filter((j, k) => tilt.mass[k] > 1e-11 * most || targets.has(j))
    if (face.length === names.length) return null
    names = face
  }
  return null
}

// The largest error that these weights exclude, at least the asked one.
function refutedBy(tilt, shares, error) {
  const used = shares.map((share, k) => [tilt.shares[k], share]).filter(([weight]) => weight > 1e-12)
  let low = error, high = Math.min(...used.map(([, share]) => share))
  // 60 halvings: to the last digit.
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    const fits = high > middle && tilt.entropy > used.reduce((sum, [weight, share]) => sum + weight * levelOf(share, middle), 0)
    if (fits) low = middle
    else high = middle
  }
  return low
}

// Total variation of y from the shares on `indices`, with its slope where the kinks are smoothed by `eta`.
function makeLand(points, indices, shares) {
  const n = points.length, r = points[0].length
  const aim = new Float64Array(n)
  indices.forEach((i, k) => (aim[i] = shares[k]))
  const P = new Float64Array(n * r)
  points.forEach((point, j) => P.set(point, j * r))
  const weights = new Float64Array(n)
  const weigh = (y) => {
    let top = -Infinity, sum = 0
    for (let j = 0, at = 0; j < n; j++) {
      let score = 0
      for (let c = 0; c < r; c++) score += P[at++] * y[c]
      weights[j] = score
      if (score > top) top = score
    }
    for (let j = 0; j < n; j++) sum += weights[j] = Math.exp(weights[j] - top)
    for (let j = 0; j < n; j++) weights[j] /= sum
  }
  const variation = (y) => {
    weigh(y)
    let sum = 0
    for (let j = 0; j < n; j++) sum += Math.abs(weights[j] - aim[j])
    return Number.isFinite(sum) ? sum / 2 : 1
  }
  const smooth = (y, eta) => {
    weigh(y)
    let value = 0, mean = 0
    const pull = new Float64Array(n), slope = new Array(r).fill(0)
    for (let j = 0; j < n; j++) {
      const off = weights[j] - aim[j], size = Math.sqrt(off * off + eta * eta)
      value += size / 2
      pull[j] = off / size / 2
      mean += weights[j] * pull[j]
    }
    for (let j = 0, at = 0; j < n; j++, at += r) {
      const part = weights[j] * (pull[j] - mean)
      if (part) for (let c = 0; c < r; c++) slope[c] += part * P[at + c]
    }
    return { value, slope }
  }
  return { variation, smooth, n, r }
}

// A local minimum of the smoothed variation from y, by quasi-Newton steps (BFGS on the inverse).
function descended(land, y, eta, steps) {
  const { r } = land
  let at = land.smooth(y, eta)
  const inverse = Array.from({ length: r }, (_, c) => Array.from({ length: r }, (_, e) => (c === e ? 1 / (norm(at.slope) + 1e-12) : 0)))
  for (let step = 0; step < steps; step++) {
    let move = inverse.map((row) => -dot(row, at.slope))
    let drop = -dot(move, at.slope)
    if (!(drop > 1e-14)) break
    let t = 1, trial = null, there = null
    for (; t > 1e-6; t /= 2) {
      there = plus(y, move, t)
      trial = land.smooth(there, eta)
      if (trial.value <= at.value - 1e-4 * t * drop) break
    }
    if (t <= 1e-6 || !Number.isFinite(trial.value)) break
    const change = minus(trial.slope, at.slope), moved = times(move, t)
    const seen = dot(change, moved)
    if (seen > 1e-14) {
      const across = inverse.map((row) => dot(row, change)), whole = dot(change, across)
      for (let c = 0; c < r; c++) for (let e = 0; e < r; e++) inverse[c][e] += ((1 + whole / seen) * moved[c] * moved[e] - across[c] * moved[e] - moved[c] * across[e]) / seen
    }
    y = there
    at = trial
  }
  return y
}

// A short query of small total variation from the goal, or the best that was seen: {query, variation}. A search, which proves
// nothing; a quick one where the best is only drawn.
export function leastVariation(points, indices, shares, error, base, quick = false) {
  const { basis } = spanOf(points)
  if (!basis.length) return { query: times(points[0], 0), variation: makeLand(points, indices, shares).variation(points[0]) }
  const plain = points.map((point) => basis.map((way) => dot(way, point)))
  // In coordinates in which the keys spread alike, so that no direction is long before another begins.
  const spread = basis.map((_, c) => Math.sqrt(plain.reduce((sum, row) => sum + row[c] * row[c], 0) / plain.length) || 1)
  const seen = plain.map((row) => row.map((x, c) => x / spread[c]))
  const back = (y) => y.reduce((sum, part, k) => plus(sum, basis[k], part / spread[k]), times(points[0], 0))
  const land = makeLand(seen, indices, shares)
  const { r, n } = land
  const asked = error * (1 - 1e-9)
  // Evaluations cost about n (r + 8) operations; two million are some five milliseconds.
  let budget = Math.floor(2e6 / (n * (r + 8)))
  const cost = (y) => {
    budget -= 1
    return land.variation(y)
  }
  const lengths = quick ? [1, 3] : [0.5, 1, 1.6, 3, 10, 100]
  const starts = []
  const consider = (y) => {
    if (y.every(Number.isFinite)) for (const length of lengths) starts.push({ y: times(y, length), value: cost(times(y, length)) })
  }
  // Least cross-entropy for the shares, and for shares that favour or give up one target: nine tenths move, so that the start
  // lies in another valley.
  const favours = [shares]
  for (let k = 0; k < Math.min(4, shares.length) && shares.length > 1 && !quick; k++) favours.push(shares.map((share, l) => 0.1 * share + (l === k ? 0.9 : 0)), shares.map((share, l) => 0.1 * share + (l === k ? 0 : (0.9 * share) / (1 - shares[k]))))
  favours.forEach((own, f) => {
    const mean = indices.reduce((sum, i, k) => plus(sum, seen[i], own[k]), new Array(r).fill(0))
    const path = makePath(seen.map((point) => minus(point, mean)), seen.map(() => 0), r)
    let z = new Array(r).fill(0)
    for (const ridge of f || quick ? [1e-4] : [1e-2, 1e-4, 1e-6]) {
      z = settledAt(path, z, ridge).z
      budget -= 20
      consider(z)
    }
  })
  if (base) consider(basis.map((way, c) => dot(way, base) * spread[c]))
  starts.sort((a, b) => a.value - b.value)
  const followed = starts.filter((own, k) => k === 0 || own.value - starts[k - 1].value > 1e-6).slice(0, quick ? 1 : 4)
  let best = { y: new Array(r).fill(0), value: cost(new Array(r).fill(0)) }
  const length = (y) => Math.sqrt(y.reduce((sum, part, c) => sum + (part / spread[c]) ** 2, 0))
  // Starts that meet the error as they are; the shortest of them is drawn in as well.
  const meeting = starts.filter((start) => start.value <= asked).sort((a, b) => length(a.y) - length(b.y)).slice(0, 2)
  for (const start of followed) {
    let { y, value } = start
    for (const part of quick ? [0.01] : [0.3, 0.03, 3e-3, 1e-4, 1e-6]) {
      if (value <= asked || budget < 60) break
      const next = descended(land, y, part * Math.max(value, 1e-9), quick ? 20 : 40)
      budget -= 60
      const reached = cost(next)
      if (reached < value) [y, value] = [next, reached]
    }
    if (value < best.value) best = { y, value }
    if (value <= asked) meeting.push({ y, value })
  }
  if (meeting.length && best.value > 0) {
    const drawn = meeting.map((own) => drawnIn(cost, own.y, asked) ?? own.y).sort((a, b) => length(a) - length(b))
    best = shortenedQuery(cost, drawn[0], asked, () => budget, length)
  }
  return { query: back(best.y), variation: best.value }
}

// The first point of the ray to y that is seen to meet the error; null where y does not.
function drawnIn(cost, y, asked) {
  let low = 0, high = 1
  if (cost(y) > asked) return null
  if (cost(times(y, 0)) <= asked) return times(y, 0)
  // 30 halvings: nine digits.
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2
    if (cost(times(y, middle)) <= asked) high = middle
    else low = middle
  }
  return times(y, high)
}

// Shorter queries that still meet the error: along rays near that of y.
function shortenedQuery(cost, y, asked, left, length) {
  for (let step = 0.3; step > 1e-7 && left() > 100 && length(y) > 0; step /= 2) {
    for (let c = 0; c < y.length && left() > 100; c++) for (const way of [1, -1]) {
      const trial = [...y]
      trial[c] += way * step * norm(y)
      // A turned query may be somewhat longer before it is drawn in. Most turns lead nowhere, which one look at that length shows.
      const drawn = drawnIn(cost, times(trial, (1.2 * length(y)) / (length(trial) || 1)), asked)
      if (drawn && length(drawn) < length(y) * (1 - 1e-9)) y = drawn
    }
  }
  return { y, value: cost(y) }
}

// The path of queries z(μ) that minimise lse(B z + a) + ½ μ ‖z‖². As μ falls, z grows and the log-sum-exp falls. The shortest
// query with a given leak, the least leak within a given norm, and the shortest query for keys that move all lie on this path,
// so each is one root in ln μ. The same mathematics as geometry/newton.py and geometry/least_error.py of the library.
import { dot, norm, plus, solveShifted } from "./numbers.js"

// Norms, in units of one over the longest row, past which float64 scores say nothing.
const BEYOND_FLOATS = 1e13
// Newton steps for one μ: three or four are usual, and a bad start takes some thirty.
const MOST_NEWTON_STEPS = 80
// Values of μ: a dozen are usual, and keys that nearly coincide take some forty.
const MOST_PATH_MOVES = 120
// Of ln μ at a time: e^4 is about the factor that a straight path bears.
const LONGEST_PATH_MOVE = 4

// A problem: rows B (k × r) and offsets a (k).
export function makePath(rows, offsets, r) {
  const k = rows.length
  const B = new Float64Array(k * r)
  rows.forEach((row, j) => B.set(row, j * r))
  return { B, a: Float64Array.from(offsets), k, r }
}

// f = lse(B z + a), its weights p and its slope g.
function pointAt(path, z) {
  const { B, a, k, r } = path
  const p = new Float64Array(k), g = new Array(r).fill(0)
  let top = -Infinity
  for (let j = 0, at = 0; j < k; j++) {
    let score = a[j]
    for (let c = 0; c < r; c++) score += B[at++] * z[c]
    p[j] = score
    if (score > top) top = score
  }
  if (!(top > -Infinity)) return { z, f: top, p, g }
  let sum = 0
  for (let j = 0; j < k; j++) sum += p[j] = Math.exp(p[j] - top)
  for (let j = 0, at = 0; j < k; j++, at += r) {
    p[j] /= sum
    // 1e-30: lighter rows cannot be seen in a slope.
    if (p[j] > 1e-30) for (let c = 0; c < r; c++) g[c] += p[j] * B[at + c]
  }
  return { z, f: top + Math.log(sum), p, g }
}

// ∇²f at a point: the rows are centred first, so that it stays positive semi-definite.
function curvature(path, point) {
  const { B, k, r } = path
  const H = new Float64Array(r * r), off = new Float64Array(r)
  for (let j = 0; j < k; j++) {
    const weight = point.p[j]
    // 1e-18: lighter rows do not move a float64 Hessian.
    if (!(weight > 1e-18)) continue
    for (let c = 0; c < r; c++) off[c] = B[j * r + c] - point.g[c]
    for (let c = 0, at = 0; c < r; c++, at += r) {
      const part = weight * off[c]
      for (let e = 0; e <= c; e++) H[at + e] += part * off[e]
    }
  }
  for (let c = 0; c < r; c++) for (let e = 0; e < c; e++) H[e * r + c] = H[c * r + e]
  return H
}

// The minimiser of f + ½ μ ‖z‖² from a point nearby, by Newton's method with a line search. It may end where the next step would
// lower that by no more than a part `loose` of its quadratic term.
function settleAt(path, point, mu, loose = 0) {
  let before = Infinity
  for (let step = 0; step < MOST_NEWTON_STEPS; step++) {
    const H = curvature(path, point)
    const slope = plus(point.g, point.z, mu)
    const move = solveShifted(H, mu, slope)
    const drop = move ? dot(slope, move) : 0
    const now = point.f + 0.5 * mu * dot(point.z, point.z)
    // 1e-12: a decrease this small is below what a line search can see; there full steps are taken while they shrink.
    const near = drop < 1e-12 * (1 + Math.abs(now))
    if (!(drop > 1e-28 * (1 + Math.abs(now))) || drop < loose * Math.min(1, mu * dot(point.z, point.z)) || (near && drop > 0.25 * before)) return { ...point, H }
    before = drop
    let t = 1, trial = pointAt(path, plus(point.z, move, -1))
    // 1e-10: a step this short is rounding.
    while (!near && t > 1e-10 && !(trial.f + 0.5 * mu * dot(trial.z, trial.z) <= now - 0.25 * t * drop + 1e-15 * Math.abs(now))) {
      t /= 2
      trial = pointAt(path, plus(point.z, move, -t))
    }
    if (!Number.isFinite(trial.f) || t <= 1e-10) return { ...point, H }
    point = trial
  }
  return { ...point, H: curvature(path, point) }
}

// Newton's method on z + λ g = 0 and f = c together, from a point near the path; null where it does not converge. A Hessian
// costs much more than a value and a slope, so the one at hand is corrected by what each step shows of it (BFGS).
function bothAt(path, point, mu, c, H) {
  let lambda = 1 / mu, best = Infinity, before = Infinity, stalls = 0, kept = null
  // 25: it converges in five or so, or not at all.
  for (let step = 0; step < 25; step++) {
    const { g, z } = point
    const first = plus(z, g, lambda), second = point.f - c, length = norm(z)
    const off = norm(first) / Math.max(length, 1e-300) + Math.abs(second)
    // What rounding of the scores leaves to be seen, for rows of size 1.
    const seen = 1e-9 + 2 ** -46 * length
    if (length > BEYOND_FLOATS) return null
    if (off <= 2 ** -44 || (off <= seen && off > 0.5 * best)) return point
    if (off > 0.5 * best) stalls += 1
    // 1e-5: a distance at which rounding may end it, because the norm is off by its square.
    if (off < best && off <= 1e-5 && Math.abs(second) <= seen) kept = point
    if (!Number.isFinite(off) || off > 1e3 * Math.max(best, 1e-3) || stalls > 3) break
    // 0.1: steps that come nearer more slowly ask for a new Hessian.
    if (off > 0.1 * before) H = curvature(path, point)
    best = Math.min(best, off)
    before = off
    const u = solveShifted(H, 1 / lambda, first), w = solveShifted(H, 1 / lambda, g)
    const across = w ? dot(g, w) / lambda : 0
    if (!(across > 0)) break
    const change = (second - dot(g, u) / lambda) / across
    const t = change < 0 ? Math.min(1, (0.9 * lambda) / -change) : 1
    const move = plus(u, w, change).map((x) => (-t * x) / lambda)
    lambda += t * change
    point = pointAt(path, plus(z, move))
    H = correctedBy(H, move, point.g, g)
  }
  return kept
}

// H with H·move = the change of slope, and otherwise as it was; H itself where rounding hides the curvature along the move.
function correctedBy(H, move, after, before) {
  const r = move.length
  const along = move.map((_, c) => {
    let sum = 0
    for (let e = 0; e < r; e++) sum += H[c * r + e] * move[e]
    return sum
  })
  let seen = 0
  for (let c = 0; c < r; c++) seen += move[c] * (after[c] - before[c])
  const expected = dot(move, along)
  // f is convex: a curvature below this part of the expected one is rounding.
  if (!(expected > 0 && seen > 1e-8 * expected)) return H
  const out = Float64Array.from(H)
  for (let c = 0; c < r; c++) for (let e = 0; e < r; e++) out[c * r + e] += ((after[c] - before[c]) * (after[e] - before[e])) / seen - (along[c] * along[e]) / expected
  return out
}

// The minimiser for one μ from the query z.
export function settledAt(path, z, mu) {
  return settleAt(path, pointAt(path, z), mu)
}

// Follow the path until `over(point, μ, w)` = {value, rate} is 0, where value > 0 asks for a smaller μ, rate is its derivative in
// ln μ, and w = zᵀ(H + μI)⁻¹z. `over` may say {stop: true}, or name a leak `c` to be met by
// solving for z and μ together near the root. {point, reached}.
function followPath(path, over, start) {
  let point = pointAt(path, start ?? new Array(path.r).fill(0))
  const H = curvature(path, point)
  let trace = 0
  for (let c = 0; c < path.r; c++) trace += H[c * path.r + c]
  let mu = Math.max(dot(point.g, point.g) / Math.max(Math.abs(point.f), 1), trace / path.r, 1e-290)
  let low = -Infinity, high = Infinity, best = null, far = true
  for (let move = 0; move < MOST_PATH_MOVES; move++) {
    // Far from the root a point near the path says well enough where to go. 1e-3 of ln leak is far below the 0.2 that is far.
    point = settleAt(path, point, mu, far ? 1e-3 : 0)
    const tangent = solveShifted(point.H, mu, point.z) ?? point.z
    const { value, rate, stop, tight, c } = over(point, mu, dot(point.z, tangent))
    if (stop || !Number.isFinite(value)) return { point: best ?? point, mu, reached: best !== null }
    if (c !== undefined && Math.abs(value) < 6) {
      const both = bothAt(path, point, mu, c, point.H)
      if (both) return { point: both, mu, reached: true }
    }
    if (far && Math.abs(value) <= 0.2) {
      far = false
      continue
    }
    if (Math.abs(value) <= tight) return { point, mu, reached: true }
    const here = Math.log(mu)
    if (value > 0) high = Math.min(high, here)
    else {
      low = Math.max(low, here)
      best = point
    }
    let step = rate > 1e-14 ? Math.max(-LONGEST_PATH_MOVE, Math.min(LONGEST_PATH_MOVE, -value / rate)) : -Math.sign(value) * LONGEST_PATH_MOVE
    if (!(here + step > low && here + step < high)) step = Number.isFinite(low + high) ? (low + high) / 2 - here : step
    // -660: the logarithm of the smallest normal numbers. 1e-14: no room left between the bounds.
    if (here + step < -660 || high - low < 1e-14) return { point: best ?? point, mu, reached: best !== null }
    const next = Math.exp(here + step)
    // The path is nearly straight in 1/μ.
    const ahead = pointAt(path, plus(point.z, tangent, mu * mu * (1 / next - 1 / mu)))
    const height = (some) => some.f + 0.5 * next * dot(some.z, some.z)
    if (height(ahead) < height(point)) point = ahead
    mu = next
  }
  return { point: best ?? point, mu, reached: best !== null }
}

function sizeOfRows(path) {
  let top = 0
  for (let at = 0; at < path.B.length; at++) top = Math.max(top, Math.abs(path.B[at]))
  return top || 1
}

// What a point of the path proves of every z with f(z) <= c: its norm is at least this (Gibbs' inequality).
function neededNorm(point, c) {
  const ahead = point.f - dot(point.g, point.z) - c
  return ahead > 0 ? ahead / norm(point.g) : 0
}

// The shortest z with lse(B z + a) + 2 m ‖z‖ <= c: keys that stay have m = 0, and m is how far each key may move. {z, f, reached}.
// It is given up where it must be longer than `most`.
export function shortestFor(path, c, m = 0, most = BEYOND_FLOATS) {
  const size = sizeOfRows(path)
  const first = pointAt(path, new Array(path.r).fill(0))
  if (first.f <= c || !path.r) return { ...first, reached: first.f <= c }
  // A hair below the leak, as the library aims, so that the error is met in spite of rounding.
  c -= Math.max(2 ** -40, (path.r + 4) * 2 ** -44)
  const { point, reached } = followPath(path, (at, mu, w) => {
    const length = norm(at.z)
    const value = at.f + 2 * m * length - c
    const rate = mu * w * (mu - (m ? (2 * m) / length : 0))
    const lost = value > 0 && (neededNorm(at, c) * size > most || (m > 0 && mu * length < 2 * m))
    // 2e-14: a query that is off by this part of its leak is off by less in its length.
    return { value, rate, stop: lost, tight: 2e-14 * Math.max(1, Math.abs(c)) + 2e-16 * size * length, c: m ? undefined : c }
  })
  return { ...point, reached }
}

// The z of least lse(B z + a) with ‖z‖ <= ρ.
export function lowestWithin(path, rho) {
  const first = pointAt(path, new Array(path.r).fill(0))
  if (!(rho > 0) || !path.r || !path.k || norm(first.g) === 0) return first
  const size = sizeOfRows(path)
  const { point } = followPath(path, (at, mu, w) => {
    const length = norm(at.z)
    const gap = dot(at.g, at.z) + rho * norm(at.g)
    // No point of the ball lies lower by more than the gap. 1e-14: float64 shows no smaller one.
    if (length <= rho && gap <= 1e-14 * Math.max(1, Math.abs(at.f))) return { value: 0, rate: 0, tight: 0 }
    if (length * size > BEYOND_FLOATS) return { stop: true, value: 0 }
    const value = Math.log(rho / length)
    return { value, rate: (mu * w) / (length * length), tight: 1e-14 }
  })
  const length = norm(point.z)
  // A norm that is too long by rounding is drawn in.
  return length > rho ? pointAt(path, point.z.map((x) => (x * rho) / length)) : point
}

// Where lse(B z + a) is least, as far as float64 sees: the minimiser, or a point far out where ever longer queries do better.
export function lowestOf(path) {
  let point = pointAt(path, new Array(path.r).fill(0))
  if (!path.k || !path.r) return point
  const size = sizeOfRows(path)
  // 300: a minimum that lies ln(1e16) row lengths away is reached in some forty steps.
  for (let step = 0; step < 300; step++) {
    const move = solveShifted(curvature(path, point), 0, point.g)
    const drop = move ? dot(point.g, move) : 0
    if (!(drop > 1e-26)) break
    let t = 1, trial = null
    for (; t > 1e-10; t /= 2) {
      trial = pointAt(path, plus(point.z, move, -t))
      if (trial.f <= point.f - 0.25 * t * drop + 1e-16 * Math.abs(point.f)) break
    }
    if (t <= 1e-10 || !Number.isFinite(trial.f) || norm(trial.z) * size > BEYOND_FLOATS) break
    point = trial
  }
  return point
}

// Hulls: the shortest vector of one and the nearest points of two (Wolfe's method, as geometry/nearest_points.py of the library),
// and exact answers in the plane to whether a key lies in the hull of others, or two hulls meet.
import { dot, hullOf, meanOf, minus, norm, plus, samePoint, spanOf, times, turn } from "./numbers.js"

const HULL_ROUNDING = 2 ** -51
// Corrals for each dimension: Wolfe's method takes some two or three.
const CORRALS_PER_DIMENSION = 60

// Nearest points of the hulls of the points that `members` marks and of the others: {pairs, weights, difference, distance}.
export function nearestPoints(points, members) {
  const centre = meanOf(points)
  const centred = points.map((point) => minus(point, centre))
  const inside = points.filter((_, j) => members[j]), outside = points.filter((_, j) => !members[j])
  const lowest = (x) => {
    let i = -1, j = -1, least = Infinity, most = -Infinity
    for (let k = 0; k < centred.length; k++) {
      const score = dot(centred[k], x)
      if (members[k] && (i < 0 || score < least)) [i, least] = [k, score]
      if (!members[k] && (j < 0 || score > most)) [j, most] = [k, score]
    }
    return { label: [i, j], row: minus(points[i], points[j]) }
  }
  const corral = shortestVector(lowest, minus(meanOf(inside), meanOf(outside)))
  return { pairs: corral.labels, weights: corral.weights, difference: corral.point, distance: norm(corral.point) }
}

// {labels, weights, point}: the shortest vector of a hull whose lowest row along x `lowest(x)` names.
function shortestVector(lowest, towards) {
  const first = lowest(towards)
  let here = { labels: [first.label], rows: [first.row], weights: [1], point: first.row }
  const named = (corral) => corral.labels.map(String).sort().join(" ")
  const seen = new Set([named(here)])
  const touching = (corral) => {
    let top = 0
    for (const row of corral.rows) for (const x of row) top = Math.max(top, Math.abs(x))
    return HULL_ROUNDING * corral.labels.length * top
  }
  for (let step = 0; step < CORRALS_PER_DIMENSION * (first.row.length + 10); step++) {
    const length = norm(here.point)
    if (length <= touching(here)) break
    const { label, row } = lowest(here.point)
    const ahead = dot(here.point, minus(here.point, row))
    if (here.labels.some((old) => String(old) === String(label)) || !(ahead > HULL_ROUNDING * length * norm(row))) break
    const grown = grownBy(here, label, row)
    if (!grown || seen.has(named(grown))) break
    seen.add(named(grown))
    here = grown
  }
  if (norm(here.point) <= touching(here)) here.point = here.rows.reduce((sum, row, k) => plus(sum, row, here.weights[k]), times(here.point, 0))
  return here
}

function grownBy(here, label, row) {
  let labels = [...here.labels, label], rows = [...here.rows, row], weights = [...here.weights, 0]
  while (labels.length) {
    const affine = affineShortest(rows, weights)
    if (!affine) return null
    const { wanted, point } = affine
    if (wanted.every((w) => w > 0)) return { labels, rows, weights: wanted, point }
    let best = Infinity, drop = -1
    wanted.forEach((w, k) => {
      if (w > 0) return
      const step = weights[k] / (weights[k] - w + 2 ** -1000)
      if (step < best) [best, drop] = [step, k]
    })
    weights = weights.map((w, k) => (k === drop ? 0 : w + best * (wanted[k] - w)))
    const kept = weights.map((_, k) => k).filter((k) => weights[k] > 0)
    labels = kept.map((k) => labels[k])
    rows = kept.map((k) => rows[k])
    weights = kept.map((k) => weights[k])
  }
  return null
}

// The shortest vector of the rows' affine hull and its weights; null where the rows are not independent.
function affineShortest(rows, weights) {
  let base = 0
  for (let k = 1; k < weights.length; k++) if (weights[k] > weights[base]) base = k
  const others = rows.map((_, k) => k).filter((k) => k !== base)
  if (others.length > rows[0].length) return null
  const D = others.map((k) => minus(rows[k], rows[base]))
  // 1e-15: rows that depend on one another but for rounding.
  const { basis, names } = spanOf(D, 1e-15)
  if (basis.length < others.length) return null
  // D[names[k]] = Σ_{l <= k} R_kl basis_l, so the weights on them solve a triangular system.
  const along = basis.map((own) => dot(own, rows[base]))
  const parts = new Array(others.length).fill(0)
  for (let l = basis.length - 1; l >= 0; l--) {
    let rest = -along[l]
    for (let k = l + 1; k < basis.length; k++) rest -= parts[names[k]] * dot(D[names[k]], basis[l])
    parts[names[l]] = rest / dot(D[names[l]], basis[l])
  }
  let point = rows[base]
  for (let pass = 0; pass < 2; pass++) for (const own of basis) point = plus(point, own, -dot(own, point))
  const wanted = new Array(rows.length)
  others.forEach((k, l) => (wanted[k] = parts[l]))
  wanted[base] = 1 - parts.reduce((a, b) => a + b, 0)
  return wanted.every(Number.isFinite) ? { wanted, point } : null
}

// Whether key i lies in the hull of the others, exactly for keys in the plane or on a line: null, or the convex weights on at
// most d + 1 keys that make it, and the `face`: the other keys on the smallest face of the hull that holds it.
export function heldBy(keys, i) {
  const d = keys[0].length
  return d <= 2 ? heldInPlane(d === 1 ? keys.map(([x]) => [x, 0]) : keys, i, d) : heldInSpace(keys, i)
}

function heldInPlane(points, i, d) {
  const at = points[i]
  const others = points.map((_, j) => j).filter((j) => j !== i)
  if (!others.length) return null
  const corners = hullOf(points, others)
  const equal = others.filter((j) => samePoint(points[j], at))
  const twins = equal.slice(0, d + 1)
  const even = { indices: twins, weights: twins.map(() => 1 / twins.length) }
  if (corners.length === 1) return equal.length ? { ...even, face: others } : null
  const edges = corners.length === 2 ? [corners] : corners.map((a, k) => [a, corners[(k + 1) % corners.length]])
  const turns = edges.map(([a, b]) => turn(points[a], points[b], at))
  if (corners.length === 2 ? turns[0] !== 0 || !liesBetween(points[corners[0]], at, points[corners[1]]) : turns.some((t) => t < 0)) return null
  const on = edges.filter((_, k) => turns[k] === 0)
  const atCorner = corners.some((j) => samePoint(points[j], at))
  const face = atCorner ? equal : on.length && corners.length > 2 ? others.filter((j) => turn(points[on[0][0]], points[on[0][1]], points[j]) === 0) : others
  if (equal.length) return { ...even, face }
  if (on.length) {
    const [a, b] = on[0]
    const c = Math.abs(points[b][0] - points[a][0]) > Math.abs(points[b][1] - points[a][1]) ? 0 : 1
    const share = (at[c] - points[a][c]) / (points[b][c] - points[a][c])
    return { indices: [a, b], weights: [1 - share, share], face }
  }
  // A triangle of the fan from the first corner.
  const o = corners[0]
  let k = 1
  while (k < corners.length - 2 && turn(points[o], points[corners[k + 1]], at) > 0) k++
  const named = [o, corners[k], corners[k + 1]]
  const area = (a, b) => Math.abs((points[a][0] - at[0]) * (points[b][1] - at[1]) - (points[a][1] - at[1]) * (points[b][0] - at[0]))
  const parts = [area(named[1], named[2]), area(named[2], named[0]), area(named[0], named[1])]
  const sum = parts[0] + parts[1] + parts[2]
  if (!(sum > 0 && sum < Infinity)) return { indices: named, weights: [1 / 3, 1 / 3, 1 / 3], face }
  const kept = [0, 1, 2].filter((t) => parts[t] > 0)
  return { indices: kept.map((t) => named[t]), weights: kept.map((t) => parts[t] / sum), face }
}

function liesBetween(a, x, b) {
  return [0, 1].every((c) => Math.min(a[c], b[c]) <= x[c] && x[c] <= Math.max(a[c], b[c]))
}

// In more dimensions float64 decides: the nearest point of the hull lies as near as rounding can tell.
function heldInSpace(keys, i) {
  const others = keys.map((_, j) => j).filter((j) => j !== i)
  if (!others.length) return null
  const equal = others.filter((j) => samePoint(keys[j], keys[i]))
  const twins = equal.slice(0, keys[0].length + 1)
  if (twins.length) return { indices: twins, weights: twins.map(() => 1 / twins.length), face: null }
  const near = nearestPoints(keys, keys.map((_, j) => j === i))
  let size = 0
  for (const j of others) size = Math.max(size, norm(minus(keys[j], keys[i])))
  // 1e-14 of the farthest key: differences of keys are rounded to about a hundredth of that.
  if (near.distance > 1e-14 * size) return null
  return { indices: near.pairs.map(([, j]) => j), weights: near.weights, face: null }
}

// Whether the hulls of some keys of the plane and of the others meet, exactly.
export function hullsMeet(points, members) {
  const sides = [true, false].map((wanted) => hullOf(points, points.map((_, j) => j).filter((j) => Boolean(members[j]) === wanted)))
  const holds = (corners, at) => {
    if (corners.length === 1) return samePoint(points[corners[0]], at)
    if (corners.length === 2) return turn(points[corners[0]], points[corners[1]], at) === 0 && liesBetween(points[corners[0]], at, points[corners[1]])
    return corners.every((a, k) => turn(points[a], points[corners[(k + 1) % corners.length]], at) >= 0)
  }
  if (sides[1].some((j) => holds(sides[0], points[j])) || sides[0].some((j) => holds(sides[1], points[j]))) return true
  // No corner lies in the other hull, so where they meet, two edges cross.
  const edges = sides.map((corners) => (corners.length < 2 ? [] : corners.map((a, k) => [a, corners[(k + 1) % corners.length]])))
  const apart = (a, b, c, e) => Math.sign(turn(points[a], points[b], points[c])) * Math.sign(turn(points[a], points[b], points[e])) > 0
  return edges[0].some(([a, b]) => edges[1].some(([c, e]) => !apart(a, b, c, e) && !apart(c, e, a, b)))
}

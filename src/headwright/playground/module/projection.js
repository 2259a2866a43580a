// Keys of any dimension in the plane: as they are for d = 2, on a line for d = 1, otherwise in the plane of the goal.
//
// The horizontal axis is the direction of the query, so that the score of a key is scale · |query| · x exactly. The vertical axis
// is what is left, across the query, of the way from the target to the runner-up: the outsider with the largest score.
import { dot } from "./numbers.js"

// Below this share of its own length, what is left of a vector after a subtraction is rounding.
const ROUNDING_SHARE = 1e-9
// Steps of the power iteration. The direction of largest spread is only looked at, so that its last figures do not matter.
const SPREAD_STEPS = 30

// {points: [[x, y], …], axes: [e, f] | null, query: [[x, y], …], head, lost, runner: i | null, labels: {x, y} | null, words: text | null}
//
// `held`: axes of an earlier call. During a drag they stay, because a plane that turns under the hand cannot be used.
// `head`: which of the queries lies along the horizontal axis.
export function projected(scene, seen, held = null, head = 0) {
  const { keys } = scene
  const d = keys[0].length
  const queries = seen?.queries ?? []
  if (d === 2) return { points: keys, axes: null, query: queries, head, lost: 0, labels: null, words: null }
  if (d === 1) {
    const axes = [[1], [0]]
    const flat = (rows) => rows.map(([x]) => [x, 0])
    return { points: flat(keys), axes, query: flat(queries), head, lost: 0, labels: { x: "the only coordinate", y: "" }, words: "The keys have one dimension, so they lie on a line." }
  }
  const about = centredRows(keys)
  const own = held && held[0].length === d ? { axes: held } : axesOfGoal(scene, queries[head], about, queries.length > 1 ? `the query of head ${head + 1}` : "the query")
  const [e, f] = own.axes
  const inPlane = (row) => [alongAxis(row, e), alongAxis(row, f)]
  const lost = lostShare(about, e, f)
  return {
    points: keys.map(inPlane),
    axes: [e, f],
    query: queries.map(inPlane),
    head,
    lost,
    runner: own.runner ?? null,
    labels: own.labels ?? { x: "held while you drag", y: "held while you drag" },
    words: projectionWords(d, lost, own, queries.length, head),
  }
}

function axesOfGoal(scene, query, about, name) {
  const { keys, labels, goal } = scene
  const named = (i) => (labels?.[i] ? `“${labels[i]}” (key ${i})` : `key ${i}`)
  const e = query && unitVector(query)
  const x = e ? `along ${name}` : "along the largest spread of the keys"
  const first = e ?? uprightAxis(largestSpread(about, []))
  const targets = goal?.indices ?? []
  const runner = e ? bestOutsider(keys, first, new Set(targets)) : null
  if (runner !== null && targets.length) {
    const middle = keys[0].map((_, c) => targets.reduce((sum, i) => sum + keys[i][c] / targets.length, 0))
    const f = acrossAxes(keys[runner].map((own, c) => own - middle[c]), [first])
    const from = targets.length > 1 ? "from the targets " : ""
    if (f) return { axes: [first, f], labels: { x, y: `${from}towards the runner-up, ${named(runner)}` }, exact: true, runner }
  }
  return { axes: [first, uprightAxis(largestSpread(about, [first]))], labels: { x, y: "along the largest spread across it" }, exact: Boolean(e) }
}

function bestOutsider(keys, direction, targets) {
  let best = null
  let most = -Infinity
  keys.forEach((key, i) => {
    const score = targets.has(i) ? -Infinity : alongAxis(key, direction)
    if (score > most) [best, most] = [i, score]
  })
  return best
}

// row · axis, without overflow on the way.
function alongAxis(row, axis) {
  const plain = dot(row, axis)
  if (Number.isFinite(plain)) return plain
  const size = largestEntry(row)
  const scaled = size * dot(row.map((x) => x / size), axis)
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, scaled))
}

function largestEntry(row) {
  let most = 0
  for (const x of row) most = Math.max(most, Math.abs(x))
  return most
}

// The vector at length 1; null for one that is 0 or not finite.
function unitVector(row) {
  const size = largestEntry(row)
  if (!(size > 0) || !Number.isFinite(size)) return null
  const scaled = row.map((x) => x / size)
  const length = Math.sqrt(dot(scaled, scaled))
  return scaled.map((x) => x / length)
}

// The part of a vector across orthonormal axes, at length 1; null if nothing but rounding is left. Subtracting twice takes off
// what the first time leaves by rounding.
function acrossAxes(row, axes) {
  let left = unitVector(row)
  if (!left) return null
  for (let round = 0; round < 2; round++) {
    for (const axis of axes) {
      const part = dot(left, axis)
      left = left.map((x, c) => x - part * axis[c])
    }
    if (Math.sqrt(dot(left, left)) < ROUNDING_SHARE) return null
    left = unitVector(left)
  }
  return left
}

// Of the two signs of an axis always the same one: the first of its largest entries is positive.
function uprightAxis(axis) {
  const most = largestEntry(axis)
  const sign = axis.find((x) => Math.abs(x) > (1 - 1e-6) * most) // equal but for rounding
  return sign < 0 ? axis.map((x) => -x) : axis
}

// The keys about their mean, divided by the largest entry so that squares neither overflow nor vanish.
function centredRows(keys) {
  const size = keys.reduce((most, key) => Math.max(most, largestEntry(key)), 0) || 1
  const scaled = keys.map((key) => key.map((x) => x / size))
  const mean = keys[0].map((_, c) => scaled.reduce((sum, key) => sum + key[c], 0) / keys.length)
  const rows = scaled.map((key) => key.map((x, c) => x - mean[c]))
  const most = rows.reduce((own, row) => Math.max(own, largestEntry(row)), 0)
  // Keys that are equal but for rounding have no spread.
  return most > 1e-15 ? rows.map((row) => row.map((x) => x / most)) : rows.map((row) => row.map(() => 0))
}

// The direction across `axes` in which the keys spread most, by power iteration; a coordinate axis if they do not spread.
function largestSpread(about, axes) {
  const without = (row, axis, part) => row.map((x, c) => x - part * axis[c])
  const left = about.map((row) => axes.reduce((own, axis) => without(own, axis, dot(own, axis)), row))
  const longest = left.reduce((best, row) => (dot(row, row) > dot(best, best) ? row : best), left[0])
  let v = dot(longest, longest) > ROUNDING_SHARE ** 2 ? acrossAxes(longest, axes) : null
  for (let step = 0; v && step < SPREAD_STEPS; step++) {
    const sums = v.map(() => 0)
    for (const row of left) {
      const part = dot(row, v)
      for (let c = 0; c < sums.length; c++) sums[c] += part * row[c]
    }
    v = acrossAxes(sums, axes) ?? v
  }
  if (v) return v
  for (let c = 0; c < about[0].length; c++) {
    const found = acrossAxes(about[0].map((_, k) => (k === c ? 1 : 0)), axes)
    if (found) return found
  }
  return about[0].map(() => 0)
}

// The share of the squared spread of the keys about their mean that lies across the plane.
function lostShare(about, e, f) {
  let [all, left] = [0, 0]
  for (const row of about) {
    const [x, y] = [dot(row, e), dot(row, f)]
    for (let c = 0; c < row.length; c++) {
      all += row[c] ** 2
      left += (row[c] - x * e[c] - y * f[c]) ** 2
    }
  }
  return all > 0 ? Math.min(1, left / all) : 0
}

function projectionWords(d, lost, own, heads, head) {
  const percent = lost >= 0.995 ? "More than 99 %" : lost < 0.005 ? "Less than 1 %" : `${Math.round(100 * lost)} %`
  // Counted from 1, as the drawing names the queries.
  const of = heads > 1 ? `Scores of head ${head + 1}` : "Scores"
  return [
    `A projection of ${d} dimensions.`,
    own.labels ? (own.exact ? `${of} are exact along the horizontal axis, but where keys would hide each other.` : "") : "The axes stay as they are while you drag.",
    // What rounding leaves of keys that lie in the plane is a share of about 1e-30.
    lost < 1e-20 ? "The keys lie in this plane, so nothing is lost." : `${percent} of the spread of the keys is not shown, so keys that look close may be far apart. A key inside the outline may still be a corner of the hull of all keys.`,
  ].filter(Boolean).join(" ")
}

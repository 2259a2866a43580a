// Keys that vary: seeded normal numbers, draws of the keys, and what several designs do on the same draws.
import { dot, norm, softmax } from "./numbers.js"
import { sharesOf } from "./design.js"

// A seeded generator of standard normal numbers (a 32-bit mixing generator, then Box and Muller's transformation).
export function normals(seed) {
  let state = seed >>> 0
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  let kept = null
  return () => {
    if (kept !== null) {
      const second = kept
      kept = null
      return second
    }
    const length = Math.sqrt(-2 * Math.log(1 - uniform())), angle = 2 * Math.PI * uniform()
    kept = length * Math.sin(angle)
    return length * Math.cos(angle)
  }
}

// One draw of the keys: `isotropic` is the variance of every coordinate, `along` the variance along the mean of a key.
export function drawKeys(scene, normal) {
  const { isotropic = 0, along = {} } = scene.noise ?? {}
  const spread = Math.sqrt(isotropic)
  return scene.keys.map((key, j) => {
    const variance = along[j] ?? 0, length = norm(key)
    const stretch = variance > 0 && length > 0 ? 1 + (Math.sqrt(variance) * normal()) / length : 1
    return key.map((x) => x * stretch + (spread > 0 ? spread * normal() : 0))
  })
}

// How far weights are from the goal: the total variation, or for a top goal 0 where every head keeps the order and 1 elsewhere.
function errorOf(goal, shares, weights, scores) {
  const targets = new Set(goal.indices)
  if (goal.goal === "top") {
    const kept = scores.every((own) => {
      let least = Infinity, most = -Infinity
      own.forEach((score, j) => (targets.has(j) ? (least = Math.min(least, score)) : (most = Math.max(most, score))))
      return least > most
    })
    return kept ? 0 : 1
  }
  let sum = 0
  for (let j = 0; j < weights.length; j++) if (!targets.has(j)) sum += weights[j]
  if (targets.size === 1) return sum
  goal.indices.forEach((i, k) => (sum += Math.abs(weights[i] - shares[k])))
  return sum / 2
}

// Mean, standard deviation, the share within the asked error, and a histogram of numbers between 0 and 1.
export function summaryOf(errors, asked, bins = 20) {
  const n = errors.length
  const mean = errors.reduce((sum, x) => sum + x, 0) / Math.max(1, n)
  const sd = Math.sqrt(errors.reduce((sum, x) => sum + (x - mean) ** 2, 0) / Math.max(1, n - 1))
  const counts = new Array(bins).fill(0)
  for (const x of errors) counts[Math.min(bins - 1, Math.max(0, Math.floor(x * bins)))] += 1
  return { mean, sd, share: errors.filter((x) => x <= asked).length / Math.max(1, n), counts }
}

// Several designs on the SAME draws: for each {errors, weights (one list for each draw), mean, sd, share, counts}. A design is
// {queries, mix}, or a list of queries that are mixed equally.
export function errorsOf(scene, designs, samples = 400, seed = 1, bins = 20) {
  const normal = normals(seed)
  const shares = scene.goal ? sharesOf(scene.goal) : []
  const heads = designs.map((design) => (Array.isArray(design) ? { queries: design, mix: design.map(() => 1 / design.length) } : design))
  const all = heads.map(() => ({ errors: [], weights: [] }))
  for (let s = 0; s < samples; s++) {
    const keys = drawKeys(scene, normal)
    heads.forEach(({ queries, mix }, k) => {
      const scores = queries.map((query) => keys.map((key) => scene.scale * dot(query, key)))
      const each = scores.map(softmax)
      const weights = keys.map((_, j) => each.reduce((sum, own, h) => sum + mix[h] * own[j], 0))
      all[k].weights.push(weights)
      if (scene.goal) all[k].errors.push(errorOf(scene.goal, shares, weights, scores))
    })
  }
  return all.map(({ errors, weights }) => ({ errors, weights, ...summaryOf(errors, scene.error, bins) }))
}

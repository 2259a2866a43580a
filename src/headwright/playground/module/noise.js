// Keys that vary: seeded normal numbers, draws of the keys, and what several designs do on the same draws.
import { judged } from "./design.js"
import { norm } from "./numbers.js"

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

// What several designs make of the SAME draws: each call returns the next draw as {keys, found}, with {weights, error} for each
// design. A design is {queries, mix}.
export function drawsOf(scene, designs, seed) {
  const normal = normals(seed)
  return () => {
    const keys = drawKeys(scene, normal)
    return { keys, found: designs.map(({ queries, mix }) => judged({ ...scene, keys }, queries, mix)) }
  }
}

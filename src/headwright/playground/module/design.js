// What the module computes of a scene by itself, in float64: queries, weights, error. Nothing here is a proof.
import { dot, hullOf, norm, softmax } from "./numbers.js"

// The wanted weights of a goal.
export function wanted(goal, n) {
  const weights = new Array(n).fill(0)
  const value = (text) => {
    const [top, bottom = "1"] = text.split("/")
    return Number(top) / Number(bottom)
  }
  goal.indices.forEach((i, k) => (weights[i] = goal.shares ? value(goal.shares[k]) : 1 / goal.indices.length))
  return weights
}

export function compute(scene) {
  const { keys, goal, scale } = scene
  const hull = keys[0].length === 2 ? hullOf(keys) : []
  const empty = { status: "no goal", queries: [], mix: [], norm: 0, scores: [], headWeights: [], weights: [], error: null, gap: null, witness: null, bestError: null, radius: null, hull }
  if (!goal) return empty
  // A first query: towards the mean of the targets, away from the mean of the rest.
  const d = keys[0].length
  const mean = (rows) => Array.from({ length: d }, (_, c) => rows.reduce((sum, row) => sum + row[c], 0) / Math.max(1, rows.length))
  const inside = mean(goal.indices.map((i) => keys[i]))
  const outside = mean(keys.filter((_, i) => !goal.indices.includes(i)))
  const queries = scene.queries ?? [inside.map((x, c) => 8 * (x - outside[c]))]
  const mix = queries.map(() => 1 / queries.length)
  const scores = queries.map((query) => keys.map((key) => scale * dot(query, key)))
  const headWeights = scores.map(softmax)
  const weights = keys.map((_, j) => headWeights.reduce((sum, own, h) => sum + mix[h] * own[j], 0))
  const aim = wanted(goal, keys.length)
  const error = weights.reduce((sum, w, j) => sum + Math.abs(w - aim[j]), 0) / 2
  return { ...empty, status: error <= scene.error ? "met" : "missed", queries, mix, norm: Math.max(...queries.map(norm)), scores, headWeights, weights, error }
}

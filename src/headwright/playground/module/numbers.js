// Sums, softmax and the convex hull of points in the plane.

export function dot(a, b) {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}

export function norm(a) {
  return Math.hypot(...a)
}

export function softmax(scores) {
  const top = Math.max(...scores)
  const parts = scores.map((score) => Math.exp(score - top))
  const sum = parts.reduce((a, b) => a + b, 0)
  return parts.map((part) => part / sum)
}

// The corners of the convex hull, counter-clockwise, as indices.
export function hullOf(points) {
  const order = points.map((_, i) => i).sort((i, j) => points[i][0] - points[j][0] || points[i][1] - points[j][1])
  const turn = (o, a, b) =>
    (points[a][0] - points[o][0]) * (points[b][1] - points[o][1]) -
    (points[a][1] - points[o][1]) * (points[b][0] - points[o][0])
  const half = (line) => {
    const kept = []
    for (const i of line) {
      while (kept.length > 1 && turn(kept.at(-2), kept.at(-1), i) <= 0) kept.pop()
      kept.push(i)
    }
    kept.pop()
    return kept
  }
  return order.length < 3 ? order : [...half(order), ...half(order.reverse())]
}

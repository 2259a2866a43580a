// The queries as arrows, and the lines of equal score across them.
import { norm } from "./numbers.js"
import { toPixels } from "./plane_view.js"

// The tip of an arrow stays this far from the edge, so that its number has room.
const INSET = 34
// A shorter arrow could not be read or taken hold of.
const SHORTEST = 30
// How far out of the plane of the drawing a query may point before lines of equal score would mislead.
const FLAT = 1e-6

// How far one may go from a point in a direction until the inset frame.
function roomAlong([x, y], [dx, dy], width, height) {
  const across = dx > 0 ? (width - INSET - x) / dx : dx < 0 ? (INSET - x) / dx : Infinity
  const up = dy > 0 ? (height - INSET - y) / dy : dy < 0 ? (INSET - y) / dy : Infinity
  return Math.max(SHORTEST, Math.min(across, up))
}

// One entry per head: {tail, tip, ratio: true length over drawn length, broken, scaled, long: norm of the query}.
export function arrowsOf(view, queries, flat) {
  const { width, height } = view
  const origin = toPixels(view, [0, 0])
  const isSeen = origin[0] >= 0 && origin[1] >= 0 && origin[0] <= width && origin[1] <= height
  const tail = isSeen ? origin : [width / 2, height / 2]
  return queries.map((query, h) => {
    const [x, y] = flat[h]
    const shown = Math.hypot(x, y)
    const long = norm(query)
    if (!(shown > 0)) return { tail, tip: tail, along: [0, -1], ratio: 1, broken: false, scaled: false, long, flat: false, none: true }
    const along = [x / shown, -y / shown]
    const length = shown * view.unit
    const most = roomAlong(tail, along, width, height)
    const drawn = isSeen ? Math.min(Math.max(length, SHORTEST), most) : Math.min(most, Math.min(width, height) / 3)
    const tip = [tail[0] + along[0] * drawn, tail[1] + along[1] * drawn]
    return { tail, tip, along, ratio: length / drawn, broken: isSeen && length > drawn * 1.001, scaled: length < drawn * 0.999 || !isSeen, long, flat: Math.abs(shown / long - 1) < FLAT, none: false }
  })
}

// Through which keys a line of equal score is drawn for each head: [[head, key], …].
export function levelLines(scene, seen, arrows, spots) {
  const targets = scene.goal?.indices ?? []
  if (targets.length === 0) return []
  const lines = []
  arrows.forEach((arrow, h) => {
    if (!arrow.flat) return
    const scores = seen.scores[h]
    // A head of several copies one target; a single head has a line for each target that has a score of its own.
    const best = targets.reduce((a, b) => (scores[b] > scores[a] ? b : a))
    const chosen = arrows.length > 1 ? [best] : targets
    const levels = []
    for (const i of chosen) {
      const level = spots[i][0] * arrow.along[0] + spots[i][1] * arrow.along[1]
      // Lines within two pixels would look like one that is thick; more than three are a hatching.
      if (levels.length < 3 && levels.every((own) => Math.abs(own - level) > 2)) {
        levels.push(level)
        lines.push([h, i])
      }
    }
  })
  return lines
}

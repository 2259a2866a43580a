// Which part of the plane is seen: from plane units to pixels and back, the view that fits, the ticks of the axes.

// Room for labels, bars and numbers around the outermost keys, in pixels.
const MARGIN = 52
// A query up to this many times as long as the farthest key still widens the view; a longer one is drawn with a break.
const LONGEST_QUERY = 1.3
// Keys that lie this close together for their distance from the origin are seen without the origin.
const FAR_AWAY = 0.02
// Pixels between two ticks, at least.
const TICK_GAP = 56

export function toPixels(view, [x, y]) {
  return [view.width / 2 + (x - view.x) * view.unit, view.height / 2 - (y - view.y) * view.unit]
}

export function toPlane(view, [px, py]) {
  return [view.x + (px - view.width / 2) / view.unit, view.y - (py - view.height / 2) / view.unit]
}

function boxOf(points) {
  const box = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points) {
    box[0] = Math.min(box[0], x)
    box[1] = Math.min(box[1], y)
    box[2] = Math.max(box[2], x)
    box[3] = Math.max(box[3], y)
  }
  return box
}

// Half of what separates two numbers, without overflow.
const halfSpan = (low, high) => high / 2 - low / 2

// The points that the view should hold: keys, tips of queries that are not too long, and the origin where it is near.
export function worthSeeing(points, tips) {
  const box = boxOf(points)
  const spread = Math.max(halfSpan(box[0], box[2]), halfSpan(box[1], box[3]))
  const reach = Math.max(...box.map(Math.abs))
  if (points.length > 1 && spread < FAR_AWAY * reach) return [...points]
  return [...points, [0, 0], ...tips.filter((tip) => Math.hypot(...tip) <= LONGEST_QUERY * reach)]
}

// The view of this size that holds all points.
export function fitted(points, width, height) {
  const [left, bottom, right, top] = boxOf(points)
  const largest = Math.max(Math.abs(left), Math.abs(right), Math.abs(bottom), Math.abs(top))
  // One point, or several in one place, are seen with some of the plane around them; 1e-300 keeps the unit finite.
  const least = Math.max(largest === 0 ? 1 : largest * 1e-9, 1e-300)
  const across = Math.max(halfSpan(left, right), least)
  const up = Math.max(halfSpan(bottom, top), least)
  const unit = Math.min(Math.max(width - 2 * MARGIN, 40) / 2 / across, Math.max(height - 2 * MARGIN, 40) / 2 / up)
  return { x: left / 2 + right / 2, y: bottom / 2 + top / 2, unit, width, height }
}

// Whether a view has lost sight of something, or shows it too small.
export function isPoor(view, points) {
  if (!(view.unit > 0)) return true
  const [left, bottom, right, top] = boxOf(points.map((point) => toPixels(view, point)))
  const edge = MARGIN / 3
  if (left < edge || bottom < edge || right > view.width - edge || top > view.height - edge) return true
  if (points.length < 2 || (left === right && bottom === top)) return false
  // Less than two fifths of the width and of the height: a second glance would be needed.
  return right - left < 0.4 * (view.width - 2 * MARGIN) && top - bottom < 0.4 * (view.height - 2 * MARGIN)
}

// A view on the way from one to another, at t from 0 to 1.
export function between(from, to, t) {
  const eased = t * t * (3 - 2 * t)
  const unit = Math.exp(Math.log(from.unit) * (1 - eased) + Math.log(to.unit) * eased)
  // The centre follows the zoom, so that nothing runs across the screen on the way.
  const share = Math.abs(to.unit / from.unit - 1) < 1e-6 ? eased : (1 / from.unit - 1 / unit) / (1 / from.unit - 1 / to.unit)
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share, unit, width: to.width, height: to.height }
}

// A round number, 1, 2 or 5 times a power of ten, not below this one.
export function roundUp(number) {
  const power = 10 ** Math.floor(Math.log10(number))
  return [1, 2, 5, 10].find((factor) => factor * power >= number * (1 - 1e-9)) * power
}

// {step, power, along: [[number, text], …], up: […]}: ticks of both axes, written in units of 10^power.
export function ticksOf(view) {
  const step = roundUp(TICK_GAP / view.unit)
  const exponent = Math.floor(Math.log10(step) + 1e-9)
  const largest = Math.max(Math.abs(view.x) + view.width / 2 / view.unit, Math.abs(view.y) + view.height / 2 / view.unit)
  const size = Math.floor(Math.log10(largest))
  // Numbers from a thousandth to some ten thousand are read as they are, and so are those that differ late.
  const power = (size >= -2 && size <= 4) || size - exponent > 4 ? 0 : size
  const digits = Math.max(0, power - exponent)
  const line = (centre, size) => {
    const first = Math.ceil((centre - size / 2 / view.unit) / step)
    const last = Math.floor((centre + size / 2 / view.unit) / step)
    const ticks = []
    // Beyond 2^53 steps from the origin neighbouring ticks are the same number.
    if (!(Math.abs(first) < 2 ** 53 && Math.abs(last) < 2 ** 53)) return ticks
    for (let k = first; k <= last; k++) ticks.push([k * step, (power === 0 ? k * step : (k * step) / 10 ** power).toFixed(Math.min(digits, 100)).replace("-", "−")])
    return ticks
  }
  return { step, power, along: line(view.x, view.width), up: line(view.y, view.height) }
}

// A coordinate as a hand can place it: no finer than half a pixel shows.
export function placed(number, unit) {
  const exponent = Math.floor(Math.log10(1 / unit))
  if (exponent < 0 && exponent >= -100) return Number(number.toFixed(-exponent)) + 0
  if (exponent < -100) return number
  const step = 10 ** exponent
  return Math.round(number / step) * step + 0
}

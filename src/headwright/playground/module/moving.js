// How far every key may move, all at once, while the error stays within the asked one. If each key moves by at most t, each
// score moves by at most δ = scale · t · ‖q‖, and every combination of such moves can occur. The total variation is the largest
// α(rest ∪ T) - w(T) over parts T of the targets. It is worst where the scores of rest ∪ T rise by δ and the others fall by δ,
// which multiplies the odds of rest ∪ T by e^{2δ}. For one head that gives δ in closed form (as judging/float_worst.py finds it
// by a root). Several heads see the same moved keys, so adding their worst cases gives a radius that is safe, and may be small.

// Parts of the targets that are looked at; a goal with more has no radius.
const MOST_PARTS = 4096
// For several heads every part is looked at in each of a hundred halvings, so that fewer fit into a frame.
const MOST_PARTS_OF_SEVERAL = 256

// The parts T of the targets that can be worst: of targets with equal shares those with the largest weights. null: too many.
function partsOf(shares, weights) {
  const order = shares.map((_, k) => k).sort((a, b) => shares[a] - shares[b] || weights[b] - weights[a])
  const groups = []
  for (const k of order) {
    if (groups.length && shares[groups.at(-1)[0]] === shares[k]) groups.at(-1).push(k)
    else groups.push([k])
  }
  let parts = [{ share: 0, weight: 0, count: 0 }]
  for (const group of groups) {
    const grown = []
    for (const part of parts) {
      let { share, weight, count } = part
      grown.push(part)
      for (const k of group) {
        share += shares[k]
        weight += weights[k]
        count += 1
        grown.push({ share, weight, count })
      }
      if (grown.length > MOST_PARTS) return null
    }
    parts = grown
  }
  return parts.filter((part) => part.count < shares.length)
}

// ln of the odds by which one head's weights may be multiplied before the error is reached: 2δ. Infinity where no move reaches
// it, null where there are too many parts.
export function spareOdds(shares, weights, outside, error) {
  const parts = partsOf(shares, weights)
  if (!parts) return null
  const whole = weights.reduce((a, b) => a + b, 0)
  let least = Infinity
  for (const { share, weight } of parts) {
    const level = error + share, up = outside + weight, down = whole - weight
    if (level < 1 && up > 0) least = Math.min(least, Math.log(level) - Math.log1p(-level) + Math.log(Math.max(down, 0)) - Math.log(up))
  }
  return least
}

// The worst total variation of one head where the odds may be multiplied by e^{2δ} = u; 1 where there are too many parts.
export function worstVariation(shares, weights, outside, u) {
  const parts = partsOf(shares, weights)
  if (!parts) return 1
  const whole = weights.reduce((a, b) => a + b, 0)
  let worst = 0
  for (const { share, weight } of parts) {
    const up = u * (outside + weight)
    worst = Math.max(worst, up / (up + whole - weight) - share)
  }
  return worst
}

// A radius for several heads that is safe: each head's worst case is added. null where there are too many parts.
export function safeRadius(shares, targets, heads, mix, lengths, error) {
  const m = targets.length
  if (2 ** m > MOST_PARTS_OF_SEVERAL) return null
  const parts = []
  for (let mask = 0; mask < 2 ** m - 1; mask++) {
    let share = 0
    for (let k = 0; k < m; k++) if (mask & (1 << k)) share += shares[k]
    const raised = heads.map((weights) => {
      const kept = new Set(targets.filter((_, k) => !(mask & (1 << k))))
      let up = 0, down = 0
      weights.forEach((w, j) => (kept.has(j) ? (down += w) : (up += w)))
      return Math.log(up) - Math.log(down)
    })
    parts.push({ share, raised })
  }
  const over = (t) => parts.some(({ share, raised }) => raised.reduce((sum, odds, h) => sum + mix[h] / (1 + Math.exp(-odds - 2 * t * lengths[h])), 0) - share > error)
  if (over(0)) return 0
  let high = 1 / Math.max(...lengths)
  if (!Number.isFinite(high)) return null
  // 60 doublings of one unit of score: no softmax is left undecided there.
  for (let step = 0; step < 60 && !over(high); step++) high *= 2
  if (!over(high)) return null
  let low = 0
  // 60 halvings: to the last digit.
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (over(middle)) high = middle
    else low = middle
  }
  return low
}

// Goals as data: how a choice of keys and shares becomes the goal of a scene. Shares are exact fractions.
import { equalShares } from "./edits.js"
import { addFractions, fraction, fractionValue, readFraction, writeFraction } from "./fractions.js"

// A blend's shares have denominators up to this, which is one part in a hundred.
const FINEST_SHARE = 100n
export const KINDS = ["copy", "average", "blend", "top"]

// Shares in hundredths, at least one each, nearest to the given ones: the largest remainders are rounded up.
function hundredths(shares) {
  const parts = shares.map((text) => fractionValue(text) * 100)
  const whole = parts.map((part) => Math.max(1, Math.floor(part)))
  const order = parts.map((_, k) => k).sort((a, b) => parts[b] - whole[b] - (parts[a] - whole[a]))
  let left = 100 - whole.reduce((sum, part) => sum + part, 0)
  for (let turn = 0; left !== 0; turn++) {
    const k = left > 0 ? order[turn % order.length] : whole.indexOf(Math.max(...whole))
    whole[k] += Math.sign(left)
    left -= Math.sign(left)
  }
  return whole.map((part) => writeFraction(fraction(BigInt(part), FINEST_SHARE)))
}

// The goal of a kind on these keys; null without keys. A blend keeps the shares it is given, otherwise they are equal.
export function goalOf(kind, indices, shares = null) {
  if (!indices.length) return null
  if (kind === "top") return { goal: "top", indices }
  if (kind === "copy") return { goal: "copy", indices: indices.slice(0, 1), shares: ["1"] }
  return { goal: kind, indices, shares: kind === "blend" && shares?.length === indices.length ? shares : equalShares(indices.length) }
}

// The shares after the border between shares k and k + 1 was moved so that share k is about `part`.
export function movedShares(shares, k, part) {
  const both = addFractions(readFraction(shares[k]), readFraction(shares[k + 1]))
  if (both[1] > FINEST_SHARE || shares.some((text) => readFraction(text)[1] > FINEST_SHARE)) return movedShares(hundredths(shares), k, part)
  const bottom = both[1] * (FINEST_SHARE / both[1])
  const units = (both[0] * bottom) / both[1]
  // Two units at least, or the two shares cannot both be positive and change.
  if (units < 2n) return shares
  const wanted = BigInt(Math.round(part * Number(bottom)))
  const first = wanted < 1n ? 1n : wanted > units - 1n ? units - 1n : wanted
  return shares.map((text, j) => (j === k ? writeFraction(fraction(first, bottom)) : j === k + 1 ? writeFraction(fraction(units - first, bottom)) : text))
}

// Why a kind of goal cannot be chosen in this scene, or null.
export function kindRefusal(scene, kind) {
  const targets = scene.goal?.indices.length ?? 0
  if (kind === "blend" && BigInt(targets) > FINEST_SHARE) return "A blend has at most 100 targets here."
  if (kind !== "top") return null
  if (scene.layer) return "The goals of a layer are copies, averages and blends."
  if (targets === scene.keys.length) return "Top must leave out at least one key."
  if (scene.noise) return "Top does not go with noise. Turn off noise first."
  if (scene.radius > 0) return "Top does not go with keys that move. Turn that off first."
  if (scene.queries?.length > 1) return "Top is about the scores of one query, but you have several."
  return null
}

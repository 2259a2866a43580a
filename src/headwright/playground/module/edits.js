// Changes of a scene that touch several of its entries at once: a key more, a key less, another target.
//
// Each takes a scene and returns a new one, or null where there is none.
import { addFractions, fraction, readFraction, timesFraction, writeFraction } from "./fractions.js"
import { MOST_KEYS } from "./scene.js"

// Okabe and Ito's colours, which differ for every kind of sight, then those that lie farthest from them and from one another.
const PALETTE = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#f0e442", "#881144", "#9900ff", "#ccddff", "#0000ff", "#44ee55", "#ee00cc", "#446600", "#770099", "#ffaaaa", "#444466", "#aa4499", "#8877ee", "#ee99ff", "#88bb66", "#00ddcc", "#5544cc", "#cc0044"]
const GREY = "#7f7f7f"
// Tokens that stand for no text: [CLS], <s>.
const SPECIAL = /^(\[.+\]|<.+>)$/
// The library reads shares of any length; twenty digits are as many as a scene may spell.
const LONGEST_SHARE = 20

export function colourOf({ labels, values }, i) {
  if (values) return values[i]
  if (labels && SPECIAL.test(labels[i])) return GREY
  return PALETTE[(labels ? labels.indexOf(labels[i]) : i) % PALETTE.length]
}

// What the colours of tokens mean, where a reader could wonder.
export function colourWords({ labels, values }) {
  if (values || !labels || (new Set(labels).size === labels.length && !labels.some((label) => SPECIAL.test(label)))) return ""
  return "The same token always has the same colour. Special tokens are grey."
}

// The colour that weights mix from the values of the keys.
export function mixedColour(scene, weights) {
  const sum = [0, 0, 0]
  weights.forEach((weight, i) => {
    const colour = colourOf(scene, i)
    for (let c = 0; c < 3; c++) sum[c] += weight * parseInt(colour.slice(1 + 2 * c, 3 + 2 * c), 16)
  })
  return `#${sum.map((part) => Math.max(0, Math.min(255, Math.round(part))).toString(16).padStart(2, "0")).join("")}`
}

// Shares in these ratios with the sum 1, as texts; equal ones where the texts would be too long.
function exactShares(parts) {
  const [top, bottom] = parts.reduce(addFractions)
  const texts = parts.map((part) => writeFraction(timesFraction(part, [bottom, top])))
  if (texts.some((text) => text.split("/").some((digits) => digits.length > LONGEST_SHARE))) return equalShares(parts.length)
  return texts
}

export function equalShares(m) {
  return new Array(m).fill(m === 1 ? "1" : `1/${m}`)
}

// A goal of the same kind for these keys. Keys of a blend keep the ratios of their shares, and a new one takes an equal part.
function goalFor(goal, indices) {
  if (indices.length === 0) return null
  if (goal.goal === "top") return { goal: "top", indices }
  if (goal.goal !== "blend") return { goal: goal.goal, indices, shares: equalShares(indices.length) }
  const old = new Map(goal.indices.map((i, k) => [i, readFraction(goal.shares[k])]))
  const kept = indices.filter((i) => old.has(i))
  if (kept.length === 0) return { goal: "blend", indices, shares: equalShares(indices.length) }
  // The old shares of those that stay have this mean, which a new key takes.
  const mean = timesFraction(kept.map((i) => old.get(i)).reduce(addFractions), fraction(1n, BigInt(kept.length)))
  return { goal: "blend", indices, shares: exactShares(indices.map((i) => old.get(i) ?? mean)) }
}

// The scene with this goal, which in a layer is the goal of the row that is shown.
export function withGoal(scene, goal) {
  const layer = scene.layer === null ? null : scene.layer.map((own, r) => (r === scene.row ? goal : own))
  const targets = goal === null ? 1 : goal.indices.length
  const heads = scene.heads > 1 && goal?.goal !== "top" ? targets : 1
  return { ...scene, goal, layer, heads }
}

// A press on key i: it becomes the target of a copy, and joins or leaves the targets of any other goal.
export function withTarget(scene, i) {
  const { goal } = scene
  if (goal === null) return withGoal(scene, { goal: "copy", indices: [i], shares: ["1"] })
  const named = goal.indices.includes(i)
  if (goal.goal === "copy") return withGoal(scene, named ? null : { goal: "copy", indices: [i], shares: ["1"] })
  const indices = named ? goal.indices.filter((j) => j !== i) : [...goal.indices, i]
  if (goal.goal === "top" && indices.length === scene.keys.length) return null
  return withGoal(scene, goalFor(goal, indices))
}

export function withKey(scene, point) {
  const n = scene.keys.length
  if (n >= MOST_KEYS) return null
  const spare = () => {
    const used = PALETTE.map((colour) => scene.values.filter((value) => value === colour).length)
    return PALETTE[used.indexOf(Math.min(...used))]
  }
  return {
    ...scene,
    keys: [...scene.keys, point],
    labels: scene.labels === null ? null : [...scene.labels, `key ${n}`],
    values: scene.values === null ? null : [...scene.values, spare()],
    layer: scene.layer === null ? null : [...scene.layer, null],
  }
}

export function withoutKey(scene, i) {
  const n = scene.keys.length
  if (n <= 1) return null
  const rest = (list) => list.filter((_, j) => j !== i)
  const moved = (j) => (j > i ? j - 1 : j)
  const without = (goal) => {
    if (goal === null) return null
    const kept = goalFor(goal, goal.indices.filter((j) => j !== i))
    if (kept === null || (kept.goal === "top" && kept.indices.length === n - 1)) return null
    return { ...kept, indices: kept.indices.map(moved) }
  }
  let { noise } = scene
  if (noise !== null) {
    const along = Object.fromEntries(Object.entries(noise.along).filter(([j]) => Number(j) !== i).map(([j, variance]) => [String(moved(Number(j))), variance]))
    noise = noise.isotropic === 0 && Object.keys(along).length === 0 ? null : { ...noise, along }
  }
  // Colours by index would wander to other keys; the last key is the only one that nobody follows.
  const values = scene.values ?? (i === n - 1 ? null : scene.keys.map((_, j) => colourOf(scene, j)))
  const layer = scene.layer === null ? null : rest(scene.layer).map(without)
  const row = Math.min(moved(scene.row), n - 2)
  const next = {
    ...scene,
    keys: rest(scene.keys),
    labels: scene.labels === null ? null : rest(scene.labels),
    values: values === null ? null : rest(values),
    noise,
    queries: scene.queries === null ? null : scene.queries.slice(0, n - 1),
    steady: scene.steady && noise !== null,
    layer,
    row,
  }
  return withGoal(next, layer === null ? without(scene.goal) : layer[row])
}

// The state of the playground as data: what it may hold, how it is read from strangers, and how it travels in a URL.

// Enough for a sentence of tokens, and few enough to draw and compute within a frame or two.
export const MOST_KEYS = 400
export const MOST_NUMBERS = 100000
const LONGEST_LABEL = 40
// 100,000 numbers of 25 characters fit, with labels; a longer text is not ours.
const LONGEST_TEXT = 4000000

export const FIRST_SCENE = {
  keys: [[0, 0], [4, 0], [0, 4], [5, 5], [2, 1]],
  labels: null,
  values: null,
  goal: { goal: "copy", indices: [3], shares: ["1"] },
  error: 0.01,
  scale: 1,
  max_norm: null,
  heads: 1,
  queries: null,
  noise: null,
  steady: false,
  radius: 0,
  layer: null,
  row: 0,
}

// What is wrong with a scene, or null. Mirrors scene_faults.py: the same rules, order and sentences.
export function faultOf(scene) {
  const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value)
  const finite = (value) => typeof value === "number" && Number.isFinite(value)
  const positive = (value) => finite(value) && value > 0
  const vectors = (rows, width) =>
    Array.isArray(rows) && rows.length > 0 && rows.every((row) => Array.isArray(row) && row.length === width && row.every(finite))
  if (!isObject(scene)) return "The state must be a table of named entries."
  for (const name of Object.keys(scene)) if (!Object.hasOwn(FIRST_SCENE, name)) return `The state has an unknown entry, "${[...name].slice(0, LONGEST_LABEL).join("")}".`
  const { keys, labels, values, goal, error, scale, max_norm, heads, queries, noise, radius, layer, row } = scene
  if (!Array.isArray(keys) || keys.length === 0) return "The keys must be a list of points."
  if (keys.length > MOST_KEYS) return `The playground shows at most ${MOST_KEYS} keys, but ${keys.length.toLocaleString("en")} came.`
  const width = Array.isArray(keys[0]) ? keys[0].length : 0
  if (width < 1) return "Each key must be a list of numbers."
  if (keys.length * width > MOST_NUMBERS) return `The keys may hold at most ${MOST_NUMBERS.toLocaleString("en")} numbers.`
  for (const [i, key] of keys.entries()) {
    if (!Array.isArray(key) || key.length !== width) return `Every key must have ${width} coordinates, as key 0 has, but key ${i} does not.`
    for (const [c, x] of key.entries()) if (!finite(x)) return `The keys must be finite numbers, but entry [${i}, ${c}] is not.`
  }
  const n = keys.length
  if (labels !== null && !(Array.isArray(labels) && labels.length === n && labels.every((text) => typeof text === "string" && text.length <= LONGEST_LABEL)))
    return `The labels must be one text of at most ${LONGEST_LABEL} characters for each key.`
  if (values !== null && !(Array.isArray(values) && values.length === n && values.every((text) => typeof text === "string" && /^#[0-9a-f]{6}$/.test(text))))
    return "The values must be one colour such as #0072b2 for each key."
  const goals = [goal, ...(Array.isArray(layer) ? layer : [])]
  for (const own of goals) {
    const wrong = own === null ? null : faultOfGoal(own, n)
    if (wrong) return wrong
  }
  if (!finite(error) || error <= 0 || error >= 1) return "The error must lie between 0 and 1."
  if (!positive(scale)) return "The scale must be a positive number."
  if (max_norm !== null && !positive(max_norm)) return "The norm budget must be a positive number."
  if (!Number.isInteger(heads) || heads < 1 || heads > n) return "The number of heads must be 1, or the number of targets."
  if (queries !== null && !(vectors(queries, width) && queries.length <= n)) return `The queries must be vectors of ${width} finite numbers.`
  if (noise !== null) {
    const along = isObject(noise) && isObject(noise.along) ? Object.entries(noise.along) : null
    if (!along || !finite(noise.isotropic) || noise.isotropic < 0 || Object.keys(noise).length !== 2) return "The noise must have a variance in every direction, 0 or more, and variances along keys."
    for (const [j, variance] of along) if (!/^(0|[1-9]\d{0,5})$/.test(j) || Number(j) >= n || !positive(variance)) return "The noise along a key must be a positive variance for a key that is there."
  }
  if (typeof scene.steady !== "boolean") return "The entry steady must be true or false."
  if (!finite(radius) || radius < 0) return "The radius must be 0 or more."
  if (layer !== null && !(Array.isArray(layer) && layer.length === n)) return "A layer must have a goal, or none, for each token."
  if (!Number.isInteger(row) || row < 0 || row >= n) return "The row must be one of the tokens."
  return null
}

function faultOfGoal(goal, n) {
  const names = typeof goal === "object" && goal !== null ? goal.indices : null
  if (!Array.isArray(names) || names.length === 0 || !names.every((i) => Number.isInteger(i) && i >= 0)) return "The goal must name at least one key."
  if (new Set(names).size < names.length) return "The goal must name each key once."
  if (names.some((i) => i >= n)) return `The goal names key ${Math.max(...names)}, but there are only ${n} keys.`
  if (!["copy", "average", "blend", "top"].includes(goal.goal)) return "The goal must be copy, average, blend or top."
  if (goal.goal === "top") return names.length === n ? "A top goal must leave out at least one key." : null
  const share = /^\d{1,20}(\/[1-9]\d{0,19})?$/
  if (!Array.isArray(goal.shares) || goal.shares.length !== names.length || !goal.shares.every((text) => typeof text === "string" && share.test(text) && !/^0+(\/|$)/.test(text)))
    return "The goal must have a positive share, such as \"1/2\", for each key that it names."
  if (goal.goal === "copy" && names.length !== 1) return "A copy goal must name one key."
  const exact = goal.shares.map((text) => text.split("/").map(BigInt))
  const [top, bottom] = exact.reduce(([a, b], [c, d = 1n]) => [a * d + c * b, b * d], [0n, 1n])
  if (top !== bottom) return "The shares of the goal must add up to 1."
  const [first, whole = 1n] = exact[0]
  return goal.goal === "average" && exact.some(([c, d = 1n]) => c * whole !== first * d) ? "The shares of an average must be equal." : null
}

// {scene} or {problem}: a scene from text, with what is missing filled in.
export function readScene(text) {
  if (text.length > LONGEST_TEXT) return { problem: "The state is too long to be read." }
  let data
  try {
    data = JSON.parse(text)
  } catch {
    return { problem: "The state in this address is not valid JSON." }
  }
  const scene = data !== null && typeof data === "object" && !Array.isArray(data) ? { ...FIRST_SCENE, goal: null, ...data } : data
  const problem = faultOf(scene)
  return problem ? { problem } : { scene }
}

// What the fragment of a URL asks for: {scene}, {step}, {problem} or {}.
export function readFragment(fragment) {
  const [name, ...rest] = fragment.replace(/^#/, "").split("=")
  const value = rest.join("=")
  if (name === "step") return { step: value }
  if (name !== "scene") return {}
  try {
    return readScene(decodeURIComponent(value))
  } catch {
    return { problem: "The state in this address is damaged." }
  }
}

export function fragmentOf(scene) {
  const told = Object.fromEntries(Object.entries(scene).filter(([name, value]) => name === "goal" || value !== FIRST_SCENE[name]))
  return `#scene=${encodeURIComponent(JSON.stringify(told))}`
}

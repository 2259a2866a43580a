// Every sentence that the module writes itself. A sentence is a list of parts: texts, and formulas as {formula: […]}.
import { fraction, fractionValue, writeFraction } from "./fractions.js"

// Beyond these a number is written with a power of ten, whose zeros nobody wants to count.
const LARGE = 1e6
const SMALL = 1e-4

// Making a format takes far longer than using it, and a drag writes dozens of numbers a frame.
const formats = new Map()

function formatFor(figures) {
  if (!formats.has(figures)) formats.set(figures, new Intl.NumberFormat("en-GB", { maximumSignificantDigits: figures, useGrouping: true }))
  return formats.get(figures)
}

// The library's sentences with their powers of ten as the page writes them.
export function raisedPowers(text) {
  return text.replace(/(?: · |·)?\b10\^\(?([−-]?\d+)\)?/g, (whole, power) => `${/^[ ·]/.test(whole) ? "·" : ""}10${raised(power.replace("−", "-"))}`)
}

// A number in prose: four significant figures, a true minus sign, and two with a power of ten for the very large and the very small.
export function prose(number, figures = 4) {
  if (number === null || number === undefined || Number.isNaN(number)) return "—"
  if (!Number.isFinite(number)) return number > 0 ? "∞" : "−∞"
  const size = Math.abs(number)
  const sign = number < 0 ? "−" : ""
  if (size === 0) return "0"
  const rounded = Number(size.toPrecision(figures))
  if (rounded < LARGE && rounded >= SMALL) return sign + formatFor(figures).format(rounded)
  const [digits, power] = size.toExponential(figuresOf(size, figures) - 1).split("e")
  const ten = `10${raised(Number(power))}`
  return sign + (Number(digits) === 1 ? ten : `${Number(digits)}·${ten}`)
}

// Beside a power of ten two figures are all that anybody reads.
function figuresOf(size, figures) {
  const rounded = Number(size.toPrecision(figures))
  return rounded < LARGE && rounded >= SMALL ? figures : Math.min(figures, 2)
}

export function raised(power) {
  return String(power).replace(/./g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]))
}

// A bound in prose, never stronger than it is: `atLeast` rounds down and `atMost` rounds up. For positive numbers.
function boundWords(number, wanted, way) {
  const figures = figuresOf(number, wanted)
  const near = Number(number.toPrecision(figures))
  if (!(number > 0) || !Number.isFinite(number) || way * (near - number) >= 0) return prose(number, figures)
  const unit = 10 ** (Math.floor(Math.log10(number)) - figures + 1)
  return prose(near + way * unit, figures)
}

function atLeast(number, figures = 4) {
  return boundWords(number, figures, -1)
}

function atMost(number, figures = 4) {
  return boundWords(number, figures, 1)
}

export function nameOf(scene, i) {
  return scene.labels?.[i] ?? `key ${i}`
}

// The name at the beginning of a sentence. A label is somebody's own text and stays as it is.
function titleOf(scene, i) {
  return scene.labels?.[i] ?? `Key ${i}`
}

// "a", "a and b", "a, b and c".
export function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
}

const VULGAR = { "1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾", "1/5": "⅕", "2/5": "⅖", "3/5": "⅗", "4/5": "⅘", "1/6": "⅙", "5/6": "⅚", "1/8": "⅛", "3/8": "⅜", "5/8": "⅝", "7/8": "⅞" }

// An exact share in prose: ¼, 7/10, or its value where the fraction is too long to read.
export function shareWords(text) {
  if (VULGAR[text]) return VULGAR[text]
  if (text.length <= 9) return text
  return prose(fractionValue(text), 3)
}

// The weights of a witness: the library gives fractions, the page numbers that may be fractions. Either all are written as fractions or none.
export function witnessWeights(weights) {
  const texts = weights.map((weight) => (typeof weight === "string" ? weight : fractionText(weight)))
  return texts.includes(null) ? weights.map((weight) => (typeof weight === "string" ? shareWords(weight) : prose(weight, 3))) : texts.map(shareWords)
}

// A number as a fraction with a denominator that a reader can take in, or null: 1e-9 is far above rounding and far below 1/99 − 1/100.
function fractionText(number) {
  for (let bottom = 1; bottom <= 100; bottom++) {
    const top = Math.round(number * bottom)
    if (top > 0 && Math.abs(number - top / bottom) < 1e-9) return writeFraction(fraction(BigInt(top), BigInt(bottom)))
  }
  return null
}

const norms = (value) => ({ formula: ["‖", "q", "‖", "=", prose(value)] })
const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
const counted = (count) => COUNTS[count] ?? prose(count)

// How many names a sentence holds before it counts instead.
const MOST_NAMES = 4

// What the heads do with the goal, in one sentence.
function weightWords(scene, seen) {
  const { indices } = scene.goal
  const heads = seen.queries.length
  const gives = heads > 1 ? `${counted(heads)} heads together give` : scene.layer ? `the query of ${nameOf(scene, scene.row)} gives` : "the query gives"
  // Keys that vary have these weights at their mean only.
  const who = scene.noise ? `At the mean of the keys, ${gives}` : capital(gives)
  if (indices.length <= MOST_NAMES) return [`${who} ${listed(indices.map((i) => `${nameOf(scene, i)} a weight of ${prose(seen.weights[i])}`))}.`]
  return [`${who} the ${prose(indices.length)} targets ${prose(indices.reduce((sum, i) => sum + seen.weights[i], 0))} of the weight.`]
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

// Whether the designed query must not feel the noise along keys.
export function isSteady({ steady, noise }) {
  return steady && Object.keys(noise?.along ?? {}).length > 0
}

// Why no query does it. The witness is the library's or the page's own; `away` is how far the target is from the hull of the others.
export function witnessWords(scene, witness, bestError, away = null) {
  const { goal } = scene
  const query = isSteady(scene) ? "steady query" : "query"
  if (goal.goal === "top") return [["The hull of the targets meets the hull of the other keys, so whatever the query, some other key scores as high as a target."]]
  if (!witness && scene.max_norm !== null) return [[`No ${query} within the norm budget of ${prose(scene.max_norm)} gives the targets the ratios that the goal asks for.`]]
  if (!witness && scene.radius > 0 && goal.indices.length === 1) return movedWords(scene, away)
  const sentences = [[reasonWords(scene, witness, query)]]
  if (bestError !== null && bestError !== undefined) {
    if (goal.indices.length === 1) sentences.push([`No ${query} gives it more than ${atMost(1 - bestError)} of the weight.`])
    else sentences.push([`Every ${query} is at least ${atLeast(bestError)} away from the goal in total variation.`])
  }
  return sentences
}

// No query copies a key that can meet the hull of the others while all of them move.
function movedWords(scene, away) {
  const [target] = scene.goal.indices
  const sentences = [[`If every key may move by ${prose(scene.radius)}, no query copies ${nameOf(scene, target)} to within ${prose(scene.error)}.`]]
  if (away === null) return sentences
  sentences.push([`${titleOf(scene, target)} lies about ${prose(away)} from the hull of the other keys. It must be more than ${prose(2 * scene.radius)} away, because key and hull can move towards each other.`])
  return sentences
}

function reasonWords(scene, witness, query) {
  const { indices } = scene.goal
  const [target] = indices
  if (!witness) return `No ${query} gives the targets their shares and leaves every other key behind.`
  const isShort = witness.indices.length <= MOST_NAMES + 1
  const names = isShort ? listed(witness.indices.map((i) => nameOf(scene, i))) : `${prose(witness.indices.length)} keys`
  if (indices.length === 1 && !witness.indices.includes(target)) {
    // A steady query sees the keys without their part along the noise, and there the key is this mean.
    const seen = isSteady(scene) ? "To a steady query, " : ""
    const title = seen ? nameOf(scene, target) : titleOf(scene, target)
    if (witness.indices.length === 1) return `${seen}${title} ${seen ? "looks the same as" : "equals"} ${names}, so both have the same score.`
    const weights = witnessWeights(witness.weights)
    const mean = isShort ? witness.indices.map((i, k) => `${weights[k]} · ${nameOf(scene, i)}`).join(" + ") : `a weighted mean of ${prose(witness.indices.length)} other keys`
    return `${seen}${title} is ${mean}, so its score is a weighted mean of theirs and never above them all.`
  }
  if (!witness.indices.some((i) => indices.includes(i))) return `Whatever the ${query}, a weighted mean of the scores of ${names} equals a weighted mean of the targets' scores, so they cannot all score below the targets.`
  return `Whatever the ${query}, a weighted mean of the scores of ${names} equals a weighted mean of the targets' scores. Either another key scores too high, or the targets miss their shares.`
}

// What the page computed, as sentences.
export function computedWords({ scene, seen }) {
  const { goal } = scene
  if (seen.status === "no goal" || goal === null) return [["Click a key to choose it as the goal."]]
  if (seen.status === "too large") return [["There are too many keys for the page to design a query while you drag."]]
  const own = scene.queries !== null
  if (seen.status === "unreachable" && !own) return [...witnessWords(scene, seen.witness, seen.bestError, seen.away), ...(scene.noise ? [["This is about the keys without their noise."]] : [])]
  if (seen.status === "not found") return [[notFoundWords(scene)]]
  const sentences = []
  const many = seen.queries.length > 1
  if (goal.goal === "top") {
    const above = goal.indices.length === 1 ? `${titleOf(scene, goal.indices[0])} scores` : "Every target scores"
    sentences.push(seen.gap > 0 ? [`${above} above every other key. The smallest score gap is ${prose(seen.gap)}.`] : [`Some other key scores at least as high as a target. The smallest score gap is ${prose(seen.gap)}.`])
  } else {
    sentences.push(weightWords(scene, seen))
    const distance = `${scene.noise ? "There the" : "The"} total variation from the goal is ${prose(seen.error)}`
    sentences.push([seen.error <= scene.error * (1 + 1e-9) ? `${distance}, within the ${prose(scene.error)} allowed.` : `${distance}, more than the ${prose(scene.error)} allowed.`])
  }
  sentences.push([many ? "The longest query has the norm " : own ? "Your query has the norm " : "The query has the norm ", norms(seen.norm), "."])
  return sentences
}

function notFoundWords(scene) {
  if (scene.heads > 1 && !scene.queries) return "The page found no copying query for some target. A key inside the hull of the other keys cannot be copied."
  const which = scene.radius > 0 ? ` however each key moves by at most ${prose(scene.radius)}` : ""
  return `The page found no ${isSteady(scene) ? "steady " : ""}query that meets the goal${which}. That proves nothing: there may be one.`
}

// How far the keys may move. Below a badge that is valid, only what the library proved is said.
export function radiusWords({ scene, seen, answer, fresh }) {
  if (scene.goal === null || seen.status !== "met" || scene.noise || scene.layer) return null
  const top = scene.goal.goal === "top"
  const holds = top ? "every target still scores above every other key" : `the error stays within ${atMost(scene.error)}`
  if (scene.radius > 0 && !top) {
    if (fresh) return null
    // A designed query withstands the moves; one's own may not.
    if (scene.queries && seen.radius === null) return null
    if (!scene.queries || seen.radius >= scene.radius) return `The error stays within ${atMost(scene.error)} however each key moves by at most ${prose(scene.radius)}.`
    return seen.radius > 0 ? `The error stays within ${atMost(scene.error)} while every key moves by at most ${atLeast(seen.radius, 3)}, but moves of up to ${prose(scene.radius)} are allowed for.` : `Your query uses up the error, but moves of up to ${prose(scene.radius)} are allowed for.`
  }
  const radius = fresh ? (answer.radius?.low ?? null) : (seen.radius ?? null)
  if (radius === null) return null
  if (radius <= 0) return top ? null : `${scene.queries === null ? "The shortest query" : "Your query"} uses up the error, so no key may move.`
  const words = `very key may move by ${atLeast(radius, 3)}, all at once, and ${holds}.`
  return fresh ? `Proved: e${words}` : `E${words}`
}

// The probability that the error is met when the keys vary. `chance` is what the page knows of it: an integral over the one length
// that varies, or null.
export function chanceWords({ scene, seen, answer, fresh, host }, chance) {
  if (scene.noise === null || scene.goal === null || scene.goal.goal === "top") return null
  const event = `With noise the error stays within ${atMost(scene.error)}`
  const known = fresh ? answer.probability : null
  // The library's own sentence comes first, and says it as a rule.
  if (known && /probability/.test(answer.sentence ?? "")) return null
  if (known?.proved) return `${event} with a probability of ${betweenWords(known)} (proved).`
  if (known) return `${event} with a probability of about ${betweenWords(known)} (estimated, not proved).`
  if (chance !== null) return `${event} with a probability of about ${prose(chance, 3)} (computed, not proved).`
  // The library is still at work. The sentence keeps its place, so that nothing jumps.
  return seen.queries.length && !scene.layer && host !== "file" ? `${event} with a probability of …` : null
}

function betweenWords({ low, high }) {
  const [a, b] = [atLeast(low, 3), atMost(high, 3)]
  return a === b ? a : `${a} to ${b}`
}

// The badge: what is known of this very state, and who says so. A tone names its colour.
const STATUS = {
  proved: ["proved", "Proved"],
  refuted: ["refuted", "Refuted"],
  unreachable: ["unreachable", "Proved impossible"],
  undecided: ["unknown", "Undecided"],
  "not found": ["unknown", "Not found"],
  "no goal": ["unknown", "No goal"],
  error: ["refuted", "Error"],
}

// Whether a norm budget leaves the proved error above the one allowed.
function isAboveAllowed({ scene, answer }) {
  return scene.max_norm !== null && answer.status === "proved" && scene.goal?.goal !== "top" && !scene.noise && answer.bound > scene.error
}

// A proof of less than the error allowed says in the badge how much it proves: [tone, word].
function provedLess({ scene, answer }) {
  if (isAboveAllowed({ scene, answer })) return ["unknown", `Proved error ${atMost(answer.bound, 3)}, above the ${prose(scene.error)} allowed`]
  if (answer.status === "proved" && scene.noise && answer.probability?.low < 1) return ["proved", `Proved: probability at least ${atLeast(answer.probability.low, 3)}`]
  return null
}

export function badgeOf({ scene, answer, fresh, host }) {
  if (host === "file") return scene.goal === null ? { tone: "unknown", word: "No goal" } : { tone: "computed", word: "Computed, not proved" }
  if (answer === null) return { tone: "stale", word: "Checking…" }
  const [tone, word] = STATUS[answer.status] ?? ["unknown", "Checked"]
  if (!fresh) {
    const past = tone === "unknown" || answer.status === "error" ? "Checked" : word
    return { tone: "stale", word: `${past} before the change. Checking…` }
  }
  const [ownTone, ownWord] = provedLess({ scene, answer }) ?? [tone, word]
  return { tone: ownTone, word: ownWord }
}

// The sentences below the badge: the library's own where it speaks of this state, and otherwise the page's.
export function verdictWords(view, chance = null) {
  const { scene, answer, fresh } = view
  const sentences = []
  if (fresh) {
    // The library's sentence holds its reason; an error has the reason alone.
    if (answer.sentence || answer.reason) sentences.push([raisedPowers(answer.sentence || answer.reason)])
    // With a norm budget the proved error is the least there is, which may be more than the one allowed.
    if (isAboveAllowed(view)) sentences.push([`That is more than the ${prose(scene.error)} allowed.`])
    // The library's claim is about the error; a reader looks for the weights.
    const isShown = ["proved", "refuted", "undecided"].includes(answer.status) && scene.goal && scene.goal.goal !== "top"
    if (isShown && answer.weights?.length === scene.keys.length && answer.queries) sentences.push(weightWords(scene, answer))
    const copied = scene.goal?.indices.length === 1
    if (answer.status === "unreachable" && answer.witness && !scene.layer) sentences.push(...witnessWords(scene, answer.witness, copied ? answer.best_error : null))
    // The claim that no query withstands the moves has no witness; what the page sees of it is the reason.
    if (answer.status === "unreachable" && !answer.witness && scene.radius > 0 && copied) sentences.push(...movedWords(scene, view.seen.away).slice(1))
    if (typeof answer.norm === "number" && answer.status !== "unreachable" && answer.status !== "no goal") {
      const longest = (answer.queries?.length ?? 1) > 1 ? "The longest query has the norm " : "The query has the norm "
      const shortest = typeof answer.lower_bound === "number" && answer.status === "proved"
      sentences.push(shortest ? [longest, norms(answer.norm), `. No query shorter than ${atLeast(answer.lower_bound)} does it (proved).`] : [longest, norms(answer.norm), "."])
    }
    if (!sentences.length) sentences.push(...computedWords(view))
  } else sentences.push(...computedWords(view))
  for (const words of [radiusWords(view), chanceWords(view, chance)]) if (words) sentences.push([words])
  return sentences
}

// A verdict as one text, for those who hear it.
export function spokenVerdict(view, chance = null) {
  const { word } = badgeOf(view)
  const sentences = verdictWords(view, chance).map((parts) => parts.map((part) => (typeof part === "string" ? part : part.formula.at(-1))).join(""))
  return `${word}${word.endsWith("…") ? "" : "."} ${sentences.join(" ")}`
}

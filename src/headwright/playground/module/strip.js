// The coin toss, seen: outputs of repeated draws of the keys, each a brick that falls onto the line between the targets' values.
import { compute, wanted } from "./design.js"
import { colourOf, mixedColour } from "./edits.js"
import { madeElement, setText } from "./elements.js"
import { drawsOf } from "./noise.js"
import { cut } from "./plane_labels.js"
import { svgElement } from "./svg.js"
import { listed, nameOf, prose } from "./words.js"

// Draws of a whole run: a share is then known to about 3 %.
const MOST_DRAWS = 300
// Draws whose keys stay in the drawing as ghosts.
export const TRAIL = 30
// Milliseconds from a change to the first draw: a drag draws nothing.
const SETTLED = 250
// Milliseconds between two draws: the first can be followed one by one, the later ones do not flicker.
const SLOW = 320
const FAST = 60
// Heaps along the line, an odd number so that one stands in the middle, bricks side by side in a heap, and rows of an empty strip.
const HEAPS = 21
const ACROSS = 3
const ROWS = 9
// Outputs this near are one heap to the eye.
const LEAST_NEAR = 0.15
const LONGEST_NAME = 14

// Where weights put the output, from 0 (all on the first target) to 1 (all on the others), as if all values were orthogonal and of
// one length. What leaks to other keys then pulls to the middle. For one target: its weight.
export function placeOf({ indices: [first, ...others] }, weights) {
  return others.length ? others.reduce((all, i) => all + weights[i], 1 - weights[first]) / 2 : weights[first]
}

// What an output is near to: "goal", the index of a target that has almost all the weight, or null.
export function nearTo({ indices }, { weights, error }, near) {
  if (error <= near) return "goal"
  return indices.find((i) => weights[i] >= 1 - LEAST_NEAR) ?? null
}

// Long names would make the sentence a line longer when the first figures come.
const shortName = (scene, i) => cut(nameOf(scene, i), LONGEST_NAME).replaceAll(" ", "\u00a0")

// The draws in one sentence.
function countWords(scene, met, near) {
  const { goal } = scene
  const percent = (test) => `${Math.round((100 * met.filter(test).length) / Math.max(met.length, 1))}\u00a0%`
  const parts = goal.indices.length > 2 ? [`${percent((own) => Number.isInteger(own))} near one target alone`] : goal.indices.map((i) => `${percent((own) => own === i || (goal.indices.length === 1 && own === "goal"))} near ${shortName(scene, i)}`)
  if (goal.indices.length > 1) parts.push(`${percent((own) => own === "goal")} within ${prose(near)}`)
  return `${met.length} ${met.length === 1 ? "draw" : "draws"}: ${listed([...parts, `${percent((own) => own === null)} elsewhere`])}.`
}

// One line of heaps. A brick is one unit high, and the pile is scaled to what fits.
function makeHeaps(name) {
  const band = svgElement("rect", { class: "hw-band", y: -1, height: 1 })
  const pile = svgElement("g", { class: "hw-pile" })
  const svg = svgElement("svg", { class: name, viewBox: `0 -1 ${HEAPS * ACROSS} 1`, preserveAspectRatio: "none", "aria-hidden": "true" })
  svg.append(band, pile, svgElement("path", { class: "hw-base", d: `M0 0H${HEAPS * ACROSS}` }))
  let sizes = []
  return {
    svg,
    clear(place, wide) {
      const at = (part) => ACROSS * Math.min(Math.max(0.5 + (HEAPS - 1) * part, 0), HEAPS)
      band.setAttribute("x", at(place - wide))
      band.setAttribute("width", at(place + wide) - at(place - wide))
      sizes = new Array(HEAPS).fill(0)
      pile.replaceChildren()
      pile.style.transform = `scaleY(${0.8 / ROWS})`
    },
    add(place, colour, isHollow, isCalm) {
      const heap = Math.round(Math.min(Math.max(place, 0), 1) * (HEAPS - 1))
      const number = sizes[heap]++
      const row = Math.floor(number / ACROSS)
      // A quarter of the height stays free to fall through.
      const rows = 1.25 * Math.max(ROWS, Math.ceil(Math.max(...sizes) / ACROSS))
      const brick = svgElement("rect", { class: "hw-brick", x: ACROSS * heap + (number % ACROSS) + 0.06, y: -row - 0.94, width: 0.88, height: 0.88, ...(isHollow ? { stroke: colour, fill: "none" } : { fill: colour }) })
      pile.append(brick)
      if (!isCalm) brick.animate([{ transform: `translateY(${row + 1 - rows}px)` }, { transform: "none" }], { duration: 180, easing: "ease-in" })
      pile.style.transform = `scaleY(${1 / rows})`
    },
  }
}

// `tell` is called when the ghosts have changed. `view.compare`, {name, …changes of the scene}, asks for a second line of heaps on the same draws.
export function makeStrip(store, tell = () => {}) {
  const caption = madeElement("p", { class: "hw-note" })
  const own = makeHeaps("hw-heaps")
  const end = () => madeElement("span", {}, madeElement("i", { class: "hw-dot" }), madeElement("span"))
  const ends = [end(), madeElement("span"), end()]
  const other = makeHeaps("hw-heaps hw-beside")
  const otherName = madeElement("p", { class: "hw-note" })
  const count = madeElement("p", { class: "hw-count" })
  const button = madeElement("button", { type: "button", class: "hw-button" }, "Pause")
  const element = madeElement("section", { class: "hw-strip", "aria-label": "Outputs of repeated draws" }, madeElement("div", { class: "hw-line" }, caption, button), own.svg, madeElement("div", { class: "hw-ends" }, ...ends), count, otherName, other.svg)
  const calm = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)") ?? { matches: false }
  let run = null // {text, scene, designs, near, next, met: what each draw came near to, trail: the last draws}
  let frame = 0
  let due = 0
  let isPaused = false
  let isInSight = false

  button.addEventListener("click", () => {
    if (run.met.length >= MOST_DRAWS) start(run)
    else isPaused = !isPaused
    wake()
  })
  const sight = new IntersectionObserver(([{ isIntersecting }]) => {
    isInSight = isIntersecting
    wake()
  })
  sight.observe(element)

  // Each run has a random seed of its own.
  function start({ text, scene, designs, near }, seed = Math.random() * 2 ** 32) {
    const aim = placeOf(scene.goal, wanted(scene.goal, scene.keys.length))
    // The band is one heap wide at least, as a heap is what the eye sees.
    const wide = Math.max(near, 0.5 / (HEAPS - 1))
    run = { text, scene, designs, near, aim, wide, next: drawsOf(scene, designs, seed), met: [], trail: [] }
    isPaused = false
    setText(caption, `One brick a draw. Grey: within ${prose(near)}. Hollow: there, but not within it.`)
    own.clear(aim, wide)
    other.clear(aim, wide)
    setText(count, designs.length ? countWords(scene, [], near) : "There is no query, so there are no outputs.")
    tell()
  }

  function drawOne() {
    const { scene, designs, near, aim, wide, next, met, trail } = run
    const { keys, found } = next()
    designs.forEach((_, k) => {
      const place = placeOf(scene.goal, found[k].weights)
      // What leaks pulls to the middle: such a brick may lie in the band and not be near.
      ;[own, other][k].add(place, mixedColour(scene, found[k].weights), found[k].error > near && Math.abs(place - aim) <= wide, calm.matches)
    })
    met.push(nearTo(scene.goal, found[0], near))
    trail.push({ keys, colour: mixedColour(scene, found[0].weights) })
    if (trail.length > TRAIL) trail.shift()
  }

  const isRunning = () => run !== null && run.designs.length > 0 && run.met.length < MOST_DRAWS && !isPaused && isInSight && element.isConnected
  function wake() {
    button.disabled = !run?.designs.length
    setText(button, run?.met.length >= MOST_DRAWS ? "Draw again" : isPaused ? "Go on" : "Pause")
    if (!frame && isRunning()) frame = requestAnimationFrame(tick)
  }
  // A browser calls no frame of a hidden tab, so that draws pause there.
  function tick(now) {
    frame = 0
    if (isRunning() && now >= due && !document.hidden) {
      due = now + Math.max(FAST, SLOW * 0.92 ** run.met.length)
      do drawOne()
      while (calm.matches && run.met.length < MOST_DRAWS)
      setText(count, countWords(run.scene, run.met, run.near))
      tell()
    }
    wake()
  }

  function nameEnds(scene) {
    const [first, ...others] = scene.goal.indices
    const [left, middle, right] = ends
    const name = (node, words, colour) => {
      node.firstChild.style.background = colour
      setText(node.lastChild, words)
    }
    if (!others.length) {
      name(left, "other keys", "none")
      name(right, `all ${shortName(scene, first)}`, colourOf(scene, first))
    } else {
      name(left, `all ${shortName(scene, first)}`, colourOf(scene, first))
      name(right, others.length === 1 ? `all ${shortName(scene, others[0])}` : "the others", colourOf(scene, others[0]))
    }
    setText(middle, !others.length ? "" : scene.goal.goal !== "average" ? "the goal" : others.length === 1 ? "half each" : "equal parts")
    const aim = placeOf(scene.goal, wanted(scene.goal, scene.keys.length))
    middle.style.left = `${100 * Math.min(Math.max(aim, 0.38), 0.62)}%`
  }

  function update({ scene, seen, question = null, compare = null }) {
    element.hidden = scene.noise === null || scene.goal === null || scene.goal.goal === "top"
    const near = question?.error ?? Math.max(LEAST_NEAR, scene.error)
    const text = element.hidden ? null : JSON.stringify([{ ...scene, labels: null, values: null }, near, compare, seen.queries.length])
    if (!element.hidden) nameEnds(scene)
    if (text === run?.text) return
    if (text === null) {
      run = null
      return tell()
    }
    const beside = compare && seen.queries.length ? compute({ ...scene, queries: null, ...compare }) : null
    const designs = [seen, beside].filter((design) => design?.queries.length)
    element.classList.toggle("hw-compared", compare !== null)
    otherName.hidden = compare === null
    setText(otherName, compare ? `The same draws, ${compare.name}` : "")
    // A line that would only repeat the first keeps its room.
    otherName.style.visibility = other.svg.style.visibility = JSON.stringify(beside?.queries) === JSON.stringify(seen.queries) ? "hidden" : ""
    due = performance.now() + (run === null || calm.matches ? 0 : SETTLED)
    start({ text, scene, designs, near })
    wake()
  }

  return {
    element,
    update,
    // The last draws, the newest last: [{keys, colour}].
    get trail() { return run?.trail ?? [] },
    close() {
      sight.disconnect()
      cancelAnimationFrame(frame)
    },
  }
}

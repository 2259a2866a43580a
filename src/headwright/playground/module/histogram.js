// The error of one head beside several when the keys vary: samples drawn in the page, counted in bins.
import { compute } from "./design.js"
import { madeElement, setText } from "./elements.js"
import { errorsOf } from "./noise.js"
import { svgElement } from "./svg.js"
import { chanceOf } from "./walk_judge.js"
import { prose } from "./words.js"

// Samples of a whole run: the standard error of a share is then about 1 %.
export const MOST_SAMPLES = 2000
// Samples drawn in one frame: about thirty at a time look alive, and 60 keys take a few milliseconds.
const PER_FRAME = 25
// Milliseconds without a change after which samples are counted unasked: a drag counts none.
const PAUSE = 250
// Milliseconds of a frame that this counting takes.
const SLICE = 5
const BINS = 40
const SEED = 18

// The designs that are compared: [{name, queries, mix, met}].
export function comparedDesigns(scene, seen) {
  const named = (name, own) => ({ name, queries: own.queries, mix: own.mix, met: own.status === "met" })
  const designs = []
  const targets = scene.goal?.goal === "top" ? 1 : (scene.goal?.indices.length ?? 0)
  const designed = scene.queries === null && scene.layer === null
  if (targets > 1 && scene.layer === null) {
    const plain = { ...scene, queries: null, steady: false, radius: 0, noise: null }
    const one = designed && !scene.steady && scene.radius === 0 && scene.heads === 1 ? seen : compute({ ...plain, heads: 1 })
    const each = designed && !scene.steady && scene.heads > 1 ? seen : compute({ ...plain, heads: targets })
    designs.push(named("One head", one), named(`${targets} heads, one per target`, each))
    if (one === seen || each === seen) return designs.filter((design) => design.queries.length)
  }
  const name = scene.queries ? "Your own query" : scene.steady ? "The steady query" : "The query"
  designs.push(named(name, seen))
  return designs.filter((design) => design.queries.length)
}

// `tell` is called when a run of samples is over.
export function makeHistogram(store, plane, tell) {
  const button = madeElement("button", { type: "button", class: "hw-button hw-main" }, "Draw samples")
  const count = madeElement("span", { class: "hw-note" })
  const strips = madeElement("div", { class: "hw-strips" })
  const caption = madeElement("p", { class: "hw-note" })
  const element = madeElement("div", { class: "hw-histogram", role: "group", "aria-label": "Error under noise" }, madeElement("div", { class: "hw-line" }, button, count), strips, caption)
  let run = null // {text, designs, errors: [[…]], drawn}
  let frame = 0
  let still = null // a run that is counted unasked, and shown when it is whole
  let resting = 0
  let slicing = 0
  let asked = null // the state that the pause was begun for
  let chance = null // {text, within} of the present queries, where it is an integral

  button.addEventListener("click", () => (frame ? stop() : start()))

  const stateOf = (scene) => JSON.stringify({ ...scene, labels: null, values: null })
  function start() {
    const { scene } = store
    forget()
    run = newRun()
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      draw(run, MOST_SAMPLES)
      show(scene)
      return tell()
    }
    plane?.animate?.(true)
    frame = requestAnimationFrame(step)
    show(scene)
  }
  function stop() {
    cancelAnimationFrame(frame)
    if (frame) plane?.animate?.(false)
    frame = 0
    show(store.scene)
    tell()
  }
  function newRun() {
    const { scene, seen } = store
    const designs = comparedDesigns(scene, seen)
    return { text: stateOf(scene), scene, designs, errors: designs.map(() => []), drawn: 0 }
  }
  function draw(own, samples) {
    const more = errorsOf(own.scene, own.designs, samples, SEED + own.drawn)
    more.forEach(({ errors }, k) => {
      for (const error of errors) own.errors[k].push(error)
    })
    own.drawn += samples
  }

  // When the hand rests, the probability and the histogram are there without a press.
  function rest() {
    resting = 0
    if (!element.isConnected || element.hidden || frame) return
    const { scene, seen } = store
    const text = stateOf(scene)
    const within = scene.layer || !seen.queries.length ? null : chanceOf(scene, seen, scene.goal, scene.error)
    chance = within === null ? null : { text, within }
    if (run?.text !== text || run.drawn < MOST_SAMPLES) {
      still = newRun()
      if (still.designs.length) slicing = requestAnimationFrame(slice)
    }
    if (chance) tell()
  }
  function slice() {
    slicing = 0
    if (!element.isConnected || still === null || stateOf(store.scene) !== still.text) return
    const until = performance.now() + SLICE
    do draw(still, PER_FRAME)
    while (still.drawn < MOST_SAMPLES && performance.now() < until)
    if (still.drawn < MOST_SAMPLES) return void (slicing = requestAnimationFrame(slice))
    run = still
    still = null
    show(store.scene)
    tell()
  }
  function forget() {
    clearTimeout(resting)
    cancelAnimationFrame(slicing)
    resting = slicing = 0
    still = null
  }
  function step() {
    if (!element.isConnected || stateOf(store.scene) !== run.text) return stop()
    draw(run, Math.min(PER_FRAME, MOST_SAMPLES - run.drawn))
    if (run.drawn >= MOST_SAMPLES) return stop()
    show(store.scene)
    frame = requestAnimationFrame(step)
  }

  // One strip: a histogram over [0, most], with the line of the error that is allowed.
  function stripOf(design, errors, most, allowed) {
    const bins = new Array(BINS).fill(0)
    for (const error of errors) bins[Math.min(BINS - 1, Math.floor((error / most) * BINS))] += 1
    const top = Math.max(1, ...bins)
    const svg = svgElement("svg", { viewBox: "0 0 400 64", preserveAspectRatio: "none", class: "hw-bins", "aria-hidden": "true" })
    bins.forEach((number, b) => {
      const height = (58 * number) / top
      const inside = ((b + 0.5) * most) / BINS <= allowed
      if (number) svg.append(svgElement("rect", { x: 10 * b + 0.75, width: 8.5, y: 62 - Math.max(1.5, height), height: Math.max(1.5, height), class: inside ? "hw-bin hw-inside" : "hw-bin" }))
    })
    svg.append(svgElement("line", { x1: 0, x2: 400, y1: 62.5, y2: 62.5, class: "hw-base" }))
    const place = Math.min(399, (400 * allowed) / most)
    svg.append(svgElement("line", { x1: place, x2: place, y1: 0, y2: 64, class: "hw-allowed" }))
    const within = errors.filter((error) => error <= allowed).length / errors.length
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
    const words = `within ${prose(allowed)} in ${prose(100 * within, 3)} % of the samples, mean error ${prose(mean, 3)}`
    return madeElement("figure", { class: "hw-strip-figure" }, madeElement("figcaption", {}, madeElement("strong", {}, design.name), madeElement("span", {}, ` ${words}${design.met ? "" : " (it misses the goal even without noise)"}`)), svg)
  }

  function show(scene) {
    setText(button, frame ? "Stop" : "Draw samples")
    const known = run !== null && run.drawn > 0 && run.text === stateOf(scene)
    setText(count, known ? `${run.drawn.toLocaleString("en")} samples` : "")
    // The strips of another state are pale and keep their place until the new ones are there, so that nothing jumps under a hand.
    strips.classList.toggle("hw-old", !known)
    if (!known) return setText(caption, strips.children.length ? "These are the strips of an earlier state. The samples are being counted again." : "")
    const largest = Math.max(...run.errors.map((errors) => errors.reduce((most, error) => Math.max(most, error), 0)))
    const most = Math.min(1, Math.max(largest, 2 * scene.error) * 1.02)
    strips.replaceChildren(...run.designs.map((design, k) => stripOf(design, run.errors[k], most, scene.error)))
    setText(caption, `Across: the error, from 0 to ${prose(most, 2)}. The dashed line is the error allowed, ${prose(scene.error)}. Estimates from samples, not proofs.`)
  }

  // How often the present queries meet the error, for this very state: {within, samples}, or null.
  function estimate(scene) {
    if (chance !== null && chance.text === stateOf(scene)) return { within: chance.within, samples: null }
    if (run === null || !run.drawn || frame || run.text !== stateOf(scene)) return null
    const k = scene.heads > 1 && run.designs.length === 2 ? 1 : run.designs.length === 2 ? 0 : run.designs.length - 1
    const errors = run.errors[k]
    return errors ? { within: errors.filter((error) => error <= scene.error).length / errors.length, samples: run.drawn } : null
  }

  function update({ scene }) {
    element.hidden = scene.noise === null || scene.goal === null || scene.goal.goal === "top"
    if (frame && (element.hidden || run.text !== stateOf(scene))) stop()
    const text = element.hidden ? null : stateOf(scene)
    if (text !== asked) {
      asked = text
      forget()
      if (text !== null && !frame) resting = setTimeout(rest, PAUSE)
    }
    if (!frame) show(scene)
  }
  return { element, update, estimate }
}

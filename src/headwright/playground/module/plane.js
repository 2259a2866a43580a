// The drawing of a scene: what is seen, what is in hand, and when the view moves.
import { colourWords } from "./edits.js"
import { setText } from "./elements.js"
import { makeDrawing } from "./plane_drawing.js"
import { makeHands } from "./plane_hands.js"
import { arranged, cut, makeRoom, sizesOf, spreadOut } from "./plane_labels.js"
import { arrowsOf } from "./plane_arrows.js"
import { between, fitted, isPoor, toPixels, worthSeeing } from "./plane_view.js"
import { projected } from "./projection.js"
import { makeStrip } from "./strip.js"
import { nameOf } from "./words.js"

// Milliseconds that the view takes to move where it fits again.
const GLIDE = 260
// Up to this many keys each is a stop of the Tab key; of more, only the one that was visited last.
const MOST_STOPS = 12

const HAND_HINT = "Drag a key, or the tip of an arrow. Press a key to make it a target. Press twice on the plane to add a key."
const KEYBOARD_HINT = "Arrow keys move a key or the tip of an arrow (Shift: farther, Alt: finer). Enter makes a key a target. Page Up and Page Down go to other keys. A adds a key, Delete removes one."

export function makePlane(store) {
  const element = document.createElement("div")
  element.className = "hw-plane"
  const drawing = makeDrawing()
  const { svg } = drawing
  const strip = makeStrip(store, () => schedule())
  const tools = document.createElement("div")
  tools.className = "hw-plane-tools"
  const removeButton = document.createElement("button")
  const hint = document.createElement("span")
  const addButton = document.createElement("button")
  for (const button of [addButton, removeButton]) Object.assign(button, { type: "button", className: "hw-button" })
  addButton.textContent = "Add a key"
  const lost = document.createElement("p")
  lost.className = "hw-projection"
  tools.append(addButton, removeButton, hint)
  element.append(svg, strip.element, lost, tools)

  const calm = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)") ?? { matches: false }
  let view = { x: 0, y: 0, unit: 0, width: 640, height: 460 }
  let latest = null
  let glide = null
  let frame = 0
  let chosen = null
  let wantsFocus = null
  let entries = null

  // What the hands see of the drawing.
  const plane = {
    svg,
    shown: [],
    arrows: [],
    projection: { points: [], axes: null },
    get view() { return view },
    // A projection that was held during a drag follows the goal again.
    rest: () => (latest?.projection.axes ? update(latest) : settle()),
    redraw: () => schedule(),
    choose(i) {
      if (chosen === i) return
      chosen = i
      schedule()
    },
    // A new key is there only after the next update, and takes the focus then.
    focus({ key, head }, later = false) {
      if (key !== undefined) chosen = key
      if (later) wantsFocus = key
      else (key === undefined ? drawing.tip(head) : drawing.node(key))?.focus({ preventScroll: true })
      schedule()
    },
  }
  const hands = makeHands(store, plane)
  addButton.addEventListener("click", () => hands.add())
  // Who comes by keyboard reads what the keyboard does.
  const showHint = (isByKeyboard = false) => setText(hint, store.guide?.hint ?? (isByKeyboard ? KEYBOARD_HINT : HAND_HINT))
  svg.addEventListener("focusin", (event) => showHint(!svg.classList.contains("hw-by-hand") && event.target.matches(":focus-visible")))
  svg.addEventListener("focusout", () => showHint())
  removeButton.addEventListener("click", () => hands.remove(chosen))

  function goal() {
    return fitted(store.guide?.frame ?? worthSeeing(latest.projection.points, latest.flatQueries), view.width, view.height)
  }

  // Moves the view where it fits, at once or gliding.
  function fit(isAtOnce = false) {
    if (!latest) return
    const to = goal()
    const from = view
    if (isAtOnce || calm.matches || !(from.unit > 0)) {
      view = to
      glide = null
    } else glide = { from, to, start: null }
    schedule()
  }

  // The view follows only when the hand rests, and only where something is out of sight or hard to see.
  function settle() {
    if (!latest || hands.isDragging) return
    const now = glide?.to ?? view
    if (!(view.unit > 0)) return fit(true)
    // A step of the walk has its frame once and for all.
    if (store.guide) return
    // Keys count here, queries do not: a goal chosen by a press must not move the key from under the pointer.
    if (!isPoor(now, worthSeeing(latest.projection.points, []))) return
    const to = goal()
    const shift = Math.hypot(to.x - now.x, to.y - now.y) * to.unit
    // Less than a pixel or a hundredth is no move.
    if (shift > 1 || Math.abs(Math.log(to.unit / now.unit)) > 0.01) fit()
  }

  function schedule() {
    if (!frame) frame = requestAnimationFrame(tick)
  }

  function tick(now) {
    frame = 0
    if (glide) {
      glide.start ??= now
      const t = Math.min(1, (now - glide.start) / GLIDE)
      view = t === 1 ? glide.to : between(glide.from, glide.to, t)
      if (t === 1) glide = null
    }
    if (latest) draw()
    if (glide) frame = requestAnimationFrame(tick)
  }

  function draw() {
    const { scene, seen, projection, flatQueries } = latest
    const sizes = sizesOf(scene.keys.length)
    const spots = projection.points.map((point) => toPixels(view, point))
    const { shown, shared } = spreadOut(spots, sizes.disc, hands.isDragging ? hands.held : undefined)
    const room = makeRoom(view.width, view.height)
    const arrows = arrowsOf(view, seen.queries, flatQueries)
    if (chosen !== null) chosen = Math.min(chosen, scene.keys.length - 1)
    const lively = new Set([hands.hovered, svg.contains(svg.getRootNode().activeElement) ? chosen : null].filter((i) => i !== undefined && i !== null))
    const whole = { ...latest, view, width: view.width, height: view.height, sizes, spots, shown, shared, room, arrows, lively, chosen: chosen ?? 0, isLive: hands.isLive, isGuided: store.guide !== null, mayTurn: (h) => store.may("turn", h), tabStops: scene.keys.length <= MOST_STOPS, quiet: hands.isDragging }
    Object.assign(plane, { shown, arrows, projection })
    drawing.backdrop(whole)
    drawing.drawGhosts(whole, strip.trail)
    drawing.drawWitness(whole)
    for (const [x, y] of shown) if (x > 0 && y > 0 && x < view.width && y < view.height) room.take([x - sizes.disc, y - sizes.disc, 2 * sizes.disc, 2 * sizes.disc])
    // What is written beside a target stands off the arrows where it can.
    const shafts = makeRoom(view.width, view.height)
    for (const { tail, tip, along, none } of arrows) {
      const long = Math.hypot(tip[0] - tail[0], tip[1] - tail[1])
      for (let back = 0; !none && back < long; back += 8) shafts.take([tip[0] - along[0] * back - 4, tip[1] - along[1] * back - 4, 8, 8])
    }
    // The norms of the queries find their places after the numbers of the targets and before all others.
    entries = arranged({ ...whole, shafts }, entries, () => drawing.drawArrows(whole))
    drawing.drawKeys({ ...whole, entries })
    drawing.drawTicks(whole)
    const words = chosen === null ? "Remove a key" : `Remove ${cut(nameOf(scene, chosen), 16)}`
    setText(removeButton, words)
    removeButton.disabled = chosen === null || scene.keys.length < 2 || !store.may("remove", chosen)
    removeButton.hidden = store.guide?.remove.length === 0
    addButton.hidden = store.guide !== null
    if (wantsFocus !== null && drawing.node(wantsFocus)) {
      drawing.node(wantsFocus).focus({ preventScroll: true })
      wantsFocus = null
    }
  }

  function update(given) {
    // A plane that turned under the hand could not be used.
    const held = hands.isDragging ? plane.projection.axes : null
    const projection = projected(given.scene, given.seen, held)
    const flatQueries = projection.query
    setText(lost, [colourWords(given.scene), projection.words].filter(Boolean).join(" "))
    const old = new Set(latest?.scene.keys)
    const isNew = given.scene.keys.filter((key) => !old.has(key)).length > 1
    latest = { ...given, projection, flatQueries }
    // Other keys altogether are seen as a whole; one key that has moved is followed only out of sight.
    if (isNew) showHint()
    if (isNew && view.unit > 0) fit(store.guide !== null)
    else settle()
    draw()
    strip.update(given)
  }

  // Pixels of the drawing are pixels of the screen, whatever size the style sheet gives it.
  const observer = new ResizeObserver(([{ contentRect: { width, height } }]) => {
    if (!width || !height || (width === view.width && height === view.height)) return
    view = { ...view, width, height }
    if (latest) fit(true)
  })
  observer.observe(svg)

  return {
    element,
    update,
    fit: () => fit(),
    close() {
      strip.close()
      observer.disconnect()
      cancelAnimationFrame(frame)
    },
  }
}

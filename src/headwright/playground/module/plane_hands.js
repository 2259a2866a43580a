// Hands on the drawing: mouse, pen, finger and keyboard. What they do to the scene goes through the store.
import { withKey, withoutKey, withTarget } from "./edits.js"
import { placed, roundUp, toPlane } from "./plane_view.js"

// How near a press must be to a key's centre, in pixels: a finger covers 44, a mouse is exact.
const REACH = { mouse: 16, pen: 22, touch: 26 }
// A press that moves less than this is a click.
const STILL = { mouse: 3, pen: 5, touch: 8 }
// Two presses within this time and distance are a double press.
const TWICE = 400
const TWICE_APART = 28
// A step of an arrow key is about this long on the screen.
const STEP = 4

// `plane` gives: svg, view, shown (where the keys are drawn), arrows, projection, and focus, choose, rest() and redraw().
export function makeHands(store, plane) {
  const { svg } = plane
  let drag = null
  let hover = null
  let lastPress = null
  let pointer = null

  const at = (event) => {
    const box = svg.getBoundingClientRect()
    const { width, height } = plane.view
    return [((event.clientX - box.left) * width) / box.width, ((event.clientY - box.top) * height) / box.height]
  }
  // What a hand may do to a key at all; in the walk the others stand still, and a finger on them scrolls the page.
  const isLive = (i) => ["move", "press", "remove"].some((what) => store.may(what, i))
  const canMove = () => store.scene.keys[0].length === 2 || plane.projection.axes !== null

  // The key or tip nearest to a place within reach: {key: i}, {head: h} or null. A key wins over a tip that lies on it.
  function under([x, y], kind) {
    let best = null
    let least = REACH[kind] ?? REACH.touch
    plane.shown.forEach((spot, i) => {
      if (!isLive(i)) return
      const far = Math.hypot(spot[0] - x, spot[1] - y)
      if (far <= least) [best, least] = [{ key: i }, far]
    })
    plane.arrows.forEach(({ tip }, h) => {
      if (!store.may("turn", h)) return
      const far = Math.hypot(tip[0] - x, tip[1] - y) + 3
      if (far < least) [best, least] = [{ head: h }, far]
    })
    return best
  }

  // A vector moved in the plane of the drawing by plane units.
  function moved(vector, dx, dy, unit) {
    const { axes } = plane.projection
    if (vector.length === 2 && axes === null) return [placed(vector[0] + dx, unit), placed(vector[1] + dy, unit)]
    return vector.map((x, c) => x + dx * (axes[0]?.[c] ?? 0) + dy * (axes[1]?.[c] ?? 0))
  }
  const putKey = (i, key, gesture) => store.change({ keys: store.scene.keys.map((own, j) => (j === i ? key : own)) }, { gesture })
  function putQuery(h, query, gesture) {
    const queries = (store.scene.queries ?? store.seen.queries).map((own, k) => (k === h ? query : own))
    store.change({ queries }, { gesture })
  }

  function finish(isCancelled) {
    if (!drag) return
    const { changed, id } = drag
    drag = null
    if (svg.hasPointerCapture(id)) svg.releasePointerCapture(id)
    svg.classList.remove("hw-dragging")
    if (changed && isCancelled) store.undo()
    store.endGesture()
    plane.rest()
    // Names for screen readers, which waited for the end of the drag.
    plane.redraw()
  }

  svg.addEventListener("pointerdown", (event) => {
    svg.classList.add("hw-by-hand")
    if (drag || (event.pointerType === "mouse" && event.button !== 0)) return
    const place = at(event)
    const found = under(place, event.pointerType)
    if (!found) {
      drag = { id: event.pointerId, empty: true, from: place, moving: false }
      return
    }
    event.preventDefault()
    plane.focus(found)
    const { scene, seen } = store
    const vector = found.key === undefined ? (scene.queries ?? seen.queries)[found.head] : scene.keys[found.key]
    const arrow = plane.arrows[found.head]
    // A query that is drawn shorter than it is keeps that ratio while it is dragged.
    const scale = found.key === undefined ? arrow.ratio / plane.view.unit : 1 / plane.view.unit
    drag = { ...found, id: event.pointerId, from: place, vector, scale, moving: false, changed: false, name: `drag ${event.timeStamp}` }
    svg.setPointerCapture(event.pointerId)
  })

  svg.addEventListener("pointermove", (event) => {
    const place = at(event)
    pointer = event.pointerType === "touch" ? null : place
    if (!drag) {
      const next = under(place, event.pointerType)
      svg.classList.toggle("hw-over", next !== null)
      if (next?.key !== hover?.key || next?.head !== hover?.head) {
        hover = next
        plane.redraw()
      }
      return
    }
    if (event.pointerId !== drag.id) return
    const [dx, dy] = [place[0] - drag.from[0], place[1] - drag.from[1]]
    if (!drag.moving && Math.hypot(dx, dy) <= (STILL[event.pointerType] ?? STILL.touch)) return
    drag.moving = true
    if (drag.empty || !canMove() || (drag.key !== undefined && !store.may("move", drag.key))) return
    drag.changed = true
    svg.classList.add("hw-dragging")
    const next = moved(drag.vector, dx * drag.scale, -dy * drag.scale, 1 / drag.scale)
    if (!next.every(Number.isFinite)) return
    if (drag.key === undefined) putQuery(drag.head, next, drag.name)
    else putKey(drag.key, next, drag.name)
  })

  svg.addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.id) return
    const { key, empty, moving } = drag
    finish(false)
    if (moving) return
    if (key !== undefined) press(key)
    if (!empty) return
    const place = at(event)
    const isSecond = lastPress && event.timeStamp - lastPress.time < TWICE && Math.hypot(place[0] - lastPress.place[0], place[1] - lastPress.place[1]) < TWICE_APART
    lastPress = isSecond ? null : { time: event.timeStamp, place }
    if (isSecond) add(toPlane(plane.view, place))
  })
  svg.addEventListener("pointercancel", (event) => drag && event.pointerId === drag.id && finish(true))
  svg.addEventListener("pointerleave", () => {
    pointer = null
    if (hover && !drag) {
      hover = null
      plane.redraw()
    }
  })
  // A finger on a key drags the key; a finger on the empty plane scrolls the page.
  svg.addEventListener("touchstart", (event) => {
    const touch = event.changedTouches[0]
    if (event.touches.length === 1 && under(at(touch), "touch")) event.preventDefault()
  }, { passive: false })

  function press(i) {
    if (!store.may("press", i)) return
    const next = withTarget(store.scene, i)
    if (next) store.replace(next)
    else store.say("A top goal must leave out at least one key.")
  }

  function add(point) {
    const { scene } = store
    if (!canMove() || store.guide) return
    const { axes, points } = plane.projection
    let key = point.map((x) => placed(x, plane.view.unit))
    if (scene.keys[0].length !== 2 || axes !== null) {
      // Out of the plane of the drawing, a new key lies where the others lie on average.
      const n = scene.keys.length
      const mean = scene.keys[0].map((_, c) => scene.keys.reduce((sum, own) => sum + own[c] / n, 0))
      const centre = [0, 1].map((c) => points.reduce((sum, own) => sum + own[c] / n, 0))
      key = moved(mean, point[0] - centre[0], point[1] - centre[1], plane.view.unit)
    }
    const next = withKey(scene, key)
    if (!next) return store.say(`The playground shows at most ${scene.keys.length} keys.`)
    if (store.replace(next)) plane.focus({ key: scene.keys.length }, true)
  }

  function remove(i) {
    if (!store.may("remove", i)) return
    const next = withoutKey(store.scene, i)
    if (!next) return store.say("At least one key must stay.")
    if (store.replace(next)) plane.focus({ key: Math.min(i, next.keys.length - 1) }, true)
  }

  // Where a key is added without a pointer: near the middle, where no key is.
  function freePlace() {
    const { width, height } = plane.view
    for (let k = 0; k < 200; k++) {
      const [radius, angle] = [14 * Math.sqrt(k), 2.4 * k]
      const place = [width / 2 + radius * Math.cos(angle), height / 2 + radius * Math.sin(angle)]
      if (plane.shown.every((spot) => Math.hypot(spot[0] - place[0], spot[1] - place[1]) > 40)) return place
    }
    return [width / 2, height / 2]
  }

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }
  // A ring around the focus is for those who come by keyboard, also where a press has set the focus by script.
  svg.addEventListener("keydown", () => svg.classList.remove("hw-by-hand"), { capture: true })
  svg.addEventListener("focusout", (event) => event.relatedTarget !== null && !svg.contains(event.relatedTarget) && svg.classList.remove("hw-by-hand"))
  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) return
    const own = event.target.closest?.("[data-key], [data-head]")
    const [key, head] = [own?.dataset.key, own?.dataset.head]
    const done = () => {
      event.preventDefault()
      event.stopPropagation()
    }
    if (event.key === "Escape" && drag) {
      done()
      return finish(true)
    }
    if (drag) return
    if (event.key === "a" || event.key === "A" || event.key === "+") {
      done()
      return add(toPlane(plane.view, pointer ?? freePlace()))
    }
    if (own === null || own === undefined) return
    if (event.key in ARROWS) {
      done()
      if (!canMove()) return
      const [x, y] = ARROWS[event.key]
      const ratio = head === undefined ? 1 : plane.arrows[head].ratio
      const step = roundUp((STEP * ratio) / plane.view.unit) * (event.shiftKey ? 5 : event.altKey ? 0.1 : 1)
      const gesture = `nudge ${key} ${head}`
      if (!store.may(head === undefined ? "move" : "turn", Number(key ?? head))) return
      if (head !== undefined) return putQuery(Number(head), moved((store.scene.queries ?? store.seen.queries)[head], x * step, y * step, 1000 / step), gesture)
      return putKey(Number(key), moved(store.scene.keys[key], x * step, y * step, 1000 / step), gesture)
    }
    if (key === undefined) return
    const [i, n] = [Number(key), store.scene.keys.length]
    const other = { PageDown: (i + 1) % n, PageUp: (i + n - 1) % n, Home: 0, End: n - 1 }[event.key]
    if (other !== undefined) {
      done()
      plane.focus({ key: other })
    } else if (event.key === "Enter" || event.key === " ") {
      done()
      press(i)
    } else if (event.key === "Delete" || event.key === "Backspace") {
      done()
      remove(i)
    }
  })
  svg.addEventListener("focusin", (event) => {
    const key = event.target.closest?.("[data-key]")?.dataset.key
    if (key !== undefined) plane.choose(Number(key))
  })
  svg.addEventListener("focusout", () => !drag && store.endGesture())

  return {
    isLive,
    add: () => add(toPlane(plane.view, freePlace())),
    get isDragging() { return drag?.changed === true },
    get held() { return drag?.key },
    get hovered() { return drag?.key ?? hover?.key },
    remove,
  }
}

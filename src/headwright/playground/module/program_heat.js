// The attention of one head on a word as a square of cells: rows ask, columns answer, BOS comes first.
//
// A word of 50 tokens has 2,601 cells for each head, too many for elements of their own, so that a canvas draws them. The token names
// have canvases of their own, which stay in sight when the square is scrolled.
import { madeElement } from "./elements.js"
import { prose } from "./words.js"

// Pixels of a cell: one that a finger can point at, if the frame has room; a smaller one for longer words; the least that can be seen.
const CELL_SIZES = [[12, 28], [24, 20], [60, 16], [120, 10], [Infinity, 4]]
// Pixels from which a cell has room for its token, or for a ring.
const ROOM_FOR_NAMES = 12
const ROOM_FOR_RINGS = 8
// Pixels of the longest name beside a row.
const WIDEST_NAME = 76

export function makeHeat(title) {
  const canvas = madeElement("canvas", { class: "hw-heat-cells", tabindex: 0, role: "img" })
  const top = madeElement("canvas", { class: "hw-heat-top" })
  const side = madeElement("canvas", { class: "hw-heat-side" })
  const frame = madeElement("div", { class: "hw-heat-frame" }, madeElement("div", { class: "hw-heat-corner" }), top, side, canvas)
  const reading = madeElement("p", { class: "hw-heat-reading", "aria-live": "polite" })
  const element = madeElement("div", { class: "hw-heat" }, frame, reading)
  const resting = "Point at a cell, or use the arrow keys."
  reading.textContent = resting
  let shown = null
  let cell = 0
  let at = null

  const name = (i) => (i === 0 ? "BOS" : shown.tokens[i - 1])
  const placed = (i) => (i === 0 ? "BOS" : `position ${i - 1} “${name(i)}”`)

  function read() {
    if (!at || !shown) return void (reading.textContent = resting)
    const [i, j] = at
    const masked = shown.causal && j > i
    const asks = placed(i)
    reading.textContent = `${asks[0].toUpperCase()}${asks.slice(1)} gives ${placed(j)} ${masked ? "no weight: the mask hides it" : `a weight of ${prose(shown.weights[i * shown.n + j])}`}.`
  }

  function pointed(event) {
    if (!shown) return
    const { left, top: above } = canvas.getBoundingClientRect()
    const [i, j] = [Math.floor((event.clientY - above) / cell), Math.floor((event.clientX - left) / cell)]
    if (i < 0 || j < 0 || i >= shown.n || j >= shown.n) return
    at = [i, j]
    read()
    paint()
  }
  canvas.addEventListener("pointermove", pointed)
  canvas.addEventListener("pointerdown", pointed)
  canvas.addEventListener("pointerleave", () => {
    if (element.getRootNode().activeElement === canvas) return
    at = null
    read()
    paint()
  })
  canvas.addEventListener("focus", () => {
    at ??= [Math.min(1, shown.n - 1), Math.min(1, shown.n - 1)]
    read()
    paint()
  })
  canvas.addEventListener("blur", () => { at = null; read(); paint() })
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key]
    if (!step || !shown) return
    event.preventDefault()
    at = (at ?? [0, 0]).map((own, k) => Math.max(0, Math.min(shown.n - 1, own + step[k])))
    const names = { left: side.offsetWidth, top: top.offsetHeight }
    // The cell comes into sight, clear of the names that stay.
    const [y, x] = [at[0] * cell, at[1] * cell]
    if (y < frame.scrollTop) frame.scrollTop = y
    if (x < frame.scrollLeft) frame.scrollLeft = x
    if (y + cell > frame.scrollTop + frame.clientHeight - names.top) frame.scrollTop = y + cell - frame.clientHeight + names.top
    if (x + cell > frame.scrollLeft + frame.clientWidth - names.left) frame.scrollLeft = x + cell - frame.clientWidth + names.left
    read()
    paint()
  })

  // A drawing surface of this size in CSS pixels, sharp on fine screens, empty.
  function surface(own, width, height) {
    const fine = Math.min(2, globalThis.devicePixelRatio || 1)
    own.width = Math.round(width * fine)
    own.height = Math.round(height * fine)
    own.style.width = `${width}px`
    own.style.height = `${height}px`
    const pen = own.getContext("2d")
    pen.scale(fine, fine)
    return pen
  }

  function paint() {
    if (!shown || !element.isConnected) return
    const { n, weights, selected } = shown
    const style = getComputedStyle(canvas)
    const [colour, ring] = [style.color, style.caretColor]
    const pen = surface(canvas, n * cell, n * cell)
    pen.fillStyle = colour
    const gap = cell >= ROOM_FOR_RINGS ? 1 : 0
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        // The root makes small weights visible; a cell with none keeps a trace, so that the square can be seen.
        pen.globalAlpha = shown.causal && j > i ? 0.02 : 0.06 + 0.94 * Math.sqrt(weights[i * n + j])
        pen.fillRect(j * cell, i * cell, cell - gap, cell - gap)
      }
    }
    pen.globalAlpha = 1
    if (selected && cell >= ROOM_FOR_RINGS) {
      pen.strokeStyle = ring
      pen.lineWidth = 2
      selected.forEach((keys, i) => {
        for (const j of keys.length || !shown.rest ? keys : [-1]) pen.strokeRect((j + 1) * cell + 1.5, (i + 1) * cell + 1.5, cell - 4, cell - 4)
      })
    }
    if (at) {
      pen.strokeStyle = getComputedStyle(reading).color
      pen.lineWidth = 2
      pen.strokeRect(at[1] * cell + 0.5, at[0] * cell + 0.5, cell - 2, cell - 2)
    }
  }

  function paintNames() {
    const { n } = shown
    const font = `${Math.min(13, Math.max(10, cell - 4))}px ui-monospace, "DejaVu Sans Mono", monospace`
    const pen = top.getContext("2d")
    pen.font = font
    const small = cell < ROOM_FOR_NAMES
    // Beside cells without room for a name stand the positions, every tenth or hundredth.
    const each = small ? (n > 150 ? 100 : 10) : 1
    const names = Array.from({ length: n }, (_, i) => (small ? (i === 0 ? "BOS" : (i - 1) % each === 0 ? String(i - 1) : "") : name(i)))
    const elided = (text, room) => {
      if (pen.measureText(text).width <= room) return text
      let kept = [...text]
      while (kept.length > 1 && pen.measureText(`${kept.join("")}…`).width > room) kept = kept.slice(0, -1)
      return `${kept.join("")}…`
    }
    const widths = names.map((text) => pen.measureText(text).width)
    const widest = Math.min(WIDEST_NAME, Math.ceil(Math.max(...widths)) + 8)
    const upright = !small && widths.every((width, i) => i === 0 || width <= cell - 2)
    const colour = getComputedStyle(top).color
    const across = surface(side, widest, n * cell)
    Object.assign(across, { font, fillStyle: colour, textAlign: "right", textBaseline: "middle" })
    names.forEach((text, i) => across.fillText(elided(text, widest - 6), widest - 5, (i + 0.5) * cell))
    const height = upright ? Math.max(widest, cell) : widest
    const down = surface(top, n * cell, height)
    Object.assign(down, { font, fillStyle: colour, textBaseline: "middle" })
    names.forEach((text, j) => {
      down.save()
      down.translate((j + 0.5) * cell, height - 4)
      if (upright && j > 0) {
        down.textAlign = "center"
        down.fillText(text, 0, -6)
      } else {
        down.rotate(-Math.PI / 2)
        down.fillText(elided(text, height - 6), 0, 0)
      }
      down.restore()
    })
  }

  // {n, weights: n × n, tokens, selected: [[key, …] per position] | null, rest: whether BOS stands in for no key, causal}
  function update(next) {
    const before = shown?.n
    shown = next
    const room = CELL_SIZES.find(([most]) => next.n <= most)[1]
    cell = room
    if (at && before !== next.n) at = null
    canvas.setAttribute("aria-label", `Attention of ${title} on this word, ${next.n} by ${next.n} weights. The arrow keys move from cell to cell.`)
    redraw()
    read()
  }
  function redraw() {
    if (!shown || !element.isConnected) return
    paintNames()
    paint()
  }
  return { element, update, redraw }
}

// The largest weight of a position outside the keys that the program selects; outside BOS where it selects none.
export function leakOf({ n, weights, selected }) {
  let most = 0
  selected.forEach((keys, k) => {
    const inside = new Set(keys.length ? keys.map((j) => j + 1) : [0])
    let outside = 0
    for (let j = 0; j < n; j++) if (!inside.has(j)) outside += weights[(k + 1) * n + j]
    most = Math.max(most, outside)
  })
  return most
}

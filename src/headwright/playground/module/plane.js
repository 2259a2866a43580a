// The drawing: keys, hull, query and weights in the plane.
import { colourOf } from "./edits.js"
import { projected } from "./projection.js"
import { nameOf, prose } from "./words.js"

const SVG = "http://www.w3.org/2000/svg"
export function svgElement(name, attributes = {}) {
  const made = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

export function makePlane(store) {
  const element = svgElement("svg", { viewBox: "-10 -10 20 20", class: "hw-plane", role: "group", "aria-label": "Keys in the plane" })
  const layer = svgElement("g", { transform: "scale(1 -1)" })
  element.append(layer)
  let dragged = null

  const place = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(element.getScreenCTM().inverse())
    return [point.x, -point.y]
  }
  element.addEventListener("pointermove", (event) => {
    if (dragged === null) return
    const keys = store.scene.keys.map((key, i) => (i === dragged ? place(event) : key))
    store.change({ keys }, { gesture: "drag" })
  })
  element.addEventListener("pointerup", () => { dragged = null; store.endGesture() })

  function update({ scene, seen }) {
    const { points } = projected(scene, seen)
    layer.replaceChildren()
    layer.append(svgElement("polygon", { points: seen.hull.map((i) => points[i].join(",")).join(" "), class: "hw-hull" }))
    for (const query of seen.queries) layer.append(svgElement("line", { x1: 0, y1: 0, x2: query[0], y2: query[1], class: "hw-query" }))
    points.forEach(([x, y], i) => {
      const key = svgElement("circle", { cx: x, cy: y, r: 0.3, fill: colourOf(scene, i), tabindex: 0, class: "hw-key", "data-key": i, "aria-label": `${nameOf(scene, i)}, weight ${prose(seen.weights[i] ?? 0)}` })
      key.addEventListener("pointerdown", (event) => { dragged = i; element.setPointerCapture(event.pointerId) })
      layer.append(key)
    })
  }
  return { element, update }
}

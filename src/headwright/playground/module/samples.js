// Keys that vary, shown: draws of the keys as ghosts around them, each in the colour of the output it leads to.
import { judged } from "./design.js"
import { mixedColour } from "./edits.js"
import { drawKeys, normals } from "./noise.js"
import { dot } from "./numbers.js"
import { pixel, put, several, svgElement } from "./svg.js"

// Draws that stay on the screen, and milliseconds between two: slow enough to be followed and not to flicker.
const TRAIL = 30
const BEAT = 130
// Where motion is not wanted, this many draws stand still.
const CLOUD = 200

export function makeSamples(layer) {
  const clouds = svgElement("g")
  const strip = svgElement("g", { class: "hw-strip" })
  const caption = svgElement("text", { x: 8 })
  layer.append(clouds, strip, caption)
  const dots = several(clouds, () => svgElement("path", { class: "hw-ghost" }))
  const cells = several(strip, () => svgElement("rect", { width: 7, height: 12 }))
  const normal = normals(20180)
  let trail = []
  let of = null
  let last = 0
  let isOn = false

  // A draw in plane units: the ghosts of the keys that vary, and the colour of the output.
  function oneDraw({ scene, seen, projection }) {
    const keys = drawKeys(scene, normal)
    const { axes, points } = projection
    const ghosts = []
    keys.forEach((key, i) => {
      if (scene.noise.isotropic + (scene.noise.along[i] ?? 0) <= 0) return
      const shift = key.map((x, c) => x - scene.keys[i][c])
      ghosts.push(axes ? [points[i][0] + dot(axes[0], shift), points[i][1] + (axes[1] ? dot(axes[1], shift) : 0)] : [points[i][0] + shift[0], points[i][1] + (shift[1] ?? 0)])
    })
    return { ghosts, colour: seen.queries.length ? mixedColour(scene, judged({ ...scene, keys }, seen.queries, seen.mix).weights) : null }
  }

  function draw({ view }, toPixels) {
    dots(trail.length).forEach((node, k) => {
      put(node, { d: trail[k].ghosts.map((ghost) => toPixels(view, ghost)).map(([x, y]) => `M${pixel(x)} ${pixel(y)}h0`).join("") })
      put(node, { stroke: trail[k].colour, "stroke-opacity": trail.length === CLOUD ? 0.45 : Math.round(100 * (0.15 + (0.8 * (k + 1)) / trail.length)) / 100 })
    })
    put(caption, { y: pixel(view.height - 26), text: trail.some(({ colour }) => colour) ? "outputs of the last samples" : "" })
    // What the last draws gave, as a strip of colours, the newest at the right.
    const shown = trail.slice(-TRAIL)
    cells(shown.length).forEach((node, k) => put(node, { x: 8 + 8 * k, y: view.height - 20, fill: shown[k].colour ?? "none" }))
  }

  return {
    get isOn() { return isOn },
    isDue: (now) => now - last >= BEAT,
    turn(on) {
      isOn = on
      trail = []
    },
    // Called for every frame that is drawn, and for every beat while samples play.
    update(frame, toPixels, now, isCalm) {
      if (!isOn || !frame.scene.noise) trail = []
      else if (isCalm) {
        if (of !== frame.scene || trail.length !== CLOUD) trail = Array.from({ length: CLOUD }, () => oneDraw(frame))
      } else if (now - last >= BEAT) {
        last = now
        trail = [...trail.slice(1 - TRAIL), oneDraw(frame)]
      }
      of = frame.scene
      draw(frame, toPixels)
    },
  }
}

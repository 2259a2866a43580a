// The picture itself: axes, hull, witness, arrows, keys, and their bars and names.
import { colourOf } from "./edits.js"
import { fractionValue } from "./fractions.js"
import { dot, hullOf } from "./numbers.js"
import { levelLines } from "./plane_arrows.js"
import { cut, widthOf } from "./plane_labels.js"
import { ticksOf, toPixels } from "./plane_view.js"
import { FAR, pixel, put, several, svgElement } from "./svg.js"
import { isSteady, nameOf, prose, raised, witnessWeights } from "./words.js"

// Strokes that tell one head from another without colour.
const DASHES = ["none", "9 5", "2 4", "12 4 2 4"]

// Where the norm may stand about the tip of its query: directions, near ones first, and pixels.
const NORM_PLACES = [14, 26, 42, 64, 90].flatMap((far) => [[1, -1], [-1, -1], [1, 1], [-1, 1], [0, -1.4], [0, 1.4], [1, 0], [-1, 0]].map(([x, y]) => [x, y, far]))

// Black or white, whichever is read better on a colour.
function inkOn(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#000000" : "#ffffff"
}

const line = (a, b) => `M${pixel(a[0])} ${pixel(a[1])}L${pixel(b[0])} ${pixel(b[1])}`

// 2.31, 41.0, 0.0523, 3.2·10⁸.
function threeFigures(number) {
  const exponent = number > 0 ? Math.floor(Math.log10(Number(number.toPrecision(3))) + 1e-12) : 0
  return number > 0 && exponent >= -3 && exponent < 4 ? number.toFixed(Math.max(0, 2 - exponent)) : prose(number, 3)
}

// Why a goal is out of reach, as {groups: keys with their weights, one weighted mean each, weights: as they are written}. The library's
// witness for this very state goes first. One mean is that of a target; two are those of targets and others that meet.
function witnessOf(scene, seen, answer) {
  const given = answer?.status === "unreachable" && answer.witness ? { ...answer.witness, texts: answer.witness.weights } : null
  const found = given ?? (seen.status === "unreachable" ? seen.witness : null)
  const numbers = found?.weights.map((weight) => (typeof weight === "string" ? fractionValue(weight) : weight)) ?? []
  // Where the query must be steady, the mean has the target's score and not its place.
  if (isSteady(scene) || !numbers.length || !numbers.every((weight) => weight >= 0)) return { groups: [], weights: [] }
  const pairs = found.indices.map((i, k) => [i, numbers[k], k])
  const sum = numbers.reduce((a, b) => a + b, 0)
  const targets = new Set(scene.goal?.indices)
  // Weights sum to 1 but for rounding, or to 2 where there are two means.
  const groups = sum < 1.5 ? [pairs] : [pairs.filter(([i]) => !targets.has(i)), pairs.filter(([i]) => targets.has(i))]
  const words = witnessWeights(given?.texts ?? numbers)
  return { groups, weights: groups.flat().map(([, , k]) => words[k]) }
}

export function makeDrawing() {
  const svg = svgElement("svg", { class: "hw-drawing", role: "group", tabindex: -1, "aria-label": "Keys in the plane. Arrow keys move a key, Enter makes it a target, Page Down goes to the next one." })
  const layer = (name, hidden = true) => {
    const made = svgElement("g", hidden ? { class: name, "aria-hidden": "true" } : { class: name })
    svg.append(made)
    return made
  }
  const backdrop = layer("hw-backdrop")
  const grid = svgElement("path", { class: "hw-grid" })
  const axes = svgElement("path", { class: "hw-axes" })
  const hull = svgElement("polygon", { class: "hw-hull" })
  const radii = svgElement("path", { class: "hw-radius" })
  const proved = svgElement("path", { class: "hw-radius-proved" })
  const clouds = svgElement("path", { class: "hw-noise" })
  const witness = svgElement("polygon", { class: "hw-witness" })
  const witnessed = svgElement("polygon", { class: "hw-witness hw-outline" })
  backdrop.append(grid, axes, hull, radii, proved, clouds, witness, witnessed)
  const ticks = several(layer("hw-ticks"), () => svgElement("text"))
  const ghosts = several(layer("hw-ghosts"), () => svgElement("path"))
  const levels = several(layer("hw-levels"), () => svgElement("path"))
  const arrows = several(layer("hw-queries"), (h) => {
    const made = svgElement("g", { class: "hw-query" })
    made.append(svgElement("path", { class: "hw-shaft", "stroke-dasharray": DASHES[h % DASHES.length] }), svgElement("path", { class: "hw-point" }))
    return made
  })
  // Above the arrows, so that a number that an arrow crosses can be read.
  const bars = several(layer("hw-bars"), () => {
    const made = svgElement("g", { class: "hw-weight" })
    made.append(svgElement("rect", { class: "hw-track" }), svgElement("rect", { class: "hw-fill" }), svgElement("text"))
    return made
  })
  const marks = svgElement("path", { class: "hw-shared" })
  backdrop.append(marks)
  const keys = several(layer("hw-keys", false), (i) => {
    const made = svgElement("g", { class: "hw-key", role: "button", "data-key": i })
    made.append(svgElement("circle", { class: "hw-reach", r: 22.5 }), svgElement("circle", { class: "hw-ring" }), svgElement("circle", { class: "hw-disc" }), svgElement("text"))
    return made
  })
  const names = several(layer("hw-names"), () => svgElement("text"))
  const shares = several(layer("hw-shares"), () => svgElement("text"))
  const norms = several(layer("hw-norms"), () => {
    const made = svgElement("text")
    const [letter, rest] = [svgElement("tspan", { "font-style": "italic" }), svgElement("tspan")]
    made.append("‖", letter, rest)
    return made
  })
  const tips = several(layer("hw-tips", false), (h) => {
    const made = svgElement("g", { class: "hw-tip", role: "button", tabindex: 0, "data-head": h })
    made.append(svgElement("circle", { class: "hw-reach", r: 22.5 }), svgElement("circle", { class: "hw-grip", r: 9 }))
    return made
  })
  const outside = svgElement("path", { class: "hw-target-mark" })
  backdrop.append(outside)

  let atAxes = { numbers: [], captions: [] }
  function drawGrid({ view, projection, room }) {
    const { width, height } = view
    const { along, up, power } = ticksOf(view)
    const [x0, y0] = toPixels(view, [0, 0])
    const across = along.map(([x]) => toPixels(view, [x, 0])[0])
    const down = up.map(([y]) => toPixels(view, [0, y])[1])
    put(grid, { d: across.map((x) => `M${pixel(x)} 0V${height}`).join("") + down.map((y) => `M0 ${pixel(y)}H${width}`).join("") })
    put(axes, { d: `M${pixel(x0)} 0V${height}M0 ${pixel(y0)}H${width}` })
    // Numbers stand at the axes, or at the edge that is nearest to them.
    const base = Math.min(Math.max(y0 + 15, 15), height - 6)
    const [side, end] = x0 < 44 ? [6, "start"] : [Math.min(x0 - 6, width - 6), "end"]
    const numbers = []
    along.forEach(([x, text], k) => x !== 0 && across[k] > 14 && across[k] < width - 14 && numbers.push([across[k], base, "middle", text]))
    up.forEach(([y, text], k) => y !== 0 && down[k] > 14 && down[k] < height - 10 && numbers.push([side, down[k] + 4, end, text]))
    if (x0 > 16 && x0 < width && y0 > 0 && y0 < height - 16) numbers.push([x0 - 6, y0 + 15, "end", "0"])
    const captions = []
    if (power !== 0) captions.push([width - 6, 16, "end", `in units of 10${raised(power)}`])
    const labels = projection.labels ?? {}
    const [along1, along2] = [labels.x, labels.y].map((words) => words && cut(words, Math.floor((width - 40) / widthOf("n", 12))))
    if (along1) captions.push([width - 8, height - 9, "end", `${along1} →`, "hw-caption"])
    if (along2) captions.push([8, 17, "start", `↑ ${along2}`, "hw-caption"])
    for (const words of captions) room.take(boxOfText(words))
    atAxes = { numbers, captions }
  }

  const boxOfText = ([x, y, anchor, text]) => {
    const wide = widthOf(text, 12)
    return [anchor === "end" ? x - wide : anchor === "middle" ? x - wide / 2 : x, y - 11, wide, 14]
  }

  // The numbers at the axes come last: one that would lie on a key or on other words is left out.
  function drawTicks({ room, shown }) {
    const isClear = ([x, y, anchor]) => shown.every((spot) => Math.abs(spot[1] - y + 4) > 17 || Math.abs(spot[0] - x + (anchor === "end" ? 6 : 0)) > 19)
    const texts = [...atAxes.numbers.filter((words) => isClear(words) && room.isFree(boxOfText(words))), ...atAxes.captions]
    ticks(texts.length).forEach((node, k) => {
      const [x, y, anchor, text, own = null] = texts[k]
      put(node, { x: pixel(x), y: pixel(y), "text-anchor": anchor, text, class: own })
    })
  }

  const ring = ([x, y], r) => `M${pixel(x - r)} ${pixel(y)}a${pixel(r)} ${pixel(r)} 0 1 0 ${pixel(2 * r)} 0a${pixel(r)} ${pixel(r)} 0 1 0 ${pixel(-2 * r)} 0`
  // A ring of less than two pixels beyond nothing is hidden by the disc; one of thousands is not in sight.
  const rings = (radius, { view, spots }) => (radius > 0 && radius * view.unit > 2 && radius * view.unit < FAR / 4 ? spots.map((spot) => ring(spot, radius * view.unit)).join("") : "")

  // One and two standard deviations of each key that varies.
  function noisePath({ scene, view, spots, projection }) {
    if (!scene.noise) return ""
    const { isotropic, along } = scene.noise
    return spots.map((spot, i) => {
      const extra = along[i] ?? 0
      if (isotropic + extra <= 0) return ""
      const key = scene.keys[i]
      const size = Math.hypot(...key)
      const [ux, uy] = size > 0 ? (projection.axes ? projection.axes.map((axis) => axis.reduce((sum, c, k) => sum + c * key[k], 0) / size) : [key[0] / size, (key[1] ?? 0) / size]) : [0, 0]
      const seenShare = ux * ux + uy * uy
      const long = Math.sqrt(isotropic + extra * seenShare) * view.unit
      const short = Math.sqrt(isotropic) * view.unit
      const turn = (Math.atan2(-uy, ux) * 180) / Math.PI
      const [dx, dy] = seenShare > 0 ? [ux / Math.sqrt(seenShare), -uy / Math.sqrt(seenShare)] : [1, 0]
      // Noise along a line: the line, with a stroke across it at each standard deviation.
      if (short < 2) return `M${pixel(spot[0] - 2 * dx * long)} ${pixel(spot[1] - 2 * dy * long)}l${pixel(4 * dx * long)} ${pixel(4 * dy * long)}${[-2, -1, 1, 2].map((k) => `M${pixel(spot[0] + k * dx * long + dy * 7)} ${pixel(spot[1] + k * dy * long - dx * 7)}l${pixel(-14 * dy)} ${pixel(14 * dx)}`).join("")}`
      return [1, 2].map((k) => {
        const [a, b] = [pixel(k * long), pixel(Math.max(k * short, 0.1))]
        const [x, y] = [spot[0] - dx * k * long, spot[1] - dy * k * long]
        return `M${pixel(x)} ${pixel(y)}a${a} ${b} ${pixel(turn)} 1 0 ${pixel(2 * dx * k * long)} ${pixel(2 * dy * k * long)}a${a} ${b} ${pixel(turn)} 1 0 ${pixel(-2 * dx * k * long)} ${pixel(-2 * dy * k * long)}`
      }).join("")
    }).join("")
  }

  // Draws of the keys around the keys that vary, each in the colour of the output it leads to; the newest is the largest.
  function drawGhosts({ scene, view, projection: { axes, points } }, trail) {
    const varies = scene.keys.map((_, i) => i).filter((i) => scene.noise && scene.noise.isotropic + (scene.noise.along[i] ?? 0) > 0)
    ghosts(trail.length).forEach((node, k) => {
      const { keys, colour } = trail[k]
      const spots = varies.map((i) => {
        const shift = keys[i].map((x, c) => x - scene.keys[i][c])
        const seen = axes ? axes.map((axis) => dot(axis, shift)) : shift
        return toPixels(view, [points[i][0] + seen[0], points[i][1] + (seen[1] ?? 0)])
      })
      const isNewest = k === trail.length - 1
      put(node, { d: spots.map(([x, y]) => `M${pixel(x)} ${pixel(y)}h0`).join(""), stroke: colour, class: isNewest ? "hw-ghost hw-newest" : "hw-ghost" })
      put(node, { "stroke-opacity": isNewest ? 1 : Math.round(100 * (0.15 + (0.55 * (k + 1)) / trail.length)) / 100 })
    })
  }

  function drawWitness({ scene, seen, answer, fresh, spots, room, view }) {
    const { groups, weights } = witnessOf(scene, seen, fresh ? answer : null)
    const outlines = [witness, witnessed]
    const means = []
    outlines.forEach((node, k) => {
      const corners = (groups[k] ?? []).map(([i]) => spots[i])
      const order = corners.length > 2 ? hullOf(corners) : corners.map((_, c) => c)
      put(node, { points: order.map((c) => corners[c].map(pixel).join(",")).join(" ") })
      means.push((groups[k] ?? []).reduce(([x, y], [i, weight]) => [x + spots[i][0] * weight, y + spots[i][1] * weight], [0, 0]))
    })
    const [sum] = means
    put(outside, { d: groups.length ? `M${pixel(sum[0] - 20)} ${pixel(sum[1])}h9m22 0h9M${pixel(sum[0])} ${pixel(sum[1] - 20)}v9m0 22v9` : "" })
    const texts = groups.flat().map(([i], k) => {
      const corner = spots[i]
      const away = [sum[0] - corner[0], sum[1] - corner[1]]
      const size = Math.hypot(...away) || 1
      const at = [corner[0] + (away[0] / size) * Math.min(34, size / 2), corner[1] + (away[1] / size) * Math.min(34, size / 2)]
      const wide = widthOf(weights[k], 12)
      at[0] = Math.min(Math.max(at[0], wide / 2 + 3), view.width - wide / 2 - 3)
      room.take([at[0] - wide / 2, at[1] - 8, wide, 16])
      return [at, weights[k]]
    })
    shares(texts.length).forEach((node, k) => put(node, { x: pixel(texts[k][0][0]), y: pixel(texts[k][0][1] + 4), text: texts[k][1] }))
  }

  function drawArrows(frame) {
    const { scene, seen, view, spots, room } = frame
    const { width, height } = view
    const lines = levelLines(scene, seen, frame.arrows, spots)
    levels(lines.length).forEach((node, k) => {
      const [h, i] = lines[k]
      const [dx, dy] = frame.arrows[h].along
      const far = width + height
      put(node, { d: line([spots[i][0] - dy * far, spots[i][1] + dx * far], [spots[i][0] + dy * far, spots[i][1] - dx * far]) })
    })
    arrows(frame.arrows.length).forEach((node, h) => {
      const { tail, tip, along: [dx, dy], broken, scaled, none } = frame.arrows[h]
      const [shaft, point] = node.children
      const at = (back, off) => [tip[0] - dx * back - dy * off, tip[1] - dy * back + dx * off]
      const long = Math.hypot(tip[0] - tail[0], tip[1] - tail[1])
      // The break stands where no key hides it.
      const middle = long * ([0.4, 0.55, 0.7, 0.25, 0.15].find((share) => frame.shown.every((spot) => Math.hypot(spot[0] - at(long * share, 0)[0], spot[1] - at(long * share, 0)[1]) > 30)) ?? 0.4)
      const breakMark = broken ? line(at(middle - 5, -7), at(middle + 1, 7)) + line(at(middle + 1, -7), at(middle + 7, 7)) : ""
      put(shaft, { d: none ? "" : broken ? line(tail, at(middle + 4, 0)) + breakMark + line(at(middle - 2, 0), at(9, 0)) : line(tail, at(9, 0)) })
      put(point, { d: none ? "" : `${line(at(0, 0), at(13, 6))}L${at(10, 0).map(pixel).join(" ")}L${at(13, -6).map(pixel).join(" ")}Z` })
      put(node, { class: scaled ? "hw-query hw-scaled" : "hw-query" })
      // The last stretch of the shaft keeps letters away.
      for (let back = 0; !none && back < Math.min(long, 140); back += 8) room.take([at(back, 0)[0] - 5, at(back, 0)[1] - 5, 10, 10])
    })
    const only = frame.arrows.length === 1
    norms(frame.arrows.length).forEach((node, h) => {
      const { tip, along: [dx, dy], long } = frame.arrows[h]
      const name = only ? "" : String(h + 1).replace(/./g, (c) => "₀₁₂₃₄₅₆₇₈₉"[c])
      const rest = `${name}‖ = ${threeFigures(long)}`
      const wide = widthOf(`‖q${rest}`, 13)
      const spotsAround = NORM_PLACES.map(([x, y, far]) => [tip[0] + x * far + (x * 2 - 2) * 0.25 * wide, tip[1] + y * far])
      spotsAround.unshift([tip[0] + dx * 12 + (dx >= 0 ? 0 : -wide), tip[1] + dy * 16])
      const inside = ([x, y]) => [Math.min(Math.max(x, 4), width - wide - 4), Math.min(Math.max(y, 12), height - 12)]
      const chosen = spotsAround.find(([x, y]) => room.isFree([x, y - 8, wide, 16])) ?? inside(spotsAround[0])
      room.take([chosen[0], chosen[1] - 8, wide, 16])
      put(node, { x: pixel(chosen[0]), y: pixel(chosen[1] + 5) })
      put(node.children[0], { text: "q" })
      put(node.children[1], { text: rest })
    })
  }

  function drawKeys(frame) {
    const { scene, seen, shown, sizes, entries, chosen, tabStops, quiet, isLive, isGuided, mayTurn } = frame
    const targets = new Set(scene.goal?.indices)
    const [wide, tall] = sizes.bar
    keys(shown.length).forEach((node, i) => {
      const colour = colourOf(scene, i)
      const live = isLive(i)
      const [, rim, disc, text] = node.children
      put(node, { transform: `translate(${pixel(shown[i][0])} ${pixel(shown[i][1])})`, tabindex: live && (tabStops || i === chosen) ? 0 : -1 })
      put(node, { role: live ? "button" : "img", "aria-pressed": live ? String(targets.has(i)) : null, class: `hw-key${targets.has(i) ? " hw-target" : ""}${live && isGuided ? " hw-live" : ""}` })
      put(rim, { r: sizes.ring })
      put(disc, { r: sizes.disc, fill: colour })
      if (text.dataset.on !== colour) text.style.fill = inkOn(colour)
      put(text, { "data-on": colour, text: sizes.disc > 8 ? String(i) : "", y: 4 })
      // A screen reader need not hear sixty names a second.
      if (!quiet) put(node, { "aria-label": spokenKey(scene, seen, i, targets.has(i)) })
    })
    bars(shown.length).forEach((node, i) => {
      const { bar, number, numberAt, isBare } = entries[i]
      const weight = Math.min(Math.max(seen.weights[i] ?? 0, 0), 1)
      const [track, fill, text] = node.children
      put(node, { visibility: seen.weights.length && !isBare ? "visible" : "hidden" })
      put(track, { x: pixel(bar[0]), y: pixel(bar[1]), width: wide, height: tall })
      put(fill, { x: pixel(bar[0]), y: pixel(bar[1] + tall * (1 - weight)), width: wide, height: pixel(tall * weight) })
      put(text, { x: pixel(numberAt[0]), y: pixel(numberAt[1]), "text-anchor": numberAt[2], text: number })
    })
    names(shown.length).forEach((node, i) => {
      const { name, nameAt } = entries[i]
      put(node, nameAt ? { x: pixel(nameAt[0]), y: pixel(nameAt[1]), "text-anchor": nameAt[2], text: name } : { text: "" })
    })
    tips(frame.arrows.length).forEach((node, h) => {
      const [x, y] = frame.arrows[h].tip
      put(node, { transform: `translate(${pixel(x)} ${pixel(y)})` })
      // One's own query has a handle; a designed one becomes one's own when its tip is dragged.
      put(node, { class: scene.queries && mayTurn(h) ? "hw-tip hw-own" : "hw-tip", role: mayTurn(h) ? "button" : "img", tabindex: mayTurn(h) ? 0 : -1 })
      if (!quiet) put(node, { "aria-label": `tip of the query${frame.arrows.length > 1 ? ` of head ${h + 1}` : ""}, norm ${prose(frame.arrows[h].long)}` })
    })
  }

  return {
    svg,
    node: (i) => keys()[i],
    tip: (h) => tips()[h],
    backdrop(frame) {
      put(svg, { viewBox: `0 0 ${frame.view.width} ${frame.view.height}` })
      drawGrid(frame)
      const { scene, seen, answer, fresh } = frame
      const isFlat = scene.keys[0].length === 2
      const corners = isFlat ? seen.hull : scene.keys[0].length > 2 ? hullOf(frame.spots) : []
      put(hull, { points: corners.map((i) => frame.spots[i].map(pixel).join(",")).join(" "), class: isFlat ? "hw-hull" : "hw-hull hw-outline" })
      // How far the keys may move: what the scene allows for, or what is left. With noise or in a layer no sentence speaks of it.
      const isAsked = scene.radius > 0 && scene.goal?.goal !== "top"
      put(radii, { d: scene.noise || scene.layer ? "" : rings(isAsked ? scene.radius : seen.radius, frame), class: isAsked ? "hw-radius hw-allowed-for" : "hw-radius" })
      // Only the library's word for this very state is drawn as proved.
      put(proved, { d: fresh && answer.radius ? rings(answer.radius.low, frame) : "" })
      put(clouds, { d: noisePath(frame) })
      put(marks, { d: frame.shared.map(([x, y]) => `M${pixel(x - 3)} ${pixel(y)}h6M${pixel(x)} ${pixel(y - 3)}v6`).join("") })
    },
    drawGhosts,
    drawWitness,
    drawArrows,
    drawKeys,
    drawTicks,
  }
}

// Three figures, as prose writes them; plain sizes by a shorter way, since sixty keys are named after each change.
function spoken(number) {
  const short = Number(number.toPrecision(3))
  return short === 0 || (Math.abs(short) >= 0.001 && Math.abs(short) < 10000) ? String(short).replace("-", "−") : prose(short, 3)
}

function spokenKey(scene, seen, i, isTarget) {
  const key = scene.keys[i]
  const place = key.length <= 3 ? `at ${key.map(spoken).join(", ")}` : `in ${key.length} dimensions`
  const weight = seen.weights.length ? `, weight ${seen.weights[i] < 0.001 ? "under 0.001" : spoken(seen.weights[i])}` : ""
  const name = scene.labels ? `key ${i}, ${nameOf(scene, i)},` : `key ${i}`
  return `${name} ${place}${weight}${isTarget ? ", target" : ""}`
}

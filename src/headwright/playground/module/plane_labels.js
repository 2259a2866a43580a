// Where names, numbers and bars stand beside the keys, so that no text lies on another or outside the drawing.

// Mean width of a character for its height; labels are measured by this, as asking the browser would cost a layout per frame.
const CHARACTER = 0.56
// Longer names are cut, unless the key is under the pointer or has the focus.
const SHOWN_CHARACTERS = 14
// Discs of this many keys have room for their number; more are drawn small.
const MOST_LARGE = 24
// With more keys than this only targets, winners and the key under the pointer are named.
const MOST_NAMED = 80

export function sizesOf(n) {
  return n <= MOST_LARGE ? { disc: 11, ring: 16, bar: [5, 26], text: 12 } : { disc: 6.5, ring: 11, bar: [4, 16], text: 11 }
}

export function widthOf(text, height) {
  return text.length * CHARACTER * height
}

export function cut(text, most) {
  const characters = [...text]
  return characters.length > most ? `${characters.slice(0, Math.max(1, most - 1)).join("")}…` : text
}

// A weight as it is written beside its bar: three figures only where the second would hide what is missing from 1.
function weightText(weight) {
  return weight >= 0.985 && weight < 0.9995 ? weight.toFixed(3) : weight.toFixed(2)
}

// Boxes on a coarse grid, so that a new one is compared only with its neighbours.
export function makeRoom(width, height) {
  const cell = 48
  const cells = new Map()
  // What lies outside of the drawing shares the cells at its edge. Far out, one more is the same number, and counting would not end.
  const at = (place, size) => Math.min(Math.max(Math.floor(place / cell), -1), Math.floor(size / cell) + 1)
  const each = ([x, y, w, h], visit) => {
    for (let i = at(x, width); i <= at(x + w, width); i++)
      for (let j = at(y, height); j <= at(y + h, height); j++) if (visit(i * 4096 + j)) return true
    return false
  }
  return {
    take(box) {
      each(box, (name) => {
        const list = cells.get(name)
        if (list) list.push(box)
        else cells.set(name, [box])
      })
    },
    isFree(box) {
      const [x, y, w, h] = box
      if (x < 2 || y < 2 || x + w > width - 2 || y + h > height - 2) return false
      return !each(box, (name) => cells.get(name)?.some((other) => x < other[0] + other[2] && other[0] < x + w && y < other[1] + other[3] && other[1] < y + h))
    },
  }
}

// Keys that lie on the same pixel are drawn side by side around it.
export function spreadOut(spots, disc, held) {
  const places = new Map()
  spots.forEach(([x, y], i) => {
    if (i === held) return
    const name = `${Math.round(x)} ${Math.round(y)}`
    if (places.has(name)) places.get(name).push(i)
    else places.set(name, [i])
  })
  const shown = spots.slice()
  const shared = []
  for (const together of places.values()) {
    if (together.length < 2) continue
    shared.push(spots[together[0]])
    const radius = Math.max(disc, (together.length * disc) / Math.PI)
    together.forEach((i, k) => {
      const angle = Math.PI + (2 * Math.PI * k) / together.length
      shown[i] = [spots[i][0] + radius * Math.cos(angle), spots[i][1] + radius * Math.sin(angle)]
    })
  }
  return { shown, shared }
}

// One entry per key: {isBare: without a bar, bar: [x, y], number: text, numberAt: [x, y, anchor], name: text, nameAt: [x, y, anchor] | null}.
// `before` is what the last frame chose, which is kept where it still fits, so that names do not hop about.
// `afterTargets` is called when the targets have their bars and the other keys have none yet.
export function arranged(frame, before, afterTargets) {
  const { scene, seen, shown, width, height, sizes, room, lively, shafts } = frame
  // The key that the vertical axis points to is named, however light it is.
  const runner = frame.projection?.runner
  const { disc, ring, bar, text } = sizes
  const targets = new Set(scene.goal?.indices)
  const inSight = ([x, y]) => x > -disc && y > -disc && x < width + disc && y < height + disc
  // The heaviest come first, and those that find no room go without: first without the number, then, of many keys, without the bar.
  const entries = []
  let isHalfWay = false
  for (const i of shown.map((_, i) => i).sort((i, j) => rank(j) - rank(i) || (seen.weights[j] ?? 0) - (seen.weights[i] ?? 0) || i - j)) {
    if (!isHalfWay && rank(i) < 2) {
      isHalfWay = true
      afterTargets()
    }
    const [x, y] = shown[i]
    const weight = seen.weights[i] ?? 0
    const around = (targets.has(i) ? ring : disc) + 4
    const box = (own, wide) => [own > 0 ? x + around : x - around - wide, y - bar[1] / 2, wide, bar[1]]
    const fits = (own, wide) => room.isFree(box(own, wide))
    const full = seen.weights.length && weight >= 0.01 ? weightText(weight) : ""
    const wide = bar[0] + 3 + widthOf(full, text)
    const sides = before?.[i]?.side === -1 ? [-1, 1] : [1, -1]
    let side = full ? (sides.find((own) => fits(own, wide) && shafts.isFree(box(own, wide))) ?? sides.find((own) => fits(own, wide))) : undefined
    const isForced = lively.has(i) || targets.has(i)
    const number = side !== undefined || isForced ? full : ""
    side ??= sides.find((own) => fits(own, bar[0]))
    const isBare = disc < 8 && !isForced && (weight < 0.005 || side === undefined)
    side ??= x + around + wide < width ? 1 : -1
    const taken = number ? wide : bar[0]
    const left = side > 0 ? x + around : x - around - bar[0]
    if (!isBare && seen.weights.length) room.take([side > 0 ? left : x - around - taken, y - bar[1] / 2, taken, bar[1]])
    entries[i] = {
      side,
      number: isBare ? "" : number,
      isBare,
      bar: [left, y - bar[1] / 2],
      numberAt: side > 0 ? [left + bar[0] + 3, y + text * 0.36, "start"] : [left - 3, y + text * 0.36, "end"],
      name: "",
      nameAt: null,
      place: before?.[i]?.place ?? 0,
    }
  }
  if (!isHalfWay) afterTargets()
  const many = shown.length > MOST_NAMED
  const order = shown.map((_, i) => i).sort((i, j) => rank(j) - rank(i) || i - j)
  function rank(i) {
    return (lively.has(i) ? 4 : 0) + (targets.has(i) ? 2 : 0) + (seen.weights[i] >= 0.01 || i === runner ? 1 : 0)
  }
  for (const i of order) {
    if (many && rank(i) === 0) break
    const full = scene.labels?.[i] ?? (disc < 8 && rank(i) > 0 ? String(i) : "")
    if (!full || !inSight(shown[i])) continue
    const [x, y] = shown[i]
    const name = cut(full, lively.has(i) ? Math.max(4, Math.floor((width - 8) / (CHARACTER * text)) ) : SHOWN_CHARACTERS)
    const wide = widthOf(name, text)
    const around = (targets.has(i) ? ring : disc) + 3
    const tall = text * 1.15
    // Below, above, left, right of the bar: [left edge, top edge].
    const middle = Math.min(Math.max(x - wide / 2, 3), width - wide - 3)
    const spots = [[middle, y + around], [middle, y - around - tall], [x - around - wide - 2, y - tall / 2], [x + around + 2, y - tall / 2]]
    const first = entries[i].place
    const chosen = [first, 0, 1, 2, 3].find((k) => room.isFree([...spots[k], wide, tall]))
    // The key in hand is always named; another without room goes without.
    if (chosen === undefined && !lively.has(i)) continue
    const [left, top] = spots[chosen ?? 0]
    room.take([left, top, wide, tall])
    Object.assign(entries[i], { name, nameAt: [left + wide / 2, top + text * 0.9, "middle"], place: chosen ?? 0 })
  }
  return entries
}

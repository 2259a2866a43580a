// What the heads put out: the mixed colour of the values beside the wanted one, and the weights as a table with bars.
import { wanted } from "./design.js"
import { colourOf, mixedColour } from "./edits.js"
import { madeElement, setText } from "./elements.js"
import { nameOf } from "./words.js"

// Rows of the table; the rest is summed up in one more.
const MOST_ROWS = 12

export function makeOutput() {
  const swatch = (title) => {
    const colour = madeElement("span", { class: "hw-swatch" })
    return { element: madeElement("figure", { class: "hw-swatch-line" }, colour, madeElement("figcaption", {}, title)), colour }
  }
  const got = swatch("Output")
  const aim = swatch("Wanted")
  const body = madeElement("tbody")
  const head = madeElement("thead", { class: "hw-unseen" }, madeElement("tr", {}, ...["Key", "Weight", "Share of the weight, drawn"].map((text) => madeElement("th", { scope: "col" }, text))))
  const table = madeElement("table", { class: "hw-weights" }, madeElement("caption", { class: "hw-unseen" }, "Weights of the keys, largest first"), madeElement("colgroup", {}, ...["name", "number", "bar"].map((name) => madeElement("col", { class: `hw-column-${name}` }))), head, body)
  const element = madeElement("section", { class: "hw-card", "aria-label": "Output and weights" }, madeElement("h3", {}, "Output"), madeElement("div", { class: "hw-swatches" }, got.element, aim.element), table)

  function rowAt(k) {
    if (!body.children[k]) body.append(madeElement("tr", {}, madeElement("th", { scope: "row" }), madeElement("td", { class: "hw-number" }), madeElement("td", { "aria-hidden": "true", class: "hw-bar-cell" }, madeElement("span", { class: "hw-bar" }), madeElement("span", { class: "hw-wanted" }))))
    return body.children[k]
  }
  function fill(row, name, weight, colour, aimed) {
    const [title, number, cell] = row.children
    const [bar, mark] = cell.children
    setText(title, name)
    title.title = name
    setText(number, weightInColumn(weight))
    bar.style.width = `${100 * Math.min(1, weight)}%`
    bar.style.background = colour
    mark.hidden = !(aimed > 0)
    mark.style.left = `${100 * (aimed ?? 0)}%`
  }

  function update({ scene, seen }) {
    const shown = seen.weights.length === scene.keys.length
    element.hidden = !shown
    if (!shown) return
    got.colour.style.background = mixedColour(scene, seen.weights)
    const share = scene.goal && scene.goal.goal !== "top" ? wanted(scene.goal, scene.keys.length) : null
    aim.element.hidden = share === null
    if (share) aim.colour.style.background = mixedColour(scene, share)
    const order = [...seen.weights.keys()].sort((a, b) => seen.weights[b] - seen.weights[a] || a - b)
    const rows = order.slice(0, order.length > MOST_ROWS + 1 ? MOST_ROWS : order.length)
    rows.forEach((i, k) => fill(rowAt(k), nameOf(scene, i), seen.weights[i], colourOf(scene, i), share?.[i]))
    const rest = order.slice(rows.length)
    if (rest.length) fill(rowAt(rows.length), `${rest.length} other keys`, rest.reduce((sum, i) => sum + seen.weights[i], 0), "var(--hw-edge)", null)
    while (body.children.length > rows.length + (rest.length ? 1 : 0)) body.lastChild.remove()
  }
  return { element, update }
}

// A weight in a column: four decimals line up, and what would be rounded to 0 is not written as 0.
function weightInColumn(weight) {
  return weight > 0 && weight < 0.00005 ? "< 0.0001" : weight.toFixed(4)
}

// Elements of the page, and formulas among them. Text goes in as text only, never as markup.
import { svgElement } from "./svg.js"

// An element with attributes and children. `on…` attributes are listeners, true is an empty attribute, false and null are none.
export function madeElement(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  setAttributes(made, attributes)
  made.append(...children)
  return made
}

export function setAttributes(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value)
    else if (value === true) element.setAttribute(key, "")
    else if (value === false || value === null) element.removeAttribute(key)
    else if (element.getAttribute(key) !== String(value)) element.setAttribute(key, value)
  }
}

// The text of an element, left alone where it is the same: a screen reader reads a replaced text again.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}

const MATHML = "http://www.w3.org/1998/Math/MathML"

function mathNode(tree) {
  const node = (name, ...children) => {
    const made = document.createElementNS(MATHML, name)
    made.append(...children)
    return made
  }
  if (typeof tree === "number") return node("mn", String(tree))
  if (typeof tree === "string") return /^\p{L}+$/u.test(tree) ? node("mi", tree) : /^[\d.,−·⁻⁰¹²³⁴⁵⁶⁷⁸⁹ ]+$/.test(tree) ? node("mn", tree) : node("mo", tree)
  const [kind, ...parts] = tree
  if (kind === "sub") return node("msub", ...parts.map(mathNode))
  if (kind === "sup") return node("msup", ...parts.map(mathNode))
  return node("mrow", ...tree.map(mathNode))
}

// A formula: a list of letters, numbers and signs, with ["sub", a, b] and ["sup", a, b] among them.
export function formulaOf(...tree) {
  const made = document.createElementNS(MATHML, "math")
  made.append(...tree.map(mathNode))
  return made
}

// ‖q‖ = 1.29, or ‖q‖ alone.
export function normFormula(value = null) {
  return value === null ? formulaOf("‖", "q", "‖") : formulaOf("‖", "q", "‖", "=", value)
}

// A sentence whose parts are texts and formulas, as the children of an element; left alone where it is the same.
export function setParts(element, parts) {
  const told = parts.map((part) => (typeof part === "string" ? part : part.formula.flat(9).join(" "))).join("\u0000")
  if (element.dataset.told === told) return
  element.dataset.told = told
  element.replaceChildren(...parts.map((part) => (typeof part === "string" ? part : formulaOf(...part.formula))))
}

// A line drawing of 20 by 20 units beside or instead of a word.
export function iconOf(path) {
  const icon = svgElement("svg", { viewBox: "0 0 20 20", "aria-hidden": "true", fill: "none", stroke: "currentColor", "stroke-width": "1.7", "stroke-linecap": "round", "stroke-linejoin": "round" })
  icon.append(svgElement("path", { d: path }))
  return icon
}

// Text put on the clipboard. Hosts may forbid it; then it is false, and the reader selects the text instead.
export function copiedText(text) {
  // Outside of secure pages there is no clipboard at all.
  const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"))
  return written.then(() => true, () => false)
}

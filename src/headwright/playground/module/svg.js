// SVG elements that are made once, kept, and changed where something has changed.

const SVG = "http://www.w3.org/2000/svg"
// Pixels far outside; browsers draw paths with larger numbers wrongly or slowly.
export const FAR = 20000

export function svgElement(name, attributes = {}) {
  const made = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

const written = new WeakMap()

// Sets attributes that have changed; an unchanged one costs no work in the browser.
export function put(node, attributes) {
  let old = written.get(node)
  if (!old) written.set(node, (old = {}))
  for (const name in attributes) {
    const value = attributes[name]
    if (old[name] === value) continue
    old[name] = value
    if (name === "text") node.textContent = value
    else if (value === null) node.removeAttribute(name)
    else node.setAttribute(name, value)
  }
}

export function pixel(number) {
  return Math.round(Math.min(Math.max(number, -FAR), FAR) * 10) / 10
}

// As many children as asked for: the first ones are kept.
export function several(parent, make) {
  const made = []
  return (count = made.length) => {
    while (made.length < count) parent.append(made[made.push(make(made.length)) - 1])
    while (made.length > count) made.pop().remove()
    return made
  }
}

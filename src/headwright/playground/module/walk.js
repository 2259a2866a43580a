// The guided walk: a step's text, its question, and what comes next.

export function makeWalk(store) {
  const element = document.createElement("section")
  element.className = "hw-walk"
  return { element, update() {} }
}

// A compiled program: its heads and registers for a word.

export function makeProgram(model) {
  const element = document.createElement("section")
  element.className = "hw-program"
  return element
}

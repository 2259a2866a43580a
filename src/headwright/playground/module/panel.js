// Beside the drawing: goal, sliders, verdict, output.
import { prose } from "./words.js"

export function makePanel(store) {
  const element = document.createElement("div")
  element.className = "hw-panel"
  const badge = document.createElement("p")
  const words = document.createElement("p")
  element.append(badge, words)

  function update({ seen, answer, fresh, number, host, problem }) {
    badge.className = `hw-badge ${fresh ? answer.status : "stale"}`
    badge.textContent = host === "file" ? `Computed, not proved (state ${number})` : fresh ? `${answer.status} (state ${number})` : `waiting (state ${number})`
    words.textContent = problem ?? (fresh ? answer.sentence : `error ${prose(seen.error)}`)
  }
  return { element, update }
}

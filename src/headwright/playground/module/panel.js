// Beside the drawing: the verdict, the tools, the goal, what comes out, the settings and the noise.
import { madeElement, setText } from "./elements.js"
import { makeGoalChooser } from "./goal_chooser.js"
import { makeHistogram } from "./histogram.js"
import { makeNoiseControls } from "./noise_controls.js"
import { makeOutput } from "./output.js"
import { makeSettings } from "./settings.js"
import { makeToolbar } from "./toolbar.js"
import { makeVerdict } from "./verdict.js"

export function makePanel(store, plane) {
  const words = madeElement("p", {})
  const close = madeElement("button", { type: "button", class: "hw-button", "aria-label": "Close the message" }, "×")
  close.addEventListener("click", () => store.say(null))
  const problem = madeElement("div", { class: "hw-problem", role: "alert", hidden: true }, words, close)
  const verdict = makeVerdict()
  const histogram = makeHistogram(store, plane, () => latest && judge(latest))
  const noise = makeNoiseControls(store)
  noise.element.append(histogram.element)
  const parts = [makeToolbar(store, plane), makeGoalChooser(store), makeOutput(), makeSettings(store), noise, histogram]
  const element = madeElement("div", { class: "hw-panel" }, verdict.element, ...parts.slice(0, -1).map((part) => part.element))

  let latest = null
  const judge = (view) => verdict.update(view, histogram.estimate(view.scene))
  function update(view) {
    latest = view
    problem.hidden = !view.problem
    setText(words, view.problem ?? "")
    judge(view)
    for (const part of parts) part.update(view)
  }
  return { element, problem, update }
}

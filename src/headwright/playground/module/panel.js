// Beside the drawing: the verdict, the tools, the goal, what comes out, the settings and the noise.
import { madeElement, setText } from "./elements.js"
import { makeGoalChooser } from "./goal_chooser.js"
import { makeNoiseControls } from "./noise_controls.js"
import { makeOutput } from "./output.js"
import { makeSettings } from "./settings.js"
import { makeToolbar } from "./toolbar.js"
import { makeVerdict } from "./verdict.js"
import { chanceOf } from "./walk_judge.js"

export function makePanel(store, plane) {
  const words = madeElement("p", {})
  const close = madeElement("button", { type: "button", class: "hw-button", "aria-label": "Close the message" }, "×")
  close.addEventListener("click", () => store.say(null))
  const problem = madeElement("div", { class: "hw-problem", role: "alert", hidden: true }, words, close)
  const verdict = makeVerdict()
  const parts = [makeToolbar(store, plane), makeGoalChooser(store), makeOutput(), makeSettings(store), makeNoiseControls(store)]
  const element = madeElement("div", { class: "hw-panel" }, problem, verdict.element, ...parts.map((part) => part.element))

  function update(view) {
    const { goal, layer } = view.scene
    problem.hidden = !view.problem
    setText(words, view.problem ?? "")
    verdict.update(view, layer || goal === null || goal.goal === "top" ? null : chanceOf(view.scene, view.seen, goal, view.scene.error))
    for (const part of parts) part.update(view)
  }
  return { element, update }
}

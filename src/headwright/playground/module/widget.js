// The widget: the parts put together for whichever host shows them.
import { makeStore } from "./store.js"
import { readFragment } from "./scene.js"
import { makePlane } from "./plane.js"
import { makePanel } from "./panel.js"
import { makeProgram } from "./program.js"
import { makeWalk } from "./walk.js"

export function render({ model, el }) {
  const root = document.createElement("div")
  root.className = "headwright-play"
  el.append(root)
  if (model.get("program")) {
    root.append(makeProgram(model))
    return
  }
  const store = makeStore(model)
  root.append(store.show(makeWalk(store)), store.show(makePlane(store)), store.show(makePanel(store)))

  // A notebook's address belongs to the notebook.
  if (store.opens.host === "notebook") return () => store.close()
  const follow = () => {
    const { scene, problem } = readFragment(location.hash)
    if (scene) store.replace(scene)
    if (problem) store.say(problem)
  }
  follow()
  addEventListener("hashchange", follow)
  return () => {
    removeEventListener("hashchange", follow)
    store.close()
  }
}

export default { render }

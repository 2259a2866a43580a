// The widget: the parts put together for whichever host shows them.
import { makeStore } from "./store.js"
import { readFragment } from "./scene.js"
import { followScheme } from "./theme.js"
import { makePlane } from "./plane.js"
import { makePanel } from "./panel.js"
import { makeWalk } from "./walk.js"

// What a notebook gives `render`, with nobody at the other end: for pages without a kernel.
export function modelWithoutKernel(traits) {
  return { get: (name) => traits[name], set: (name, value) => (traits[name] = value), save_changes() {}, on() {}, off() {} }
}

function render({ model, el }) {
  const root = document.createElement("div")
  root.className = "headwright-play"
  const body = document.createElement("div")
  body.className = "hw-body"
  root.append(body)
  el.append(root)
  const unfollow = followScheme(root)
  const store = makeStore(model)
  const plane = makePlane(store)
  const walk = makeWalk(store, body)
  const panel = makePanel(store, plane)
  body.append(store.show(walk), store.show(plane), walk.answer, walk.rest, store.show(panel))

  const close = () => {
    unfollow()
    plane.close()
    store.close()
  }
  // A notebook's address belongs to the notebook.
  if (store.opens.host === "notebook") return close
  const follow = () => {
    const { scene, step, problem } = readFragment(location.hash)
    if (scene) {
      walk.leave()
      store.replace(scene)
    }
    if (step !== undefined) walk.open(step)
    if (problem) store.say(problem)
  }
  follow()
  addEventListener("hashchange", follow)
  return () => {
    removeEventListener("hashchange", follow)
    close()
  }
}

export default { render }

// The shares of a blend as one bar, with a handle on each border between two of them.
import { colourOf } from "./edits.js"
import { madeElement, setAttributes, setText } from "./elements.js"
import { fractionValue } from "./fractions.js"
import { movedShares } from "./goals.js"
import { nameOf, shareWords } from "./words.js"

// Steps of an arrow key, and of a page key or an arrow with shift, in hundredths.
const SMALL_STEP = 0.01
const LARGE_STEP = 0.1

export function makeSharesBar(store) {
  const bar = madeElement("div", { class: "hw-shares-bar", role: "group", "aria-label": "Shares of the blend" })
  let held = null

  const borderOf = (k) => store.scene.goal.shares.slice(0, k).reduce((sum, text) => sum + fractionValue(text), 0)
  function move(k, part) {
    const { goal, layer, row } = store.scene
    const next = { ...goal, shares: movedShares(goal.shares, k, part) }
    const patch = { goal: next }
    if (layer) patch.layer = layer.map((own, r) => (r === row ? next : own))
    store.change(patch, { gesture: `share ${k}` })
  }
  function handleAt(k) {
    const handle = madeElement("button", { class: "hw-handle", type: "button", role: "slider", "aria-orientation": "horizontal", "aria-valuemin": 0, "aria-valuemax": 100 })
    handle.addEventListener("pointerdown", (event) => {
      held = k
      handle.setPointerCapture(event.pointerId)
    })
    handle.addEventListener("pointermove", (event) => {
      if (held !== k) return
      const { left, width } = bar.getBoundingClientRect()
      move(k, (event.clientX - left) / width - borderOf(k))
    })
    const release = () => {
      if (held !== k) return
      held = null
      store.endGesture()
    }
    handle.addEventListener("pointerup", release)
    handle.addEventListener("pointercancel", release)
    handle.addEventListener("keydown", (event) => {
      const share = fractionValue(store.scene.goal.shares[k])
      const step = event.shiftKey ? LARGE_STEP : SMALL_STEP
      const steps = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step, PageUp: LARGE_STEP, PageDown: -LARGE_STEP, Home: -1, End: 1 }
      if (!(event.key in steps)) return
      event.preventDefault()
      event.stopPropagation()
      move(k, share + steps[event.key])
      store.endGesture()
    })
    return handle
  }

  function update({ scene }) {
    const { goal } = scene
    const many = goal?.goal === "blend" ? goal.indices.length : 0
    bar.hidden = many < 1
    if (!many) return
    const parts = [...bar.children].filter((child) => child.className === "hw-share")
    const handles = [...bar.children].filter((child) => child.className === "hw-handle")
    if (parts.length !== many) {
      bar.replaceChildren(...goal.indices.map(() => madeElement("span", { class: "hw-share" }, madeElement("span"))), ...goal.indices.slice(1).map((_, k) => handleAt(k)))
      return update({ scene })
    }
    let border = 0
    goal.indices.forEach((i, k) => {
      const share = fractionValue(goal.shares[k])
      parts[k].style.width = `${100 * share}%`
      parts[k].style.setProperty("--hw-colour", colourOf(scene, i))
      parts[k].title = `${nameOf(scene, i)}: ${goal.shares[k]}`
      setText(parts[k].firstChild, shareWords(goal.shares[k]))
      border += share
      if (k === many - 1) return
      handles[k].style.left = `${100 * border}%`
      const next = goal.indices[k + 1]
      setAttributes(handles[k], { "aria-label": `Share of ${nameOf(scene, i)} against ${nameOf(scene, next)}`, "aria-valuenow": Math.round(100 * share), "aria-valuetext": `${goal.shares[k]} for ${nameOf(scene, i)}, ${goal.shares[k + 1]} for ${nameOf(scene, next)}` })
    })
  }
  return { element: bar, update }
}

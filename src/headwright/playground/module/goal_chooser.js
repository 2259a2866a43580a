// The goal: its kind, its targets, and the shares of a blend.
import { makeChoice } from "./choices.js"
import { colourOf, withGoal, withTarget } from "./edits.js"
import { madeElement, setAttributes, setText } from "./elements.js"
import { KINDS, goalOf, kindRefusal } from "./goals.js"
import { makeSharesBar } from "./shares_bar.js"
import { nameOf } from "./words.js"

const KIND_NAMES = { copy: "Copy", average: "Average", blend: "Blend", top: "Top" }
const KIND_WORDS = {
  copy: "All the weight on one key.",
  average: "The same weight on every target.",
  blend: "A share of the weight for every target. Drag the handles.",
  top: "Every target scores above every other key.",
}
// Chips that are shown at once; a scene may have hundreds of targets.
const MOST_CHIPS = 24

// Which token of a layer has its goal on the screen.
export function makeRowChooser(store, label) {
  const rows = madeElement("select", {})
  const element = madeElement("label", { class: "hw-line" }, label, rows)
  rows.addEventListener("change", () => store.change({ row: Number(rows.value), goal: store.scene.layer[Number(rows.value)] }))
  function update({ scene }) {
    const names = (scene.layer ?? []).map((_, i) => nameOf(scene, i))
    const told = names.join("\u0000")
    if (rows.dataset.told !== told) rows.replaceChildren(...names.map((name, i) => madeElement("option", { value: i }, name)))
    rows.dataset.told = told
    rows.value = String(scene.row)
  }
  return { element, update }
}

export function makeGoalChooser(store) {
  // The targets before a copy left one of them, so that the way back is not lost.
  let before = []
  const kinds = makeChoice({ label: "Kind of goal", hideLabel: true, options: KINDS.map((kind) => [kind, KIND_NAMES[kind]]), choose })
  const row = makeRowChooser(store, "Goal of token")
  const words = madeElement("p", { class: "hw-note" })
  const chips = madeElement("ul", { class: "hw-chips", "aria-label": "Targets" })
  const shares = makeSharesBar(store)
  const element = madeElement("section", { class: "hw-card hw-goal", "aria-label": "Goal" }, madeElement("h3", {}, "Goal"), row.element, kinds.element, words, chips, shares.element)

  function choose(kind) {
    const { scene } = store
    if (!scene.goal) return
    let { indices } = scene.goal
    if (kind === "copy" && indices.length > 1) before = indices
    else if (scene.goal.goal === "copy" && before[0] === indices[0] && before.every((i) => i < scene.keys.length)) indices = before
    if (kind === "top" && indices.length === scene.keys.length) indices = indices.slice(0, 1)
    store.replace(withGoal(scene, goalOf(kind, indices, scene.goal.shares)))
  }

  function chipOf(i) {
    const remove = madeElement("button", { type: "button", class: "hw-remove" }, "×")
    remove.addEventListener("click", () => {
      const next = withTarget(store.scene, i)
      if (next) store.replace(next)
      // The focus stays among the targets.
      ;(remove.closest("li")?.nextElementSibling?.querySelector("button") ?? kinds.element.querySelector("input:checked"))?.focus()
    })
    return madeElement("li", { class: "hw-chip", "data-key": i }, madeElement("span", { class: "hw-dot" }), madeElement("span", { class: "hw-chip-name" }), remove)
  }

  function update({ scene }) {
    const { goal } = scene
    row.update({ scene })
    row.element.hidden = scene.layer === null
    const noKey = "Click a key in the drawing to choose it."
    kinds.update(goal?.goal ?? null, Object.fromEntries(KINDS.map((kind) => [kind, goal ? kindRefusal(scene, kind) : noKey])))
    words.hidden = !goal
    if (goal) setText(words, KIND_WORDS[goal.goal])
    const shown = goal ? goal.indices.slice(0, MOST_CHIPS) : []
    const old = new Map([...chips.querySelectorAll(".hw-chip[data-key]")].map((chip) => [Number(chip.dataset.key), chip]))
    const wanted = shown.map((i) => old.get(i) ?? chipOf(i))
    if (goal && goal.indices.length > MOST_CHIPS) wanted.push(madeElement("li", { class: "hw-chip hw-more" }, `and ${goal.indices.length - MOST_CHIPS} more`))
    if (wanted.length !== chips.children.length || wanted.some((chip, k) => chip !== chips.children[k])) chips.replaceChildren(...wanted)
    chips.hidden = !wanted.length
    shown.forEach((i, k) => {
      const [dot, name, remove] = wanted[k].children
      dot.style.background = colourOf(scene, i)
      setText(name, nameOf(scene, i))
      setAttributes(remove, { "aria-label": `Remove ${nameOf(scene, i)} from the goal` })
    })
    shares.update({ scene })
  }
  return { element, update }
}

// Controls that several parts of the panel are made of: a choice of few, a switch, a slider with its number.
import { madeElement, setAttributes, setText } from "./elements.js"
import { prose } from "./words.js"

let controlsMade = 0
const freshName = () => `hw-control-${(controlsMade += 1)}-${Math.random().toString(36).slice(2, 8)}`

// The note below a control that says why it is off. Every control has one, so that nothing is refused without a word.
function noteFor(element) {
  const note = madeElement("p", { class: "hw-note hw-reason", id: freshName(), hidden: true })
  element.append(note)
  return (control, reason) => {
    note.hidden = !reason
    setText(note, reason ?? "")
    setAttributes(control, { "aria-describedby": reason ? note.id : null, title: reason ?? null })
  }
}

// One of a few: a group of radio buttons drawn as one bar. Arrow keys move the choice, as in every radio group.
export function makeChoice({ label, options, choose, hideLabel = false }) {
  const name = freshName()
  const title = madeElement("span", { class: hideLabel ? "hw-unseen" : "hw-label", id: freshName() }, label)
  const bar = madeElement("div", { class: "hw-segments", role: "radiogroup", "aria-labelledby": title.id })
  const element = madeElement("div", { class: "hw-field" }, title, bar)
  const note = noteFor(element)
  const inputs = options.map(([value, text]) => {
    const input = madeElement("input", { type: "radio", name, value })
    input.addEventListener("change", () => input.checked && choose(value))
    bar.append(madeElement("label", { class: "hw-segment" }, input, madeElement("span", {}, text)))
    return input
  })

  // `refusals` has a reason for each option that cannot be chosen; the chosen one stays open.
  function update(chosen, refusals = {}) {
    let said = null
    for (const input of inputs) {
      const reason = input.value === chosen ? null : (refusals[input.value] ?? null)
      input.checked = input.value === chosen
      input.disabled = reason !== null
      setAttributes(input.parentElement, { title: reason })
      said ??= reason
    }
    note(bar, said)
  }
  return { element, update }
}

export function makeSwitch({ label, change }) {
  const input = madeElement("input", { type: "checkbox", role: "switch", class: "hw-switch" })
  input.addEventListener("change", () => change(input.checked))
  const element = madeElement("div", { class: "hw-field" }, madeElement("label", { class: "hw-switch-line" }, input, madeElement("span", {}, label)))
  const note = noteFor(element)
  function update(on, reason = null) {
    input.checked = on
    // What is on can always be turned off.
    input.disabled = reason !== null && !on
    note(input, reason)
  }
  return { element, update }
}

// A slider over powers of ten. Numbers have two figures, which is what a hand can set.
const STEPS = 1000

// With `off` (the entry's value when it is off) and `start` it has a switch of its own.
export function makeSlider({ label, low, high, change, end, start = null, says = (value) => prose(value) }) {
  const [from, to] = [Math.log10(low), Math.log10(high)]
  const valueAt = (place) => Number((10 ** (from + ((to - from) * place) / STEPS)).toPrecision(2))
  const placeOf = (value) => Math.max(0, Math.min(STEPS, Math.round((STEPS * (Math.log10(value) - from)) / (to - from))))
  const input = madeElement("input", { type: "range", min: 0, max: STEPS, step: 1, id: freshName() })
  const output = madeElement("output", { for: input.id, class: "hw-read-out" })
  const named = start === null ? madeElement("label", { for: input.id, class: "hw-label" }, ...label) : null
  const toggle = start === null ? null : madeElement("input", { type: "checkbox", role: "switch", class: "hw-switch" })
  const words = named ?? madeElement("label", { class: "hw-switch-line hw-label" }, toggle, madeElement("span", {}, ...label))
  const row = madeElement("div", { class: "hw-slider-row" }, words, output)
  const element = madeElement("div", { class: "hw-field hw-slider" }, row, input)
  if (toggle) input.setAttribute("aria-label", words.textContent)
  const note = noteFor(element)
  input.addEventListener("input", () => change(valueAt(Number(input.value))))
  input.addEventListener("change", end)
  // An arrow key goes to the next number that the read-out shows, not to the next of a thousand places.
  input.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
    if (!way) return
    event.preventDefault()
    const old = valueAt(Number(input.value))
    let place = Number(input.value)
    while (valueAt(place) === old && place + way >= 0 && place + way <= STEPS) place += way
    input.value = place
    change(valueAt(place))
    end()
  })
  toggle?.addEventListener("change", () => {
    change(toggle.checked ? start : null)
    end()
  })

  // `value` null is off; `reason` says why the control cannot be used.
  function update(value, reason = null) {
    const on = value !== null
    if (toggle) {
      toggle.checked = on
      toggle.disabled = reason !== null && !on
      input.hidden = !on
    }
    input.disabled = reason !== null
    if (on && valueAt(Number(input.value)) !== value) input.value = placeOf(value)
    setText(output, on ? says(value) : "off")
    setAttributes(input, { "aria-valuetext": on ? says(value) : "off" })
    note(toggle ?? input, reason)
  }
  return { element, update }
}

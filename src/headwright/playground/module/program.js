// A compiled program: its heads and registers for a word that one types.
import { leakOf, makeHeat } from "./program_heat.js"
import { numberOf, valueText } from "./program_meaning.js"
import { madeElement } from "./elements.js"
import { makeRunner } from "./program_run.js"
import { valuesByLibrary, valuesByPage } from "./program_values.js"
import { makeWord } from "./program_word.js"
import { atMost, prose } from "./words.js"

// The library is asked when the hand rests, as for scenes.
const PROGRAM_QUIET = 150

export function makeProgram(model) {
  const program = model.get("program")
  const host = model.get("opens")?.host
  const run = makeRunner(program)
  let word = program.word
  let number = 0
  let timer = 0
  let shown = null

  // In a page of its own the program is the first heading.
  const [first, second] = host === "notebook" ? ["h2", "h3"] : ["h1", "h2"]
  const title = madeElement(first, { class: "hw-program-title" }, program.output)
  const step = program.registers.at(-1).words
  const about = madeElement("p", { class: "hw-note" }, `${step[0].toUpperCase()}${step.slice(1)}. ${program.about}.`)
  const input = makeWord(program, (next) => {
    word = next
    changed()
  })
  const problem = madeElement("p", { class: "hw-program-problem", role: "status" })
  const source = madeElement("p", { class: "hw-note hw-program-source" })
  const output = makeOutputStrip(program)
  const table = makeRegisters(program, host)
  const heads = program.heads.map((head) => makeHead(program, head, host))
  const results = madeElement(
    "div",
    { class: "hw-program-results" },
    output.element,
    source,
    madeElement(second, { class: "hw-program-part" }, "Registers"),
    table.element,
    madeElement(second, { class: "hw-program-part" }, heads.length === 1 ? "The head" : "Heads"),
    madeElement("p", { class: "hw-note" }, "Rows ask, columns answer, and the stronger the colour, the more weight. Rings mark the keys that the program selects. BOS, the beginning of the word, holds what a step says where it selects none."),
    madeElement("div", { class: "hw-program-heads" }, ...heads.map((head) => head.element)),
  )
  const element = madeElement(
    "section",
    { class: "hw-program", "aria-label": `Compiled program ${program.output}` },
    madeElement("header", { class: "hw-program-head" }, madeElement("div", {}, title, about), makeProgramBadge(program, host)),
    input.element,
    problem,
    results,
  )

  function changed() {
    number += 1
    show()
    clearTimeout(timer)
    if (host === "file" || input.faultOf(word)) return
    timer = setTimeout(() => {
      model.set("program_asked", { number, word })
      model.save_changes()
    }, PROGRAM_QUIET)
  }

  // Values are those of the word in the box. Where there are none, the last ones stay, grey, with their word.
  function show() {
    const fault = input.faultOf(word)
    const answer = model.get("program_answer")
    const fresh = answer?.word && JSON.stringify(answer.word) === JSON.stringify(word)
    const failed = answer?.problem && !answer.word && answer.number === number
    const next = fault || failed ? { problem: fault ?? answer.problem } : fresh ? valuesByLibrary(program, answer) : run ? valuesByPage(program, run, word) : {}
    const waits = !fault && !failed && !fresh && !run
    if (next.n) shown = next
    const stale = !next.n
    results.classList.toggle("hw-stale", stale)
    results.hidden = shown === null
    problem.textContent = next.problem ?? (waits ? (host === "file" ? program.too_large : "The library is computing this word.") : "")
    if (shown) {
      const by = shown.source === "library" ? "Computed by the library." : host === "file" ? "Computed in this page, in float64." : "Computed in this page. The library has not answered yet."
      source.textContent = stale ? `These values are for the word ${input.spelled(shown.word)}.` : by
    }
    if (stale || !shown) return
    output.update(shown)
    table.update(shown)
    heads.forEach((head, k) => head.update(shown, k))
  }

  const hear = () => show()
  const redraw = () => heads.forEach((head) => head.redraw())
  const scheme = matchMedia("(prefers-color-scheme: dark)")
  const hostScheme = new MutationObserver(redraw)
  const watch = new ResizeObserver(() => {
    // The first call comes when the page shows the element, so that its root is known from then on.
    const root = element.closest(".headwright-play")
    if (root) hostScheme.observe(root, { attributes: true, attributeFilter: ["data-scheme"] })
    redraw()
  })
  model.on("change:program_answer", hear)
  scheme.addEventListener("change", redraw)
  watch.observe(element)
  input.set(word)
  changed()
  const close = () => {
    clearTimeout(timer)
    model.off("change:program_answer", hear)
    scheme.removeEventListener("change", redraw)
    watch.disconnect()
    hostScheme.disconnect()
  }
  return Object.assign(element, { close })
}

// The verdict is about every word, so that it does not depend on the one that is typed. A page without a library proves nothing.
function makeProgramBadge(program, host) {
  const file = host === "file"
  const tone = file ? "computed" : program.status === "proved" ? "proved" : "unknown"
  const badge = madeElement("p", { class: "hw-badge", "data-tone": tone }, file ? "Computed, not proved" : program.sentence)
  const told = file ? (program.status === "proved" ? `This page computes with the model's weights. The library judged the model when the file was written: ${program.sentence}` : program.sentence) : null
  const claim = madeElement("details", {}, madeElement("summary", {}, "The claim in full"), madeElement("pre", {}, program.claim))
  return madeElement("div", { class: "hw-program-verdict" }, badge, ...(told ? [madeElement("p", { class: "hw-note" }, told)] : []), claim)
}

// Tokens with the model's output below each.
function makeOutputStrip(program) {
  const strip = madeElement("ol", { class: "hw-program-output", "aria-label": "Output at each position" })
  const element = madeElement("div", { class: "hw-scroll", tabindex: 0, role: "group", "aria-label": "Output" }, strip)
  function update({ word, output, registers }) {
    const says = registers.at(-1).says
    strip.replaceChildren(
      ...word.map((token, i) => {
        const text = typeof output[i] === "number" && !Number.isInteger(output[i]) ? prose(output[i]) : valueText(output[i])
        const right = program.registers.at(-1).labels ? valueText(output[i]) === valueText(says[i]) : true
        return madeElement("li", right ? {} : { class: "hw-wrong" }, madeElement("span", { class: "hw-token" }, token), madeElement("span", { class: "hw-unseen" }, " gives "), madeElement("b", {}, text))
      }),
    )
  }
  return { element, update }
}

// One row for each register: its meaning, the proved error, and at each position what the program says and what the model holds.
function makeRegisters(program, host) {
  const head = madeElement("tr")
  const rows = program.registers.map((own) => {
    const off = madeElement("span", { class: "hw-note" })
    const name = madeElement("th", { scope: "row" }, madeElement("b", {}, own.name), madeElement("span", {}, own.words === own.name ? "" : own.words), off)
    return { off, name, row: madeElement("tr", {}, name) }
  })
  const table = madeElement("table", { class: "hw-registers" }, madeElement("thead", {}, head), madeElement("tbody", {}, ...rows.map(({ row }) => row)))
  const key = madeElement("p", { class: "hw-note" }, `Above: what the program says. Below: what the model holds. Each error is the largest on this word, and its bound holds for every word${host === "file" ? " (proved by the library when the file was written)" : ""}.`)
  const element = madeElement("div", {}, key, madeElement("div", { class: "hw-scroll", tabindex: 0, role: "group", "aria-label": "Registers" }, table))
  // Three decimals fit the narrow columns; the row's own error has the small figures.
  const held = (value) => (typeof value === "number" ? prose(Number(value.toFixed(3))) : valueText(value))
  function update({ word, registers }) {
    head.replaceChildren(madeElement("th", { scope: "col" }, "register"), ...word.map((token, i) => madeElement("th", { scope: "col" }, madeElement("span", { class: "hw-note" }, String(i)), madeElement("span", { class: "hw-token" }, token))))
    registers.forEach(({ says, holds, off }, k) => {
      const { row, name, off: note } = rows[k]
      const proved = program.registers[k].error
      note.textContent = off ? (proved > 0 ? `error ${prose(Math.max(...off))}, proved at most ${atMost(proved)}` : "stored exactly") : "not stored: no step reads it from the stream"
      row.replaceChildren(
        name,
        ...says.map((value, i) => {
          const wrong = holds && typeof holds[i] !== "number" && valueText(holds[i]) !== valueText(value) && numberOf(holds[i]) !== numberOf(value)
          return madeElement("td", wrong ? { class: "hw-wrong" } : {}, madeElement("b", {}, valueText(value)), madeElement("span", {}, holds ? held(holds[i]) : "—"))
        }),
      )
    })
  }
  return { element, update }
}

function makeHead(program, head, host) {
  const heat = makeHeat(`the head of ${head.name}`)
  const leak = madeElement("p", { class: "hw-leak" })
  const place = madeElement("span", { class: "hw-note" }, `block ${head.block}, head ${head.head}, rank ${head.rank}`)
  const caption = madeElement("figcaption", {}, madeElement("b", {}, head.name), place, madeElement("p", {}, head.words))
  const element = madeElement("figure", { class: "hw-program-figure" }, caption, heat.element, leak)
  const when = host === "file" ? " (proved by the library when the file was written)" : " (proved)"
  function update({ n, word, attention, selected }, k) {
    const own = { n, weights: attention[k], tokens: word, selected: selected?.[k] ?? null, rest: head.default, causal: program.causal }
    heat.update(own)
    if (head.kind === "count") leak.textContent = `This head counts: the more keys it selects, the less weight is left on BOS. The column that it writes is off by at most ${atMost(head.error)} on any word${when}.`
    else {
      const here = own.selected ? `${prose(leakOf(own))} here, ` : ""
      leak.textContent = `Leak, the weight outside the selected keys: ${here}at most ${atMost(head.leak)} on any word${when}.`
    }
  }
  return { element, update, redraw: heat.redraw }
}

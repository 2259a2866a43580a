// What is shown of a word: what the program says and what the model holds, computed by the page or sent by the library.
import { readFraction } from "./fractions.js"
import { meaningOf, numberOf } from "./program_meaning.js"
import { unpacked } from "./program_run.js"

// {problem} or {n, word, output, registers: [{says, holds, off}], attention, selected, source: "page"}
export function valuesByPage(program, run, word) {
  const meaning = meaningOf(program, word)
  if (meaning.problem) return { problem: meaning.problem }
  const ran = run(word)
  const registers = program.registers.map((own) => registerValues(own, meaning.values[own.number], ran))
  // The output is the last of the registers that it needs.
  return { n: ran.n, word, output: outputOf(program, program.registers.at(-1), ran), registers, attention: ran.attention, codes: ran.codes, selected: selectedKeys(program, meaning), source: "page" }
}

// The same from the library's answer.
export function valuesByLibrary(program, answer) {
  if (answer.problem) return { problem: answer.problem }
  // A fraction comes as its text in a list, which no other value is.
  const value = (own) => (Array.isArray(own) ? readFraction(own[0]) : own)
  const registers = answer.registers.map(({ says, holds, off }) => ({ says: says.map(value), holds, off }))
  const attention = answer.attention.map((own) => unpacked(own, Float32Array).at)
  const meaning = program.written ? meaningOf(program, answer.word) : null
  return { n: answer.word.length + 1, word: answer.word, output: answer.output, registers, attention, selected: meaning ? selectedKeys(program, meaning) : null, source: "library" }
}

function selectedKeys(program, meaning) {
  return program.heads.map((head) => meaning.selected[head.register])
}

// The values of one register at each position: what its columns hold, decoded, and how far they are from the code.
function registerValues(own, says, { stream, n }) {
  if (!own.columns) return { says, holds: null, off: null }
  const held = (i, c) => stream.at[(i + 1) * stream.width + own.columns[c]]
  const positions = Array.from({ length: n - 1 }, (_, i) => i)
  if (!own.codes) {
    const holds = positions.map((i) => held(i, 0))
    return { says, holds, off: holds.map((x, i) => Math.abs(x - numberOf(says[i]))) }
  }
  const codes = (own.unpacked ??= unpacked(own.codes))
  const nearest = positions.map((i) => nearestCode(codes, (c) => held(i, c)))
  const at = (value) => own.labels.findIndex((label) => (typeof label === "string" ? label === value : typeof value !== "string" && Number(label) === Number(value)))
  return { says, holds: nearest.map(({ best }) => own.labels[best]), off: nearest.map(({ away }, i) => away[at(says[i])]) }
}

// Which row of the codes is nearest, in its largest entry, and how far each row is away.
function nearestCode({ shape: [rows, width], at }, held) {
  const away = new Float64Array(rows)
  for (let k = 0; k < rows; k++) for (let c = 0; c < width; c++) away[k] = Math.max(away[k], Math.abs(held(c) - at[k * width + c]))
  return { best: away.indexOf(Math.min(...away)), away }
}

// What the unembedding gives: a number, or the label with the nearest code.
function outputOf(program, { labels }, { codes, n }) {
  const row = (i) => (c) => codes.at[(i + 1) * codes.width + c]
  const positions = Array.from({ length: n - 1 }, (_, i) => i)
  if (!labels) return positions.map((i) => row(i)(0))
  let known = { shape: [labels.length, labels.length], at: Float64Array.from({ length: labels.length ** 2 }, (_, k) => (k % (labels.length + 1) ? 0 : 1)) }
  if (codes.width === 1 && labels.every((label) => typeof label !== "string")) known = { shape: [labels.length, 1], at: Float64Array.from(labels, Number) }
  else if (program.weights.codes) known = unpacked(program.weights.codes)
  return positions.map((i) => labels[nearestCode(known, row(i)).best])
}

// What a program says about a word, computed step by step from its definition with exact fractions: the same rules as the
// library's program_meaning.py. A value is a text, a number (a whole one), true or false, or a fraction as in fractions.js.
import { addFractions, fraction, readFraction, timesFraction, writeFraction } from "./fractions.js"

function fractionOf(value) {
  if (typeof value === "object") return value
  return typeof value === "string" ? readFraction(value) : fraction(BigInt(value))
}

// Labels are equal as in Python, where true is 1.
const plainLabel = (value) => (typeof value === "boolean" ? Number(value) : value)

export function numberOf(value) {
  return typeof value === "object" ? Number(value[0]) / Number(value[1]) : Number(value)
}

// {values: {register: [value per position]}, selected: {register: [[key, …] per position]}} or {problem}.
export function meaningOf(program, word) {
  const { written, registers } = program
  const named = new Map(registers.map((own) => [own.number, own]))
  const place = new Map(written.vocabulary.map((token, i) => [token, i]))
  const known = { 0: word, 1: word.map((_, i) => i) }
  const selected = {}
  const rank = (label) => (typeof label === "string" ? place.get(label) : Number(label))
  const total = ([constant, ...terms], i) =>
    terms.reduce((sum, [register, factor]) => addFractions(sum, timesFraction(fractionOf(factor), fractionOf(known[register][i]))), fractionOf(constant))

  const holds = (atom, i) => {
    if (atom.kind === "before") return (j) => j <= i
    if (atom.kind === "at") {
      const wanted = total(atom.index, i)
      return (j) => wanted[1] === 1n && wanted[0] === BigInt(j)
    }
    const own = known[atom.key]
    if (atom.kind === "among") {
      const chosen = new Set(atom.chosen.map(plainLabel))
      return (j) => chosen.has(plainLabel(own[j]))
    }
    const mine = known[atom.mine][i]
    if (atom.kind === "matches") return (j) => plainLabel(own[j]) === plainLabel(mine)
    return (j) => rank(own[j]) < rank(mine)
  }

  const valueAt = (step, register, i) => {
    if (step.kind === "length") return word.length
    if (step.kind === "map") {
      let at = 0
      for (const of of step.of) {
        const labels = named.get(of).labels
        at = at * labels.length + labels.findIndex((label) => plainLabel(label) === plainLabel(known[of][i]))
      }
      return step.table[at]
    }
    if (step.kind === "compare" || step.kind === "sign") {
      const [top] = total(step.sum, i)
      if (step.kind === "sign") return top > 0n ? 1 : top < 0n ? -1 : 0
      return step.strict ? top > 0n : top >= 0n
    }
    let keys = Array.from({ length: program.causal ? i + 1 : word.length }, (_, j) => j)
    for (const atom of step.select) keys = keys.filter(holds(atom, i))
    ;(selected[register] ??= []).push(step.kind === "last" ? keys.slice(-1) : keys)
    if (step.kind === "count") return keys.length
    const values = keys.map((j) => known[step.of[0]][j])
    if (step.kind !== "mean" && !keys.length && step.default !== undefined) return step.default
    const others = [...new Map(values.map((value) => [typeof value === "object" ? valueText(value) : plainLabel(value), value])).values()]
    if (!keys.length || (step.kind === "pick" && others.length > 1)) throw { register, i, others }
    if (step.kind === "mean") return timesFraction(values.map(fractionOf).reduce(addFractions), fraction(1n, BigInt(values.length)))
    return values.at(-1)
  }

  try {
    for (const { number } of registers) {
      const step = written.steps[number - 2]
      if (step) known[number] = word.map((_, i) => valueAt(step, number, i))
      if (step?.kind === "length") selected[number] = word.map(() => word.map((_, j) => j))
    }
  } catch (thrown) {
    if (thrown instanceof Error) throw thrown
    const { register, i, others } = thrown
    const why = others.length ? `the selected keys hold ${others.slice(0, 2).map(spelledValue).join(" and ")}` : "no key is selected"
    return { problem: `The program is undefined on this word: ${named.get(register).name} has no value at position ${i}, because ${why} there.` }
  }
  return { values: known, selected }
}

function spelledValue(value) {
  return typeof value === "string" ? `'${value}'` : valueText(value)
}

// A value of a register for people.
export function valueText(value) {
  if (typeof value === "boolean") return value ? "true" : "false"
  if (value !== null && typeof value === "object") return writeFraction(value).replace("-", "−")
  return String(value).replace(typeof value === "number" ? "-" : /(?!)/, "−")
}

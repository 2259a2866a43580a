// A scene as the few lines of Python that ask the library for the same thing.

// Characters of a line of keys; longer lists go over several lines.
const WIDEST_LINE = 100

export function pythonGoal(goal) {
  const { indices } = goal
  if (goal.goal === "copy") return `hw.Copy(${indices[0]})`
  if (goal.goal === "blend") return `hw.Blend({${indices.map((i, k) => `${i}: "${goal.shares[k]}"`).join(", ")}})`
  return `hw.${goal.goal === "top" ? "Top" : "Average"}(${indices.join(", ")})`
}

// Python reads a long integer digit by digit; the float that is meant has an exponent.
const pythonNumber = (x) => (Number.isInteger(x) && !Number.isSafeInteger(x) ? x.toExponential() : String(x))

function pythonRows(rows) {
  const texts = rows.map((row) => `[${row.map(pythonNumber).join(", ")}]`)
  const line = `[${texts.join(", ")}]`
  if (line.length <= WIDEST_LINE) return line
  const lines = [""]
  for (const text of texts) {
    const last = lines.length - 1
    if (lines[last] && lines[last].length + text.length + 6 > WIDEST_LINE) lines.push(`${text},`)
    else lines[last] += `${lines[last] ? " " : ""}${text},`
  }
  return `[\n${lines.map((own) => `    ${own}`).join("\n")}\n]`
}

function pythonNoise({ isotropic, along }) {
  const parts = isotropic > 0 ? [`isotropic=${isotropic}`] : []
  const named = Object.entries(along)
  if (named.length) parts.push(`along={${named.map(([j, variance]) => `${j}: ${variance}`).join(", ")}}`)
  return parts.map((part) => `, ${part}`).join("")
}

// The text. `refused` says that the goal is out of reach: then the refusal is returned, not raised.
export function pythonOf(scene, refused = false) {
  const { keys, goal, error, scale, max_norm, heads, queries, noise, steady, radius, layer } = scene
  const lines = ["import headwright as hw"]
  const options = (parts) => parts.filter((part) => part !== null).map((part) => `, ${part}`).join("")
  const scaled = scale === 1 ? null : `scale=${scale}`
  const about = (words) => lines.push("", `keys = ${pythonRows(keys)}`, ...words)
  if (layer) {
    const goals = layer.map((own, row) => (own === null ? null : `${row}: ${pythonGoal(own)}`)).filter((text) => text !== null)
    about([`layer = hw.design_layer(keys, {${goals.join(", ")}}${options([`error=${error}`, heads > 1 ? `heads=${heads}` : null])})`, "print(layer)"])
    return lines.join("\n")
  }
  if (!goal) {
    about(["# There is no goal yet, such as hw.Copy(0) or hw.Average(0, 1)."])
    return lines.join("\n")
  }
  const wish = pythonGoal(goal)
  const top = goal.goal === "top"
  const asked = top ? null : `error=${error}`
  const moving = radius > 0 ? `radius=${radius}, norm="ball"` : null
  const varying = noise && !top
  if (queries) {
    const given = pythonRows(queries)
    const mixed = queries.length > 1 ? `mix="equal"` : null
    about([`verdict = hw.certify(keys, ${given}, ${wish}${options([asked, scaled, mixed, moving])})`, "print(verdict)"])
    if (varying) lines.push(`noisy = hw.GaussianKeys(keys${pythonNoise(noise)})`, `print(hw.outcome(noisy, ${given}, ${wish}${options([scaled, mixed])}).probability(${error}))`)
    return lines.join("\n")
  }
  const noisy = noise ? Object.keys(noise.along).map(Number) : []
  const still = steady && noisy.length > 0
  if (still) lines.push("from scipy.linalg import null_space")
  const within = still ? `within=null_space([${noisy.map((j) => `keys[${j}]`).join(", ")}])` : null
  const size = max_norm === null ? asked : `max_norm=${max_norm}`
  about([`design = hw.design(keys, ${wish}${options([size, scaled, heads > 1 ? `heads=${heads}` : null, moving, within, refused ? "throw=False" : null])})`, "print(design)"])
  // Queries of a given form have more digits than `outcome` reads; their float64 values do not.
  const judged = still ? `design.queries, ${wish}, scale=design.scale, mix=design.mix` : "design"
  if (!refused && max_norm !== null && !top) lines.push(`print(hw.certify(keys, design, error=${error}))`)
  if (!refused && varying) lines.push(`noisy = hw.GaussianKeys(keys${pythonNoise(noise)})`, `print(hw.outcome(noisy, ${judged}).probability(${error}))`)
  return lines.join("\n")
}

// A compiled model run in the page, in float64: embedding, blocks and read-out. Nothing here is a proof.

// {shape, at: Float64Array} of numbers that were packed as base64 of little-endian floats.
export function unpacked({ shape, data }, kind = Float64Array) {
  const text = atob(data)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  const view = new DataView(bytes.buffer)
  const size = kind.BYTES_PER_ELEMENT
  const at = Float64Array.from({ length: bytes.length / size }, (_, i) => (size === 8 ? view.getFloat64(8 * i, true) : view.getFloat32(4 * i, true)))
  return { shape, at }
}

// A function from words (lists of tokens) to {stream, codes, attention}, or null if the weights did not come.
export function makeRunner(program) {
  if (!program.weights) return null
  const held = Object.fromEntries(Object.entries(program.weights).map(([name, own]) => [name, unpacked(own)]))
  const width = held.tokens.shape[1]
  const blocks = []
  while (held[`${blocks.length}.query`]) blocks.push(blockOf(held, blocks.length))

  return (word) => {
    const n = word.length + 1
    let x = new Float64Array(n * width)
    const rows = [0, ...word.map((token) => 1 + program.vocabulary.indexOf(token))]
    rows.forEach((row, i) => x.set(held.tokens.at.subarray(row * width, (row + 1) * width), i * width))
    if (held.positions) for (let k = 0; k < x.length; k++) x[k] += held.positions.at[k]
    const every = blocks.map((block) => {
      const { weights, sum } = attendedRows(block, x, n, width, program.causal)
      x = sum
      if (block.inner) x = fedForward(block, x, n, width)
      return weights
    })
    return {
      n,
      attention: program.heads.map(({ block, head }) => every[block][head]),
      stream: held.reader ? linearRows(x, n, held.reader, 0, null) : { at: x, width },
      codes: linearRows(x, n, held.unembedding, 0, held.unembedding_bias),
    }
  }
}

function blockOf(held, number) {
  const names = ["query", "key", "value", "output", "query_bias", "key_bias", "value_bias", "inner", "inner_bias", "outer", "outer_bias"]
  return Object.fromEntries(names.map((name) => [name, held[`${number}.${name}`] ?? null]))
}

// Rows x (n, d) times the transpose of matrix `h` of a map (…, r, d), plus its bias: {at: (n, r), width: r}.
function linearRows(x, n, map, h, bias) {
  const [r, d] = map.shape.slice(-2)
  const from = h * r * d
  const out = new Float64Array(n * r)
  for (let i = 0; i < n; i++) {
    for (let a = 0; a < r; a++) {
      let sum = 0
      for (let c = 0; c < d; c++) sum += x[i * d + c] * map.at[from + a * d + c]
      out[i * r + a] = bias ? sum + bias.at[h * r + a] : sum
    }
  }
  return { at: out, width: r }
}

function attendedRows(block, x, n, width, causal) {
  const sum = Float64Array.from(x)
  const weights = []
  for (let h = 0; h < block.query.shape[0]; h++) {
    const queries = linearRows(x, n, block.query, h, block.query_bias)
    const keys = linearRows(x, n, block.key, h, block.key_bias)
    const values = linearRows(x, n, block.value, h, block.value_bias)
    const own = headWeightsOf(queries, keys, n, causal)
    const mixed = new Float64Array(n * values.width)
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const weight = own[i * n + j]
        if (weight) for (let c = 0; c < values.width; c++) mixed[i * values.width + c] += weight * values.at[j * values.width + c]
      }
    }
    const made = linearRows(mixed, n, block.output, h, null)
    for (let k = 0; k < n * width; k++) sum[k] += made.at[k]
    weights.push(own)
  }
  return { weights, sum }
}

function headWeightsOf(queries, keys, n, causal) {
  const r = queries.width
  const own = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    const last = causal ? i + 1 : n
    let top = -Infinity
    for (let j = 0; j < last; j++) {
      let score = 0
      for (let c = 0; c < r; c++) score += queries.at[i * r + c] * keys.at[j * r + c]
      own[i * n + j] = score
      top = Math.max(top, score)
    }
    let all = 0
    for (let j = 0; j < last; j++) all += own[i * n + j] = Math.exp(own[i * n + j] - top)
    for (let j = 0; j < last; j++) own[i * n + j] /= all
  }
  return own
}

function fedForward(block, x, n) {
  const hidden = linearRows(x, n, block.inner, 0, block.inner_bias)
  for (let k = 0; k < hidden.at.length; k++) hidden.at[k] = Math.max(0, hidden.at[k])
  const out = linearRows(hidden.at, n, block.outer, 0, block.outer_bias)
  return out.at.map((change, k) => x[k] + change)
}

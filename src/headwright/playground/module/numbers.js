// Sums, softmax, small dense linear algebra, and the convex hull of points in the plane, whose turns are decided exactly.

export function dot(a, b) {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}

export function norm(a) {
  let top = 0
  for (let i = 0; i < a.length; i++) top = Math.max(top, Math.abs(a[i]))
  if (top === 0 || !Number.isFinite(top)) return top
  // Squares of entries in this range neither overflow nor vanish.
  const one = top > 1e-140 && top < 1e140 ? 1 : top
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] / one) ** 2
  return one * Math.sqrt(sum)
}

export function minus(a, b) {
  const out = new Array(a.length)
  for (let i = 0; i < a.length; i++) out[i] = a[i] - b[i]
  return out
}

// a + t b
export function plus(a, b, t = 1) {
  const out = new Array(a.length)
  for (let i = 0; i < a.length; i++) out[i] = a[i] + t * b[i]
  return out
}

export function times(a, t) {
  const out = new Array(a.length)
  for (let i = 0; i < a.length; i++) out[i] = a[i] * t
  return out
}

export function meanOf(rows) {
  const out = new Array(rows[0].length).fill(0)
  for (const row of rows) for (let c = 0; c < out.length; c++) out[c] += row[c] / rows.length
  return out
}

export function softmax(scores) {
  let top = -Infinity
  for (let j = 0; j < scores.length; j++) top = Math.max(top, scores[j])
  const parts = new Array(scores.length)
  let sum = 0
  for (let j = 0; j < scores.length; j++) sum += parts[j] = Math.exp(scores[j] - top)
  for (let j = 0; j < scores.length; j++) parts[j] /= sum
  return parts
}

// (H + shift I)⁻¹ right for a symmetric positive semi-definite H (r × r, row by row); null where it is singular in float64.
export function solveShifted(H, shift, right) {
  const r = right.length
  let largest = 0
  for (let c = 0; c < r; c++) largest = Math.max(largest, H[c * r + c])
  // 1e-15 of the largest entry: a smaller shift cannot be seen beside H. 1e-300: no division by zero.
  const lift = Math.max(shift, 1e-15 * largest, 1e-300)
  const L = new Float64Array(r * r)
  for (let i = 0; i < r; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = H[i * r + j] + (i === j ? lift : 0)
      for (let k = 0; k < j; k++) sum -= L[i * r + k] * L[j * r + k]
      if (i !== j) L[i * r + j] = sum / L[j * r + j]
      else if (sum > 0) L[i * r + i] = Math.sqrt(sum)
      else return null
    }
  }
  const out = new Array(r)
  for (let i = 0; i < r; i++) {
    let sum = right[i]
    for (let k = 0; k < i; k++) sum -= L[i * r + k] * out[k]
    out[i] = sum / L[i * r + i]
  }
  for (let i = r - 1; i >= 0; i--) {
    let sum = out[i]
    for (let k = i + 1; k < r; k++) sum -= L[k * r + i] * out[k]
    out[i] = sum / L[i * r + i]
  }
  return out
}

// An orthonormal basis of the rows' span by Gram–Schmidt with pivots, each direction taken off twice so that none of it is
// left. `names` are the rows chosen. A rest below `small` of the longest row counts as dependent.
export function spanOf(rows, small = 1e-13) {
  const basis = [], names = []
  if (!rows.length) return { basis, names }
  const rest = rows.map((row) => Float64Array.from(row))
  const sizes = rest.map(norm)
  const most = Math.min(rows.length, rows[0].length)
  const least = small * Math.max(...sizes)
  while (basis.length < most) {
    let pick = 0
    for (let i = 1; i < rest.length; i++) if (sizes[i] > sizes[pick]) pick = i
    if (!(sizes[pick] > least)) break
    let along = rest[pick]
    for (const old of basis) {
      const part = dot(old, along)
      for (let c = 0; c < along.length; c++) along[c] -= part * old[c]
    }
    const length = norm(along)
    if (!(length > least)) {
      sizes[pick] = 0
      continue
    }
    along = along.map((x) => x / length)
    basis.push(along)
    names.push(pick)
    for (let i = 0; i < rest.length; i++) {
      const row = rest[i]
      let part = 0, squares = 0
      for (let c = 0; c < row.length; c++) part += along[c] * row[c]
      for (let c = 0; c < row.length; c++) {
        row[c] -= part * along[c]
        squares += row[c] * row[c]
      }
      // Squares in this range neither overflowed nor vanished.
      sizes[i] = i === pick ? 0 : squares > 1e-280 && squares < 1e280 ? Math.sqrt(squares) : norm(row)
    }
  }
  return { basis, names }
}

// An orthonormal basis of what is orthogonal to an orthonormal `basis` in r dimensions.
export function complementOf(basis, r) {
  if (r === 2 && basis.length === 1) return [[-basis[0][1], basis[0][0]]]
  if (basis.length === 1) return acrossOne(basis[0])
  const units = Array.from({ length: r }, (_, c) => {
    const unit = new Float64Array(r)
    unit[c] = 1
    for (let pass = 0; pass < 2; pass++) for (const old of basis) {
      const part = dot(old, unit)
      for (let k = 0; k < r; k++) unit[k] -= part * old[k]
    }
    return unit
  })
  // 1e-7: r - rank unit vectors keep a part of at least 1/r², so anything this small is rounding.
  return spanOf(units, 1e-7).basis.slice(0, r - basis.length)
}

// The same for one unit vector: all but one row of the reflection that takes it to an axis, that of its largest entry.
function acrossOne(unit) {
  let k = 0
  for (let c = 1; c < unit.length; c++) if (Math.abs(unit[c]) > Math.abs(unit[k])) k = c
  const mirror = Float64Array.from(unit)
  mirror[k] += unit[k] < 0 ? -1 : 1
  const half = Math.abs(mirror[k])
  const rows = []
  for (let i = 0; i < unit.length; i++) {
    if (i === k) continue
    const row = new Float64Array(unit.length)
    for (let c = 0; c < unit.length; c++) row[c] = -(mirror[i] * mirror[c]) / half
    row[i] += 1
    rows.push(row)
  }
  return rows
}

// The least-norm solution of E q = b and an orthonormal basis of what E leaves free; `consistent` is false where there is none.
export function leastSolution(E, b, r) {
  const { basis, names } = spanOf(E)
  const parts = []
  names.forEach((i, k) => {
    let rest = b[i]
    for (let l = 0; l < k; l++) rest -= parts[l] * dot(E[i], basis[l])
    parts.push(rest / dot(E[i], basis[k]))
  })
  let base = new Array(r).fill(0)
  parts.forEach((part, k) => (base = plus(base, basis[k], part)))
  let off = 0, size = 1
  for (let i = 0; i < b.length; i++) {
    off = Math.max(off, Math.abs(dot(E[i], base) - b[i]))
    size = Math.max(size, Math.abs(b[i]))
  }
  // 1e-9: what the library calls consistent.
  return { base, free: complementOf(basis, r), consistent: off <= 1e-9 * size, rank: basis.length }
}

// Which way the path o, a, b turns in the plane: positive to the left, negative to the right, 0 exactly where the three lie on
// a line. Float64 decides where its error bound allows, integers of any size otherwise.
export function turn(o, a, b) {
  const left = (a[0] - o[0]) * (b[1] - o[1])
  const right = (a[1] - o[1]) * (b[0] - o[0])
  const size = Math.abs(left) + Math.abs(right)
  // 4e-16 of the size bounds the rounding of four differences, two products and one difference, unless something underflows.
  if (Math.abs(left - right) > 4e-16 * size && size > 1e-280 && size < 1e300) return left - right
  const [ox, oy, ax, ay, bx, by] = integersOf([...o, ...a, ...b])
  const exact = (ax - ox) * (by - oy) - (ay - oy) * (bx - ox)
  return exact > 0n ? 1 : exact < 0n ? -1 : 0
}

// The numbers times one power of two that makes integers of them all.
function integersOf(numbers) {
  const view = new DataView(new ArrayBuffer(8))
  const parts = numbers.map((x) => {
    view.setFloat64(0, x)
    const bits = view.getBigUint64(0)
    const power = Number((bits >> 52n) & 2047n)
    const digits = (bits & ((1n << 52n) - 1n)) | (power ? 1n << 52n : 0n)
    return { whole: bits >> 63n ? -digits : digits, power: digits ? power || 1 : Infinity }
  })
  const least = Math.min(...parts.map((part) => part.power))
  return parts.map((part) => (part.whole ? part.whole << BigInt(part.power - least) : 0n))
}

export function samePoint(a, b) {
  for (let c = 0; c < a.length; c++) if (a[c] !== b[c]) return false
  return true
}

// The corners of the convex hull of points in the plane, counter-clockwise, as indices; of equal points the first alone. Points
// on an edge are no corners. `among` names the points to look at.
export function hullOf(points, among = points.map((_, i) => i)) {
  const sorted = [...among].sort((i, j) => points[i][0] - points[j][0] || points[i][1] - points[j][1] || i - j)
  const order = sorted.filter((i, k) => k === 0 || !samePoint(points[i], points[sorted[k - 1]]))
  if (order.length < 3) return order
  const half = (line) => {
    const kept = []
    for (const i of line) {
      while (kept.length > 1 && turn(points[kept.at(-2)], points[kept.at(-1)], points[i]) <= 0) kept.pop()
      kept.push(i)
    }
    kept.pop()
    return kept
  }
  return [...half(order), ...half([...order].reverse())]
}

// Exact fractions [numerator, denominator] of integers of any size, in lowest terms, and their text: "7/10", or "2" for a whole one.

// A loop, since the sum of four hundred shares of twenty digits takes more steps than calls can be nested.
function commonDivisor(a, b) {
  while (b !== 0n) [a, b] = [b, a % b]
  return a < 0n ? -a : a
}

export function fraction(top, bottom = 1n) {
  const common = commonDivisor(top, bottom) * (bottom < 0n ? -1n : 1n)
  return [top / common, bottom / common]
}

export function readFraction(text) {
  const [top, bottom = "1"] = text.split("/")
  return fraction(BigInt(top), BigInt(bottom))
}

export function writeFraction([top, bottom]) {
  return bottom === 1n ? String(top) : `${top}/${bottom}`
}

export function addFractions([a, b], [c, d]) {
  return fraction(a * d + c * b, b * d)
}

export function timesFraction([a, b], [c, d]) {
  return fraction(a * c, b * d)
}

// The value of a text in float64.
export function fractionValue(text) {
  const [top, bottom = "1"] = text.split("/")
  return Number(top) / Number(bottom)
}

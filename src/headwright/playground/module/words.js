// Every sentence that the module writes itself.

// A number in prose: four significant figures, with a true minus sign.
export function prose(number) {
  if (number === null || !Number.isFinite(number)) return "—"
  return String(Number(number.toPrecision(4))).replace("-", "−")
}

export function nameOf(scene, i) {
  return scene.labels?.[i] ?? `key ${i}`
}

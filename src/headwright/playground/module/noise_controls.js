// Noise of the keys: in the length of one key, or in every direction.
import { makeSlider, makeSwitch } from "./choices.js"
import { madeElement } from "./elements.js"
import { norm } from "./numbers.js"
import { settingRefusal } from "./settings.js"
import { nameOf } from "./words.js"

// Variances that the slider sets.
const VARIANCES = [0.0001, 10]
const FIRST_VARIANCE = 0.1

export function makeNoiseControls(store) {
  const end = () => store.endGesture()
  const onOff = makeSwitch({ label: "The keys vary", change: (on) => store.change(on ? { noise: startNoise(store.scene) } : { noise: null, steady: false }) })
  const kind = madeElement("select", { "aria-label": "What varies" })
  const kindLine = madeElement("label", { class: "hw-line" }, madeElement("span", {}, "What varies"), kind)
  const variance = makeSlider({ label: ["Variance"], low: VARIANCES[0], high: VARIANCES[1], end, change: (value) => store.change({ noise: madeNoise(kind.value, value) }, { gesture: "set variance" }) })
  const steady = makeSwitch({ label: "Steady: the query ignores the direction that varies", change: (on) => store.change({ steady: on }) })
  const element = madeElement("section", { class: "hw-card", "aria-label": "Noise" }, madeElement("h3", {}, "Noise"), onOff.element, kindLine, variance.element, steady.element)

  kind.addEventListener("change", () => {
    const noise = madeNoise(kind.value, varianceOf(store.scene.noise) ?? FIRST_VARIANCE)
    store.change({ noise, steady: store.scene.steady && Object.keys(noise.along).length > 0 })
  })

  const canVary = (scene, i) => norm(scene.keys[i]) > 0
  const madeNoise = (name, value) => (name === "every" ? { isotropic: value, along: {} } : { isotropic: 0, along: { [name]: value } })
  function startNoise(scene) {
    const named = [...(scene.goal?.indices ?? []), ...scene.keys.keys()].find((i) => canVary(scene, i))
    return madeNoise(named === undefined ? "every" : String(named), FIRST_VARIANCE)
  }
  // The one variance of the noise; null where it has several.
  function varianceOf(noise) {
    const along = Object.values(noise.along)
    if (along.length === 0) return noise.isotropic > 0 ? noise.isotropic : null
    return along.length === 1 && noise.isotropic === 0 ? along[0] : null
  }

  function update({ scene }) {
    const { noise } = scene
    onOff.update(noise !== null, settingRefusal(scene, "noise"))
    for (const own of [kindLine, variance.element, steady.element]) own.hidden = noise === null
    if (!noise) return
    const single = varianceOf(noise)
    // A key at the origin has no direction in which its length could vary.
    const names = scene.keys.map((_, i) => `Length of ${nameOf(scene, i)}${canVary(scene, i) ? "" : " (it is zero)"}`)
    const told = [...names, single === null].join("\u0000")
    if (kind.dataset.told !== told) {
      const lengths = names.map((name, i) => madeElement("option", { value: i, disabled: !canVary(scene, i) }, name))
      kind.replaceChildren(...(single === null ? [madeElement("option", { value: "several" }, "Several, as given")] : []), madeElement("option", { value: "every" }, "Every direction of every key"), ...lengths)
      kind.dataset.told = told
    }
    kind.value = single === null ? "several" : Object.keys(noise.along)[0] ?? "every"
    variance.update(single ?? (noise.isotropic || Math.max(...Object.values(noise.along))), single === null ? "Several variances are set. Choose what varies to set one." : null)
    steady.update(scene.steady, settingRefusal(scene, "steady"))
  }
  return { element, update }
}

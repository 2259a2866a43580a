// What the design must satisfy: error, scale, norm budget, keys that move, heads, and whose query it is.
import { makeChoice, makeSlider } from "./choices.js"
import { formulaOf, madeElement, normFormula } from "./elements.js"

// The least and the largest that a slider sets; a scene from elsewhere may lie beyond.
const RANGES = { error: [0.0001, 0.5], scale: [0.1, 10], max_norm: [0.1, 100], radius: [0.001, 10] }

const LAYER = "A whole layer is designed at once, without this."
const YOURS = "Your own query is judged as it is."

// Why an entry cannot be set in this scene, or null. These are the combinations that the library refuses.
export function settingRefusal(scene, name) {
  const { goal, heads, layer, max_norm, noise, queries, radius, steady } = scene
  const top = goal?.goal === "top"
  const targets = goal?.indices.length ?? 0
  if (name === "error") return top ? "Top asks for a score gap, not for an error." : null
  if (layer) return LAYER
  if (name === "max_norm") {
    if (queries) return YOURS
    if (radius > 0) return "A norm budget does not go with keys that move."
  }
  if (name === "radius") {
    if (top) return "Top does not go with keys that move."
    if (heads > 1) return "Keys that move do not go with several heads."
    if (max_norm !== null) return "Keys that move do not go with a norm budget."
    if (noise) return "Keys that move do not go with noise."
    if (steady) return "Keys that move do not go with a steady query."
  }
  if (name === "heads") {
    if (top) return "Top asks for the score gap of one query."
    if (queries) return YOURS
    if (targets < 2) return "One head per target differs from one head if there are two targets or more."
    if (radius > 0) return "Several heads do not go with keys that move."
  }
  if (name === "noise") {
    if (top) return "Noise does not go with Top."
    if (radius > 0) return "Noise does not go with keys that move."
  }
  if (name === "steady") {
    if (queries) return YOURS
    if (!noise || !Object.keys(noise.along).length) return "This is for noise in the length of a key."
    if (radius > 0) return "A steady query does not go with keys that move."
  }
  return null
}

export function makeSettings(store) {
  const end = () => store.endGesture()
  const slider = (name, label, own = {}) => makeSlider({ label, low: RANGES[name][0], high: RANGES[name][1], end, change: (value) => store.change({ [name]: value }, { gesture: `set ${name}` }), ...own })
  const error = slider("error", ["Error allowed"])
  const scale = slider("scale", ["Scale of the scores"])
  const budget = slider("max_norm", ["Norm budget ", normFormula(), " ≤"], { start: 2 })
  const radius = slider("radius", ["Keys may move by"], { start: 0.1, change: (value) => store.change({ radius: value ?? 0 }, { gesture: "set radius" }) })
  const heads = makeChoice({ label: "Heads", options: [["one", "One"], ["each", "One per target"]], choose: (value) => store.change({ heads: value === "one" ? 1 : store.scene.goal.indices.length }) })
  const query = makeChoice({ label: madeElement("span", {}, "Query ", formulaOf("q")), options: [["designed", "Designed"], ["own", "Your own"]], choose: (value) => store.change(value === "own" ? ownQueries() : { queries: null }) })
  const hint = madeElement("p", { class: "hw-note" }, "Drag the tip of the arrow in the drawing.")
  query.element.append(hint)
  const choices = madeElement("div", { class: "hw-pair" }, heads.element, query.element)
  const element = madeElement("section", { class: "hw-card", "aria-label": "Settings" }, madeElement("h3", {}, "Settings"), error.element, scale.element, choices, budget.element, radius.element)

  // The designed queries, as a start for one's own. What only a design has is turned off with them.
  function ownQueries() {
    const { seen, scene } = store
    const width = scene.keys[0].length
    const start = seen.queries.length ? seen.queries : [Array.from({ length: width }, (_, c) => (c === 0 ? 1 : 0))]
    return { queries: start.map((query) => query.map((x) => Number(x.toPrecision(6)))), max_norm: null, steady: false, heads: 1 }
  }

  function update({ scene }) {
    const refusal = (name) => settingRefusal(scene, name)
    error.update(scene.error, refusal("error"))
    scale.update(scene.scale, refusal("scale"))
    budget.update(scene.max_norm, refusal("max_norm"))
    radius.update(scene.radius > 0 ? scene.radius : null, refusal("radius"))
    const several = scene.queries?.length > 1 ? `You have ${scene.queries.length} queries of your own, which are mixed equally.` : null
    heads.update(several ? null : scene.heads > 1 ? "each" : "one", { one: several, each: several ?? refusal("heads") })
    query.update(scene.queries ? "own" : "designed", { own: scene.layer ? LAYER : scene.goal ? null : "Choose a goal first." })
    hint.hidden = !scene.queries
  }
  return { element, update }
}

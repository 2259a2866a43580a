// The guided walk: a step's text, its question with the judgement of the state on the screen, and the way to other steps.
import { listed, prose } from "./words.js"
import { iconOf, madeElement, setAttributes, setText } from "./elements.js"
import { readScene } from "./scene.js"
import { judgeStep, posedQuestion, sceneAnswers } from "./walk_judge.js"

const OPEN = "M5 8l5 5 5-5"
const ENTRIES = { keys: "the keys", goal: "the goal", error: "the error allowed", scale: "the scale", max_norm: "the norm budget", heads: "the number of heads", queries: "the query", noise: "the noise", steady: "whether the query is steady", radius: "how far keys move", layer: "the layer" }
// Names from an address are quoted up to this length.
const LONGEST_QUOTE = 40

// Our own text, typeset by the library: the one place where markup is inserted. Nothing that a reader or a stranger wrote comes here.
function setOurMarkup(element, html) {
  element.innerHTML = html
}

function percent(share) {
  return `${prose(100 * share, 3)}\u00a0%`
}

// What the page computed of the question: [tone, word, sentence].
function computedJudgement(step, found) {
  const { question } = step
  if (found.changed.length) {
    const names = listed(found.changed.map((name) => ENTRIES[name] ?? name))
    const them = found.changed.length > 1 ? "them" : "it"
    return ["stale", "Not this way", `You have changed ${names}. The question leaves ${them} as the step has ${them}. Undo the change, or start the step again.`]
  }
  if (found.lacksOwn) return ["stale", "Not yet", "The question asks for a query of your own. Drag the tip of the arrow."]
  const moves = question.radius ? ` when keys move by up to ${prose(question.radius)}` : ""
  if (question.confidence) {
    if (found.probability === null) return ["stale", "Not yet", "There is no query to judge."]
    const seen = `The error is within ${prose(question.error)} in ${percent(found.probability)} of all samples`
    return found.isMet ? ["computed", "Computed, not proved: yes", `${seen}.`] : ["stale", "Not yet", `${seen}, and ${percent(question.confidence)} are required.`]
  }
  if (found.error === null) return ["stale", "Not yet", question.layer ? "Some token does not have the output that the question names." : "There is no query to judge."]
  const seen = `The error is ${found.error === 0 ? "exactly 0" : prose(found.error)}${moves}`
  return found.isMet ? ["computed", "Computed, not proved: yes", `${seen}.`] : ["stale", "Not yet", `${seen}, and at most ${prose(question.error)} is allowed.`]
}

// What the library says of it, where it has answered for this very state: [tone, word, sentence], or null.
function libraryJudgement(step, found, { answer, fresh, questionAnswer, scene }) {
  if (found.changed.length || found.lacksOwn) return null
  const posed = posedQuestion(step)
  if (posed === null && (!fresh || !sceneAnswers(step, scene))) return null
  if (posed !== null && !questionAnswer) return null
  const { status, sentence } = posed === null ? answer : questionAnswer
  if (status === "proved") return ["proved", "Yes", sentence]
  if (found.isMet && status === "refuted") return ["refuted", "Refuted", sentence]
  return null
}

export function makeWalk(store) {
  const steps = store.model.get("walks") ?? []
  const element = madeElement("section", { class: "hw-walk", "aria-label": "Guided walk" })
  let step = null
  let judgedFor = null
  let found = null
  let isOpen = store.opens.host !== "notebook"

  const links = steps.map((own, k) => {
    const link = madeElement("a", { href: `#step=${own.name}`, "aria-label": `Step ${k + 1}: ${own.title}`, title: own.title }, String(k + 1))
    link.addEventListener("click", (event) => follow(event, own.name))
    return link
  })
  const dots = madeElement("nav", { class: "hw-walk-dots", "aria-label": "Steps of the walk" }, madeElement("ol", {}, ...links.map((link) => madeElement("li", {}, link))))
  const count = madeElement("p", { class: "hw-walk-count" })
  const title = madeElement("h2", { tabindex: "-1" })
  const fold = madeElement("button", { type: "button", class: "hw-walk-fold", onclick: () => show(!isOpen) })
  const heading = madeElement("div", { class: "hw-walk-head" }, madeElement("div", { class: "hw-walk-title" }, count, title), dots, fold)

  const text = madeElement("div", { class: "hw-walk-text" })
  const words = madeElement("p", { class: "hw-walk-words" })
  const badge = madeElement("strong", { class: "hw-walk-badge" })
  const sentence = madeElement("span", {})
  const judgement = madeElement("p", { class: "hw-walk-judgement", role: "status" }, badge, " ", sentence)
  // On a phone the question is out of sight while the drawing is in hand, so the judgement stands below the drawing once more. It is spoken once.
  const echo = madeElement("p", { class: "hw-walk-echo", "aria-hidden": "true", hidden: true })
  const right = madeElement("p", { class: "hw-walk-right" })
  const hint = madeElement("p", {})
  const help = madeElement("details", { class: "hw-walk-hint" }, madeElement("summary", {}, "Hint"), hint)
  const question = madeElement("div", { class: "hw-walk-question" }, madeElement("h3", {}, "Question"), words, judgement, right, help)

  const way = (label) => madeElement("a", { class: "hw-walk-way", href: "#" }, label)
  const [back, on] = [way("Previous"), way("Next")]
  for (const link of [back, on]) link.addEventListener("click", (event) => follow(event, link.dataset.step))
  const again = madeElement("button", { type: "button", class: "hw-walk-again", onclick: () => step && store.replace(step.scene) }, "Start again")
  const foot = madeElement("div", { class: "hw-walk-foot" }, back, again, on)
  const body = madeElement("div", { class: "hw-walk-body" }, text, madeElement("div", { class: "hw-walk-aside" }, question, foot))
  if (steps.length) element.append(heading, body)

  // An address of its own for each step, so that the back button works; a notebook's address belongs to the notebook.
  function follow(event, name) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button > 0) return
    event.preventDefault()
    if (store.opens.host === "notebook" || location.hash === `#step=${name}`) open(name)
    else location.hash = `#step=${name}`
    // The link that was followed may be gone; those who listen go on with the title.
    title.focus({ preventScroll: true })
  }

  function show(wanted) {
    isOpen = wanted
    if (isOpen && step === null) return open(steps[0].name)
    body.hidden = dots.hidden = !isOpen
    setText(count, step === null ? "Guided walk" : `Step ${steps.findIndex((own) => own.name === step.name) + 1} of ${steps.length}`)
    setText(title, step === null ? `Attention in ${steps.length} steps` : step.title)
    fold.replaceChildren(iconOf(OPEN), step === null ? "Start the walk" : isOpen ? "Hide the walk" : "Show the walk")
    setAttributes(fold, { "aria-expanded": String(isOpen) })
  }

  // Opens a step with exactly its scene. An unknown name opens the first, and the page says so.
  function open(name) {
    if (!steps.length) return store.say("This playground was opened without the guided walk, so it has no steps.")
    const known = steps.some((own) => own.name === name)
    const k = known ? steps.findIndex((own) => own.name === name) : 0
    const { scene, problem } = readScene(JSON.stringify(steps[k].scene))
    if (problem) return store.say(problem)
    const hadOwn = step === null && (store.canUndo || store.opens.host === "notebook")
    step = { ...steps[k], scene }
    judgedFor = null
    for (const [j, link] of links.entries()) setAttributes(link, { "aria-current": j === k ? "step" : null })
    text.replaceChildren(...step.text.map((html) => {
      const paragraph = madeElement("p", {})
      setOurMarkup(paragraph, html)
      return paragraph
    }))
    setOurMarkup(words, step.question.words)
    setOurMarkup(hint, step.question.hint)
    setOurMarkup(right, step.question.right)
    help.open = false
    for (const [link, j] of [[back, k - 1], [on, k + 1]]) {
      link.hidden = !steps[j]
      if (steps[j]) setAttributes(link, { href: `#step=${steps[j].name}`, "data-step": steps[j].name, title: steps[j].title })
    }
    isOpen = true
    show(true)
    // A reader's own state can be had back by undo; a step before this one is had back by its number.
    if (hadOwn) store.replace(scene)
    else store.open(scene)
    store.pose(posedQuestion(step), step.compare)
    if (!known) store.say(`The walk has no step called “${String(name).slice(0, LONGEST_QUOTE)}”. This is the first.`)
  }

  // The walk is left: another scene came from elsewhere.
  function leave() {
    step = null
    store.pose(null)
    for (const link of links) setAttributes(link, { "aria-current": null })
    if (steps.length) show(false)
  }

  function update(view) {
    echo.hidden = step === null || !isOpen
    if (echo.hidden) return
    if (judgedFor !== view.seen) {
      judgedFor = view.seen
      found = judgeStep(step, view.scene, view.seen)
    }
    const [tone, word, told] = libraryJudgement(step, found, view) ?? computedJudgement(step, found)
    setAttributes(judgement, { class: `hw-walk-judgement hw-walk-${tone}` })
    setText(badge, `${word}.`)
    setText(sentence, told)
    setAttributes(echo, { class: `hw-walk-echo hw-walk-${tone}` })
    setText(echo, `${word}. ${told}`)
    right.hidden = tone !== "proved" && tone !== "computed"
  }

  if (steps.length) {
    show(false)
    if (store.opens.step) open(store.opens.step)
  }
  return { element, echo, update, open, leave }
}

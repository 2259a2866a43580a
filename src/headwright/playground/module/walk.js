// The guided walk: a step's text around the drawing, its question with the judgement of the state on the screen, and the way on.
import { makeSwitch } from "./choices.js"
import { iconOf, madeElement, setAttributes, setText } from "./elements.js"
import { makeRowChooser } from "./goal_chooser.js"
import { readScene } from "./scene.js"
import { judgeStep, posedQuestion, sceneAnswers } from "./walk_judge.js"
import { listed, prose, raisedPowers } from "./words.js"

const TICK = "M4 10.5l4 4 8-9"
const ENTRIES = { keys: "the keys", goal: "the goal", error: "the error allowed", scale: "the scale", max_norm: "the norm budget", heads: "the number of heads", queries: "the query", noise: "the noise", steady: "whether the query is steady", radius: "how far keys move", layer: "the layer" }
// Names from an address are quoted up to this length.
const LONGEST_QUOTE = 40
const KEPT = "headwright-walk"

// The names of the solved steps. A private window, a notebook's frame or a file may have no storage; then they last as long as the page.
function readProgress() {
  try {
    return new Set(JSON.parse(localStorage.getItem(KEPT)) ?? [])
  } catch {
    return new Set()
  }
}
function keepProgress(solved) {
  try {
    localStorage.setItem(KEPT, JSON.stringify([...solved]))
  } catch {
    // Refused or full.
  }
}

// Our own text, typeset by the library: the one place where markup is inserted. Nothing that a reader or a stranger wrote comes here.
function setOurMarkup(element, html) {
  element.innerHTML = html
}

function percent(share) {
  return `${prose(100 * share, 3)}\u00a0%`
}

// What the page computed of the question: {tone, word, sentence, note}.
function computedJudgement({ question }, found) {
  const not = (sentence, word = "Not yet") => ({ tone: "stale", word, sentence, note: "" })
  if (found.changed.length) {
    const names = listed(found.changed.map((name) => ENTRIES[name] ?? name))
    return not(`You have changed ${names}. Undo the change, or start the step again.`, "Not this way")
  }
  if (found.lacksOwn) return not("The question asks for a query of your own. Drag the tip of the arrow.")
  const [amount, wanted] = question.confidence ? [found.probability, `At least ${percent(question.confidence)} are required.`] : [found.error, `At most ${prose(question.error)} is allowed.`]
  if (amount === null) return not(question.layer ? "Some token does not have the output that the question names." : "There is no query to judge.")
  const moves = question.radius ? ` when keys move by up to ${prose(question.radius)}` : ""
  const seen = question.confidence ? `The error is within ${prose(question.error)} in ${percent(amount)} of all samples.` : `The error is ${amount === 0 ? "exactly 0" : prose(amount, 3)}${moves}.`
  return found.isMet ? { tone: "solved", word: "Solved", sentence: seen, note: "Computed in the page." } : not(`${seen} ${wanted}`)
}

// The same, with what the library says of it where it has answered for this very state.
function judgement(step, found, { answer, fresh, questionAnswer, scene }) {
  const computed = computedJudgement(step, found)
  if (found.changed.length || found.lacksOwn) return computed
  const given = posedQuestion(step) === null ? fresh && sceneAnswers(step, scene) && answer : questionAnswer
  const { status, sentence } = given || {}
  if (status === "proved") return { ...computed, tone: "solved", word: "Solved", sentence: found.isMet ? computed.sentence : "", note: sentence.replace(/^Proved: /, ""), isProved: true }
  return status === "refuted" && found.isMet ? { tone: "refuted", word: "Refuted", sentence, note: "" } : computed
}

// `body` is what holds the walk, the drawing and the panel: it carries what is shown of them, for the style sheet.
export function makeWalk(store, body) {
  const pages = store.model.get("walks") ?? []
  const steps = pages.filter((page) => page.question)
  const solved = readProgress()
  let page = null
  let judgedFor = null
  let found = null

  const links = steps.map((step) => madeElement("a", { href: `#step=${step.name}`, title: step.title, onclick: (event) => follow(event, step.name) }))
  const dots = madeElement("nav", { class: "hw-walk-dots", "aria-label": "Steps of the walk" }, madeElement("ol", {}, ...links.map((link) => madeElement("li", {}, link))))
  const count = madeElement("p", { class: "hw-walk-count" })
  const title = madeElement("h2", { tabindex: "-1" })
  const start = madeElement("button", { type: "button", class: "hw-button", onclick: () => open(pages[0].name) }, "Start the walk")
  const lead = madeElement("p", { class: "hw-walk-lead" })
  const [words, right, hint] = ["words", "right", "hint"].map(() => madeElement("p"))
  const steady = makeSwitch({ label: "Steady query", change: (on) => store.change({ steady: on }) })
  const row = makeRowChooser(store, "Query of")
  const question = madeElement("div", { class: "hw-walk-question" }, words, steady.element, row.element)
  const element = madeElement("section", { class: "hw-walk", "aria-label": "Guided walk" }, madeElement("div", { class: "hw-walk-head" }, count, dots), title, start, lead, question)

  const badge = madeElement("strong", { class: "hw-walk-badge" })
  const sentence = madeElement("span")
  const proof = madeElement("strong", { class: "hw-walk-proof" }, "Proved")
  const note = madeElement("span")
  const answer = madeElement("div", { class: "hw-walk-answer", role: "status" }, madeElement("p", {}, iconOf(TICK), badge, " ", sentence), madeElement("p", { class: "hw-note" }, proof, " ", note))

  const help = madeElement("details", {}, madeElement("summary", {}, "Hint"), hint)
  // Both have their place at all times, so that nothing moves when the step is solved.
  const turn = madeElement("div", { class: "hw-walk-turn" }, help, right)
  const text = madeElement("div", { class: "hw-walk-text" })
  const way = (label, kind) => madeElement("a", { class: `hw-button ${kind}`, href: "#", onclick: (event) => follow(event, event.currentTarget.dataset.step) }, label)
  const [back, on] = [way("Previous", ""), way("Next", "hw-walk-on")]
  const button = (label, kind, onclick) => madeElement("button", { type: "button", class: `hw-button ${kind}`, onclick }, label)
  const again = button("Start again", "", () => {
    if (page.question) return store.replace(page.scene)
    solved.clear()
    keepProgress(solved)
    open(steps[0].name)
    title.focus()
  })
  const own = button("Try your own keys", "hw-main hw-walk-on", () => leave())
  const more = button("Controls", "hw-walk-more", () => more.setAttribute("aria-expanded", String(body.toggleAttribute("data-more"))))
  const rest = madeElement("section", { class: "hw-walk-rest", "aria-label": "About this step" }, turn, text, madeElement("div", { class: "hw-line" }, back, again, own, on), more)

  // An address of its own for each step, so that the back button works; a notebook's address belongs to the notebook.
  function follow(event, name) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button > 0) return
    event.preventDefault()
    if (store.opens.host === "notebook" || location.hash === `#step=${name}`) open(name)
    else location.hash = `#step=${name}`
    // The link that was followed stands below the drawing; those who read, and those who listen, go on with the title.
    title.focus({ preventScroll: true })
    if (element.getBoundingClientRect().top < 0) element.scrollIntoView()
  }

  function showProgress() {
    links.forEach((link, k) => {
      const { name } = steps[k]
      const isSolved = solved.has(name)
      setAttributes(link, { "aria-current": page?.name === name ? "step" : null, "aria-label": `Step ${k + 1}: ${steps[k].title}${isSolved ? ", solved" : ""}`, class: isSolved ? "hw-done" : null })
      link.replaceChildren(isSolved ? iconOf(TICK) : String(k + 1))
    })
    const k = steps.findIndex((step) => step.name === page?.name)
    setText(count, page === null ? "A guided walk" : page.question ? `Step ${k + 1} of ${steps.length}` : `${steps.filter(({ name }) => solved.has(name)).length} of ${steps.length} steps solved`)
  }

  // Opens a page of the walk with exactly its scene. An unknown name opens the first, and the page says so.
  function open(name) {
    if (!pages.length) return store.say("This playground was opened without the guided walk, so it has no steps.")
    const known = pages.some((own) => own.name === name)
    const k = known ? pages.findIndex((own) => own.name === name) : 0
    const { scene, problem } = readScene(JSON.stringify(pages[k].scene ?? store.scene))
    if (problem) return store.say(problem)
    const hadOwn = page === null && (store.canUndo || store.opens.host === "notebook")
    page = { ...pages[k], scene }
    judgedFor = null
    setText(title, page.title)
    setOurMarkup(lead, page.lead)
    text.replaceChildren(...page.text.map((html) => {
      const paragraph = madeElement("p", {})
      setOurMarkup(paragraph, html)
      return paragraph
    }))
    for (const [place, html] of [[words, page.question?.words], [hint, page.question?.hint], [right, page.question?.right]]) setOurMarkup(place, html ?? "")
    help.open = false
    own.hidden = Boolean(page.question)
    steady.element.hidden = !page.question?.free.includes("steady")
    row.element.hidden = !page.question?.free.includes("row")
    for (const [link, j] of [[back, k - 1], [on, k + 1]]) {
      link.hidden = !pages[j]
      if (pages[j]) setAttributes(link, { href: `#step=${pages[j].name}`, "data-step": pages[j].name, title: pages[j].title })
    }
    store.guide = page.guide ?? null
    show()
    // A reader's own state can be had back by undo; a step before this one is had back by its number.
    if (hadOwn) store.replace(scene)
    else store.open(scene)
    store.pose(page.question ? posedQuestion(page) : null, page.compare)
    if (!known) store.say(`The walk has no step called “${String(name).slice(0, LONGEST_QUOTE)}”. This is the first.`)
  }

  function show() {
    setAttributes(body, { "data-walk": page === null ? null : page.question ? "step" : "end", "data-more": null })
    more.setAttribute("aria-expanded", "false")
    start.hidden = page !== null
    if (page === null) setText(title, `Attention in ${steps.length} steps`)
    showProgress()
  }

  // The walk is left: another scene came from elsewhere, or the reader goes on alone.
  function leave() {
    if (page === null) return
    page = store.guide = null
    store.pose(null)
    show()
    store.open(store.scene)
  }

  function update(view) {
    if (!page?.question) return
    if (judgedFor !== view.seen) {
      judgedFor = view.seen
      found = judgeStep(page, view.scene, view.seen)
    }
    steady.update(view.scene.steady)
    row.update(view)
    const told = judgement(page, found, view)
    const isSolved = told.tone === "solved"
    setAttributes(answer, { class: `hw-walk-answer hw-walk-${told.tone}` })
    setText(badge, `${told.word}.`)
    setText(sentence, told.sentence)
    proof.hidden = !told.isProved
    setText(note, raisedPowers(told.note))
    turn.classList.toggle("hw-solved", isSolved)
    on.classList.toggle("hw-main", isSolved)
    if (!isSolved || solved.has(page.name)) return
    // Another tab, or the page before this one, may have solved others meanwhile.
    for (const name of [page.name, ...readProgress()]) solved.add(name)
    keepProgress(solved)
    showProgress()
  }

  show()
  element.hidden = !steps.length
  if (steps.length && store.opens.step) open(store.opens.step)
  return { element, answer, rest, update, open, leave }
}

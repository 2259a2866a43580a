// The one state of a page: the scene, its number, what was computed of it and what the library answered.
//
// A badge is valid only for the very text that the library was asked about. The number is for people; the text decides.
import { compute, seenAsJudged } from "./design.js"
import { FIRST_SCENE, faultOf, readScene } from "./scene.js"

// Milliseconds. The library is asked when the hand rests: a drag sends one question, not sixty a second.
const QUIET = 150
// Milliseconds after which an answer is given up, so that a kernel that was restarted is asked again.
const PATIENCE = 10000
// Steps that can be undone; more would be memory that nobody walks back through.
const MOST_UNDO = 200

// Whether two values are the same as JSON, in whatever order their entries came.
function sameData(a, b) {
  const ordered = (_, value) => (value !== null && typeof value === "object" && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort()) : value)
  return JSON.stringify(a, ordered) === JSON.stringify(b, ordered)
}

export function makeStore(model) {
  const opens = model.get("opens") ?? {}
  const views = []
  const past = []
  const future = []
  let scene = FIRST_SCENE
  let text = JSON.stringify(scene)
  let number = 1
  let problem = null
  let question = null
  let compare = null
  let gesture = null
  let seen = null
  let frame = 0
  let timer = 0
  let sentAt = null // when the question was sent that has no answer yet
  let kept = null // the last answer to the question on the screen: another view of the widget may ask another one after it
  let closed = false
  let opened = null

  const store = {
    opens,
    model,
    // What a step of the walk asks of the drawing: its frame, and what hands may do to which keys and heads. Without it they may do all.
    guide: null,
    may: (what, i) => store.guide === null || store.guide[what].includes(i),
    get scene() { return scene },
    get seen() { return (seen ??= compute(scene)) },
    get number() { return number },
    get canUndo() { return past.length > 0 },
    get canRedo() { return future.length > 0 },

    show(view) {
      views.push(view)
      schedule()
      return view.element
    },
    // A change of some entries. Changes of one gesture (a drag) are one step of undo.
    change(patch, own = {}) {
      store.replace({ ...scene, ...patch }, own)
    },
    replace(next, { gesture: name = null, undoable = true } = {}) {
      const wrong = faultOf(next)
      if (wrong) return store.say(wrong)
      if (undoable && (name === null || name !== gesture)) remember()
      gesture = name
      adopt(next)
      return true
    },
    // A scene to begin with: nothing before it can be undone, and a reset comes back to it.
    open(first) {
      const wrong = faultOf(first)
      if (wrong) return store.say(wrong)
      past.length = future.length = 0
      gesture = null
      opened = first
      adopt(first)
      return true
    },
    get opened() { return opened },
    endGesture() { gesture = null },
    undo() { goBack(past, future) },
    redo() { goBack(future, past) },
    say(words) {
      problem = words
      schedule()
      return false
    },
    // A question of the walk, {goal, error, …}, which the library proves beside the scene. It counts as a change of the state.
    // `compare` asks for another design beside it in the strip: {name, …changes of the scene}.
    pose(own, beside = null) {
      compare = beside
      if (JSON.stringify(own) === JSON.stringify(question)) return
      question = own
      number += 1
      schedule()
      ask()
    },
    close() {
      closed = true
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      model.off("change:asked", hear)
      model.off("change:answer", answered)
    },
  }

  function adopt(next, sent = null) {
    scene = next
    text = sent ?? JSON.stringify(next)
    number += 1
    seen = null
    problem = null
    schedule()
    // What Python set is asked already. To ask it again would have no answer, and the next question would wait for it.
    if (sent === null) ask()
    else clearTimeout(timer)
  }

  // The scene on the screen becomes one that undo comes back to.
  function remember() {
    past.push(scene)
    if (past.length > MOST_UNDO) past.shift()
    future.length = 0
  }

  function goBack(from, to) {
    if (!from.length) return
    to.push(scene)
    gesture = null
    adopt(from.pop())
  }

  function schedule() {
    if (!frame && !closed) frame = requestAnimationFrame(draw)
  }

  function draw() {
    frame = 0
    const given = model.get("answer") ?? {}
    const answer = typeof given.text === "string" ? given : null
    const fresh = answer !== null && answer.text === text
    if (fresh) seen = seenAsJudged(scene, store.seen, answer)
    // The library says which question it was asked. Numbers would not do: Python and other views of the widget count on their own.
    const questionFresh = isJudged()
    const questionAnswer = questionFresh ? (kept.question ?? null) : null
    const view = { scene, seen: store.seen, answer, fresh, questionFresh, questionAnswer, number, host: opens.host, problem, question, compare }
    // A view that fails must not keep the others from the new state: the badge would stay as it was.
    let fault = null
    for (const own of views) {
      try {
        own.update(view)
      } catch (error) {
        fault ??= error
      }
    }
    if (fault) throw fault
  }

  // Whether the library has answered the question on the screen about this very text.
  function isJudged() {
    const isFor = (answer) => answer?.text === text && sameData(answer.posed ?? null, question)
    const given = model.get("answer")
    if (isFor(given)) kept = given
    return isFor(kept)
  }

  function ask() {
    clearTimeout(timer)
    if (opens.host === "file" || closed) return
    timer = setTimeout(send, sentAt === null ? QUIET : Math.max(QUIET, sentAt + PATIENCE - performance.now()))
  }

  function send() {
    sentAt = performance.now()
    model.set("asked", { number, text, question })
    model.save_changes()
  }

  // An answer has come. What changed while the library was at work is asked now.
  function answered() {
    sentAt = null
    const isFresh = model.get("answer")?.text === text
    if (!isFresh || (question !== null && !isJudged())) ask()
    schedule()
  }

  // Python has set the state, or another view of the same widget has.
  function hear() {
    const asked = model.get("asked") ?? {}
    if (typeof asked.text !== "string" || asked.text === text) return
    const { scene: next, problem: wrong } = readScene(asked.text)
    if (wrong) return store.say(wrong)
    remember()
    gesture = null
    adopt(next, asked.text)
    number = asked.number ?? number
  }

  model.on("change:asked", hear)
  model.on("change:answer", answered)
  const asked = model.get("asked") ?? {}
  if (typeof asked.text === "string") {
    const { scene: next, problem: wrong } = readScene(asked.text)
    if (wrong) problem = wrong
    else [scene, text, number] = [next, asked.text, asked.number ?? 1]
  }
  return store
}

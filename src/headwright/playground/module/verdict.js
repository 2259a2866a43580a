// The verdict: a badge, sentences, and a voice that speaks when the hand rests.
import { madeElement, setParts, setText } from "./elements.js"
import { badgeOf, spokenVerdict, verdictWords } from "./words.js"

// Milliseconds without a change after which the verdict is spoken: a drag says nothing until it ends.
const REST = 700
// Milliseconds without an answer after which the page says that none came.
const LONG_WAIT = 12000

export function makeVerdict() {
  const badge = madeElement("p", { class: "hw-badge", "data-tone": "stale" })
  const heading = madeElement("p", { class: "hw-note", hidden: true }, "Computed in the page, not proved:")
  const sentences = madeElement("div", { class: "hw-sentences" })
  const late = madeElement("p", { class: "hw-note", hidden: true }, "The library has not answered. Is the kernel busy? If it was restarted, run the cell again.")
  const voice = madeElement("div", { class: "hw-unseen", role: "status", "aria-live": "polite" })
  const element = madeElement("section", { class: "hw-verdict", "aria-label": "Verdict" }, badge, heading, sentences, late, voice)
  let resting = 0
  let waiting = 0
  let last = ""

  function update(view, chance) {
    const { tone, word } = badgeOf(view)
    // The number of the state is for those who look into the page.
    Object.assign(badge.dataset, { tone, state: view.number })
    setText(badge, word)
    const unanswered = view.host !== "file" && !view.fresh
    heading.hidden = !unanswered
    const said = verdictWords(view, chance)
    while (sentences.children.length > said.length) sentences.lastChild.remove()
    said.forEach((parts, k) => {
      if (!sentences.children[k]) sentences.append(madeElement("p"))
      setParts(sentences.children[k], parts)
    })
    if (!unanswered) {
      clearTimeout(waiting)
      waiting = 0
      late.hidden = true
    } else if (!waiting) waiting = setTimeout(() => (late.hidden = false), LONG_WAIT)
    const spoken = spokenVerdict(view, chance)
    if (spoken === last) return
    last = spoken
    clearTimeout(resting)
    resting = setTimeout(() => setText(voice, spoken), REST)
  }
  return { element, update }
}

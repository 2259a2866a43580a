// The box for a word: typed, or made of tokens that one clicks. What is wrong with a word is said in words.
import { madeElement } from "./elements.js"

// Vocabularies up to this size have a button for each token.
const MOST_TOKEN_BUTTONS = 60
// Tokens that a message lists.
const MOST_LISTED_TOKENS = 12

export function makeWord(program, changed) {
  const { vocabulary, length } = program
  // Single letters need nothing between them. Otherwise a space, unless a token holds one, and then a comma.
  const letters = vocabulary.every((token) => [...token].length === 1)
  const between = letters ? "" : vocabulary.every((token) => !/\s/.test(token)) ? " " : vocabulary.every((token) => !token.includes(",")) ? "," : null
  const box = madeElement("input", { type: "text", spellcheck: "false", autocapitalize: "off", autocomplete: "off", autocorrect: "off" })
  if (between === null) box.readOnly = true
  const how = { "": "", " ": ", separated by spaces", ",": ", separated by commas" }[between ?? ""]
  const chips = madeElement("div", { class: "hw-token-buttons", role: "group", "aria-label": "Tokens" })
  const button = (text, act, label) => {
    const own = madeElement("button", { type: "button", class: "hw-button hw-token-button", ...(label ? { "aria-label": label } : {}) }, text)
    own.addEventListener("click", act)
    return own
  }
  let word = []
  const put = (next) => {
    word = next
    box.value = next.join(between ?? " ")
    changed(next)
  }
  if (vocabulary.length <= MOST_TOKEN_BUTTONS || between === null) for (const token of vocabulary) chips.append(button(token, () => put([...word, token]), `Add ${token}`))
  chips.append(button("⌫", () => put(word.slice(0, -1)), "Remove the last token"))
  const parsed = (text) => (letters ? [...text] : text.split(between === " " ? /\s+/ : /\s*,\s*/).map((token) => token.trim()).filter((token) => token !== ""))
  box.addEventListener("input", () => {
    if (between === null) return
    word = parsed(box.value)
    changed(word)
  })

  const known = new Set(vocabulary)
  const listed = vocabulary.length <= MOST_LISTED_TOKENS ? vocabulary.join(letters ? " " : ", ") : `${vocabulary.slice(0, MOST_LISTED_TOKENS).join(letters ? " " : ", ")} … (${vocabulary.length} tokens)`
  const label = madeElement("label", {}, madeElement("span", { class: "hw-word-label" }, "Word"), box)
  const element = madeElement("div", { class: "hw-word" }, label, chips, madeElement("p", { class: "hw-note" }, `Up to ${length} token${length === 1 ? "" : "s"}${how}.`))

  // What is wrong with a word, or null. Whether the program is defined on it is another question.
  function faultOf(own) {
    if (!own.length) return `Type a word of 1 to ${length} tokens. The tokens are: ${listed}`
    const strange = own.findIndex((token) => !known.has(token))
    if (strange >= 0) return `“${[...own[strange]].slice(0, 40).join("")}” at position ${strange} is not a token of this model. The tokens are: ${listed}`
    if (own.length > length) return `The word has ${own.length} tokens, but the model takes at most ${length}.`
    return null
  }
  return {
    element,
    faultOf,
    spelled: (own) => (own.length > 30 ? `${own.slice(0, 30).join(between ?? " ")}… (${own.length} tokens)` : own.join(between ?? " ")),
    set(own) {
      word = own
      box.value = own.join(between ?? " ")
    },
  }
}

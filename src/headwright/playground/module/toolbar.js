// Undo and redo, the view, keys, and ways to take a scene along: as Python, as a link.
import { copiedText, iconOf, madeElement, setText } from "./elements.js"
import { pythonOf } from "./python_text.js"
import { fragmentOf } from "./scene.js"

const ICONS = {
  undo: "M7 4 3 8l4 4M3 8h9a4.5 4.5 0 0 1 0 9H8",
  redo: "m13 4 4 4-4 4M17 8H8a4.5 4.5 0 0 0 0 9h4",
  fit: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4M10 7.5v5M7.5 10h5",
  reset: "M4 10a6 6 0 1 0 2-4.5M3.5 2.5V6H7",
  python: "m7 6-4 4 4 4M13 6l4 4-4 4",
  link: "M8.5 11.5a3.2 3.2 0 0 0 4.6 0l2.7-2.7a3.2 3.2 0 0 0-4.6-4.6l-1 1M11.5 8.5a3.2 3.2 0 0 0-4.6 0l-2.7 2.7a3.2 3.2 0 0 0 4.6 4.6l1-1",
}

export function makeToolbar(store, plane) {
  const tool = (name, label, act, words = "") => {
    const button = madeElement("button", { type: "button", class: "hw-button", "aria-label": label, title: label, "data-tool": name }, iconOf(ICONS[name]), words)
    button.addEventListener("click", act)
    return button
  }
  const undo = tool("undo", "Undo (Ctrl+Z)", () => store.undo())
  const redo = tool("redo", "Redo (Ctrl+Shift+Z)", () => store.redo())
  const fit = tool("fit", "Fit the view to the keys", () => plane.fit())
  const reset = tool("reset", "Reset to the state it opened with", () => store.replace(store.opened ?? first))
  const python = tool("python", "Copy as Python", () => open(shown === "python" ? null : "python"), "Python")
  const link = tool("link", "Copy link", () => open(shown === "link" ? null : "link"), "Link")
  const row = madeElement("div", { class: "hw-tools", role: "toolbar", "aria-label": "Tools" }, undo, redo, ...(plane?.fit ? [fit] : []), reset, python)
  // A notebook's address belongs to the notebook.
  if (store.opens.host !== "notebook") row.append(link)
  const text = madeElement("pre", { class: "hw-code", tabindex: "0" })
  const copy = madeElement("button", { type: "button", class: "hw-button" }, "Copy")
  const close = madeElement("button", { type: "button", class: "hw-button", "aria-label": "Close" }, "×")
  const said = madeElement("span", { class: "hw-note", role: "status" })
  const sheet = madeElement("div", { class: "hw-sheet", hidden: true }, text, madeElement("div", { class: "hw-line" }, copy, said, close))
  const element = madeElement("div", { class: "hw-toolbar" }, row, sheet)
  let first = null
  let shown = null
  let latest = null

  copy.addEventListener("click", async () => {
    const done = await copiedText(text.textContent)
    setText(said, done ? "Copied." : "The browser did not allow it. Select the text and copy it yourself.")
    if (!done) getSelection()?.selectAllChildren(text)
  })
  close.addEventListener("click", () => {
    const opener = shown === "link" ? link : python
    open(null)
    opener.focus()
  })

  function open(what) {
    shown = what
    sheet.hidden = what === null
    setText(said, "")
    python.setAttribute("aria-expanded", String(what === "python"))
    link.setAttribute("aria-expanded", String(what === "link"))
    if (latest) write(latest)
  }
  function write({ scene, seen, answer, fresh }) {
    if (shown === null) return
    const refused = (fresh ? answer.status : seen.status) === "unreachable" || (fresh ? answer.status : seen.status) === "not found"
    const next = shown === "python" ? pythonOf(scene, refused) : location.href.split("#")[0] + fragmentOf(scene)
    if (text.textContent === next) return
    text.setAttribute("aria-label", shown === "python" ? "The same in Python" : "Address of this state")
    setText(text, next)
    setText(said, "")
  }

  // Ctrl+Z and Ctrl+Shift+Z (or Ctrl+Y) inside the widget; the notebook around it does not hear them.
  function hear(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    const key = event.key.toLowerCase()
    if (key !== "z" && key !== "y") return
    event.preventDefault()
    event.stopPropagation()
    if (key === "y" || event.shiftKey) store.redo()
    else store.undo()
  }

  function update(view) {
    if (first === null) {
      first = view.scene
      element.closest(".headwright-play")?.addEventListener("keydown", hear)
    }
    latest = view
    undo.disabled = !store.canUndo
    redo.disabled = !store.canRedo
    write(view)
  }
  return { element, update }
}

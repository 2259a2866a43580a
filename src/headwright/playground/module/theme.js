// Light or dark, as the page around the widget is. Inside a shadow root no rule can see the page's body, so the root carries the answer.

// "light" or "dark" where the host says so, otherwise null: then the reader's system decides (prefers-color-scheme).
export function schemeOf(page = document) {
  const { body, documentElement } = page
  const said = (name) => body?.getAttribute(name) ?? documentElement.getAttribute(name)
  const has = (name) => Boolean(body?.classList.contains(name) || documentElement.classList.contains(name))
  // JupyterLab.
  const light = said("data-jp-theme-light")
  if (light !== null) return light === "false" ? "dark" : "light"
  // The handbook.
  const material = said("data-md-color-scheme")
  if (material !== null) return material === "slate" ? "dark" : "light"
  // Notebooks in VS Code, then marimo.
  if (has("vscode-dark") || has("dark")) return "dark"
  if (has("vscode-light") || has("light")) return "light"
  return null
}

// Keeps `data-scheme` of the root as the host has it. Returns what stops that.
export function followScheme(root) {
  const set = () => {
    const scheme = schemeOf()
    if (scheme === null) root.removeAttribute("data-scheme")
    else root.setAttribute("data-scheme", scheme)
  }
  set()
  const watch = new MutationObserver(set)
  const options = { attributes: true, attributeFilter: ["class", "data-jp-theme-light", "data-md-color-scheme"] }
  watch.observe(document.documentElement, options)
  if (document.body) watch.observe(document.body, options)
  return () => watch.disconnect()
}

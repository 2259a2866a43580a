// What the theme leaves out for readers who use the keyboard or a screen reader.
document$.subscribe(() => {
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search")
  // A wide table scrolls inside a frame of its own, which the keyboard must reach.
  for (const frame of document.querySelectorAll(".md-typeset__scrollwrap")) frame.tabIndex = 0
})

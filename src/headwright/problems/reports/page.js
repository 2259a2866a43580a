// Filters and search. The page is complete without them: links unfold their cards by themselves.
(() => {
  const form = document.getElementById('filters'), search = document.getElementById('search')
  const cards = [...document.querySelectorAll('[data-marks]')]
  const words = cards.map(card => card.textContent.toLowerCase())
  const choices = [...form.querySelectorAll('select')]
  const update = () => {
    const asked = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    cards.forEach((card, i) => {
      card.hidden = !(asked.every(word => words[i].includes(word)) &&
        choices.every(({ value, dataset }) => !value || ` ${card.dataset[dataset.by]} `.includes(` ${value} `)))
    })
    document.querySelectorAll('.sheet').forEach(sheet => { sheet.hidden = !sheet.querySelector('[data-marks]:not([hidden])') })
    const shown = cards.filter(card => !card.hidden).length
    form.querySelector('output').textContent = shown < cards.length ? `${shown} of ${cards.length} questions` : ''
  }
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (!target) return
    if (target.closest('[hidden]')) { form.reset(); update() }
    const folded = target.closest('details')
    if (folded && !folded.open) { folded.open = true; target.scrollIntoView() }
  }
  form.hidden = false
  form.addEventListener('input', update)
  form.addEventListener('submit', event => event.preventDefault())
  form.addEventListener('reset', () => setTimeout(update))
  addEventListener('hashchange', unfold)
  addEventListener('beforeprint', () => document.querySelectorAll('details').forEach(one => { one.open = true }))
  unfold()
})()

"""How the page looks: light and dark, on a phone and on paper. No fonts, scripts or pictures from elsewhere."""

STYLE = """
:root { color-scheme: light dark; --ink: #1d1f21; --paper: #fbfbf8; --card: #fff; --soft: #62666b; --line: #dcdcd6;
  --bar: #a9bccd; --goal: #20639b; --proved: #1b7837; --refuted: #b2182b; --undecided: #8c510a; --argued: #2166ac;
  --wash: #f1f1ec }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e1; --paper: #141517; --card: #1c1e21; --soft: #a2a7ad;
  --line: #34373b; --bar: #4a6076; --goal: #7fb3dc; --proved: #6cc08b; --refuted: #f28b82; --undecided: #dcab5e;
  --argued: #92c5de; --wash: #26292d } }
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100% }
body { font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', sans-serif; color: var(--ink); background: var(--paper);
  max-width: 54rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere }
h1 { font-size: 1.7rem; line-height: 1.2; margin: .4rem 0 1rem }
h2 { font-size: 1.25rem; margin: 2.6rem 0 .8rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line) }
h3 { font-size: 1.1rem; margin: 0 0 .4rem } h3 a { text-decoration: none; color: inherit }
h4 { font-size: .82rem; margin: 1.1rem 0 .25rem; text-transform: uppercase; letter-spacing: .06em; color: var(--soft) }
p { margin: .35rem 0 } a { color: var(--goal) } code { font: .92em/1.5 ui-monospace, Menlo, Consolas, monospace }
.soft { color: var(--soft) } .small { font-size: .9rem }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .7rem; margin: 1rem 0; padding: 0 }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .6rem .9rem }
.tile b { display: block; font-size: .82rem; color: var(--soft); font-weight: 600 }
.tile span { font-size: 1.02rem; font-variant-numeric: tabular-nums; white-space: nowrap; margin-right: .5em }
sub, sup { font-size: .74em; line-height: 0 }
.proved { color: var(--proved) } .refuted { color: var(--refuted) } .undecided { color: var(--undecided) }
.argued { color: var(--argued) } .verdict.argued .badge { color: var(--argued) }
nav h3 { margin: 1rem 0 .3rem; font-size: .95rem } nav ul { list-style: none; margin: 0; padding: 0; display: flex;
  flex-wrap: wrap; gap: .35rem }
nav li a { display: inline-flex; gap: .4em; align-items: baseline; padding: .22rem .6rem; border: 1px solid var(--line);
  border-radius: 1rem; background: var(--card); text-decoration: none; color: inherit; font-size: .92rem; white-space: nowrap }
nav li a:hover, nav li a:focus { border-color: var(--goal) } .mark { font-weight: 700 }
article { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.1rem; margin: 1rem 0;
  scroll-margin-top: .5rem }
.chip { font-size: .78rem; font-weight: 500; color: var(--soft); background: var(--wash); border-radius: 1rem;
  padding: .1rem .6rem; margin-left: .4rem; white-space: nowrap; display: inline-block }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .8rem; margin: .4rem 0; font-size: .92rem }
.facts dt { color: var(--soft) } .facts dd { margin: 0; min-width: 0 }
.verdict { border-left: 4px solid currentColor; padding: .1rem 0 .1rem .8rem; margin: .6rem 0; break-inside: avoid }
.verdict > * { color: var(--ink) } .verdict .badge { font-weight: 700 } .verdict.proved .badge { color: var(--proved) }
.verdict.refuted .badge { color: var(--refuted) } .verdict.undecided .badge { color: var(--undecided) }
.given { display: block; overflow-x: auto; white-space: pre; background: var(--wash); border-radius: .4rem; padding: .4rem .7rem;
  margin: .4rem 0 }
.bars { display: grid; grid-template-columns: max-content max-content minmax(0, 1fr); gap: 2px .7rem; align-items: center;
  font: .82rem/1.5 ui-monospace, Menlo, Consolas, monospace; margin: .4rem 0 .7rem }
.bars i { display: block; height: .85em; background: var(--bar); min-width: 1px; border-radius: 2px }
.bars i.goal { background: var(--goal) }
figure { margin: .9rem 0; break-inside: avoid } figure div { overflow-x: auto } figcaption { font-size: .9rem }
img { display: block; max-width: 100%; height: auto; background: #fff; border-radius: .4rem }
details { margin: .8rem 0 0; border-top: 1px dashed var(--line); padding-top: .5rem }
summary { cursor: pointer; color: var(--soft); font-size: .92rem }
details li { margin: .5rem 0 } details ul { padding-left: 1.1rem; margin: .4rem 0 }
.top { position: fixed; right: .8rem; bottom: .8rem; background: var(--card); border: 1px solid var(--line); border-radius: 2rem;
  width: 2.4rem; height: 2.4rem; line-height: 2.3rem; text-align: center; text-decoration: none; opacity: .9 }
@media (max-width: 36rem) { body { padding: 1rem .7rem 4rem } article { padding: .8rem .8rem } h1 { font-size: 1.4rem }
  .facts { grid-template-columns: 1fr; gap: 0 } .facts dt { margin-top: .35rem; font-size: .85rem }
  .tiles { grid-template-columns: 1fr } figure div img { max-width: none; width: 40rem } }
@media print { :root { --ink: #000; --paper: #fff; --card: #fff; --soft: #444; --line: #bbb; --wash: #eee;
  --bar: #a9bccd; --goal: #20639b; --proved: #1b7837; --refuted: #b2182b; --undecided: #8c510a;
  --argued: #2166ac } .top { display: none }
  body { max-width: none; font-size: 11pt; padding: 0 } article { border: 0; border-top: 1px solid var(--line); border-radius: 0;
  padding: .6rem 0 } h2, h3, h4 { break-after: avoid } a { color: inherit; text-decoration: none }
  .bars i, .given, .chip { print-color-adjust: exact; -webkit-print-color-adjust: exact } }
"""

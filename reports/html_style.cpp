#include "reports/html_parts.h"

namespace attest::reports {
namespace {

// Blue for what holds (darker: stronger), orange for what does not, grey for no answer: told apart by the common kinds
// of colour blindness, and every verdict has a sign and a word as well.
constexpr const char* kColours = R"css(
:root { color-scheme: light dark;
  --page: #ffffff; --panel: #f5f6f8; --text: #1b1f24; --muted: #5b6470; --rule: #d9dde3; --link: #0b57a4; --alarm: #b3005e;
  --hold3: #0a4a8f; --hold3-bg: #cfe1f5; --hold2: #0b5394; --hold2-bg: #e0ecf9; --hold1: #2a5f8f; --hold1-bg: #eef4fb;
  --fall: #8a3b00; --fall-bg: #fde3cc; --fall1-bg: #fdf1e4; --open: #6b5300; --open-bg: #fbf3cf; --mark: #ffd9b0;
  --s0: #0072b2; --s1: #d55e00; --s2: #007a5a; --s3: #a4508b; --s4: #7a6200; --s5: #56606b; }
@media (prefers-color-scheme: dark) { :root {
  --page: #14171b; --panel: #1d2127; --text: #e6e9ed; --muted: #9ca6b2; --rule: #343b44; --link: #7db8f5; --alarm: #ff7ab8;
  --hold3: #cfe5ff; --hold3-bg: #1d4a7c; --hold2: #bcd9fa; --hold2-bg: #1b3a5e; --hold1: #a9c9ec; --hold1-bg: #1c2d42;
  --fall: #ffc48f; --fall-bg: #5c3210; --fall1-bg: #3f2a17; --open: #f0dc8a; --open-bg: #413a16; --mark: #6b3b12;
  --s0: #56b4e9; --s1: #f08a3c; --s2: #3ecf9f; --s3: #e29ccb; --s4: #e0c94a; --s5: #aab4bf; } }
)css";

constexpr const char* kText = R"css(
* { box-sizing: border-box; }
html { scroll-padding-top: 3rem; }
body { margin: 0 auto; padding: 2.2rem 1.6rem 4rem; max-width: 76rem; background: var(--page); color: var(--text);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.05rem; font-weight: 600; letter-spacing: .04em; color: var(--muted); margin: 0; }
.headline { font-size: 1.7rem; line-height: 1.25; font-weight: 600; margin: .2rem 0 .4rem; max-width: 46rem; }
h2 { font-size: 1.3rem; margin: 3rem 0 .6rem; }
h3 { font-size: 1.12rem; margin: 2rem 0 .5rem; display: flex; flex-wrap: wrap; gap: .3rem .6rem; align-items: baseline; }
h4 { font-size: .95rem; margin: 1.5rem 0 .4rem; }
h5 { font-size: .9rem; margin: 0 0 .3rem; }
p { margin: .4rem 0; } a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
.lead, .statement { max-width: 46rem; } .lead, .note, .shape, .sizes, figcaption { color: var(--muted); }
.note { font-size: .88rem; max-width: 52rem; } code { font: .9em ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .88rem; } th, td { text-align: left; vertical-align: top; padding: .28rem .7rem .28rem 0; }
thead th { color: var(--muted); font-weight: 500; border-bottom: 1px solid var(--rule); white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.pill { font-size: .72rem; font-weight: 500; color: var(--muted); border: 1px solid var(--rule); border-radius: 1em;
  padding: .02rem .55rem; white-space: nowrap; }
.alarm { color: var(--alarm); border-color: var(--alarm); } .up { margin-left: auto; font-size: .78rem; font-weight: 400; }
nav { margin-top: .9rem; font-size: .88rem; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; }
footer { margin-top: 3rem; }
)css";

constexpr const char* kVerdicts = R"css(
.v { display: inline-block; white-space: nowrap; border-radius: .3rem; padding: .03rem .45rem; font-size: .82rem; font-weight: 500;
  border: 1px solid transparent; }
.v i { font-style: normal; margin-right: .35rem; }
.v.proved, .v.exact { color: var(--hold3); background: var(--hold3-bg); } .v.confirmed { color: var(--hold3); background: var(--hold3-bg); }
.v.probable, .v.certified { color: var(--hold2); background: var(--hold2-bg); }
.v.consistent { color: var(--hold1); background: var(--hold1-bg); }
.v.refuted { color: var(--fall); background: var(--fall-bg); } .v.differs { color: var(--fall); background: var(--fall1-bg); }
.v.undecided, .v.not_shown_needed, .v.not_derivable, .v.vacuous, .v.error { color: var(--open); background: var(--open-bg); }
.v.unsupported { color: var(--muted); font-weight: 400; padding-left: 0; }
.v.unexpected { border: 2px solid var(--alarm); color: var(--alarm); background: transparent; font-weight: 700; padding-left: .4rem; }
.legend { display: grid; grid-template-columns: repeat(auto-fill, minmax(27rem, 1fr)); gap: .25rem 2rem; margin: 1.2rem 0 0; font-size: .86rem; }
.legend div { display: grid; grid-template-columns: 9.2rem 3rem 1fr; align-items: baseline; } .legend dt, .legend dd { margin: 0; }
.legend .count { text-align: right; padding-right: .8rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.matrix { width: 100%; } .matrix td, .matrix th { padding: .16rem .5rem .16rem 0; }
.matrix thead th { position: sticky; top: 0; background: var(--page); z-index: 1; padding-top: .5rem; }
.matrix .chapter th { font-size: .95rem; padding-top: 1.3rem; border-bottom: 1px solid var(--rule); }
.matrix tr.claim > * { border-top: 1px solid var(--rule); padding-top: .4rem; }
.matrix tbody.chapter + tbody tr.claim:first-child > * { border-top: 0; }
.matrix th[scope=row] { font-weight: 600; white-space: nowrap; } .matrix th.dropped { font-weight: 400; padding-left: 1.2rem; }
.matrix th.dropped a { color: var(--muted); }
a.cell { display: block; color: inherit; margin-bottom: .12rem; } a.cell:hover { text-decoration: none; } a.cell:hover .v { text-decoration: underline; }
.sizes { display: block; font-size: .72rem; line-height: 1.2; max-width: 11rem; }
)css";

constexpr const char* kDetails = R"css(
.claim-detail { border-top: 2px solid var(--rule); margin-top: 2.4rem; } .claim-detail h3 { margin-top: 1rem; }
.formula { display: flex; flex-wrap: wrap; gap: .7rem 2.4rem; align-items: center; overflow-x: auto; overflow-y: hidden; padding: .6rem 0; font-size: 1.12rem; } .formula math { text-align: left; margin: 0; width: max-content; }
math { font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", "TeX Gyre DejaVu Math", "DejaVu Math TeX Gyre", math, serif; }
mtable.aligned > mtr > mtd:nth-child(odd) { text-align: right; } math { font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", "TeX Gyre DejaVu Math", "DejaVu Math TeX Gyre", math, serif; }
mtable.aligned > mtr > mtd:nth-child(even), mtable.cases > mtr > mtd { text-align: left; }
.about { display: grid; grid-template-columns: 9rem 1fr; gap: .3rem 1rem; margin: .6rem 0; font-size: .92rem; max-width: 62rem; }
.about dt { color: var(--muted); } .about dd { margin: 0; } .about ul { margin: 0; padding-left: 1.1rem; }
.results { width: 100%; } .results td { border-bottom: 1px solid var(--rule); } .results td.evidence { min-width: 16rem; width: 45%; }
.shape { display: block; font-size: .75rem; white-space: nowrap; } sup { line-height: 0; } .refs { color: var(--muted); white-space: nowrap; }
.facts { margin-top: .7rem; } .facts td:nth-child(3) { color: var(--muted); padding-left: 1rem; } .facts th:nth-child(3) { padding-left: 1rem; }
.layers td, .layers th { padding: .2rem .9rem .2rem 0; border-bottom: 1px solid var(--rule); } .layers tbody th { font-weight: 500; }
.ledger { font-size: .84rem; color: var(--muted); max-width: 62rem; margin: .3rem 0; padding-left: 1.8rem; columns: 2 24rem; column-gap: 2.5rem; }
.ledger li { break-inside: avoid; }
.counterexample { background: var(--panel); border-left: 3px solid var(--fall); border-radius: 0 .4rem .4rem 0; padding: .8rem 1.1rem; margin: .9rem 0; overflow-x: auto; }
.matrices { display: flex; flex-wrap: wrap; gap: .7rem 1.8rem; align-items: center; margin: .6rem 0; }
.sides { margin-top: .9rem; border-top: 1px solid var(--rule); padding-top: .6rem; } .equation { font-weight: 500; }
.pair { display: flex; flex-wrap: wrap; gap: .6rem 1.4rem; align-items: center; } .pair figure { margin: 0; text-align: center; }
.unequal { font-size: 1.3rem; color: var(--fall); } figcaption { font-size: .78rem; }
.entry-differs { background: var(--mark); font-weight: 700; } mtd.entry-differs mn { text-decoration: underline; text-underline-offset: .2em; }
.entries { border-left: 1px solid; border-right: 1px solid; border-radius: .5rem; }
.entries td { font: .78rem ui-monospace, Menlo, "DejaVu Sans Mono", monospace; padding: .12rem .6rem; white-space: nowrap; }
.entries td.entry-differs { text-decoration: underline; }
.witness { margin: .8rem 0; font-size: .9rem; } .witness summary { cursor: pointer; color: var(--link); }
.plot { margin: 1.1rem 0; max-width: 44rem; } .plot figcaption { font-size: .9rem; font-weight: 600; color: var(--text); margin-bottom: .3rem; }
.plot svg { width: 100%; height: auto; display: block; font-size: 12px; fill: var(--text); }
.plot .grid line { stroke: var(--rule); stroke-width: 1; } .plot .axis polyline { fill: none; stroke: var(--muted); }
.plot .ticks text { fill: var(--muted); } .plot .label { font-size: 12.5px; } .plot .name { font-size: 12.5px; }
.line0 { --c: var(--s0); } .line1 { --c: var(--s1); } .line2 { --c: var(--s2); } .line3 { --c: var(--s3); } .line4 { --c: var(--s4); } .line5 { --c: var(--s5); }
[class^=line] { stroke: var(--c); fill: var(--c); stroke-width: 1.8; } [class^=line] polyline { fill: none; } .hollow { fill: var(--page); }
.line1 polyline { stroke-dasharray: 7 4; } .line2 polyline { stroke-dasharray: 2 3; } .line3 polyline { stroke-dasharray: 9 3 2 3; }
.line4 polyline { stroke-dasharray: 12 3; } .line5 polyline { stroke-dasharray: 4 2; }
.environment td:first-child { color: var(--muted); white-space: nowrap; } .environment td { overflow-wrap: anywhere; }
)css";

constexpr const char* kPrint = R"css(
@media (max-width: 40rem) { body { padding: 1.2rem .8rem 3rem; } .about { grid-template-columns: 1fr; } .about dd { margin-bottom: .4rem; }
  .legend { grid-template-columns: 1fr; } .legend div { grid-template-columns: 8.6rem 2.4rem 1fr; } .headline { font-size: 1.35rem; } }
@page { size: A4; margin: 14mm 12mm; }
@media print { :root { color-scheme: light; } body { font-size: 9.5pt; padding: 0; max-width: none; } .up, nav { display: none; }
  a { color: inherit; } .scroll, .formula, .counterexample { overflow: visible; } .matrix { font-size: 7.5pt; } .matrix .v { font-size: 7.5pt; padding: 0 .25rem; }
  .matrix thead th { position: static; } .matrix th[scope=row], .results td, .shape { white-space: normal; } .sizes { font-size: 6.5pt; }
  .v { print-color-adjust: exact; -webkit-print-color-adjust: exact; } .entry-differs { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h2, h3, h4, h5, .equation { break-after: avoid; } tr, .plot, .pair, .matrices > div, .about { break-inside: avoid; } .matrix tbody { break-inside: avoid; }
  .formula { font-size: 9.5pt; } .results { font-size: 8pt; } .results td.evidence { min-width: 0; } details::details-content { content-visibility: visible; block-size: auto; }
  .legend { grid-template-columns: 1fr; } }
)css";

}  // namespace

std::string style_sheet() { return std::string(kColours) + kText + kVerdicts + kDetails + kPrint; }

}  // namespace attest::reports

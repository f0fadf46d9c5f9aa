//===- HtmlStyle.cpp - the looks of the HTML report -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/HtmlReportTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/html/HtmlStyle.h"

const char *const clopt::htmlStyleSheet = R"css(
:root {
  color-scheme: light dark;
  --page: #ffffff; --panel: #f6f7f9; --line: #d9dde3; --text: #1c2128;
  --faint: #5d6673; --link: #0b5cad;
  --green: #1a7f37; --green-bg: #e4f6e8; --red: #b3261e; --red-bg: #fdeceb;
  --blue: #2757a8; --blue-bg: #eaf1fc; --orange: #955800; --orange-bg: #fff3dc;
  --keyword: #8a2aa5; --comment: #5d6b5d; --value: #a0460a; --directive: #7a5c00;
  --c0: #3566b8; --c1: #b35c00; --c2: #2d7d46; --c3: #8a3ea8; --c4: #b03060;
  --c5: #4f6b77;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171c; --panel: #1c2027; --line: #353c47; --text: #dfe3e9;
    --faint: #9aa4b2; --link: #79b4ff;
    --green: #62d17f; --green-bg: #14301c; --red: #ff8d85; --red-bg: #3a1c1b;
    --blue: #8db8ff; --blue-bg: #1a2942; --orange: #f0b45a; --orange-bg: #35280f;
    --keyword: #d69bec; --comment: #8fa58f; --value: #f2a672; --directive: #d8bd63;
    --c0: #5b8fe0; --c1: #c47a2c; --c2: #4a9c63; --c3: #a968c4; --c4: #cc5a83;
    --c5: #6e8c99;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
body > header, main, footer { max-width: 1440px; margin: 0 auto;
  padding: 0 24px; }
body > header { padding-top: 20px; }
footer { padding: 24px; color: var(--faint); font-size: 13px; }
h1 { font-size: 24px; margin: 0 0 4px; }
h2 { font-size: 20px; margin: 36px 0 8px; padding-bottom: 4px;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
h3 { font-size: 16px; margin: 24px 0 6px; }
h4 { font-size: 14px; margin: 16px 0 4px; color: var(--faint); }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
p { margin: 6px 0; }
code, pre, .source { font-family: ui-monospace, "DejaVu Sans Mono",
  Menlo, Consolas, monospace; font-size: 12.5px; }
code { background: var(--panel); border-radius: 3px; padding: 0 3px;
  overflow-wrap: anywhere; }
pre { background: var(--panel); border: 1px solid var(--line);
  border-radius: 6px; padding: 8px 12px; margin: 6px 0; overflow-x: auto;
  line-height: 1.45; }
.facts { color: var(--faint); margin: 2px 0 10px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; }
table.data { margin: 6px 0; }
table.data th { text-align: left; font-weight: 600; color: var(--faint);
  font-size: 13px; }
table.data th, table.data td { padding: 3px 14px 3px 0; vertical-align: top;
  border-bottom: 1px solid var(--line); }
table.data .n { text-align: right; font-variant-numeric: tabular-nums;
  white-space: nowrap; }
details { margin: 10px 0; }
summary { cursor: pointer; font-weight: 600; padding: 3px 0; }
summary .facts { font-weight: 400; margin-left: 8px; }
table.source { width: 100%; border: 1px solid var(--line);
  line-height: 1.45; }
.source td { padding: 0 8px; vertical-align: top; }
td.number { width: 1%; min-width: 44px; text-align: right;
  background: var(--panel); color: var(--faint); user-select: none;
  border-right: 1px solid var(--line); white-space: nowrap; }
td.number a { color: inherit; }
td.code { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
tr:target td.code { background: var(--orange-bg); }
.panes { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
  gap: 14px; }
.panes .code { white-space: pre; }
.pane { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; }
.pane .source { border: 0; }
.pane h4 { margin: 6px 12px; }
.pane pre { border: 0; border-radius: 0; margin: 0; }
.pane.original { position: sticky; top: 8px; align-self: start;
  max-height: calc(100vh - 16px); overflow-y: auto; }
td.old { background: var(--red-bg); }
td.new { background: var(--green-bg); }
.notes td { padding-bottom: 4px; }
.note { font-family: system-ui, sans-serif; font-size: 13.5px; margin: 3px 0;
  padding: 3px 10px; border-left: 3px solid var(--line); border-radius: 3px;
  background: var(--panel); overflow-wrap: anywhere; }
.note.passed { border-color: var(--green); background: var(--green-bg); }
.note.missed, .note.error { border-color: var(--red); background: var(--red-bg); }
.note.analysis { border-color: var(--blue); background: var(--blue-bg); }
.note.finding, .note.warning { border-color: var(--orange);
  background: var(--orange-bg); }
.note.quiet { opacity: .7; background: var(--panel); }
.note code { background: transparent; padding: 0; font-weight: 600; }
.hint { color: var(--faint); }
.hint::before { content: "hint: "; font-weight: 600; }
.rule { font-size: 12px; white-space: nowrap; }
.tag { display: inline-block; font-size: 12px; font-weight: 600;
  padding: 0 6px; border-radius: 8px; border: 1px solid currentColor;
  line-height: 1.35; white-space: nowrap; }
.tag.passed, .tag.good { color: var(--green); }
.tag.missed, .tag.error { color: var(--red); }
.tag.analysis { color: var(--blue); }
.tag.finding, .tag.warning { color: var(--orange); }
.tag.plain { color: var(--faint); }
.track { display: inline-block; width: 160px; height: 9px;
  background: var(--panel); border-radius: 3px; }
.bar { display: block; height: 9px; border-radius: 3px; min-width: 2px; }
.bar.mem { background: var(--c0); } .bar.sum { background: var(--c3); }
.bar.good { background: var(--green); }
.placement tr.first td { border-top: 2px solid var(--line); }
.placement tr.best td { font-weight: 600; }
.placement tr.not td { color: var(--faint); }
ul { margin: 4px 0; padding-left: 20px; }
.memories { overflow-x: auto; }
figure { margin: 10px 0 18px; }
.access { white-space: nowrap; margin-right: 10px; }
.picture { width: 100%; max-width: 760px; display: block; margin: 4px 0; }
.picture text { font: 9px ui-monospace, monospace; text-anchor: middle; }
.picture .within { fill: #fff; } .picture .below { fill: var(--faint); }
.roof .before { fill: var(--faint); text-anchor: end; }
.roof .note { fill: var(--text); }
.picture .grid { stroke: var(--line); opacity: 1; }
.picture .limit { stroke: var(--red); stroke-width: 1.6; opacity: 1; }
.picture .step { stroke: var(--faint); stroke-dasharray: 3 2; }
.was { fill: var(--c1); background: var(--c1); }
.is { fill: var(--green); background: var(--green); }
.dot { display: inline-block; width: 9px; height: 9px; border-radius: 5px; }
.cards { display: grid; gap: 0 28px;
  grid-template-columns: repeat(auto-fit, minmax(min(380px, 100%), 1fr)); }
.note summary { font-weight: 400; padding: 0; }
.note details { margin: 0; display: inline-block; vertical-align: top;
  max-width: calc(100% - 90px); }
nav { margin: 0 0 8px; } nav a { margin-right: 14px; }
.picture .unit { fill: var(--panel); }
.picture .frame { fill: none; stroke: var(--faint); stroke-width: .8; }
.c0 { fill: var(--c0); } .c1 { fill: var(--c1); } .c2 { fill: var(--c2); }
.c3 { fill: var(--c3); } .c4 { fill: var(--c4); } .c5 { fill: var(--c5); }
.picture path { fill: none; stroke-width: .9; opacity: .75; }
.c0l { stroke: var(--c0); } .c1l { stroke: var(--c1); }
.c2l { stroke: var(--c2); } .c3l { stroke: var(--c3); }
.c4l { stroke: var(--c4); } .c5l { stroke: var(--c5); }
.mark { text-decoration: underline wavy; text-decoration-skip-ink: none;
  text-underline-offset: 3px; text-decoration-color: var(--orange); }
.mark.missed { text-decoration-color: var(--red); }
.kw { color: var(--keyword); } .cm { color: var(--comment); }
.num, .str { color: var(--value); } .pp { color: var(--directive); }
@media (max-width: 900px) { .panes { grid-template-columns: minmax(0, 1fr); }
  .pane.original { position: static; } }
@media (max-width: 700px) { body > header, main { padding: 0 10px; } }
@media print { details > * { display: block; } }
)css";

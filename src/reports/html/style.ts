import { createHash } from "node:crypto";

/** The style of a report as a page. A quote appears below the line of its number while the number has pointer or focus. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1d2126; --soft: #5a626c; --paper: #fff; --wash: #f5f6f8; --line: #d9dde2; --strong: #9aa2ac; --link: #1558b0; --alarm: #a3180f; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e6e9; --soft: #a2a9b2; --paper: #16181b; --wash: #22262b; --line: #3a4048; --strong: #69717c; --link: #8ab8f5; --alarm: #ff9a8f; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 3rem 1.25rem 4rem; max-width: 45rem; background: var(--paper); color: var(--ink); font-size: 1.0625rem; line-height: 1.65;
  font-family: system-ui, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", sans-serif;
  overflow-wrap: anywhere; line-break: strict; text-autospace: normal; }
h1, h2, h3, h4, h5, h6 { line-height: 1.3; text-wrap: balance; }
h1 { font-size: 1.85rem; margin: 0 0 1rem; letter-spacing: -.01em; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .6rem; }
h3 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; }
h4, h5, h6 { font-size: 1rem; margin: 1.25rem 0 .4rem; }
p { margin: 0 0 .9rem; }
p, li, .figure { position: relative; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.dated { color: var(--soft); font-size: .85rem; }
.standing { color: var(--soft); font-size: .85rem; margin-bottom: .9rem; padding-bottom: .6rem; border-bottom: 1px solid var(--line); }
.standing > p { margin: 0 0 .4rem; }
.contents { margin: 0 0 1.5rem; padding: .75rem 1rem; background: var(--wash); border-radius: .35rem; font-size: .9rem; }
.contents > h2 { margin: 0 0 .25rem; font-size: .9rem; }
.contents ul { margin: 0; padding: 0; list-style: none; }
.contents .deeper { padding-left: 1.25rem; }
.contents a { color: inherit; text-decoration: none; }
.contents a:hover { text-decoration: underline; }
main > ul, main > ol { padding-left: 1.5rem; margin: 0 0 .9rem; }
main li { margin: .25rem 0; }
main li > :is(ul, ol) { padding-left: 1.25rem; }
.figure .marks { font-size: .75em; }
.marks { font-size: .68em; line-height: 0; white-space: nowrap; vertical-align: super; }
.marks a { padding: .2em .1em; text-decoration: none; }
.marks a:target { background: var(--line); }
.behind-stop { margin-inline-start: -.6em; }
.tip { position: absolute; z-index: 1; left: 0; right: 0; display: none; margin-top: 1.1rem; padding: .7rem .9rem; border: 1px solid var(--line);
  border-radius: .35rem; background: var(--paper); color: var(--ink); box-shadow: 0 .4rem 1.4rem #0003; font-size: .875rem; line-height: 1.5; text-align: start; white-space: normal;
  max-height: 16rem; overflow: auto; }
/* Wide pages have room for it beside the text. */
@media (min-width: 84rem) { .tip { left: calc(100% + 1.5rem); right: auto; width: 17rem; margin-top: -.5rem; } }
.mark:hover > .tip, .mark:focus-within > .tip { display: block; }
.tip > span { display: block; }
.amount { white-space: nowrap; }
.words { word-break: keep-all; overflow-wrap: anywhere; }
.alarm { color: var(--alarm); font-weight: 600; font-size: .8em; }
.alarm, .whole { display: inline-block; }
.remarks { color: var(--soft); font-size: .85em; }
.unverified { text-decoration: underline dotted var(--alarm); text-underline-offset: .2em; }
pre.code { margin: .9rem 0 .2rem; padding: .6rem .8rem; background: var(--wash); font-size: .85rem; white-space: pre-wrap; overflow-wrap: anywhere; }
p.soft { margin-top: 0; color: var(--soft); font-size: .85rem; }
.notes, .sources { font-size: .875rem; line-height: 1.5; }
.notes { padding-left: 2rem; }
.notes > li { margin: .5rem 0; }
.notes > li::marker { color: var(--soft); font-variant-numeric: tabular-nums; }
.notes > li:target { background: var(--wash); outline: .4rem solid var(--wash); }
.closest { padding-left: .75rem; border-left: 3px solid var(--line); list-style: none; }
.closest > li { margin: .75rem 0; }
blockquote { display: inline; margin: 0; }
.from, .calculation { color: var(--soft); }
.calculation { display: block; }
.back, .cited a { text-decoration: none; }
.cited { display: block; color: var(--soft); }
.scroll { overflow-x: auto; }
.figure { margin: 1rem 0 1.25rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; line-height: 1.45; font-variant-numeric: tabular-nums; }
th, td:first-child { overflow-wrap: break-word; }
th, td { text-align: start; vertical-align: top; padding: .4rem .9rem .4rem 0; border-bottom: 1px solid var(--line); }
thead th { border-bottom: 1.5px solid var(--strong); }
.figure caption { text-align: start; padding-bottom: .3rem; color: var(--soft); }
.figure table { border-top: 1.5px solid var(--strong); }
:is(td, th).number { text-align: end; }
:is(td, th):last-child { padding-right: 0; }
footer { color: var(--soft); font-size: .85rem; }
footer > h2 { border-bottom: 1px solid var(--line); margin-bottom: 0; padding-bottom: .5rem; color: var(--ink); }
footer tbody > tr:last-child > * { border-bottom: 0; }
/* A narrow table needs no scrolling if its amounts may break at their spaces. */
@media (max-width: 30rem) { .figure .amount { white-space: normal; word-break: keep-all; } .figure :is(td, th) { padding-right: .5rem; } }
details { border-bottom: 1px solid var(--line); }
summary { padding: .5rem 0; cursor: pointer; font-weight: 600; }
footer table { font-size: .8rem; margin-bottom: .75rem; }
code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .9em; }
@media print {
  :root { --ink: #000; --soft: #444; --paper: #fff; --wash: #fff; --line: #bbb; --strong: #777; --link: #000; }
  body { max-width: none; padding: 0; font-size: 10.5pt; line-height: 1.45; }
  .tip, .back, details:not([open]) { display: none !important; }
  h1, h2, h3, h4, h5, h6 { break-after: avoid; }
  li, tr { break-inside: avoid; }
  .scroll { overflow: visible; }
}
`;

export const CONTENT_SECURITY_POLICY: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE, "utf8").digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

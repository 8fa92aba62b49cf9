import { createHash } from "node:crypto";

/** The whole style of a report; nothing is loaded from anywhere. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1c1e21; --soft: #5b626b; --paper: #fff; --wash: #f4f5f7; --line: #d7dbe0; --link: #1558b0; --alarm: #a3180f; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e6e9; --soft: #a2a9b2; --paper: #16181b; --wash: #22262b; --line: #3a4048; --link: #8ab8f5; --alarm: #ff9a8f; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 46rem; background: var(--paper); color: var(--ink); line-height: 1.6;
  font-family: system-ui, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", "Source Han Sans SC", sans-serif;
  overflow-wrap: anywhere; line-break: strict; }
h1 { font-size: 1.6rem; line-height: 1.3; margin: 0 0 .75rem; }
h2 { font-size: 1.2rem; line-height: 1.35; margin: 2.25rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
a { color: var(--link); }
a:focus-visible, .scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.verified { margin: 0; padding: .5rem .75rem; border-left: 3px solid var(--link); background: var(--wash); font-size: .9rem; }
.sentences { padding-left: 1.25rem; }
.sentences > li { position: relative; margin: .5rem 0; }
.mark { white-space: nowrap; font-size: .8em; }
.mark > a { padding: .1em .15em; text-decoration: none; }
.tip { position: absolute; z-index: 1; left: 0; right: 0; top: 100%; display: none; padding: .6rem .8rem; border: 1px solid var(--line);
  border-radius: .4rem; background: var(--wash); color: var(--ink); box-shadow: 0 .3rem 1rem #0004; font-size: .85rem; white-space: normal;
  max-height: 16rem; overflow: auto; }
.mark:hover > .tip, .mark:focus-within > .tip { display: block; }
.tip .from { display: block; color: var(--soft); }
.alarm { color: var(--alarm); font-weight: 700; font-size: .8em; letter-spacing: .02em; }
.unsupported { border-left: 3px solid var(--alarm); padding-left: .6rem; }
.notes { padding-left: 2.25rem; }
.closest { padding-left: .75rem; border-left: 3px solid var(--line); list-style: none; }
.notes > li, .closest > li { margin: .75rem 0; }
.notes > li:target, .sentences > li:has(:target) { background: var(--wash); outline: .4rem solid var(--wash); }
blockquote { margin: 0; }
.from, .place, .left-out { color: var(--soft); font-size: .9rem; }
.place { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .8rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .85rem; }
th, td { text-align: start; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: end; white-space: nowrap; padding-right: 0; padding-left: .6rem; }
th:first-child, td:first-child { white-space: nowrap; }
.receipt th { font-weight: 400; color: var(--soft); width: 12rem; }
@media print {
  :root { --ink: #000; --soft: #444; --paper: #fff; --wash: #fff; --line: #999; --link: #000; --alarm: #000; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  .tip, .back { display: none !important; }
  h2, h3 { break-after: avoid; }
  li, tr { break-inside: avoid; }
  :is(.notes, .closest) a[href^="http"]::after { content: " <" attr(href) ">"; font-size: .8em; }
  .scroll { overflow: visible; }
}
`;

/** What a report may do in a browser: show its own style, and nothing else. */
export const CONTENT_SECURITY_POLICY: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE, "utf8").digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

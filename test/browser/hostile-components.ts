/** An address at which nothing may ask. The port is closed. */
export const ELSEWHERE = "http://127.0.0.1:9/stolen";

const RUN = "window.ran.push(1)";

/** HTML of a tool that tries to run something, to ask elsewhere, to lead away or to look like a part of the page. Each has a text that may stay. */
export const HOSTILE_HTML: readonly string[] = [
  `<script>${RUN}</script><p>kept text</p>`,
  `<p onclick="${RUN}" onmouseover="${RUN}">kept text</p><img src="${ELSEWHERE}.png" onerror="${RUN}">`,
  `<a href="javascript:${RUN}">kept text</a><a href="${ELSEWHERE}" target="_top">leave</a>`,
  `<svg onload="${RUN}"><script>${RUN}</script><image href="${ELSEWHERE}"/><a xlink:href="javascript:${RUN}"><text>x</text></a></svg><p>kept text</p>`,
  `<style>@import "${ELSEWHERE}.css"; body { display: none }</style><p style="background: url(${ELSEWHERE})">kept text</p>`,
  `<iframe src="${ELSEWHERE}" srcdoc="<script>parent.ran.push(1)</script>"></iframe><object data="${ELSEWHERE}"></object><p>kept text</p>`,
  `<form action="${ELSEWHERE}"><input name="key"><button formaction="javascript:${RUN}">kept text</button></form>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;"></table></mtext></math><p>kept text</p>`,
  `<form id="x"><math><mtext></form><form><mglyph><svg><mtext><textarea><path id="</textarea><img onerror=${RUN} src=1>"></svg></form><p>kept text</p>`,
  `<div id="main" name="body" class="notice"><p>kept text</p></div><base href="${ELSEWHERE}"><meta http-equiv="refresh" content="0;url=${ELSEWHERE}">`,
  `<link rel="stylesheet" href="${ELSEWHERE}.css"><video src="${ELSEWHERE}" poster="${ELSEWHERE}"></video><p>kept text</p>`,
  `<x-unknown onclick="${RUN}"><p>kept text</p></x-unknown><p is="x-chart" props="{}">kept text</p>`,
  `<x-source onclick="${RUN}" style="position: fixed" props='{"title":"kept text","url":"javascript:${RUN}","quote":"<img src=x onerror=${RUN}>"}'></x-source>`,
  `<template><img src="${ELSEWHERE}"></template><noscript><p title="</noscript><img src=x onerror=${RUN}>">kept text</p></noscript><p>kept text</p>`,
  `${"<div>".repeat(500)}kept text${"</div>".repeat(500)}`,
];

const HOSTILE_TEXT = `<img src="${ELSEWHERE}" onerror="${RUN}"><script>${RUN}</script> [x](javascript:${RUN}) ![y](${ELSEWHERE}) \u202E灯塔`;

/** Components of all names whose every field is hostile or of a wrong type. */
export function hostileComponents(): { component: string; props: unknown; callId: string }[] {
  const text = HOSTILE_TEXT;
  const entries: [string, unknown][] = [
    ...HOSTILE_HTML.map((html): [string, unknown] => ["webcomponent", { html, untrusted: true }]),
    ["webcomponent", { tag: "x-source", props: { url: `javascript:${RUN}`, title: text } }],
    ["webcomponent", { tag: "script", props: { src: ELSEWHERE } }],
    [
      "planner-response",
      { todos: [{ id: text, description: text, keyFacts: [text], dependsOn: [text] }], question: text, reasoning: text },
    ],
    ["executor-response", { nextAction: text, status: text, todoId: text, summary: text, nextQuery: text }],
    ["verifier-response", { allCompleted: false, overallFeedback: text, tasks: [{ id: text, completed: true, feedback: text }] }],
    ["summary-response", { answer: `# ${text}\n\n- ${text}\n\n${text}`, missing: [text, text] }],
    ["table", { caption: text, columns: [text, { key: "__proto__", title: text }], rows: [[text, { a: text }], { [text]: 1 }] }],
    [
      "chart",
      {
        title: text,
        unit: text,
        series: [
          {
            name: text,
            points: [
              [text, 1],
              [text, "2"],
              ["1e999", 1e308],
            ],
          },
        ],
      },
    ],
    ["source-card", { url: `javascript:${RUN}`, title: text, quote: text, publisher: text, publishedAt: text }],
    ["source-card", { url: `data:text/html,<script>${RUN}</script>`, title: text }],
    [text, { text }],
    ["__proto__", { text }],
    ["constructor", null],
    ...[
      "planner-response",
      "executor-response",
      "verifier-response",
      "summary-response",
      "table",
      "chart",
      "source-card",
      "webcomponent",
    ].flatMap((name): [string, unknown][] => [
      [name, null],
      [name, text],
      [name, []],
      [
        name,
        { todos: 1, tasks: "x", answer: {}, columns: 3, rows: "x", series: [null, 1], points: {}, url: [], html: 5, tag: {}, props: 7 },
      ],
    ]),
  ];
  return entries.map(([component, props], index) => ({ component, props, callId: `hostile${index}` }));
}

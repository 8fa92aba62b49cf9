/** Strings that would do something if any part of the page took them for markup, a script or an address of its own. */
export const HOSTILE: readonly string[] = [
  '<img src=x onerror="document.title=1">',
  "<script>document.title=1</script>",
  "<svg onload=document.title=1><a xlink:href='javascript:document.title=1'>x</a></svg>",
  "[a](javascript:document.title=1) ![b](https://evil.example/p.png)",
  "javascript:document.title=1",
  "..",
  '"><iframe srcdoc="<script>parent.document.title=1</script>"></iframe>',
  "\u202E{{constructor.constructor('document.title=1')()}}",
];

type Body = Readonly<Record<string, unknown>> & { readonly type: string };

/** Events of a waiting run in which this string stands wherever a text may stand. */
export function hostileEvents(text: string): Body[] {
  return [{ type: "run-started", attempt: 1 }, ...hostileStep(text, 1), waiting(text)];
}

/** One step with this string in its name, its tools, its sources, the words of its model and its components. */
export function hostileStep(text: string, step: number): Body[] {
  const call = { callId: text, try: 1, node: text };
  const source = {
    id: text,
    kind: "web",
    title: text,
    url: text,
    publishedAt: text,
    foundBy: text,
    score: null,
    contentHash: null,
    status: "found",
    failure: null,
  };
  const todo = { id: text, description: text, status: "failed", feedback: text };
  return [
    { type: "node-started", node: text, step },
    {
      type: "decision",
      round: 0,
      toolsOffered: [text],
      resultsBySource: {},
      toolCalls: [{ id: text, name: text, arguments: { a: text } }],
      queries: [{ text, kinds: [], language: null, from: text, to: null }],
      reason: text,
      cached: false,
    },
    { type: "tool-started", tool: text, arguments: { [text]: text }, callId: text },
    {
      type: "tool-ended",
      tool: text,
      arguments: { [text]: text },
      callId: text,
      ok: false,
      results: 0,
      error: { code: text, message: text },
      durationMs: 1,
      reused: false,
      content: [
        { type: "text", text },
        { type: "json", json: { [text]: text } },
        { type: "component", component: text, props: { html: text, href: text } },
        { type: "webcomponent", html: text, untrusted: true },
      ],
    },
    { type: "source-found", source },
    { type: "source-failed", source: text, query: text, failure: "timeout", message: text },
    { type: "document-failed", sourceId: text, url: text, failure: "blocked", message: text, fallback: "none" },
    { type: "content", ...call, delta: text },
    { type: "reasoning", ...call, delta: text },
    { type: "component", component: text, props: { title: text, url: text, html: text }, partial: false },
    { type: "component", component: "todo-list", props: { todos: [todo] }, partial: false },
    { type: "model-failed", node: text, model: text, failure: text, message: text, fallback: text },
  ];
}

function waiting(text: string): Body {
  const call = { tool: text, arguments: { a: text } };
  const plan = { todos: [{ id: text, description: text, dependsOn: [text] }] };
  const pending = [
    { id: "q", path: text, kind: "question", prompt: text, plan: null, call: null },
    { id: "p", path: text, kind: "plan", prompt: text, plan, call: null },
    { id: "c", path: text, kind: "confirmation", prompt: text, plan: null, call },
  ];
  return { type: "run-waiting", pending };
}

/** A recording of a run that never was, from event bodies with their paths. Digests are left out: the page does not check them. */
export function madeRecording(
  bodies: readonly (Readonly<Record<string, unknown>> & { readonly type: string })[],
  run: Readonly<Record<string, unknown>> = {},
): string {
  const head = { id: "made", question: "Which run never was?", graph: "executor", report: null, ...run };
  const lines = [
    { type: "recording", version: 1, program: "dossier-test", run: head },
    ...bodies.map(({ path = "", ...body }, index) => ({
      type: "event",
      seq: index + 1,
      event: { origin: `0.0/${index}`, at: Date.UTC(2026, 0, 1) + index * 1_000, path, body: JSON.stringify(body) },
    })),
  ];
  return [...lines, { type: "end", lines: lines.length }].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Events of a run with one node that shows these components, complete or growing. */
export function componentEvents(
  components: readonly { readonly component: string; readonly props: unknown; readonly partial?: boolean; readonly callId?: string }[],
): (Record<string, unknown> & { type: string })[] {
  return [
    { type: "run-queued" },
    { type: "run-started", attempt: 1 },
    { type: "node-started", node: "plan", step: 1 },
    ...components.map((one, index) => ({ type: "component", partial: false, callId: `c${index}`, try: 1, ...one })),
  ];
}

import { EventSourceParserStream } from "eventsource-parser/stream";

export interface SeenEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: { readonly seq: number; readonly type: string } & Readonly<Record<string, unknown>>;
}

/** Reads a stream as a browser does, until its end, until `enough`, or until the connection breaks. */
export async function readEvents(
  url: string,
  options: { lastEventId?: string; enough?: (seen: readonly SeenEvent[]) => boolean } = {},
): Promise<SeenEvent[]> {
  const headers: Record<string, string> = { accept: "text/event-stream" };
  if (options.lastEventId !== undefined) headers["last-event-id"] = options.lastEventId;
  const cut = new AbortController();
  const response = await fetch(url, { headers, signal: cut.signal });
  const seen: SeenEvent[] = [];
  if (response.body === null || response.status !== 200) return seen;
  try {
    for await (const { id, event, data } of response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())) {
      seen.push({ id, event, data: JSON.parse(data) });
      if (options.enough?.(seen)) break;
    }
  } catch {
    // The server died: keep what arrived.
  }
  cut.abort();
  return seen;
}

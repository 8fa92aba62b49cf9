import type { RunEvent } from "../../../src/domain/events.ts";
import { addPart, changeLastPart } from "./parts.ts";
import { append, replace } from "./rows.ts";
import { type FoundSource, MAX_PARTS, MAX_SOURCES, type RunView } from "./run-view.ts";
import { get, set } from "./table.ts";

type Event = Extract<
  RunEvent,
  { type: "source-found" | "source-failed" | "rerank-failed" | "document-read" | "document-failed" | "notes-taken" | "queries-rewritten" }
>;
type Read = Extract<Event, { type: "document-read" | "document-failed" }>;

/** What was found, and what was read of it. */
export function reduceFinding(view: RunView, event: Event): RunView {
  const base = { id: event.seq, at: event.at };
  switch (event.type) {
    case "source-found":
      return showFound(keepSource(view, event), event);
    case "source-failed": {
      const { source, query, failure, message } = event;
      const part = { ...base, kind: "failure", what: "search", name: source, query, code: failure, message, fallback: null } as const;
      return addPart(view, event, part, { counts: { failed: 1 } });
    }
    case "rerank-failed": {
      const { ranker, failure, message } = event;
      const part = { ...base, kind: "failure", what: "rerank", name: ranker, query: null, code: failure, message, fallback: null } as const;
      return addPart(view, event, part);
    }
    case "queries-rewritten":
      return addPart(view, event, { ...base, kind: "rewritten", queries: event.queries, from: event.from });
    case "notes-taken":
      return addPart(view, event, { ...base, kind: "notes", sourceId: event.sourceId, notes: event.notes });
    case "document-read":
    case "document-failed":
      return showDocument(updateSource(view, event), event);
  }
}

type Found = Extract<Event, { type: "source-found" }>;

function keepSource(view: RunView, { source, path }: Found): RunView {
  const index = get(view.sourceIndex, source.id);
  if (index !== undefined) return { ...view, sources: replace(view.sources, index, (known) => ({ ...known, source })) };
  if (view.sources.size >= MAX_SOURCES) return { ...view, droppedSources: view.droppedSources + 1 };
  const found: FoundSource = { source, path, state: "found", characters: 0, contentHash: source.contentHash, failure: null };
  return { ...view, sources: append(view.sources, found), sourceIndex: set(view.sourceIndex, source.id, view.sources.size) };
}

/** Sources that are found one after another are one part. */
function showFound(view: RunView, event: Found): RunView {
  const { id } = event.source;
  const joined = changeLastPart(
    view,
    event.path,
    (part) => {
      if (part.kind !== "found") return null;
      const sourceIds = part.sourceIds.length < MAX_PARTS ? [...part.sourceIds, id] : part.sourceIds;
      return { ...part, sourceIds, count: part.count + 1 };
    },
    { found: 1 },
  );
  const part = { kind: "found", id: event.seq, at: event.at, sourceIds: [id], count: 1 } as const;
  return joined ?? addPart(view, event, part, { counts: { found: 1 } });
}

function updateSource(view: RunView, event: Read): RunView {
  const counted = { ...view, downloads: view.downloads + 1 };
  const index = get(view.sourceIndex, event.sourceId);
  if (index === undefined) return counted;
  const change: Partial<FoundSource> =
    event.type === "document-read"
      ? { state: "read", characters: event.characters, contentHash: event.contentHash, failure: null }
      : { state: "failed", failure: { code: event.failure, message: event.message } };
  return { ...counted, sources: replace(view.sources, index, (known) => ({ ...known, ...change })) };
}

function showDocument(view: RunView, event: Read): RunView {
  const base = { kind: "document", id: event.seq, at: event.at, sourceId: event.sourceId, url: event.url } as const;
  if (event.type === "document-read") {
    const { title, contentHash, characters, incomplete = null } = event;
    return addPart(view, event, { ...base, title, contentHash, characters, incomplete, failure: null }, { counts: { read: 1 } });
  }
  const { failure: code, message, fallback } = event;
  const part = { ...base, title: "", contentHash: null, characters: 0, incomplete: null, failure: { code, message, fallback } } as const;
  return addPart(view, event, part, { counts: { failed: 1 } });
}

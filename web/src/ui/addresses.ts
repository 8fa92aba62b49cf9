// The addresses of what views show. What an address leads to survives a reload and can be sent to others.

export function runAddress(runId: string): string {
  return `/runs/${encodeURIComponent(runId)}`;
}

/** Sentences count from 0 here, and from 1 in the address. */
export function sentenceAddress(runId: string, index: number): string {
  return `${runAddress(runId)}#claim-${index + 1}`;
}

/** `start` and `end` are UTF-16 offsets. */
export function documentAddress(runId: string, { contentHash, start, end }: { contentHash: string; start: number; end: number }): string {
  return `${runAddress(runId)}/documents/${encodeURIComponent(contentHash)}?start=${start}&end=${end}`;
}

export function replayAddress(runId: string): string {
  return `/replay?run=${encodeURIComponent(runId)}`;
}

/** Opens the form for a question with the question and the options of this run. */
export function askAgainAddress(runId: string): string {
  return `/?from=${encodeURIComponent(runId)}`;
}

export function compareAddress(left: string, right: string): string {
  return `/compare?left=${encodeURIComponent(left)}&right=${encodeURIComponent(right)}`;
}

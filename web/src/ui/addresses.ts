// The addresses of what views show. What an address leads to survives a reload and can be sent to others.

export function runAddress(runId: string): string {
  return `/runs/${encodeURIComponent(runId.toWellFormed())}`;
}

/** The id of a sentence's element, which is also its hash in an address. Sentences count from 0 here, and from 1 in the id. */
export function sentenceId(index: number): string {
  return `claim-${index + 1}`;
}

export function sentenceAddress(runId: string, index: number): string {
  return `${runAddress(runId)}#${sentenceId(index)}`;
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

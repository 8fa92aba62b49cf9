import { randomUUID } from "node:crypto";

/**
 * A UUID of version 7 (RFC 9562) for the instant `at`, in milliseconds since 1970: 74 bits are random. Ids that grow with time
 * keep the rows of new runs next to each other, so that a transaction touches few pages however many runs there are.
 */
export function newRunId(at: number): string {
  const time = at.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

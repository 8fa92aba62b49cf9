import { createHash } from "node:crypto";

/** What OpenAI's function names may consist of, and how long they may be. */
const FOREIGN = /[^A-Za-z0-9_-]/g;
const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/**
 * The name under which a server's tool is offered: `server__tool`. Where that had to be changed or cut to fit the alphabet and the
 * length of function names, a piece of the hash of both names keeps it apart from others.
 */
export function toolName(server: string, tool: string): string {
  const whole = `${server}__${tool}`;
  const plain = whole.replace(FOREIGN, "_");
  // A name with two underscores could be read as another server's tool.
  const ambiguous = server.includes("__");
  if (plain === whole && plain.length <= MAX_LENGTH && !ambiguous) return plain;
  const hash = createHash("sha256").update(`${server}\n${tool}`, "utf8").digest("hex").slice(0, HASH_LENGTH);
  return `${plain.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}

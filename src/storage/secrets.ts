import { createHash, randomBytes } from "node:crypto";

const ID_BYTES = 6;
/** So many random bytes cannot be guessed, so a plain hash protects them. */
const SECRET_BYTES = 32;

export function newId(): string {
  return randomBytes(ID_BYTES).toString("hex");
}

/** A prefix lets people and scanners of leaked secrets recognize it. */
export function newSecret(prefix: string): string {
  return prefix + randomBytes(SECRET_BYTES).toString("base64url");
}

export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { DossierError } from "../errors.ts";

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts secrets that must be read again, such as those that sign messages (AES-256-GCM). The first key encrypts; all decrypt. */
export class SecretBox {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #current: string | undefined;

  constructor(keys: readonly Buffer[]) {
    this.#keys = new Map(keys.map((key) => [idOf(key), key]));
    this.#current = this.#keys.keys().next().value;
  }

  /** @param about what the secret belongs to; it decrypts for nothing else @throws DossierError `secret_key_missing` */
  seal(secret: string, about: string): string {
    const id = this.#current ?? "";
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key(id), iv).setAAD(Buffer.from(about));
    const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return `${id}:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64")}`;
  }

  /** @throws DossierError `secret_key_missing` if the key is not in the file any more, or the text was changed */
  open(text: string, about: string): string {
    const [id = "", body = ""] = text.split(":");
    const bytes = Buffer.from(body, "base64");
    const decipher = createDecipheriv(ALGORITHM, this.#key(id), bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(about));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
    } catch (cause) {
      throw new DossierError("secret_key_missing", "A stored secret was changed and cannot be decrypted.", { cause });
    }
  }

  /** Returns null if the secret cannot be decrypted: without its key, it waits for the operator. */
  tryOpen(text: string, about: string): string | null {
    try {
      return this.open(text, about);
    } catch {
      return null;
    }
  }

  /** Whether nothing has to be encrypted again. */
  isCurrent(text: string): boolean {
    return this.#current === undefined || text.startsWith(`${this.#current}:`);
  }

  #key(id: string): Buffer {
    const key = this.#keys.get(id);
    if (key !== undefined) return key;
    const why = this.#current === undefined ? "SECRET_KEY_FILE is not set" : "the key that encrypted it is not in SECRET_KEY_FILE";
    throw new DossierError("secret_key_missing", `A secret cannot be stored or read: ${why}. Nothing was changed; tell the operator.`);
  }
}

/** Reads keys in base64, one in each line, the current one first. Returns null if one has not 32 bytes. */
export function readSecretKeys(text: string): Buffer[] | null {
  const lines = text.split("\n").map((line) => line.trim());
  const keys = lines.filter((line) => line !== "").map((line) => Buffer.from(line, "base64"));
  return keys.length > 0 && keys.every(({ byteLength }) => byteLength === KEY_BYTES) ? keys : null;
}

function idOf(key: Buffer): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 8);
}

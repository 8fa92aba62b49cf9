import type { JsonValue } from "../../domain/json.ts";
import { DossierError } from "../../errors.ts";
import { maskValues } from "../../util/mask-values.ts";

/** Nothing shorter is masked, and no plain word or number that is not long: they stand in ordinary text. */
const MIN_LENGTH = 8;
const MIN_PLAIN_LENGTH = 16;
const PLAIN = /^(?:\p{Lu}?\p{Ll}+|\d+)$/u;

/** Words of names whose values are secrets. */
const SECRET_WORD =
  /(?:token|secret|password|passwd|passphrase|credentials?|apikey|cookie|authorization)$|^(?:key|pass|pwd|auth|bearer|pat|jwt|session|sig|signature)$|密钥|密码|令牌|口令/;
/** What a name ends with that tells something about a secret, or where it lies. */
const ABOUT =
  /^(?:algorithm|count|dir|enabled|endpoint|expiry|file|folder|host|id|length|limit|method|mode|ms|name|path|prefix|provider|realm|required|scheme|seconds|size|ttl|type|uri|url|version)$/;
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/]/;
/** A name and its value in one text, as arguments have them: `--api-key=...`, `Authorization: ...`. */
const NAMED = /^-{0,2}([A-Za-z][\w-]*)(?:=|:\s+)(.+)$/s;
const OPTION = /^--?[A-Za-z][\w-]*$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The values within a text that must not be shown, as they stand there: those of names such as TOKEN, API_KEY or Authorization, and
 * what looks like a key by itself. Of a header also without its scheme, of `Basic` what it encodes, of an address the password, the
 * query and parts of the path, of JSON each value under its own name.
 */
export function secretsUnder(name: string, text: string): string[] {
  const fields = fieldsOf(text);
  if (fields !== null) return Object.entries(fields).flatMap(([key, value]) => (typeof value === "string" ? secretsUnder(key, value) : []));
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && URL.canParse(text)) return secretsInAddress(new URL(text));
  const kind = kindOf(name);
  return valuesIn(name, text).filter((value) => isSecret(value, kind));
}

/** The same of the arguments of a command: what follows a name, in the same argument or in the next one, stands under it. */
export function secretsInArguments(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const [, name, value] = NAMED.exec(arg) ?? [];
    if (name !== undefined && value !== undefined) return secretsUnder(name, value);
    const before = args[index - 1] ?? "";
    return arg.startsWith("-") ? [] : secretsUnder(OPTION.test(before) ? before : "", arg);
  });
}

/** The ways in which a server may write a value: as it is, within JSON, within an address. */
export function writtenForms(value: string): string[] {
  return [value, JSON.stringify(value.toWellFormed()).slice(1, -1), encodeURIComponent(value.toWellFormed())];
}

function secretsInAddress({ username, password, searchParams, pathname }: URL): string[] {
  const user = password === "" ? secretsUnder("token", decoded(username)) : secretsUnder("", decoded(username));
  const query = [...searchParams].flatMap(([name, value]) => secretsUnder(name, value));
  const path = pathname.split("/").flatMap((part) => secretsUnder("", decoded(part)));
  return [...user, ...secretsUnder("password", decoded(password)), ...query, ...path];
}

/** A header's value without its scheme, and what it encodes; each value of a cookie. */
function valuesIn(name: string, text: string): string[] {
  if (/cookie$/i.test(name)) return text.split(/;\s*/).map((pair) => pair.slice(pair.indexOf("=") + 1));
  const [, scheme = "", credentials] = /^([A-Za-z][\w-]*)\s+(\S+)$/.exec(text) ?? [];
  if (credentials === undefined) return [text];
  if (scheme.toLowerCase() !== "basic") return [credentials];
  const pair = Buffer.from(credentials, "base64").toString("utf8");
  return [credentials, pair, pair.slice(pair.indexOf(":") + 1)];
}

/** What a name says of its value: that it is a secret, that it only tells about something, or nothing. */
type Kind = "secret" | "about" | "unknown";

function kindOf(name: string): Kind {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  const hasSecret = words.some((word) => SECRET_WORD.test(word));
  if (ABOUT.test(words.at(-1) ?? "")) return hasSecret ? "unknown" : "about";
  return hasSecret ? "secret" : "unknown";
}

function isSecret(value: string, kind: Kind): boolean {
  const isPlain = PLAIN.test(value) && value.length < MIN_PLAIN_LENGTH;
  if (value.length < MIN_LENGTH || isPlain || kind === "about") return false;
  // What is encoded may begin with a slash.
  if (PATH.test(value)) return kind === "secret" && looksRandom(value);
  return kind === "secret" || looksRandom(value);
}

/** A word with letters and digits mixed that is too long for one. */
function looksRandom(value: string): boolean {
  if (/\s/.test(value)) return false;
  const runs = value.match(/[A-Za-z0-9]{16,}/g) ?? [];
  return UUID.test(value) || runs.some((run) => /[A-Za-z]/.test(run) && /\d/.test(run));
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> | null {
  if (!text.trimStart().startsWith("{")) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What cannot be decoded stands as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const MAX_CAUSES = 5;

/** A failure without the secrets of its server, in its words and in those of what caused it; of causes nothing but words is kept. */
export function maskFailure(error: DossierError, secrets: readonly string[]): DossierError {
  const cause = error.cause === undefined ? undefined : maskCause(error.cause, secrets, MAX_CAUSES);
  return new DossierError(error.code, maskValues(error.message, secrets), { cause, faults: error.faults });
}

function maskCause(error: unknown, secrets: readonly string[], left: number): Error {
  if (!(error instanceof Error)) return new Error(maskValues(String(error), secrets));
  // It quotes a piece of the text, which may begin or end in the middle of a secret.
  const message = error instanceof SyntaxError ? "What it sent is not JSON." : maskValues(error.message, secrets);
  const more = error.cause !== undefined && left > 0 ? { cause: maskCause(error.cause, secrets, left - 1) } : {};
  const masked = new Error(message, more);
  masked.name = error.name;
  const frames = error.stack?.indexOf("\n    at ") ?? -1;
  masked.stack = `${error.name}: ${message}${frames < 0 ? "" : maskValues(error.stack?.slice(frames) ?? "", secrets)}`;
  return masked;
}

/** What a server answered, without its secrets: in texts and in keys. */
export function maskJson<T>(value: T, secrets: readonly string[]): T {
  return secrets.length === 0 ? value : (masked(value as JsonValue, secrets) as T);
}

function masked(value: JsonValue, secrets: readonly string[]): JsonValue {
  if (typeof value === "string") return maskValues(value, secrets);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => masked(part, secrets));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [maskValues(key, secrets), masked(part, secrets)]));
}

import { DossierError } from "../../errors.ts";
import { safeDecode } from "../../ranking/canonical-url.ts";
import { isFields, parseJson } from "../../util/json-fields.ts";
import { maskValues } from "../../util/mask-values.ts";

/** Shorter values occur in ordinary text and are not masked. */
const MIN_LENGTH = 8;
/** Shorter plain words and numbers occur in ordinary text and are not masked. */
const MIN_PLAIN_LENGTH = 16;
const PLAIN = /^(?:\p{Lu}?\p{Ll}+|\d+)$/u;

const SECRET_WORDS = [
  /(?:token|secret|password|passwd|passphrase|credentials?|apikey|cookie|authorization)$/,
  /^(?:key|pass|pwd|auth|bearer|pat|jwt|session|sig|signature)$/,
  /密钥|密码|令牌|口令/,
];
/** Variables such as TOKEN_TYPE or KEY_FILE end with one of these words and rarely hold a secret. */
const ABOUT =
  /^(?:algorithm|count|dir|enabled|endpoint|expiry|file|folder|host|id|length|limit|method|mode|ms|name|path|prefix|provider|realm|required|scheme|seconds|size|ttl|type|uri|url|version)$/;
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/]/;
const NAMED = /^-{0,2}([A-Za-z][\w-]*)(?:=|:\s+)(.+)$/s;
const OPTION = /^--?[A-Za-z][\w-]*$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the secrets in `text`: values with a secret name such as TOKEN, and random strings. Searches headers, URLs and JSON too. */
export function secretsUnder(name: string, text: string): string[] {
  const fields = parseJson(text);
  if (isFields(fields))
    return Object.entries(fields).flatMap(([key, value]) => (typeof value === "string" ? secretsUnder(key, value) : []));
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? URL.parse(text) : null;
  if (url !== null) return secretsInAddress(url);
  const kind = kindOf(name);
  return valuesIn(name, text).filter((value) => isSecret(value, kind));
}

export function secretsInArguments(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const [, name, value] = NAMED.exec(arg) ?? [];
    if (name !== undefined && value !== undefined) return secretsUnder(name, value);
    const before = args[index - 1] ?? "";
    return arg.startsWith("-") ? [] : secretsUnder(OPTION.test(before) ? before : "", arg);
  });
}

function secretsInAddress({ username, password, searchParams, pathname }: URL): string[] {
  const user = password === "" ? secretsUnder("token", safeDecode(username)) : secretsUnder("", safeDecode(username));
  const query = [...searchParams].flatMap(([name, value]) => secretsUnder(name, value));
  const path = pathname.split("/").flatMap((part) => secretsUnder("", safeDecode(part)));
  return [...user, ...secretsUnder("password", safeDecode(password)), ...query, ...path];
}

function valuesIn(name: string, text: string): string[] {
  if (/cookie$/i.test(name)) return text.split(/;\s*/).map((pair) => pair.slice(pair.indexOf("=") + 1));
  const [, scheme = "", credentials] = /^([A-Za-z][\w-]*)\s+(\S+)$/.exec(text) ?? [];
  if (credentials === undefined) return [text];
  if (scheme.toLowerCase() !== "basic") return [credentials];
  const pair = Buffer.from(credentials, "base64").toString("utf8");
  return [credentials, pair, pair.slice(pair.indexOf(":") + 1)];
}

type NameKind = "secret" | "about" | "unknown";

function kindOf(name: string): NameKind {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  const hasSecret = words.some((word) => SECRET_WORDS.some((pattern) => pattern.test(word)));
  if (ABOUT.test(words.at(-1) ?? "")) return hasSecret ? "unknown" : "about";
  return hasSecret ? "secret" : "unknown";
}

function isSecret(value: string, kind: NameKind): boolean {
  const isPlain = PLAIN.test(value) && value.length < MIN_PLAIN_LENGTH;
  if (value.length < MIN_LENGTH || isPlain || kind === "about") return false;
  // A base64 secret may begin with a slash, like a path.
  if (PATH.test(value)) return kind === "secret" && looksRandom(value);
  return kind === "secret" || looksRandom(value);
}

function looksRandom(value: string): boolean {
  if (/\s/.test(value)) return false;
  const runs = value.match(/[A-Za-z0-9]{16,}/g) ?? [];
  return UUID.test(value) || runs.some((run) => /[A-Za-z]/.test(run) && /\d/.test(run));
}

const MAX_CAUSES = 5;

/** Returns a copy with `secrets` masked. Its causes keep only their messages and stacks. */
export function maskFailure(error: DossierError, secrets: readonly string[]): DossierError {
  const cause = error.cause === undefined ? undefined : maskCause(error.cause, secrets, MAX_CAUSES);
  return new DossierError(error.code, maskValues(error.message, secrets), { cause, faults: error.faults });
}

function maskCause(error: unknown, secrets: readonly string[], left: number): Error {
  if (!(error instanceof Error)) return new Error(maskValues(String(error), secrets));
  // A SyntaxError quotes a piece of the text, and that piece may end inside a secret.
  const message = error instanceof SyntaxError ? "The answer is not JSON." : maskValues(error.message, secrets);
  const masked = new Error(
    message,
    error.cause !== undefined && left > 0 ? { cause: maskCause(error.cause, secrets, left - 1) } : undefined,
  );
  masked.name = error.name;
  const frames = error.stack?.indexOf("\n    at ") ?? -1;
  masked.stack = `${error.name}: ${message}${frames < 0 ? "" : maskValues(error.stack?.slice(frames) ?? "", secrets)}`;
  return masked;
}

import { createHash } from "node:crypto";
import type { Body } from "./neutral.ts";

/** Returns an object; empty if the value is none. */
export const objectIn = (value: unknown): Body =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Body) : {};

/** Returns the objects of a list; none if the value is no list. */
export const objectsIn = (value: unknown): Body[] => (Array.isArray(value) ? value.map(objectIn) : []);

export const stringIn = (value: unknown): string => (typeof value === "string" ? value : "");

export const numberIn = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** Returns a content that is a string or a list of parts as one text. */
export const textIn = (content: unknown): string =>
  typeof content === "string"
    ? content
    : objectsIn(content)
        .map(({ text }) => stringIn(text))
        .join("");

/** Parses JSON; returns the text itself if it is none. */
export function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns an opaque value that only this server can have made from these words: what a client must return unchanged. */
export const signatureOf = (...words: readonly string[]): string => createHash("sha256").update(words.join("\u0000")).digest("base64");

/** Returns the keys of an object that are not among the known ones. */
export const unknownKeys = (body: Body, known: readonly string[]): string[] => Object.keys(body).filter((key) => !known.includes(key));

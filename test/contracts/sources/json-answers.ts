import { z } from "zod";
import type { SeenRequest } from "../recorded-request.ts";
import type { Answers } from "../service-under-test.ts";

/** Answers every request with the same JSON. */
export function json(value: unknown): Answers {
  return () => JSON.stringify(value);
}

/** Returns the first half of an answer's text. */
export function half(answers: Answers): Answers {
  return (request) => {
    const body = answers(request);
    if (body === null) return null;
    const text = typeof body === "string" ? body : body.text;
    return text.slice(0, Math.floor(text.length / 2));
  };
}

/** Returns the numbers 1 to `count`. */
export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}

/** Reads a field of a JSON request as text. */
export function bodyField(name: string): (request: SeenRequest) => string | null {
  return ({ body }) => {
    const value = z.record(z.string(), z.unknown()).parse(JSON.parse(body))[name];
    return value === undefined ? null : String(value);
  };
}

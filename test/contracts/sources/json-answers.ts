import type { Answers } from "../service-under-test.ts";

/** The same JSON to whatever is asked. */
export function json(value: unknown): Answers {
  return () => JSON.stringify(value);
}

/** The first half of an answer's text. */
export function half(answers: Answers): Answers {
  return (request) => {
    const body = answers(request);
    if (body === null) return null;
    const text = typeof body === "string" ? body : body.text;
    return text.slice(0, Math.floor(text.length / 2));
  };
}

/** The numbers 1 to `count`. */
export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}

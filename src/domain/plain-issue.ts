import type { z } from "zod";
import type { Fault } from "../errors.ts";

const NOUNS: Readonly<Record<string, string>> = { int: "an integer", array: "an array", object: "an object", record: "an object" };
const UNITS: Readonly<Record<string, string>> = { string: "character", array: "item", set: "item", map: "field", object: "field" };
const FORMS: Readonly<Record<string, string>> = {
  url: "must be an address with http:// or https://, such as http://127.0.0.1:8080/v1",
  email: "must be an address such as name@example.org",
};

/** Words zod's issues so that they can follow a field name: "must be a string". Pass it to `safeParse` as `error`. */
export const plainIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === "invalid_type")
    return issue.input === undefined ? "is missing" : `must be ${NOUNS[issue.expected] ?? `a ${issue.expected}`}`;
  if (issue.code === "too_small") return boundOf(issue, issue.inclusive === false ? "more than" : "at least", Number(issue.minimum));
  if (issue.code === "too_big") return boundOf(issue, issue.inclusive === false ? "less than" : "at most", Number(issue.maximum));
  if (issue.code === "invalid_value") return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
  if (issue.code === "unrecognized_keys") return `has fields that are not known: ${issue.keys.join(", ")}`;
  const form = issue.code === "invalid_format" ? FORMS[issue.format] : undefined;
  if (form !== undefined) return form;
  return issue.code === "custom" ? undefined : "does not have the required form";
};

function boundOf({ exact, origin }: { exact?: boolean; origin: string }, words: string, limit: number): string {
  const unit = UNITS[origin];
  const bound = `${exact === true ? "exactly" : words} ${limit}`;
  return unit === undefined ? `must be ${bound}` : `must have ${bound} ${unit}${limit === 1 ? "" : "s"}`;
}

export function issueFaults(issues: readonly z.core.$ZodIssue[]): Fault[] {
  return issues.flatMap((issue): Fault[] => {
    if (issue.code !== "unrecognized_keys")
      return [{ path: jsonPointer(issue.path), message: issue.message, ...(issue.code === "too_big" && { limit: Number(issue.maximum) }) }];
    return issue.keys.map((key) => ({ path: jsonPointer([...issue.path, key]), message: "is not a known field" }));
  });
}

export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

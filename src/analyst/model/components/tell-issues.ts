import type { z } from "zod";

const MAX_ISSUES = 8;

/** What props lack that have been made to fit their form as far as they can be, by the names of the fields, in words for a model and for readers. */
export function tellIssues({ issues }: z.ZodError): string {
  return issues
    .slice(0, MAX_ISSUES)
    .map((issue) => `\`${issue.path.map(String).join(".") || "props"}\` ${tellIssue(issue)}.`)
    .join(" ");
}

/** A value of another kind has been left out before, so that it is missing too. */
function tellIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `is missing: it must be ${KINDS[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value") return `is missing: it must be one of ${issue.values.map(String).join(", ")}`;
  if (issue.code === "custom") return `does not do: ${issue.message.replace(/\.$/, "")}`;
  return "has another form than the one that is asked for";
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

import { fieldsOf } from "../../../src/util/json-fields.ts";

/** A field that is wrong. `path` is a JSON pointer; `limit` the most that is allowed. */
interface Fault {
  readonly path: string;
  readonly message: string;
  readonly limit?: number;
}

/** A failed request, as the page shows it. `code` is the API's stable code, or one of the page's own: `offline`, `unauthorized`, `unreadable`. */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly faults: readonly Fault[];

  constructor(code: string, status: number, detail: string, faults: Problem["faults"] = []) {
    super(detail);
    this.name = "Problem";
    this.code = code;
    this.status = status;
    this.faults = faults;
  }
}

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem("offline", 0, error instanceof Error ? error.message : String(error));
}

/** Reads an RFC 9457 problem. */
export async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null);
  const { code, detail, errors } = fieldsOf(body);
  const isUnauthorized = response.status === 401;
  return new Problem(
    isUnauthorized ? "unauthorized" : typeof code === "string" ? code : "unreadable",
    response.status,
    typeof detail === "string" ? detail : response.statusText,
    Array.isArray(errors) ? (errors as Problem["faults"]) : [],
  );
}

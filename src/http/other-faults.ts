import { type ResearchRequest, ResearchRequestSchema } from "../domain/request.ts";
import { DossierError } from "../errors.ts";
import { fieldsOf } from "../util/json-fields.ts";

/**
 * Adds to the refusal of a body with wrong fields what is wrong with its other fields, so that all faults are told at once. `check` throws
 * what the service says of a request.
 */
export async function withOtherFaults(
  refusal: Error,
  body: unknown,
  check: (request: ResearchRequest) => Promise<unknown>,
): Promise<Error> {
  if (!(refusal instanceof DossierError) || refusal.code !== "invalid_request") return refusal;
  const wrong = refusal.faults.map(({ path }) => path.split("/")[1]);
  const others = Object.entries(fieldsOf(body)).filter(([name]) => !wrong.includes(name));
  const { data } = ResearchRequestSchema.safeParse({ question: "?", ...Object.fromEntries(others) });
  if (data === undefined) return refusal;
  return check(data).then(
    () => refusal,
    (error: unknown) => {
      // What is said of a field that was left out here is no fault of the request.
      const more = error instanceof DossierError ? error.faults.filter(({ path }) => !wrong.includes(path.split("/")[1])) : [];
      const told = more.map(({ path, message }) => `${path} ${message}`).join("; ");
      return more.length === 0
        ? refusal
        : new DossierError("invalid_request", `${refusal.message} ${told}.`, { faults: [...refusal.faults, ...more] });
    },
  );
}

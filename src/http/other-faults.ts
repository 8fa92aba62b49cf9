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
      if (!(error instanceof DossierError) || error.status >= 500) return refusal;
      return new DossierError("invalid_request", `${refusal.message} ${error.message}`, { faults: [...refusal.faults, ...error.faults] });
    },
  );
}

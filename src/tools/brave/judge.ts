import { DossierError } from "../../errors.ts";
import type { Judge } from "../services/service-client.ts";
import { ErrorAnswerSchema } from "./schema.ts";

/** A wrong key is answered with 422, as a wrong parameter is; the code in the body tells which. */
export const judge: Judge = ({ status, text }) => {
  if (status !== 422) return null;
  const said = ErrorAnswerSchema.safeParse(parse(text)).data?.error;
  if (said?.code.startsWith("SUBSCRIPTION_TOKEN") !== true) return null;
  return new DossierError("blocked", `brave answered 422: ${said.detail ?? said.code} Check BRAVE_API_KEY.`);
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

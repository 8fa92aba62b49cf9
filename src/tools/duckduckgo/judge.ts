import { DossierError } from "../../errors.ts";
import type { Judge } from "../services/service-client.ts";

/** The form of the challenge. Results cannot contain it: their texts are escaped. */
const CHALLENGE = /<form\b[^>]*\baction="[^"]*\/anomaly\.js/i;

/** The challenge for bots comes with status 202, or with 200 like an ordinary page. */
export const judge: Judge = ({ status, text }) =>
  status === 202 || CHALLENGE.test(text)
    ? new DossierError("blocked", "duckduckgo wants to see a human: it showed its challenge instead of results. Search less often.")
    : null;

import { DossierError } from "../../errors.ts";
import type { Judge } from "../services/service-client.ts";

/** The form of the challenge. Results cannot contain it: their texts are escaped. Bounded, as what it looks at may be anything. */
const CHALLENGE = /<form\s[^<>]{0,200}\baction="[^"<>?]{0,200}\/anomaly\.js/i;

/** The challenge for bots comes with status 202, or with 200 like an ordinary page. */
export const judge: Judge = ({ status, text }) =>
  status === 202 || CHALLENGE.test(text)
    ? new DossierError("blocked", "duckduckgo wants to see a human: it showed its challenge instead of results. Search less often.")
    : null;

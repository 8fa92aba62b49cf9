import { DossierError } from "../../errors.ts";
import type { Judge } from "../services/service-client.ts";

/** A page that wants to see a browser first, as public instances put before themselves. */
const VERIFICATION = /<title>[^<]*(?:verifying your request|just a moment|checking your browser|making sure you're not a bot)/i;

/** JSON is off in a fresh instance, which then answers 403; the limiter gives programs a few answers an hour. */
export const judge: Judge = ({ status, text }) => {
  if (status === 403) {
    return new DossierError("blocked", "searxng answered 403: JSON is off there. Add json to search.formats in its settings.yml.");
  }
  if (status === 429) {
    return new DossierError("rate_limited", "searxng answered 429: its limiter is on. Let this machine pass in its limiter.toml.");
  }
  if (VERIFICATION.test(text)) return new DossierError("blocked", "searxng wants to see a browser before it answers.");
  return null;
};

import { atBase } from "../api/base-path.ts";
import { forget, keep, readKept } from "../ui/kept.ts";

/** Where the view is kept from which somebody has left to sign in. */
const LEFT = "dossier-left";

/** Leaves for the provider that says who this is. */
export function leaveToSignIn(): void {
  keep(LEFT, location.href, "sessionStorage");
  location.assign(atBase("/session/oidc"));
}

/** Shows the view again from which somebody has left to sign in. Call it before anything is shown. */
export function comeBack(): void {
  const left = readKept(LEFT, "sessionStorage");
  forget(LEFT, "sessionStorage");
  if (left !== null && location.pathname === atBase("/")) history.replaceState(history.state, "", left);
}

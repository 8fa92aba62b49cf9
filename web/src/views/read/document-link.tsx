import { Link, type LinkProps } from "../../app/router.tsx";
import type { DocumentPlace } from "./read-address.ts";
import { useReport } from "./report-context.ts";

/** Opens a place of a document beside the report. From one place to the next, the browser's Back button stays one step away from the report. */
export function DocumentLink({ place, ...others }: Omit<LinkProps, "to" | "replace"> & { readonly place: DocumentPlace }) {
  const { places } = useReport();
  return <Link {...others} to={places.pathOf(place)} replace={places.open !== null} />;
}

import { lazy, Suspense } from "react";
import type { ShownComponentProps } from "./component-props.ts";

const Registered = lazy(async () => ({ default: (await import("./registered-component.tsx")).Registered }));

/** Shows a component by its name, and the JSON of one that is not known. The components are loaded with the first one that is shown. */
export function ShownComponent(shown: ShownComponentProps) {
  return (
    <Suspense fallback={null}>
      <Registered {...shown} />
    </Suspense>
  );
}

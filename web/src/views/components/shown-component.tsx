import type { JsonValue } from "../../../../src/domain/json.ts";

export interface ShownComponentProps {
  readonly component: string;
  readonly props: JsonValue;
  readonly partial: boolean;
}

/** Shows a component by its name, and the JSON of one that is not known. */
export function ShownComponent({ component, props }: ShownComponentProps) {
  return (
    <figure>
      <figcaption>{component}</figcaption>
      <pre>{JSON.stringify(props, null, 2)}</pre>
    </figure>
  );
}

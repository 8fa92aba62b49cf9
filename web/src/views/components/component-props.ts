import type { JsonValue } from "../../../../src/domain/json.ts";
import type { Props } from "./read-props.ts";

export interface ComponentProps {
  readonly props: Props;
  /** Whether more props may come. */
  readonly partial: boolean;
}

export interface ShownComponentProps {
  readonly component: string;
  readonly props: JsonValue;
  readonly partial: boolean;
}

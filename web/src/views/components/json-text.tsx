import type { JsonValue } from "../../../../src/domain/json.ts";

const MAX_LENGTH = 20_000;

export function JsonText({ value }: { readonly value: JsonValue }) {
  const text = JSON.stringify(value, null, 2) ?? "";
  return <pre className="component-json">{text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text}</pre>;
}

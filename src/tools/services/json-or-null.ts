/** The JSON value that a text holds, null where it holds none: for a look at an answer before it is known what it is. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

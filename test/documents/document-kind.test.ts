import { expect, it } from "vitest";
import { documentKind } from "../../src/documents/document-kind.ts";

const kindOf = (text: string) => documentKind({ bytes: Buffer.from(text), mediaType: "", url: "https://a.example/x" });

it("looks past comments for the beginning of a page, and reads each of them once", () => {
  expect(kindOf(`${"<!-- a -- b -->\n".repeat(40)}<html>`)).toBe("html");
  expect(kindOf(`${"<!---->".repeat(100)}text`)).toBe("text");
});

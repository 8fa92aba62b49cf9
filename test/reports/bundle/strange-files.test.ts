import { describe, expect, it } from "vitest";
import { verifyBundle } from "../../../src/reports/bundle/verify-bundle.ts";
import { PROGRAM, randomBundle } from "./random-bundle.ts";

const TEXT = await randomBundle(3);
const verify = (file: string | Uint8Array): readonly string[] => verifyBundle(Buffer.from(file), PROGRAM).faults;
const wholeChanged = "digest: the bundle as a whole does not match it";

describe("a file that is no bundle is refused", () => {
  it.each([
    ["", "The file is not JSON: "],
    ["税", "The file is not JSON: "],
    [TEXT.slice(1), "The file is not JSON: "],
    [Buffer.from(TEXT, "utf16le"), "The file is not JSON: "],
    ["[".repeat(1_000_000), "The file is not JSON: "],
    ['{"a\\x":1,"税', "The file is not JSON: "],
    ["null", "The file is no evidence bundle: its type is not dossier-bundle."],
    ["[]", "The file is no evidence bundle: its type is not dossier-bundle."],
    ['{"markdown":"# 灯塔"}', "The file is no evidence bundle: its type is not dossier-bundle."],
    [TEXT.replace('"version":3', '"version":9'), "The file is no evidence bundle: this program reads version 3, not 9."],
    ['{"type":"dossier-bundle","version":3}', "The file is no evidence bundle: it has no report."],
    [
      '{"type":"dossier-bundle","version":3,"report":{"claims":[],"sources":{}}}',
      "The file is no evidence bundle: it has no list report.citations, report.sources, report.ledger, report.blocks, report.struck, report.missing, documents, events.",
    ],
    [TEXT.replace('"version":3', `"version":3,"x":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`), "The file is nested too deeply."],
  ])("%# (%.40s)", (file, message) => {
    expect(() => verify(file)).toThrow(expect.objectContaining({ code: "bundle_invalid", message: expect.stringContaining(message) }));
  });
});

it.each([TEXT.slice(0, -10), TEXT.slice(0, 30), `${TEXT}{}`, TEXT.replace('"markdown":"', '"markdown":"\\o')])(
  "a bundle with damaged JSON is refused: %#",
  (file) => {
    expect(() => verify(file)).toThrow(
      expect.objectContaining({ code: "bundle_invalid", message: expect.stringMatching(/^The file is not JSON: .+/) }),
    );
  },
);

describe("a bundle", () => {
  it("may begin with a byte order mark", () => {
    expect(verify(`\ufeff${TEXT}`)).toEqual([]);
  });

  it("with bytes that are not UTF-8 has a fault for them, and is checked all the same", () => {
    const bytes = Buffer.from(TEXT);
    const at = bytes.indexOf("灯塔", bytes.indexOf('"question":'));
    bytes[at] = 0xff;
    expect(verify(bytes)).toEqual(
      expect.arrayContaining(["the file: some of its bytes are not UTF-8", "run: it was changed, as its sum tells", wholeChanged]),
    );
  });

  it("with a truncated character, which decodes to as many bytes, is not UTF-8 either", () => {
    const bytes = Buffer.from(TEXT);
    Buffer.from("\u{1f5fc}").copy(bytes, bytes.indexOf("灯塔", bytes.indexOf('"question":')), 0, 3);
    expect(verify(bytes)).toContain("the file: some of its bytes are not UTF-8");
  });

  it("that programs could read differently does not verify", () => {
    const read = (old: string, now: string): readonly string[] => verify(TEXT.replace(old, now));
    expect(read('"coverage":{', '"coverage":{"sentences":1,')).toContain("the file: a key stands twice in an object");
    expect(read('"coverage":{', '"coverage":{"\\u0073entences":1,')).toContain("the file: a key stands twice in an object");
    expect(read('"attempt":1', '"attempt":9007199254740993')).toContain("attempt: 9007199254740993 is too large to be read exactly");
    expect(read('"attempt":1', '"attempt":1e999')).toContain("attempt: 1e999 is too large a number");
    expect(read('"tool":"alpha"', '"tool":"a\\ud83d"')).toContain("tool: half of a surrogate pair, which is no character");
    // Both ways to write the character are the same; only the halves differ.
    expect(read("🦜", "\\ud83e\\uDD9C")).toEqual([]);
  });

  it("has no unknown fields", () => {
    expect(verify(TEXT.replace('"version":3', '"version":3,"__proto__":{"type":"x"},"signature":"税"'))).toEqual([
      "__proto__: a bundle has no such field",
      "signature: a bundle has no such field",
      wholeChanged,
    ]);
  });
});

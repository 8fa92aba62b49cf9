import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readEnvFile } from "../src/config/env-file.ts";

async function read(text: string | Uint8Array): Promise<unknown> {
  const file = join(await mkdtemp(join(tmpdir(), "env-")), ".env");
  await writeFile(file, text);
  return readEnvFile(file);
}

it.each([
  ["SOURCES: corpus\n", 1],
  ["# mine\n\nPORT=1\nSOURCES corpus", 4],
  ['A="x\ny"\r\nSOURCES\r\nB=2', 3],
  ['A="unclosed\nB: 1\n', 2],
])("refuses a file with a line that is not NAME=value, and says which: %j", async (text, line) => {
  await expect(read(text)).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringContaining(`its line ${line} is not NAME=value`),
  });
});

it("reads comments, empty lines, exports and values of several lines", async () => {
  const text = "# a comment\n  # another\n\n \t\nexport A = 1 # one\nB=\"x\n# in the value\n\ny: z\n\" # end\nC='a\nb'\nD=`c\nd`\nE=\n";
  expect(await read(text)).toEqual({ A: "1", B: "x\n# in the value\n\ny: z\n", C: "a\nb", D: "c\nd", E: "" });
  expect(await read(Buffer.from(`\ufeff${text}`, "utf16le"))).toMatchObject({ A: "1", D: "c\nd" });
});

it("refuses a file that is no UTF-8 or UTF-16, and takes a missing one for an empty one", async () => {
  await expect(read(Buffer.from("A=Größe\n", "latin1"))).rejects.toMatchObject({ code: "config_invalid" });
  expect(readEnvFile(join(tmpdir(), "no-such-file"))).toEqual({});
});

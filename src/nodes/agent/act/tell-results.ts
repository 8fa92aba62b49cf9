import { type Hit, mergeHits } from "../../../domain/hit.ts";
import { stripUnknownAddresses } from "../../../evidence/address-filter.ts";
import { fence } from "../../../evidence/data-fence.ts";
import type { Finished } from "../../optional-tool/make-calls.ts";
import type { AgentMessage } from "../state.ts";
import type { ActionResult } from "./action.ts";

/** The most of one result that the model is shown, in UTF-16 code units; documents can be read by their ids. */
const MAX_RESULT_LENGTH = 6_000;
const MAX_LISTED = 10;
const FIRST_LINES_LENGTH = 400;
const MAX_TITLE_LENGTH = 200;
const MAX_BRIEF_LENGTH = 400;

export interface Told {
  readonly message: AgentMessage;
  /** The ids of the sources that it names, new ones last. */
  readonly shown: readonly string[];
}

/** The results of a round as the model sees them, in the order of its calls: fenced as data, sources by short ids, no address. */
export function tellResults(
  finished: readonly Finished<ActionResult>[],
  shown: readonly string[],
  messages: readonly AgentMessage[],
): Told[] {
  const known = [...shown];
  return finished.map((one): Told => {
    const listed = listedOf(one.result);
    for (const { id } of listed) if (!known.includes(id)) known.push(id);
    const idOf = (hit: Hit): string => `S${known.indexOf(hit.id) + 1}`;
    return { message: messageOf(one, listed, idOf, messages), shown: listed.map(({ id }) => id) };
  });
}

function messageOf(
  { planned, result }: Finished<ActionResult>,
  listed: readonly Hit[],
  idOf: (hit: Hit) => string,
  messages: readonly AgentMessage[],
): AgentMessage {
  const { id: callId, name, arguments: args } = planned.call;
  const call = `${name} ${JSON.stringify(args)}`;
  const told = (content: string, what: string): AgentMessage => {
    const brief = `${call}: ${what}`.replace(/\s+/g, " ").slice(0, MAX_BRIEF_LENGTH).toWellFormed();
    return { role: "tool", callId, name, content: content.toWellFormed(), brief };
  };
  if (!result.ok) {
    const { code, message } = result.error;
    return told(fence(name, `${code}: ${stripUnknownAddresses(message, [])}`), `failed, ${code}`);
  }
  if (planned.type === "reuse") return told(repeated(planned.earlier.observation, messages), "made before");
  const blocks = listed.map((hit) => blockOf(hit, idOf(hit)));
  const text = [stripUnknownAddresses(result.findings.text, []), ...blocks].filter((part) => part !== "").join("\n\n");
  const titles = listed.map((hit) => `${idOf(hit)} ${titleOf(hit)}`).join("; ");
  return told(fence(name, text.slice(0, MAX_RESULT_LENGTH) || "Nothing."), titles || text.slice(0, MAX_BRIEF_LENGTH));
}

function repeated(observation: string, messages: readonly AgentMessage[]): string {
  const above = messages.some(({ content }) => content === observation);
  return above ? "You made this very call before; its result stands above." : observation;
}

function listedOf(result: Finished<ActionResult>["result"]): readonly Hit[] {
  if (!result.ok) return [];
  const shown = "shown" in result ? result.shown : undefined;
  return mergeHits([], shown ?? result.findings.hits).slice(0, MAX_LISTED);
}

function blockOf(hit: Hit, id: string): string {
  const about = [hit.publishedAt, hit.foundBy].filter((part) => part !== null && part !== "").join(", ");
  const retracted = hit.publication?.retracted === true ? " RETRACTED" : "";
  const first = stripUnknownAddresses(hit.snippet.replace(/\s+/g, " ").trim().slice(0, FIRST_LINES_LENGTH), []);
  return `[${id}]${retracted} ${titleOf(hit)} (${about})${first === "" ? "" : `\n${first}`}`;
}

function titleOf({ title }: Hit): string {
  return stripUnknownAddresses(title.replace(/\s+/g, " "), []).slice(0, MAX_TITLE_LENGTH);
}

import { type Hit, isUntitled, mergeHits } from "../../domain/hit.ts";
import { hideAddresses } from "../../evidence/address-filter.ts";
import { fence } from "../../evidence/data-fence.ts";
import { describeSource, titleOf } from "../../gathering/found.ts";
import { nameOfUrl } from "../../gathering/given-material.ts";
import { firstLinesOf, firstLinesTold, isTold, type ShownPlaces, type Told } from "./places.ts";
import type { ActionResult, FinishedAction } from "./search-and-read.ts";
import type { AgentMessage, AgentStateValue } from "./state.ts";

const MAX_RESULT_LENGTH = 6_000;
const MAX_LISTED = 10;
/** With those that the user gave, which the first search reads. */
const MAX_READ_LISTED = 30;
/** More than what a search lists and the places of what it read, which take at most a share of the model's context. */
const MAX_READ_LENGTH = 80_000;
const MAX_SOURCE_LINE = 400;
const MAX_BRIEF_LENGTH = 400;

/** Formats tool results for the model as fenced data. A source is shown with an id such as S1, without its address. */
export function formatResults(
  finished: readonly FinishedAction[],
  { shown, told, messages }: Pick<AgentStateValue, "shown" | "told" | "messages">,
) {
  const ids = [...shown];
  const known = [...told];
  return finished.map((one) => {
    const listed = listedHits(one.result);
    for (const { id } of listed) if (!ids.includes(id)) ids.push(id);
    const idOf = (sourceId: string): string => `S${ids.indexOf(sourceId) + 1}`;
    const before = known.length;
    known.push(...(one.result.told ?? []));
    const message = resultMessage(one, { listed, idOf, messages, told: known });
    return { message, sourceIds: listed.map(({ id }) => id), told: known.slice(before) };
  });
}

interface View {
  readonly listed: readonly Hit[];
  readonly idOf: (sourceId: string) => string;
  readonly messages: readonly AgentMessage[];
  /** Gets the first lines that are shown. */
  readonly told: Told[];
}

function resultMessage({ planned, result }: FinishedAction, { listed, idOf, messages, told }: View): AgentMessage {
  const { id: callId, name, arguments: args } = planned.call;
  const call = `${name} ${JSON.stringify(args)}`;
  const toResult = (content: string, what: string): AgentMessage => {
    const brief = `${call}: ${what}`.replace(/\s+/g, " ").slice(0, MAX_BRIEF_LENGTH).toWellFormed();
    return { role: "tool", callId, name, content: content.toWellFormed(), brief };
  };
  if (planned.type === "reuse" && planned.earlier.ok) {
    const { observation } = planned.earlier;
    const isAbove = messages.some(({ content }) => content === observation);
    return toResult(isAbove ? "You made this very call before; its result stands above." : observation, "made before");
  }
  if (planned.type === "repeat" && result.ok) return toResult("You made this very call twice; its result stands above.", "made twice");
  const { places } = result;
  const said = result.ok ? result.findings.text : `${result.error.message}${result.said ?? ""}`;
  const blocks = listed.map((hit) => `[${idOf(hit.id)}] ${formatHit(hit, { places, told, idOf })}`);
  const text = [hideAddresses(said), ...blocks].filter((part) => part !== "").join("\n\n");
  const titles = listed.map((hit) => `${idOf(hit.id)} ${nameOf(hit, places?.get(hit.id))}`).join("; ");
  const what = titles || text.slice(0, MAX_BRIEF_LENGTH);
  const length = places === undefined ? MAX_RESULT_LENGTH : MAX_READ_LENGTH;
  return toResult(fence(name, text.slice(0, length) || "Nothing."), result.ok ? what : `failed, ${what}`);
}

/** Returns the sources that a result shows. */
export function listedHits(result: ActionResult): readonly Hit[] {
  const hits = result.shown ?? (result.ok ? result.findings.hits : []);
  return mergeHits([], hits).slice(0, result.places !== undefined ? MAX_READ_LISTED : MAX_LISTED);
}

interface HitView extends Pick<View, "told" | "idOf"> {
  readonly places: ReadonlyMap<string, ShownPlaces> | undefined;
}

function formatHit(hit: Hit, { places, told, idOf }: HitView): string {
  const shown = places?.get(hit.id);
  const line = isUnnamed(hit, shown) ? nameOfUrl(hit) : describeSource({ ...hit, title: shown?.title ?? hit.title });
  const text = shown === undefined ? showFirstLines(hit, told, places !== undefined) : formatPlaces(shown, idOf);
  const safe = hideAddresses(text);
  return `${line.slice(0, MAX_SOURCE_LINE)}${safe === "" ? "" : `\n${safe}`}`;
}

/** Shows the first lines of a source once. A search says what they are, because it reads other sources. */
function showFirstLines(hit: Hit, told: Told[], isSearch: boolean): string {
  const lines = firstLinesOf(hit);
  const one = firstLinesTold(hit);
  if (isSearch && told.some(({ of, sourceId }) => sourceId === hit.id && of !== one.of)) return "Its places stand above.";
  if (lines === "") return "";
  if (isTold(one, told)) return "Its first lines stand above.";
  told.push(one);
  return isSearch ? `First lines: ${lines}` : lines;
}

function formatPlaces({ text, isAbove, sameAs }: ShownPlaces, idOf: View["idOf"]): string {
  const same = sameAs === null ? "" : `The same text as [${idOf(sameAs)}].`;
  if (text === "") return same || "Its places stand above.";
  return [same, text, isAbove ? "Other places of it that fit stand above." : ""].filter((part) => part !== "").join("\n");
}

/** Whether the title of a source is still its address. */
function isUnnamed(hit: Hit, shown: ShownPlaces | undefined): boolean {
  return isUntitled(hit) && hit.title === hit.url && shown?.title === undefined;
}

function nameOf(hit: Hit, shown: ShownPlaces | undefined): string {
  return isUnnamed(hit, shown) ? nameOfUrl(hit) : titleOf({ title: shown?.title ?? hit.title });
}

import type { Body, NeutralRequest } from "../neutral.ts";
import { firstRefusal } from "../provider.ts";
import { objectIn, objectsIn, signatureOf, stringIn } from "../values.ts";
import { partsIn } from "./read.ts";

/** Returns what a call is signed with. */
export const signatureOfCall = (name: string, args: unknown): string => signatureOf("gemini", name, JSON.stringify(args));

/** Returns why Gemini refuses the contents; undefined if it does not. `exact`: a signature of another call is refused, too. */
export function contentsFault(body: Body, { model }: NeutralRequest, exact: boolean): string | undefined {
  const contents = objectsIn(body["contents"]);
  return firstRefusal<string>([
    () => (contents.length === 0 ? "* GenerateContentRequest.contents: contents is not specified" : undefined),
    () => firstOf(contents.map(shapeFault)),
    () => (contents[0]?.["role"] === "model" ? "Contents have to begin with a user turn." : undefined),
    () => (contents.at(-1)?.["role"] === "model" ? "Requests have to end with a user turn or a function response." : undefined),
    () => firstOf(contents.map((_, at) => turnFault(contents, at))),
    () => (model.includes("gemini-3") ? signatureFault(contents, exact) : undefined),
  ]);
}

const firstOf = (faults: readonly (string | undefined)[]) => faults.find((fault) => fault !== undefined);

function shapeFault(content: Body, at: number): string | undefined {
  const { role } = content;
  if (role !== undefined && role !== "user" && role !== "model") return "Please use a valid role: user, model.";
  return partsIn(content).length > 0 ? undefined : `* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.`;
}

function turnFault(contents: readonly Body[], at: number): string | undefined {
  const calls = callsIn(contents[at]);
  if (calls.length > 0) {
    if (contents[at - 1]?.["role"] === "model")
      return "A function call turn has to come right after a user turn or after a function response turn.";
    if (responsesIn(contents[at + 1]) !== calls.length)
      return "The number of function response parts has to be equal to the number of function call parts of the function call turn.";
  }
  if (responsesIn(contents[at]) === 0 || callsIn(contents[at - 1]).length > 0) return undefined;
  return "A function response turn has to come right after a function call turn.";
}

/** In the current turn, the first call of each step has to come back signed. */
function signatureFault(contents: readonly Body[], exact: boolean): string | undefined {
  const start = contents.findLastIndex((content) => content["role"] === "user" && responsesIn(content) === 0);
  for (const [at, content] of contents.entries()) {
    const [first] = callsIn(content);
    if (at < start || first === undefined) continue;
    const { name, args } = objectIn(first["functionCall"]);
    if (stringIn(first["thoughtSignature"]) === "")
      return `A functionCall part has lost its thought_signature. Function call \`default_api:${stringIn(name)}\`, position ${at + 1}.`;
    if (exact && first["thoughtSignature"] !== signatureOfCall(stringIn(name), args)) return "Thought signature is not valid.";
  }
  return undefined;
}

const callsIn = (content: Body | undefined): Body[] => partsIn(content).filter((part) => part["functionCall"] !== undefined);

const responsesIn = (content: Body | undefined): number => partsIn(content).filter((part) => part["functionResponse"] !== undefined).length;

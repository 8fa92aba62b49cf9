import type { Todo } from "../domain/plan.ts";
import type { Executed, Findings } from "../domain/ports/analyst.ts";
import type { ToolDescription } from "../domain/tool.ts";
import { fence } from "../evidence/data-fence.ts";
import { short } from "../writing/prompt-text.ts";

const MAX_CLAIMS = 16;
const MAX_CLAIM_LENGTH = 400;
const MAX_TOOLS = 40;
const MAX_TOOL_LENGTH = 400;
const MAX_NOTE_LENGTH = 600;

/** Writes the sentences of findings with their quotes for a judge, fenced. */
export function formatFindings(label: string, { claims, citations, reason }: Findings): string {
  const quotes = new Map(citations.map(({ id, quote }) => [id, quote]));
  const lines = claims.slice(0, MAX_CLAIMS).map(({ text, citations: ids }) => {
    const quoted = ids.flatMap((id) => quotes.get(id) ?? []).filter((quote) => quote !== text);
    const mark = ids.length === 0 ? "(no source) " : "";
    return `- ${mark}${short(text, MAX_CLAIM_LENGTH)}${quoted.map((quote) => ` [“${short(quote, MAX_CLAIM_LENGTH)}”]`).join("")}`;
  });
  if (claims.length > MAX_CLAIMS) lines.push(`- and ${claims.length - MAX_CLAIMS} more`);
  return fence(label, lines.join("\n") || `nothing${reason === null ? "" : `: ${short(reason, MAX_NOTE_LENGTH)}`}`);
}

export function formatTodos(todos: readonly Todo[]): string {
  const lines = todos.map((todo) => {
    const { id, status, description, result, feedback, planRound } = todo;
    const notes = [
      `${description}`,
      `planned in round ${planRound}: ${status}`,
      ...(result === null ? [] : [`result: ${short(result, MAX_NOTE_LENGTH)}`]),
      ...(feedback === null ? [] : [`feedback: ${short(feedback, MAX_NOTE_LENGTH)}`]),
    ];
    return fence(id, notes.join("\n"));
  });
  return lines.join("\n") || "none";
}

export function formatExecuted(executed: readonly Executed[]): string {
  const lines = executed.map(({ todo, findings }) => {
    const { id, description, doneCriteria, keyFacts, status, feedback } = todo;
    const head = [
      `Task ${id}: ${description}`,
      ...(doneCriteria === "" ? [] : [`Done when: ${doneCriteria}`]),
      ...(keyFacts.length === 0 ? [] : [`Expected: ${keyFacts.join("; ")}`]),
      `Status: ${status}`,
      ...(feedback === null ? [] : [`Said of it: ${short(feedback, MAX_NOTE_LENGTH)}`]),
    ];
    return `${head.join("\n")}\n${formatFindings(id, findings)}`;
  });
  return lines.join("\n\n") || "none";
}

export function formatTools(tools: readonly ToolDescription[]): string {
  const lines = tools.slice(0, MAX_TOOLS).map(({ name, description, kind }) => {
    const line = fence(name, short(description, MAX_TOOL_LENGTH));
    return kind === "mutation" ? `${line}\n(${name} changes something: only for a task in which the user wants that change.)` : line;
  });
  if (tools.length > MAX_TOOLS) lines.push(`and ${tools.length - MAX_TOOLS} more`);
  return lines.join("\n") || "none";
}

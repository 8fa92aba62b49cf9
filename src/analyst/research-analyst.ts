import { resolveNextAction } from "../domain/components.ts";
import { normalizePlan } from "../domain/normalize-plan.ts";
import type { Todo } from "../domain/plan.ts";
import type * as port from "../domain/ports/analyst.ts";
import { readQueries } from "../domain/queries.ts";
import type { ToolDescription } from "../domain/tool.ts";
import { addressesIn } from "../evidence/address-filter.ts";
import { fence } from "../evidence/data-fence.ts";
import { type ByModel, type ModelDeps, modelOrRules } from "../writing/call-model.ts";
import { short } from "../writing/prompt-text.ts";
import { WRITING_NODE } from "../writing/text-roles.ts";
import { summarizeByModel } from "../writing/write-report.ts";
import {
  askRole,
  EXECUTOR,
  type ExecutorProps,
  JUDGES,
  type JudgingRole,
  PLANNER,
  type PlannerProps,
  VERIFIER,
  type VerifierProps,
} from "./research-roles.ts";

export interface ModelResearchDeps extends ModelDeps {
  readonly rules: port.ResearchAnalyst;
  readonly judges?: readonly JudgingRole[];
}

/** Returns an analyst that asks a model. Rules do the work if the run has no model, it fails, or the budget refuses the call. */
export function createModelResearch(deps: ModelResearchDeps): port.ResearchAnalyst {
  const { rules } = deps;
  const judges = new Map((deps.judges ?? JUDGES).map((role) => [role.name, role]));
  return {
    plan: modelOrRules(PLANNER, planByModel, rules.plan, deps, ({ todos }) => todos.some(({ rounds }) => rounds > 0)),
    assess: modelOrRules(EXECUTOR, assessByModel, rules.assess, deps, ({ findings }) => findings.claims.length > 0),
    async verify(view, effects) {
      const role = judges.get(view.role) ?? VERIFIER;
      const hasFindings = view.executed.some(({ findings }) => findings.claims.length > 0);
      return modelOrRules(role, verifyByModel(role), rules.verify, deps, () => hasFindings)(view, effects);
    },
    summarize: modelOrRules({ model: "summary", stage: WRITING_NODE }, summarizeByModel, rules.summarize, deps),
  };
}

type ByResearchModel<View, Result> = ByModel<View, Result, ModelResearchDeps>;

/** Said of a todo before its first round. */
const UNSEARCHED = "0, in which nothing was searched: the sentences are earlier answers of this conversation";
const MAX_CLAIMS = 16;
const MAX_CLAIM_LENGTH = 400;
const MAX_TOOLS = 40;
const MAX_TOOL_LENGTH = 400;
const MAX_NOTE_LENGTH = 600;
const MAX_SUMMARY_LENGTH = 2_000;
const MAX_ID_LENGTH = 100;
const MAX_TITLE = 200;

function idKey(id: string): string {
  return id.trim().toLowerCase();
}

const assessByModel: ByResearchModel<port.AssessmentView, port.Assessment> = async (view, models, deps, effects) => {
  const { question, todo, round, roundsLeft, findings, named = [] } = view;
  const { id, description, doneCriteria, keyFacts } = todo;
  const userMessage = await deps.prompts("messages/executor-state", {
    question,
    id,
    description,
    doneCriteria: doneCriteria || "it is answered",
    keyFacts: keyFacts.map((fact) => `- ${fact}`).join("\n") || "none are named",
    round: round === 0 ? UNSEARCHED : String(round),
    roundsLeft: String(roundsLeft),
    findings: fence(id, formatFindings(findings)),
    named: named.length === 0 ? "none" : fence("named", named.map((title) => `- ${short(title, MAX_TITLE)}`).join("\n")),
  });
  const known = [question, description].flatMap(addressesIn);
  const findFault = ({ todoId }: ExecutorProps) =>
    todoId === "" || idKey(todoId) === idKey(id) ? null : `\`todoId\` is ${short(todoId, MAX_ID_LENGTH)}, and the todo to judge is ${id}.`;
  return toAssessment(await askRole(EXECUTOR, { view, models, userMessage, known, findFault }, deps, effects));
};

function toAssessment({ summary, nextQuery, ...flags }: ExecutorProps): port.Assessment {
  const flow = resolveNextAction(flags);
  const [query = null] = readQueries({ queries: nextQuery });
  return { ...flow, summary: short(summary, MAX_SUMMARY_LENGTH), nextQuery: flow.shouldContinue ? query : null };
}

const planByModel: ByResearchModel<port.PlanningView, port.Planning> = async (view, models, deps, effects) => {
  const { question, sources, tools, todos, earlier = [], feedback, rejection, asked, mayAsk = true } = view;
  const userMessage = await deps.prompts("messages/planner-state", {
    question,
    sources: sources.join(", ") || "none",
    tools: formatTools(tools),
    todos: formatTodos([...todos.map((todo) => ({ todo })), ...earlier]),
    // A judge has read pages and may repeat their instructions, so its feedback is fenced.
    feedback: feedback === null ? "nothing" : fence("feedback", feedback),
    rejection: rejection ?? "they did accept it, or were not asked",
    asked: formatAsked(asked, mayAsk),
  });
  const known = [question, rejection ?? "", ...asked.map(({ answer }) => answer)].flatMap(addressesIn);
  return toPlanning(await askRole(PLANNER, { view, models, userMessage, known }, deps, effects), view);
};

function formatAsked(asked: port.PlanningView["asked"], mayAsk: boolean): string {
  const answered = asked.map(({ question, answer }) => `- ${question}\n  Answer: ${answer}`);
  const lines = mayAsk ? answered : [...answered, "The user cannot be asked (again). `question` is null."];
  return lines.join("\n") || "nothing";
}

function toPlanning({ todos, needsMorePlanning, question }: PlannerProps, view: port.PlanningView): port.Planning {
  const plan = normalizePlan(
    todos,
    [...view.todos, ...(view.earlier ?? []).map(({ todo }) => todo)].map(({ id }) => id),
  );
  return { todos: plan, needsMorePlanning, question: question?.trim() || null };
}

const verifyByModel =
  (role: JudgingRole): ByResearchModel<port.VerificationView, port.Verdict> =>
  async (view, models, deps, effects) => {
    const userMessage = await deps.prompts("messages/verifier-state", { question: view.question, todos: formatTodos(view.executed) });
    const known = addressesIn(view.question);
    const findFault = (props: VerifierProps) => unknownIdsFault(props, view);
    return toVerdict(await askRole(role, { view, models, userMessage, known, findFault }, deps, effects), view);
  };

/** Returns a fault for the model if it named only unknown tasks; otherwise null. */
function unknownIdsFault({ tasks }: VerifierProps, { executed }: port.VerificationView): string | null {
  const ids = executed.map(({ todo }) => todo.id);
  const known = new Set(ids.map(idKey));
  if (tasks.length === 0 || ids.length === 0 || tasks.some(({ id }) => known.has(idKey(id)))) return null;
  return `In \`tasks\`, none of these ids is that of a task; the tasks are ${ids.join(", ")}.`;
}

/** A todo that the judge leaves out is not judged. */
function toVerdict({ allCompleted, overallFeedback, tasks }: VerifierProps, { executed }: port.VerificationView): port.Verdict {
  const flags = new Map(tasks.map((task) => [idKey(task.id), task]));
  const judged = executed.flatMap(({ todo: { id } }) => {
    const task = flags.get(idKey(id));
    return task === undefined ? [] : [{ id, completed: task.completed, feedback: task.feedback }];
  });
  const isDone = ({ todo: { id, status } }: port.Executed): boolean => flags.get(idKey(id))?.completed ?? status !== "failed";
  return { allCompleted: allCompleted && executed.every(isDone), overallFeedback, tasks: judged };
}

/** Writes the sentences of findings with their quotes for a judge. */
function formatFindings({ claims, citations, reason }: port.Findings): string {
  const quotes = new Map(citations.map(({ id, quote }) => [id, quote]));
  const lines = claims.slice(0, MAX_CLAIMS).map(({ text, citations: ids }) => {
    const quoted = ids.flatMap((id) => quotes.get(id) ?? []).filter((quote) => quote !== text);
    const mark = ids.length === 0 ? "(no source) " : "";
    return `- ${mark}${short(text, MAX_CLAIM_LENGTH)}${quoted.map((quote) => ` [“${short(quote, MAX_CLAIM_LENGTH)}”]`).join("")}`;
  });
  if (claims.length > MAX_CLAIMS) lines.push(`- and ${claims.length - MAX_CLAIMS} more`);
  return lines.join("\n") || `nothing${reason === null ? "" : `: ${short(reason, MAX_NOTE_LENGTH)}`}`;
}

/** Writes todos, fenced, with what they found: a judge has read pages and may repeat their instructions. */
function formatTodos(todos: readonly (Pick<port.Executed, "todo"> & Partial<port.Executed>)[]): string {
  const lines = todos.map(({ todo, findings }) => {
    const found = findings === undefined ? [] : [formatFindings(findings)];
    return `Task ${todo.id}:\n${fence(todo.id, [todo.description, ...factsOf(todo), ...found].join("\n"))}`;
  });
  return lines.join("\n\n") || "none";
}

function factsOf({ doneCriteria, keyFacts, status, planRound, result, feedback }: Todo): string[] {
  const facts = { "Done when": doneCriteria, Expected: keyFacts.join("; "), "Planned in round": String(planRound), Status: status };
  const said = { Result: short(result ?? "", MAX_NOTE_LENGTH), "Said of it": short(feedback ?? "", MAX_NOTE_LENGTH) };
  return Object.entries({ ...facts, ...said }).flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${value}`]));
}

function formatTools(tools: readonly ToolDescription[]): string {
  const lines = tools.slice(0, MAX_TOOLS).map(({ name, description, kind }) => {
    const line = fence(name, short(description, MAX_TOOL_LENGTH));
    return kind === "mutation" ? `${line}\n(${name} changes something: only for a task in which the user wants that change.)` : line;
  });
  if (tools.length > MAX_TOOLS) lines.push(`and ${tools.length - MAX_TOOLS} more`);
  return lines.join("\n") || "none";
}

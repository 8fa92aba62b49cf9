import { resolveNextAction } from "../domain/components.ts";
import { normalizePlan } from "../domain/normalize-plan.ts";
import type * as port from "../domain/ports/analyst.ts";
import { readQueries } from "../domain/queries.ts";
import { DossierError } from "../errors.ts";
import { addressesIn } from "../evidence/address-detection.ts";
import { fence } from "../evidence/data-fence.ts";
import { fieldsOf } from "../util/json-fields.ts";
import { short } from "../writing/prompt-text.ts";
import { type ByModel, type ModelDeps, modelOrRules } from "../writing/rules-fallback.ts";
import { summarizeByModel } from "../writing/write-report.ts";
import { SUMMARY } from "../writing/written-text.ts";
import { formatExecuted, formatFindings, formatTodos, formatTools } from "./prompt-text.ts";
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
    plan: modelOrRules(PLANNER, planByModel, rules.plan, deps),
    assess: modelOrRules(EXECUTOR, assessByModel, rules.assess, deps),
    async verify(view, effects) {
      const role = view.models === null ? VERIFIER : judgeNamed(view.role, judges);
      return modelOrRules(role, verifyByModel(role), rules.verify, deps)(view, effects);
    },
    summarize: modelOrRules(SUMMARY, summarizeByModel, rules.summarize, deps),
  };
}

function judgeNamed(name: string, judges: ReadonlyMap<string, JudgingRole>): JudgingRole {
  const role = judges.get(name);
  if (role === undefined)
    throw new DossierError("internal", `No judging role is named ${name}. The roles are: ${[...judges.keys()].join(", ")}.`);
  return role;
}

type ByResearchModel<View, Result> = ByModel<View, Result, ModelResearchDeps>;

/** Said of a todo before its first round. */
const UNSEARCHED = "0, in which nothing was searched: the sentences are earlier answers of this conversation";
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
    findings: formatFindings(id, findings),
    named: named.length === 0 ? "none" : fence("named", named.map((title) => `- ${short(title, MAX_TITLE)}`).join("\n")),
  });
  const known = [question, description].flatMap(addressesIn);
  const findFault = ({ todoId }: ExecutorProps) =>
    todoId === "" || idKey(todoId) === idKey(id) ? null : `\`todoId\` is ${short(todoId, MAX_ID_LENGTH)}, and the todo to judge is ${id}.`;
  return toAssessment(await askRole(EXECUTOR, { view, models, userMessage, known, findFault }, deps, effects));
};

function toAssessment({ summary, nextQuery, ...flags }: ExecutorProps): port.Assessment {
  const flow = resolveNextAction(flags);
  const [query = null] = readQueries(Object.hasOwn(fieldsOf(nextQuery), "queries") ? nextQuery : { queries: nextQuery });
  return { ...flow, summary: short(summary, MAX_SUMMARY_LENGTH), nextQuery: flow.shouldContinue ? query : null };
}

const planByModel: ByResearchModel<port.PlanningView, port.Planning> = async (view, models, deps, effects) => {
  const { question, sources, tools, todos, earlier = [], feedback, rejection, asked, mayAsk = true } = view;
  const userMessage = await deps.prompts("messages/planner-state", {
    question,
    sources: sources.join(", ") || "none",
    tools: formatTools(tools),
    todos: earlier.length === 0 ? formatTodos(todos) : `${formatTodos(todos)}\n\n${formatExecuted(earlier)}`,
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
    const userMessage = await deps.prompts("messages/verifier-state", { question: view.question, todos: formatExecuted(view.executed) });
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

import { z } from "zod";

export const SYSTEM_CONTEXT = "systemContext";

export interface Role {
  readonly does: string;
  /** The placeholders of `prompts/<role>.md`. A template without the last one would ignore that field of the request. */
  readonly placeholders: readonly [...string[], typeof SYSTEM_CONTEXT];
  readonly messages: Readonly<Record<string, readonly string[]>>;
}
export type Roles = Readonly<Record<string, Role>>;

/** A new role needs templates and new recordings. Its name becomes a key of `models` and OPENAI_MODELS. */
export const ROLES = {
  decision: {
    does: "decides in the executor what to call and search for",
    placeholders: ["language", "today", SYSTEM_CONTEXT],
    messages: {
      "decision-state": ["question", "sources", "calls", "counts", "best"],
      "decision-rewrite": ["question", "sources", "queries", "best"],
    },
  },
  writer: {
    does: "writes the report of the executor from passages",
    placeholders: ["language", "today", SYSTEM_CONTEXT],
    messages: { "writer-passages": ["passages", "question"], "writer-correction": ["faults"] },
  },
  agent: {
    does: "answers with tools, in a loop",
    placeholders: ["language", "today", SYSTEM_CONTEXT],
    messages: { "agent-answer": ["language"] },
  },
  planner: {
    does: "plans the tasks of the graph research, and again what failed",
    placeholders: ["language", "today", "form", SYSTEM_CONTEXT],
    messages: {
      "planner-state": ["question", "sources", "tools", "todos", "feedback", "rejection", "asked"],
      "component-correction": ["faults"],
    },
  },
  // Not the graph `executor`: this role assesses a todo of the graph `research`.
  executor: {
    does: "says of a task of the graph research whether it is done, and what comes next",
    placeholders: ["language", "today", "form", SYSTEM_CONTEXT],
    messages: {
      "executor-state": ["question", "id", "description", "doneCriteria", "keyFacts", "findings", "named", "round", "roundsLeft"],
    },
  },
  verifier: {
    does: "judges what the tasks of the graph research have found, each and as a whole",
    placeholders: ["language", "today", "form", SYSTEM_CONTEXT],
    messages: { "verifier-state": ["question", "todos"] },
  },
  summary: {
    does: "writes the report of the graph research over all its tasks",
    placeholders: ["language", "today", "form", SYSTEM_CONTEXT],
    messages: { "summary-passages": ["passages", "question", "todos"] },
  },
  reader: {
    does: "takes notes from documents for a task of the graph research",
    placeholders: ["language", "today", SYSTEM_CONTEXT],
    messages: { "reader-passages": ["passages", "links", "question"] },
  },
  outline: {
    does: "writes the beginning of a long report of the graph research and plans its sections",
    placeholders: ["language", "today", "sections", SYSTEM_CONTEXT],
    messages: { "outline-notes": ["notes", "todos", "question"] },
  },
  section: {
    does: "writes one section of a long report of the graph research from notes",
    placeholders: ["language", "today", SYSTEM_CONTEXT],
    messages: { "section-notes": ["notes", "question", "outline", "heading"] },
  },
  support: {
    does: "checks the wording of paraphrased sentences, with SUPPORT_CHECK=model",
    placeholders: ["today", SYSTEM_CONTEXT],
    messages: { "support-sentences": ["sentences"] },
  },
  child: {
    does: "tells an agent of a team its part, as a context of the agent's own template",
    placeholders: ["today", "prompt", SYSTEM_CONTEXT],
    messages: { "child-task": ["question", "results"] },
  },
  supervisor: {
    does: "writes the answer of a team from the results of its agents",
    placeholders: ["language", "today", SYSTEM_CONTEXT],
    messages: { "supervisor-task": ["question", "results"] },
  },
} as const satisfies Roles;

export const ModelRoleSchema = z.enum(Object.keys(ROLES) as (keyof typeof ROLES)[]);
export type ModelRole = z.infer<typeof ModelRoleSchema>;

export interface PromptPlace {
  readonly name: string;
  readonly role: string;
  readonly placeholders: readonly string[];
}

export function promptPlaces(roles: Roles): PromptPlace[] {
  return Object.entries(roles).flatMap(([role, { placeholders, messages }]) => [
    { name: role, role, placeholders },
    ...Object.entries(messages).map(([name, places]) => ({ name: `messages/${name}`, role, placeholders: places })),
  ]);
}

import type { Parts } from "../../../src/compose/parts.ts";
import type { RunEvent } from "../../../src/domain/events.ts";
import { type ResearchRequest, ResearchRequestSchema } from "../../../src/domain/request.ts";
import type { Run } from "../../../src/domain/run.ts";
import type { Child } from "../../../src/domain/team.ts";
import type { Behavior } from "../../fakes/model-server/behavior.ts";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf, type SeenRequest } from "../../fakes/model-server/seen-request.ts";
import { startModelServer } from "../../fakes/model-server.ts";
import { openDossier, type TestDossier } from "../../helpers/open-dossier.ts";

/** Returns a child's behavior for its request and the number of call results in it. */
export type Does = (request: SeenRequest, results: number) => Behavior | Promise<Behavior>;

/** Recognizes who sends a request by the marks in the prompts. */
export const SUPERVISOR = "supervisor";

export interface TeamRun {
  readonly dossier: TestDossier;
  readonly run: Run;
  readonly events: readonly RunEvent[];
  readonly children: readonly Child[];
  child(id: string): Child;
  /** Returns the requests of a child, or of the supervisor, in order. */
  asked(id: string): SeenRequest[];
}

export interface TeamOptions {
  readonly parts?: Parts;
  readonly environment?: Readonly<Record<string, string>>;
  readonly dir?: string;
}

/** A model server that follows a script for each child id; prompts are `#id` and whatever follows. */
export async function startTeam(does: Readonly<Record<string, Does>>, { parts = {}, environment = {}, dir }: TeamOptions = {}) {
  const server = await startModelServer((request) => {
    const results = request.body.messages.filter(({ role }) => role === "tool").length;
    return does[speaker(request)]?.(request, results);
  });
  const dossier = await openDossier({
    parts: { tools: [], ...parts },
    environment: { OPENAI_BASE_URL: server.url, OPENAI_MODEL: "scripted", SOURCES: "corpus", ...environment },
    ...(dir === undefined ? {} : { dir }),
  });
  const look = async (id: string): Promise<TeamRun> => {
    const run = await dossier.finish(id);
    const children = run.children ?? [];
    return {
      dossier,
      run,
      events: await dossier.events(id),
      children,
      child: (id) => children.find((one) => one.id === id) as Child,
      asked: (id) => server.requests.filter((request) => speaker(request) === id),
    };
  };
  return {
    server,
    dossier,
    look,
    async ask(question: string, team: unknown, more: Partial<ResearchRequest> = {}): Promise<TeamRun> {
      const request = ResearchRequestSchema.parse({ question, graph: "team", team, ...more });
      const { id } = await dossier.start(request);
      return look(id);
    },
  };
}

/** Returns the last `#id` of the system message; the supervisor has none. */
export function speaker(request: SeenRequest): string {
  return (
    [
      ...contentsOf(request, "system")
        .join("\n")
        .matchAll(/#([\p{L}\p{N}_-]+)/gu),
    ].at(-1)?.[1] ?? SUPERVISOR
  );
}

/** An observer that is shown the status of each child whenever one changes. */
export const onChildren =
  (see: (status: Readonly<Record<string, string>>) => void): NonNullable<Parts["onEvent"]> =>
  (_, event) => {
    if (event.type !== "component" || event.component !== "child-list") return;
    const { children } = event.props as unknown as { children: readonly Child[] };
    see(Object.fromEntries(children.map(({ id, status }) => [id, status])));
  };

/** A child whose prompt has its id. */
export const child = (id: string, more: Record<string, unknown> = {}) => ({ id, prompt: `#${id}`, ...more });

/** Makes a call, then answers. */
export const calculates =
  (expression: string, answer: string): Does =>
  (_, results) =>
    results === 0 ? say.toolCalls([{ name: "calculator", arguments: { expression } }]) : say.text(answer);

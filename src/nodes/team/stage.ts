import { Budget } from "../../domain/budget.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import { type Child, pendingChildren, teamSteps } from "../../domain/team.ts";
import { DossierError } from "../../errors.ts";
import { type TeamStateValue, type TeamUpdate, teamOf } from "./state.ts";

/** The children of one execution of a team, as they are between the steps of the graph. Emits every change. */
export class Roster {
  readonly #stop = new AbortController();
  readonly #children: Map<string, Child>;
  readonly #running = new Map<string, PromiseWithResolvers<void>>();
  #culprit: string | null = null;

  constructor(children: readonly Child[]) {
    this.#children = new Map(children.map((child) => [child.id, child]));
  }

  /** Aborted when a critical child has failed. The reason is the error of the others. */
  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  get children(): Child[] {
    return [...this.#children.values()];
  }

  begin(id: string, effects: Effects): void {
    this.#running.set(id, Promise.withResolvers());
    if (this.#children.get(id)?.status !== "running") this.change([{ id, status: "running" }], effects);
  }

  change(changes: readonly (Pick<Child, "id"> & Partial<Child>)[], effects: Effects): void {
    for (const change of changes) {
      const known = this.#children.get(change.id);
      if (known !== undefined) this.#children.set(change.id, { ...known, ...change });
    }
    effects.emit({ type: "component", component: "child-list", props: { children: this.children }, partial: false });
  }

  finish(id: string): void {
    this.#running.get(id)?.resolve();
  }

  /** Stops the others and waits for them. False if another child has stopped them already. */
  async fail({ id, error }: Child): Promise<boolean> {
    if (this.#culprit !== null) return false;
    this.#culprit = id;
    this.finish(id);
    this.#stop.abort(new DossierError("cancelled", `It was stopped, because the critical child ${id} failed: ${error?.message ?? ""}`));
    await Promise.all([...this.#running.values()].map(({ promise }) => promise));
    return true;
  }
}

/** The roster of each execution, keyed by the run's signal. */
export class Rosters {
  readonly #known = new WeakMap<AbortSignal, Roster>();

  get({ signal }: Effects): Roster | undefined {
    return this.#known.get(signal);
  }

  open({ signal }: Effects, children: readonly Child[]): Roster {
    const roster = this.#known.get(signal) ?? new Roster(children);
    this.#known.set(signal, roster);
    return roster;
  }
}

export function createStageNode({ rosters }: { readonly rosters: Rosters }): GraphNode<TeamStateValue, TeamUpdate> {
  return async (state, effects: Effects) => {
    const { task, turn, downloads } = state;
    const team = teamOf(task);
    const turns = teamSteps(team);
    const children = state.children.length > 0 ? state.children : pendingChildren(team);
    const started = { startedAt: state.startedAt || effects.now(), turn: turn + 1 };
    const current = [...(turns[turn]?.children ?? [])];
    if (current.length === 0) return { ...started, current };
    rosters.open(effects, children).change(
      current.map((id) => ({ id, status: "running" })),
      effects,
    );
    const left = turns.slice(turn).flatMap((one) => one.children).length;
    // A share has at least one call as long as there is one.
    const share = Budget.ofChildren(task.limits, effects.spent(), downloads).share(left, 1);
    return { ...started, children, current, share: { ...task.limits, ...share } };
  };
}

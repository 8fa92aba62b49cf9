import type { Effects } from "../../domain/ports/effects.ts";
import type { Child } from "../../domain/team.ts";
import { DossierError } from "../../errors.ts";

/** The children of one execution of a team. Every change is emitted at once. */
export class Roster {
  readonly #stop = new AbortController();
  readonly #children: Map<string, Child>;
  readonly #running = new Map<string, PromiseWithResolvers<void>>();
  #failedChildId: string | null = null;

  constructor(children: readonly Child[]) {
    this.#children = new Map(children.map((child) => [child.id, child]));
  }

  /** Aborted when a critical child has failed, to stop the other children. */
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

  /** Stops the other children and waits for their end. Returns false if another critical child failed first. */
  async fail({ id, error }: Child): Promise<boolean> {
    if (this.#failedChildId !== null) return false;
    this.#failedChildId = id;
    this.finish(id);
    this.#stop.abort(
      new DossierError("cancelled", `This child was stopped, because the critical child ${id} failed: ${error?.message ?? ""}`),
    );
    await Promise.all([...this.#running.values()].map(({ promise }) => promise));
    return true;
  }
}

/** Each execution of a run has its own signal, which identifies its roster. */
export class RosterRegistry {
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

import { describe, expect, it } from "vitest";
import { type Child, pendingChildren } from "../../src/domain/team.ts";
import { claim, DATABASES, newRun, openStoreIn } from "./open-store.ts";

const CHILDREN = pendingChildren({
  pattern: "sequential",
  children: [
    { id: "甲", prompt: "找。", critical: true, maxIterations: 10 },
    { id: "b", prompt: "Find.", critical: false, maxIterations: 10 },
  ],
});

const said = (nth: number, component: string, props: unknown, partial = false) => ({
  origin: `0.0/x@${nth}`,
  at: 1,
  path: "",
  body: JSON.stringify({ type: "component", component, props, partial }),
});

describe.each(DATABASES)("storage in %s", (database) => {
  it("shows the latest children of a run in its log: no partial list, no other component, nothing unreadable", async () => {
    const { runs } = await openStoreIn(database);
    await runs.create(newRun("a"));
    await runs.create(newRun("other"));
    const [owner] = await claim({ runs });
    if (owner === undefined) throw new Error("nothing to claim");
    const first = CHILDREN.map((child): Child => ({ ...child, status: "running" }));
    const log = async (events: readonly ReturnType<typeof said>[]) =>
      runs.append(owner, { take: () => ({ records: [], events }), putBack: () => undefined });
    expect(await runs.get("t", "a")).toMatchObject({ children: null, todos: null });
    await log([said(0, "child-list", { children: CHILDREN }), said(1, "child-list", { children: first }), said(2, "child-list", {}, true)]);
    await log([said(3, "todo-list", { todos: [] })]);
    expect((await runs.get("t", "a"))?.children?.map(({ id, status, stage, path }) => [id, status, stage, path])).toEqual([
      ["甲", "running", 1, "child:甲"],
      ["b", "running", 2, "child:b"],
    ]);
    expect(await runs.childrenOf("a")).toEqual(first);
    expect([await runs.childrenOf("other"), (await runs.get("t", "other"))?.children]).toEqual([[], null]);
    await log([said(4, "child-list", { children: [{ id: "甲" }] })]);
    expect((await runs.get("t", "a"))?.children).toBeNull();
  });
});

import { type RefObject, useEffect } from "react";
import type { Report } from "../../../../src/domain/report.ts";

const MARKS = ":is(.read-cite, .read-sign)";

type Way = "next" | "before" | "first" | "last";
const WAYS: Readonly<Record<string, Way>> = { ArrowRight: "next", ArrowLeft: "before", Home: "first", End: "last" };

/**
 * Makes the marks of each block of a report's text, such as a paragraph or a table, one stop of the Tab key, as hundreds of stops would lie before what stands below the text.
 * The arrow keys go from mark to mark, also over the ends of blocks; Home and End to the first and last mark of a block.
 */
export function useMarkKeys(text: RefObject<HTMLElement | null>, report: Report): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another report has other marks
  useEffect(() => {
    const root = text.current;
    if (root === null) return;
    for (const block of root.children) makeStop(marksIn(block), marksIn(block)[0]);
    const onFocus = ({ target }: FocusEvent): void => {
      const block = blockOf(root, target);
      if (block !== undefined && target instanceof HTMLElement && target.matches(MARKS)) makeStop(marksIn(block), target);
    };
    const onKey = (event: KeyboardEvent): void => {
      const way = WAYS[event.key];
      const mark = event.target;
      if (way === undefined || !(mark instanceof HTMLElement) || !mark.matches(MARKS)) return;
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const next = markAt(root, mark, way);
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
    };
    root.addEventListener("focusin", onFocus);
    root.addEventListener("keydown", onKey);
    return () => {
      root.removeEventListener("focusin", onFocus);
      root.removeEventListener("keydown", onKey);
    };
  }, [text, report]);
}

function marksIn(element: Element): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>(MARKS)];
}

function makeStop(marks: readonly HTMLElement[], stop: HTMLElement | undefined): void {
  for (const mark of marks) mark.tabIndex = mark === stop ? 0 : -1;
}

function blockOf(root: Element, target: EventTarget | null): Element | undefined {
  return target instanceof Node ? [...root.children].find((block) => block.contains(target)) : undefined;
}

function markAt(root: Element, mark: HTMLElement, way: Way): HTMLElement | undefined {
  if (way === "first" || way === "last") {
    const own = marksIn(blockOf(root, mark) ?? root);
    return way === "first" ? own[0] : own.at(-1);
  }
  const all = marksIn(root);
  return all[all.indexOf(mark) + (way === "next" ? 1 : -1)];
}

import { useEffect, useRef, useState } from "react";

const TAKEN: readonly string[] = ["Files", "text/uri-list"];

const isTaken = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.some((type) => TAKEN.includes(type)) === true;

/** A file that is dropped where nothing takes it would replace the page in its tab. */
export function keepPageOnDrop(): void {
  for (const type of ["dragover", "drop"] as const) addEventListener(type, (event) => isTaken(event) && event.preventDefault());
}

/** Takes files and links that are dropped anywhere on the page while the view is shown. Returns whether some hover over it. */
export function useDrop(onDrop: (data: DataTransfer) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    const done = new AbortController();
    const { signal } = done;
    addEventListener("dragover", (event) => isTaken(event) && setOver(true), { signal });
    // Within the page it goes from one element to another.
    addEventListener("dragleave", ({ relatedTarget }) => relatedTarget === null && setOver(false), { signal });
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (event.dataTransfer !== null && isTaken(event)) latest.current(event.dataTransfer);
    };
    addEventListener("drop", drop, { signal });
    return () => done.abort();
  }, []);
  return isOver;
}

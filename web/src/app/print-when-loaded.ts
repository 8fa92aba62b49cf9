const MAX_WAIT_MS = 15_000;
const LOADING = "main .loading";

/** Lets the keys for printing wait until the view is there, since a browser prints what it has at the moment. */
export function printWhenLoaded(): void {
  let stopWaiting = (): void => {};
  addEventListener("keydown", (event) => {
    const isPrint = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "p";
    if (!isPrint || document.querySelector(LOADING) === null) return;
    event.preventDefault();
    stopWaiting();
    stopWaiting = whenGone(LOADING, () => print());
  });
}

/** Calls `then` once nothing matches, or when that takes too long. Returns how to stop waiting. */
function whenGone(selector: string, then: () => void): () => void {
  let isOver = false;
  const finish = (): void => {
    if (isOver) return;
    stop();
    then();
  };
  // A loaded view is painted before it is printed.
  const observer = new MutationObserver(() => document.querySelector(selector) === null && requestAnimationFrame(finish));
  const timer = setTimeout(finish, MAX_WAIT_MS);
  const stop = (): void => {
    isOver = true;
    clearTimeout(timer);
    observer.disconnect();
  };
  observer.observe(document.body, { childList: true, subtree: true });
  return stop;
}

const LOOK_MS = 2;

/** Measures how much processor time this thread spends without letting the event loop turn. Other processes cannot lengthen it. */
export function startBlockMeter(): { takeLongestMs(): number } {
  let longestMs = 0;
  let since = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(since);
    longestMs = Math.max(longestMs, (user + system) / 1_000);
    since = process.threadCpuUsage();
  };
  setInterval(look, LOOK_MS);
  return {
    /** Returns the longest block since the last call. */
    takeLongestMs() {
      look();
      const taken = longestMs;
      longestMs = 0;
      return taken;
    },
  };
}

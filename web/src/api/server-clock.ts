/** How far the clock of the server is ahead of the browser's, in milliseconds. */
let ahead = 0;
/** A header of HTTP gives whole seconds, and an answer is under way for a while. */
const TOLERANCE_MS = 2_000;

/** Learns the server's time from an answer. */
export function readServerTime(response: Response): void {
  const at = Date.parse(response.headers.get("date") ?? "");
  if (Number.isNaN(at)) return;
  const difference = at - Date.now();
  ahead = Math.abs(difference) > TOLERANCE_MS ? difference : 0;
}

/** The server's time in milliseconds since 1970: times of events are by its clock. */
export function serverNow(): number {
  return Date.now() + ahead;
}

/** Time limits that even a busy machine does not reach. */
export const LONG = { connectMs: 300_000, headersMs: 300_000, silenceMs: 300_000, totalMs: 300_000, paced: true };

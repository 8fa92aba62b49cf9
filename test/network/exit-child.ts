import { createNetwork } from "../../src/network/network.ts";
import { TIME_LIMITS } from "../../src/network/send-request.ts";
import { LONG } from "./long-limits.ts";

// Looks up names whose server is silent, gives up when it is told to, and has nothing more to do.
const [nameServer = "", close] = process.argv.slice(2);
// Without `close`, a lookup that nobody waits for any more ends by its time limit.
const limits = close === "close" ? LONG : TIME_LIMITS;
const network = createNetwork({ baseUrls: {}, allowedHosts: new Set(), userAgent: "test", limits, nameServers: [nameServer] });
const stop = new AbortController();
const { signal } = stop;
process.stdin.once("data", () => {
  process.stdin.destroy();
  stop.abort();
});
const asked = Array.from({ length: 8 }, (_, i) =>
  network.follow("web", { url: `http://silent-${i}.example/` }, { signal, scope: ["web"] }),
);
await Promise.allSettled(asked);
if (close === "close") await network.close();

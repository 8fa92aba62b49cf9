import { createNetwork } from "../../src/network/network.ts";

// Looks up names whose server is silent, gives up at once, and has nothing more to do.
const [nameServer = "", close] = process.argv.slice(2);
const network = createNetwork({ baseUrls: {}, allowedHosts: new Set(), userAgent: "test", nameServers: [nameServer] });
const signal = AbortSignal.timeout(300);
const asked = Array.from({ length: 8 }, (_, i) =>
  network.follow("web", { url: `http://silent-${i}.example/` }, { signal, scope: ["web"] }),
);
await Promise.allSettled(asked);
console.log("given up");
if (close === "close") await network.close();

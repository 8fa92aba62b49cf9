import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { type Hit, sourceIdOf } from "../../src/domain/hit.ts";
import type { SearchSource } from "../../src/domain/ports/sources.ts";
import type { LedgerEntry } from "../../src/domain/report.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import { openDossier, type TestDossier } from "../helpers/open-dossier.ts";
import { finding } from "../helpers/search-answer.ts";
import { ATTACKS, type Attack, REDIRECTORS } from "./attacks.ts";
import { type Canaries, knock, listenEverywhere, ownAddresses } from "./canaries.ts";
import { startProxy } from "./proxy-server.ts";
import { startRedirector } from "./redirector.ts";

const PER_RUN = 12;

it("has more than 150 attacks, without duplicates", () => {
  const distinct = new Set(ATTACKS.map(({ link, location, answers, status }) => JSON.stringify([link, location, answers, status])));
  expect(distinct.size).toBe(ATTACKS.length);
  expect(ATTACKS.length).toBeGreaterThanOrEqual(150);
});

it("has canaries that record a connection at every address of this machine", async () => {
  const { webPorts, oddPort, heard } = await listenEverywhere();
  const doors = ownAddresses().flatMap((address) => [...webPorts, oddPort].map((port) => [address, port] as const));
  for (const [address, port] of doors) expect(await knock(address, port), `${address} ${port}`).toBe(true);
  expect(heard.length).toBe(doors.length);
});

it.each([false, true])(
  "refuses every attack by a source, a redirect or a name server, and no canary gets a connection (proxy: %s)",
  async (isProxied) => {
    const canaries = await listenEverywhere();
    const redirector = await startRedirector((index) => {
      const { status = 0, location = "" } = ATTACKS[index] ?? {};
      return { status, location: Buffer.from(filled(location, index, canaries, redirector.port)).toString("latin1") };
    });
    const links = ATTACKS.map((attack, i) => linkOf(attack, i, canaries, redirector.port));
    const lookups: string[] = [];
    // It would lead all that it is asked for to a canary.
    const proxy = await startProxy({
      portOf: (host) => (REDIRECTORS.includes(host.split(":", 1)[0] ?? "") ? redirector.port : canaries.oddPort),
    });
    const dossier = await openDossier({
      parts: { sources: [attacker(links)], network: { resolve: liar(lookups) } },
      environment: {
        ALLOWED_PRIVATE_HOSTS: REDIRECTORS.map((host) => `${host}:${redirector.port}`).join(","),
        ...(isProxied && { HTTP_PROXY: proxy.host, NO_PROXY: "c.redirector.example,127.0.0.0/8,.example.org" }),
      },
    });
    const wrong: string[] = [];
    for (let first = 0; first < links.length; first += PER_RUN) {
      const downloads = await downloadsOf(dossier, `What is in batch ${first / PER_RUN}?`);
      for (const [i, link] of links.slice(first, first + PER_RUN).entries()) {
        const entry = downloads.find(({ target }) => target === link);
        if (entry?.failure !== "forbidden_address") wrong.push(`${ATTACKS[first + i]?.name}: ${entry?.failure} ${entry?.detail}`);
        if (entry?.detail?.includes("secret@")) wrong.push(`${ATTACKS[first + i]?.name}: repeats credentials`);
      }
    }
    expect(wrong).toEqual([]);
    expect(canaries.heard).toEqual([]);
    const redirected = ATTACKS.flatMap(({ location }, i) => (location === undefined ? [] : [i]));
    expect(redirector.asked.toSorted((a, b) => a - b)).toEqual(redirected);
    expect(proxy.asked.length > 0).toBe(isProxied);
  },
);

it("refuses the results of the operator's own service", async () => {
  const canaries = await listenEverywhere();
  const urls = ["127.0.0.1", "2130706433", "[::1]", "[::ffff:7f00:1]", "localhost", "0x7f.1"].map(
    (host, i) => `http://${host}:${canaries.webPorts[0] ?? 80}/${i}`,
  );
  const searxng = await startLoopback((request, response) => {
    const first = !request.url?.includes("pageno");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ results: first ? urls.map((url) => ({ title: url, url, content: words(url) })) : [] }));
  });
  const dossier = await openDossier({ environment: { SOURCES: "searxng", SEARXNG_BASE_URL: searxng.url } });
  const downloads = await downloadsOf(dossier, "What is behind the results?");
  expect(downloads.map(({ target, failure }) => [target, failure]).toSorted()).toEqual(
    urls.map((url) => [url, "forbidden_address"]).toSorted(),
  );
  expect(searxng.requests.length).toBeGreaterThan(0);
  expect(canaries.heard).toEqual([]);
  await searxng.close();
});

it("refuses and records addresses that are not public, uses no snippet of theirs, and still reads the corpus", async () => {
  const long = `https://public.example/${"a".repeat(9_000)}`;
  const urls = ["gopher://public.example/1", "ftp://public.example/a", "file:///etc/passwd", "data:text/plain,x", "corpus:lighthouse.md"];
  const links = [...urls, "javascript:alert(1)", "JaVa\tscript:alert(2)", "http://[::1", "http://user:secret@public.example/", long];
  const searxng = await startLoopback((request, response) => {
    const first = !request.url?.includes("pageno");
    const results = links.map((url) => ({
      title: words(`title ${url}`),
      url,
      content: `The lighthouse of Aldermoor was built in 1900. ${words(url)}`,
    }));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ results: first ? results : [] }));
  });
  onTestFinished(() => searxng.close());
  const dossier = await openDossier({ environment: { SOURCES: "searxng,corpus", SEARXNG_BASE_URL: searxng.url } });
  const run = await dossier.finish((await dossier.start({ question: "When was the lighthouse of Aldermoor built?" })).id);
  const downloads = (run.report?.ledger ?? []).filter(({ what }) => what === "download");
  const ofWeb = downloads.filter(({ source }) => source === "searxng");
  expect(ofWeb.map(({ target, failure }) => [target?.slice(0, 60), failure]).toSorted()).toEqual(
    links
      .map((url) => [
        url
          .replace("JaVa\tscript", "javascript")
          .replace(/^(javascript|data):/, "$1%3A")
          .slice(0, 60),
        "forbidden_address",
      ])
      .toSorted(),
  );
  const addresses = (run.report?.sources ?? []).map(({ url }) => url);
  expect(addresses.filter((url) => /^(?:javascript|data):/i.test(url))).toEqual([]);
  expect(Math.max(...ofWeb.map(({ target }) => target?.length ?? 0))).toBe(8_001);
  expect(ofWeb.map(({ detail }) => detail).join()).not.toContain("user:secret");
  expect(downloads.filter(({ source }) => source === "corpus").map(({ outcome }) => outcome)).toContain("found");
  const statuses = (run.report?.sources ?? []).filter(({ foundBy }) => foundBy === "searxng").map(({ status }) => status);
  expect(statuses.filter((status) => status !== "failed")).toEqual([]);
  expect(run.report?.markdown).toContain("1874");
  expect(run.report?.markdown).not.toContain("1900");
});

async function downloadsOf(dossier: TestDossier, question: string): Promise<LedgerEntry[]> {
  const run = await dossier.finish((await dossier.start({ question })).id);
  return run.report?.ledger.filter(({ what }) => what === "download") ?? [];
}

/** The worst possible adapter: a source that returns its input unchanged. */
function attacker(links: readonly string[]): SearchSource {
  return {
    id: "attacker",
    kind: "web",
    title: "Attacker",
    search: finding(({ text }) => {
      const first = Number(/\d+/.exec(text)?.[0]) * PER_RUN;
      return links.slice(first, first + PER_RUN).map((url): Hit => {
        const about = { title: words(`title of ${url}`), snippet: words(url) };
        return { id: sourceIdOf(url), kind: "web", url, publishedAt: null, foundBy: "attacker", contentHash: null, ...about };
      });
    }),
  };
}

/** Words that no other attack has, so that no attack is treated as a copy of another. */
function words(text: string): string {
  const digits = createHash("sha256").update(text).digest("hex");
  return (digits.match(/.{8}/g) ?? []).map((word) => `w${word}`).join(" ");
}

/** Gives the links different paths, because the spellings of one address would count as one. */
function linkOf({ link }: Attack, index: number, canaries: Canaries, port: number): string {
  const unique = link.endsWith("/") ? `${link}${index}` : link;
  return filled(unique, index, canaries, port);
}

function filled(text: string, index: number, { webPorts, oddPort }: Canaries, redirector: number): string {
  const port = webPorts[index % Math.max(1, webPorts.length)] ?? 80;
  return text.replaceAll("{p}", `:${port}`).replaceAll("{r}", `:${redirector}`).replaceAll("{odd}", String(oddPort));
}

/** A name server with the answers of the attacks, one after another. */
function liar(lookups: string[]) {
  const answers = new Map(
    ATTACKS.flatMap(({ link, location, answers }) => {
      const named = (location ?? link).replaceAll(/\{[a-z]+\}/g, ":80");
      return answers === undefined ? [] : [[new URL(named).hostname, answers] as const];
    }),
  );
  return async (hostname: string) => {
    const asked = lookups.filter((name) => name === hostname).length;
    lookups.push(hostname);
    const script = answers.get(hostname) ?? [["127.0.0.1"]];
    const said = script[Math.min(asked, script.length - 1)] ?? [];
    return said.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  };
}

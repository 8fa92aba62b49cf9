import { writeFileSync } from "node:fs";
import { serveTasks } from "../../../src/documents/isolation/child-process.ts";
import { DossierError } from "../../../src/errors.ts";

const kept: Buffer[] = [];

const DEEDS: Readonly<Record<string, (url: string) => unknown>> = {
  "say who it is": () => ({
    text: `process ${process.pid}`,
    title: "x",
    url: "x",
    language: null,
    publishedAt: null,
    author: null,
    blocks: [],
  }),
  "loop for ever": () => {
    for (;;);
  },
  "fill the memory beside the heap": () => {
    for (;;) kept.push(Buffer.alloc(1_000_000, 1));
  },
  "fill the heap": () => {
    const all: unknown[] = [];
    for (;;) all.push({ all: [all.length] });
  },
  "call itself": function again(): unknown {
    return [again()];
  },
  exit: () => process.exit(3),
  crash: () => process.kill(process.pid, "SIGSEGV"),
  "answer nonsense": () => ({ text: 7 }),
  "throw our error": () => {
    throw new DossierError("empty", "Nothing there.");
  },
  "write a file": (url) => writeFileSync(url, "x"),
  "ask, and say who it is": async (url) => {
    await fetch(url);
    return DEEDS["say who it is"]?.("");
  },
  "ask, and loop for ever": async (url) => {
    await fetch(url);
    for (;;);
  },
  "never answer": () => new Promise(() => {}),
};

serveTasks(async (task) => {
  const { mediaType, url } = task as { mediaType: string; url: string };
  return DEEDS[mediaType]?.(url);
});

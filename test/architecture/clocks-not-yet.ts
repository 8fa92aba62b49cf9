/** Files that still read a clock or pause. The list only gets shorter. */
export const NOT_YET: readonly string[] = [
  "test/compose/worker-functions.ts",
  "test/documents/isolation/isolated-extractor.test.ts",
  "test/fakes/fake-run-service.ts",
  "test/fakes/loopback-server.ts",
  "test/fakes/mcp/odd-server.ts",
  "test/fakes/model-server/play.ts",
  "test/graphs/team/waiting.test.ts",
  "test/nodes/shared/shared-searches.test.ts",
  "test/tools/mcp/floods.long.test.ts",
];

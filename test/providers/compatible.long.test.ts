import { describeGraphs } from "./ask-provider.ts";
import { COMPATIBLE } from "./servers.ts";

for (const under of COMPATIBLE) describeGraphs(under);

import { describeGraphs } from "./ask-provider.ts";
import { AGENT } from "./graph-scripts.ts";
import { COMPATIBLE } from "./servers.ts";

// The other graphs are tested in the long file.
for (const under of COMPATIBLE) describeGraphs(under, [AGENT]);

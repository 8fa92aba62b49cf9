import { describeGraphs } from "./ask-provider.ts";
import { ANTHROPIC } from "./servers.ts";

describeGraphs(ANTHROPIC);

import { describeGraphs } from "./ask-provider.ts";
import { GEMINI } from "./servers.ts";

describeGraphs(GEMINI);

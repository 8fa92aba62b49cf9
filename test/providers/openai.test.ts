import { describeGraphs } from "./ask-provider.ts";
import { OPENAI } from "./servers.ts";

describeGraphs(OPENAI);

import { describeGraphs } from "./ask-provider.ts";
import { OLLAMA } from "./servers.ts";

describeGraphs(OLLAMA);

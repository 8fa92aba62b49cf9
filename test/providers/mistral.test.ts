import { describeGraphs } from "./ask-provider.ts";
import { MISTRAL } from "./servers.ts";

describeGraphs(MISTRAL);

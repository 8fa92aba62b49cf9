import { COMPATIBLE } from "../fakes/providers/openai/flavours.ts";
import { openAi } from "../fakes/providers/openai/provider.ts";
import { refusals } from "../fakes/providers/refusals.ts";
import { describeGraphs } from "./ask-provider.ts";
import { AGENT, RESEARCH } from "./graph-scripts.ts";
import { compatible } from "./servers.ts";

// A server that knows no options of a stream sends no counts.
for (const row of refusals)
  describeGraphs(
    {
      ...compatible(COMPATIBLE),
      name: `a server that refuses ${row.name}`,
      provider: () => openAi({ flavour: COMPATIBLE, refused: [row] }),
      ...{ refuses: [/./], counts: false },
    },
    [AGENT, RESEARCH],
  );

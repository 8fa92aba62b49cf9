import { type Abilities, abilityRefusal, keyRefusal } from "../../model-server/abilities.ts";
import type { Behavior } from "../../model-server/behavior.ts";
import { completionOf } from "../../model-server/completion.ts";
import { type Frame, framesOf } from "../../model-server/frames.ts";
import { EVENT_STREAM, type Wire } from "../../model-server/play.ts";
import { invalid, type Refusal } from "../../model-server/refusal.ts";
import { historyFault } from "../../model-server/strict-history.ts";
import type { Body } from "../neutral.ts";
import { type Accepted, firstRefusal, type Provider, type ProviderRefusal } from "../provider.ts";
import type { RefusedRequest } from "../refusals/refused-request.ts";
import { objectIn, objectsIn } from "../values.ts";
import type { Flavour } from "./flavour.ts";
import { OPENAI, withStatus } from "./flavours.ts";
import { readChat } from "./read.ts";

export interface OpenAiOptions extends Abilities {
  /** OpenAI itself by default. */
  readonly flavour?: Flavour;
  /** Sends what the flavour refuses as an error in a stream of status 200. */
  readonly refusesInStream?: boolean;
  /** Forms of requests that it refuses besides (see refusals.ts). */
  readonly refused?: readonly Pick<RefusedRequest, "refuses" | "answer">[];
}

const DATA = /^data: (\{.*\})\n\n$/s;

/** OpenAI's chat completions, of OpenAI or of one of the servers that speak them. */
export function openAi({ flavour = OPENAI, refusesInStream = false, refused = [], ...abilities }: OpenAiOptions = {}): Provider {
  const inForm = (refusal: Refusal): ProviderRefusal => ({
    status: refusal.status,
    body: flavour.errorBody(refusal),
    message: refusal.error.message,
  });
  const inStream = (refusal: ProviderRefusal, stream: boolean): ProviderRefusal =>
    refusesInStream && stream ? { ...refusal, frames: [dataOf(refusal.body)] } : refusal;
  return {
    basePath: "/v1",
    asksModel: (path) => path === "/v1/chat/completions",
    read: ({ body }) => readChat(body),
    refuse: (status, message) => inForm(withStatus(invalid(message), status)),
    refusalOf({ body, headers }, neutral) {
      const general = firstRefusal<Refusal>([
        () => keyRefusal(abilities, headers.authorization),
        () => (flavour === OPENAI ? undefined : historyFault(objectsIn(body["messages"]))),
        () => abilityRefusal(abilities, body),
      ]);
      if (general) return inForm(general);
      const special = flavour.faultOf(body, neutral);
      if (special) return inStream(inForm(special), neutral.stream);
      return refused.find(({ refuses }) => refuses(body))?.answer(neutral.stream);
    },
    wire: (behavior, accepted) => wireOfChat(flavour, behavior, accepted),
    answer(route) {
      if (route !== "GET /v1/models") return undefined;
      const data = (abilities.models ?? ["scripted"]).map((id) => ({ id, object: "model", created: 1_700_000_000, owned_by: "scripted" }));
      return { object: "list", data };
    },
  };
}

function wireOfChat({ tell, decorate }: Flavour, behavior: Behavior, { neutral, serial }: Accepted): Wire {
  const asked = { body: neutral.body, serial };
  if (behavior.kind === "status") return { whole: wordsOf(behavior.body), frames: [], streamType: EVENT_STREAM };
  const isTold = behavior.kind === "text" || behavior.kind === "tool-calls";
  const said = isTold && tell ? tell(behavior) : behavior;
  if ((said.kind === "text" || said.kind === "tool-calls") && (said.asJson === true || !neutral.stream)) {
    const completion = completionOf(said, asked);
    return { whole: JSON.stringify(decorate ? decorate(completion) : completion), frames: [], streamType: EVENT_STREAM };
  }
  return { whole: undefined, frames: decorated(framesOf(said, asked), decorate), streamType: EVENT_STREAM };
}

function* decorated(frames: Iterable<Frame>, decorate: ((chunk: Body) => Body) | undefined): Iterable<Frame> {
  for (const frame of frames) {
    const json = decorate && typeof frame.data === "string" ? DATA.exec(frame.data)?.[1] : undefined;
    yield decorate && json !== undefined ? { ...frame, data: dataOf(decorate(objectIn(JSON.parse(json)))) } : frame;
  }
}

const dataOf = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

const wordsOf = (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body));

import { z } from "zod";
import { MAX_INSTRUCTIONS_LENGTH } from "./depth.ts";
import { type Limits, LimitsSchema } from "./limits.ts";
import { MAX_MODEL_NAME_LENGTH, MAX_QUESTION_LENGTH, MAX_TITLE_LENGTH, MAX_URLS } from "./request.ts";
import { MAX_PROMPT_LENGTH } from "./team.ts";
import { MAX_DOCUMENTS_AT_ONCE, MAX_UPLOAD_BYTES, MAX_UPLOADS_BYTES, UPLOAD_TYPES } from "./upload.ts";

const count = z.int().min(0);

const CharactersSchema = z.object({ question: count, instructions: count, agentPrompt: count, modelName: count, title: count });

const UploadTypeSchema = z.object({
  name: z.string().describe("Such as `PDF`."),
  endings: z.array(z.string()).describe("Endings of file names, without the dot, in lower case."),
  mediaTypes: z.array(z.string()).describe("They count where a name has no known ending."),
  maxBytes: count,
});

/** What the server takes at most, so that a client can say so before it sends anything. */
export const AcceptedSchema = z.object({
  characters: CharactersSchema.describe("The longest texts, in UTF-16 code units."),
  documents: z.object({
    count: count.describe("Of files in one request."),
    totalBytes: count.describe("Of a request with files."),
    types: z.array(UploadTypeSchema),
  }),
  urls: count.describe("Of addresses in one request."),
  ownFolder: z.boolean().describe("Whether the folder of the server (`CORPUS_DIR`) alone is searched where a request names no sources."),
  limits: LimitsSchema.describe("What a run may use at most; `limits` of a request can only lower it. `costUsd` is null without a cap."),
});
export type Accepted = z.infer<typeof AcceptedSchema>;

export function acceptedBy(limits: Limits, ownFolder: boolean): Accepted {
  return {
    characters: {
      question: MAX_QUESTION_LENGTH,
      instructions: MAX_INSTRUCTIONS_LENGTH,
      agentPrompt: MAX_PROMPT_LENGTH,
      modelName: MAX_MODEL_NAME_LENGTH,
      title: MAX_TITLE_LENGTH,
    },
    documents: {
      count: MAX_DOCUMENTS_AT_ONCE,
      totalBytes: MAX_UPLOADS_BYTES,
      types: UPLOAD_TYPES.map(({ maxBytes = MAX_UPLOAD_BYTES, ...type }) => ({ ...type, maxBytes })),
    },
    urls: MAX_URLS,
    ownFolder,
    limits,
  };
}

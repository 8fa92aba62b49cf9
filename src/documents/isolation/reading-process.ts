import { z } from "zod";
import { createExtractor } from "../extract.ts";
import { serveTasks } from "./child-process.ts";

const TaskSchema = z.object({
  bytes: z.instanceof(Uint8Array),
  mediaType: z.string(),
  url: z.string(),
  charset: z.string().default(""),
  whole: z.boolean().default(false),
});

const extractor = createExtractor();

serveTasks((task) => extractor.extract(TaskSchema.parse(task)));

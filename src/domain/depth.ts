import { z } from "zod";
import type { Limits } from "./limits.ts";

export const DepthSchema = z.enum(["quick", "standard", "deep"]);
export type Depth = z.infer<typeof DepthSchema>;

export const MAX_INSTRUCTIONS_LENGTH = 2_000;

export const ReportFormSchema = z.strictObject({
  style: z
    .enum(["answer", "report", "brief", "table"])
    .optional()
    .describe("`answer`: only the answer; `report`: with sections; `brief`: short points; `table`: mainly a table."),
  instructions: z
    .string()
    .trim()
    .min(1)
    .max(MAX_INSTRUCTIONS_LENGTH)
    .optional()
    .describe("How the report should be written, in free words."),
});
export type ReportForm = z.infer<typeof ReportFormSchema>;

type DepthLimits = Pick<Limits, "modelCalls" | "downloads" | "tokens" | "seconds">;

/** What a run of a depth may use, if the request does not say otherwise, and how long its report is, in words. */
export const DEPTHS: Readonly<Record<Depth, { readonly limits: DepthLimits; readonly words: number }>> = {
  quick: { limits: { modelCalls: 3, downloads: 6, tokens: 50_000, seconds: 300 }, words: 200 },
  standard: { limits: { modelCalls: 10, downloads: 12, tokens: 200_000, seconds: 600 }, words: 800 },
  deep: { limits: { modelCalls: 60, downloads: 60, tokens: 2_000_000, seconds: 3_600 }, words: 3_000 },
};

/** How many documents a run reads at most at its depth, with those that its thread has already read; infinite without a depth. */
export function documentsOfDepth({ depth }: { readonly depth?: Depth | undefined }): number {
  return depth === undefined ? Number.POSITIVE_INFINITY : DEPTHS[depth].limits.downloads;
}

/** How many pages a run may download for each document of its depth, if it reads the next page in place of one that is too old. */
export const DOWNLOADS_PER_PLACE = 2;

/**
 * Returns the limits of a depth as far as the server's caps allow. With `refills`, pages that turn out to be too old do not take the places of
 * documents, so twice as many may be downloaded.
 */
export function limitsOf(depth: Depth, caps: Limits, refills = false): DepthLimits {
  const { limits } = DEPTHS[depth];
  const wanted = { ...limits, downloads: limits.downloads * (refills ? DOWNLOADS_PER_PLACE : 1) };
  const allowed = (Object.keys(limits) as (keyof DepthLimits)[]).map((name) => [name, Math.min(wanted[name], caps[name])] as const);
  return { ...limits, ...Object.fromEntries(allowed) };
}

/** Returns the names of the limits that a setting of the server made lower than the depth and that the request does not name. */
export function loweredIn(depth: Depth, limits: Limits, requested: Partial<Limits> = {}): string[] {
  const names = Object.keys(DEPTHS[depth].limits) as (keyof DepthLimits)[];
  return names.filter((name) => requested[name] === undefined && limits[name] < DEPTHS[depth].limits[name]);
}

const STYLES: Readonly<Record<NonNullable<ReportForm["style"]>, string>> = {
  answer: "Write only the lead, without headings.",
  report: "Write a lead and sections with headings.",
  brief: "Write a lead of one or two sentences and then short points as a list, without headings.",
  table:
    "Write a lead of one or two sentences and then a table that compares what the question asks for. Add only what the table cannot say.",
};

interface Form {
  readonly depth?: Depth | undefined;
  readonly report?: ReportForm | undefined;
}

/** Whether a long report of this form has sections, which are written one by one. */
export function hasSections({ report }: Form): boolean {
  return report?.style === undefined || report.style === "report";
}

/** As `formLines`, for who writes the lead of a report (`sections` is 0), or one of its sections. */
export function partLines({ depth, report }: Form, sections: number): string {
  const words = depth === undefined ? 0 : DEPTHS[depth].words;
  const share = sections === 0 ? "" : ` This section has about ${Math.round(words / sections)}, or less if it needs less.`;
  const part = sections === 0 ? "its lead and plan its sections" : "one section of it";
  const lines = [
    ...(words === 0 ? [] : [`- The whole report shall have about ${words} words.${share}`]),
    ...(report?.instructions === undefined ? [] : [`- The user asks for this form of the whole report: ${report.instructions}`]),
  ];
  return lines.length === 0 ? "" : ["Form of the whole report", ...lines, `- You write ${part}.`].join("\n");
}

/** Returns lines for the prompt of who writes the report; `""` if the request says nothing of its form. */
export function formLines({ depth, report }: Form): string {
  const lines = [
    ...(depth === undefined ? [] : [`- About ${DEPTHS[depth].words} words, or less if the answer needs less.`]),
    ...(report?.style === undefined ? [] : [`- ${STYLES[report.style]}`]),
    ...(report?.instructions === undefined ? [] : [`- The user asks for this form: ${report.instructions}`]),
  ];
  return lines.length === 0 ? "" : ["Form of the report", ...lines].join("\n");
}

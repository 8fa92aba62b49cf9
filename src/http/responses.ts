import { z } from "zod";
import { PROBLEM_TYPE, ProblemSchema } from "./problems.ts";

const problem = (description: string) => ({ description, content: { [PROBLEM_TYPE]: { schema: ProblemSchema } } });

const PROBLEMS = {
  400: problem("The request is not valid."),
  404: problem("There is nothing here."),
  406: problem("No representation fits the Accept header."),
  409: problem("The run is not in a state for this."),
  413: problem("The body is too large."),
  415: problem("The body is not plain application/json in UTF-8."),
  422: problem("The request is well-formed but cannot be done."),
  503: problem("The server cannot do this now."),
} as const;

/** The problems a route may answer with beside those that every route may (`403`, `500`). */
export function problems<Status extends keyof typeof PROBLEMS>(...statuses: Status[]) {
  const own = Object.fromEntries(statuses.map((status) => [status, PROBLEMS[status]])) as Pick<typeof PROBLEMS, Status>;
  return { 403: problem("The Host or Origin is not served."), ...own, 500: problem("Something went wrong inside the server.") };
}

/** An answer in one media type that no serializer touches, as documentation has it. */
export function raw<Type extends string>(description: string, mediaType: Type, schema: z.ZodType = z.string()) {
  return { description, content: { [mediaType]: { schema } } };
}

/** An answer without a body. */
export const nothing = (description: string) => z.undefined().describe(description);

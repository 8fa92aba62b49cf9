import type { Body } from "../neutral.ts";
import { readChat } from "../openai/read.ts";
import { nodesOf, type SchemaNode } from "../schemas.ts";
import { objectIn, objectsIn, stringIn } from "../values.ts";

/** Whether a chat completion request has a form that a server may refuse. */
export type RequestForm = (body: Body) => boolean;

/** A field is there. */
export const hasField =
  (...fields: readonly string[]): RequestForm =>
  (body) =>
    fields.some((field) => body[field] !== undefined);

/** The schema of a tool or of the answer has one of these keywords. */
export const schemaHas =
  (...keywords: readonly string[]): RequestForm =>
  (body) =>
    nodesIn(body).some(({ schema }) => keywords.some((keyword) => Object.hasOwn(schema, keyword)));

/** The schema of a tool has one of these keywords. */
export const toolSchemaHas =
  (...keywords: readonly string[]): RequestForm =>
  (body) =>
    schemaHas(...keywords)({ tools: body["tools"] });

/** Some place of a schema is like this. */
export const schemaNode =
  (is: (node: SchemaNode) => boolean): RequestForm =>
  (body) =>
    nodesIn(body).some(is);

/** An answer of one of these formats is asked for. */
export const formatIs =
  (...types: readonly string[]): RequestForm =>
  (body) =>
    types.includes(stringIn(objectIn(body["response_format"])["type"]));

/** A function of these roles and messages. */
export const messagesHave =
  (have: (messages: readonly Body[], roles: readonly string[]) => boolean): RequestForm =>
  (body) => {
    const messages = objectsIn(body["messages"]);
    return have(
      messages,
      messages.map(({ role }) => stringIn(role)),
    );
  };

/** One role follows another, wherever. */
export const follows = (role: string, before: string): RequestForm =>
  messagesHave((_, roles) => roles.some((each, at) => each === role && roles[at - 1] === before));

/** A call of a tool, or its result, is in the history. */
export const hasCalls: RequestForm = messagesHave((messages, roles) =>
  roles.some((role, at) => role === "tool" || objectsIn(messages[at]?.["tool_calls"]).length > 0),
);

export const both =
  (one: RequestForm, other: RequestForm): RequestForm =>
  (body) =>
    one(body) && other(body);

export const without =
  (form: RequestForm, field: string): RequestForm =>
  (body) =>
    form(body) && body[field] === undefined;

function nodesIn(body: Body): SchemaNode[] {
  const { tools, schema } = readChat(body);
  return [...tools.map((tool) => tool.schema), ...(schema === null ? [] : [schema])].flatMap((root) => [...nodesOf(root)]);
}

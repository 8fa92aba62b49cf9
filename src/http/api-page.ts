import { escapeHtml as text } from "../util/escape-html.ts";

/** What is shown of an OpenAPI 3.1 document. */
export interface ApiDescription {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
}

interface Operation {
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Contents };
  readonly responses?: Readonly<Record<string, { readonly description?: string; readonly content?: Contents }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: unknown;
}

type Contents = Readonly<Record<string, { readonly schema?: unknown }>>;

interface Routed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Returns an OpenAPI document as HTML: its operations by tag, then its schemas. */
export function describeApi({ info, tags = [], paths, components = {} }: ApiDescription): string {
  const routed = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): Routed => ({ method: method.toUpperCase(), path, operation })),
  );
  const parts = tags.map(({ name, description = "" }) => {
    const own = routed.filter(({ operation }) => operation.tags?.includes(name));
    return `<h2>${text(name)}</h2>\n<p>${text(description)}</p>\n${own.map(describeOperation).join("\n")}`;
  });
  const schemas = Object.entries(components.schemas ?? {}).map(
    ([name, schema]) => `<details id="${schemaId(name)}"><summary><code>${text(name)}</code></summary>\n${json(schema)}</details>`,
  );
  return `<h1>${text(info.title)} ${text(info.version)}: HTTP API</h1>
<p>${text(info.description ?? "")}</p>
<p>For programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1). <a href="/docs/errors">Error codes</a>. <a href="/">Dossier</a>.</p>
${parts.join("\n")}
<h2>Schemas</h2>
${schemas.join("\n")}`;
}

function describeOperation({ method, path, operation }: Routed): string {
  const { summary = "", description, parameters = [], requestBody, responses = {} } = operation;
  const answers = Object.entries(responses).map(
    ([status, { description: what = "", content }]) => `<h4>${text(status)} ${text(what)}</h4>\n${describeContents(content)}`,
  );
  return `<details>
<summary><strong>${text(method)}</strong> <code>${text(path)}</code> ${text(summary)}</summary>
${description === undefined ? "" : `<p>${text(description)}</p>`}
${parameters.length === 0 ? "" : describeParameters(parameters)}
${requestBody === undefined ? "" : `<h3>Body</h3>\n${describeContents(requestBody.content)}`}
<h3>Answers</h3>
${answers.join("\n")}
</details>`;
}

function describeParameters(parameters: readonly Parameter[]): string {
  const rows = parameters.map(
    ({ name, in: place, required = false, description = "", schema }) =>
      `<tr><td><code>${text(name)}</code></td><td>${text(place)}${required ? ", required" : ""}</td><td>${text(description)}</td><td>${json(schema)}</td></tr>`,
  );
  return `<h3>Parameters</h3>
<table><tr><th scope="col">name</th><th scope="col">in</th><th scope="col">what</th><th scope="col">schema</th></tr>${rows.join("")}</table>`;
}

function describeContents(contents: Contents = {}): string {
  return Object.entries(contents)
    .map(([type, { schema }]) => `<p><code>${text(type)}</code></p>${json(schema)}`)
    .join("\n");
}

/** A schema whose references lead to the schemas below. */
function json(schema: unknown): string {
  if (schema === undefined) return "";
  const shown = text(JSON.stringify(schema, null, 2));
  return `<pre>${shown.replaceAll(/#\/components\/schemas\/([\w.-]+)/g, (reference, name: string) => `<a href="#${schemaId(name)}">${reference}</a>`)}</pre>`;
}

function schemaId(name: string): string {
  return `schema-${name.replaceAll(/[^\w.-]/g, "-")}`;
}

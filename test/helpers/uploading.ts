import type { TestService } from "./start-service.ts";

export type GivenFile = readonly [name: string, content: string | Uint8Array, type?: string];

/** A multipart body with the part `request`, if there is one, and these files. */
export function formOf(request: unknown, files: readonly GivenFile[]): FormData {
  const form = new FormData();
  if (request !== null) form.append("request", JSON.stringify(request));
  for (const [name, content, type = ""] of files) form.append("documents", new Blob([content as string], { type }), name);
  return form;
}

/** Starts a run with files and returns the run when it has ended. */
export async function askWith(service: TestService, request: object, files: readonly GivenFile[]) {
  const response = await fetch(`${service.url}/research`, { method: "POST", body: formOf(request, files) });
  const { id } = (await response.json()) as { id: string };
  return service.finish(id);
}

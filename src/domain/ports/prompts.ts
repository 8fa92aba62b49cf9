/** The text of the prompt of that name, with its places filled by `values` as they are: nothing in a value is read as a place. */
export type RenderPrompt = (name: string, values: Readonly<Record<string, string>>) => Promise<string>;

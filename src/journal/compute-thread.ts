// completions.ts runs this file in worker threads.
interface Task {
  readonly module: string;
  readonly name: string;
  readonly input: readonly unknown[];
}

export async function compute({ module, name, input }: Task): Promise<unknown> {
  const functions: Record<string, (...input: readonly unknown[]) => unknown> = await import(module);
  return functions[name]?.(...input);
}

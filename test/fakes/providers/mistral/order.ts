/** What may follow a role. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  system: ["system", "user", "assistant"],
  user: ["user", "assistant"],
  assistant: ["user", "tool"],
  tool: ["tool", "assistant"],
};

/** Returns why Mistral refuses this order of roles; undefined if it does not. */
export function orderFault(roles: readonly string[]): string | undefined {
  for (const [at, role] of roles.entries()) {
    const before = roles[at - 1];
    if (before !== undefined && !NEXT[before]?.includes(role)) return `Unexpected role '${role}' after role '${before}'`;
  }
  const last = roles.at(-1);
  if (last === "user" || last === "tool") return undefined;
  return `Expected last role User or Tool (or Assistant with a prefix) for serving but got ${last ?? "nothing"}`;
}

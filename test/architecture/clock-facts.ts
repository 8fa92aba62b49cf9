import { type ESTree, parseSync, Visitor } from "rolldown/utils";

/** Members of globals that read a clock, wait for one, or stop something after a time. */
const MEMBERS: Readonly<Record<string, RegExp>> = {
  Date: /^now$/,
  performance: /^(?:now|timeOrigin|mark|measure)$/,
  process: /^(?:hrtime|uptime|cpuUsage|threadCpuUsage|resourceUsage)$/,
  AbortSignal: /^timeout$/,
  scheduler: /^wait$/,
};
/** Pauses under any name they are called by; `setImmediate` is none, because it lets exactly one turn of the event loop pass. */
const PAUSES = /^(?:setTimeout|setInterval|waitForTimeout|sleep)$/;
/** The same in code that a test hands to another process or to a page as a string. */
const IN_STRINGS = /\b(?:setTimeout|setInterval)\([^)]|\b(?:Date|performance)\.now\(\)|\bnew Date\(\);|\bsleep \d/;
/** Comparisons that make sense for a measured time, and names that such a time has. */
const COMPARISONS = /^to(?:Be(?:Less|Greater)Than(?:OrEqual)?|BeCloseTo)$/;
const MEASURED = /^(?:ms|took|elapsed|duration)$|(?:Ms|Elapsed|Duration)$/;
/** Options that make a server of a test pause. Only benchmarks and pictures need a pace. */
const PACES = /^(?:delayMs|firstMs|firstDelayMs)$/;
/** Polling ends when something holds. A shorter limit than this would be a bet on the speed of the machine. */
const MIN_POLL_MS = 60_000;

type Node = ESTree.Node;

/** Returns one sentence for each place in the file that reads a clock, pauses, tries again, or compares a measured time. */
export function clockFaults(path: string, text: string): string[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const faults: string[] = [];
  const add = (node: Node, what: string | null): void => {
    if (what !== null) faults.push(`${path}:${text.slice(0, node.start).split("\n").length} ${what}`);
  };
  new Visitor({
    Identifier: (node) => add(node, PAUSES.test(node.name) ? node.name : null),
    Literal: (node) => add(node, inString(node.value)),
    TemplateElement: (node) => add(node, inString(node.value.raw)),
    MemberExpression: (node) => add(node, clockMember(node)),
    NewExpression: (node) => add(node, isNamed(node.callee, "Date") && node.arguments.length === 0 ? "new Date without a time" : null),
    Property: (node) => add(node, path.endsWith(".test.ts") && PACES.test(nameOf(node.key)) ? "makes a server pause" : null),
    CallExpression: (node) => add(node, callFault(node)),
  }).visit(program);
  return faults;
}

function clockMember({ object, property }: ESTree.MemberExpression): string | null {
  if (property.type !== "Identifier") return null;
  const owner = nameOf(object);
  return MEMBERS[owner]?.test(property.name) ? `${owner}.${property.name}` : null;
}

function callFault(call: ESTree.CallExpression): string | null {
  if (isNamed(call.callee, "Date")) return "Date";
  const method = nameOf(call.callee);
  const root = rootOf(call.callee);
  if (/^(?:it|test|describe)$/.test(root) && optionOf(call, /^(?:retry|repeats)$/) !== null) return "tries a test again";
  if (root === "vi" && /^wait(?:For|Until)$/.test(method)) return pollFault(call, 0);
  if (root === "expect" && method === "poll") return pollFault(call, MIN_POLL_MS);
  if (root === "expect" && COMPARISONS.test(method) && MEASURED.test(measuredName(call.callee))) return "compares a measured time";
  return atomicsFault(call);
}

function pollFault(call: ESTree.CallExpression, byDefaultMs: number): string | null {
  const value = optionOf(call, /^timeout$/);
  const ms = value?.type === "Literal" && typeof value.value === "number" ? value.value : value === null ? byDefaultMs : MIN_POLL_MS;
  return ms < MIN_POLL_MS ? "polls for less than a minute" : null;
}

/** A wait of `Atomics` without a limit ends with an event. */
function atomicsFault({ callee, arguments: given }: ESTree.CallExpression): string | null {
  const isLimited = callee.type === "MemberExpression" && nameOf(callee.object) === "Atomics" && given.length > 3;
  return isLimited && nameOf(callee).startsWith("wait") ? `Atomics.${nameOf(callee)}` : null;
}

/** Returns the value of an option in an argument that is an object literal. */
function optionOf(call: ESTree.CallExpression, name: RegExp): Node | null {
  for (const argument of call.arguments) {
    if (argument.type !== "ObjectExpression") continue;
    for (const item of argument.properties) if (item.type === "Property" && name.test(nameOf(item.key))) return item.value;
  }
  return null;
}

/** Returns the last name of the argument of `expect` in `expect(x).not.toBeLessThan`. */
function measuredName(callee: Node): string {
  if (callee.type === "MemberExpression") return measuredName(callee.object);
  const argument = callee.type === "CallExpression" ? callee.arguments[0] : undefined;
  return argument === undefined ? "" : nameOf(argument);
}

function inString(value: unknown): string | null {
  return typeof value === "string" && IN_STRINGS.test(value) ? "a clock or a pause in code for another process" : null;
}

/** Returns the first name of `it.skipIf(a).each(b)`. */
function rootOf(node: Node): string {
  if (node.type === "MemberExpression") return rootOf(node.object);
  if (node.type === "CallExpression") return rootOf(node.callee);
  return node.type === "TaggedTemplateExpression" ? rootOf(node.tag) : nameOf(node);
}

/** Returns a name, or the last one of `a.b.c`. */
function nameOf(node: Node): string {
  if (node.type === "Identifier") return node.name;
  if (node.type === "BinaryExpression") return nameOf(node.left);
  return node.type === "MemberExpression" && !node.computed ? nameOf(node.property) : "";
}

const isNamed = (node: Node, name: string): boolean => node.type === "Identifier" && node.name === name;

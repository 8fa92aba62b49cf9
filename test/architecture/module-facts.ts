import { type ESTree, parseSync, Visitor } from "rolldown/utils";

type Program = ESTree.Program;

/** One import, re-export, dynamic import or `import("...")` type, as written. */
export interface ImportFact {
  /** Undefined if the path is computed at run time. */
  readonly specifier: string | undefined;
  /** True if nothing is loaded at run time; `import { type A }` loads its module and is not type-only. */
  readonly typeOnly: boolean;
  readonly line: number;
}

/** What the rules need to know about a file; paths are relative to the root, with forward slashes. */
export interface ModuleFacts {
  readonly path: string;
  readonly imports: readonly ImportFact[];
  readonly hasDefaultExport: boolean;
  readonly readsEnvironment: boolean;
}

/** Parses one TypeScript file; throws on a syntax error. */
export function moduleFacts(path: string, text: string): ModuleFacts {
  const { program, module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
  const hasDefaultExport = module.staticExports.some((statement) =>
    statement.entries.some(({ exportName }) => exportName.kind === "Default" || exportName.name === "default"),
  );
  return { path, imports: importFacts(program, lineOf), hasDefaultExport, readsEnvironment: readsEnvironment(program) };
}

function importFacts(program: Program, lineOf: (offset: number) => number): ImportFact[] {
  const facts: ImportFact[] = [];
  const add = (specifier: string | undefined, typeOnly: boolean, offset: number) =>
    facts.push({ specifier, typeOnly, line: lineOf(offset) });
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.importKind === "type", node.start),
    ExportAllDeclaration: (node) => add(node.source.value, node.exportKind === "type", node.start),
    ExportNamedDeclaration: (node) => node.source && add(node.source.value, node.exportKind === "type", node.start),
    ImportExpression: (node) => add(literal(node.source), false, node.start),
    TSImportType: (node) => add(node.source.value, true, node.start),
  }).visit(program);
  return facts;
}

function literal(node: { readonly type: string; readonly value?: unknown }): string | undefined {
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

function readsEnvironment(program: Program): boolean {
  let found = false;
  new Visitor({
    MemberExpression(node) {
      const property = node.property.type === "Identifier" ? node.property.name : literal(node.property);
      if (property === "env" && node.object.type === "Identifier" && node.object.name === "process") found = true;
    },
    VariableDeclarator(node) {
      if (node.id.type !== "ObjectPattern" || node.init?.type !== "Identifier" || node.init.name !== "process") return;
      if (node.id.properties.some((item) => item.type === "Property" && "name" in item.key && item.key.name === "env")) found = true;
    },
    ImportDeclaration(node) {
      if (/^(node:)?process$/.test(node.source.value) && importsName(node, "env")) found = true;
    },
  }).visit(program);
  return found;
}

function importsName(node: ESTree.ImportDeclaration, name: string): boolean {
  return node.specifiers.some((item) => item.type === "ImportSpecifier" && "name" in item.imported && item.imported.name === name);
}

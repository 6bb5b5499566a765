// Words of the wire that stand in the sources themselves, found by what they are used for: paths, headers, variables, keys, options.
import { calls } from '@vedette/contract/calls/calls.ts';
import ts from 'typescript';
import { constantText } from './constant-text.ts';
import { type ProductProgram, walk } from './product-program.ts';

export const WORD_LISTS = [
  'environment',
  'options',
  'browser storage',
  'headers',
  'metrics',
  'paths',
  'topics and kinds of content',
  'query',
  'close codes',
  'files',
  'key labels',
  'named after the product',
] as const;
export type WireWordKind = (typeof WORD_LISTS)[number];
type Add = (list: WireWordKind, word: string) => void;

const SOURCE = /\.(ts|tsx|js|cjs|mjs)$/;

export function wireWords({ checker, files }: ProductProgram): Readonly<Record<WireWordKind, string[]>> {
  const found = new Map<WireWordKind, Set<string>>(WORD_LISTS.map((list) => [list, new Set()]));
  const add: Add = (list, word) => void found.get(list)?.add(word);
  walk(files, (node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      if (!isModuleName(node)) addText(constantText(checker, node), node, add);
    } else if (ts.isRegularExpressionLiteral(node)) addExpression(node.text, add);
    else if (ts.isIdentifier(node)) addName(node, add);
    if (ts.isCallExpression(node)) addCall(checker, node, add);
    if (ts.isNewExpression(node)) addMade(checker, node, add);
    if (ts.isPropertyAssignment(node)) addProperty(checker, node, add);
    if (ts.isElementAccessExpression(node)) addVariable(node, add);
  });
  return Object.fromEntries([...found].map(([list, words]) => [list, [...words].sort()])) as Record<
    WireWordKind,
    string[]
  >;
}

function isModuleName({ parent }: ts.Node): boolean {
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword)
  );
}

function addText(text: string, node: ts.Node, add: Add): void {
  if (!SOURCE.test(text)) {
    if (/^\/[a-zA-Z$][^\s<]{0,160}$/.test(text)) add('paths', text);
    if (/^[a-z][\w-]*(\/[\w.+-]+)+$/.test(text) && !(text in calls)) add('topics and kinds of content', text);
  }
  if (/^x-[a-z-]+$/.test(text)) add('headers', text);
  for (const [list, pattern] of WITHIN_TEXTS) {
    for (const [whole, word = whole] of text.matchAll(pattern)) add(list, word);
  }
  if (isNamedAfterProduct(text) && !isProse(text, node)) add('named after the product', text);
}

const WITHIN_TEXTS: readonly (readonly [WireWordKind, RegExp])[] = [
  ['metrics', /\bvedette_[a-z0-9_]+/g],
  ['environment', /\bVEDETTE_[A-Z0-9_]+/g],
  ['query', /[?&]([a-zA-Z]\w*)=/g],
];

/** Apart from what another list has. */
function isNamedAfterProduct(text: string): boolean {
  const isListed = /^(x-vedette|vedette\.[a-z]|VEDETTE_|vedette_)/.test(text);
  return /vedette/i.test(text) && !text.includes('@vedette/') && !isListed;
}

function isProse(text: string, { parent }: ts.Node): boolean {
  return text.length > 80 || /[\u4e00-\u9fff]|[a-z,.:] [a-z]/.test(text) || ts.isJsxAttribute(parent);
}

function addExpression(text: string, add: Add): void {
  if (/vedette|\\\/(media|api|ws|site)|\bfar-/i.test(text)) add('named after the product', text);
}

/** Names of fields that leave the process as they are. */
function addName({ text }: ts.Identifier, add: Add): void {
  if (/^vedette_[a-z0-9_]+$/.test(text)) add('metrics', text);
  if (/^VEDETTE_[A-Z0-9_]+$/.test(text)) add('environment', text);
}

/** `env['NAME']`: only variables of the environment are so written. */
function addVariable({ argumentExpression: name, expression }: ts.ElementAccessExpression, add: Add): void {
  const isEnvironment = /(^|\.)env$/i.test(expression.getText());
  if (isEnvironment && ts.isStringLiteral(name)) add('environment', name.text);
}

function addCall(checker: ts.TypeChecker, node: ts.CallExpression, add: Add): void {
  const { expression: callee } = node;
  const [first] = node.arguments;
  const method = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
  if (first === undefined) return;
  for (const [name, addWords] of WORDS_OF_CALLS) if (name.test(method)) addWords({ checker, node, first }, add);
}

interface FoundCall {
  readonly checker: ts.TypeChecker;
  readonly node: ts.CallExpression;
  /** Its first argument. */
  readonly first: ts.Expression;
}

/** By the name of what is called. */
const WORDS_OF_CALLS: readonly (readonly [name: RegExp, addWords: (call: FoundCall, add: Add) => void])[] = [
  [/^(getItem|setItem|removeItem)$/, ({ checker, first }, add) => addStored(constantText(checker, first), add)],
  [/^close$/, addCloseCode],
  [
    /^hkdf(Sync)?$/,
    ({ checker, node, first }, add) => add('key labels', constantText(checker, node.arguments[3] ?? first)),
  ],
  [
    /^derivedKey$/,
    ({ checker, node, first }, add) =>
      add('key labels', `vedette ${constantText(checker, node.arguments[1] ?? first)}`),
  ],
  [/^(get|getAll|has|set|append|delete)$/, addAsked],
  [/^(join|resolve)$/, ({ checker, node }, add) => isOfPath(checker, node) && addPath(checker, node, add)],
  [/^parseArgs$/, ({ checker, first }, add) => addOptions(checker, first, add)],
  [
    /^header$/,
    ({ checker, node, first }, add) => node.arguments.length > 1 && add('headers', constantText(checker, first)),
  ],
];

function addCloseCode({ checker, first }: FoundCall, add: Add): void {
  const text = constantText(checker, first);
  if (/^[1-4]\d{3}$/.test(text)) add('close codes', text);
}

/** Names that are looked up in an address or among headers. */
function addAsked({ checker, node: { expression: callee }, first }: FoundCall, add: Add): void {
  if (!ts.isStringLiteral(first) || !ts.isPropertyAccessExpression(callee)) return;
  const kind = checker.getTypeAtLocation(callee.expression).getSymbol()?.getName();
  if (kind === 'URLSearchParams') add('query', constantText(checker, first));
  if (kind === 'Headers') add('headers', constantText(checker, first));
}

function addStored(key: string, add: Add): void {
  // A key that is handed in stands where it is handed in from.
  if (key !== '${}') add('browser storage', key);
}

/** Of the module, not of a list. */
function isOfPath(checker: ts.TypeChecker, { expression }: ts.CallExpression): boolean {
  const from = ts.isPropertyAccessExpression(expression) ? expression.expression : expression;
  const declared = checker.getSymbolAtLocation(from)?.declarations?.[0];
  const imported = declared && ts.findAncestor(declared, ts.isImportDeclaration);
  return imported !== undefined && /path/.test(imported.moduleSpecifier.getText());
}

/** Parts of a path that are no source of ours. */
function addPath(checker: ts.TypeChecker, node: ts.CallExpression, add: Add): void {
  const parts = node.arguments.map((part) => constantText(checker, part));
  if (parts.some((part) => SOURCE.test(part) || part === 'node_modules')) return;
  for (const part of parts) if (/^[\w.$-][^\s]*\w/.test(part) && part !== '${}') add('files', part);
}

function addOptions(checker: ts.TypeChecker, argument: ts.Expression, add: Add): void {
  const options = checker.getTypeAtLocation(argument).getProperty('options');
  if (options === undefined) throw new Error(`parseArgs without options: ${argument.getText()}`);
  const names = checker.getTypeOfSymbol(options).getProperties();
  add('options', names.map((one) => `--${one.getName()}`).join(' '));
}

function addMade(checker: ts.TypeChecker, node: ts.NewExpression, add: Add): void {
  const [first] = node.arguments ?? [];
  if (first === undefined) return;
  const kind = node.expression.getText();
  if (kind === 'BroadcastChannel') add('browser storage', constantText(checker, first));
  if (kind === 'URLSearchParams' && ts.isObjectLiteralExpression(first)) {
    for (const { name } of checker.getTypeAtLocation(first).getProperties()) add('query', name);
  }
}

function addProperty(checker: ts.TypeChecker, node: ts.PropertyAssignment, add: Add): void {
  const name = ts.isStringLiteral(node.name) ? node.name.text : '';
  const isHyphened = /^[a-z]+(-[a-z0-9]+)+$/.test(name);
  if (isHyphened && (name.startsWith('webhook-') || isAmongHeaders(node))) add('headers', name);
  if (node.name.getText() === 'purpose') add('key labels', constantText(checker, node.initializer));
}

function isAmongHeaders({ parent }: ts.PropertyAssignment): boolean {
  const { parent: holder } = parent;
  const isNamed = ts.isVariableDeclaration(holder) || ts.isPropertyAssignment(holder);
  return (isNamed && /headers$/i.test(holder.name.getText())) || ts.isCallExpression(holder);
}

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
export type WordList = (typeof WORD_LISTS)[number];
type Add = (list: WordList, word: string) => void;

const SOURCE = /\.(ts|tsx|js|cjs|mjs)$/;

export function wireWords({ checker, files }: ProductProgram): Readonly<Record<WordList, string[]>> {
  const found = new Map<WordList, Set<string>>(WORD_LISTS.map((list) => [list, new Set()]));
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
  return Object.fromEntries([...found].map(([list, words]) => [list, [...words].sort()])) as Record<WordList, string[]>;
}

function isModuleName({ parent }: ts.Node): boolean {
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword)
  );
}

function addText(text: string, node: ts.Node, add: Add): void {
  if (/^\/[a-zA-Z$][^\s<]{0,160}$/.test(text) && !SOURCE.test(text)) add('paths', text);
  if (/^[a-z][\w-]*(\/[\w.+-]+)+$/.test(text) && !(text in calls) && !SOURCE.test(text)) {
    add('topics and kinds of content', text);
  }
  if (/^x-[a-z-]+$/.test(text)) add('headers', text);
  for (const [name] of text.matchAll(/\bvedette_[a-z0-9_]+/g)) add('metrics', name);
  for (const [name] of text.matchAll(/\bVEDETTE_[A-Z0-9_]+/g)) add('environment', name);
  for (const [, name = ''] of text.matchAll(/[?&]([a-zA-Z]\w*)=/g)) add('query', name);
  const isListed = /^(x-vedette|vedette\.[a-z]|VEDETTE_|vedette_)/.test(text);
  const isProse = text.length > 80 || /[\u4e00-\u9fff]|[a-z,.:] [a-z]/.test(text) || ts.isJsxAttribute(node.parent);
  if (/vedette/i.test(text) && !text.includes('@vedette/') && !isProse && !isListed)
    add('named after the product', text);
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
  const [first, second] = node.arguments;
  const method = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
  if (first === undefined) return;
  const text = (): string => constantText(checker, first);
  if (/^(getItem|setItem|removeItem)$/.test(method)) addStored(text(), add);
  if (method === 'close' && /^[1-4]\d{3}$/.test(text())) add('close codes', text());
  if (/^hkdf(Sync)?$/.test(method)) add('key labels', constantText(checker, node.arguments[3] ?? first));
  if (method === 'derivedKey' && second) add('key labels', `vedette ${constantText(checker, second)}`);
  const isAsked = /^(get|getAll|has|set|append|delete)$/.test(method) && ts.isStringLiteral(first);
  if (isAsked && ts.isPropertyAccessExpression(callee)) {
    const kind = checker.getTypeAtLocation(callee.expression).getSymbol()?.getName();
    if (kind === 'URLSearchParams') add('query', text());
    if (kind === 'Headers') add('headers', text());
  }
  if (/^(join|resolve)$/.test(method) && isOfPath(checker, node)) addPath(checker, node, add);
  if (method === 'parseArgs') addOptions(checker, first, add);
  if (second !== undefined && method === 'header') add('headers', text());
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

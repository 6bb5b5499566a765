// Finds the guards of the server's source: refusals, authorization decisions, and tenant conditions of queries.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/**
 * `refusal`: an `if` that refuses, whose condition becomes false. `decision`: a yes or no that becomes yes.
 * `filter`: `.where()` by the owner of rows, `sql`: the same in a text of SQL, `visible`: a condition of auth/visible.ts; these become true.
 */
type GuardKind = 'refusal' | 'decision' | 'filter' | 'sql' | 'visible';

export interface Guard {
  readonly id: string;
  readonly kind: GuardKind;
  /** Below the repository. */
  readonly file: string;
  /** Where the expression stands, or the arguments of `.where()`. */
  readonly from: number;
  readonly to: number;
}

const CODES = new Set([
  'permissionDenied',
  'notFound',
  'devNotExist',
  'ownership',
  'tokenInvalid',
  'tokenExpired',
  'shareEnded',
  'userLocked',
  'userPWDIncorrect',
  'twofactorAuth',
  'verifyCodeWrong',
  'captchaRequired',
  'captchaFailed',
  'tooManyRequests',
]);
const OWNER_COLUMN = /(?:^|\.)(?:owner_id|account_id|grantee_id|giver_id|created_by)$/;
const OWNER_CONDITION = /\b(?:\w+\.)?(?:owner_id|grantee_id) = \$\{[^}]+\}/g;
const DECIDING_FUNCTION = /^#?may[A-Z]/;

export function findGuards(root: string): Guard[] {
  return listFiles(join(root, 'server')).flatMap((path) => guardsOf(relative(root, path), readFileSync(path, 'utf8')));
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules'))
    .sort();
}

function guardsOf(file: string, text: string): Guard[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const guards: Guard[] = [];
  const add = (kind: GuardKind, from: number, to: number): void => {
    const { line, character } = source.getLineAndCharacterOfPosition(from);
    guards.push({ id: `${file}:${line + 1}:${character + 1}`, kind, file, from, to });
  };
  const walk = (node: ts.Node): void => {
    // What is caught was refused already.
    if (ts.isCatchClause(node)) return;
    const found = guardAt(node, file);
    if (found !== null) add(found.kind, found.from, found.to);
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') {
      for (const match of node.template.getText().matchAll(OWNER_CONDITION)) {
        const from = node.template.getStart() + match.index;
        add('sql', from, from + match[0].length);
      }
    }
    ts.forEachChild(node, walk);
  };
  walk(source);
  return guards;
}

interface Span {
  readonly kind: GuardKind;
  readonly from: number;
  readonly to: number;
}

/** The first that finds one says what is guarded. */
function guardAt(node: ts.Node, file: string): Span | null {
  return refusalAt(node) ?? decisionAt(node) ?? filterAt(node) ?? listAt(node, file);
}

function refusalAt(node: ts.Node): Span | null {
  if (!ts.isIfStatement(node) || !refuses(node.thenStatement)) return null;
  return /\.allowed\b/.test(node.expression.getText()) ? null : spanOf('refusal', node.expression);
}

function decisionAt(node: ts.Node): Span | null {
  if (ts.isPropertyAccessExpression(node)) {
    return node.name.text === 'allowed' && !isName(node) ? spanOf('decision', node) : null;
  }
  const expression = returnedBy(node);
  return expression !== undefined && decides(expression) ? spanOf('decision', expression) : null;
}

function filterAt(node: ts.Node): Span | null {
  if (!ts.isCallExpression(node) || !isOwnerFilter(node)) return null;
  return { kind: 'filter', from: node.arguments.pos, to: node.arguments.end };
}

function listAt(node: ts.Node, file: string): Span | null {
  if (file !== 'server/auth/visibility-conditions.ts') return null;
  const expression = returnedBy(node);
  return expression?.getText().startsWith('anyOf(') === true ? spanOf('visible', expression) : null;
}

function returnedBy(node: ts.Node): ts.Expression | undefined {
  return ts.isReturnStatement(node) ? node.expression : undefined;
}

function spanOf(kind: GuardKind, node: ts.Node): Span {
  return { kind, from: node.getStart(), to: node.end };
}

/** A statement, or a block that ends with one, which throws or answers a refusal. */
function refuses(statement: ts.Statement): boolean {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
  if (last === undefined || !(ts.isThrowStatement(last) || ts.isReturnStatement(last))) return false;
  const { expression } = last;
  if (expression === undefined || !ts.isNewExpression(expression)) return false;
  const code = expression.arguments?.[0];
  if (expression.expression.getText() !== 'CallError' || code === undefined) return false;
  return ts.isStringLiteral(code) && CODES.has(code.text);
}

/** `decision.allowed ? 'one' : 'other'` chooses a code and decides nothing. */
function isName({ parent }: ts.Node): boolean {
  return ts.isConditionalExpression(parent);
}

function decides(expression: ts.Expression): boolean {
  if (/\.allowed\b|^(?:true|false)$/.test(expression.getText())) return false;
  let at: ts.Node = expression.parent;
  while (!ts.isMethodDeclaration(at) && !ts.isFunctionDeclaration(at)) {
    // A function within a function answers for itself.
    if (ts.isFunctionLike(at) || ts.isSourceFile(at)) return false;
    at = at.parent;
  }
  // Those of auth/may.ts answer the object itself, and refuse by throwing.
  return at.name !== undefined && DECIDING_FUNCTION.test(at.name.getText()) && at.type?.getText() === 'boolean';
}

function isOwnerFilter(call: ts.CallExpression): boolean {
  if (!ts.isPropertyAccessExpression(call.expression) || call.expression.name.text !== 'where') return false;
  const [column, operator] = call.arguments;
  if (column === undefined || operator === undefined) return false;
  if (!ts.isStringLiteral(column) || !OWNER_COLUMN.test(column.text)) return false;
  // Of several accounts is asked for their names.
  const operators = column.text.endsWith('account_id') ? ['='] : ['=', 'in'];
  return ts.isStringLiteral(operator) && operators.includes(operator.text);
}

// The text that an expression stands for, as far as the sources say it: constants are followed, what is only known when it runs is `${}`.
import ts from 'typescript';

const STEPS_MAX = 6;

export function constantText(checker: ts.TypeChecker, node: ts.Node, steps = 0): string {
  const of = (inner: ts.Node): string => (steps > STEPS_MAX ? '${}' : constantText(checker, inner, steps + 1));
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map((span) => of(span.expression) + span.literal.text).join('');
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return of(node.left) + of(node.right);
  }
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return of(node.expression);
  if (ts.isCallExpression(node)) return returned(checker, node.expression, of);
  return namedText(checker, node, of);
}

/** Of a constant, or of a property of one. */
function namedText(checker: ts.TypeChecker, node: ts.Node, of: (inner: ts.Node) => string): string {
  const value = ts.isIdentifier(node) ? constantValue(resolvedDeclaration(checker, node)) : undefined;
  if (value !== undefined) return of(value);
  if (ts.isPropertyAccessExpression(node) && isOfConstant(checker, node)) {
    const type = checker.getTypeAtLocation(node);
    if (type.isStringLiteral() || type.isNumberLiteral()) return String(type.value);
  }
  return '${}';
}

function constantValue(declared: ts.Declaration | undefined): ts.Expression | undefined {
  if (declared === undefined || !ts.isVariableDeclaration(declared)) return undefined;
  const isConstant = (ts.getCombinedNodeFlags(declared) & ts.NodeFlags.Const) !== 0;
  return isConstant ? declared.initializer : undefined;
}

/** Of a table at the top of a file: asking for the type of anything else takes minutes over the whole product. */
function isOfConstant(checker: ts.TypeChecker, node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return isOfConstant(checker, node.expression);
  const declared = ts.isIdentifier(node) ? resolvedDeclaration(checker, node) : undefined;
  return constantValue(declared) !== undefined && ts.isSourceFile(declared?.parent.parent.parent ?? (node as ts.Node));
}

/** Of a function that is one expression, or whose last statement returns one. */
function returned(checker: ts.TypeChecker, callee: ts.Expression, of: (node: ts.Node) => string): string {
  const declared = ts.isIdentifier(callee) ? resolvedDeclaration(checker, callee) : undefined;
  const made = constantValue(declared) ?? declared;
  if (made === undefined || !(ts.isArrowFunction(made) || ts.isFunctionDeclaration(made))) return '${}';
  const { body } = made;
  if (body === undefined) return '${}';
  if (!ts.isBlock(body)) return of(body);
  const last = body.statements.at(-1);
  return last !== undefined && ts.isReturnStatement(last) && last.expression ? of(last.expression) : '${}';
}

/** Through imports, to where it is made. */
export function resolvedDeclaration(checker: ts.TypeChecker, name: ts.Node): ts.Declaration | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined) return undefined;
  const origin = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return origin.valueDeclaration ?? origin.declarations?.[0];
}

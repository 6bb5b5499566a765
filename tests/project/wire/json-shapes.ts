// The shape of everything that the product writes or reads as JSON: to sockets, disks and other programs.
import ts from 'typescript';
import { resolvedDeclaration } from './constant-text.ts';
import type { TypePrinter } from './print-type.ts';
import { type ProductProgram, walk } from './product-program.ts';

/** A function that writes one of its arguments as JSON, and which. */
type Writers = Map<ts.Node, number>;
type Parameter = ts.ParameterDeclaration & { readonly parent: ts.SignatureDeclaration };

export function jsonShapes({ checker, files }: ProductProgram, printer: TypePrinter): string[] {
  const shapes = new Set<string>();
  const writers: Writers = new Map();
  const calls: ts.CallExpression[] = [];
  const take = (node: ts.Expression): void => {
    const parameter = handedOn(checker, node);
    if (parameter !== null) {
      writers.set(parameter.parent, parameter.parent.parameters.indexOf(parameter));
      return;
    }
    const text = printer.print(checker.getTypeAtLocation(node));
    // Without a name of a field nothing can be renamed; schemas that are described are no shape of ours.
    if (/\w\??: |'/.test(text) && !text.startsWith('{$')) shapes.add(text);
  };
  walk(files, (node) => {
    if (!ts.isCallExpression(node)) return;
    const [first] = node.arguments;
    if (first === undefined) return;
    calls.push(node);
    const callee = node.expression.getText();
    if (callee === 'JSON.stringify' && !staysInside(node)) take(first);
    if (callee === 'JSON.parse') {
      const type = readAs(checker, node);
      if (type !== null) shapes.add(printer.print(type));
    }
  });
  for (const known of rounds(writers)) {
    // Resolving every call takes minutes: those of another name are left out.
    const names = new Set([...known.keys()].map((one) => nameOf(checker, one as ts.Declaration)));
    for (const call of calls) {
      const writer = names.has(calleeName(call)) ? checker.getResolvedSignature(call)?.getDeclaration() : undefined;
      const index = writer === undefined ? undefined : known.get(writer);
      const argument = index === undefined ? undefined : call.arguments[index];
      if (argument !== undefined) take(argument);
    }
  }
  return [...shapes].sort();
}

/** Those who hand on to others are found round by round. */
function* rounds(writers: Writers): Generator<Writers> {
  for (let before = new Set<ts.Node>(); before.size < writers.size; ) {
    const fresh = new Map([...writers].filter(([node]) => !before.has(node)));
    before = new Set(writers.keys());
    yield fresh;
  }
}

/** A parameter that takes anything: what is written stands with the callers. */
function handedOn(checker: ts.TypeChecker, node: ts.Expression): Parameter | null {
  const declared = ts.isIdentifier(node) ? resolvedDeclaration(checker, node) : undefined;
  if (declared === undefined || !ts.isParameter(declared) || !ts.isIdentifier(declared.name)) return null;
  const open = ts.TypeFlags.Unknown | ts.TypeFlags.Any | ts.TypeFlags.NonPrimitive | ts.TypeFlags.TypeParameter;
  const type = checker.getTypeAtLocation(declared);
  return type.flags & open ? (declared as Parameter) : null;
}

/** Of a function, or of the constant or field that holds it. */
function nameOf(checker: ts.TypeChecker, writer: ts.Declaration): string {
  const holder = ts.isArrowFunction(writer) ? writer.parent : writer;
  const name = ts.getNameOfDeclaration(holder as ts.Declaration);
  return name === undefined ? '' : (checker.getSymbolAtLocation(name)?.getName() ?? name.getText());
}

function calleeName({ expression }: ts.CallExpression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}

/** Compared with another, or part of a key with others: the text leaves the process nowhere. */
function staysInside({ parent }: ts.CallExpression): boolean {
  if (ts.isBinaryExpression(parent)) return /^[!=]==$/.test(parent.operatorToken.getText());
  if (ts.isTemplateSpan(parent)) return parent.parent.templateSpans.length > 1;
  return ts.isArrayLiteralExpression(parent);
}

/** What the text is taken for; null where that is said further on. */
function readAs(checker: ts.TypeChecker, node: ts.CallExpression): ts.Type | null {
  const { parent } = node;
  if (ts.isAsExpression(parent)) return checker.getTypeAtLocation(parent);
  if (!ts.isVariableDeclaration(parent)) return null;
  const type = checker.getTypeAtLocation(parent.name);
  return type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any) ? null : type;
}

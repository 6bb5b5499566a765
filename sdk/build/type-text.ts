// Writes a type out in full: what the compiler found, without a name that its reader would have to look up.
import ts from 'typescript';

const INDENT = '  ';

/**
 * @returns TypeScript text. Arrays are readonly, as nobody who sends or gets one may change it; what cannot be described, such as a
 * function, throws.
 */
export function typeText(type: ts.Type, checker: ts.TypeChecker, depth = 0): string {
  if (type.isUnion()) return unionText(type.types, checker, depth);
  if (checker.isTupleType(type)) {
    const items = itemsOf(type, checker).map((item) => typeText(item, checker, depth));
    return `readonly [${items.join(', ')}]`;
  }
  if (checker.isArrayType(type)) return `readonly ${itemText(type, checker, depth)}[]`;
  if (type.isIntersection() || (type.flags & ts.TypeFlags.Object) !== 0) return objectText(type, checker, depth);
  return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
}

function itemsOf(type: ts.Type, checker: ts.TypeChecker): readonly ts.Type[] {
  return checker.getTypeArguments(type as ts.TypeReference);
}

function itemText(type: ts.Type, checker: ts.TypeChecker, depth: number): string {
  const [item] = itemsOf(type, checker);
  if (item === undefined) return 'never';
  const text = typeText(item, checker, depth);
  const isUnion = item.isUnion() && text !== 'boolean';
  return isUnion || text.startsWith('readonly ') ? `(${text})` : text;
}

function unionText(types: readonly ts.Type[], checker: ts.TypeChecker, depth: number): string {
  const texts = types.map((one) => typeText(one, checker, depth));
  // The compiler takes a boolean apart.
  const isBoolean = texts.includes('true') && texts.includes('false');
  const others = isBoolean ? texts.filter((text) => text !== 'true' && text !== 'false') : texts;
  return [...new Set(isBoolean ? [...others, 'boolean'] : others)].join(' | ');
}

function objectText(type: ts.Type, checker: ts.TypeChecker, depth: number): string {
  if (type.getCallSignatures().length > 0) throw new Error(`a function in a wire type: ${checker.typeToString(type)}`);
  const inner = INDENT.repeat(depth + 1);
  const lines: string[] = checker
    .getIndexInfosOfType(type)
    .map((info) => `${inner}readonly [key: string]: ${typeText(info.type, checker, depth + 1)};`);
  for (const property of checker.getPropertiesOfType(type)) {
    const comment = ts.displayPartsToString(property.getDocumentationComment(checker));
    if (comment !== '') lines.push(`${inner}/** ${comment.replaceAll('\n', ' ')} */`);
    lines.push(`${inner}${propertyText(property, checker, depth + 1)}`);
  }
  return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('\n')}\n${INDENT.repeat(depth)}}`;
}

function propertyText(property: ts.Symbol, checker: ts.TypeChecker, depth: number): string {
  const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
  const type = checker.getTypeOfSymbol(property);
  const isUndefined = (one: ts.Type): boolean => (one.flags & ts.TypeFlags.Undefined) !== 0;
  const types = type.isUnion() ? type.types : [type];
  const text = unionText(isOptional ? types.filter((one) => !isUndefined(one)) : types, checker, depth);
  const name = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(property.name) ? property.name : `'${property.name}'`;
  return `readonly ${name}${isOptional ? '?' : ''}: ${text};`;
}

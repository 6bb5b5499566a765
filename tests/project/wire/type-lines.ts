// The types of the wire as lines: one for each kind of message, call, column or field.
import ts from 'typescript';
import { TypePrinter } from './print-type.ts';

/** Of an interface whose fields are named by what they are. */
export function typeLines(checker: ts.TypeChecker, file: ts.SourceFile, name: string): string[] {
  const symbol = checker.getSymbolAtLocation(file)?.exports?.get(ts.escapeLeadingUnderscores(name));
  if (symbol === undefined) throw new Error(`${file.fileName} exports no ${name}`);
  const printer = new TypePrinter(checker);
  const lines = (label: string, type: ts.Type, depth: number): string[] => {
    if (type.isUnion() && depth < 2 && !isBoolean(type)) {
      return type.types.map((one) => `${label} ${printer.print(one)}`);
    }
    const isPlain = (type.flags & ts.TypeFlags.Object) !== 0 && !printer.isColumn(type) && isRecord(checker, type);
    if (depth > 2 || !isPlain) return [`${label} ${printer.print(type)}`];
    return type.getProperties().flatMap((field) => {
      const isOptional = (field.flags & ts.SymbolFlags.Optional) !== 0;
      const next = `${label}${depth === 0 ? '' : ' '}${field.getName()}${isOptional ? '?' : ''}${depth === 0 ? ':' : ''}`;
      return lines(next, checker.getTypeOfSymbol(field), depth + 1);
    });
  };
  return lines('', checker.getDeclaredTypeOfSymbol(symbol), 0).sort();
}

function isBoolean(type: ts.UnionType): boolean {
  return type.types.every((one) => (one.flags & ts.TypeFlags.BooleanLiteral) !== 0);
}

function isRecord(checker: ts.TypeChecker, type: ts.Type): boolean {
  const isList = checker.isArrayType(type) || checker.isTupleType(type);
  return !isList && type.getProperties().length > 0 && !type.isClass() && type.getSymbol()?.getName() !== 'Buffer';
}

// Writes a type by its structure alone: names of fields and words stay, names of types and files do not show.
import { createHash } from 'node:crypto';
import ts from 'typescript';

const DEPTH_MAX = 12;
/** Longer unions of words are counted and hashed: what they are is written once, elsewhere. */
const WORDS_MAX = 16;

export class TypePrinter {
  readonly #checker: ts.TypeChecker;
  readonly #open: ts.Type[] = [];

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  print(type: ts.Type): string {
    if (this.#open.includes(type)) return '(itself)';
    if (this.#open.length > DEPTH_MAX) return '…';
    this.#open.push(type);
    try {
      return this.#structure(type);
    } finally {
      this.#open.pop();
    }
  }

  /** A column that is read as something else than it is written. */
  isColumn(type: ts.Type): boolean {
    return selectedOf(type) !== null;
  }

  #structure(type: ts.Type): string {
    const checker = this.#checker;
    const column = selectedOf(type);
    if (column !== null) return this.print(column);
    if (type.isStringLiteral()) return `'${type.value}'`;
    if (type.isUnion()) return this.#union(type.types);
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return checker.typeToString(type);
    if (checker.isTupleType(type) || checker.isArrayType(type)) return this.#list(type as ts.TypeReference);
    if (type.getCallSignatures().length > 0) return 'function';
    const symbol = type.getSymbol();
    // Classes and what packages declare count as one word.
    if (symbol !== undefined && (symbol.flags & ts.SymbolFlags.Class || isForeign(symbol))) return symbol.getName();
    return this.#object(type);
  }

  #object(type: ts.Type): string {
    const fields = type.getProperties().map((field) => {
      const isOptional = (field.flags & ts.SymbolFlags.Optional) !== 0;
      return `${field.getName()}${isOptional ? '?' : ''}: ${this.print(this.#checker.getTypeOfSymbol(field))}`;
    });
    const keys = this.#checker
      .getIndexInfosOfType(type)
      .map(({ keyType, type: value }) => `[${this.print(keyType)}]: ${this.print(value)}`);
    return `{${[...fields.sort(), ...keys.sort()].join('; ')}}`;
  }

  #list(type: ts.TypeReference): string {
    const items = this.#checker.getTypeArguments(type).map((item) => this.print(item));
    return this.#checker.isTupleType(type) ? `[${items.join(', ')}]` : `(${items.join()})[]`;
  }

  #union(types: readonly ts.Type[]): string {
    const parts = [...new Set(types.map((one) => this.print(one)))].sort().filter((part) => part !== 'undefined');
    const text = parts.join(' | ').replace('false | true', 'boolean');
    const isLong = parts.length > WORDS_MAX && parts.every((part) => /^('|\d|null$)/.test(part));
    return isLong ? `${parts.length} words ${createHash('sha256').update(text).digest('hex').slice(0, 8)}` : text;
  }
}

function isForeign(symbol: ts.Symbol): boolean {
  const declared = symbol.declarations ?? [];
  return (
    declared.length > 0 &&
    declared.every((one) => one.getSourceFile().isDeclarationFile) &&
    !/^(__type|__object|Record|Readonly|Partial|Pick|Omit)$/.test(symbol.getName())
  );
}

/** What a query answers of a column of Kysely that is written as something else. */
function selectedOf(type: ts.Type): ts.Type | null {
  const parts = type.isUnion() ? [] : [type];
  const isColumn = parts.some((one) => one.getProperty('__select__') !== undefined);
  return isColumn ? (type.aliasTypeArguments?.[0] ?? null) : null;
}

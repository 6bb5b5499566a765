// The columns of all tables as the types of the sources declare them, read by the compiler.
import ts from 'typescript';

const FILE = new URL('./table-types.ts', import.meta.url).pathname;

export interface DeclaredColumn {
  /** What queries read, without null: `string`, `number`, `boolean`, `Buffer`, `object`, or one of these with `[]`. */
  readonly kind: string;
  readonly isNullable: boolean;
  /** `never`: the database gives it; `left out`: it may be; `given`: it must not be left out. */
  readonly isWritten: 'never' | 'left out' | 'given';
}

/** By `table.column`. */
export function declaredColumns(): Map<string, DeclaredColumn> {
  const program = ts.createProgram([FILE], {
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(FILE);
  const scope = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  const rowsOf = (name: string): ts.Type => {
    const symbol = scope?.exports?.get(ts.escapeLeadingUnderscores(name));
    if (symbol === undefined) throw new Error(`${FILE} exports no ${name}`);
    return checker.getDeclaredTypeOfSymbol(symbol);
  };
  const written = rowsOf('WrittenRows');
  const found = new Map<string, DeclaredColumn>();
  for (const table of rowsOf('ReadRows').getProperties()) {
    const writtenTable = written.getProperty(table.getName());
    const writtenRow = writtenTable && checker.getTypeOfSymbol(writtenTable);
    for (const column of checker.getTypeOfSymbol(table).getProperties()) {
      const type = checker.getTypeOfSymbol(column);
      const given = writtenRow?.getProperty(column.getName());
      found.set(`${table.getName()}.${column.getName()}`, {
        kind: kindOf(checker, checker.getNonNullableType(type)),
        isNullable: partsOf(type).some((part) => (part.flags & ts.TypeFlags.Null) !== 0),
        isWritten: given === undefined ? 'never' : given.flags & ts.SymbolFlags.Optional ? 'left out' : 'given',
      });
    }
  }
  return found;
}

function partsOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

function kindOf(checker: ts.TypeChecker, type: ts.Type): string {
  const kinds = new Set(partsOf(type).map((part) => plainKind(checker, part)));
  return [...kinds].sort().join(' | ');
}

function plainKind(checker: ts.TypeChecker, type: ts.Type): string {
  const { flags } = type;
  if (flags & ts.TypeFlags.StringLike) return 'string';
  if (flags & ts.TypeFlags.NumberLike) return 'number';
  if (flags & ts.TypeFlags.BooleanLike) return 'boolean';
  if (flags & ts.TypeFlags.Unknown) return 'unknown';
  if (type.getSymbol()?.getName() === 'Buffer') return 'Buffer';
  if (type.getSymbol()?.getName() === 'Date') return 'Date';
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    return `${item === undefined ? '' : kindOf(checker, item)}[]`;
  }
  return 'object';
}

// The declaration files of `@vedette/client`: as the compiler makes them, but for the types of the calls, which are written out.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';
import { typeText } from './type-text.ts';

const ENTRY = 'index.d.ts';
const CALL_TYPES = 'call-types.d.ts';

/** @returns text by file name, of all files that the entry reaches. Errors of the compiler throw. */
export function clientDeclarations(root: string): ReadonlyMap<string, string> {
  const entry = join(root, 'sdk', 'client', 'index.ts');
  const program = ts.createProgram([entry], compilerOptions(root));
  const errors = ts.getPreEmitDiagnostics(program);
  if (errors.length > 0) throw new Error(ts.formatDiagnostics(errors, host(root)));
  const emitted = new Map([[CALL_TYPES, callTypes(program, join(dirname(entry), 'call-types.ts'))]]);
  program.emit(undefined, (file, text) => {
    const name = basename(file);
    if (dirname(file).endsWith('/sdk/client') && name !== CALL_TYPES) emitted.set(name, withScriptNames(text));
  });
  return reached(emitted);
}

function compilerOptions(root: string): ts.CompilerOptions {
  const file = join(root, 'tsconfig.json');
  const { config } = ts.readConfigFile(file, (name) => readFileSync(name, 'utf8'));
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root);
  return {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: '/declarations',
    rootDir: root,
  };
}

function host(root: string): ts.FormatDiagnosticsHost {
  return { getCanonicalFileName: (name) => name, getCurrentDirectory: () => root, getNewLine: () => '\n' };
}

function callTypes(program: ts.Program, file: string): string {
  const source = program.getSourceFile(file);
  const checker = program.getTypeChecker();
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${file} is no module`);
  const types = checker.getExportsOfModule(module).map((symbol) => {
    const target = (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol;
    return `export type ${symbol.name} = ${typeText(checker.getDeclaredTypeOfSymbol(target), checker)};\n`;
  });
  return `// What each call takes and answers, by path.\n\n${types.join('\n')}`;
}

/** Beside the declarations lie scripts. */
function withScriptNames(text: string): string {
  return text.replaceAll(/(from\s+')(\.\/[\w-]+)\.ts'/gu, "$1$2.js'");
}

function reached(emitted: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const waiting = [ENTRY];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const text = emitted.get(name);
    if (text === undefined) throw new Error(`the declarations need ${name}, which is not part of the package`);
    found.set(name, text);
    for (const [, needed] of text.matchAll(/from\s+'\.\/([\w-]+)\.js'/gu))
      if (!found.has(`${needed}.d.ts`)) waiting.push(`${needed}.d.ts`);
  }
  return found;
}

// Types that are made from the contract, written out: in the declarations of a package they need no file that its users do not have.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { typeText } from './type-text.ts';

/**
 * For each of the files one declaration file with each type that it exports; errors of the compiler throw.
 * @param files relative to the root, compiled together as the root's own configuration says
 */
export function writtenTypes(root: string, files: readonly string[]): readonly string[] {
  const paths = files.map((file) => join(root, file));
  const program = ts.createProgram(paths, compilerOptions(root));
  return paths.map((path) => typesOf(program, path));
}

function typesOf(program: ts.Program, path: string): string {
  const source = program.getSourceFile(path);
  // Of these files alone: all that they import is checked with the tree.
  const errors = source === undefined ? [] : program.getSemanticDiagnostics(source);
  if (errors.length > 0) throw new Error(ts.formatDiagnostics(errors, HOST));
  const checker = program.getTypeChecker();
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${path} is no module`);
  const types = checker.getExportsOfModule(module).map((symbol) => {
    const target = (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol;
    return `export type ${symbol.name} = ${typeText(checker.getDeclaredTypeOfSymbol(target), checker)};\n`;
  });
  return types.join('\n');
}

const HOST: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => import.meta.dirname,
  getNewLine: () => '\n',
};

function compilerOptions(root: string): ts.CompilerOptions {
  const file = join(root, 'tsconfig.json');
  const { config } = ts.readConfigFile(file, (name) => readFileSync(name, 'utf8'));
  return ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root).options;
}

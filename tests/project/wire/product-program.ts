// The files that the product runs, as one TypeScript program: all that its entry points reach, without tests and benches.
import path from 'node:path';
import ts from 'typescript';
import { root, sources } from '../source-files.ts';

/** Programs that are no part of the product: tests, figures, and what builds and checks the tree. */
const aside = /^(tests|bench|docs)\/|^launcher\/(check|test|dev)\b|^launcher\/sbom/;
const isTest = /\.(test|spec|fixture|fake)\./;

export interface ProductProgram {
  readonly checker: ts.TypeChecker;
  /** Of the product itself, no packages. */
  readonly files: readonly ts.SourceFile[];
  /** The file of this folder that is in the program beside the product. */
  file(name: string): ts.SourceFile;
}

/** `extra`: files beside the product, relative to the root, whose types are looked at. */
export function openProductProgram(extra: readonly string[]): ProductProgram {
  const entries = [...new Set([...entryPoints(), ...extra])].map((name) => path.join(root, name));
  const program = ts.createProgram(entries, {
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.esnext.disposable.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: ['node', 'vite/client'],
    jsx: ts.JsxEmit.ReactJSX,
    allowJs: true,
    checkJs: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: false,
  });
  const isOurs = (file: ts.SourceFile): boolean =>
    !file.isDeclarationFile &&
    !file.fileName.includes('/node_modules/') &&
    !aside.test(path.relative(root, file.fileName));
  return {
    checker: program.getTypeChecker(),
    files: program.getSourceFiles().filter(isOurs),
    file: (name) => {
      const found = program.getSourceFile(path.join(root, name));
      if (found === undefined) throw new Error(`${name} is not in the program`);
      return found;
    },
  };
}

/** What is started by its path: the compositions, the launcher's own commands, workers. */
function entryPoints(): string[] {
  return sources()
    .filter(({ name }) => !aside.test(name) && !isTest.test(name))
    .flatMap(({ name, text }) => {
      const isEntry = /(^|\/)main-[^/]+$/.test(name) || /^launcher\/[^/]+\.js$/.test(name) || /\/public\//.test(name);
      const workers = [...text.matchAll(/new URL\('([^']+\.(?:ts|js))', import\.meta\.url\)/g)].map(([, file = '']) =>
        path.join(path.dirname(name), file),
      );
      return isEntry ? [name, ...workers] : workers;
    })
    .filter((name) => !aside.test(name));
}

/** Every node of the product, parents before children. */
export function walk(files: readonly ts.SourceFile[], visit: (node: ts.Node, file: ts.SourceFile) => void): void {
  for (const file of files) {
    const go = (node: ts.Node): void => {
      visit(node, file);
      ts.forEachChild(node, go);
    };
    go(file);
  }
}

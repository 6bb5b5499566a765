// The declaration files of a package, each from its source alone: what is exported says its types itself.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface DeclarationOrder {
  /** Of the package's sources. */
  readonly folder: string;
  /** File names without endings: those whose types users see. */
  readonly names: readonly string[];
  /** Declarations that are made otherwise, by name. */
  readonly written?: Readonly<Record<string, string>>;
}

/** @returns text by file name; throws where one needs what is not part of the package */
export function declarationsOf({ folder, names, written = {} }: DeclarationOrder): ReadonlyMap<string, string> {
  const made = names.map((name): [string, string] => [name, declaration(join(folder, `${name}.ts`))]);
  const texts = new Map([...made, ...Object.entries(written)]);
  for (const [name, text] of texts) {
    const needed = [...text.matchAll(/from\s+'([^']+)'/gu)].map(([, from]) => from ?? '');
    const missing = needed.find((from) => !texts.has(from.replace(/^\.\/(.*)\.js$/u, '$1')));
    if (missing !== undefined) throw new Error(`${name} needs ${missing}, which is not part of the package`);
  }
  return new Map([...texts].map(([name, text]) => [`${name}.d.ts`, text]));
}

function declaration(file: string): string {
  const compilerOptions: ts.CompilerOptions = { target: ts.ScriptTarget.ES2022, isolatedDeclarations: true };
  const source = readFileSync(file, 'utf8');
  const made = ts.transpileDeclaration(source, { fileName: file, compilerOptions, reportDiagnostics: true });
  const [error] = made.diagnostics ?? [];
  if (error !== undefined) throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(error.messageText, '\n')}`);
  // Beside the declarations lie scripts.
  return made.outputText.replaceAll(/(from\s+')(\.\/[\w-]+)\.ts'/gu, "$1$2.js'");
}

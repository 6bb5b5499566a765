// Lists the project's source files for rule tests, without packages, builds and data.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = new URL('../../', import.meta.url).pathname.replace(/\/$/, '');

/** What exists in a working folder but is not ours to judge. */
const left = new Set(['node_modules', 'dist', 'data', 'data-dev', 'coverage', '.git', '.vedette']);

export interface SourceFile {
  /** Relative to the root. */
  readonly name: string;
  readonly text: string;
}

export function filesBelow(folder: string, pattern: RegExp): SourceFile[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (left.has(entry.name)) return [];
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(name, pattern);
    return pattern.test(name) ? [{ name, text: readFileSync(path.join(root, name), 'utf8') }] : [];
  });
}

export function sources(): SourceFile[] {
  return filesBelow('.', /\.(tsx?|js|cjs|mjs|py)$/);
}

export function testFiles(): SourceFile[] {
  return filesBelow('.', /\.(test|spec)\.(tsx?|js)$/);
}

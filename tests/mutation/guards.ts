// Finds the guards of the server: every refusal for want of a right, and the SQL conditions of what is visible.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface Mutant {
  /** Below the repository. */
  readonly file: string;
  readonly line: number;
  readonly at: number;
  readonly from: string;
  readonly to: string;
}

const REFUSAL =
  /if \((?=[^\n]*\) throw new CallError\('(?:permissionDenied|notFound|devNotExist|ownership|tokenInvalid)')/g;
const ROOM = ['server/auth', 'server/http', 'server/features'];
const VISIBLE = /return anyOf\(/g;

export function findGuards(root: string): Mutant[] {
  const files = ROOM.flatMap((folder) => listFiles(join(root, folder)));
  return files.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    const file = relative(root, path);
    const make = (at: number, from: string, to: string): Mutant => ({
      file,
      line: text.slice(0, at).split('\n').length,
      at,
      from,
      to,
    });
    const refusals = [...text.matchAll(REFUSAL)].map((match) => make(match.index, match[0], 'if (false && '));
    if (file !== 'server/auth/visible.ts') return refusals;
    const lists = [...text.matchAll(VISIBLE)].map((match) =>
      make(match.index, match[0], 'return anyOf([sql`true`] ?? '),
    );
    return [...refusals, ...lists];
  });
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

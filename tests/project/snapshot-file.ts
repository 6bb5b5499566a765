// Compares a derived text with its file in the tree; RENEW_SNAPSHOTS=1 writes the file instead.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { root } from './source-files.ts';

const isRenewed = process.env['RENEW_SNAPSHOTS'] === '1';

/** `file`: relative to the root. */
export function expectSnapshot(file: string, lines: readonly string[]): void {
  const place = path.join(root, file);
  const text = `${lines.join('\n')}\n`;
  if (isRenewed) {
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  const { gone, added } = compare(existsSync(place) ? readFileSync(place, 'utf8') : '', text);
  const differences = [...gone.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)];
  expect(
    differences.length,
    `${file} holds (-), the tree derives (+); meant? then write it with RENEW_SNAPSHOTS=1 in the environment\n${differences.slice(0, 60).join('\n')}`,
  ).toBe(0);
}

/** Lines of the one and of the other alone; where only their order differs, all of them. */
function compare(kept: string, derived: string): { readonly gone: string[]; readonly added: string[] } {
  if (kept === derived) return { gone: [], added: [] };
  const [before, after] = [kept, derived].map((text) => text.split('\n')) as [string[], string[]];
  const gone = without(before, after);
  const added = without(after, before);
  return gone.length + added.length === 0 ? { gone: before, added: after } : { gone, added };
}

/** Each line as often as it is in excess. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return count <= 0;
  });
}

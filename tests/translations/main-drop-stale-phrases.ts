// npm run phrases:drop-stale: takes translations out of the further languages whose English sentence has changed; they are shown in English until somebody translates them anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { pack as english } from '@vedette/phrases/en/pack.ts';
import { FURTHER_TAGS } from '@vedette/phrases/pack.ts';
import { staleKeys } from './stale-phrases.ts';

const folder = new URL('../../phrases/further/', import.meta.url);
const fingerprints = read('translated-from');
for (const tag of FURTHER_TAGS) {
  const file = tag.toLowerCase();
  const pack = read(file);
  const stale = new Set(staleKeys(Object.keys(pack), english, fingerprints));
  const kept = Object.entries(pack).filter(([key]) => !stale.has(key));
  write(file, Object.fromEntries(kept));
  process.stdout.write(`${tag}: ${stale.size} taken out, ${kept.length} left\n`);
}
const current = Object.keys(fingerprints).filter((key) => staleKeys([key], english, fingerprints).length === 0);
write('translated-from', Object.fromEntries(current.map((key) => [key, fingerprints[key] ?? ''])));

function read(name: string): Record<string, string> {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Record<string, string>;
}

function write(name: string, value: Record<string, string>): void {
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(value, null, 2)}\n`);
}

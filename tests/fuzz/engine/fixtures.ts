// Captured answers of real devices, where present; otherwise the fuzzers use written seeds alone.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const FIXTURES = new URL('../../../../shared/fixtures/', import.meta.url);

export function capturedFiles(folder: string, wanted: RegExp): Buffer[] {
  const place = new URL(folder, FIXTURES);
  if (!existsSync(place)) return [];
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((name) => wanted.test(name))
    .sort()
    .map((name) => readFileSync(new URL(name, place)));
}

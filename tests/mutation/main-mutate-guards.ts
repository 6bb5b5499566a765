// `npm run mutate:guards [word]`: takes out each guard of the server in turn and runs the contract tests; a guard that no test misses is printed. Not part of CI: it takes hours.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { findGuards, type Mutant } from './guards.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const HOOK = new URL('./mutant-hook.js', import.meta.url).pathname;
/** The broad tests first: most guards are missed by one of them. */
const FIRST = ['every-call', 'permission-matrix', 'organisations', 'rights'];

function testsFor({ file }: Mutant): string[] {
  const all = readdirSync(`${ROOT}tests/contract`).filter((name) => name.endsWith('.test.ts'));
  const topic = file.split('/')[2] ?? '';
  const rank = (name: string): number => {
    if (name.includes(topic)) return -1;
    const place = FIRST.findIndex((one) => name.startsWith(one));
    return place < 0 ? FIRST.length : place;
  };
  return all.toSorted((one, other) => rank(one) - rank(other)).map((name) => `tests/contract/${name}`);
}

/** Name of the test file that misses the guard; null: none. */
function missedBy(mutant: Mutant): string | null {
  for (const test of testsFor(mutant)) {
    const run = spawnSync(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--retry', '0', '--bail', '1', '--project', 'contract', test],
      {
        cwd: ROOT,
        stdio: 'ignore',
        timeout: 600_000,
        env: {
          ...process.env,
          FAULT_TABLE: '1',
          VEDETTE_MUTANT: JSON.stringify(mutant),
          VEDETTE_MUTANT_OPTIONS: `--import=${HOOK}`,
        },
      },
    );
    if (run.status !== 0) return test;
  }
  return null;
}

const word = process.argv[2] ?? '';
const mutants = findGuards(ROOT).filter(({ file, line }) => `${file}:${line}`.includes(word));
process.stdout.write(`${mutants.length} guards\n`);
const survivors: string[] = [];
for (const mutant of mutants) {
  const place = `${mutant.file}:${mutant.line}`;
  const test = missedBy(mutant);
  process.stdout.write(`${test === null ? 'SURVIVES' : 'missed  '}  ${place}  ${test ?? ''}\n`);
  if (test === null) survivors.push(place);
}
process.stdout.write(`survivors: ${survivors.length}\n${survivors.map((place) => `  ${place}\n`).join('')}`);
process.exitCode = survivors.length === 0 ? 0 : 1;

// `npm run mutate:guards [-- word]`: takes the guards of the server out and runs the contract tests that see them at work; a guard that none misses is printed. Not part of CI: it takes most of an hour.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { findGuards } from './guards.ts';
import { type GuardedRun, OUTSIDE, runGuarded } from './guarded-run.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
/** What each test file saw is kept here until the file or a guard changes. */
const KEPT = `${ROOT}.vedette/guards-seen.json`;

const words = process.argv.slice(2);
const word = words.find((one) => !one.startsWith('--')) ?? '';
/**
 * Each guard by itself, which takes hours. Without it those that different tests see are taken out together, and told apart by the
 * tests that fail: one that fails because of what another guard's want spoilt counts for its own.
 */
const isAlone = words.includes('--alone');
/** `--lanes=2`: so many runs at the same time. */
const lanes = Number(optionOf('lanes') ?? 1);
/** `--under="nice -n 10"`: a command that starts each run. */
const under = (optionOf('under') ?? '').split(' ').filter((one) => one !== '');

function optionOf(name: string): string | undefined {
  return words.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);
}

/** Of one test file. */
interface Look {
  readonly hash: string;
  readonly tookMs: number;
  readonly seen: Readonly<Record<string, readonly string[]>>;
}

const guards = findGuards(ROOT);
const kinds = new Map(guards.map(({ id, kind }) => [id, kind]));
/** Files that each guard is still to be missed by; gone once it was. */
const open = new Map<string, Set<string>>();
/** Taken out in a run that goes on. */
const flying = new Set<string>();
process.exitCode = await main();

async function main(): Promise<number> {
  const looks = await lookAtAll();
  const chosen = guards.filter(({ id }) => id.includes(word));
  for (const { id } of chosen) {
    open.set(id, new Set([...looks].filter(([, { seen }]) => seen[id] !== undefined).map(([test]) => test)));
  }
  process.stdout.write(`${chosen.length} guards\n`);
  const survivors: string[] = [];
  const giveUp = (): void => {
    for (const [id, tests] of open) {
      if (tests.size > 0 || flying.has(id)) continue;
      open.delete(id);
      survivors.push(id);
      process.stdout.write(`SURVIVES  ${id}\n`);
    }
  };
  const lane = async (): Promise<void> => {
    giveUp();
    for (let batch = nextBatch(looks); batch !== null; batch = nextBatch(looks)) {
      for (const id of batch.ids) flying.add(id);
      await tryOut(batch, looks);
      for (const id of batch.ids) flying.delete(id);
      giveUp();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  process.stdout.write(`survivors: ${survivors.length}\n${survivors.map((id) => `  ${id}\n`).join('')}`);
  return survivors.length === 0 ? 0 : 1;
}

/** Which tests of each file see which guards at work, with all of them in place. */
async function lookAtAll(): Promise<Map<string, Look>> {
  const kept = existsSync(KEPT) ? (JSON.parse(readFileSync(KEPT, 'utf8')) as Record<string, Look>) : {};
  const looks = new Map<string, Look>();
  const left = readdirSync(`${ROOT}tests/contract`).filter((name) => name.endsWith('.test.ts'));
  const lane = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const test = `tests/contract/${name}`;
      const hash = hashOf(JSON.stringify(guards) + readFileSync(ROOT + test, 'utf8'));
      const before = kept[test];
      looks.set(test, before?.hash === hash ? before : { hash, ...(await lookAt(test)) });
      mkdirSync(`${ROOT}.vedette`, { recursive: true });
      writeFileSync(KEPT, JSON.stringify({ ...kept, ...Object.fromEntries(looks) }));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return looks;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function lookAt(test: string): Promise<Omit<Look, 'hash'>> {
  const { hasFailed, failed, tookMs, seen } = await runGuarded({ guards, test, taken: [], under });
  if (hasFailed) throw new Error(`${test} fails with every guard in place: ${failed[0] ?? 'before any test'}`);
  process.stdout.write(`${test} sees ${seen.size} guards in ${(tookMs / 1000).toFixed(1)} s\n`);
  return { tookMs, seen: Object.fromEntries(seen) };
}

interface Batch {
  readonly test: string;
  readonly ids: readonly string[];
}

/** The file and the guards that tell the most for the time; marked as tried. */
function nextBatch(looks: ReadonlyMap<string, Look>): Batch | null {
  let best: { batch: Batch; worth: number } | null = null;
  for (const [test, look] of looks) {
    const ids = apart(
      [...open].filter(([id, tests]) => tests.has(test) && !flying.has(id)).map(([id]) => id),
      look,
    );
    const worth = ids.length / (look.tookMs + 1000);
    if (ids.length > 0 && (best === null || worth > best.worth)) best = { batch: { test, ids }, worth };
  }
  for (const id of best?.batch.ids ?? []) open.get(id)?.delete(best?.batch.test ?? '');
  return best?.batch ?? null;
}

/** As many as no test sees two of: the one that fails then tells which guard it missed. */
function apart(ids: readonly string[], { seen }: Look): string[] {
  const fewestFirst = [...ids].sort((one, other) => testsOf(one, seen).length - testsOf(other, seen).length);
  const taken = new Set<string>();
  const chosen: string[] = [];
  for (const id of fewestFirst) {
    const tests = testsOf(id, seen);
    const isFree = !isAlone && !tests.includes(OUTSIDE) && tests.every((name) => !taken.has(name));
    if (chosen.length > 0 && !isFree) continue;
    chosen.push(id);
    for (const name of tests) taken.add(name);
    if (isAlone || tests.includes(OUTSIDE)) break;
  }
  return chosen;
}

/** A filter is passed by whatever reads the table: what set the stage says nothing of it. */
function testsOf(id: string, seen: Look['seen']): readonly string[] {
  const tests = seen[id] ?? [];
  const within = tests.filter((name) => name !== OUTSIDE);
  const isPassed = ['filter', 'sql', 'visible'].includes(kinds.get(id) ?? '');
  return isPassed && within.length > 0 ? within : tests;
}

async function tryOut({ test, ids }: Batch, looks: ReadonlyMap<string, Look>): Promise<void> {
  const run = await runGuarded({ guards, test, taken: ids, under });
  const seen = looks.get(test)?.seen ?? {};
  const missers = new Map(ids.map((id) => [id, run.failed.find((name) => testsOf(id, seen).includes(name))]));
  if (ids.length > 1 && isUnclear(run, ids, seen)) {
    // One guard that is missing spoilt what another's tests stand on.
    const middle = Math.ceil(ids.length / 2);
    await tryOut({ test, ids: ids.slice(0, middle) }, looks);
    await tryOut({ test, ids: ids.slice(middle) }, looks);
    return;
  }
  for (const id of ids) {
    const misser = ids.length > 1 ? missers.get(id) : run.hasFailed ? (run.failed[0] ?? 'before any test') : undefined;
    if (misser === undefined) continue;
    open.delete(id);
    process.stdout.write(`missed    ${id}  by ${test}: ${misser}\n`);
  }
}

/** Something failed, and no test that sees one of the guards. What fails beside those that do stands on what they spoilt. */
function isUnclear(run: GuardedRun, ids: readonly string[], seen: Look['seen']): boolean {
  return run.hasFailed && !run.failed.some((name) => ids.some((id) => testsOf(id, seen).includes(name)));
}

// Runs the test of each incident in a copy of the repository, first with its guard and then without it, and tells which stay green.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INCIDENT_GUARDS, type IncidentGuard } from './incident-guards.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const REPORTER = new URL('./test-results.js', import.meta.url).pathname;
const RUN_MS_MAX = 600_000;

/** `missed`: the test was red. `survives`: it was green. `broken`: it was not green with the guard in place, or did not run without it. */
type Verdict = 'missed' | 'survives' | 'broken';

export class IncidentMutation {
  readonly #guards: readonly IncidentGuard[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'vedette-without-guard-'));
  /** By file of tests. */
  readonly #green = new Map<string, Promise<boolean>>();
  readonly #copy = join(this.#folder, 'copy');

  /** `word`: part of the names of those that are tried. */
  constructor(word: string) {
    this.#guards = INCIDENT_GUARDS.filter(({ incident }) => incident.includes(word));
  }

  /** Answers how many were not missed. */
  async run(): Promise<number> {
    this.#makeCopy();
    try {
      const verdicts: Verdict[] = [];
      for (const guard of this.#guards) {
        const verdict = await this.#try(guard);
        verdicts.push(verdict);
        process.stdout.write(`${verdict.padEnd(9)} ${guard.incident}: ${guard.file}, by ${guard.test}\n`);
      }
      const left = verdicts.filter((verdict) => verdict !== 'missed').length;
      process.stdout.write(`${verdicts.length - left} of ${verdicts.length} guards are missed\n`);
      return left;
    } finally {
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  /** As the working folder is, so that a guard can be tried before it is committed; packages are shared. */
  #makeCopy(): void {
    const options = { cwd: ROOT, maxBuffer: 64 << 20 };
    const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], options);
    const kept = files
      .toString()
      .split('\0')
      .filter((name) => name !== '' && existsSync(join(ROOT, name)));
    execFileSync('cp', ['--parents', '-P', '-t', this.#made(), ...kept], options);
    // Rooms find each other below node_modules as well: those links must lead into the copy.
    const packages = join(this.#copy, 'node_modules');
    execFileSync('mkdir', ['-p', packages]);
    for (const name of readdirSync(join(ROOT, 'node_modules'))) {
      if (name !== '@vedette') symlinkSync(join(ROOT, 'node_modules', name), join(packages, name));
    }
    execFileSync('cp', ['-a', join(ROOT, 'node_modules', '@vedette'), packages]);
    if (existsSync(join(ROOT, 'console/dist')))
      execFileSync('cp', ['-a', 'console/dist', join(this.#copy, 'console')], options);
  }

  #made(): string {
    execFileSync('mkdir', ['-p', this.#copy]);
    return this.#copy;
  }

  async #try(one: IncidentGuard): Promise<Verdict> {
    if (!(await this.#isGreen(one.test))) return 'broken';
    const path = join(this.#copy, one.file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      text.replace(one.guard, () => one.without),
    );
    try {
      const isRed = await this.#failed(one, [one]);
      return isRed === null ? 'broken' : isRed ? 'missed' : 'survives';
    } finally {
      writeFileSync(path, text);
    }
  }

  /** With every guard in place: all that are tried of one file at once. */
  #isGreen(test: string): Promise<boolean> {
    const known = this.#green.get(test);
    if (known !== undefined) return known;
    const ofFile = this.#guards.filter((guard) => guard.test === test);
    const [first] = ofFile;
    const green = first === undefined ? Promise.resolve(false) : this.#failed(first, ofFile).then((is) => is === false);
    this.#green.set(test, green);
    return green;
  }

  /** Whether a test with a title of these failed; null where none ran to its end. */
  async #failed(
    { project, test }: Pick<IncidentGuard, 'project' | 'test'>,
    tried: readonly IncidentGuard[],
  ): Promise<boolean | null> {
    const results = join(this.#folder, 'results');
    rmSync(results, { force: true });
    const titles = tried.map(({ title }) => title);
    const pattern = titles.map((title) => title.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&')).join('|');
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, test, '-t', pattern];
    const child = spawn(
      process.execPath,
      [...vitest, '--retry', '0', '--hookTimeout', '400000', `--reporter=${REPORTER}`],
      {
        cwd: this.#copy,
        stdio: 'ignore',
        timeout: RUN_MS_MAX,
        env: { ...process.env, VEDETTE_TEST_RESULTS: results },
      },
    );
    await once(child, 'exit');
    if (!existsSync(results)) return null;
    const lines = readFileSync(results, 'utf8').trim().split('\n');
    return lines
      .map((line) => JSON.parse(line) as { name: string; isFailed: boolean })
      .some(({ name, isFailed }) => isFailed && tried.some(({ title }) => name.includes(title)));
  }
}

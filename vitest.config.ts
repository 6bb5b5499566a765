// The suites of tests: units beside their files, our own rules, and the suites that start real processes.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { rooms as shipped } from './launcher/check/rooms.js';

const rooms = `{${shipped.join(',')}}`;
const aside = ['**/node_modules/**', '**/dist/**', 'data/**', '.vedette/**'];

/** `npm test` measures which branches run, here and in every process that a test starts (launcher/branch-coverage/). */
const coverageFolder = process.env['VEDETTE_COVERAGE'];
const measured = coverageFolder === undefined ? {} : { NODE_V8_COVERAGE: `${coverageFolder}/processes` };
/** Sites overwrite pictures whose memory is given back: who reads one too late does not get away with it. */
const env = { VEDETTE_POISON_MEMORY: '1', ...measured };
/** One file for each core; left to itself vitest keeps a core back, which has little to do. */
const onAllCores = { maxWorkers: availableParallelism(), env: measured };
/** Suites with real processes and ports wait much of their time: three files at a time, and on larger machines no more, so that figures mean something; four missed promises in seconds. */
const withProcesses = { maxWorkers: 3, sequence: { groupOrder: 1 }, testTimeout: 60_000, hookTimeout: 180_000, env };
/** What starts servers without their launcher. */
const globalSetup = ['./tests/contract/run-database.ts'];

/** `npm run mutate:guards` wants to know which test runs, and takes guards out of what a test loads itself. */
const isMutated = process.env['VEDETTE_RUNNING_TEST'] !== undefined;
const setupFiles = isMutated ? ['./tests/mutation/running-test.ts'] : [];
const plugins = isMutated ? [await guardPlugin()] : [];

async function guardPlugin() {
  const { withGuards } = await import('./tests/mutation/mutant-hook.js');
  const transform = (text: string, url: string): string | null =>
    url.includes('/server/') ? withGuards(url, text) : null;
  return { name: 'guards', enforce: 'pre' as const, transform };
}

/** Beside large programs of others, which take a minute to install: `npm run test:peers`. */
const withPeers = 'tests/**/*.peers.{test,spec}.ts';

/** Begun first, as they take longer than their size says: else one lane ends long after the other. */
const longOnes = [
  'integration/kept-by-class',
  'contract/hostile-values',
  'contract/tenancy',
  'contract/every-call',
  'contract/database-frozen',
  'contract/alarm-rule',
  'integration/changing-names',
  'integration/analysis',
  'integration/remote-site',
  'integration/recorder-group',
  'faults/site-kill',
  'faults/soak',
  'faults/site-freeze',
  'faults/several-disks',
  'integration/hostile-broker',
  'integration/hostile-receiver',
  'faults/format-and-gop',
  'integration/launcher',
  'integration/independent-camera',
  'abuse/attacks',
  'integration/device-recordings',
  'faults/camera-offline',
  'faults/server-kill',
];

/** Attacks that take both cores, and promises in seconds under them: begun when little else runs any more. */
const lastOnes = ['faults/kill-under-attack'];

class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isOf = (names: readonly string[], { moduleId }: TestSpecification): boolean =>
      names.some((name) => moduleId.includes(`/tests/${name}.`));
    const placeOf = (file: TestSpecification): number => (isOf(longOnes, file) ? 0 : isOf(lastOnes, file) ? 2 : 1);
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

/** Chromium without its own windows and extensions: a page costs nearly half the processor time. Where it is not installed, tests take the whole. */
const headlessShell = '/usr/bin/chromium-headless-shell';

/** Where it is ten in the morning: no day ends under a page that is tested, whenever and wherever that is. Etc/GMT-3 is three hours east. */
function forenoonZone(): string {
  const east = ((10 - new Date().getUTCHours() + 36) % 24) - 12;
  return east === 0 ? 'UTC' : `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
}

const inBrowser = {
  ...withProcesses,
  setupFiles: ['./tests/browser/page-dump.ts'],
  // A browser on a busy machine gets one more try; the report marks it (retry x1), and each such mark is a defect to mend.
  retry: 1,
  // Chromium draws on the processor: a third page only slows down the other two.
  maxWorkers: 2,
  testTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  env: {
    ...measured,
    TZ: process.env['TZ'] ?? forenoonZone(),
    VEDETTE_BROWSER: process.env['VEDETTE_BROWSER'] ?? headlessShell,
  },
};

export default defineConfig({
  test: {
    pool: 'forks',
    sequence: { sequencer: LongOnesFirst },
    reporters: ['default'],
    coverage: {
      enabled: coverageFolder !== undefined,
      provider: 'v8',
      reporter: [['json', { file: 'branches.json' }]],
      reportOnFailure: true,
      // Components are measured by nothing that runs here: most of what they do happens in browsers.
      exclude: [
        '**/*.tsx',
        '**/*.fake.ts',
        '**/*.{fixture,config}.ts',
        '{tests,bench,docs,phrases,virtual-devices}/**',
      ],
    },
    projects: [
      {
        test: {
          name: 'unit',
          include: [`${rooms}/**/*.test.{ts,js}`, 'tests/soak/**/*.test.ts'],
          exclude: aside,
          testTimeout: 15_000,
          ...onAllCores,
          // What one file imported serves the next: two fifths of the work were the same modules, loaded anew for each.
          isolate: false,
        },
      },
      {
        test: {
          name: 'component',
          include: ['{console,player}/**/*.test.tsx'],
          exclude: aside,
          environment: 'happy-dom',
          testTimeout: 15_000,
          ...onAllCores,
        },
      },
      {
        test: {
          name: 'project',
          include: ['tests/project/**/*.test.{ts,js}'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          ...onAllCores,
        },
      },
      { test: { name: 'fuzz', include: ['tests/fuzz/**/*.test.ts'], testTimeout: 3_600_000, ...onAllCores } },
      {
        plugins,
        test: { name: 'contract', include: ['tests/contract/**/*.test.ts'], ...withProcesses, globalSetup, setupFiles },
      },
      {
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          exclude: [withPeers],
          ...withProcesses,
          globalSetup,
          // Patience, not a figure: what has to be quick is measured by its test.
          testTimeout: 120_000,
        },
      },
      { test: { name: 'abuse', include: ['tests/abuse/**/*.test.ts'], ...withProcesses, testTimeout: 120_000 } },
      {
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          exclude: [withPeers],
          ...withProcesses,
          testTimeout: 300_000,
        },
      },
      { test: { ...inBrowser, name: 'peers', include: [withPeers], globalSetup, testTimeout: 300_000 } },
      {
        test: {
          ...inBrowser,
          name: 'browser',
          include: ['tests/browser/**/*.{test,spec}.ts'],
          exclude: [withPeers],
          // Files of one worker share its modules; what a spec starts it ends itself.
          isolate: false,
        },
      },
    ],
  },
});

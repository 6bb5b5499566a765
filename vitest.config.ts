// The suites of tests: units beside their files, our own rules, and the suites that start real processes one after the other.
import { defineConfig } from 'vitest/config';

const rooms = '{contract,rules,phrases,protocols,drivers,media,site,server,player,console,virtual-devices,launcher}';
const aside = ['**/node_modules/**', '**/dist/**', 'data/**', '.vedette/**'];

/** Sites overwrite pictures whose memory is given back: who reads one too late does not get away with it. */
const env = { VEDETTE_POISON_MEMORY: '1' };
/** Suites with real processes and ports: one file at a time, so that figures mean something on a small machine. */
const oneByOne = { fileParallelism: false, testTimeout: 60_000, hookTimeout: 180_000, env };
/** Cameras, disks and browsers on a busy machine get one more try; the report marks it (retry x1), and each such mark is a defect to mend. */
const onceMore = { ...oneByOne, retry: 1 };

/** Where it is ten in the morning: no day ends under a page that is tested, whenever and wherever that is. Etc/GMT-3 is three hours east. */
function forenoonZone(): string {
  const east = ((10 - new Date().getUTCHours() + 36) % 24) - 12;
  return east === 0 ? 'UTC' : `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
}

export default defineConfig({
  test: {
    pool: 'forks',
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: [`${rooms}/**/*.test.{ts,js}`],
          exclude: aside,
          testTimeout: 15_000,
        },
      },
      {
        test: {
          name: 'component',
          include: ['{console,player}/**/*.test.tsx'],
          exclude: aside,
          environment: 'happy-dom',
          testTimeout: 15_000,
        },
      },
      { test: { name: 'project', include: ['tests/project/**/*.test.{ts,js}'], testTimeout: 60_000 } },
      { test: { name: 'fuzz', include: ['tests/fuzz/**/*.test.ts'], testTimeout: 3_600_000 } },
      { test: { name: 'contract', include: ['tests/contract/**/*.test.ts'], ...oneByOne } },
      { test: { name: 'integration', include: ['tests/integration/**/*.test.ts'], ...onceMore } },
      { test: { name: 'faults', include: ['tests/faults/**/*.test.ts'], ...onceMore, testTimeout: 300_000 } },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.{test,spec}.ts'],
          ...onceMore,
          testTimeout: 120_000,
          env: { TZ: process.env['TZ'] ?? forenoonZone() },
        },
      },
    ],
  },
});

// The report of a soak: each thing that breaks it, and the table.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { roleOf } from './measure/process-samples.ts';
import { SampleBook } from './measure/sample-book.ts';
import { soakOptions } from './options.ts';
import { reportTable, type SoakFacts, soakReport } from './report.ts';

const HOUR_MS = 3_600_000;

let folder: string;
let book: SampleBook;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-soak-report-'));
  vi.spyOn(performance, 'now').mockReturnValue(0);
  book = new SampleBook(join(folder, 'samples.csv'), HOUR_MS);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await book.close();
  rmSync(folder, { recursive: true });
});

/** A sample every six minutes for 30 hours. */
function note(series: string, valueAt: (hour: number) => number, lifeAt: (hour: number) => string = () => '1'): void {
  for (let hour = 0; hour <= 30; hour += 0.1) {
    vi.mocked(performance.now).mockReturnValue(hour * HOUR_MS);
    book.note(series, valueAt(hour), lifeAt(hour));
  }
}

function facts(more: Partial<SoakFacts> = {}): SoakFacts {
  return {
    options: soakOptions({ minutes: 30 * 60, cameras: 100, viewers: 20, seed: 1, folder }),
    ranMs: 30 * HOUR_MS,
    book,
    outages: [],
    gaps: [],
    lookedMs: 0,
    troubles: { kept: [], total: 0, excused: 3 },
    visits: { total: 1, frames: 1 },
    turns: 1,
    exports: 1,
    alarms: { acknowledged: { program: 5, camera: 2 }, stored: { program: 6, camera: 2 } },
    ...more,
  };
}

const gap = { startTime: 0, endTime: 5000, deviceSerial: 'A', channelNo: 1 } as const;
const trouble = { what: 'a call', atMs: 0, message: 'refused' };

it('holds while all is flat, and what may grow does', () => {
  note('ownMb/site', () => 100);
  note('rows/alarm', (hour) => 1000 * hour);
  note('diskMb/postgres', (hour) => hour);
  note('handles/postgres', (hour) => 100 * hour);
  const { report, series } = soakReport(facts({ gaps: [{ ...gap, reason: 'siteDown', isExplained: true }] }));
  expect(report).toMatchObject({ verdict: 'held', rises: [], flat: 1, gaps: { explained: 1, unexplained: 0 } });
  expect(report.quota).toEqual({ mb: 10_000, mostUsedMb: 0, timesFilled: 34.56 });
  expect(series.filter(({ isJudged }) => isJudged).map((one) => one.series)).toEqual(['ownMb/site']);
});

it.each([
  ['a gap without a true reason', { gaps: [{ ...gap, reason: 'untold', isExplained: false } as const] }],
  ['a failure while nothing was restarted', { troubles: { kept: [trouble], total: 1, excused: 0 } }],
  [
    'an acknowledged event that is not stored',
    { alarms: { acknowledged: { program: 7, camera: 2 }, stored: { program: 6, camera: 2 } } },
  ],
  [
    'an alarm of a camera that is not stored',
    { alarms: { acknowledged: { program: 5, camera: 3 }, stored: { program: 5, camera: 2 } } },
  ],
])('is broken by %s', (_what, more) => {
  expect(soakReport(facts(more)).report.verdict).toBe('broken');
});

it('is broken by a quota that is not kept', () => {
  note('storage/usedMb', () => 10_400);
  expect(soakReport(facts()).report.verdict).toBe('held');
  note('storage/usedMb', () => 10_600);
  expect(soakReport(facts()).report.verdict).toBe('broken');
});

it.each([
  'ownMb/site',
  'handles/server',
  'sockets/gateway',
  'threads/site',
  'processes/postgres',
  'rows/device',
  'callMs/device/list',
  'pictureMs/delay',
])('is broken by %s that rises', (series) => {
  note(series, (hour) => 100 + 20 * hour);
  expect(soakReport(facts()).report).toMatchObject({ verdict: 'broken', rises: [series] });
});

it('leaves the first hour of each life out, and compares no life with another', () => {
  // As high as it gets within an hour of each start; each life begins 50 above the one before.
  note(
    'ownMb/site',
    (hour) => 50 * Math.floor(hour / 10) + Math.min(100, 100 * (hour % 10)),
    (hour) => String(Math.floor(hour / 10)),
  );
  expect(soakReport(facts()).report).toMatchObject({ verdict: 'held', flat: 1 });
});

it('judges rows that are kept for a time after it alone', () => {
  note('rows/session', (hour) => 40 * Math.min(hour, 25));
  note('rows/taken_event', (hour) => 1000 * hour);
  expect(soakReport(facts()).report).toMatchObject({ verdict: 'held', flat: 1, tooShort: 1 });
});

it('writes each sample into its file at once, and a table with the worst first', async () => {
  note('ownMb/site', () => 100);
  note('rows/device', (hour) => 100 + 20 * hour);
  note('rows/alarm', (hour) => hour);
  const lines = reportTable(soakReport(facts()).series).split('\n');
  expect(lines.map((line) => [line.split(' ')[0], line.split(' ').at(-1)])).toEqual([
    ['series', 'verdict'],
    ['rows/device', 'rises'],
    ['ownMb/site', 'flat'],
    ['rows/alarm', 'told'],
  ]);
  await book.close();
  const written = readFileSync(join(folder, 'samples.csv'), 'utf8').split('\n');
  expect(written.slice(0, 2)).toEqual(['hours,series,life,value', '0.00000,ownMb/site,1,100']);
});

it.each([
  ['/usr/bin/node --flag /x/site/main-site.ts', 'site'],
  ['node launcher/main-launcher.js --port 0', 'launcher'],
  ['postgres: vedette vedette [local] idle', 'postgres'],
  ['/opt/pg/bin/postgres -D /data', 'postgres'],
  ['ffmpeg -v error', 'ffmpeg'],
])('%s is %s', (command, role) => expect(roleOf(command)).toBe(role));

// How measures of the installation are judged.
import { describe, expect, it } from 'vitest';
import {
  type Judgement,
  judgeAuditLog,
  judgeBackup,
  judgeCertificate,
  judgeCpu,
  judgeDatabase,
  judgeDisk,
  judgeGrowth,
  judgeLoop,
  judgeMail,
  judgeMemory,
  judgeMessages,
  judgeSkew,
  judgeStorage,
  worst,
} from './system-health.ts';

const good: Judgement = { state: 'good', reason: null };
const few = { used: 1, most: 60 };
const DAY = 86_400_000;

describe('a series', () => {
  it('without values is good', () => {
    expect([judgeLoop([]), judgeCpu([null]), judgeDatabase([], few), judgeGrowth([null], 'eventsDropped')]).toEqual([
      good,
      good,
      good,
      good,
    ]);
  });

  it('is judged by its last minute, and not by one late moment', () => {
    expect(judgeLoop([900, 900, 900, 1, 1, 1, 1, 1, 900])).toEqual(good);
    expect(judgeLoop([1, 120, 120, 120, 120, 1, 120])).toEqual({ state: 'warning', reason: 'loopLate' });
    expect(judgeLoop([700, 700, 700, 700])).toEqual({ state: 'bad', reason: 'loopBlocked' });
  });

  it('of processor time needs a whole minute', () => {
    expect(judgeCpu([1, 1, 1])).toEqual(good);
    expect(judgeCpu([0, 1, 1, 1, 1, 1, 0.9])).toEqual({ state: 'warning', reason: 'cpuHigh' });
  });

  it('of a counter matters while it grows', () => {
    expect(judgeGrowth([5, 5, null, 5], 'eventsDropped')).toEqual(good);
    expect(judgeGrowth([null, 5, 6], 'eventsDropped')).toEqual({ state: 'warning', reason: 'eventsDropped' });
  });
});

it('the database is slow, stalled, or short of connections', () => {
  expect(judgeDatabase([300, 300], few)).toEqual({ state: 'warning', reason: 'databaseSlow' });
  expect(judgeDatabase([1500], { used: 60, most: 60 })).toEqual({ state: 'bad', reason: 'databaseSlow' });
  expect(judgeDatabase([3], { used: 55, most: 60 })).toEqual({ state: 'warning', reason: 'connectionsFew' });
});

it('disks and memory warn before they are full', () => {
  expect(judgeStorage('full')).toEqual({ state: 'warning', reason: 'storageFull' });
  expect(judgeStorage('missing')).toEqual({ state: 'bad', reason: 'storageMissing' });
  expect(judgeDisk(4e9, 1e11)).toEqual({ state: 'warning', reason: 'diskLow' });
  expect(judgeDisk(4e9, 1e10)).toEqual(good);
  expect(judgeDisk(1e8, 1e10)).toEqual({ state: 'bad', reason: 'diskFull' });
  expect(judgeMemory(1, 100)).toEqual({ state: 'warning', reason: 'memoryLow' });
  expect(judgeMemory(50, 100)).toEqual(good);
});

it('clocks, certificates and messages', () => {
  expect(judgeSkew(-2500)).toEqual({ state: 'warning', reason: 'clockApart' });
  expect([judgeSkew(null), judgeSkew(900)]).toEqual([good, good]);
  expect(judgeCertificate(null, 0)).toEqual({ state: 'off', reason: 'certificateNone' });
  expect(judgeCertificate(20 * DAY, 0)).toEqual(good);
  expect(judgeCertificate(10 * DAY, 0)).toEqual({ state: 'warning', reason: 'certificateEnds' });
  expect(judgeCertificate(10 * DAY, 11 * DAY)).toEqual({ state: 'bad', reason: 'certificateEnded' });
  expect(judgeMail(false, null, 0)).toEqual({ state: 'off', reason: 'mailOff' });
  expect(judgeMail(true, 5, 10)).toEqual({ state: 'warning', reason: 'mailFailed' });
  expect(judgeMail(true, 5, DAY)).toEqual(good);
  expect(judgeMessages({ delivered: 0, failed: 0 })).toEqual({ state: 'off', reason: 'messagesNone' });
  expect(judgeMessages({ delivered: 3, failed: 0 })).toEqual(good);
  expect(judgeMessages({ delivered: 3, failed: 1 })).toEqual({ state: 'warning', reason: 'messagesFailed' });
  expect(judgeMessages({ delivered: 0, failed: 1 })).toEqual({ state: 'bad', reason: 'messagesFailed' });
  expect([judgeAuditLog(null, DAY), judgeAuditLog(DAY - 60_000, DAY)]).toEqual([good, good]);
  expect(judgeAuditLog(DAY - 60_001, DAY)).toEqual({ state: 'bad', reason: 'auditUnchained' });
});

it('of several the most severe counts', () => {
  expect(worst([judgeSkew(5000), judgeStorage('failing'), good])).toEqual({
    state: 'bad',
    reason: 'storageFailing',
  });
  expect(worst([])).toEqual(good);
});

describe('judgeBackup', () => {
  const day = 86_400_000;
  const at = 1_800_000_000_000;
  it.each([
    ['none at all', { everyMs: null, goodAt: null, hasFailed: false, hasCheckFailed: false }, 'off', 'backupNone'],
    ['one by hand', { everyMs: null, goodAt: at - 6 * day, hasFailed: false, hasCheckFailed: false }, 'good', null],
    [
      'one by hand, weeks ago',
      { everyMs: null, goodAt: at - 8 * day, hasFailed: false, hasCheckFailed: false },
      'warning',
      'backupOld',
    ],
    ['a daily one', { everyMs: day, goodAt: at - 1.5 * day, hasFailed: false, hasCheckFailed: false }, 'good', null],
    [
      'a daily one that failed last',
      { everyMs: day, goodAt: at - 1.5 * day, hasFailed: true, hasCheckFailed: false },
      'warning',
      'backupFailed',
    ],
    [
      'a daily one, days ago',
      { everyMs: day, goodAt: at - 2.1 * day, hasFailed: true, hasCheckFailed: false },
      'bad',
      'backupOld',
    ],
    [
      'a daily one that never was',
      { everyMs: day, goodAt: null, hasFailed: true, hasCheckFailed: false },
      'bad',
      'backupOld',
    ],
    [
      'one by hand that failed',
      { everyMs: null, goodAt: null, hasFailed: true, hasCheckFailed: false },
      'warning',
      'backupFailed',
    ],
    [
      'a daily one that could not be restored',
      { everyMs: day, goodAt: at - day, hasFailed: false, hasCheckFailed: true },
      'bad',
      'backupCheckFailed',
    ],
  ] as const)('%s', (_, facts, state, reason) => {
    expect(judgeBackup(facts, at)).toEqual({ state, reason });
  });
});

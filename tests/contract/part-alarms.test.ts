// Alarms of the installation's own parts: an operator is told that backups fail, and that they work again; nobody else is.
import type { HealthEntry } from '@vedette/contract/calls/system-health.ts';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../server/database/connection.ts';
import { AlarmWriter } from '../../server/features/alarm/alarm-writer.ts';
import { PartAlarms } from '../../server/health/part-alarms.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

const log = pino({ level: 'silent' });
const MINUTE = 60_000;

let server: ServerUnderTest;
let operator: CallClient;
let other: CallClient;
let opened: ReturnType<typeof openDatabase>;
let clock: FakeClock;
let watching: PartAlarms;
let backup: Pick<HealthEntry, 'state' | 'reason'> = { state: 'good', reason: null };

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  await operator.ok('user/add', { username: 'manager', password: 'Watch-2027', userType: 1 });
  other = await server.signIn('manager', 'Watch-2027');
  opened = openDatabase({ url: server.database.url, onError: () => undefined });
  // A little ago, so that no alarm is in the future.
  clock = new FakeClock(Date.now() - 60 * MINUTE);
  watching = begin();
});
afterAll(async () => {
  watching?.close();
  await opened?.database.destroy();
  await server?.stop();
});

function begin(): PartAlarms {
  const { database } = opened;
  const settings = () => Promise.resolve({ retentionDays: 30, topicList: [] });
  const alarms = new AlarmWriter({ database, clock, log, settings, timeZone: 'UTC' });
  const entry = { siteId: '', name: '', detail: '', figureList: [] };
  const part = new PartAlarms({
    database,
    clock,
    log,
    alarms,
    readParts: () =>
      Promise.resolve([
        { ...entry, part: 'mail', state: 'bad', reason: 'mailFailed' },
        { ...entry, part: 'backup', ...backup },
      ]),
  });
  part.start();
  return part;
}

/** Looks hit the database: time passes look by look, each ended before the next. */
async function pass(minutes: number): Promise<void> {
  for (let half = 0; half < minutes * 2; half += 1) {
    clock.advance(MINUTE / 2);
    await expect.poll(() => clock.next(), { timeout: 10_000 }).not.toBeNull();
  }
}

const told = async (client = operator) => (await client.ok('alarm/list', {})).alarmList;

it('says nothing of a part that has been bad for a moment', async () => {
  backup = { state: 'bad', reason: 'backupOld' };
  await pass(2);
  backup = { state: 'good', reason: null };
  await pass(3);
  expect(await told()).toEqual([]);
});

it('tells the operator, and nobody else, that backups are too old', async () => {
  backup = { state: 'bad', reason: 'backupOld' };
  await pass(3);
  expect(await told()).toEqual([
    expect.objectContaining({
      type: 'SystemAlarm',
      deviceName: '',
      endTime: null,
      data: { part: 'backup', reason: 'backupOld' },
    }),
  ]);
  expect(await told(other)).toEqual([]);
});

it('goes on with the same alarm after a restart of the server, and ends it when backups work again', async () => {
  watching.close();
  watching = begin();
  await pass(5);
  expect(await told()).toHaveLength(1);
  backup = { state: 'good', reason: null };
  await pass(2);
  const [alarm] = await told();
  expect(alarm?.endTime).toBeGreaterThan(alarm?.time ?? 0);
});

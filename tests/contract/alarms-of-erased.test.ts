// An alarm that is written while its account is erased leaves nothing behind, whichever of the two comes first.
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../server/database/connection.ts';
import { AlarmWriter } from '../../server/features/alarm/alarm-writer.ts';
import { runSql } from './account-steps.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let operator: CallClient;
let opened: ReturnType<typeof openDatabase>;
let alarms: AlarmWriter;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  opened = openDatabase({ url: server.database.url, onError: () => undefined });
  const settings = () => Promise.resolve({ retentionDays: 30, topicList: [] });
  const log = pino({ level: 'silent' });
  alarms = new AlarmWriter({ database: opened.database, clock: systemClock, log, settings, timeZone: 'UTC' });
});
afterAll(async () => {
  await opened?.database.destroy();
  await server?.stop();
});

async function newAccount(username: string): Promise<string> {
  return (await operator.ok('user/add', { username, password: 'Watch-2027', userType: 2 })).userId;
}

/** As the watch over devices tells it, of whom it read before. `within`: in the transaction that stores it. */
async function tell(ownerId: string, deviceId: string, within: () => Promise<void> = async () => undefined) {
  await alarms.write({ whole: [{ deviceId }] }, async (batch) => {
    const seen = { type: 'Offline', channelNo: 0, isBad: true, at: Date.now(), data: {} } as const;
    batch.detected({ deviceId, ownerId, source: 'noticed' }, seen);
    await within();
  });
}

const storedOf = async (ownerId: string): Promise<unknown[]> => [
  ...(await runSql(server, `select alarm_id from alarm where owner_id = '${ownerId}'`)),
  ...(await runSql(server, `select alarm_id from open_alarm where device_id = 'of ${ownerId}'`)),
];

it('[SE-42] is not stored once the account is gone, and those of others in the same batch are', async () => {
  const [gone, stays] = [await newAccount('gone'), await newAccount('stays')];
  await operator.ok('user/delete', { userId: gone });
  await tell(gone, `of ${gone}`);
  await tell(stays, `of ${stays}`);
  expect(await storedOf(gone)).toEqual([]);
  expect(await storedOf(stays)).toHaveLength(2);
});

it('[SE-42] is erased with the account if it was under way when that began', async () => {
  const leaving = await newAccount('leaving');
  let erased: Promise<unknown> = Promise.resolve();
  await tell(leaving, `of ${leaving}`, async () => {
    erased = operator.ok('user/delete', { userId: leaving });
    const isWaiting = async () => {
      const [row] = await runSql(server, `select count(*)::integer as waiting from pg_locks where not granted`);
      return Number(row?.['waiting']);
    };
    await expect.poll(isWaiting, { timeout: 10_000 }).toBeGreaterThan(0);
  });
  await erased;
  expect(await runSql(server, `select alarm_id from alarm where owner_id = '${leaving}'`)).toEqual([]);
});

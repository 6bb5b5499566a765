// The server is killed while a site reports traffic, and the site resends: every report counts exactly once.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { ResendingSite } from '../contract/resending-site.ts';
import { ServerUnderTest } from '../contract/server-under-test.ts';
import { faultRounds } from '../harness/fault-rounds.ts';
import { waitFor } from '../harness/wait-for.ts';

const KILLS = faultRounds(10, 200);
/** Of each round: more than one batch of the server. */
const REPORTS = 300;

let server: ServerUnderTest;
let site: ResendingSite;
let connection: DatabaseConnection;
let camera: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  const operator = await server.setUp();
  site = await ResendingSite.dial(server);
  const order = { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' };
  camera = (await operator.ok('device/add', order)).device.deviceSerial;
  connection = openDatabase({ url: server.database.url, onError: () => undefined });
});
afterAll(async () => {
  await site?.close();
  await connection?.database.destroy();
  await server?.stop();
});

async function summed(table: 'consumption_entry' | 'consumption_day', meter: string): Promise<number> {
  const { rows } = await sql<{ amount: number }>`
    select coalesce(sum(amount), 0)::bigint as amount from ${sql.table(table)} where meter = ${meter}`.execute(
    connection.database,
  );
  return rows[0]?.amount ?? -1;
}

/** How many of the reports so far are in the ledger. */
async function entries(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from consumption_entry where meter = 'egressBytes'`.execute(connection.database);
  return rows[0]?.count ?? 0;
}

it(
  `[RS-05] after ${KILLS} kills the ledger and its days have what was reported`,
  async () => {
    let [bytes, cdnBytes, minutes, cutOff] = [0, 0, 0, 0];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = await entries();
      for (let index = 0; index < REPORTS; index += 1) {
        const amount = {
          channelNo: 1,
          direction: 'out',
          userId: 'viewer',
          bytes: 1000 + index,
          minutes: 1,
          cdnBytes: 500 + index,
          cdnMinutes: 1,
        } as const;
        site.report({
          kind: 'traffic',
          deviceSerial: camera,
          eventId: randomUUID(),
          at: Date.now(),
          amounts: [amount],
        });
        bytes += amount.bytes;
        cdnBytes += amount.cdnBytes;
        minutes += 1;
      }
      // Some are stored and others are not.
      await waitFor('the first reports to be stored', async () => (await entries()) > before, 30_000);
      await server.end('SIGKILL');
      if ((await entries()) < before + REPORTS) cutOff += 1;
      await server.run();
      await site.settled(60_000);
    }
    expect(cutOff, 'kills while reports were stored').toBeGreaterThan(0);
    expect(await summed('consumption_entry', 'egressBytes')).toBe(bytes);
    expect(await summed('consumption_entry', 'streamMinutes')).toBe(minutes);
    expect(await summed('consumption_entry', 'cdnBytes')).toBe(cdnBytes);
    expect(await summed('consumption_entry', 'cdnMinutes')).toBe(minutes);
    await waitFor(
      'the days to have all of it',
      async () => (await summed('consumption_day', 'streamMinutes')) >= minutes,
      90_000,
    );
    expect(await summed('consumption_day', 'egressBytes')).toBe(bytes);
    expect(await summed('consumption_day', 'cdnBytes')).toBe(cdnBytes);
    expect(await summed('consumption_day', 'cdnMinutes')).toBe(minutes);
    expect(await summed('consumption_day', 'streamMinutes')).toBe(minutes);
    process.stdout.write(`consumption-kill: ${JSON.stringify({ kills: KILLS, cutOff, error: 0 })}\n`);
  },
  60_000 + KILLS * 30_000,
);

// Mails about what may be consumed in a month: at four fifths and at the end, once each, over the real server, database and mail.
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BudgetWarnings } from '../../server/consumption/budget-warnings.ts';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { monthHolding } from '../../server/quota/month-quota.ts';
import { SmtpSink } from '../harness/smtp-sink.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

const GB = 1e9;
const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

let server: ServerUnderTest;
let sink: SmtpSink;
let connection: DatabaseConnection;
let operator: CallClient;
let annId: string;

beforeAll(async () => {
  [server, sink] = await Promise.all([ServerUnderTest.start(), SmtpSink.start()]);
  operator = await server.setUp();
  connection = openDatabase({ url: server.database.url, onError: () => undefined });
  const { config, version } = await operator.ok('system/account/get', {});
  await operator.ok('system/account/set', { config: { ...config, mail: sink.settings }, version });
  annId = await register('ann');
});
afterAll(async () => {
  await connection?.database.destroy();
  await server?.stop();
  await sink?.stop();
});

async function register(username: string): Promise<string> {
  const target = `${username}@example.org`;
  await server.client().ok('account/verifyCode/send', { target, purpose: 'register', clientType: 'client' });
  const verifyCode = await sink.code(target);
  await server.client().ok('account/register', { username, password: 'Garden-1', target, verifyCode, language: 1 });
  return (await (await server.signIn(username, 'Garden-1')).ok('account/info', {})).userId;
}

async function limit(userId: string, bytes: number | null): Promise<void> {
  await operator.ok('cost/quota/set', { userId, quotaList: [{ quota: 'monthEgressBytes', limit: bytes }] });
}

/** In all of this month. */
async function consumed(accountId: string, bytes: number): Promise<void> {
  const { startTime } = monthHolding(Date.now(), timeZone);
  const row = { start_time: startTime, account_id: accountId, organization_id: '0', meter: 'egressBytes' };
  await connection.database.deleteFrom('consumption_day').where('account_id', '=', accountId).execute();
  await connection.database
    .insertInto('consumption_day')
    .values({ ...row, amount: String(bytes) })
    .execute();
}

/** The subjects of what a further look would send. */
async function told(): Promise<readonly string[]> {
  const subjects: string[] = [];
  const messenger = {
    kinds: async () => ['email' as const],
    notify: (contact: { readonly value: string }, { subject }: { readonly subject: string }) =>
      subjects.push(`${contact.value}: ${subject}`),
  };
  await new BudgetWarnings({ database: connection.database, clock: systemClock, messenger, timeZone }).run();
  return subjects;
}

const NEARLY = 'ann@example.org: 80 % of your Vedette quota is used';
const WHOLLY = 'ann@example.org: Your Vedette quota of this month is used up';

it('[RS-05] four fifths used: the account gets one mail that says how much', async () => {
  await limit(annId, 100 * GB);
  await consumed(annId, 79.9 * GB);
  expect(await told()).toEqual([]);
  await consumed(annId, 80 * GB);
  const seen = sink.mails.length;
  // The server looks when it starts, and then each minute.
  await server.end();
  await server.run();
  const mail = await sink.mail('ann@example.org', seen);
  expect(mail.text).toContain('80 GB of 100 GB are used');
  expect(await told()).toEqual([]);
});

it('[RS-05] all used: another one, and no third', async () => {
  await consumed(annId, 100 * GB);
  expect(await told()).toEqual([WHOLLY]);
  await consumed(annId, 130 * GB);
  expect(await told()).toEqual([]);
});

it('a limit that was raised is told of again when it is reached', async () => {
  await limit(annId, 1000 * GB);
  expect(await told()).toEqual([]);
  await consumed(annId, 810 * GB);
  expect(await told()).toEqual([NEARLY]);
});

it('past both at once: the worse alone; without a limit: nothing', async () => {
  const benId = await register('ben');
  await consumed(benId, 5000 * GB);
  expect(await told()).toEqual([]);
  await limit(benId, 10 * GB);
  expect(await told()).toEqual(['ben@example.org: Your Vedette quota of this month is used up']);
  await limit(benId, null);
  expect(await told()).toEqual([]);
});

it('two looks at the same time tell it once', async () => {
  await consumed(annId, 1000 * GB);
  const all = await Promise.all([told(), told(), told()]);
  expect(all.flat()).toEqual([WHOLLY]);
});

// DATABASE_URL of several servers, with real PostgreSQL and a standby: the primary is found, followed when another one becomes it, and bad lists are refused in words.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkExternalDatabase } from '../../launcher/postgres/database.js';
import { openDatabase } from '../../server/database/connection.ts';
import { ServerUnderTest } from '../contract/server-under-test.ts';
import { AcknowledgedWrites } from '../harness/acknowledged-writes.ts';
import { type PostgresNode, ReplicatedPostgres } from '../harness/replicated-postgres.ts';
import { waitFor } from '../harness/wait-for.ts';

const BACK_WITHIN_MS = 30_000;

let postgres: ReplicatedPostgres;
let primary: PostgresNode;
let standby: PostgresNode;

beforeAll(async () => {
  postgres = await ReplicatedPostgres.start();
  ({ primary, standby } = postgres);
}, 120_000);
afterAll(async () => {
  await postgres?.stop();
});

const check = async (url: string) =>
  await checkExternalDatabase(url, new AbortController().signal).then(
    (address) => ({ address }),
    (error: { code: string; message: string }) => ({ code: error.code, message: error.message }),
  );

const urlOf = (...places: readonly string[]): string => `postgres://vedette@${places.join(',')}/vedette`;

/** Until `mend`, this server lets nobody in without a password. */
function askForPassword(node: PostgresNode): () => Promise<void> {
  const file = join(node.data, 'pg_hba.conf');
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, `host vedette stranger 127.0.0.1/32 scram-sha-256\n${before}`);
  return async () => {
    writeFileSync(file, before);
    await node.query('select pg_reload_conf()');
  };
}

it('the launcher starts on the primary, and with a server that is gone', async () => {
  expect(await check(postgres.url)).toEqual({ address: primary.url });
  for (const gone of ['127.0.0.1:9', 'gone.invalid', '[::1]:9'])
    expect(await check(urlOf(gone, `127.0.0.1:${primary.port}`)), gone).toEqual({ address: primary.url });
}, 60_000);

it('standbys alone, and a server that refuses the user, are refused in words', async () => {
  const mend = askForPassword(standby);
  await standby.query('select pg_reload_conf()');
  const canary = postgres.url.replace('vedette@', 'stranger:canary-word@');
  await primary.query("create role stranger login password 'another'");
  await waitFor(
    'the role at the standby',
    async () => (await standby.query("select from pg_roles where rolname = 'stranger'")).length === 1,
  );
  const refused = await check(canary);
  expect(refused).toMatchObject({ code: 'databaseRefused' });
  expect(JSON.stringify(refused)).toContain(`127.0.0.1:${standby.port}`);
  expect(JSON.stringify(refused)).not.toContain('canary');
  await mend();
  const noPrimary = await check(urlOf(`127.0.0.1:${standby.port}`, '127.0.0.1:9'));
  expect(noPrimary).toMatchObject({ code: 'databaseNoPrimary' });
  expect(JSON.stringify(noPrimary)).toContain('is a standby');
}, 60_000);

/** Of a server that goes on by itself when the standby is promoted. */
async function throughOutage(postgres: ReplicatedPostgres, outage: () => Promise<void>) {
  const { url, folder, standby } = postgres;
  const server = await ServerUnderTest.over({ url, folder, stop: () => Promise.resolve() });
  try {
    const operator = await server.setUp();
    const writes = new AcknowledgedWrites((organizationName) => operator.call('org/add', { organizationName }));
    await waitFor('writes before', () => writes.count >= 20);
    await outage();
    await standby.promote();
    const before = writes.count;
    await waitFor('writes after', () => writes.count >= before + 20, BACK_WITHIN_MS + 10_000);
    const { acknowledged, longestGapMs, refused } = await writes.end();
    const stored = await standby.query('select organization_name as name from organization');
    const names = new Set(stored.map(({ name }) => name));
    expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
    expect(longestGapMs).toBeLessThan(BACK_WITHIN_MS);
    expect(server.log.some((line) => line.includes('takes writes now') && line.includes(String(standby.port)))).toBe(
      true,
    );
    await waitFor('the audit log to be whole', async () => {
      const { isWhole, unchained } = await operator.ok('audit/verify', {});
      return isWhole && unchained <= 1;
    });
    return { acknowledged: acknowledged.length, refused, longestGapMs };
  } finally {
    await server.stop();
  }
}

it('the primary is killed and the standby promoted: no acknowledged write is lost, and the server goes on by itself', async () => {
  const found = await throughOutage(postgres, async () => await primary.kill());
  process.stdout.write(`database-primary: ${JSON.stringify({ killed: found })}\n`);
}, 180_000);

it('two that take writes are refused, at the start and afterwards', async () => {
  await primary.up();
  const found = await check(postgres.url);
  expect(found).toMatchObject({ code: 'databasePrimaries' });
  expect(JSON.stringify(found)).toContain('both take writes');
  const { database, pool } = openDatabase({ url: postgres.url, onError: () => undefined });
  await expect(pool.query('select 1')).rejects.toThrow('more than one database server takes writes');
  await primary.kill();
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await database.destroy();
}, 60_000);

it('the primary stands still and the standby is promoted: connections that wait for the old one are given up', async () => {
  const own = await ReplicatedPostgres.start();
  try {
    const found = await throughOutage(own, async () => await own.primary.freeze());
    process.stdout.write(`database-primary: ${JSON.stringify({ frozen: found })}\n`);
  } finally {
    await own.stop();
  }
}, 180_000);

// Work leases on a real PostgreSQL: what a former holder may not store, who waits for whom, and a database that was away.
import { sql } from 'kysely';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { LeaseLost } from '../../server/database/fenced-dialect.ts';
import { migrate } from '../../server/database/migrate.ts';
import {
  addLeases,
  lookAtLeases,
  prepareLeaseSession,
  renewLeases,
  takeLease,
} from '../../server/database/work-lease.queries.ts';
import { INSTALLATION, OutboundClient } from '../../server/outbound/outbound-client.ts';
import { LEASE_MS } from '../../server/work-lease/lease-judge.ts';
import { WorkLeases } from '../../server/work-lease/work-leases.ts';
import { waitFor } from '../harness/wait-for.ts';
import { HttpSink } from '../peers/message-sink.ts';
import { type OwnDatabase, startTestDatabase } from './test-database.ts';

const NAME = 'test';
const log = pino({ level: 'silent' });

let server: OwnDatabase;
let connection: DatabaseConnection;
let client: pg.Client;

beforeAll(async () => {
  server = await startTestDatabase();
  connection = openDatabase({ url: server.url, onError: () => undefined });
  await migrate(connection.pool);
  client = await session();
  await addLeases(client, [NAME]);
});
afterAll(async () => {
  await client?.end().catch(() => undefined);
  await connection?.database.destroy();
  await server?.stop();
});
beforeEach(async () => {
  await sql`delete from setting where name like 'lease %'`.execute(connection.database);
});

async function session(): Promise<pg.Client> {
  const opened = connection.newClient();
  opened.on('error', () => undefined);
  await opened.connect();
  await prepareLeaseSession(opened);
  return opened;
}

/** Whoever has it: as if it had run out. */
async function taken(nodeId: string): Promise<number> {
  const { rows } = await lookAtLeases(client, [NAME]);
  const [row] = rows;
  if (row === undefined) throw new Error('there is no such lease');
  return (await takeLease(client, row, { nodeId, forMs: LEASE_MS })) ?? 0;
}

const fenced = (holder: string, epoch: number) => connection.fencedBy({ name: NAME, holder, epoch });

async function settings(): Promise<string[]> {
  const rows = await connection.database
    .selectFrom('setting')
    .select('name')
    .where('name', 'like', 'lease %')
    .execute();
  return rows.map(({ name }) => name).toSorted();
}

it('a holder stores, in a transaction or without one; a former holder reads, and stores nothing', async () => {
  const before = fenced('a', await taken('a'));
  await before.insertInto('setting').values({ name: 'lease 1', value: '1' }).execute();
  await before.transaction().execute(async (transaction) => {
    await transaction.insertInto('setting').values({ name: 'lease 2', value: '1' }).execute();
  });
  await sql`update setting set value = '2' where name = 'lease 1'`.execute(before);
  const after = fenced('b', await taken('b'));
  const insert = before.insertInto('setting').values({ name: 'lease 3', value: '1' });
  await expect(insert.execute()).rejects.toThrow(LeaseLost);
  await expect(sql`delete from setting where name = 'lease 1'`.execute(before)).rejects.toThrow(LeaseLost);
  const withInsert = sql`with made as (insert into setting (name, value) values ('lease 4', '1') returning 1) select * from made`;
  await expect(withInsert.execute(before)).rejects.toThrow(LeaseLost);
  const began: string[] = [];
  const whole = before.transaction().execute(async () => void began.push('a transaction'));
  await expect(whole).rejects.toThrow(LeaseLost);
  expect(began).toEqual([]);
  expect(await before.selectFrom('setting').select('value').where('name', '=', 'lease 1').execute()).toEqual([
    { value: 2 },
  ]);
  await after.insertInto('setting').values({ name: 'lease 5', value: '1' }).execute();
  expect(await settings()).toEqual(['lease 1', 'lease 2', 'lease 5']);
});

it('what fails is rolled back, and the next statement of the same holder is stored', async () => {
  const held = fenced('a', await taken('a'));
  const insert = () => held.insertInto('setting').values({ name: 'lease 1', value: '1' }).execute();
  await insert();
  for (let round = 0; round < 20; round += 1) await expect(insert()).rejects.toThrow(/duplicate key/);
  await held.insertInto('setting').values({ name: 'lease 2', value: '1' }).execute();
  expect(await settings()).toEqual(['lease 1', 'lease 2']);
});

it('who takes a lease waits for what its holder is storing, and who renews it does not', async () => {
  const epoch = await taken('a');
  const after: Promise<number>[] = [];
  await fenced('a', epoch)
    .transaction()
    .execute(async (transaction) => {
      await transaction.insertInto('setting').values({ name: 'lease 1', value: '1' }).execute();
      const renewed = await renewLeases(client, new Map([[NAME, epoch]]), { nodeId: 'a', forMs: LEASE_MS });
      expect(renewed).toEqual(new Set([NAME]));
      after.push(taken('b'));
      await waitFor('the taking to wait', async () => {
        const { rows } = await sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'`.execute(
          connection.database,
        );
        return rows.length > 0;
      });
      expect(await settings(), 'not committed yet').toEqual([]);
    });
  expect(await Promise.all(after)).toEqual([epoch + 1]);
  expect(await settings()).toEqual(['lease 1']);
});

it('a holder that stands still in a transaction loses the lease to others, and its commit is refused', async () => {
  const epoch = await taken('a');
  const stuck = fenced('a', epoch)
    .transaction()
    .execute(async (transaction) => {
      await transaction.insertInto('setting').values({ name: 'lease 1', value: '1' }).execute();
      expect(await taken('b'), 'it is locked').toBe(0);
      // As the turns of another server would.
      await waitFor('the lease', async () => (await taken('b')) === epoch + 1, LEASE_MS);
    });
  await expect(stuck).rejects.toThrow(/connection/);
  expect(await settings()).toEqual([]);
}, 40_000);

function leasesOf(nodeId: string, runs: string[]): WorkLeases {
  const { newClient, fencedBy } = connection;
  const leases = new WorkLeases({ nodeId, newClient, fencedBy, clock: systemClock, log });
  leases.keep('of both', ({ signal }) => {
    runs.push(`${nodeId} begins`);
    signal.addEventListener('abort', () => runs.push(`${nodeId} is over`));
    return { close: () => void runs.push(`${nodeId} ends`) };
  });
  return leases;
}

it('after a database that was away its former holder goes on, and nobody takes over', async () => {
  const runs: string[] = [];
  const [first, second] = [leasesOf('first', runs), leasesOf('second', runs)];
  await first.start();
  await second.start();
  expect(runs).toEqual(['first begins']);
  await server.down();
  await waitFor('the holder to give its work up', () => runs.includes('first is over'), 2 * LEASE_MS);
  await server.up();
  await waitFor('somebody to begin again', () => runs.length > 3, 2 * LEASE_MS);
  expect(runs).toEqual(['first begins', 'first is over', 'first ends', 'first begins']);
  await first.close();
  await waitFor('the other one', () => runs.at(-1) === 'second begins', 5000);
  await second.close();
}, 90_000);

it('a work that cannot begin is tried again, and one that is ended late stores nothing', async () => {
  const { newClient, fencedBy } = connection;
  const leases = new WorkLeases({ nodeId: 'third', newClient, fencedBy, clock: systemClock, log });
  let tries = 0;
  leases.keep('late', () => {
    tries += 1;
    if (tries === 1) throw new Error('not yet');
    return { close: () => new Promise<never>(() => undefined) };
  });
  const held: Parameters<Parameters<WorkLeases['keep']>[1]>[0][] = [];
  leases.keep('early', (one) => {
    held.push(one);
    return { close: () => undefined };
  });
  await leases.start();
  await waitFor('the second try', () => tries === 2);
  await leases.close();
  const write = held[0]?.database.insertInto('setting').values({ name: 'lease 1', value: '1' }).execute();
  await expect(write).rejects.toThrow(LeaseLost);
  expect(held[0]?.assertHeld).toThrow(LeaseLost);
}, 30_000);

it('a lease that is lost while a receiver is dialled lets nothing be said to it', async () => {
  const sink = await new HttpSink().start();
  const policy = { isOperator: true, openNetworks: ['127.0.0.0/8'], ownPorts: new Set<number>() };
  const outbound = new OutboundClient({ policy: () => Promise.resolve(policy) });
  const request = { method: 'POST', url: `${sink.url}/hook`, headers: {}, body: 'alarm' } as const;
  const lost = () => {
    throw new LeaseLost('lost');
  };
  await expect(outbound.http(request, { ...INSTALLATION, beforeSending: lost })).rejects.toThrow(LeaseLost);
  const { port, hostname } = new URL(sink.url);
  await expect(outbound.dial(hostname, Number(port), { ...INSTALLATION, beforeSending: lost })).rejects.toThrow(
    LeaseLost,
  );
  await outbound.http(request, { ...INSTALLATION, beforeSending: () => undefined });
  expect(sink.requests).toHaveLength(1);
  await sink.stop();
});

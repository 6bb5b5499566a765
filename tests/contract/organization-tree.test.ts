// Organisation tree under parallel changes, against PostgreSQL: never a cycle, never an orphan.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CallError } from '../../server/core/call-error.ts';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { dependentsOf } from '../../server/database/access/grant.queries.ts';
import { migrate } from '../../server/database/migrate.ts';
import {
  addOrganization,
  deleteOrganization,
  moveOrganization,
} from '../../server/features/organization/organization-tree.ts';
import { isForeignKeyViolation } from '../../server/database/unique-violation.ts';
import { isLongRun } from '../harness/fault-rounds.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';

/** Series of up to 12 changes at once; the long run makes the 100,000 changes of FT-44. */
const SERIES = isLongRun ? 16_000 : 40;
const OWNER = 'o';

let postgres: TestDatabase;
let connection: DatabaseConnection;

beforeAll(async () => {
  postgres = await openTestDatabase();
  connection = openDatabase({ url: postgres.url, onError: () => undefined });
  await migrate(connection.pool);
  await putAccount(OWNER);
  for (let at = 0; at < 6; at += 1) await putDevice(`d${at}`, null);
});
afterAll(async () => {
  await connection?.database.destroy();
  await postgres?.stop();
});

async function putAccount(id: string, ownerId: string | null = null): Promise<void> {
  await connection.pool.query(
    'insert into account (account_id, user_name, user_name_key, password_hash, user_type, owner_id, created_at) values ($1, $1, $1, $1, 2, $2, 0)',
    [id, ownerId],
  );
}

async function putDevice(id: string, place: string | null): Promise<void> {
  await connection.pool.query(
    `insert into device (device_id, owner_id, device_serial, device_name, device_type, device_model, device_version, manufacturer,
       organization_id, driver, native, address, device_user_name, credentials, is_operator_address, created_at)
     values ($1, $2, $1, $1, 0, '', '', '', $3, 'rtsp', '{}', '', '', '', false, 0)`,
    [id, OWNER, place],
  );
}

type Change =
  | { kind: 'add'; to: number }
  | { kind: 'move'; which: number; to: number }
  | { kind: 'delete'; which: number; to: number }
  | { kind: 'device'; which: number; to: number };

const place = fc.nat({ max: 30 });
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const), to: place }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move' as const), which: place, to: place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), which: place, to: place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('device' as const), which: fc.nat({ max: 5 }), to: place }) },
);

/** What a change may be refused with: the other side was faster, or it would close a circle. */
const REFUSALS = new Set(['notFound', 'paramInvalid', 'organizationNotEmpty']);

async function run(one: Change, ids: readonly string[]): Promise<void> {
  const { database, pool } = connection;
  const at = (index: number) => (ids.length === 0 ? null : (ids[index % (ids.length + 1)] ?? null));
  const target = at(one.to);
  try {
    if (one.kind === 'add') {
      const parent = target === null ? null : { organization_id: target };
      await addOrganization(database, { ownerId: OWNER, parent, name: 'x', now: 0 });
    } else if (one.kind === 'device') {
      await pool.query('update device set organization_id = $1 where device_id = $2', [target, `d${one.which}`]);
    } else {
      const organizationId = at(one.which) ?? 'none';
      const order = { ownerId: OWNER, organizationId, now: 0 };
      if (one.kind === 'move') await moveOrganization(database, { ...order, parentId: target, version: undefined });
      else await deleteOrganization(database, { ...order, moveTo: target });
    }
  } catch (error) {
    if (one.kind === 'device' && isForeignKeyViolation(error)) return;
    if (!(error instanceof CallError) || !REFUSALS.has(error.message)) throw error;
  }
}

interface Node {
  organization_id: string;
  parent_id: string | null;
  path: string[];
}

function refuseBroken(nodes: readonly Node[]): void {
  const byId = new Map(nodes.map((node) => [node.organization_id, node]));
  for (const node of nodes) {
    const way: string[] = [];
    for (let at: Node | undefined = node; at !== undefined; at = byId.get(at.parent_id ?? '')) {
      way.unshift(at.organization_id);
      if (way.length > nodes.length) throw new Error('a cycle');
      if (at.parent_id !== null && !byId.has(at.parent_id)) throw new Error('an orphan');
    }
    expect(node.path).toEqual(way);
  }
}

it('[FT-44] parallel changes leave a tree, whose paths lead to the root', {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 2, maxLength: 12 }), async (changes) => {
      const { pool } = connection;
      const { rows: before } = await pool.query<Node>('select * from organization order by organization_id');
      const ids = before.map((node) => node.organization_id);
      await Promise.all(changes.map((one) => run(one, ids)));
      const { rows: after } = await pool.query<Node>('select organization_id, parent_id, path from organization');
      refuseBroken(after);
      const { rows: devices } = await pool.query('select device_id from device');
      expect(devices).toHaveLength(6);
    }),
    { numRuns: SERIES },
  );
});

it('[SE-20] a change notifies accounts that see something of its owner, and nobody else', async () => {
  const { database, pool } = connection;
  const below: [string, string | null][] = [
    ['friend', null],
    ['sub', OWNER],
    ['other', null],
    ['stranger', null],
  ];
  for (const [id, ownerId] of below) await putAccount(id, ownerId);
  await putAccount('stranger sub', 'other');
  for (const [granteeId, ownerId] of [
    ['friend', OWNER],
    ['stranger', 'other'],
  ])
    await pool.query(
      `insert into grant_row (grant_id, grantee_id, owner_id, object_kind, device_id, permissions, source)
       values ($1, $1, $2, 'device', 'd0', '{}', 'role')`,
      [granteeId, ownerId],
    );
  expect((await dependentsOf(database, OWNER)).sort()).toEqual(['friend', 'sub']);
});

it("deleting an organisation deletes its owner's empty shares", async () => {
  const { database, pool } = connection;
  for (const id of ['giver', 'another giver', 'taker']) await putAccount(id);
  const name = { ownerId: 'giver', parent: null, name: 'x', now: 0 };
  const { organization_id: organizationId } = await addOrganization(database, name);
  for (const [at, ownerId] of ['giver', 'another giver'].entries())
    await pool.query(
      `insert into share (share_id, owner_id, grantee_id, share_type, share_name, description, created_at)
       values ($1, $2, 'taker', 2, '', '', 0)`,
      [`share ${at}`, ownerId],
    );
  await deleteOrganization(database, { ownerId: 'giver', organizationId, moveTo: null, now: 0 });
  const { rows } = await pool.query('select owner_id from share');
  expect(rows).toEqual([{ owner_id: 'another giver' }]);
});

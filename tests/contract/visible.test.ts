// visible() equals decide(): over random owners, trees, grants and times both give the same devices, channels and organisations.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PERMISSIONS, type Permission } from '@vedette/contract/permissions.ts';
import { decide } from '@vedette/rules/decide/decide.ts';
import type { RightsObject } from '@vedette/rules/decide/rights.ts';
import type { Rights } from '../../server/auth/rights.ts';
import { visibleChannels, visibleDevices, visibleOrganizations } from '../../server/auth/visibility-conditions.ts';
import { channelsWhere } from '../../server/database/device/channel.queries.ts';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { devicesWhere } from '../../server/database/device/device.queries.ts';
import type { GrantWithShare } from '../../server/database/access/grant.queries.ts';
import { migrate } from '../../server/database/migrate.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';

let postgres: TestDatabase;
let connection: DatabaseConnection;

const OWNERS = ['u1', 'u2'];
/** Per owner: o1 > o2, o3; devices in the root, in o2 and in o3; two channels each. */
const TREE = OWNERS.flatMap((owner) => [
  { id: `${owner}o1`, owner, path: [`${owner}o1`] },
  { id: `${owner}o2`, owner, path: [`${owner}o1`, `${owner}o2`] },
  { id: `${owner}o3`, owner, path: [`${owner}o3`] },
]);
const DEVICES = OWNERS.flatMap((owner) =>
  [null, `${owner}o2`, `${owner}o3`].map((place, index) => ({ id: `${owner}d${index}`, owner, place })),
);

beforeAll(async () => {
  postgres = await openTestDatabase();
  connection = openDatabase({ url: postgres.url, onError: () => undefined });
  await migrate(connection.pool);
  const { pool } = connection;
  for (const owner of OWNERS) {
    await pool.query(
      'insert into account (account_id, user_name, user_name_key, password_hash, user_type, created_at) values ($1, $1, $1, $1, 2, 0)',
      [owner],
    );
  }
  for (const { id, owner, path } of TREE) {
    await pool.query(
      'insert into organization (organization_id, owner_id, organization_name, parent_id, path, created_at) values ($1, $2, $1, $3, $4, 0)',
      [id, owner, path.at(-2) ?? null, path],
    );
  }
  for (const { id, owner, place } of DEVICES) {
    await pool.query(
      `insert into device (device_id, owner_id, device_serial, device_name, device_type, device_model, device_version, manufacturer,
         organization_id, driver, native, address, device_user_name, credentials, is_operator_address, created_at)
       values ($1, $2, $1, $1, 0, '', '', '', $3, 'rtsp', '{}', '', '', '', false, 0)`,
      [id, owner, place],
    );
    for (const channelNo of [1, 2]) {
      await pool.query(
        'insert into channel (channel_id, device_id, channel_no, channel_name) values ($1, $2, $3, $1)',
        [`${id}c${channelNo}`, id, channelNo],
      );
    }
  }
});
afterAll(async () => {
  await connection?.database.destroy();
  await postgres?.stop();
});

const time = fc.option(fc.integer({ min: 0, max: 10 }));
const grant: fc.Arbitrary<GrantWithShare> = fc.record({
  grantId: fc.constant('g'),
  granteeId: fc.constant('u2'),
  ownerId: fc.constantFrom('u1', 'u2', 'u3'),
  scope: fc.oneof(
    fc.record({
      kind: fc.constant('organization' as const),
      organizationId: fc.constantFrom(...TREE.map((one) => one.id)),
    }),
    fc.record({ kind: fc.constant('device' as const), deviceId: fc.constantFrom(...DEVICES.map((one) => one.id)) }),
    fc.record({
      kind: fc.constant('channel' as const),
      deviceId: fc.constantFrom(...DEVICES.map((one) => one.id)),
      channelNo: fc.constantFrom(1, 2, 3),
    }),
  ),
  permissions: fc.subarray([...PERMISSIONS]),
  startTime: time,
  endTime: time,
  source: fc.constant('role' as const),
  within: fc.subarray(['u1o1', 'u1o3'], { maxLength: 1 }),
  shareId: fc.constant(null),
  share: fc.constant(null),
});

it('[SE-18] [SE-20] both forms agree on every object', async () => {
  const question = fc.record({
    userType: fc.constantFrom(0, 1, 2, 3, 5),
    grants: fc.array(grant, { maxLength: 6 }),
    now: fc.integer({ min: 0, max: 10 }),
    action: fc.option(fc.constantFrom(...PERMISSIONS)),
  });
  await fc.assert(
    fc.asyncProperty(question, async ({ userType, grants, now, action }) => {
      const subject = { userId: 'u2', userName: 'u2', userType, ownerId: null, sessionId: '' };
      const rights: Rights = { subject, grants, now };
      expect(await listed(rights, action)).toEqual(decided(rights, action));
    }),
    { numRuns: 150 },
  );
});

async function listed(rights: Rights, action: Permission | null): Promise<string[]> {
  const { database } = connection;
  const devices = await devicesWhere(database, visibleDevices(rights, action))
    .select('device.device_id as id')
    .execute();
  const channels = await channelsWhere(database, visibleChannels(rights, action))
    .select('channel.channel_id as id')
    .execute();
  const organizations = await database
    .selectFrom('organization')
    .where(visibleOrganizations(rights, action))
    .select('organization_id as id')
    .execute();
  return [...devices, ...channels, ...organizations].map((row) => row.id).sort();
}

function decided(rights: Rights, action: Permission | null): string[] {
  const organizations = TREE.map(({ id, owner, path }) => ({
    id,
    object: { kind: 'organization', ownerId: owner, organizationPath: path } as const,
  }));
  const devices = DEVICES.flatMap(({ id, owner, place }) => {
    const organizationPath = TREE.find((one) => one.id === place)?.path ?? [];
    const base = { ownerId: owner, organizationPath, deviceId: id };
    const channels = [1, 2].map((channelNo) => ({
      id: `${id}c${channelNo}`,
      object: { kind: 'channel', ...base, channelNo } as const,
    }));
    return [{ id, object: { kind: 'device', ...base } as const }, ...channels];
  });
  const all: { id: string; object: RightsObject }[] = [...organizations, ...devices];
  return all
    .filter(({ object }) => decide({ ...rights, action, object }).allowed)
    .map(({ id }) => id)
    .sort();
}

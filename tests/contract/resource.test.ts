// Resources over the real server: what an account has and uses, told to itself, its sub-accounts and the operator alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResourceInfo, ResourceName } from '@vedette/contract/calls/resource.ts';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { storeStorageUse } from '../../server/database/statistic/hour-store.queries.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

const PASSWORD = 'Secret-1';

let server: ServerUnderTest;
let site: ScriptedSite;
let connection: DatabaseConnection;
let operator: CallClient;
let tenant: CallClient;
let clerk: CallClient;
let tenantId: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  connection = openDatabase({ url: server.database.url, onError: () => undefined });
  ({ userId: tenantId } = await operator.ok('user/add', { username: 'tenant', password: PASSWORD, userType: 2 }));
  tenant = await server.signIn('tenant', PASSWORD);
  const { organizationId } = await tenant.ok('org/add', { organizationName: 'Yard' });
  await tenant.ok('device/add', { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate', organizationId });
  await operator.ok('device/add', { target: 'rtsp://192.0.2.9/1', deviceName: 'Of the operator' });
  const organizationIds = [organizationId];
  await tenant.ok('user/add', { username: 'clerk', password: PASSWORD, userType: 5, organizationIds });
  clerk = await server.signIn('clerk', PASSWORD);
});
afterAll(async () => {
  await connection?.database.destroy();
  await site?.hangUp();
  await server?.stop();
});

async function resourceOf(client: CallClient, resource: ResourceName, userId?: string): Promise<ResourceInfo> {
  const { resourceList } = await client.ok('resource/list', userId === undefined ? {} : { userId });
  const found = resourceList.find((one) => one.resource === resource);
  if (found === undefined) throw new Error(`${resource} is not listed`);
  return found;
}

describe('[RS-04] resources', () => {
  it('are counted for the account alone, with its limits', async () => {
    await operator.ok('quota/set', { userId: tenantId, quotaList: [{ quota: 'devices', limit: 7 }] });
    expect(await resourceOf(tenant, 'devices')).toEqual({
      resource: 'devices',
      unit: 'count',
      used: 1,
      total: 7,
      endTime: null,
    });
    expect(await resourceOf(operator, 'devices', tenantId)).toMatchObject({ used: 1, total: 7 });
    expect(await resourceOf(clerk, 'devices')).toMatchObject({ used: 1, total: 7 });
  });

  it('are told of another account to the operator alone', async () => {
    for (const [client, userId] of [
      [clerk, tenantId],
      [tenant, 'nobody'],
      [operator, 'nobody'],
    ] as const)
      expect((await client.call('resource/list', { userId })).code).toBe(1007);
  });

  it('tell what recordings took when they were measured last', async () => {
    const channels = await connection.database
      .selectFrom('channel')
      .innerJoin('device', 'device.device_id', 'channel.device_id')
      .select(['channel.channel_id', 'device.owner_id'])
      .execute();
    const measure = async (bytes: number, at: number): Promise<void> => {
      const use = { usedBytes: bytes, bytesPerDay: null, oldestAt: at, newestAt: at };
      const uses = channels.map((one) => ({ ...use, channelId: one.channel_id }));
      await storeStorageUse(connection.database, { siteId: 'local', uses, at });
    };
    await measure(9000, Date.now() - 2 * 3_600_000);
    await measure(5000, Date.now());
    const own = channels.filter((one) => one.owner_id === tenantId).length;
    expect(own).toBeGreaterThan(0);
    expect(channels.length).toBeGreaterThan(own);
    expect(await resourceOf(tenant, 'recordingBytes')).toMatchObject({ used: 5000 * own, total: null });
  });
});

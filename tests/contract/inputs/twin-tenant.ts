// Creates one of two tenants with equal objects under equal names.
import type { ScriptedSite } from '../scripted-site.ts';
import type { CallClient, ServerUnderTest } from '../server-under-test.ts';
import { uploadPackage } from '../upload-firmware.ts';
import { createAnalysisTasks } from './analysis-tasks.ts';
import { createSighting } from './sightings.ts';
import { createApps, createFloorPlans, ruleTelling, SLACK, type InputFixture, window } from './input-fixture.ts';

/** Secrets of a tenant: they must stand nowhere in plain words. */
export const CANARIES = ['Canary-camera-7f3a', 'Canary-gate-7f3a', 'Canary-hook-7f3a', 'Canary-account-7f3a'] as const;
const [CAMERA_SECRET, GATE_SECRET, HOOK_SECRET, PASSWORD] = CANARIES;

export interface TwinTenant {
  readonly name: string;
  readonly userId: string;
  readonly client: CallClient;
  readonly fixture: InputFixture;
}

export interface TwinTenantOptions {
  readonly name: string;
  /** Of its cameras: serials are made of it, so that one tenant's can begin like the other's. */
  readonly host: string;
  /** In the names of all that it has. */
  readonly label: string;
}

export async function createTwinTenant(
  server: ServerUnderTest,
  operator: CallClient,
  site: ScriptedSite,
  { name, host, label }: TwinTenantOptions,
): Promise<TwinTenant> {
  const { userId } = await operator.ok('user/add', { username: name, password: PASSWORD, userType: 2 });
  const client = await server.signIn(name, PASSWORD);
  const devices = await createDevices(client, host, label);
  const { deviceSerial } = devices;
  const one = { deviceSerial, channelNo: 1 };
  const people = await createAccounts(server, client, { name, word: label });
  const shares = await createShares(operator, client, { name, deviceSerial });
  await site.reportEvent(deviceSerial, { topic: 'tns1:VideoSource/MotionAlarm' });
  const layout = async (more: string) =>
    (await client.ok('layout/save', { name: label + more, split: 4, tiles: [] })).layout.layoutId;
  const firmware = async (version: string) =>
    (await uploadPackage(server, { token: client.accessToken, fields: { deviceModel: 'Model', version } })).packageId;
  const csv = `address\nrtsp://${host}/8`;
  const fixture: InputFixture = {
    ...devices,
    ...people,
    ...shares,
    ...(await createTenantAlarmObjects(client, label)),
    packageId: await firmware('2.0.0'),
    sparePackageId: await firmware('1.9.0'),
    importTask: (await client.ok('device/import', { csv, mode: 'check' })).import.task ?? '',
    lockId: (await client.ok('record/lock', { ...one, ...window, name: label })).lock.lockId,
    bookmarkId: (await client.ok('record/bookmark/add', { ...one, ...window, name: label })).bookmark.bookmarkId,
    layoutId: await layout(''),
    spareLayoutId: await layout('2'),
    alarmId: (await client.ok('alarm/list', {})).alarmList[0]?.alarmId ?? '',
    configVersion: 1,
    exportTask: (await client.ok('record/export/start', { items: [{ ...one, ...window }], name: label })).task,
    patrolId: (await client.ok('patrol/save', { ...one, name: label, stopList: [{ presetIndex: 1, stay: 5 }] }))
      .patrolId,
    siteId: 'local',
    recorderGroupId: 'none',
    setupSecret: 'x'.repeat(43),
    dataFolder: server.dataFolder,
    versionId: 'none',
    spareVersionId: 'none',
    providerId: 'none',
    spareProviderId: 'none',
    cdnUrl: 'rtmp://push.example/live/none-0',
    liveId: 'none',
    cdnCode: 'NOTACODE00000000',
    trialId: 'none',
    storeId: 'none',
    spareStoreId: 'none',
    ...(await createApps(client, label)),
    ...(await createAnalysisTasks(client, one.deviceSerial)),
    ...(await createSighting(client, site, one.deviceSerial)),
  };
  return { name, userId, client, fixture };
}

async function createDevices(client: CallClient, host: string, word: string) {
  const { organizationId, ...plans } = await createFloorPlans(client, word);
  const spareOrganizationId = (await client.ok('org/add', { organizationName: word })).organizationId;
  const add = async (path: number) => {
    const order = { target: `rtsp://${host}/${path}`, deviceName: word, user: 'u', password: CAMERA_SECRET };
    return (await client.ok('device/add', { ...order, organizationId })).device.deviceSerial;
  };
  const serials = { deviceSerial: await add(2), spareSerial: await add(3), thirdSerial: await add(4) };
  const group = async (groupName: string) => (await client.ok('group/add', { groupName })).groupId;
  const groups = { groupId: await group(word.slice(0, 8)), spareGroupId: await group(`${word.slice(0, 7)}2`) };
  await client.ok('group/device/set', { groupId: groups.groupId, deviceSerialList: [serials.deviceSerial] });
  return { organizationId, spareOrganizationId, ...plans, ...serials, ...groups };
}

async function createAccounts(
  server: ServerUnderTest,
  client: CallClient,
  { name, word }: { name: string; word: string },
) {
  const role = async (roleName: string) =>
    (await client.ok('role/add', { roleName, permissions: ['Realplay'] })).roleId;
  const roleId = await role(word);
  const sub = async (username: string) =>
    (await client.ok('user/add', { username, password: PASSWORD, roleIds: [roleId] })).userId;
  const { token, invitation } = await client.ok('user/invitation/create', {});
  await server.signIn(name, PASSWORD);
  const { sessionList } = await client.ok('account/session/list', {});
  const subId = await sub(`${name}_clerk`);
  return {
    roleId,
    spareRoleId: await role(`${word}2`),
    subId,
    userId: subId,
    spareUserId: await sub(`${name}_leaver`),
    sessionId: sessionList.find((session) => !session.isCurrent)?.sessionId ?? '',
    invitationId: invitation.invitationId,
    invitationToken: token,
  };
}

/** To a friend of its own and from the operator, so that neither twin knows the other and the operator sees nothing. */
async function createShares(
  operator: CallClient,
  client: CallClient,
  { name, deviceSerial }: { name: string; deviceSerial: string },
) {
  const add = async (path: number) => {
    const target = `rtsp://203.0.113.${name.length}/${path}`;
    const order = { target, deviceName: 'Lent', user: 'u', password: CAMERA_SECRET };
    return (await operator.ok('device/add', order)).device.deviceSerial;
  };
  const items = [{ deviceSerial: await add(1) }];
  const transfer = async (path: number) =>
    (await operator.ok('device/transfer', { deviceSerial: await add(path), account: name })).transferId;
  const offer = async () => (await operator.ok('share/add', { account: name, items, permission: ['talk'] })).shareId;
  const live = { deviceSerial, channelNo: 1 };
  const account = `${name}_friend`;
  await operator.ok('user/add', { username: account, password: PASSWORD, userType: 2 });
  return {
    shareId: (await client.ok('share/add', { account, items: [live], permission: ['alarmPush'] })).shareId,
    receivedId: await offer(),
    spareReceivedId: await offer(),
    transferId: await transfer(2),
    spareTransferId: await transfer(3),
    linkId: (await client.ok('share/link/create', { live, endTime: 4_000_000_000_000, password: GATE_SECRET })).linkId,
  };
}

async function createTenantAlarmObjects(client: CallClient, word: string) {
  const settings = { url: `${SLACK.url}/${HOOK_SECRET}` };
  const channel = async () =>
    (await client.ok('alarm/channel/save', { kind: 'slack', name: word, isEnabled: true, settings })).channel.channelId;
  const channelId = await channel();
  const rule = async () =>
    (await client.ok('alarm/rule/save', { ...ruleTelling(channelId), name: word, isEnabled: false })).rule.ruleId;
  return {
    channelId,
    spareChannelId: await channel(),
    ruleId: await rule(),
    spareRuleId: await rule(),
    ingestKeyId: (await client.ok('event/key/add', { name: word })).key.keyId,
    alarmExportTask: (await client.ok('alarm/export', {})).export.task,
  };
}

// Creates the objects that the valid inputs name, all of them the operator's.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import type { ScriptedSite } from '../scripted-site.ts';
import { type CallClient, OPERATOR, type ServerUnderTest } from '../server-under-test.ts';
import { uploadPackage } from '../upload-firmware.ts';
import { createAnalysisTasks } from './analysis-tasks.ts';
import { createSighting } from './sightings.ts';

/** What the inputs name; all of it belongs to the operator. */
export interface InputFixture {
  readonly deviceSerial: string;
  readonly spareSerial: string;
  readonly thirdSerial: string;
  readonly importTask: string;
  readonly organizationId: string;
  readonly spareOrganizationId: string;
  readonly roleId: string;
  readonly spareRoleId: string;
  readonly groupId: string;
  readonly spareGroupId: string;
  readonly subId: string;
  readonly userId: string;
  readonly spareUserId: string;
  readonly sessionId: string;
  readonly shareId: string;
  /** Offered to the operator by another account. */
  readonly receivedId: string;
  readonly spareReceivedId: string;
  /** Transfers of devices, offered to the operator by another account. */
  readonly transferId: string;
  readonly spareTransferId: string;
  readonly linkId: string;
  readonly alarmExportTask: string;
  readonly ruleId: string;
  readonly channelId: string;
  readonly spareRuleId: string;
  readonly spareChannelId: string;
  readonly ingestKeyId: string;
  readonly layoutId: string;
  readonly spareLayoutId: string;
  /** Both in the organisation of `organizationId`. */
  readonly floorPlanId: string;
  readonly spareFloorPlanId: string;
  readonly lockId: string;
  readonly bookmarkId: string;
  readonly alarmId: string;
  readonly configVersion: number;
  readonly exportTask: string;
  readonly patrolId: string;
  readonly siteId: string;
  /** With the site beside the server. */
  readonly recorderGroupId: string;
  readonly setupSecret: string;
  readonly invitationId: string;
  readonly invitationToken: string;
  readonly dataFolder: string;
  readonly packageId: string;
  readonly sparePackageId: string;
  /** Client versions, which are nobody's own. */
  readonly versionId: string;
  readonly spareVersionId: string;
  /** Object stores, which are the installation's; the first has a plan. */
  readonly storeId: string;
  readonly spareStoreId: string;
  /** CDN providers, which are the installation's; a stream is pushed to the first. */
  readonly providerId: string;
  readonly spareProviderId: string;
  readonly cdnUrl: string;
  readonly liveId: string;
  readonly cdnCode: string;
  /** Waits for the operator. */
  readonly trialId: string;
  readonly appId: string;
  readonly spareAppId: string;
  /** Of edge intelligence, both on the first channel. */
  readonly analysisTaskId: string;
  readonly spareAnalysisTaskId: string;
  readonly sightingId: string;
}

export async function createInputFixture(
  server: ServerUnderTest,
  operator: CallClient,
  site: ScriptedSite,
): Promise<InputFixture> {
  const add = async (host: string, deviceName: string) =>
    (await operator.ok('device/add', { target: `rtsp://${host}/2`, deviceName })).device.deviceSerial;
  const user = async (username: string) =>
    (await operator.ok('user/add', { username, password: 'Secret-1', userType: 2 })).userId;
  const deviceSerial = await add('192.0.2.1', 'First');
  const userId = await user('partner');
  const sub = async (username: string) => (await operator.ok('user/add', { username, password: 'Secret-1' })).userId;
  const role = async (roleName: string) =>
    (await operator.ok('role/add', { roleName, permissions: ['Realplay'] })).roleId;
  const group = async (groupName: string) => (await operator.ok('group/add', { groupName })).groupId;
  const items = [{ deviceSerial, channelNo: 1 }];
  const layout = async (name: string) =>
    (await operator.ok('layout/save', { name, split: 4, tiles: [] })).layout.layoutId;
  const permission = ['videoView' as const];
  const invited = await operator.ok('user/invitation/create', { userType: 2 });
  await site.reportEvent(deviceSerial, { topic: 'tns1:VideoSource/MotionAlarm' });
  await server.signIn(OPERATOR.username, OPERATOR.password);
  const { sessionList } = await operator.ok('account/session/list', {});
  const token = operator.accessToken;
  const firmware = async (version: string) =>
    (await uploadPackage(server, { token, fields: { deviceModel: 'Model', version } })).packageId;
  await scheduleBackups(server.dataFolder);
  return {
    deviceSerial,
    userId,
    packageId: await firmware('2.0.0'),
    sparePackageId: await firmware('1.9.0'),
    spareSerial: await add('192.0.2.2', 'Second'),
    thirdSerial: await add('192.0.2.3', 'Third'),
    importTask:
      (await operator.ok('device/import', { csv: 'address\nrtsp://192.0.2.4/1', mode: 'check' })).import.task ?? '',
    ...(await createFloorPlans(operator, 'Site')),
    spareOrganizationId: (await operator.ok('org/add', { organizationName: 'Old site' })).organizationId,
    roleId: await role('Guards'),
    spareRoleId: await role('Cleaners'),
    groupId: await group('Doors'),
    spareGroupId: await group('Old doors'),
    subId: await sub('clerk'),
    spareUserId: await user('leaver'),
    sessionId: sessionList.find((session) => !session.isCurrent)?.sessionId ?? '',
    lockId: (await operator.ok('record/lock', { deviceSerial, channelNo: 1, ...window, name: 'Theft' })).lock.lockId,
    bookmarkId: (await operator.ok('record/bookmark/add', { deviceSerial, channelNo: 1, ...window, name: 'Seen' }))
      .bookmark.bookmarkId,
    shareId: (await operator.ok('share/add', { account: 'partner', items, permission })).shareId,
    ...(await createTransferOffers(server)),
    linkId: (
      await operator.ok('share/link/create', {
        live: { deviceSerial, channelNo: 1 },
        endTime: 4_000_000_000_000,
        password: 'Gate-1',
      })
    ).linkId,
    layoutId: await layout('Gates'),
    spareLayoutId: await layout('Old gates'),
    ...(await createAlarmObjects(operator)),
    alarmId: (await operator.ok('alarm/list', {})).alarmList[0]?.alarmId ?? '',
    configVersion: (await operator.ok('system/config/get', {})).version,
    exportTask: (await operator.ok('record/export/start', { items: [{ deviceSerial, channelNo: 1, ...window }] })).task,
    patrolId: (
      await operator.ok('patrol/save', {
        deviceSerial,
        channelNo: 1,
        name: 'Rounds',
        stopList: [{ presetIndex: 1, stay: 5 }],
      })
    ).patrolId,
    siteId: (await operator.ok('site/add', { siteName: 'Gate' })).site.siteId,
    recorderGroupId: (
      await operator.ok('site/group/save', {
        groupName: 'Pier',
        returnsByItself: false,
        memberList: [{ siteId: 'local', isSpare: false, cameraMax: 64 }],
      })
    ).group.groupId,
    setupSecret: server.setupSecret ?? '',
    invitationId: (await operator.ok('user/invitation/create', { userType: 2 })).invitation.invitationId,
    invitationToken: invited.token,
    dataFolder: server.dataFolder,
    ...(await createClientVersions(operator)),
    ...(await createObjectStores(operator, deviceSerial)),
    ...(await createCdn(operator, deviceSerial)),
    trialId: await applyForTrial(server),
    ...(await createApps(operator, 'Door bell')),
    ...(await createAnalysisTasks(operator, deviceSerial)),
    ...(await createSighting(operator, site, deviceSerial)),
  };
}

/** As its launcher does where it was given a folder for them. */
async function scheduleBackups(dataFolder: string): Promise<void> {
  const state = { everyMs: 86_400_000, good: null, failed: null };
  await writeFile(join(dataFolder, 'backup.json'), JSON.stringify(state));
}

export async function createApps(client: CallClient, name: string) {
  const add = async (appName: string) =>
    (await client.ok('app/save', { appName, redirectUriList: [], scopeList: [] })).app.appId;
  return { appId: await add(name), spareAppId: await add(name) };
}

async function createClientVersions(operator: CallClient) {
  const add = async (externalVersion: string) => {
    const texts = { platform: 'linux', versionName: 'Shell', redirectUrl: 'https://vms.example/get' } as const;
    const order = { ...texts, externalVersion, isPublished: true };
    return (await operator.ok('version/save', order)).versionInfo.versionId;
  };
  return { versionId: await add('1.0.0.0'), spareVersionId: await add('0.9.0.0') };
}

async function createObjectStores(operator: CallClient, deviceSerial: string) {
  const add = async (storeName: string) =>
    (await operator.ok('cloud/store/save', { ...OBJECT_STORE, storeName })).storeInfo.storeId;
  const [storeId, spareStoreId] = [await add('Archive'), await add('Old archive')];
  await operator.ok('cloud/plan/open', { deviceSerial, channelNo: 1, comboType: 3, days: 30, storeId });
  return { storeId, spareStoreId };
}

async function applyForTrial(server: ServerUnderTest): Promise<string> {
  const partner = await server.signIn('partner', 'Secret-1');
  const extraList = [{ quota: 'devices', amount: 5 } as const];
  return (await partner.ok('resource/trial/apply', { extraList, days: 30 })).trialId;
}

async function createCdn(operator: CallClient, deviceSerial: string) {
  const add = async (publishAddress: string) =>
    (await operator.ok('cdn/provider/save', { ...CDN_PROVIDER, publishAddress })).provider.providerId;
  const providerId = await add(CDN_PROVIDER.publishAddress);
  const { url: cdnUrl } = await operator.ok('cdn/live/get', { deviceSerial, channelNo: 1, providerId });
  const { liveId } = await operator.ok('cdn/live/start', { url: cdnUrl });
  const { code: cdnCode } = await operator.ok('cdn/code/create', { minutes: 60, streams: 1 });
  const spareProviderId = await add('rtmp://spare.example/live/{stream}');
  return { providerId, spareProviderId, cdnUrl, liveId, cdnCode };
}

export const CDN_PROVIDER = {
  providerName: 'Delivery',
  publishAddress: 'rtmp://push.example/live/{stream}',
  rtmpAddress: 'rtmp://play.example/live/{stream}',
  hlsAddress: 'https://play.example/live/{stream}.m3u8',
  flvAddress: 'https://play.example/live/{stream}.flv',
  signing: 'none',
  validMinutes: 60,
} as const;

export const OBJECT_STORE = {
  endpoint: 'https://objects.example',
  region: 'eu-1',
  bucket: 'recordings',
  isPathStyle: true,
  accessKey: 'KEY',
  secretKey: 'secret',
  prefix: 'vedette',
} as const;

/** A white dot. */
export const DOT_PICTURE = {
  contentType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==',
} as const;

/** An organisation with two of them. */
export async function createFloorPlans(client: CallClient, organizationName: string) {
  const { organizationId } = await client.ok('org/add', { organizationName });
  const add = async (name: string) =>
    (await client.ok('floorPlan/save', { organizationId, name, picture: DOT_PICTURE, cameraList: [] })).floorPlan
      .floorPlanId;
  return { organizationId, floorPlanId: await add('Ground floor'), spareFloorPlanId: await add('Old cellar') };
}

/** What the partner offers to the operator. */
async function createTransferOffers(server: ServerUnderTest) {
  const partner = await server.signIn('partner', 'Secret-1');
  const add = async (host: string) =>
    (await partner.ok('device/add', { target: `rtsp://${host}/1`, deviceName: 'Partner' })).device.deviceSerial;
  const items = [{ deviceSerial: await add('192.0.2.5') }];
  const offer = async () =>
    (await partner.ok('share/add', { account: OPERATOR.username, items, permission: ['talk'] })).shareId;
  const transfer = async (deviceSerial: string) =>
    (await partner.ok('device/transfer', { deviceSerial, account: OPERATOR.username })).transferId;
  return {
    receivedId: await offer(),
    spareReceivedId: await offer(),
    transferId: await transfer(await add('192.0.2.6')),
    spareTransferId: await transfer(await add('192.0.2.7')),
  };
}

async function createAlarmObjects(operator: CallClient) {
  const channel = async (name: string) =>
    (await operator.ok('alarm/channel/save', { kind: 'slack', name, isEnabled: true, settings: SLACK })).channel
      .channelId;
  const rule = async (name: string, channelId: string) =>
    (await operator.ok('alarm/rule/save', { ...ruleTelling(channelId), name, isEnabled: false })).rule.ruleId;
  const channelId = await channel('Guards');
  return {
    channelId,
    spareChannelId: await channel('Nobody'),
    ruleId: await rule('Nights', channelId),
    spareRuleId: await rule('Days', channelId),
    ingestKeyId: (await operator.ok('event/key/add', { name: 'Door controller' })).key.keyId,
    alarmExportTask: (await operator.ok('alarm/export', {})).export.task,
  };
}

/** Where nobody answers. */
export const SLACK = { url: 'https://192.0.2.1/services/T0' };

export function ruleTelling(channelId: string): CallInput<'alarm/rule/save'> {
  return {
    name: 'Nights',
    isEnabled: true,
    types: ['MotionAlarm'],
    groups: ['person'],
    leastSeverity: 'info',
    sources: [{ organizationId: '0' }],
    plan: [{ day: 1, entryList: [{ StartTime: '20:00:00', EndTime: '23:59:59', Type: 1 }] }],
    timeZone: 'UTC',
    pauseS: 60,
    actions: [{ kind: 'notify', channelIds: [channelId] }],
  };
}

export const window = { startTime: 1_000_000, endTime: 1_060_000 };

// One good input for every call of the contract, in an order in which they can all be made; a new call does not compile without one.
import type { CallInput, CallPath } from '@vedette/contract/calls.ts';
import type { ScriptedSite } from './scripted-site.ts';
import { type CallClient, OPERATOR, type ServerUnderTest } from './server-under-test.ts';
import { uploadPackage } from './upload-firmware.ts';

/** What the inputs name; all of it belongs to the operator. */
export interface Stage {
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
  readonly linkId: string;
  readonly alarmExportTask: string;
  readonly ruleId: string;
  readonly channelId: string;
  readonly spareRuleId: string;
  readonly spareChannelId: string;
  readonly ingestKeyId: string;
  readonly layoutId: string;
  readonly spareLayoutId: string;
  readonly lockId: string;
  readonly bookmarkId: string;
  readonly alarmId: string;
  readonly configVersion: number;
  readonly exportTask: string;
  readonly patrolId: string;
  readonly siteId: string;
  readonly setupSecret: string;
  readonly invitationId: string;
  readonly invitationToken: string;
  readonly dataFolder: string;
  readonly packageId: string;
  readonly sparePackageId: string;
}

export async function setStage(server: ServerUnderTest, operator: CallClient, site: ScriptedSite): Promise<Stage> {
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
  await site.tell(deviceSerial, { topic: 'tns1:VideoSource/MotionAlarm' });
  await server.signIn(OPERATOR.username, OPERATOR.password);
  const { sessionList } = await operator.ok('account/session/list', {});
  const token = operator.accessToken;
  const firmware = async (version: string) =>
    (await uploadPackage(server, { token, fields: { deviceModel: 'Model', version } })).packageId;
  return {
    deviceSerial,
    userId,
    packageId: await firmware('2.0.0'),
    sparePackageId: await firmware('1.9.0'),
    spareSerial: await add('192.0.2.2', 'Second'),
    thirdSerial: await add('192.0.2.3', 'Third'),
    importTask:
      (await operator.ok('device/import', { csv: 'address\nrtsp://192.0.2.4/1', mode: 'check' })).import.task ?? '',
    organizationId: (await operator.ok('org/add', { organizationName: 'Site' })).organizationId,
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
    ...(await offersOf(server)),
    linkId: (
      await operator.ok('share/link/create', {
        live: { deviceSerial, channelNo: 1 },
        endTime: 4_000_000_000_000,
        password: 'Gate-1',
      })
    ).linkId,
    layoutId: await layout('Gates'),
    spareLayoutId: await layout('Old gates'),
    ...(await alarmCentreOf(operator)),
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
    setupSecret: server.setupSecret ?? '',
    invitationId: (await operator.ok('user/invitation/create', { userType: 2 })).invitation.invitationId,
    invitationToken: invited.token,
    dataFolder: server.dataFolder,
  };
}

/** What the partner offers to the operator. */
async function offersOf(server: ServerUnderTest): Promise<Pick<Stage, 'receivedId' | 'spareReceivedId'>> {
  const partner = await server.signIn('partner', 'Secret-1');
  const { device } = await partner.ok('device/add', { target: 'rtsp://192.0.2.5/1', deviceName: 'Partner' });
  const items = [{ deviceSerial: device.deviceSerial }];
  const offer = async () =>
    (await partner.ok('share/add', { account: OPERATOR.username, items, permission: ['talk'] })).shareId;
  return { receivedId: await offer(), spareReceivedId: await offer() };
}

const alarmFilter = (deviceSerial: string, organizationId: string) => ({
  types: ['MotionAlarm' as const],
  groups: ['motion' as const],
  devices: [{ deviceSerial, channelNo: 1 }],
  organizationId,
  state: 'new' as const,
  severity: ['minor' as const],
  isActive: true,
  ...window,
});

async function alarmCentreOf(operator: CallClient) {
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
const SLACK = { url: 'https://192.0.2.1/services/T0' };

function ruleTelling(channelId: string): CallInput<'alarm/rule/save'> {
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

type GoodInputs = { readonly [P in CallPath]: (stage: Stage) => CallInput<P> };

const dev = ({ deviceSerial }: Stage) => ({ deviceSerial, channelNo: 1 });
const window = { startTime: 1_000_000, endTime: 1_060_000 };

export const goodInputs: GoodInputs = {
  'server/version': () => ({}),
  'account/login': () => ({
    account: OPERATOR.username,
    password: OPERATOR.password,
    browserId: 'matrix',
    clientType: 'web',
    trustDevice: false,
    captcha: 'x',
    verifyCode: '123456',
  }),
  'token/check': () => ({}),
  'account/captcha/get': () => ({}),
  'account/verifyCode/send': () => ({
    target: 'somebody@example.org',
    purpose: 'retrieve',
    captcha: 'x',
    clientType: 'client',
    language: 1,
  }),
  'account/register': () => ({
    username: 'stray',
    password: 'Secret-1',
    target: 'somebody@example.org',
    verifyCode: '123456',
    language: 1,
    privacyTime: 1,
  }),
  'account/password/retrieve': () => ({
    target: 'somebody@example.org',
    verifyCode: '123456',
    password: 'Secret-1',
  }),
  'server/documents': () => ({}),
  'account/twofactor/begin': () => ({ method: 'totp' }),
  'account/twofactor/enable': () => ({ code: '000000' }),
  'account/twofactor/disable': () => ({ code: '000000' }),
  'trustDevice/list': () => ({}),
  'trustDevice/delete': () => ({ browserId: 'MISSING0' }),
  'account/contact/bind': () => ({
    target: 'operator@example.org',
    verifyCode: '123456',
    password: OPERATOR.password,
  }),
  'account/contact/unbind': () => ({ kind: 'email', password: OPERATOR.password }),
  'account/erase': () => ({ password: OPERATOR.password }),
  'user/invitation/create': () => ({ userType: 2, description: 'For Ann', days: 7 }),
  'user/invitation/list': () => ({}),
  'user/invitation/revoke': ({ invitationId }) => ({ invitationId }),
  'user/invitation/open': ({ invitationToken }) => ({ token: invitationToken }),
  'user/invitation/accept': ({ invitationToken }) => ({
    token: invitationToken,
    username: 'invited',
    password: 'Secret-1',
    browserId: 'matrix',
  }),
  'system/account/get': () => ({}),
  'system/account/set': () => ({
    version: 1,
    mailPassword: null,
    smsToken: null,
    captchaSecret: null,
    config: {
      mail: null,
      sms: null,
      canRegister: true,
      captcha: { kind: 'own', scriptUrl: '', appId: '', verifyUrl: '' },
      maintenance: null,
      documentList: [],
      privacyUpdateTime: 0,
    },
  }),
  'system/account/test': () => ({ target: 'somebody@example.org' }),
  'event/server': () => ({}),
  'account/info': () => ({}),
  'account/update': () => ({
    userName: 'operator',
    avatar: '',
    privacyTime: 0,
    language: 1,
    theme: 'light',
    menuOrder: ['a'],
    homeLayout: '{}',
    version: 1,
  }),
  'account/session/list': () => ({}),
  'permission/list': ({ userId }) => ({ userId }),
  'user/add': () => ({ username: 'newcomer', password: 'Secret-1', userType: 2, roleIds: [], organizationIds: [] }),
  'user/list': () => ({ pageStart: 0, pageSize: 10, keyWord: 'p' }),
  'user/view': ({ subId }) => ({ userId: subId, pageStart: 0, pageSize: 10 }),
  'user/update': ({ subId, roleId, organizationId }) => ({
    userId: subId,
    version: 1,
    username: 'clerk2',
    password: 'Secret-2',
    roleIds: [roleId],
    organizationIds: [organizationId],
    userType: 5,
  }),
  'role/list': () => ({ pageStart: 0, pageSize: 10 }),
  'role/add': ({ organizationId }) => ({
    roleName: 'Porters',
    permissions: ['Realplay', 'Talk'],
    resources: [{ organizationId }],
  }),
  'role/update': ({ roleId, deviceSerial }) => ({
    roleId,
    roleName: 'Night guards',
    permissions: ['Replay'],
    resources: [{ deviceSerial, channelNo: 1 }],
    version: 1,
  }),
  'role/delete': ({ spareRoleId }) => ({ roleId: spareRoleId }),
  'group/list': () => ({ pageStart: 0, pageSize: 16, groupName: 'D' }),
  'group/add': () => ({ groupName: 'Roofs' }),
  'group/update': ({ groupId }) => ({ groupId, groupName: 'Gates', version: 1 }),
  'group/device/set': ({ groupId, deviceSerial }) => ({ groupId, deviceSerialList: [deviceSerial] }),
  'group/delete': ({ spareGroupId }) => ({ groupId: spareGroupId }),
  'audit/list': ({ deviceSerial }) => ({
    kind: 'watch',
    userName: 'o',
    deviceSerial,
    isRefused: false,
    ...window,
    pageStart: 0,
    pageSize: 10,
  }),
  'audit/export': ({ deviceSerial }) => ({ kind: 'watch', userName: 'o', deviceSerial, isRefused: false, ...window }),
  'audit/verify': () => ({}),
  'user/enable': ({ userId }) => ({ userId, isEnabled: true }),
  'org/list': ({ organizationId }) => ({ organizationId, pageStart: 0, pageSize: 10 }),
  'org/add': ({ organizationId }) => ({ organizationName: 'Below', parentOrgId: organizationId }),
  'org/update': ({ organizationId }) => ({ organizationId, organizationName: 'Site again', version: 1 }),
  'org/move': ({ spareOrganizationId, organizationId }) => ({
    organizationId: spareOrganizationId,
    parentOrgId: organizationId,
    version: 1,
  }),
  'org/order': ({ organizationId, spareOrganizationId }) => ({
    parentOrgId: organizationId,
    organizationIdList: [spareOrganizationId],
  }),
  'org/delete': ({ spareOrganizationId }) => ({ organizationId: spareOrganizationId, moveTo: '0' }),
  'org/device/list': ({ organizationId }) => ({ organizationId, pageStart: 0, pageSize: 10 }),
  'org/resource/list': () => ({ pageStart: 0, pageSize: 10 }),
  'org/resource/sub': ({ organizationId }) => ({
    organizationId,
    pageStart: 0,
    pageSize: 10,
    deviceName: 'F',
    queryMode: 1,
  }),
  'org/search': () => ({ keyWord: 'Fi', types: ['device'], pageSize: 10 }),
  'device/probe': () => ({ target: 'rtsp://192.0.2.9/1', user: 'u', password: 'p' }),
  'device/add': ({ organizationId }) => ({
    target: 'rtsp://192.0.2.8/1',
    user: 'u',
    password: 'p',
    deviceName: 'Third',
    organizationId,
    deviceType: 0,
  }),
  'device/discover': () => ({ scope: '192.0.2.0/24', ports: [80], waitMs: 0 }),
  'device/discover/cancel': () => ({ scanId: 'scan-1' }),
  'device/import': ({ organizationId }) => ({
    csv: 'name,address\nImported,192.0.2.77',
    mode: 'dryRun',
    isProbed: true,
    organizationId,
  }),
  'device/import/status': ({ importTask }) => ({ task: importTask }),
  'device/import/cancel': ({ importTask }) => ({ task: importTask }),
  'device/export': ({ organizationId }) => ({ organizationId }),
  'device/reboot': ({ deviceSerial }) => ({ deviceSerial }),
  'device/list': ({ organizationId }) => ({
    pageNo: 1,
    pageSize: 10,
    keyWord: 'F',
    status: 1,
    deviceType: 0,
    organizationId,
    groupId: '0',
    sortBy: 'status',
    sortOrder: 'desc',
  }),
  'device/get': ({ deviceSerial }) => ({ deviceSerial }),
  'device/batch': ({ deviceSerial }) => ({ deviceSerialList: [deviceSerial], recorderOnly: false }),
  'device/update': ({ deviceSerial }) => ({
    deviceSerial,
    deviceName: 'First again',
    target: 'rtsp://192.0.2.1/2',
    user: 'u',
    password: 'p',
    version: 1,
  }),
  'device/move': ({ deviceSerial, organizationId }) => ({ deviceSerial, organizationId }),
  'device/capacity': dev,
  'channel/capacity': dev,
  'channel/list': ({ deviceSerial }) => ({ deviceSerial, pageNo: 1, pageStart: 0, pageSize: 10 }),
  'channel/update': (stage) => ({ ...dev(stage), channelName: 'Left' }),
  'config/list': dev,
  'config/get': (stage) => ({ ...dev(stage), section: 'image' }),
  'config/set': (stage) => ({ ...dev(stage), section: 'image', value: { brightness: 60 }, version: 'v1' }),
  'config/storage/format': (stage) => ({ ...dev(stage), disk: '1' }),
  'config/storage/format/status': (stage) => ({ ...dev(stage), disk: '1' }),
  'config/output/switch': (stage) => ({ ...dev(stage), output: 'Relay_1', isOn: true }),
  'device/upgrade/check': ({ deviceSerial }) => ({ deviceSerial }),
  'device/upgrade/status': ({ deviceSerial }) => ({ deviceSerial }),
  'device/upgrade/start': ({ deviceSerial, packageId }) => ({ deviceSerial, packageId }),
  'device/upgrade/package/list': () => ({}),
  'device/upgrade/package/delete': ({ sparePackageId }) => ({ packageId: sparePackageId }),
  'capture/get': dev,
  'media/url': (stage) => ({ ...dev(stage), quality: 1, codecs: ['h264'] }),
  'stream/list': dev,
  'ptz/start': (stage) => ({ ...dev(stage), command: 'leftUp', speed: 10 }),
  'ptz/stop': (stage) => ({ ...dev(stage), command: 'leftUp' }),
  'preset/list': (stage) => ({ ...dev(stage), pageStart: 0, pageSize: 100 }),
  'preset/add': (stage) => ({ ...dev(stage), presetIndex: 9, name: 'Gate' }),
  'preset/update': (stage) => ({ ...dev(stage), presetIndex: 1, name: 'Door' }),
  'preset/goto': (stage) => ({ ...dev(stage), presetIndex: 1 }),
  'patrol/list': dev,
  'patrol/save': (stage) => ({
    ...dev(stage),
    patrolId: stage.patrolId,
    name: 'Round',
    stopList: [{ presetIndex: 1, stay: 5 }],
  }),
  'patrol/start': (stage) => ({ ...dev(stage), patrolId: stage.patrolId }),
  'patrol/stop': (stage) => ({ ...dev(stage), patrolId: stage.patrolId }),
  'patrol/delete': (stage) => ({ ...dev(stage), patrolId: stage.patrolId }),
  'preset/delete': (stage) => ({ ...dev(stage), presetIndex: 2 }),
  'talk/url': (stage) => ({ ...dev(stage), method: 'ws' }),
  'keyframe/invoke': (stage) => ({ ...dev(stage), quality: 0 }),
  'record/calendar': (stage) => ({ ...dev(stage), year: 2026, month: 2, srcType: 0, timeZone: 'UTC' }),
  'record/query': (stage) => ({ ...dev(stage), ...window, quality: 0, srcType: 1 }),
  'record/time': (stage) => ({ ...dev(stage), ...window, quality: 0, srcType: 0, recordType: 1 }),
  'record/export/estimate': (stage) => ({ items: [{ ...dev(stage), ...window }], quality: 0 }),
  'record/export/start': (stage) => ({
    items: [{ ...dev(stage), ...window }],
    quality: 0,
    name: 'Theft',
    format: 'mp4',
  }),
  'record/export/status': ({ exportTask }) => ({ task: exportTask }),
  'record/export/list': () => ({ pageStart: 0, pageSize: 10 }),
  'record/export/cancel': ({ exportTask }) => ({ task: exportTask }),
  'record/hls': (stage) => ({ ...dev(stage), ...window, quality: 0, recordType: 1 }),
  'record/url': (stage) => ({ ...dev(stage), ...window, quality: 0, recordType: 1 }),
  'record/trigger': (stage) => ({ ...dev(stage), seconds: 60 }),
  'layout/list': () => ({ pageStart: 0, pageSize: 10 }),
  'layout/save': (stage) => ({
    layoutId: stage.layoutId,
    version: 1,
    name: 'Gates and yard',
    split: 9,
    tiles: [{ position: 8, ...dev(stage) }],
    shared: true,
  }),
  'record/plan/get': dev,
  'record/plan/set': (stage) => ({
    ...dev(stage),
    plan: [{ day: 1, entryList: [{ StartTime: '08:00:00', EndTime: '18:00:00', Type: 2 }] }],
    holidayList: ['2026-12-25'],
    preRoll: 5,
    retentionDays: 7,
    quality: 0,
    secondStream: false,
    quotaBytes: 1_000_000_000,
    timeZone: 'Europe/Berlin',
    version: 1,
  }),
  'record/lock': (stage) => ({ ...dev(stage), ...window, name: 'Theft', reason: 'asked for by the police' }),
  'record/lock/list': (stage) => ({ ...dev(stage), ...window }),
  'record/unlock': (stage) => ({ ...dev(stage), lockId: stage.lockId }),
  'record/bookmark/add': (stage) => ({ ...dev(stage), ...window, name: 'Seen' }),
  'record/bookmark/list': (stage) => ({ ...dev(stage), ...window }),
  'record/bookmark/delete': (stage) => ({ ...dev(stage), bookmarkId: stage.bookmarkId }),
  'share/add': ({ deviceSerial }) => ({
    account: 'partner',
    items: [{ deviceSerial }],
    shareName: 'All',
    shareType: 2,
    permission: ['videotapeView'],
    startTime: 1,
    endTime: 4_000_000_000_000,
    plan: [{ day: 1, entryList: [{ StartTime: '08:00:00', EndTime: '18:00:00', Type: 1 }] }],
    timeZone: 'Europe/Berlin',
    description: 'for a while',
  }),
  'share/update': ({ shareId, deviceSerial }) => ({
    shareId,
    items: [{ deviceSerial, channelNo: 1 }],
    shareName: 'One',
    permission: ['videoView', 'talk'],
    startTime: null,
    endTime: null,
    plan: null,
    timeZone: 'UTC',
    description: null,
    version: 1,
  }),
  'share/accept': ({ receivedId }) => ({ shareId: receivedId }),
  'share/quit': ({ spareReceivedId }) => ({ shareId: spareReceivedId }),
  'share/given/list': () => ({ pageStart: 0, pageSize: 10, states: ['active'] }),
  'share/received/list': () => ({ pageStart: 0, pageSize: 10, states: ['active'] }),
  'share/org/list': () => ({}),
  'share/link/create': (stage) => ({
    live: dev(stage),
    permission: ['videoView'],
    endTime: 4_000_000_000_000,
    password: 'Gate-1',
    linkName: 'Gate',
  }),
  'share/link/list': () => ({ pageStart: 0, pageSize: 10 }),
  'share/link/open': ({ linkId }) => ({ linkId, password: 'Gate-1', quality: 0, codecs: ['h264'] }),
  'share/link/revoke': ({ linkId }) => ({ linkId }),
  'share/device/list': ({ deviceSerial, organizationId }) => ({
    pageStart: 0,
    pageSize: 10,
    deviceSerial,
    keyWord: 'F',
    channelNo: 1,
    organizationId,
    shareResourceType: 3,
  }),
  'alarm/list': ({ deviceSerial, organizationId }) => ({
    ...alarmFilter(deviceSerial, organizationId),
    pageSize: 10,
  }),
  'alarm/types': () => ({}),
  'alarm/ack': ({ alarmId }) => ({ alarmIds: [alarmId], undo: false }),
  'alarm/assign': ({ alarmId }) => ({ alarmIds: [alarmId], account: OPERATOR.username }),
  'alarm/close': ({ alarmId }) => ({ alarmIds: [alarmId], undo: false }),
  'alarm/stats': ({ deviceSerial, organizationId }) => ({
    ...alarmFilter(deviceSerial, organizationId),
    groupBy: 'day',
    timeZone: 'UTC',
  }),
  'alarm/export': ({ deviceSerial, organizationId }) => ({
    ...alarmFilter(deviceSerial, organizationId),
    language: 'en',
    timeZone: 'UTC',
  }),
  'alarm/export/status': ({ alarmExportTask }) => ({ task: alarmExportTask }),
  'alarm/rule/list': () => ({}),
  'alarm/rule/save': ({ ruleId, channelId }) => ({ ruleId, version: 1, ...ruleTelling(channelId) }),
  'alarm/rule/test': ({ ruleId }) => ({ ruleId }),
  'alarm/rule/delete': ({ spareRuleId }) => ({ ruleId: spareRuleId }),
  'alarm/channel/list': () => ({}),
  'alarm/channel/save': ({ channelId }) => ({
    channelId,
    version: 1,
    kind: 'slack',
    name: 'Guards',
    isEnabled: true,
    settings: SLACK,
  }),
  'alarm/channel/test': ({ channelId }) => ({ channelId }),
  'alarm/channel/delete': ({ spareChannelId }) => ({ channelId: spareChannelId }),
  'alarm/delivery/list': ({ ruleId, channelId }) => ({ ruleId, channelId, pageStart: 0, pageSize: 10 }),
  'alarm/quiet/get': () => ({}),
  'alarm/quiet/set': () => ({ quiet: { mutedUntil: null, plan: null, timeZone: 'UTC', exceptCritical: true } }),
  'event/ingest': (stage) => ({
    ...dev(stage),
    type: 'MotionAlarm',
    time: 1_000_000,
    key: 'a',
    phase: 'start',
    eventId: 'e',
    data: { score: '1' },
  }),
  'event/mqtt/get': () => ({}),
  'event/mqtt/set': (stage) => ({
    mqtt: { url: '', user: 'u', topic: 'frigate', cameraList: [{ camera: 'front', ...dev(stage) }] },
    password: 'p',
    version: 1,
  }),
  'event/key/list': () => ({}),
  'event/key/add': () => ({ name: 'Frigate' }),
  'event/key/delete': ({ ingestKeyId }) => ({ keyId: ingestKeyId }),
  'alarm/comment': ({ alarmId }) => ({ alarmIds: [alarmId], comment: 'A cat.' }),
  'site/list': () => ({}),
  'site/add': () => ({ siteName: 'Harbour' }),
  'site/code': ({ siteId }) => ({ siteId }),
  'site/rename': ({ siteId }) => ({ siteId, siteName: 'Old harbour' }),
  'nat/factor': ({ deviceSerial }) => ({ deviceSerial }),
  'nat/list': () => ({}),
  'site/delete': ({ siteId }) => ({ siteId }),
  'system/health': () => ({}),
  'system/config/get': () => ({}),
  'system/config/set': ({ configVersion, dataFolder }) => ({
    version: configVersion,
    config: {
      storage: { folder: `${dataFolder}/video`, budgetBytes: 1e9, reserveBytes: 1e9, retentionDays: 7 },
      network: { cameraNetworks: ['127.0.0.0/8', 'fd00::/8'] },
    },
  }),
  'layout/delete': ({ spareLayoutId }) => ({ layoutId: spareLayoutId }),
  'share/delete': ({ shareId }) => ({ shareId, shareType: 2 }),
  'user/delete': ({ spareUserId }) => ({ userId: spareUserId }),
  'device/transfer': ({ thirdSerial }) => ({ deviceSerial: thirdSerial, account: 'partner' }),
  'device/delete': ({ spareSerial }) => ({ deviceSerial: spareSerial }),
  'account/session/revoke': ({ sessionId }) => ({ sessionId }),
  'account/password/change': () => ({ oldPassword: OPERATOR.password, password: 'Watch-2027' }),
  'account/setup': ({ setupSecret }) => ({
    secret: setupSecret,
    username: 'second',
    password: 'Watch-2026',
    browserId: 'matrix',
  }),
  'account/logout': () => ({}),
};

/** Calls whose good input is refused by design once the stage is set. */
export const refusedByDesign: Partial<Record<CallPath, number>> = {
  'event/ingest': 1001,
  'account/setup': 1007,
  // No mail server is configured, and no code was ever sent.
  'account/verifyCode/send': 1006,
  'account/register': 1006,
  'account/password/retrieve': 1015,
  'account/contact/bind': 1015,
  'system/account/test': 1006,
  'account/twofactor/enable': 1015,
  'account/twofactor/disable': 1007,
  'trustDevice/delete': 1007,
  // The last operator stays.
  'account/erase': 1004,
};

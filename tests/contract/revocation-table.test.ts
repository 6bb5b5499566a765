// Every use of a share × every cause that ends it: within two seconds, each with its code.
import type { WebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHARE_RIGHT_NAMES, SHARE_RIGHTS } from '@vedette/contract/permissions.ts';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

const ALL = SHARE_RIGHT_NAMES;
const FOOTAGE = { startTime: 0, endTime: 600_000 };

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let count = 0;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  site.spans = [{ ...FOOTAGE, recordType: 1 }];
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

interface Stage {
  readonly giver: CallClient;
  readonly giverId: string;
  readonly viewer: CallClient;
  readonly viewerName: string;
  readonly viewerId: string;
  readonly deviceSerial: string;
  readonly shareId: string;
  readonly roleId: string;
  readonly socket: WebSocket;
  readonly heard: string[];
  readonly operatorId: string;
  readonly task: string;
}

/** A giver with a device in an organisation, and a viewer who does all that a share allows: live, playback, talk, a move, an export, alarms. */
async function startAll(way: 'plain' | 'role' | 'organization'): Promise<Stage> {
  count += 1;
  const [giverName, viewerName] = [`giver${count}`, `viewer${count}`];
  const account = async (username: string) =>
    (await operator.ok('user/add', { username, password: 'Secret-1', userType: 2 })).userId;
  const [giverId, viewerId] = [await account(giverName), await account(viewerName)];
  const giver = await server.signIn(giverName, 'Secret-1');
  const viewer = await server.signIn(viewerName, 'Secret-1');
  const { organizationId } = await giver.ok('org/add', { organizationName: 'Yard' });
  const target = `rtsp://192.0.2.${100 + count}/1`;
  const { device } = await giver.ok('device/add', { target, deviceName: 'Yard', organizationId });
  const dev = { deviceSerial: device.deviceSerial, channelNo: 1 };
  const permissions = Object.values(SHARE_RIGHTS);
  const { roleId } = await giver.ok('role/add', { roleName: 'Guard', permissions, resources: null });
  const { shareId } = await giver.ok('share/add', {
    account: viewerName,
    items: [way === 'organization' ? { organizationId } : dev],
    ...(way === 'role' ? { shareType: 1, roleId } : { permission: ALL }),
  });
  const heard: string[] = [];
  const socket = server.webSocket('/ws');
  socket.on('message', (raw: Buffer) => heard.push(raw.toString('utf8')));
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken: viewer.accessToken })));
  await waitFor('the welcome', () => heard.length > 0);
  await viewer.ok('media/url', dev);
  await viewer.ok('capture/get', dev);
  await viewer.ok('record/hls', { ...dev, ...FOOTAGE });
  await viewer.ok('record/url', { ...dev, ...FOOTAGE });
  await viewer.ok('talk/url', { ...dev, method: 'ws' });
  const { operatorId } = await viewer.ok('ptz/start', { ...dev, command: 'left', speed: 3 });
  const { task } = await viewer.ok('record/export/start', { items: [{ ...dev, ...FOOTAGE }] });
  await alarmOn(dev.deviceSerial);
  await waitFor('the alarm to be heard', () => heard.some((text) => text.includes('"alarm"')));
  const { deviceSerial } = dev;
  return {
    giver,
    giverId,
    viewer,
    viewerName,
    viewerId,
    deviceSerial,
    shareId,
    roleId,
    socket,
    heard,
    operatorId,
    task,
  };
}

async function alarmOn(deviceSerial: string): Promise<void> {
  await site.reportEvent(deviceSerial, { topic: 'tns1:VideoSource/MotionAlarm', key: String(Math.random()) });
}

const noHours = (): { day: number; entryList: { StartTime: string; EndTime: string; Type: 1 }[] }[] => {
  // Two hours that are not now, whatever the time is.
  const hour = (new Date().getUTCHours() + 12) % 23;
  const two = (value: number): string => String(value).padStart(2, '0');
  const entry = { StartTime: `${two(hour)}:00:00`, EndTime: `${two(hour + 1)}:00:00`, Type: 1 as const };
  return [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, entryList: [entry] }));
};

interface Cause {
  readonly what: string;
  readonly code: number;
  readonly way?: 'role' | 'organization';
  /** Its pages are closed rather than told. */
  readonly endsSession?: boolean;
  readonly end: (stage: Stage) => Promise<unknown>;
}

const CAUSES: readonly Cause[] = [
  {
    what: 'the share is withdrawn',
    code: 1017,
    end: ({ giver, shareId }) => giver.ok('share/delete', { shareId, shareType: 2 }),
  },
  { what: 'it is given back', code: 1017, end: ({ viewer, shareId }) => viewer.ok('share/quit', { shareId }) },
  {
    what: 'it ends by time',
    code: 1017,
    end: async ({ giver, shareId }) => {
      await giver.ok('share/update', { shareId, endTime: Date.now() + 300 });
    },
  },
  {
    what: 'its weekly hours close',
    code: 1017,
    end: ({ giver, shareId }) => giver.ok('share/update', { shareId, plan: noHours(), timeZone: 'UTC' }),
  },
  {
    what: 'its role loses every right of a share',
    code: 1017,
    way: 'role',
    end: async ({ giver, roleId }) => {
      const { roleList } = await giver.ok('role/list', {});
      const version = roleList.find((role) => role.roleId === roleId)?.version ?? 0;
      const role = { roleId, version, roleName: 'Guard', resources: null };
      await giver.ok('role/update', { ...role, permissions: ['DeviceManage'] });
    },
  },
  {
    what: 'its role is deleted',
    code: 1017,
    way: 'role',
    end: ({ giver, roleId }) => giver.ok('role/delete', { roleId }),
  },
  {
    what: 'the device leaves the shared organisation',
    code: 1017,
    way: 'organization',
    end: ({ giver, deviceSerial }) => giver.ok('device/move', { deviceSerial, organizationId: '0' }),
  },
  {
    what: 'the device is taken over by another account',
    code: 1017,
    end: async ({ giver, deviceSerial }) => {
      const offer = await giver.ok('device/transfer', { deviceSerial, account: 'operator' });
      await operator.ok('device/transfer/accept', offer);
    },
  },
  {
    what: 'the giver is disabled',
    code: 1017,
    end: ({ giverId }) => operator.ok('user/enable', { userId: giverId, isEnabled: false }),
  },
  {
    what: 'the viewer is disabled',
    code: 2031,
    endsSession: true,
    end: ({ viewerId }) => operator.ok('user/enable', { userId: viewerId, isEnabled: false }),
  },
];

describe('[SE-33] [FT-39] [GO-08] within two seconds', () => {
  it.each(CAUSES)('$what: live, playback, talk, PTZ, export and alarms end with $code', async (cause) => {
    const stage = await startAll(cause.way ?? 'plain');
    const { viewerId, deviceSerial, operatorId, task, heard, socket } = stage;
    const held = new Set(site.ticketsOf(viewerId).map((grant) => grant.ticketId));
    const kinds = new Set(site.ticketsOf(viewerId).map((grant) => grant.kind));
    expect(kinds).toEqual(new Set(['live', 'hls', 'rtsp', 'snapshot', 'fragments', 'talk']));
    const before = heard.length;
    await cause.end(stage);
    const isDark = () => site.ticketsOf(viewerId).length === 0;
    // What ends by time ends 300 ms later.
    await waitFor('every ticket to end', isDark, 2300);
    const codes = site.revoked.filter((one) => held.has(one.ticketId)).map((one) => one.code);
    expect(new Set(codes)).toEqual(new Set([cause.code]));
    const isStopped = () => site.ptz.stopped.some((one) => one.operatorId === operatorId && one.command === null);
    await waitFor('the move to be stopped', isStopped, 2000);
    const ended = () => site.endedExports.find(({ taskId }) => taskId === task);
    await waitFor('the export to end', () => ended() !== undefined, 2000);
    expect(ended()?.code).toBe(cause.endsSession === true ? 1004 : cause.code);
    const word = cause.endsSession === true ? `"code":${cause.code}` : 'rightsChanged';
    await waitFor('the page to hear of it', () => heard.slice(before).some((text) => text.includes(word)), 2000);
    const alarms = () => heard.filter((text) => text.includes('"alarm"')).length;
    const known = alarms();
    await alarmOn(deviceSerial);
    // Another's change is heard after the alarm would have been.
    if (cause.endsSession !== true) {
      const heardBefore = heard.length;
      await stage.viewer.ok('org/add', { organizationName: 'Mine' });
      await waitFor('a later word', () => heard.slice(heardBefore).some((text) => text.includes('resourcesChanged')));
    }
    expect(alarms()).toBe(known);
    socket.close();
  });
});

// Whatever call opens media: each ticket that is issued stands in the log of the camera's owner, under the call that opened it.
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallPath, calls } from '@vedette/contract/calls/calls.ts';
import { goodInputs } from './good-inputs.ts';
import { type InputFixture, createInputFixture } from './inputs/input-fixture.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

interface Ticket {
  readonly kind: string;
  readonly device_serial: string;
  readonly probe_id: string | null;
}

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let stage: InputFixture;
let database: pg.Client;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  site.spans = [{ startTime: 1_000_000, endTime: 1_060_000, recordType: 1 }];
  stage = await createInputFixture(server, operator, site);
  database = new pg.Client({ connectionString: server.database.url });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await site?.hangUp();
  await server?.stop();
});

/** They end what the others are about, so that they come last; those that end the caller are not made. */
const ENDING =
  /(?:delete|remove|revoke|quit|leave|unbind|abort|stop|disable|clear|reset|erase|logout|set|update|move|transfer)/i;
const NOT_MADE: readonly CallPath[] = ['account/logout', 'account/erase', 'account/setup'];

async function ticketsOf(path: CallPath): Promise<Ticket[]> {
  await database.query('delete from media_ticket');
  const caller = calls[path].permission.kind === 'public' ? server.client() : operator;
  await caller.raw(path, goodInputs[path](stage));
  return (await database.query<Ticket>('select kind, device_serial, probe_id from media_ticket')).rows;
}

async function isInLog(path: CallPath, deviceSerial: string): Promise<boolean> {
  const { auditList } = await operator.ok('audit/list', { deviceSerial, pageSize: 20 });
  return auditList.some(({ call }) => call === path);
}

/** Where the owner looks at stills of its own camera, nothing is written down. */
const OTHERS_ALONE: readonly string[] = ['preset/list preset'];

it('[GO-22] [SE-102] every call of the contract that opens media is in the log of the owner', async () => {
  const paths = (Object.keys(goodInputs) as CallPath[]).filter((path) => !NOT_MADE.includes(path));
  const ordered = [...paths.filter((path) => !ENDING.test(path)), ...paths.filter((path) => ENDING.test(path))];
  // The stage has pushed a stream of its first camera to a CDN.
  expect(await isInLog('cdn/live/start', stage.deviceSerial)).toBe(true);
  const opening: string[] = [];
  const unseen: string[] = [];
  for (const path of ordered) {
    for (const { kind, device_serial: serial, probe_id: probeId } of await ticketsOf(path)) {
      opening.push(`${path} ${kind}`);
      // What is not added yet has no owner but who looks at it.
      if (probeId === null && !(await isInLog(path, serial))) unseen.push(`${path} ${kind}`);
    }
  }
  expect(unseen).toEqual(OTHERS_ALONE);
  // Whatever kind of ticket there is was opened by one of them.
  const kinds = new Set(opening.map((one) => one.split(' ')[1]));
  expect([...kinds].sort()).toEqual([
    'export',
    'fragments',
    'hls',
    'live',
    'preset',
    'probe',
    'rtsp',
    'snapshot',
    'talk',
  ]);
}, 240_000);

it('[GO-22] [SE-102] what others open is in the log of the owner, with the share', async () => {
  await operator.ok('user/add', { username: 'guard', password: 'Secret-1', userType: 2 });
  const guard = await server.signIn('guard', 'Secret-1');
  const { deviceSerial } = (await operator.ok('device/add', { target: 'rtsp://192.0.2.77/1', deviceName: 'Pier' }))
    .device;
  const dev = { deviceSerial, channelNo: 1 };
  const permission = ['videoView', 'videotapeView', 'Export', 'ptzControl', 'talk'] as const;
  await operator.ok('share/add', { account: 'guard', items: [dev], permission: [...permission], shareName: 'Nights' });
  const range = { startTime: 1_000_000, endTime: 1_060_000 };
  const { task } = await guard.ok('record/export/start', { items: [{ ...dev, ...range }] });
  await guard.ok('media/url', dev);
  await guard.ok('record/url', { ...dev, ...range, quality: 0, recordType: 1 });
  await guard.ok('record/hls', { ...dev, ...range, quality: 0, recordType: 1 });
  await guard.ok('capture/get', dev);
  await guard.ok('talk/url', dev);
  site.ptz.presets = [{ token: '1', name: 'Gate', picture: '0123456789abcdef01234567-5.jpg' }];
  await guard.ok('preset/list', dev);
  await guard.ok('record/export/status', { task });
  const { auditList } = await operator.ok('audit/list', { deviceSerial, userName: 'guard', kind: 'watch' });
  expect(auditList.map(({ call, detail }) => [call, detail?.way, detail?.share?.shareName]).reverse()).toEqual([
    ['record/export/start', 'export', 'Nights'],
    ['media/url', 'live', 'Nights'],
    ['record/url', 'playback', 'Nights'],
    ['record/hls', 'playback', 'Nights'],
    ['capture/get', 'snapshot', 'Nights'],
    ['talk/url', 'talk', 'Nights'],
    ['preset/list', 'presetPicture', 'Nights'],
    ['record/export/status', 'download', 'Nights'],
  ]);
  expect((await operator.ok('audit/verify', {})).isWhole).toBe(true);
});

// Events that apps get on /ws: those of their scopes and chosen devices, until the token ends, also on pages of origins that they list.
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
import { runSql } from './account-steps.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';
import { type RegisteredApp, registerApp, ThirdPartyApp } from './third-party-app.ts';

const LISTED = 'https://partner.example';
const MOTION = 'tns1:VideoSource/MotionAlarm';
const SCOPES = ['device.list', 'alarm.read', 'live'] as const;

interface Heard {
  readonly type: string;
  readonly code?: number;
  readonly seq?: number;
  readonly event?: { readonly kind: string; readonly deviceSerial?: string; readonly alarm?: { deviceSerial: string } };
}

let server: ServerUnderTest;
let site: ScriptedSite;
let owner: CallClient;
let gate: string;
let yard: string;
let registered: RegisteredApp;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  owner = await server.setUp();
  site = await ScriptedSite.dial(server);
  const add = async (host: string) =>
    (await owner.ok('device/add', { target: `rtsp://${host}/1`, deviceName: `Camera ${host}` })).device.deviceSerial;
  gate = await add('192.0.2.1');
  yard = await add('192.0.2.2');
  registered = await registerApp(owner, { scopeList: [...SCOPES], embedOriginList: [LISTED] });
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

const tokenOf = async (scope: string): Promise<string> =>
  (await new ThirdPartyApp(server, registered).tokensFor(owner, [gate], { scope })).access_token;

function listen(hello: object, origin?: string) {
  const heard: Heard[] = [];
  const socket = server.webSocket('/ws', origin === undefined ? {} : { origin, host: 'localhost:8443' });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  const refused = new Promise<number | undefined>((resolve) => {
    socket.on('unexpected-response', (_request, { statusCode }) => resolve(statusCode));
  });
  socket.on('error', () => undefined);
  socket.on('message', (raw: Buffer) => heard.push(JSON.parse(raw.toString('utf8')) as Heard));
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', ...hello })));
  const kinds = (): string[] => heard.flatMap(({ event }) => (event === undefined ? [] : [event.kind]));
  const welcomed = () => waitFor('the welcome', () => heard.find(({ type }) => type === 'welcome'));
  return { heard, socket, closed, refused, kinds, welcomed };
}

async function eventsOfBoth(): Promise<void> {
  for (const deviceSerial of [gate, yard]) {
    await site.reportStored({ kind: 'deviceStatus', deviceSerial, status: 1, reason: null, at: Date.now() });
    await site.reportEvent(deviceSerial, { topic: MOTION, eventId: randomUUID() });
  }
}

it('[SE-60] [SE-84] tells an app of its scopes and the chosen device, and of nothing else', async () => {
  const [wide, narrow, silent] = await Promise.all(
    ['device.list alarm.read', 'alarm.read', 'live'].map(async (scope) =>
      listen({ accessToken: await tokenOf(scope) }),
    ),
  );
  if (!wide || !narrow || !silent) throw new Error('three sockets were asked for');
  const console = listen({ accessToken: owner.accessToken });
  await Promise.all([wide, narrow, silent, console].map(({ welcomed }) => welcomed()));
  await eventsOfBoth();
  const alarms = ({ heard }: typeof wide) => heard.flatMap(({ event }) => event?.alarm?.deviceSerial ?? []);
  await waitFor('both alarms in the console', () => alarms(console).includes(yard));
  await waitFor('the alarm', () => alarms(wide).includes(gate) && alarms(narrow).includes(gate));
  expect(new Set(wide.kinds())).toEqual(new Set(['deviceStatus', 'alarm']));
  expect(new Set(narrow.kinds())).toEqual(new Set(['alarm']));
  expect(silent.kinds()).toEqual([]);
  for (const { heard } of [wide, narrow]) expect(JSON.stringify(heard)).not.toContain(yard);
  for (const { socket } of [wide, narrow, silent, console]) socket.close();
});

it('goes on after the last event that came, like a page', async () => {
  const accessToken = await tokenOf('alarm.read');
  const first = listen({ accessToken });
  const { seq } = await first.welcomed();
  first.socket.close();
  await first.closed;
  await eventsOfBoth();
  const again = listen({ accessToken, since: seq });
  await waitFor('the missed alarm', () => again.kinds().includes('alarm'));
  expect(JSON.stringify(again.heard)).not.toContain(yard);
  again.socket.close();
});

it('[SE-60] ends with the grant, within two seconds', async () => {
  const socket = listen({ accessToken: await tokenOf('device.list') });
  await socket.welcomed();
  const { grantList } = await owner.ok('oauth/grant/list', {});
  for (const { grantId } of grantList) await owner.ok('oauth/grant/revoke', { grantId });
  await waitFor('the end', () => socket.heard.find(({ type }) => type === 'end'), 2000);
  expect(socket.heard.at(-1)).toEqual({ type: 'end', code: 1001 });
  expect(await socket.closed).toBe(4401);
});

it('ends when its token does', async () => {
  const accessToken = await tokenOf('device.list');
  const soon = Date.now() + 1500;
  const hash = createHash('sha256').update(accessToken).digest('hex');
  await runSql(server, `update oidc_record set expires_at = ${soon} where id_hash = '\\x${hash}'`);
  const socket = listen({ accessToken });
  await socket.welcomed();
  expect(await socket.closed).toBe(4401);
  expect(Date.now()).toBeGreaterThanOrEqual(soon);
  expect(socket.heard.at(-1)).toEqual({ type: 'end', code: 1002 });
});

it('[SE-83] opens for pages of origins that an app lists, with a token of that app alone', async () => {
  const accessToken = await tokenOf('alarm.read');
  const listed = listen({ accessToken }, LISTED);
  await listed.welcomed();
  listed.socket.close();
  expect(await listen({ accessToken }, 'https://evil.example').refused).toBe(403);
  const session = listen({ accessToken: owner.accessToken }, LISTED);
  expect(await session.closed).toBe(4401);
  expect(session.heard).toEqual([{ type: 'end', code: 1004 }]);
  const other = await registerApp(owner, { appName: 'Other', scopeList: ['alarm.read'], embedOriginList: [] });
  const tokens = await new ThirdPartyApp(server, other).tokensFor(owner, [gate], { scope: 'alarm.read' });
  const foreign = listen({ accessToken: tokens.access_token }, LISTED);
  expect(await foreign.closed).toBe(4401);
  expect(foreign.heard).toEqual([{ type: 'end', code: 1004 }]);
});

// The client of the Home Assistant integration against a running product: sign-in, cameras, video, alarms, and its end.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { ConsentingBrowser } from '../harness/consenting-browser.ts';
import { Product } from '../harness/product.ts';
import { PythonConversation } from '../harness/python-conversation.ts';
import { addAll, startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const INTEGRATION = new URL('../../integrations/home-assistant/', import.meta.url).pathname;
/** Home Assistant's own page, which sends the browser on to the installation of its user. */
const REDIRECT_URI = 'https://my.home-assistant.io/redirect/oauth';
/** In the group of motion, and never raised by the scenes of virtual cameras. */
const TYPE = 'SmartMotionAlarm';

let product: Product;
let cameras: VirtualSite;
let operator: ApiClient;
let chosen: string;
let key: string;
let program: PythonConversation;

beforeAll(async () => {
  [product, cameras] = await Promise.all([Product.start(), startVirtualSite(['--cameras', '2'])]);
  operator = await product.setUp();
  const added = await addAll(operator, cameras.devices);
  if (added.length < 2) throw new Error('two cameras were asked for');
  chosen = added[0]?.deviceSerial ?? '';
  key = `${chosen}_1`;
  const { app, secret } = await operator.ok('app/save', {
    appName: 'Home Assistant',
    redirectUriList: [REDIRECT_URI],
    scopeList: ['openid', 'profile', 'offline_access', 'device.list', 'live', 'alarm.read', 'config'],
  });
  program = new PythonConversation(join(INTEGRATION, 'tests', 'conversation.py'), {
    base: product.url.replace(/^http:/, 'https:'),
    authority: join(product.data, 'tls', 'ca.pem'),
    clientId: app.appId,
    clientSecret: secret,
  });
});

afterAll(async () => {
  await program?.stop();
  await product?.stop();
  await cameras?.stop();
});

async function control(command: string, input: object): Promise<void> {
  const body = JSON.stringify(input);
  const response = await fetch(`${cameras.controlUrl}/devices/${chosen}/${command}`, { method: 'POST', body });
  if (!response.ok) throw new Error(`${command}: ${await response.text()}`);
}

it('signs in by the code flow with PKCE', async () => {
  const address = await program.ask<string>('discover');
  const back = await (await ConsentingBrowser.of(product, operator)).allow(address, [chosen]);
  expect(back.href.startsWith(REDIRECT_URI)).toBe(true);
  const signedIn = await program.ask<{ shown: string }>('redeem', { code: back.searchParams.get('code') });
  expect(signedIn).toMatchObject({ hasAccountId: true, name: 'operator' });
  expect(signedIn.shown).not.toContain('token');
});

it('lists the camera that was allowed and no other', async () => {
  const online = () => program.ask<{ key: string; isOnline: boolean; permissions: string[] }[]>('cameras');
  const listed = await waitFor('the camera online', async () => {
    const found = await online();
    return found[0]?.isOnline === true && found;
  });
  expect(listed.map((camera) => camera.key)).toEqual([key]);
  expect(listed[0]?.permissions).toEqual(expect.arrayContaining(['Realplay', 'AlarmPush', 'Config']));
});

it('fetches a snapshot, which is a whole JPEG', async () => {
  const snapshot = await program.ask<{ bytes: number }>('snapshot', { key });
  expect(snapshot).toMatchObject({ first: 'ffd8ff', last: 'ffd9' });
  expect(snapshot.bytes).toBeGreaterThan(1000);
});

it('opens an RTSP address, of which ffmpeg decodes frames', async () => {
  expect(await program.ask<number>('stream', { key })).toBeGreaterThanOrEqual(10);
});

it('names each alarm type in both languages', async () => {
  const types = await program.ask<Record<string, string[]>>('types');
  expect(types['MotionAlarm']).toEqual(['motion', 'Motion', '移动侦测']);
  expect(Object.keys(types).filter((type) => type.endsWith('Cleared'))).toEqual([]);
});

interface Heard {
  readonly heard: readonly string[];
  readonly lasting: readonly string[];
  readonly listed: readonly string[];
}

const heard = () => program.ask<Heard>('events', { key, types: [TYPE] });

it('hears of an alarm while it lasts and of its end', async () => {
  await program.ask('listen');
  await waitFor('the socket', async () => (await heard()).heard.includes('Connected'));
  const happening = { topic: TYPE, channelNo: 1, key: 'door' };
  await control('raise', happening);
  const during = await waitFor('the alarm', async () => {
    const now = await heard();
    return now.lasting.length > 0 && now;
  });
  expect([during.lasting, during.listed]).toEqual([[TYPE], [TYPE]]);
  await control('clear', happening);
  const after = await waitFor('its end', async () => {
    const now = await heard();
    return now.lasting.length === 0 && now;
  });
  expect(after.listed).toEqual([]);
});

it('switches motion detection at the camera itself', async () => {
  const motion = (isOn: boolean) => program.ask<boolean>('motion', { key, isOn });
  expect([await motion(false), await motion(true)]).toEqual([false, true]);
});

it('renews its token twice, whoever else asks meanwhile, and uses no refresh token twice', async () => {
  expect(await program.ask('refresh')).toBe(2);
});

it('is told within two seconds that the account revoked it', async () => {
  const { grantList } = await operator.ok('oauth/grant/list', {});
  for (const { grantId } of grantList) await operator.ok('oauth/grant/revoke', { grantId });
  await waitFor('the end', async () => (await program.ask<string[]>('heard_kinds')).at(-1) === 'SignInEnded', 2000);
  expect(await program.ask('cameras')).toMatchObject({ error: 'SignInEnded' });
  expect(await program.ask('stream_again')).toBe(0);
  expect(program.log).toBe('');
});

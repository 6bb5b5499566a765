// The Home Assistant integration against a running product: its client, and its entities on stand-ins for Home Assistant.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { ConsentingBrowser } from '../harness/consenting-browser.ts';
import { Product } from '../harness/product.ts';
import { PYTHON, PythonConversation } from '../harness/python-conversation.ts';
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
let start: object;
let program: PythonConversation;
let installed: PythonConversation;

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
  start = {
    base: product.url.replace(/^http:/, 'https:'),
    authority: join(product.data, 'tls', 'ca.pem'),
    clientId: app.appId,
    clientSecret: secret,
  };
  program = new PythonConversation(join(INTEGRATION, 'tests', 'conversation.py'), start);
  installed = new PythonConversation(join(INTEGRATION, 'tests', 'entities.py'), start);
});

afterAll(async () => {
  await program?.stop();
  await installed?.stop();
  await product?.stop();
  await cameras?.stop();
});

async function control(command: string, input: object): Promise<void> {
  const body = JSON.stringify(input);
  const response = await fetch(`${cameras.controlUrl}/devices/${chosen}/${command}`, { method: 'POST', body });
  if (!response.ok) throw new Error(`${command}: ${await response.text()}`);
}

/** The account allows the camera; answers what the browser brings back. */
async function codeFor(address: string): Promise<string> {
  const back = await (await ConsentingBrowser.of(product, operator)).allow(address, [chosen]);
  if (!back.href.startsWith(REDIRECT_URI)) throw new Error(`sent back to ${back.origin}`);
  return back.searchParams.get('code') ?? '';
}

async function revokeAll(): Promise<void> {
  const { grantList } = await operator.ok('oauth/grant/list', {});
  for (const { grantId } of grantList) await operator.ok('oauth/grant/revoke', { grantId });
}

it('signs in by the code flow with PKCE', async () => {
  const address = await program.ask<string>('discover');
  const signedIn = await program.ask<{ shown: string }>('redeem', { code: await codeFor(address) });
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
  expect(await program.ask<number>('stream', { key })).toBeGreaterThan(0);
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

it('keeps events and tokens over lost sockets, ended tokens and cancelled callers', async () => {
  const args = ['-B', '-m', 'unittest', '-q', 'test_events'];
  await promisify(execFile)(PYTHON, args, { cwd: join(INTEGRATION, 'tests') });
});

it('is told that the account revoked it, and its addresses open nothing any more', async () => {
  await revokeAll();
  await waitFor('the end', async () => (await program.ask<string[]>('heard_kinds')).at(-1) === 'SignInEnded');
  expect(await program.ask('cameras')).toMatchObject({ error: 'SignInEnded' });
  expect(await program.ask('stream_again')).toBe(0);
  expect(program.log).toBe('');
});

interface Shown {
  readonly available: boolean;
  readonly isPolled: boolean;
  readonly isOn: boolean | null;
  readonly last: string | null;
}

interface Options {
  readonly labels: Readonly<Record<string, string>>;
  readonly chosen: readonly string[];
  readonly stored: object;
}

/** Paths of all texts. */
function textsOf(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([name, part]: [string, unknown]) =>
    typeof part === 'object' && part !== null ? textsOf(part, `${path}/${name}`) : [`${path}/${name}`],
  );
}

it('has the same texts in English and Chinese', async () => {
  const [english, chinese] = await Promise.all(
    ['en', 'zh-Hans'].map(async (language) => {
      const file = join(INTEGRATION, 'custom_components', 'vedette', 'translations', `${language}.json`);
      return textsOf(JSON.parse(await readFile(file, 'utf8')) as object);
    }),
  );
  expect(english?.length).toBeGreaterThan(50);
  expect(chinese).toEqual(english);
});

describe('the integration on stand-ins for Home Assistant', () => {
  const shown = () => installed.ask<Record<string, Shown>>('entities');

  it('says which address is wrong, and whom it does not trust', async () => {
    const errors = (change: object) => installed.ask('flow', { change });
    expect(await errors({ url: 'https://127.0.0.1:1' })).toEqual({ base: 'cannot_connect' });
    expect(await errors({ authority: '' })).toEqual({ base: 'no_vedette' });
    expect(await errors({ authority: 'no certificate' })).toEqual({ base: 'no_vedette' });
    expect(await errors({ url: `${new URL(product.url).origin}/console` })).toEqual({ base: 'no_vedette' });
  });

  it('signs in and adds the entities of the camera', async () => {
    const code = await codeFor(await installed.ask('flow'));
    expect(await installed.ask('come_back', { code })).toBe('Vedette (operator)');
    const entities = await waitFor('the switch', async () => {
      const now = await shown();
      return now[`${key}_motion_detection`] !== undefined && now;
    });
    const kinds = ['alarm', 'behaviour', 'camera', 'fire', 'motion', 'motion_detection', 'person', 'picture'];
    const names = [...kinds, 'sound', 'vehicle'].map((kind) => `${key}_${kind}`);
    expect(Object.keys(entities).toSorted()).toEqual(names.toSorted());
    expect(Object.values(entities).every(({ available }) => available)).toBe(true);
    const polled = Object.entries(entities).filter(([, { isPolled }]) => isPolled);
    expect(polled.map(([name]) => name)).toEqual([`${key}_motion_detection`]);
  });

  it('gives a snapshot, and a new address where a stream stood still or broke', async () => {
    const video = await installed.ask('video', { entity: `${key}_camera` });
    expect(video).toEqual({ image: 'ffd8ff', sources: [0, 0, 2, 3] });
  });

  it('fires an event for an alarm, and is on while it lasts', async () => {
    const happening = { topic: TYPE, channelNo: 1, key: 'gate' };
    await control('raise', happening);
    await waitFor('the alarm', async () => {
      const now = await shown();
      return now[`${key}_alarm`]?.last === TYPE && now[`${key}_motion`]?.isOn === true;
    });
    expect((await shown())[`${key}_person`]?.isOn).toBe(false);
    await control('clear', happening);
    await waitFor('its end', async () => (await shown())[`${key}_motion`]?.isOn === false);
  });

  it('switches motion detection', async () => {
    const entity = `${key}_motion_detection`;
    expect(await installed.ask('switch', { entity, isOn: false })).toBe(false);
    expect(await installed.ask('switch', { entity, isOn: true })).toBe(true);
  });

  it('offers all types of alarms by their Chinese names, with the usual ones chosen', async () => {
    const { labels, chosen, stored } = await installed.ask<Options>('options', { chosen: ['FireAlarm'] });
    expect([labels['MotionAlarm'], labels['MotionAlarmCleared']]).toEqual(['移动侦测', undefined]);
    expect([chosen.includes('MotionAlarm'), chosen.includes('DiskFull')]).toEqual([true, false]);
    expect(stored).toEqual({ alarm_types: ['FireAlarm'] });
  });

  it('stores each renewed token, and shows none in diagnostics', async () => {
    expect(await installed.ask('renewed')).toEqual([true, true]);
    const report = await installed.ask('diagnostics');
    expect(report).toMatchObject({ leaked: [], shown: { is_listening: true, cameras: [{ device_status: 1 }] } });
  });

  it('asks for a new sign-in when it is revoked, goes on after it, and revokes it when it is removed', async () => {
    await revokeAll();
    await waitFor('the question', async () => (await installed.ask<number>('reauths')) > 0);
    // The secret is left empty: it stays.
    const code = await codeFor(await installed.ask('flow', { change: { client_secret: '' } }));
    expect(await installed.ask('come_back', { code })).toBe('reauth_successful');
    await waitFor('the camera', async () => (await shown())[`${key}_camera`]?.available === true);
    expect((await operator.ok('oauth/grant/list', {})).grantList).toHaveLength(1);
    await installed.ask('remove');
    expect((await operator.ok('oauth/grant/list', {})).grantList).toHaveLength(0);
    expect(installed.log).toBe('');
  });
});

// The console inside a native shell: every topic of the bridge with the screen behind it.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { openBrowser, openPage, type WatchedPage } from '../harness/browser.ts';
import { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait-for.ts';
import type { KeyStore } from '../../shells/desktop/sign-in-key/key-store.ts';
import { serverCall } from '../../shells/desktop/sign-in-key/server-call.ts';
import { SignInKey } from '../../shells/desktop/sign-in-key/sign-in-key.ts';
import { keyHandlers } from '../../shells/desktop/sign-in-key/key-handlers.ts';
import { LANGUAGES, signIn } from './console-steps.ts';
import { type JoinedShell, joinShell } from './joined-shell.ts';
import { expectNoProblems, OPERATOR } from './signed-in.ts';

const { words } = LANGUAGES[0];
const CHINESE = LANGUAGES[1].words;
const ROOF = { deviceSerial: 'VDROOF0005', channelNo: 1 };
const OK = { code: 200, data: {} };

let product: Product;
let browser: Browser;
let operator: ApiClient;
let watched: WatchedPage;
let page: Page;
let shell: JoinedShell;
let signInKey: SignInKey;
let keptKey: string | null = null;
const keyStore: KeyStore = {
  kind: 'file',
  read: async () => keptKey,
  write: async (secret) => void (keptKey = secret),
  clear: async () => void (keptKey = null),
};
const saved: { name: string; url: string }[] = [];
const opened: string[] = [];

beforeAll(async () => {
  [product, browser] = await Promise.all([Product.start({ demo: true }), openBrowser()]);
  operator = await product.setUp(...OPERATOR);
  await waitFor('the demo', async () => (await operator.ok('device/list', { status: 1 })).total === 9, 60_000);
  watched = await openPage(browser);
  page = watched.page;
  signInKey = new SignInKey({ origin: product.url, store: keyStore, call: serverCall(product.url, null) });
  shell = await joinShell(watched.context, page, {
    'file/save': (file) => {
      saved.push(file);
      return {};
    },
    'link/open': ({ url }) => {
      opened.push(url);
      return {};
    },
    'p2p/version': () => ({ version: '2.14.0', build: 'in' }),
    ...keyHandlers(signInKey),
  });
  await page.goto(`${product.url}/client.html`);
  await page.getByLabel(words['login.account'], { exact: true }).waitFor();
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** On a busy machine the time of a request may be over: 1012 says that one may ask again. */
const ask: JoinedShell['peer']['ask'] = async (topic, data) => {
  const answer = await shell.peer.ask(topic, data);
  return answer.code === 1012 ? await ask(topic, data) : answer;
};
const hash = (): string => new URL(page.url()).hash;
const tile = (window: number) => page.locator('[data-cell]').nth(window - 1);
const last = <T>(list: readonly T[]): T | undefined => list.at(-1);

describe('before anybody is signed in', () => {
  it('[BR-02] the page tells the status first, then greets; what needs a session is refused', async () => {
    await expect.poll(() => shell.told.length).toBeGreaterThanOrEqual(2);
    expect(shell.told[0]).toEqual({ topic: 'account/status', data: { status: 0 } });
    expect(shell.told[1]).toMatchObject({ topic: 'system/info', data: { bridge: { min: 1, max: 1 }, lang: 1 } });
    expect(last(shell.of('system/info'))?.topics).toContain('live/start');
    for (const topic of ['window/update', 'live/start', 'preset/list'] as const) {
      const data = { ...ROOF, window: 2, status: 1 } as never;
      expect((await ask(topic, data)).code, topic).toBe(1004);
    }
    const guessed = await ask('autoLogin', { loginName: 'operator', ticket: 'T' });
    expect(guessed).toMatchObject({ code: 1003, data: { ticket: 'notFound' } });
    expect(await ask('system/info', {})).toMatchObject({ code: 200, data: { lang: 1, accountStatus: 0 } });
    await signIn(page, words, ...OPERATOR);
    await expect.poll(() => last(shell.of('account/status'))).toEqual({ status: 1 });
  });
});

describe('[RT-13] the windows of the shell', () => {
  it.each([
    [1, 'personalContainer'],
    [2, 'liveVideo'],
    [3, 'myShareContainer'],
  ] as const)('window %i is %s', async (window, screen) => {
    expect(await ask('window/update', { window, status: 1 })).toEqual(OK);
    await expect.poll(hash).toMatch(new RegExp(`^#/homepage/${screen}`));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await expect.poll(() => last(shell.of('window/current'))).toEqual({ window, status: 1, tileList: [] });
  });

  it('[EN-22] hides the page with its own window alone, shows it again, and tells the status of the window', async () => {
    const isShown = () => page.locator('#root').isVisible();
    const told = () => last(shell.of('window/current'));
    expect(await ask('window/update', { window: 2, status: 0 })).toEqual(OK);
    expect(await isShown()).toBe(true);
    expect(await ask('window/update', { window: 3, status: 0 })).toEqual(OK);
    expect(await isShown()).toBe(false);
    await expect.poll(told).toMatchObject({ window: 3, status: 0 });
    expect(await ask('window/update', { window: 3, status: 1 })).toEqual(OK);
    expect(await isShown()).toBe(true);
    await expect.poll(told).toMatchObject({ window: 3, status: 1 });
    expect(await ask('window/update', { window: 4 as never, status: 1 })).toMatchObject({
      code: 1003,
      data: { window: 'notAllowed' },
    });
  });
});

describe('language and colour', () => {
  it('[BR-02] change on the page, and the shell is told', async () => {
    expect(await ask('language/get', {})).toEqual({ code: 200, data: { lang: 1 } });
    expect(await ask('language/update', { lang: 0 })).toEqual({ code: 200, data: { lang: 0 } });
    await page.getByRole('heading', { level: 1, name: CHINESE['screen.share'] }).waitFor();
    await expect.poll(() => last(shell.of('language/current'))).toEqual({ lang: 0 });
    expect((await operator.ok('account/info', {})).language).toBe(0);
    expect(await ask('language/update', { lang: 1 })).toEqual({ code: 200, data: { lang: 1 } });
    expect(await ask('theme/update', { colour: '#d6457f' })).toEqual(OK);
    await expect.poll(async () => (await operator.ok('account/info', {})).theme).toContain('#d6457f');
    expect(await ask('theme/update', { colour: 'mud' })).toMatchObject({ code: 1003, data: { colour: 'format' } });
  });
});

describe('live view', () => {
  it('[ST-06] starts a CDN live where there is a provider, tells the shell its id, and ends it with the window', async () => {
    const origin = { providerName: 'Origin', kind: 'origin', validMinutes: 60 } as const;
    const { provider } = await operator.ok('cdn/provider/save', origin);
    const lives = async () => (await operator.ok('cdn/video/list', {})).liveList;
    const told = shell.of('live/stream').length;
    expect(await ask('live/start', { ...ROOF, window: 2 })).toEqual(OK);
    const [cdn] = shell.of('live/cdn');
    expect(await lives()).toMatchObject([
      { liveId: cdn?.liveId, ...ROOF, state: expect.stringMatching(/^(starting|live)$/) },
    ]);
    expect(cdn).toMatchObject({ window: 2 });
    expect(shell.of('live/stream')).toHaveLength(told);
    expect(await ask('live/stop', { window: 2 })).toEqual(OK);
    expect(await lives()).toEqual([]);
    await operator.ok('cdn/provider/delete', { providerId: provider.providerId });
    expect(await ask('live/start', { ...ROOF, window: 2 })).toEqual(OK);
    expect(shell.of('live/stream')).toHaveLength(told + 1);
    expect(await ask('live/stop', { window: 2 })).toEqual(OK);
  });

  it('[ST-06] starts a channel in a window of the wall, and gives the shell the addresses of its stream', async () => {
    expect(await ask('live/start', { ...ROOF, window: 3 })).toEqual(OK);
    const stream = last(shell.of('live/stream'));
    expect(stream).toMatchObject({ ...ROOF, window: 3 });
    for (const url of [stream?.p2pUrl, stream?.forwardUrl])
      expect(url).toMatch(/^(ws|http)s?:\/\/localhost:\d+\/media\//);
    await expect.poll(hash).toBe('#/homepage/liveVideo');
    await tile(3).and(page.locator('[data-state=live]')).waitFor({ timeout: 60_000 });
    expect(await ask('live/start', { deviceSerial: 'NOBODY', channelNo: 1, window: 1 })).toMatchObject({
      code: 1003,
      data: { deviceSerial: 'notFound' },
    });
  });

  it('[ST-06] the shell plays a window by RTSP: the page ends its own decoding, and says where, and whether it is covered', async () => {
    const answer = await ask('live/switchRtsp', { window: 3 });
    expect(answer).toMatchObject({ code: 200, data: { ...ROOF, codec: 'h264' } });
    const { rtspUrl, rect } = answer.data as { rtspUrl: string; rect: { width: number } };
    expect(rtspUrl).toMatch(/^rtsp:\/\/localhost:\d+\/[\w-]{43}$/);
    expect(rect.width).toBeGreaterThan(100);
    await tile(3).and(page.locator('[data-native][data-state=idle]')).waitFor();
    await tile(3).getByText(words['live.inClient']).waitFor();
    expect(
      await tile(3)
        .locator('video')
        .evaluate((video) => (video as HTMLVideoElement).currentSrc),
    ).toBe('');
    const places = () => last(shell.of('window/current'))?.tileList ?? [];
    await expect.poll(places).toMatchObject([{ window: 3, rect, isCovered: false }]);
    await expectNoProblems(watched, 'client-native-tile');
    await page.keyboard.press('Shift+?');
    await page.getByRole('dialog').waitFor();
    await expect.poll(() => places().map(({ isCovered }) => isCovered)).toEqual([true]);
    await page.keyboard.press('Escape');
    await expect.poll(() => places().map(({ isCovered }) => isCovered)).toEqual([false]);
    await page.setViewportSize({ width: 1200, height: 800 });
    await expect.poll(() => places()[0]?.rect.width).not.toBe(rect.width);
    expect(await ask('live/start', { ...ROOF, window: 3 })).toEqual(OK);
    await tile(3).and(page.locator('[data-state=live]')).waitFor({ timeout: 60_000 });
    await expect.poll(places).toEqual([]);
  });

  it('stops a window; one that is empty cannot be switched', async () => {
    expect(await ask('live/stop', { window: 3 })).toEqual(OK);
    await tile(3).and(page.locator('[data-state=empty]')).waitFor();
    expect(await ask('live/switchRtsp', { window: 3 })).toMatchObject({ code: 1003, data: { window: 'empty' } });
    expect(await ask('live/stop', { window: 65 })).toMatchObject({ code: 1003, data: { window: 'tooBig' } });
  });
});

describe('presets', () => {
  it('[ST-09] are listed, added, renamed and deleted, with 1 for each success and 0 for each failure', async () => {
    const add = await ask('preset/operate', { ...ROOF, operate: 0, name: 'Tower' });
    expect(add.code).toBe(200);
    const { presetIndex } = add.data as { presetIndex: number };
    const named = async () => {
      const { data } = await ask('preset/list', ROOF);
      return (data as { presetList: { presetIndex: number; name: string }[] }).presetList.find(
        (preset) => preset.presetIndex === presetIndex,
      )?.name;
    };
    expect(await named()).toBe('Tower');
    expect((await ask('preset/operate', { ...ROOF, operate: 2, presetIndex, name: 'Mast' })).code).toBe(200);
    expect(await named()).toBe('Mast');
    expect((await ask('preset/operate', { ...ROOF, operate: 1, presetIndex })).code).toBe(200);
    expect(await named()).toBeUndefined();
    expect(await ask('preset/operate', { ...ROOF, operate: 2, presetIndex })).toMatchObject({
      code: 1003,
      data: { name: 'required' },
    });
    expect(shell.of('preset/result').map(({ result }) => result)).toEqual([1, 1, 1, 0]);
  });
});

describe('playback', () => {
  it('[ST-07] starts, seeks and stops, and gives the shell the address of the recordings', async () => {
    // Ours alone: the camera keeps recordings too.
    const record = await waitFor(
      '20 s of recording',
      async () => {
        const range = { startTime: Date.now() - 24 * 3_600_000, endTime: Date.now() };
        const { recordList } = await operator.ok('record/query', { ...ROOF, ...range, srcType: 1 });
        return recordList.find(({ startTime, endTime }) => endTime - startTime > 20_000);
      },
      90_000,
    );
    const { startTime } = record;
    expect(await ask('playback/start', { ...ROOF, startTime })).toEqual(OK);
    const stream = last(shell.of('playback/stream'));
    expect(stream).toMatchObject({ ...ROOF, window: 1, startTime });
    expect((stream?.endTime ?? 0) - (stream?.startTime ?? 0)).toBeLessThanOrEqual(600_000);
    expect(await (await fetch(stream?.url ?? '')).text()).toMatch(/^#EXTM3U/);
    await expect.poll(hash).toContain(`device=${ROOF.deviceSerial}&channel=1&time=${startTime}`);
    await page.locator('[data-playback]').first().waitFor();
    const time = startTime + 5000;
    expect(await ask('playback/seek', { time })).toEqual(OK);
    await expect.poll(hash).toContain(`time=${time}`);
    expect(await ask('playback/seek', { time, window: 2 })).toMatchObject({ code: 1003, data: { window: 'empty' } });
    expect(await ask('playback/start', { ...ROOF, startTime: 0, endTime: 1000 })).toMatchObject({
      code: 1003,
      data: { startTime: 'noRecording' },
    });
    // Four windows at once, of which none is lost.
    const cameras = ['VDGATE0001', 'VDLOBBY003', 'VDDOCK0006'].map((deviceSerial) => ({ ...ROOF, deviceSerial }));
    const starts = [...cameras, ROOF].map((dev, at) => ask('playback/start', { ...dev, startTime, window: at + 1 }));
    expect((await Promise.all(starts)).map(({ code }) => code)).toEqual([200, 200, 200, 200]);
    await expect.poll(() => page.locator('[data-playback]').count()).toBe(4);
    const stops = [1, 2, 3, 4].map((window) => ask('playback/stop', { window }));
    expect((await Promise.all(stops)).map(({ code }) => code)).toEqual([200, 200, 200, 200]);
    await expect.poll(hash).not.toContain('VD');
  });

  it('[ST-08] steps from alarm to alarm', async () => {
    const alarms = await waitFor(
      'three alarms',
      async () => {
        const { alarmList } = await operator.ok('alarm/list', { types: ['MotionAlarm'] });
        return alarmList.length > 2 ? alarmList.toReversed() : undefined;
      },
      120_000,
    );
    const [oldest, newer] = [alarms[0], alarms[1]];
    const played = page.locator('[data-alarm-playback]');
    expect(await ask('alarm/playback', { alarmId: newer?.alarmId ?? '' })).toMatchObject({ code: 200 });
    await expect.poll(() => played.getAttribute('data-alarm-playback')).toBe(newer?.alarmId);
    expect(hash()).toContain(`time=${newer?.time}`);
    const step = await ask('alarm/playback', { alarmId: newer?.alarmId ?? '', step: 1 });
    expect(step.code).toBe(200);
    const { alarmId } = step.data as { alarmId: string };
    await expect.poll(() => played.getAttribute('data-alarm-playback')).toBe(alarmId);
    expect(alarmId).not.toBe(newer?.alarmId);
    expect(oldest).toBeDefined();
    expect(await ask('alarm/playback', { alarmId: 'none' })).toMatchObject({
      code: 1003,
      data: { alarmId: 'notFound' },
    });
  });
});

describe('what leaves the page', () => {
  it('[BR-02] [BR-03] files are saved by the shell, other sites open outside, and the shell knows the version of direct connections', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${product.url}/client.html#/homepage/personalContainer?tab=documents`);
    await page.getByText('2.14.0').waitFor();
    expect(asked.filter((url) => url.includes(':9999'))).toEqual([]);
    await page.evaluate(() => {
      for (const [href, name] of [
        ['https://vedette.example/help', 'outside'],
        ['http://192.0.2.7/', 'plain'],
      ] as const) {
        const link = Object.assign(document.createElement('a'), { href, target: '_blank', textContent: name });
        document.body.append(link);
      }
      const file = URL.createObjectURL(new Blob(['x']));
      document.body.append(
        Object.assign(document.createElement('a'), { href: file, download: 'x.txt', textContent: 'file' }),
      );
    });
    await page.getByText('outside', { exact: true }).evaluate((link) => (link as HTMLElement).click());
    await page.getByText('file', { exact: true }).evaluate((link) => (link as HTMLElement).click());
    await expect.poll(() => opened).toEqual(['https://vedette.example/help']);
    await expect.poll(() => saved.map(({ name }) => name)).toEqual(['x.txt']);
    expect(saved[0]?.url).toMatch(new RegExp(`^blob:${product.url}/`));
  });

  it('[ST-02] [ST-04] signing out by the shell tells it, and ends the session', async () => {
    expect(await ask('account/operate', { status: 1 })).toEqual(OK);
    await expect.poll(hash).toMatch(/^#\/login/);
    await expect.poll(() => last(shell.of('account/status'))).toEqual({ status: 0 });
  });

  it('[BR-02] [ST-04] the shell signs in by its key once the box was ticked, until it is told to forget that', async () => {
    const kept = () => page.evaluate(() => JSON.stringify(localStorage));
    await page.getByRole('checkbox', { name: words['client.autoLogin'] }).check();
    await page.getByText(words['client.keyInFile']).waitFor();
    await signIn(page, words, ...OPERATOR);
    await expect.poll(() => keptKey).not.toBeNull();
    const [{ accessToken }, later] = [await readAuth(), await kept()];
    expect(accessToken).not.toBe('');
    for (const secret of [accessToken, OPERATOR[1]]) expect(later).not.toContain(secret);
    expect(later).toContain('vedette.client.byKey');
    // As after a restart of the shell: what the window knew has gone.
    await page.evaluate(() => sessionStorage.clear());
    await page.goto('about:blank');
    await page.goto(`${product.url}/client.html`);
    await page.getByLabel(words['login.account'], { exact: true }).waitFor();
    const order = await signInKey.ticket();
    expect(await ask('autoLogin', { loginName: OPERATOR[0], ticket: 'guessed' })).toMatchObject({ code: 1003 });
    expect(await ask('autoLogin', order ?? { loginName: '', ticket: '' })).toEqual(OK);
    await expect.poll(hash).toMatch(/^#\/homepage\//);
    expect((await ask('autoLogin', order ?? { loginName: '', ticket: '' })).code, 'signed in').toBe(1004);
    expect((await operator.ok('account/session/list', {})).signInKeyList).toHaveLength(1);
    expect(JSON.stringify(shell.told)).not.toContain((await readAuth()).accessToken);
    expect(await ask('account/operate', { status: 0 })).toEqual(OK);
    await expect.poll(hash).toMatch(/^#\/login/);
    expect(keptKey).toBeNull();
    expect((await operator.ok('account/session/list', {})).signInKeyList).toEqual([]);
    expect(await kept()).not.toContain('vedette.client.');
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});

const readAuth = async (): Promise<{ accessToken: string }> =>
  (
    JSON.parse(await page.evaluate(() => sessionStorage.getItem('vedette.auth') ?? '')) as {
      auth: { accessToken: string };
    }
  ).auth;

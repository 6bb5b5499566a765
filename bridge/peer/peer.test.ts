// Tests of one side of a bridge: every request answered once and in order, within its limits, whatever the other side does.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { BRIDGE_LIMITS } from '../limits.ts';
import { BridgeRefusal, badPayload } from '../messages/bridge-answer.ts';
import { agreeWith } from './handshake.ts';
import { joinShell, newPage } from './joined-peers.fake.ts';

const settle = () => vi.waitFor(async () => await Promise.resolve());
const DEV = { deviceSerial: 'A1', channelNo: 1 };
const web = (id: string, topic: string, data: object = {}) => ({ id, url: `/api/v1.0/web/${topic}`, data });

describe('[BR-01] a request of the shell', () => {
  it('is answered by its id: 200, 1003 with the field, 1004, 1006', async () => {
    const { transport } = newPage(
      { 'account/operate': () => ({}), 'preset/list': () => ({ total: 0, presetList: [] }) },
      ['none'],
    );
    transport.deliver(web('1', 'account/operate', { status: 0 }));
    transport.deliver(web('2', 'account/operate', { status: '0' }));
    transport.deliver(web('3', 'account/operate'));
    transport.deliver(web('4', 'preset/list', DEV));
    for (const [id, topic] of ['toString', '__proto__', 'no/such', '', 'autoLogin', 'theme/update'].entries())
      transport.deliver(web(`u${id}`, topic));
    transport.deliver({ id: 'cs', url: '/api/v1.0/cs/account/status', data: {} });
    await vi.waitFor(() => expect(transport.sent).toHaveLength(11));
    expect(transport.sent.map(({ id, code, message, data }) => [id, code, message, data])).toEqual([
      ['1', 200, 'succeed', {}],
      ['2', 1003, 'paramInvalid', { status: 'notAllowed' }],
      ['3', 1003, 'paramInvalid', { status: 'notAllowed' }],
      ['4', 1004, 'permissionDenied', {}],
      ...['u0', 'u1', 'u2', 'u3', 'u4', 'u5', 'cs'].map((id) => [id, 1006, 'functionNotSupported', {}]),
    ]);
  });

  it('runs once, however often it comes', async () => {
    const operate = vi.fn(() => ({}));
    const { page, transport } = newPage({ 'account/operate': operate });
    for (let time = 0; time < 3; time += 1) transport.deliver(web('1', 'account/operate', { status: 1 }));
    await vi.waitFor(() => expect(transport.answers).toEqual([['1', 200]]));
    expect(operate).toHaveBeenCalledTimes(1);
    expect(page.drops.messages).toBe(2);
  });

  it('that is no message gets no answer and has no effect', async () => {
    const operate = vi.fn(() => ({}));
    const { page, transport } = newPage({ 'account/operate': operate });
    const bad = [
      'nothing',
      web('1', 'account/operate', { text: 'x'.repeat(BRIDGE_LIMITS.messageBytes) }),
      '{"id":"1","url":"/api/v1.0/web/account/operate","data":{"status":0,"__proto__":{"isAdmin":true}}}',
      { ...web('1', 'account/operate', { status: 0 }), nonce: 'guessed' },
    ];
    for (const message of bad) transport.deliver(message);
    await settle();
    expect([operate.mock.calls, transport.sent, page.drops.messages]).toEqual([[], [], bad.length]);
  });

  it('is told 1012 where its handler fails, never why; and what a handler refuses with otherwise', async () => {
    const { transport, failures } = newPage({
      'account/operate': () => {
        throw new Error('secret text');
      },
      'theme/update': () => {
        throw new BridgeRefusal(badPayload({ colour: 'format' }));
      },
    });
    transport.deliver(web('1', 'account/operate', { status: 0 }));
    transport.deliver(web('2', 'theme/update', { colour: 'mud' }));
    await vi.waitFor(() => expect(transport.sent).toHaveLength(2));
    expect(transport.sent.map(({ code, data }) => [code, data])).toEqual([
      [1012, {}],
      [1003, { colour: 'format' }],
    ]);
    expect(JSON.stringify(transport.sent)).not.toContain('secret');
    expect(failures).toHaveLength(1);
  });

  it('whose answer is larger than a message may be is answered 1012', async () => {
    const preset = (presetIndex: number) => ({ presetIndex, name: 'x', image: 'y'.repeat(1000) });
    const presetList = Array.from({ length: 100 }, (_, at) => preset(at + 1));
    const { transport } = newPage({ 'preset/list': () => ({ total: 100, presetList }) });
    transport.deliver(web('1', 'preset/list', DEV));
    await vi.waitFor(() => expect(transport.answers).toEqual([['1', 1012]]));
  });
});

describe('the order of requests', () => {
  it('is that of their arrival: one runs at a time, and answers keep the order', async () => {
    const running: string[] = [];
    const first = Promise.withResolvers<void>();
    const { transport } = newPage({
      'alarm/playback': async ({ alarmId }) => {
        running.push(alarmId);
        if (alarmId === 'a') await first.promise;
        return { alarmId };
      },
      'language/get': () => ({ lang: 1 }),
    });
    transport.deliver(web('1', 'alarm/playback', { alarmId: 'a' }));
    transport.deliver(web('2', 'no/such'));
    transport.deliver(web('3', 'alarm/playback', { alarmId: 'b' }));
    transport.deliver(web('4', 'language/get'));
    await settle();
    expect([running, transport.sent]).toEqual([['a'], []]);
    first.resolve();
    await vi.waitFor(() => expect(transport.answers.map(([id]) => id)).toEqual(['1', '2', '3', '4']));
    expect(running).toEqual(['a', 'b']);
  });

  it('a later start of a window ends the earlier one, which answers 1012; other windows go on', async () => {
    const ended: number[] = [];
    const waits = new Map<number, () => void>();
    const { transport } = newPage({
      'live/start': ({ channelNo, window }, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => ended.push(channelNo));
          waits.set(channelNo * 10 + window, () => resolve({}));
        }),
    });
    const start = (id: string, channelNo: number, window: number) =>
      transport.deliver(web(id, 'live/start', { deviceSerial: 'A1', channelNo, window }));
    start('1', 1, 1);
    start('2', 1, 2);
    start('3', 2, 1);
    start('4', 3, 1);
    await vi.waitFor(() => expect(waits.has(31)).toBe(true));
    expect(transport.answers).toEqual([
      ['1', 1012],
      ['3', 1012],
    ]);
    expect(ended).toEqual([1]);
    expect(waits.has(21)).toBe(false);
    for (const go of waits.values()) go();
    await vi.waitFor(() => expect(transport.answers).toHaveLength(4));
    expect(transport.answers.slice(2).toSorted()).toEqual([
      ['2', 200],
      ['4', 200],
    ]);
  });

  it.each([
    ['a state', 'language/get', {}, 2000],
    ['video', 'live/start', { ...DEV, window: 1 }, 10_000],
  ])('a handler of %s that takes longer than its time is answered 1012, and told to stop', async (_n, topic, data, ms) => {
    const signals: AbortSignal[] = [];
    const never = (_input: unknown, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<never>(() => undefined);
    };
    const { transport, clock } = newPage({ 'language/get': never, 'live/start': never });
    transport.deliver(web('1', topic, data));
    await clock.advanceAsync(ms - 1);
    expect(transport.answers).toEqual([]);
    await clock.advanceAsync(1);
    expect(transport.answers).toEqual([['1', 1012]]);
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
  });

  it('has room for 64 requests; the next is answered 1012 at once', async () => {
    const gate = Promise.withResolvers<{ lang: 0 }>();
    const { transport } = newPage({ 'language/get': () => gate.promise });
    for (let id = 0; id <= BRIDGE_LIMITS.waiting; id += 1) transport.deliver(web(`${id}`, 'language/get'));
    await settle();
    expect(transport.answers).toEqual([[`${BRIDGE_LIMITS.waiting}`, 1012]]);
    gate.resolve({ lang: 0 });
    await vi.waitFor(() => expect(transport.answers).toHaveLength(BRIDGE_LIMITS.waiting + 1));
  });

  it('every request is answered exactly once, in any mixture', async () => {
    const request = fc.record({
      topic: fc.constantFrom('live/start', 'live/stop', 'language/get', 'no/such', 'preset/list'),
      window: fc.integer({ min: 0, max: 3 }),
      ms: fc.integer({ min: 0, max: 12_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 40 }), async (requests) => {
        const { transport, clock } = newPage({
          'live/start': ({ channelNo }) => new Promise((resolve) => clock.after(channelNo, () => resolve({}))),
          'live/stop': () => ({}),
          'language/get': () => ({ lang: 1 }),
        });
        for (const [id, { topic, window, ms }] of requests.entries())
          transport.deliver(web(`${id}`, topic, { deviceSerial: 'A1', channelNo: ms + 1, window }));
        await clock.advanceAsync(1_000_000);
        const ids = transport.answers.map(([id]) => Number(id));
        expect(ids.toSorted((one, other) => one - other)).toEqual(requests.map((_, id) => id));
      }),
      { numRuns: 50 },
    );
  });
});

describe('a request of the page', () => {
  it('gets the answer of the shell, and each side only what fits the topic', async () => {
    const under = newPage({ 'language/get': () => ({ lang: 0 }) });
    const { shell } = joinShell(under, {
      'p2p/version': () => ({ version: '2.14.0', build: 'cn' }),
      'link/open': () => ({}),
    });
    expect(await under.page.ask('p2p/version', {})).toEqual({ code: 200, data: { version: '2.14.0', build: 'cn' } });
    expect(await shell.ask('language/get', {})).toEqual({ code: 200, data: { lang: 0 } });
    expect(await under.page.ask('file/save', { name: 'a', url: 'blob:x' })).toMatchObject({ code: 1006 });
    const sent = under.transport.sent.length;
    expect(await under.page.ask('link/open', { url: 'http://camera.example' })).toMatchObject({
      code: 1003,
      data: { url: 'format' },
    });
    expect(under.transport.sent).toHaveLength(sent);
  });

  it('is not sent where the shell did not name the topic', async () => {
    const { page, transport } = newPage();
    page.nameTopics(['link/open']);
    expect(await page.ask('file/save', { name: 'a', url: 'blob:x' })).toMatchObject({ code: 1006 });
    expect([transport.sent, page.isNamed('link/open'), page.isNamed('file/save')]).toEqual([[], true, false]);
    page.nameTopics(null);
    expect(page.isNamed('link/open')).toBe(false);
  });

  it('ends with 1012 where no answer comes in time; one that comes late, twice or unasked is dropped and counted', async () => {
    const { page, transport, clock } = newPage();
    const asked = page.ask('p2p/version', {});
    await clock.advanceAsync(1999);
    const [{ id, nonce } = { id: '', nonce: '' }] = transport.sent;
    const answer = { id, code: 200, message: 'succeed', data: { version: '1.0' }, nonce };
    await clock.advanceAsync(1);
    expect(await asked).toEqual({ code: 1012, data: {} });
    transport.deliver(answer);
    expect(page.drops.answers).toBe(1);
    const again = page.ask('p2p/version', {});
    const second = { ...answer, id: transport.sent[1]?.id };
    transport.deliver({ ...second, id: 'unknown' });
    transport.deliver(second);
    transport.deliver(second);
    expect(await again).toEqual({ code: 200, data: { version: '1.0', build: null } });
    expect(page.drops.answers).toBe(3);
  });

  it.each([
    ['an answer of another shape', { code: 200, data: { version: '<script>' } }, 1003],
    ['a refusal', { code: 1004, data: {} }, 1004],
    ['a code that the bridge does not know', { code: 2316, data: {} }, 1012],
    ['a code of the far future', { code: 1e9, data: {} }, 1012],
  ])('takes %s for what it is', async (_name, answer, code) => {
    const { page, transport } = newPage();
    const asked = page.ask('p2p/version', {});
    transport.deliver({ id: transport.sent[0]?.id, message: '', ...answer });
    expect((await asked).code).toBe(code);
  });

  it('is not sent while 64 wait for an answer, nor where it is larger than a message may be', async () => {
    const { page, transport } = newPage();
    for (let count = 0; count < BRIDGE_LIMITS.waiting; count += 1) void page.ask('account/status', { status: 1 });
    expect((await page.ask('account/status', { status: 1 })).code).toBe(1012);
    expect(transport.sent).toHaveLength(BRIDGE_LIMITS.waiting);
    const large = newPage();
    const topics = Array.from({ length: 3000 }, () => 'x'.repeat(30));
    const info = { bridge: { min: 1, max: 1 }, topics, version: '1', lang: 1 } as const;
    expect(await large.page.ask('system/info', info)).toEqual({ code: 1003, data: { data: 'tooLong' } });
    expect(large.transport.sent).toEqual([]);
  });

  it('a closed side hears nothing more, and what ran answers 1012', async () => {
    const { page, transport } = newPage({ 'language/get': () => new Promise<never>(() => undefined) });
    transport.deliver(web('1', 'language/get'));
    page.close();
    transport.deliver(web('2', 'language/get'));
    await vi.waitFor(() => expect(transport.answers).toEqual([['1', 1012]]));
  });
});

describe('the handshake', () => {
  const shell = { name: 'test', version: '1.0', platform: 'linux' };

  it.each([
    [
      'a shell that speaks our version',
      { code: 200, data: { bridge: 1, shell, topics: ['link/open'] } },
      1,
      ['link/open'],
    ],
    ['one that names no topics', { code: 200, data: { bridge: 1, shell } }, 1, []],
    ['an older one, which says no version', { code: 200, data: { lanDeviceList: [] } }, 0, null],
    ['one that lies about its version', { code: 200, data: { bridge: 99, topics: ['file/save'] } }, 0, null],
    ['one that is silent', { code: 1012, data: {} }, 0, null],
    ['one that does not know the topic', { code: 1006, data: {} }, 0, null],
  ] as const)('with %s', (_name, outcome, version, topics) => {
    expect(agreeWith(outcome)).toMatchObject({ version, topics });
  });
});

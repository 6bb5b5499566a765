// Tests of what the handlers refuse, against a server that refuses: each becomes a code of the bridge.
// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { BridgeRefusal } from '@vedette/bridge/messages/bridge-answer.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectShell, type NativeShell } from '../bridge/native-shell.ts';
import { fakeTransport } from '../calls/caller.fake.ts';
import { createCaller } from '../calls/caller.ts';
import { useNativeTiles } from '../features/live/tile/native-tiles.ts';
import { EMPTY_WALL, showInWindow } from '../features/live/wall/wall-model.ts';
import { useWall } from '../features/live/wall/wall-store.ts';
import { forgetAuth } from '../session/auth-store.ts';
import type { Session } from '../session/session.ts';
import type { ClientParts } from './client-parts.ts';
import { liveHandlers } from './live-handlers.ts';
import { pageHandlers } from './page-handlers.ts';
import { playbackHandlers } from './playback-handlers.ts';
import { presetHandlers } from './preset-handlers.ts';

const ROOF = { deviceSerial: 'ROOF', channelNo: 1 };
const { signal } = new AbortController();
const told: unknown[] = [];

afterEach(() => {
  told.length = 0;
  connectShell(null);
  useWall.setState(EMPTY_WALL);
  useNativeTiles.setState({}, true);
});

type Answer = Parameters<typeof fakeTransport>[0];

function partsWith(answer: Answer) {
  const requests = fakeTransport(answer);
  const shown = vi.fn();
  const caller = createCaller({
    transport: requests.transport,
    baseUrl: () => '/api/v1',
    token: () => 'T',
    onError: shown,
    onSuccess: () => undefined,
    onSessionEnd: () => undefined,
  });
  const navigate = vi.fn(async () => undefined);
  const location = { pathname: '/homepage/liveVideo', search: '' };
  connectShell({ tell: (...one: unknown[]) => told.push(one) } as unknown as NativeShell);
  const parts: ClientParts = {
    caller,
    callerWith: () => caller,
    session: { operate: vi.fn() } as unknown as Session,
    clock: new FakeClock(),
    queryClient: new QueryClient(),
    forgetData: () => undefined,
    config: Promise.resolve(),
    router: Promise.resolve({ state: { location }, navigate, subscribe: () => () => undefined }),
  };
  return { parts, requests, shown, navigate };
}

/** Code and data of a refusal. */
async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  const failure: unknown = await work.then(
    () => 'answered',
    (reason: unknown) => reason,
  );
  return failure instanceof BridgeRefusal ? [failure.outcome.code, failure.outcome.data] : failure;
}

describe('what the server refuses', () => {
  it.each([
    [1003, { channelNo: 'tooBig' }, [1003, { channelNo: 'tooBig' }]],
    [1004, null, [1004, {}]],
    [1017, null, [1004, {}]],
    [1001, null, [1004, {}]],
    [1041, { until: 1 }, [1004, {}]],
    [1006, null, [1006, {}]],
    [1009, null, [1003, { deviceSerial: 'notFound' }]],
    [1007, null, [1003, { data: 'notFound' }]],
    [1000, { secret: 'text' }, [1012, {}]],
    [2316, { reason: 'a device said this' }, [1012, {}]],
  ])('%i is told to the shell alone, as a code of the bridge', async (code, data, refusal) => {
    const { parts, shown } = partsWith(() => ({ code, data }));
    expect(await refusalOf(presetHandlers(parts)['preset/list'](ROOF, signal))).toEqual(refusal);
    expect(shown).not.toHaveBeenCalled();
  });

  it('a server that is away is 1012', async () => {
    const { parts } = partsWith(() => new Error('no network'));
    expect(await refusalOf(liveHandlers(parts)['live/start']({ ...ROOF, window: 1 }, signal))).toEqual([1012, {}]);
    expect([useWall.getState(), told]).toEqual([EMPTY_WALL, []]);
  });
});

describe('live view', () => {
  const urls = { p2pUrl: 'ws://a/1', forwardUrl: 'ws://a/2', rtspUrl: '', codec: 'h264' };

  it('[ST-06] no RTSP crosses the bridge where the installation gives out none, and the page goes on itself', async () => {
    const { parts } = partsWith(() => ({ code: 200, data: urls }));
    useWall.setState(showInWindow(EMPTY_WALL, 1, ROOF));
    expect(await refusalOf(liveHandlers(parts)['live/switchRtsp']({ window: 1 }, signal))).toEqual([1004, {}]);
    expect(useNativeTiles.getState()).toEqual({});
  });

  it('a start that was ended before the server answered changes nothing', async () => {
    const stop = new AbortController();
    const { parts } = partsWith(() => {
      stop.abort();
      return { code: 200, data: urls };
    });
    const started = liveHandlers(parts)['live/start']({ ...ROOF, window: 1 }, stop.signal);
    await expect(started).rejects.toThrow('aborted');
    expect([useWall.getState(), told]).toEqual([EMPTY_WALL, []]);
  });
});

describe('playback', () => {
  const record = (startTime: number, srcType: number) => ({
    startTime,
    endTime: startTime + 5000,
    srcType,
    recordType: 1,
  });

  it.each([
    [1, 'record/hls'],
    [2, 'record/url'],
  ])('[ST-07] a first record of source %i is asked for by %s, 600 s at most', async (srcType, path) => {
    const asked: unknown[] = [];
    const { parts } = partsWith((call, input) => {
      asked.push([call, input]);
      const recordList = [record(900_000, 1), record(60_000, srcType)];
      return { code: 200, data: call === 'record/query' ? { recordList } : { url: '/media/recorded/T' } };
    });
    const input = { ...ROOF, startTime: 1000, endTime: 10_000_000, window: 1 };
    expect(await playbackHandlers(parts)['playback/start'](input, signal)).toEqual({});
    expect(asked[1]).toEqual([path, { ...ROOF, startTime: 60_000, endTime: 660_000, quality: 0, srcType }]);
    expect(told).toMatchObject([['playback/stream', { window: 1, ...ROOF, startTime: 60_000, endTime: 660_000 }]]);
  });

  it('looks for records in each quality, and says where there are none, or where the times are wrong', async () => {
    const { parts, requests, navigate } = partsWith(() => ({ code: 200, data: { recordList: [] } }));
    const start = (range: { startTime: number; endTime?: number }, window = 1) =>
      refusalOf(playbackHandlers(parts)['playback/start']({ ...ROOF, ...range, window }, signal));
    expect(await start({ startTime: 1000 })).toEqual([1003, { startTime: 'noRecording' }]);
    expect(requests.requests).toHaveLength(3);
    expect(await start({ startTime: 1000, endTime: 1000 })).toEqual([1003, { endTime: 'tooSmall' }]);
    expect(navigate).not.toHaveBeenCalled();
  });

  it('a window that playback does not have is refused; stopping where nothing plays is done', async () => {
    const recordList = [record(60_000, 1)];
    const { parts } = partsWith(() => ({ code: 200, data: { recordList, url: '/x' } }));
    const handlers = playbackHandlers(parts);
    const input = { ...ROOF, startTime: 1000, window: 17 };
    expect(await refusalOf(handlers['playback/start'](input, signal))).toEqual([1003, { window: 'tooBig' }]);
    expect(await refusalOf(handlers['playback/seek']({ time: 1, window: 1 }))).toEqual([1003, { window: 'empty' }]);
    expect(await handlers['playback/stop']({ window: 1 })).toEqual({});
  });
});

describe('presets', () => {
  it.each([
    ['without a name', { operate: 0 }, { name: 'required' }],
    ['of no preset', { operate: 1 }, { presetIndex: 'required' }],
    ['without a new name', { operate: 2, presetIndex: 1 }, { name: 'required' }],
  ] as const)('[ST-09] a change %s is refused, asks nothing, and is told as 0', async (_name, operation, reasons) => {
    const { parts, requests } = partsWith(() => ({ code: 200 }));
    const work = presetHandlers(parts)['preset/operate']({ ...ROOF, ...operation }, signal);
    expect(await refusalOf(work)).toEqual([1003, reasons]);
    expect([requests.requests, told]).toEqual([[], [['preset/result', { result: 0 }]]]);
  });
});

describe('the page', () => {
  it('[ST-04] signs out by the status that the shell gave, and refuses what is no colour', async () => {
    forgetAuth(false);
    const { parts } = partsWith(() => ({ code: 200 }));
    const handlers = pageHandlers(parts, () => ['one']);
    expect(handlers['account/operate']({ status: 0 })).toEqual({});
    expect(parts.session.operate).toHaveBeenCalledWith(0);
    expect(await refusalOf(handlers['theme/update']({ colour: 'mud' }))).toEqual([1003, { colour: 'format' }]);
    expect(handlers['system/info']()).toMatchObject({ accountStatus: 0, topics: ['one'] });
  });
});

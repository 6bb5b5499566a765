// Tests of CDN live for a shell: started where it can be, ended with its last window, and left to others who started it.
import { expect, it } from 'vitest';
import type { Caller } from '../calls/caller.ts';
import { CdnStreams } from './cdn-streams.ts';

const ROOF = { deviceSerial: 'ROOF', channelNo: 1, quality: 0 } as const;
const { signal } = new AbortController();

/** A server with one stream per channel; `refused`: paths that fail, with the protocol for addresses. */
function serverWith({ supportCdn = true, refused = [] as readonly string[], running = [] as string[] } = {}) {
  const asked: string[] = [];
  const answers: Record<
    string,
    (input: { deviceSerial: string; protocol: number; url: string; liveId: string }) => unknown
  > = {
    'channel/capacity': () => ({ mediaCapacity: { supportCdn } }),
    'cdn/video/list': () => ({ liveList: running.map((liveId) => ({ liveId })) }),
    'cdn/live/get': ({ deviceSerial }) => ({ url: deviceSerial }),
    'cdn/live/start': ({ url }) => {
      if (!running.includes(url)) running.push(url);
      return { liveId: url };
    },
    'cdn/live/stop': ({ liveId }) => {
      running.splice(running.indexOf(liveId), 1);
      return {};
    },
  };
  const ask = async (path: string, input: never) => {
    const { protocol } = input as { protocol?: number };
    const name = protocol === undefined ? path : `${path} ${protocol}`;
    asked.push(name);
    if (refused.includes(name)) throw new Error(name);
    return answers[path]?.(input);
  };
  return { streams: new CdnStreams({ ask } as unknown as Caller), asked, running };
}

it('starts one where the channel supports it, by RTMP before our own origin', async () => {
  const { streams, asked, running } = serverWith({ refused: ['cdn/live/get 3'] });
  expect(await streams.start(1, ROOF, signal)).toBe('ROOF');
  expect(running).toEqual(['ROOF']);
  expect(asked.filter((name) => name.startsWith('cdn/live/get'))).toEqual(['cdn/live/get 3', 'cdn/live/get 1']);
});

it.each([
  [{ supportCdn: false }],
  [{ refused: ['channel/capacity'] }],
  [{ refused: ['cdn/live/get 3', 'cdn/live/get 1'] }],
  [{ refused: ['cdn/live/start'] }],
])('starts none with %j', async (server) => {
  const { streams, running } = serverWith(server);
  expect(await streams.start(1, ROOF, signal)).toBeNull();
  expect(running).toEqual([]);
});

it('ends it with the last window that shows it', async () => {
  const { streams, running } = serverWith();
  await streams.start(1, ROOF, signal);
  await streams.start(2, ROOF, signal);
  await streams.end(1);
  expect(running).toEqual(['ROOF']);
  await streams.start(2, { ...ROOF, deviceSerial: 'GATE' }, signal);
  expect(running).toEqual(['GATE']);
  await streams.end(2);
  await streams.end(2);
  expect(running).toEqual([]);
});

it('leaves one to whoever had started it', async () => {
  const { streams, running } = serverWith({ running: ['ROOF'] });
  await streams.start(1, ROOF, signal);
  await streams.end(1);
  expect(running).toEqual(['ROOF']);
});

it('says that the shell waits no longer', async () => {
  const { streams } = serverWith({ refused: ['channel/capacity'] });
  const gone = AbortSignal.abort(new Error('gone'));
  await expect(streams.start(1, ROOF, gone)).rejects.toThrow('gone');
});

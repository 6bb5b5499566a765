// Which stream a tile gets a ticket for.
import type { TicketRequest } from '@vedette/player/tile-source.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CallFailure } from '../../calls/call-failure.ts';
import type { Caller } from '../../calls/caller.ts';
import { channelSource } from './channel-source.ts';

const channel = { deviceSerial: 'A1', channelNo: 2 };

/** A server that answers one codec, whatever is asked. */
function setUp(quality: 0 | 1 | 2 = 0, codec = 'h264') {
  const asked: [string, unknown][] = [];
  const ask = (path: string, input: { quality: number }): Promise<unknown> => {
    asked.push([path, input]);
    const hlsUrl = 'https://elsewhere:9/media/hls/t/index.m3u8';
    return Promise.resolve({ ticket: `t${input.quality}`, codec, quality: input.quality, hlsUrl });
  };
  const onQuality = vi.fn<(quality: number) => void>();
  const source = channelSource({
    caller: { ask } as unknown as Caller,
    channel,
    quality,
    isShared: () => false,
    onQuality,
  });
  return { asked, onQuality, source };
}

const request: TicketRequest = {
  isLighter: false,
  signal: new AbortController().signal,
  codecs: ['h264', 'mjpeg'],
};

beforeEach(() => vi.stubGlobal('location', { href: 'https://console:8080/homepage' }));
afterEach(() => vi.unstubAllGlobals());

describe('tickets of a tile', () => {
  test('[LM-02] [LV-01] the stream of the split is asked for, with what this browser decodes', async () => {
    const { source, asked, onQuality } = setUp(1);
    expect(await source.getTicket(request)).toEqual({
      kind: 'ticket',
      ticket: 't1',
      quality: 1,
      hlsUrl: 'https://console:8080/media/hls/t/index.m3u8',
    });
    expect(asked).toEqual([['media/url', { ...channel, quality: 1, codecs: ['h264', 'mjpeg'] }]]);
    expect(onQuality).toHaveBeenCalledWith(1);
  });

  test('[LV-01] nothing that can be played', async () => {
    const { source, onQuality } = setUp(0, 'h265');
    expect(await source.getTicket(request)).toEqual({ kind: 'unsupported', codec: 'h265' });
    expect(onQuality).not.toHaveBeenCalled();
  });

  test('after the decoder failed twice a smaller stream', async () => {
    const { source } = setUp(1);
    expect(await source.getTicket({ ...request, isLighter: true })).toMatchObject({ quality: 2 });
  });

  test.each([
    { code: 2317, isShared: true, told: 2317 },
    { code: 1009, isShared: false, told: 1009 },
    { code: 1009, isShared: true, told: 1017 },
  ])('the refusal $code is an answer, and what came by a share says that it ended', async ({
    code,
    isShared,
    told,
  }) => {
    const refusing = { ask: () => Promise.reject(new CallFailure(code, '', { reason: 'timeout' })) };
    const source = channelSource({
      caller: refusing as unknown as Caller,
      channel,
      quality: 0,
      isShared: () => isShared,
      onQuality: () => undefined,
    });
    expect(await source.getTicket(request)).toEqual({ kind: 'refused', code: told, reason: 'timeout' });
  });
});

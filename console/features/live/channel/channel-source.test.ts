// Which stream a tile gets a ticket for.
import type { Resource } from '@vedette/contract/entities.ts';
import type { TicketRequest } from '@vedette/player/live/tile-source.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CallFailure } from '../../../calls/call-failure.ts';
import type { Caller } from '../../../calls/caller.ts';
import { forgetReceived, noteReceived } from '../../../realtime/received-shares.ts';
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
      whepUrl: null,
    });
    expect(asked).toEqual([['media/url', { ...channel, quality: 1, codecs: ['h264', 'mjpeg'] }]]);
    expect(onQuality).toHaveBeenCalledWith(1);
  });

  test("[LV-08] a direct address of the site is passed on, on the page's own origin", async () => {
    const p2pUrl = 'https://elsewhere:9/media/whep/far-x';
    const answer = {
      ticket: 't',
      codec: 'h264',
      quality: 0,
      hlsUrl: '',
      p2pUrl,
      forwardUrl: 'wss://elsewhere:9/media/live#t',
    };
    const caller = { ask: () => Promise.resolve(answer) } as unknown as Caller;
    const source = channelSource({ caller, channel, quality: 0, onQuality: () => undefined });
    expect(await source.getTicket(request)).toMatchObject({ whepUrl: 'https://console:8080/media/whep/far-x' });
  });

  test('[LV-01] reports that no stream can be played', async () => {
    const { source, onQuality } = setUp(0, 'h265');
    expect(await source.getTicket(request)).toEqual({ kind: 'unsupported', codec: 'h265' });
    expect(onQuality).not.toHaveBeenCalled();
  });

  test('after the decoder failed twice a smaller stream', async () => {
    const { source } = setUp(1);
    expect(await source.getTicket({ ...request, isLighter: true })).toMatchObject({ quality: 2 });
  });

  test('a refusal is an answer, no answer is an error', async () => {
    const refusing = (code: number) =>
      channelSource({
        caller: { ask: () => Promise.reject(new CallFailure(code, '', { reason: 'timeout' })) } as unknown as Caller,
        channel,
        quality: 0,
        onQuality: () => undefined,
      });
    expect(await refusing(2317).getTicket(request)).toEqual({ kind: 'refused', code: 2317, reason: 'timeout' });
    expect(await refusing(1009).getTicket(request)).toMatchObject({ code: 1009 });
  });

  test('[PM-04] a shared channel that disappeared reports that the share ended', async () => {
    const resource = { resourceType: 'device', device: { deviceSerial: 'A1', isShared: 3 } };
    noteReceived([resource as unknown as Resource]);
    const source = channelSource({
      caller: { ask: () => Promise.reject(new CallFailure(1009, '', null)) } as unknown as Caller,
      channel,
      quality: 0,
      onQuality: () => undefined,
    });
    expect(await source.getTicket(request)).toEqual({ kind: 'refused', code: 1017, reason: null });
    forgetReceived();
    expect(await source.getTicket(request)).toMatchObject({ code: 1009 });
  });
});

// Which stream a tile gets a ticket for.
import { describe, expect, test, vi } from 'vitest';
import { CallFailure } from '../../calls/call-failure.ts';
import type { Caller } from '../../calls/caller.ts';
import { channelSource } from './channel-source.ts';

const channel = { deviceSerial: 'A1', channelNo: 2 };
const codecs = ['h265', 'h264', 'h264'];

function setUp(quality: 0 | 1 | 2 = 0) {
  const asked: [string, unknown][] = [];
  const ask = (path: string, input: unknown): Promise<unknown> => {
    asked.push([path, input]);
    if (path === 'stream/list') {
      return Promise.resolve({ streamList: codecs.map((codec, at) => ({ quality: at, codec })) });
    }
    const wanted = (input as { quality: number }).quality;
    return Promise.resolve({ ticket: `t${wanted}`, codec: codecs[wanted], quality: wanted });
  };
  const onQuality = vi.fn<(quality: number) => void>();
  const source = channelSource({ caller: { ask } as unknown as Caller, channel, quality, onQuality });
  return { asked, onQuality, source };
}

const request = {
  isLighter: false,
  signal: new AbortController().signal,
  canPlay: (codec: string) => codec === 'h264',
};

describe('tickets of a tile', () => {
  test('[LM-02] the stream of the split is asked for', async () => {
    const { source, asked, onQuality } = setUp(1);
    expect(await source.getTicket(request)).toEqual({ kind: 'ticket', ticket: 't1', quality: 1 });
    expect(asked).toEqual([['media/url', { ...channel, quality: 1 }]]);
    expect(onQuality).toHaveBeenCalledWith(1);
  });

  test('[LV-01] H.265 that cannot be played: the second stream in H.264 instead', async () => {
    const { source } = setUp(0);
    expect(await source.getTicket(request)).toEqual({ kind: 'ticket', ticket: 't1', quality: 1 });
  });

  test('[LV-01] nothing that can be played', async () => {
    const { source } = setUp(0);
    expect(await source.getTicket({ ...request, canPlay: () => false })).toEqual({
      kind: 'unsupported',
      codec: 'h265',
    });
  });

  test('after the decoder failed twice a smaller stream', async () => {
    const { source } = setUp(1);
    expect(await source.getTicket({ ...request, isLighter: true })).toMatchObject({ quality: 2 });
  });

  test('a refusal is an answer, no answer is an error', async () => {
    const refusing = { ask: () => Promise.reject(new CallFailure(2317, '', { reason: 'timeout' })) };
    const source = channelSource({
      caller: refusing as unknown as Caller,
      channel,
      quality: 0,
      onQuality: () => undefined,
    });
    expect(await source.getTicket(request)).toEqual({ kind: 'refused', code: 2317, reason: 'timeout' });
  });
});

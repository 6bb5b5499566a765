// The rule by which a tile is shown, over all that it knows.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChoiceFacts, chooseTransport } from './transport-choice.ts';

const all = { mse: true, webcodecs: null, hls: true } as const;
const facts: ChoiceFacts = {
  decoders: all,
  tiles: 1,
  quickTiles: 4,
  hasLagged: false,
  wantsLatency: false,
  isSocketBlocked: false,
  failed: new Set(),
};

describe('[LV-01] the transport of a tile', () => {
  test.each<[string, Partial<ChoiceFacts>, string]>([
    ['one tile', {}, 'webcodecs fewTiles'],
    ['four tiles', { tiles: 4 }, 'webcodecs fewTiles'],
    ['five tiles', { tiles: 5 }, 'mse manyTiles'],
    ['nine tiles on a quick machine', { tiles: 9, quickTiles: 9 }, 'webcodecs fewTiles'],
    ['ten tiles on a quick machine', { tiles: 10, quickTiles: 9 }, 'mse manyTiles'],
    ['a steered camera on a wall', { tiles: 36, wantsLatency: true }, 'webcodecs latency'],
    ['a steered camera where one tile lagged', { wantsLatency: true, quickTiles: 0, hasLagged: true }, 'mse lagged'],
    ['after a lag', { tiles: 3, quickTiles: 2, hasLagged: true }, 'mse lagged'],
    ['plain HTTP', { decoders: { ...all, webcodecs: 'insecure' } }, 'mse insecure'],
    ['no WebCodecs for this codec', { decoders: { ...all, webcodecs: 'noDecoder' } }, 'mse noDecoder'],
    ['WebCodecs failed', { failed: new Set(['webcodecs']) }, 'mse failed'],
    ['MSE without the codec, many tiles', { tiles: 16, decoders: { ...all, mse: false } }, 'webcodecs noDecoder'],
    ['no decoder but HLS', { decoders: { mse: false, webcodecs: 'noDecoder', hls: true } }, 'hls noDecoder'],
    ['a blocked socket', { isSocketBlocked: true }, 'hls noSocket'],
    ['nothing', { decoders: { mse: false, webcodecs: 'noDecoder', hls: false } }, 'none'],
    ['everything failed', { failed: new Set(['webcodecs', 'mse']) }, 'none'],
  ])('%s', (_name, change, expected) => {
    const choice = chooseTransport({ ...facts, ...change });
    expect(choice ? `${choice.kind} ${choice.because}` : 'none').toBe(expected);
  });

  test('never one that the browser lacks or that failed', () => {
    const kinds = fc.subarray(['webcodecs', 'mse', 'hls'] as const);
    const page = fc.record({
      tiles: fc.nat(64),
      quickTiles: fc.nat(9),
      wantsLatency: fc.boolean(),
      isSocketBlocked: fc.boolean(),
    });
    fc.assert(
      fc.property(kinds, kinds, page, (has, failed, change) => {
        const decoders = {
          mse: has.includes('mse'),
          webcodecs: has.includes('webcodecs') ? null : ('noDecoder' as const),
          hls: has.includes('hls'),
        };
        const choice = chooseTransport({ ...facts, ...change, decoders, failed: new Set(failed) });
        if (choice) expect(has.filter((kind) => !failed.includes(kind))).toContain(choice.kind);
        if (choice && change.isSocketBlocked) expect(choice.kind).toBe('hls');
      }),
    );
  });
});

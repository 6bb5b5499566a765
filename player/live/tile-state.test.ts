// The states of a live tile: what each event makes of each, and what is final.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFinal, mayShowLastFrame, nextTileState, type TileEvent, type TileState } from './tile-state.ts';

const picture = {
  transport: 'mse',
  because: 'manyTiles',
  lighterBecause: null,
  codec: 'avc1.64001f',
  width: 640,
  height: 360,
  latencyMs: 100,
  dropped: 0,
  late: 0,
} as const;
const live: TileState = { kind: 'live', ...picture };
const connecting: TileState = { kind: 'connecting' };
const now = 5000;

function after(start: TileState, ...events: TileEvent[]): TileState {
  return events.reduce((state, event) => nextTileState(state, event, now), start);
}

describe('tile states', () => {
  test('[LV-01] from opened to a picture', () => {
    expect(after({ kind: 'idle' }, { type: 'opened' })).toEqual(connecting);
    expect(after(connecting, { type: 'picture', picture })).toEqual(live);
  });

  test('the same picture keeps the same object, so that nothing is drawn again', () => {
    expect(nextTileState(live, { type: 'picture', picture: { ...picture } }, now)).toBe(live);
  });

  test('silence and a lost socket stall a live tile, each with its cause', () => {
    expect(after(live, { type: 'silence' })).toEqual({ kind: 'stalled', cause: 'stream', since: now });
    expect(after(live, { type: 'disconnected' })).toEqual({ kind: 'stalled', cause: 'connection', since: now });
    expect(after(live, { type: 'waiting', state: 'stalled', reason: 'timeout' })).toMatchObject({ kind: 'stalled' });
    expect(after(live, { type: 'silence' }, { type: 'picture', picture })).toEqual(live);
  });

  test('while a keyframe is awaited the tile says so, and goes on by itself', () => {
    const awaited: TileEvent = { type: 'waiting', state: 'stalled', reason: 'noKeyPicture' };
    expect(after(live, awaited)).toEqual({ kind: 'stalled', cause: 'keyframe', since: now });
    expect(after(live, { type: 'silence' }, awaited)).toEqual({ kind: 'stalled', cause: 'keyframe', since: now });
    expect(after(live, awaited, { type: 'picture', picture })).toEqual(live);
    expect(after(connecting, awaited)).toMatchObject({ kind: 'offline', reason: 'noKeyPicture' });
  });

  test('a device that is away is offline with its reason, and comes back by itself', () => {
    const offline = after(connecting, { type: 'waiting', state: 'connecting', reason: 'unreachable' });
    expect(offline).toMatchObject({ kind: 'offline', reason: 'unreachable' });
    expect(after(offline, { type: 'picture', picture })).toEqual(live);
    const failed: TileEvent = { type: 'waiting', state: 'stalled', reason: 'unreachable' };
    const again: TileEvent = { type: 'waiting', state: 'connecting', reason: null };
    expect(after(live, failed)).toMatchObject({ kind: 'stalled' });
    expect(after(live, failed, again, failed, again)).toMatchObject({ kind: 'offline', reason: 'unreachable' });
    expect(after(connecting, { type: 'refused', code: 2317, reason: 'timeout' })).toMatchObject({ kind: 'offline' });
  });

  test('[PM-04] an ended share is final and keeps no frame on screen', () => {
    const ended = after(live, { type: 'refused', code: 1017, reason: null });
    expect(ended).toEqual({ kind: 'ended', code: 1017, reason: null });
    expect(isFinal(ended)).toBe(true);
    expect(mayShowLastFrame(ended)).toBe(false);
    expect(after(ended, { type: 'picture', picture }, { type: 'silence' })).toBe(ended);
    expect(after(ended, { type: 'opened' })).toEqual(connecting);
  });

  test.each([1001, 1004, 1009])('[LV-01] code %i is denied', (code) => {
    expect(after(connecting, { type: 'refused', code, reason: null })).toEqual({ kind: 'denied', code });
  });

  test('[LV-01] a format that cannot be played is said', () => {
    expect(after(connecting, { type: 'undecodable', codec: 'hvc1.1' })).toEqual({
      kind: 'unsupported',
      codec: 'hvc1.1',
    });
    expect(after(connecting, { type: 'refused', code: 2316, reason: 'noVideo' })).toMatchObject({
      kind: 'unsupported',
    });
  });

  test('a hidden tile stays paused despite late events, until it is shown', () => {
    const paused = after(live, { type: 'hidden' });
    expect(after(paused, { type: 'picture', picture }, { type: 'silence' })).toEqual({ kind: 'paused' });
    expect(after(paused, { type: 'shown' })).toEqual(connecting);
    expect(after(paused, { type: 'refused', code: 1017, reason: null })).toMatchObject({ kind: 'ended' });
  });

  test('no sequence of events leaves a final state except opening or closing', () => {
    const event = fc.constantFrom<TileEvent>(
      { type: 'hidden' },
      { type: 'shown' },
      { type: 'silence' },
      { type: 'disconnected' },
      { type: 'picture', picture },
      { type: 'waiting', state: 'connecting', reason: 'offline' },
      { type: 'waiting', state: 'connecting', reason: null },
      { type: 'refused', code: 1017, reason: null },
      { type: 'refused', code: 2316, reason: 'fault' },
      { type: 'undecodable', codec: null },
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        let state: TileState = connecting;
        for (const next of events) {
          const before = state;
          state = nextTileState(state, next, now);
          if (isFinal(before)) expect(state).toBe(before);
        }
      }),
    );
  });
});

// Tests of Low-Latency HLS playlists by the rules of RFC 8216bis, and of when a blocked request is answered.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDirectives, whenToAnswer } from './delivery-directives.ts';
import { type LowLatencyPlaylist, type PlaylistSegment, writeLowLatencyPlaylist } from './low-latency-playlist.ts';
import { brokenRules } from './playlist-rules.fixture.ts';

const PART_TARGET = 0.54;
const shapes = fc.array(
  fc.record({
    parts: fc.integer({ min: 1, max: 7 }),
    last: fc.double({ min: 0.01, max: PART_TARGET, noNaN: true }),
    isBreak: fc.boolean(),
  }),
  { minLength: 1, maxLength: 30 },
);

function playlistOf(
  shape: readonly { parts: number; last: number; isBreak: boolean }[],
  isOpen: boolean,
): LowLatencyPlaylist {
  let part = 0;
  let init = 0;
  const segments = shape.map(({ parts, last, isBreak }, at): PlaylistSegment => {
    if (isBreak) init += 1;
    const isWhole = !isOpen || at < shape.length - 1;
    const listed = Array.from({ length: parts }, (_, index) => {
      part += 1;
      const seconds = isWhole && index === parts - 1 ? last : 0.52;
      return { uri: `p${part}.m4s`, seconds, isIndependent: index === 0 };
    });
    const uri = isWhole ? `s${at}.m4s` : null;
    return { number: 100 + at, wallMs: 1e12 + at * 2000, initUri: `i${init}.mp4`, isBreak, parts: listed, uri };
  });
  const hintUri = `p${part + 1}.m4s`;
  return { segments, breaksBefore: 3, targetSeconds: 4, partTargetSeconds: PART_TARGET, hintUri };
}

describe('a playlist of Low-Latency HLS', () => {
  it('keeps the rules, whole and as a delta update', () => {
    fc.assert(
      fc.property(shapes, fc.boolean(), fc.boolean(), (shape, isOpen, skips) => {
        expect(brokenRules(writeLowLatencyPlaylist(playlistOf(shape, isOpen), skips))).toEqual([]);
      }),
    );
  });

  it('leaves out of a delta update what is older than six target durations, and no more', () => {
    const playlist = playlistOf(
      Array.from({ length: 20 }, () => ({ parts: 4, last: 0.44, isBreak: false })),
      true,
    );
    const whole = writeLowLatencyPlaylist(playlist, false).split('\n');
    const delta = writeLowLatencyPlaylist(playlist, true);
    const skipped = Number(/SKIPPED-SEGMENTS=(\d+)/u.exec(delta)?.[1]);
    // 2 s each, the last one open with four parts of 0.52 s: 20 segments are 40.08 s.
    expect(skipped).toBe(9);
    const kept = delta.split('\n').filter((line) => line.endsWith('.m4s') && line.startsWith('s'));
    expect(kept).toEqual(whole.filter((line) => line.endsWith('.m4s') && line.startsWith('s')).slice(skipped));
  });

  it('lists parts of the newest twelve seconds alone', () => {
    const text = writeLowLatencyPlaylist(
      playlistOf(
        Array.from({ length: 20 }, () => ({ parts: 4, last: 0.44, isBreak: false })),
        false,
      ),
      false,
    );
    expect([...text.matchAll(/#EXT-X-PART:/gu)]).toHaveLength(6 * 4);
  });

  it('is judged: each broken rule is found', () => {
    const good = writeLowLatencyPlaylist(playlistOf([{ parts: 4, last: 0.4, isBreak: false }], false), false);
    for (const [from, to] of [
      ['#EXTM3U\n', ''],
      ['PART-TARGET=0.54000', 'PART-TARGET=0.51000'],
      ['PART-TARGET=0.54000', 'PART-TARGET=0.70000'],
      ['PART-HOLD-BACK=1.62000', 'PART-HOLD-BACK=0.50000'],
      ['TARGETDURATION:4', 'TARGETDURATION:1'],
      [/#EXT-X-MAP.*\n/u, ''],
      ['URI="p5.m4s"', 'URI="p4.m4s"'],
      [/#EXT-X-PART:.*p2.m4s"\n/u, ''],
      ['VERSION:9', 'VERSION:3'],
    ] as const) {
      expect(good).toMatch(from);
      expect(brokenRules(good.replace(from, to)), String(from)).not.toEqual([]);
    }
  });
});

describe('a request for a playlist', () => {
  const read = (query: string) => readDirectives(new URLSearchParams(query));

  it('is read, or refused where no player asks so', () => {
    expect(read('')).toEqual({ segment: null, part: null, skips: false });
    expect(read('_HLS_msn=7&_HLS_part=2&_HLS_skip=YES&other=1')).toEqual({ segment: 7, part: 2, skips: true });
    for (const query of [
      '_HLS_msn=-1',
      '_HLS_msn=1e3',
      '_HLS_msn=',
      '_HLS_msn=9999999999999999',
      '_HLS_part=1',
      '_HLS_msn=1&_HLS_part=x',
      '_HLS_skip=NO',
    ])
      expect(read(query), query).toBeNull();
  });

  const edge = { segment: 10, parts: 2, isWhole: false, partTargetSeconds: 0.54 };
  it.each([
    [null, null, 'now'],
    [9, null, 'now'],
    [9, 99, 'now'],
    [10, 1, 'now'],
    [10, 2, 'wait'],
    [10, null, 'wait'],
    [11, 0, 'wait'],
    [12, 0, 'wait'],
    [13, null, 'refuse'],
    [999_999_999_999_999, 0, 'refuse'],
    [10, 8, 'wait'],
    [10, 9, 'refuse'],
    [11, 7, 'refuse'],
  ] as const)('for segment %s and part %s is answered: %s', (segment, part, when) => {
    expect(whenToAnswer({ segment, part, skips: false }, edge)).toBe(when);
  });

  it('is answered once its segment is whole', () => {
    expect(whenToAnswer({ segment: 10, part: null, skips: false }, { ...edge, isWhole: true })).toBe('now');
    expect(whenToAnswer({ segment: 10, part: 2, skips: false }, { ...edge, isWhole: true })).toBe('wait');
  });
});

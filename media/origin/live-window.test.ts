// Tests of the window of a live stream: its playlists keep the rules whatever the camera sends, and files are there as long as they are listed.
import { readDirectives, whenToAnswer } from '@vedette/protocols/hls/delivery-directives.ts';
import { writeLowLatencyPlaylist } from '@vedette/protocols/hls/low-latency-playlist.ts';
import { brokenRules } from '@vedette/protocols/hls/playlist-rules.fixture.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip } from '../recorder/synthetic-stream.fixture.ts';
import type { AccessUnit } from '../stream/stream.ts';
import { LiveWindow } from './live-window.ts';

const START_MS = 1_700_000_000_000;

interface Camera {
  readonly fps: number;
  readonly gop: number;
  /** Of a frame, in shares of its duration. */
  readonly jitter: number;
  readonly seconds: number;
}

function windowOf() {
  let parts = 0;
  const window = new LiveWindow({ monotonicMs: () => 0, startMs: START_MS, onPart: () => (parts += 1) });
  window.format({ ...clip.format, audio: null });
  window.discontinuity('connected');
  return { window, parts: () => parts };
}

/** Frames of a camera from `fromMs` on. */
function* framesOf({ fps, gop, jitter, seconds }: Camera, fromMs = 0): Generator<AccessUnit> {
  for (let at = 0; at < fps * seconds; at += 1) {
    const ms = fromMs + ((at + jitter * Math.sin(at * 12.9898)) * 1000) / fps;
    const data = Buffer.alloc(40, at);
    yield {
      track: 'video',
      data,
      isKey: at % gop === 0,
      dts: Math.round(ms * 90),
      ctsOffset: 0,
      wallMs: START_MS + ms,
    };
  }
}

const cameras = fc.record({
  fps: fc.constantFrom(2, 5, 8, 10, 12, 15, 20, 25, 30, 50),
  gop: fc.integer({ min: 1, max: 250 }),
  jitter: fc.double({ min: 0, max: 0.3, noNaN: true }),
  seconds: fc.integer({ min: 8, max: 60 }),
});

describe('a live window', () => {
  it('writes playlists that keep the rules for every frame rate and distance of keyframes', () => {
    fc.assert(
      fc.property(cameras, fc.boolean(), (camera, skips) => {
        const { window } = windowOf();
        for (const unit of framesOf(camera)) window.accessUnit(unit);
        expect(window.isReady).toBe(true);
        expect(brokenRules(writeLowLatencyPlaylist(window.playlist(), skips))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('gives every file that it lists, and none that is gone or was never there', () => {
    const { window } = windowOf();
    const camera = { fps: 25, gop: 50, jitter: 0, seconds: 60 };
    const first = [...framesOf({ ...camera, seconds: 5 })];
    for (const unit of first) window.accessUnit(unit);
    const early = namesIn(writeLowLatencyPlaylist(window.playlist(), false));
    for (const unit of [...framesOf(camera)].slice(first.length)) window.accessUnit(unit);
    const listed = namesIn(writeLowLatencyPlaylist(window.playlist(), false));
    for (const name of listed.slice(0, -1)) expect(window.file(name), name).toEqual(expect.any(Array));
    expect(window.file(listed.at(-1) ?? '')).toBe('next');
    for (const name of early.filter((one) => one.endsWith('.m4s'))) expect(window.file(name), name).toBeNull();
    for (const name of ['', 'live.mp4', listed[1]?.replace('.m4s', '.mp4') ?? '', '0-s1.m4s'])
      expect(window.file(name)).toBeNull();
  });

  it('makes segments of exactly their parts', () => {
    const { window } = windowOf();
    for (const unit of framesOf({ fps: 25, gop: 50, jitter: 0, seconds: 10 })) window.accessUnit(unit);
    for (const { uri, parts } of window.playlist().segments) {
      const bytes = (name: string) => Buffer.concat(window.file(name) as Buffer[]);
      if (uri !== null) expect(Buffer.concat(parts.map((part) => bytes(part.uri)))).toEqual(bytes(uri));
    }
  });

  it('marks a break after the camera was away, with the init segment of the new format', () => {
    const { window } = windowOf();
    const camera = { fps: 25, gop: 50, jitter: 0, seconds: 8 };
    for (const unit of framesOf(camera)) window.accessUnit(unit);
    window.format({ ...clip.format, audio: null });
    window.discontinuity('connected');
    for (const unit of framesOf(camera, 20_000)) window.accessUnit(unit);
    const text = writeLowLatencyPlaylist(window.playlist(), false);
    expect(brokenRules(text)).toEqual([]);
    expect([...text.matchAll(/#EXT-X-DISCONTINUITY\n/gu)]).toHaveLength(1);
    expect([...text.matchAll(/#EXT-X-MAP/gu)]).toHaveLength(2);
    for (const unit of framesOf({ ...camera, seconds: 60 }, 30_000)) window.accessUnit(unit);
    const later = writeLowLatencyPlaylist(window.playlist(), false);
    expect(later).toContain('#EXT-X-DISCONTINUITY-SEQUENCE:1');
    expect(later).not.toContain('#EXT-X-DISCONTINUITY\n');
  });

  it('answers a request for the next part with that part, and tells of each', () => {
    const { window, parts } = windowOf();
    const directives = () =>
      readDirectives(
        new URLSearchParams({ _HLS_msn: String(window.edge.segment), _HLS_part: String(window.edge.parts) }),
      );
    const frames = framesOf({ fps: 25, gop: 50, jitter: 0, seconds: 20 });
    for (const unit of frames) {
      const asked = directives();
      const before = parts();
      window.accessUnit(unit);
      if (before > 0 && asked !== null)
        expect(whenToAnswer(asked, window.edge)).toBe(parts() > before ? 'now' : 'wait');
    }
    expect(parts()).toBeGreaterThan(30);
  });
});

function namesIn(text: string): string[] {
  return [...text.matchAll(/^[^#\n].*$|URI="([^"]+)"/gmu)].map(([whole, uri]) => uri ?? whole);
}

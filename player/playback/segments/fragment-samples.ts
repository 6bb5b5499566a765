// Parses a stored segment into video and audio samples, each with its capture time. Pure.
import { type Mp4Box, type ReadRun, readBox, readFragment } from '@vedette/protocols/mp4/box-reader.ts';
import type { ReadTrack } from '@vedette/protocols/mp4/init-reader.ts';

export interface VideoSample {
  /** Wall clock of the capture in whole microseconds: time stamp of the decoder and name of the picture. */
  readonly atUs: number;
  readonly durationUs: number;
  readonly isKey: boolean;
  readonly data: Uint8Array;
}

export interface AudioSample {
  /** Wall clock, microseconds. */
  readonly atUs: number;
  readonly data: Uint8Array;
}

export interface SegmentSamples {
  /** In decoding order. */
  readonly video: readonly VideoSample[];
  readonly audio: readonly AudioSample[];
  /** Pictures come in another order than they are shown in. */
  readonly isReordered: boolean;
}

/** Seconds from 1900, where NTP counts from, to 1970. */
const NTP_TO_UNIX_S = 2_208_988_800;

interface Clock {
  /** Microseconds since 1970 at `seconds` of media time. */
  readonly wallUs: number;
  readonly seconds: number;
}

/** Throws Mp4Error for boxes that are none. Bytes that are cut end the list early. */
export function readSegmentSamples(bytes: Uint8Array, tracks: readonly ReadTrack[]): SegmentSamples {
  const found: FoundSamples = { video: [], audio: [], lastUs: Number.NEGATIVE_INFINITY };
  let clock: Clock | null = null;
  for (let at = 0; ; ) {
    const box = readBox(bytes, at);
    if (!box || box.end > bytes.length) break;
    if (box.type === 'prft') clock = readClock(bytes, box, videoScale(tracks));
    else if (box.type === 'moof' && clock) addFragment(found, bytes, at, { tracks, clock });
    at = box.end;
  }
  const { video, audio } = found;
  const isReordered = video.some(({ atUs }, index) => index > 0 && atUs < (video[index - 1] as VideoSample).atUs);
  return { video, audio, isReordered };
}

interface FoundSamples {
  readonly video: VideoSample[];
  readonly audio: AudioSample[];
  /** Latest capture time of the video samples so far. */
  lastUs: number;
}

function addFragment(
  found: FoundSamples,
  bytes: Uint8Array,
  moof: number,
  { tracks, clock }: { readonly tracks: readonly ReadTrack[]; readonly clock: Clock },
): void {
  for (const run of readFragment(bytes, moof)) {
    const track = tracks.find(({ id }) => id === run.trackId);
    if (track?.kind === 'video') {
      // The clock of a fragment may lie a little before the end of the one before it: no picture goes back.
      const taken = takeVideo(bytes, moof, run, { track, clock, after: found.lastUs });
      found.video.push(...taken);
      found.lastUs = taken.reduce((most, { atUs }) => Math.max(most, atUs), found.lastUs);
    } else if (track?.kind === 'audio') found.audio.push(...takeAudio(bytes, moof, run, { track, clock }));
  }
}

function videoScale(tracks: readonly ReadTrack[]): number {
  return tracks.find(({ kind }) => kind === 'video')?.timescale ?? 90_000;
}

/** prft of version 1 (ISO/IEC 14496-12 8.16.5): NTP time, then media time of the picture track. */
function readClock(bytes: Uint8Array, { start }: Mp4Box, timescale: number): Clock {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, 32);
  const seconds = view.getUint32(16) - NTP_TO_UNIX_S;
  const wallUs = seconds * 1e6 + Math.round((view.getUint32(20) / 0x100000000) * 1e6);
  return { wallUs, seconds: Number(view.getBigUint64(24)) / timescale };
}

function takeVideo(
  bytes: Uint8Array,
  moof: number,
  { baseDts, samples }: ReadRun,
  { track, clock, after }: { readonly track: ReadTrack; readonly clock: Clock; readonly after: number },
): VideoSample[] {
  const usPerTick = 1e6 / track.timescale;
  const first = samples[0]?.ctsOffset ?? 0;
  const isReordered = samples.some(({ ctsOffset }) => ctsOffset !== first);
  const startUs = Math.round(clock.wallUs + (baseDts / track.timescale - clock.seconds) * 1e6);
  const shiftUs = isReordered ? 0 : Math.max(0, after + 1 - startUs);
  let ticks = -first;
  return samples.map(({ offset, size, duration, isKey, ctsOffset }) => {
    const atUs = startUs + shiftUs + Math.round((ticks + ctsOffset) * usPerTick);
    ticks += duration;
    const data = bytes.subarray(moof + offset, moof + offset + size);
    return { atUs, durationUs: Math.max(1, Math.round(duration * usPerTick)), isKey, data };
  });
}

function takeAudio(
  bytes: Uint8Array,
  moof: number,
  { baseDts, samples }: ReadRun,
  { track, clock }: { readonly track: ReadTrack; readonly clock: Clock },
): AudioSample[] {
  let dts = baseDts;
  return samples.map(({ offset, size, duration }) => {
    const atUs = Math.round(clock.wallUs + (dts / track.timescale - clock.seconds) * 1e6);
    dts += duration;
    return { atUs, data: bytes.subarray(moof + offset, moof + offset + size) };
  });
}

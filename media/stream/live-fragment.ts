// Builds the fragments that viewers receive: one per access unit, made once and shared by reference.
import { SAMPLE_HEADER_BYTES, SampleFragmentWriter } from '@vedette/protocols/mp4/fragment.ts';
import { writeInitSegment } from '@vedette/protocols/mp4/init-segment.ts';
import type { AccessUnit, MediaFormat } from './stream.ts';

/** Free bytes that sources leave before each unit: for the fragment header and the WebSocket frame header. */
export const UNIT_ROOM_BYTES = SAMPLE_HEADER_BYTES + 24;

/** Each track has its own init segment and fragments, so each is track 1. */
const TRACK_ID = 1;
const VIDEO_TIMESCALE = 90_000;
/** A unit's duration is known when the next one arrives; for the last one the previous duration is used, within limits. */
const GUESSED_FPS = 25;
const LONGEST_SECONDS = 2;

export type LiveFragmentKind = 'video' | 'jpeg' | 'audio' | 'audio-raw';

/** `bytes` is moof + mdat, a JPEG for `jpeg`, or samples for `audio-raw`; valid as long as its unit's data. */
export interface LiveFragment {
  readonly kind: LiveFragmentKind;
  readonly bytes: Buffer;
  /** Its unit, whose data lie within `bytes`. */
  readonly unit: AccessUnit;
  readonly isKey: boolean;
  readonly wallMs: number;
  /** Unused bytes before `bytes` in the same memory. */
  readonly room: number;
  /** `bytes` with a frame header before them, for all viewers with the same one; null until the first. */
  framed: { readonly id: number; readonly bytes: Buffer } | null;
}

export interface LiveInit {
  readonly format: MediaFormat;
  /** Null for MJPEG, which needs no init segment. */
  readonly video: Buffer | null;
  /** Null for G.711, which browsers accept in no container. */
  readonly audio: Buffer | null;
}

export function buildLiveInit(format: MediaFormat): LiveInit {
  const { video, audio } = format;
  const videoTrack =
    video &&
    video.codec !== 'mjpeg' &&
    ({ kind: 'video', id: TRACK_ID, timescale: VIDEO_TIMESCALE, ...video } as const);
  const isRaw = audio?.codec === 'pcma' || audio?.codec === 'pcmu';
  const audioTrack =
    audio && !isRaw ? ({ kind: 'audio', id: TRACK_ID, timescale: audio.sampleRate, ...audio } as const) : null;
  return {
    format,
    video: videoTrack ? Buffer.from(writeInitSegment([videoTrack])) : null,
    audio: audioTrack && Buffer.from(writeInitSegment([audioTrack])),
  };
}

export class LiveFragmentBuilder {
  readonly #writers = { video: new SampleFragmentWriter(TRACK_ID), audio: new SampleFragmentWriter(TRACK_ID) };
  readonly #lastDts = { video: -1, audio: -1 };
  #audioRate = 8000;
  #audioIsRaw = false;
  #isJpeg = false;

  setFormat(init: LiveInit): void {
    this.#audioRate = init.format.audio?.sampleRate ?? 8000;
    this.#audioIsRaw = init.format.audio !== null && init.audio === null;
    this.#isJpeg = init.format.video?.codec === 'mjpeg';
  }

  /** Ticks until the next unit; called once per unit, in order. */
  duration(unit: AccessUnit): number {
    const rate = unit.track === 'video' ? VIDEO_TIMESCALE : this.#audioRate;
    const last = this.#lastDts[unit.track];
    this.#lastDts[unit.track] = unit.dts;
    const passed = unit.dts - last;
    return last >= 0 && passed > 0 && passed <= rate * LONGEST_SECONDS ? passed : Math.round(rate / GUESSED_FPS);
  }

  /** Size of its fragment. */
  size({ track, data }: AccessUnit): number {
    const isBare = track === 'audio' ? this.#audioIsRaw : this.#isJpeg;
    return isBare ? data.length : SAMPLE_HEADER_BYTES + data.length;
  }

  build(unit: AccessUnit, duration: number): LiveFragment {
    const { track, data, isKey, wallMs, room = 0 } = unit;
    const common = { unit, isKey, wallMs, framed: null };
    if (track === 'audio' && this.#audioIsRaw) return { kind: 'audio-raw', bytes: data, room, ...common };
    if (track === 'video' && this.#isJpeg) return { kind: 'jpeg', bytes: data, room, ...common };
    const hasRoom = room >= SAMPLE_HEADER_BYTES;
    const bytes = hasRoom ? ahead(data, SAMPLE_HEADER_BYTES) : copiedBehind(data, SAMPLE_HEADER_BYTES);
    this.#writers[track].write(bytes, 0, unit, duration);
    return { kind: track, bytes, room: hasRoom ? room - SAMPLE_HEADER_BYTES : 0, ...common };
  }
}

/** `bytes` with the memory before them. */
export function ahead(bytes: Buffer, count: number): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset - count, count + bytes.length);
}

function copiedBehind(data: Buffer, count: number): Buffer {
  const bytes = Buffer.allocUnsafe(count + data.length);
  data.copy(bytes, count);
  return bytes;
}

// A real H.264 clip (and AAC or G.711 audio) as access units of any length, for tests that verify with ffprobe.
import { readFileSync } from 'node:fs';
import { encodeG711 } from '@vedette/protocols/g711/g711.ts';
import { writeAvcC } from '@vedette/protocols/h264/avcc.ts';
import { H264_NAL, h264NalType, splitAnnexB } from '@vedette/protocols/h264/nal.ts';
import { h264CodecString } from '@vedette/protocols/h264/sps.ts';
import type { AccessUnit, AudioFormat, MediaFormat, StreamConsumer } from '../stream/stream.ts';

/** 160x90, 20 pictures a second, a keyframe every 2 s, 4 s long. */
const CLIP_FPS = 20;
const AAC_RATE = 16_000;

interface Clip {
  readonly format: MediaFormat;
  readonly pictures: readonly { readonly data: Buffer; readonly isKey: boolean }[];
}

export const clip = readClip();
const aacFrames = readAdts(readFileSync(new URL('./fixtures/clip.aac', import.meta.url)));

export const aacFormat: AudioFormat = {
  codec: 'aac',
  codecString: 'mp4a.40.2',
  sampleRate: AAC_RATE,
  channels: 1,
  // AAC-LC, 16 kHz, mono (ISO/IEC 14496-3 1.6.2.1).
  config: Buffer.from([0x14, 0x08]),
};
export const g711Format: AudioFormat = {
  codec: 'pcma',
  codecString: 'alaw',
  sampleRate: 8000,
  channels: 1,
  config: Buffer.alloc(0),
};

export interface SyntheticOptions {
  readonly startMs: number;
  readonly seconds: number;
  readonly audio?: AudioFormat | null;
  /** First decode time of the pictures. */
  readonly firstDts?: number;
  /** What G.711 carries at so many seconds from the start, −1 to 1; default: silence. */
  readonly sound?: (atS: number) => number;
}

/** Units in the order a source hands them out. */
export function* syntheticUnits(options: SyntheticOptions): Generator<AccessUnit> {
  const { startMs, seconds, audio = null, firstDts = 0, sound: heard } = options;
  let sound = 0;
  for (let n = 0; n < seconds * CLIP_FPS; n += 1) {
    const atMs = (n * 1000) / CLIP_FPS;
    const picture = clip.pictures[n % clip.pictures.length];
    if (!picture) throw new Error('the clip is empty');
    const dts = firstDts + (n * 90_000) / CLIP_FPS;
    yield { track: 'video', ...picture, dts, ctsOffset: 0, wallMs: startMs + atMs };
    for (; audio && audioFrameMs(audio, sound) <= atMs; sound += 1) {
      const data = audioData(audio, sound, heard);
      const wallMs = startMs + audioFrameMs(audio, sound);
      yield { track: 'audio', data, isKey: true, dts: 777 + sound * frameTicks(audio), ctsOffset: 0, wallMs };
    }
  }
}

export function feed(consumer: StreamConsumer, options: SyntheticOptions): void {
  consumer.format({ video: clip.format.video, audio: options.audio ?? null });
  for (const unit of syntheticUnits(options)) consumer.accessUnit(unit);
}

function frameTicks(audio: AudioFormat): number {
  return audio.codec === 'aac' ? 1024 : 160;
}

function audioFrameMs(audio: AudioFormat, n: number): number {
  return (n * frameTicks(audio) * 1000) / audio.sampleRate;
}

function audioData(audio: AudioFormat, n: number, heard: SyntheticOptions['sound']): Buffer {
  if (audio.codec === 'pcma' || audio.codec === 'pcmu') {
    const at = (index: number): number => (n * 160 + index) / audio.sampleRate;
    const linear = Int16Array.from({ length: 160 }, (_, index) => Math.round(32_000 * (heard?.(at(index)) ?? 0)));
    return Buffer.from(encodeG711(audio.codec, linear));
  }
  return aacFrames[n % aacFrames.length] as Buffer;
}

function readClip(): Clip {
  const units = splitAnnexB(readFileSync(new URL('./fixtures/clip.h264', import.meta.url)));
  const pictures: { data: Buffer; isKey: boolean }[] = [];
  let sps = new Uint8Array();
  let pps = new Uint8Array();
  for (const unit of units) {
    const type = h264NalType(unit[0] as number);
    if (type === H264_NAL.sps) sps = Uint8Array.from(unit);
    else if (type === H264_NAL.pps) pps = Uint8Array.from(unit);
    else if (type === H264_NAL.idr || type === H264_NAL.slice) {
      const data = Buffer.alloc(4 + unit.length);
      data.writeUInt32BE(unit.length, 0);
      data.set(unit, 4);
      pictures.push({ data, isKey: type === H264_NAL.idr });
    }
  }
  const config = Buffer.from(writeAvcC(sps, [pps]));
  const video = { codec: 'h264', codecString: h264CodecString(sps), width: 160, height: 90, config } as const;
  return { format: { video, audio: null }, pictures };
}

/** Frames without their ADTS headers (ISO/IEC 14496-3 1.A.2.2). */
function readAdts(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at + 7 <= bytes.length; ) {
    const length = (bytes.readUInt32BE(at + 2) >> 5) & 0x1fff;
    frames.push(bytes.subarray(at + 7, at + length));
    at += length;
  }
  return frames;
}

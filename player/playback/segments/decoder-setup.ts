// What the decoders of a recording are set up with, from the tracks of an init segment. Pure.
import { parseHvcC } from '@vedette/protocols/h265/hvcc.ts';
import { h265CodecString, parseH265Sps } from '@vedette/protocols/h265/sps.ts';
import { JPEG_OBJECT, readAudioSpecificConfig, readObjectType } from '@vedette/protocols/mp4/esds-reader.ts';
import { type ReadTrack, readInitSegment } from '@vedette/protocols/mp4/init-reader.ts';

/** Not of RFC 6381: no decoder of WebCodecs takes it. */
export const JPEG = 'jpeg';

export interface VideoSetup {
  /** RFC 6381, for example `avc1.640028`; `JPEG` for pictures that stand alone. */
  readonly codec: string;
  /** avcC or hvcC; empty for JPEG. */
  readonly description: Uint8Array;
  readonly codedWidth: number;
  readonly codedHeight: number;
}

export type AudioSetup =
  | { readonly kind: 'g711'; readonly law: 'pcma' | 'pcmu'; readonly sampleRate: number; readonly channels: number }
  | {
      readonly kind: 'codec';
      readonly codec: string;
      readonly description: Uint8Array | null;
      readonly sampleRate: number;
      readonly channels: number;
    };

export interface DecoderSetup {
  readonly tracks: readonly ReadTrack[];
  readonly video: VideoSetup | null;
  /** Null without audio, or with one that nothing here decodes. */
  readonly audio: AudioSetup | null;
}

/** Throws Mp4Error for bytes that are no init segment. */
export function readDecoderSetup(init: Uint8Array): DecoderSetup {
  const tracks = readInitSegment(init);
  const video = tracks.find(({ kind }) => kind === 'video');
  const audio = tracks.find(({ kind }) => kind === 'audio');
  return { tracks, video: video ? videoSetup(video) : null, audio: audio ? audioSetup(audio) : null };
}

function videoSetup({ sampleEntry, config, width, height }: ReadTrack): VideoSetup | null {
  const size = { codedWidth: width, codedHeight: height };
  if (sampleEntry.startsWith('avc') && config.length > 3) {
    // Profile, constraints and level stand in bytes 1 to 3 (ISO/IEC 14496-15 5.3.3.1).
    const hex = [...config.subarray(1, 4)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return { codec: `avc1.${hex}`, description: config, ...size };
  }
  if (sampleEntry === 'mp4v' && readObjectType(config) === JPEG_OBJECT) {
    return { codec: JPEG, description: new Uint8Array(0), ...size };
  }
  if (!/^h[ev][cv]1/.test(sampleEntry)) return null;
  const [sps] = parseHvcC(config).sps;
  return sps ? { codec: h265CodecString(parseH265Sps(sps)), description: config, ...size } : null;
}

function audioSetup({ sampleEntry, config, sampleRate, timescale, channels }: ReadTrack): AudioSetup | null {
  const rate = sampleRate || timescale;
  if (sampleEntry === 'alaw' || sampleEntry === 'ulaw') {
    return { kind: 'g711', law: sampleEntry === 'alaw' ? 'pcma' : 'pcmu', sampleRate: rate, channels };
  }
  if (sampleEntry === 'Opus') {
    return { kind: 'codec', codec: 'opus', description: null, sampleRate: rate, channels };
  }
  const specific = sampleEntry === 'mp4a' ? readAudioSpecificConfig(config) : null;
  if (!specific?.[0]) return null;
  // Object type in the first five bits (ISO/IEC 14496-3 1.6.2.1).
  return { kind: 'codec', codec: `mp4a.40.${specific[0] >> 3}`, description: specific, sampleRate: rate, channels };
}

// Selects the supported tracks of a session description, and describes each.
import {
  aacCodecString,
  type AudioSpecificConfig,
  parseAudioSpecificConfig,
  writeAudioSpecificConfig,
} from '@vedette/protocols/aac/audio-specific-config.ts';
import { audioConfigOfMux } from '@vedette/protocols/aac/stream-mux-config.ts';
import { BitstreamError } from '@vedette/protocols/bits/bit-reader.ts';
import { aacConfig } from '@vedette/protocols/sdp/parameter-sets.ts';
import type { Sdp, SdpMedia } from '@vedette/protocols/sdp/sdp.ts';
import type { AudioFormat, SourceFailure, VideoFormat } from '../stream/stream.ts';

export interface TrackSelection {
  readonly video: SdpMedia | null;
  readonly audio: SdpMedia | null;
  readonly audioFormat: AudioFormat | null;
  /** Why there is no video. */
  readonly failure: SourceFailure | null;
}

const VIDEO = new Map([
  ['H264', 'h264'],
  ['H265', 'h265'],
  ['HEVC', 'h265'],
  ['JPEG', 'mjpeg'],
] as const);

export function videoCodecOf(media: SdpMedia): VideoFormat['codec'] | null {
  return VIDEO.get(media.encoding as 'H264') ?? null;
}

export function selectTracks(sdp: Sdp): TrackSelection {
  const videos = sdp.media.filter((media) => media.kind === 'video');
  const video = firstCarried(videos, (media) => videoCodecOf(media) !== null);
  const failure = video ? null : videos.length > 0 ? 'unsupported-codec' : 'no-video';
  // ONVIF marks the back channel by `sendonly`; others mark what they send by it.
  const sounds = sdp.media
    .filter((media) => media.kind === 'audio')
    .toSorted((a, b) => Number(a.direction === 'sendonly') - Number(b.direction === 'sendonly'));
  const audio = firstCarried(sounds, (media) => audioFormatOf(media) !== null);
  return { video, audio, audioFormat: audio && audioFormatOf(audio), failure };
}

/** The first media line with a supported payload type; its other supported ones are alternatives. */
function firstCarried(lines: readonly SdpMedia[], isCarried: (media: SdpMedia) => boolean): SdpMedia | null {
  for (const line of lines) {
    const [first, ...alternatives] = [line, ...line.alternatives].filter(isCarried);
    if (first) return { ...first, alternatives };
  }
  return null;
}

/** Attributes of this payload type in a selected line. */
export function describedAs(line: SdpMedia | null, payloadType: number): SdpMedia | null {
  return line && ([line, ...line.alternatives].find((media) => media.payloadType === payloadType) ?? null);
}

export function audioFormatOf(media: SdpMedia): AudioFormat | null {
  const plain = { config: Buffer.alloc(0), channels: media.channels };
  switch (media.encoding) {
    case 'PCMA':
      return { codec: 'pcma', codecString: 'alaw', sampleRate: media.clockRate, ...plain };
    case 'PCMU':
      return { codec: 'pcmu', codecString: 'ulaw', sampleRate: media.clockRate, ...plain };
    case 'OPUS':
      return { codec: 'opus', codecString: 'opus', sampleRate: 48_000, ...plain };
    case 'MPEG4-GENERIC':
    case 'MP4A-LATM':
      return aacFormatOf(media);
    default:
      return null;
  }
}

function plainConfig(media: SdpMedia): Uint8Array {
  const config = aacConfig(media);
  return config.length > 0 ? config : writeAudioSpecificConfig(media.clockRate, media.channels);
}

/** Only from the description: in the stream it would repeat in every packet. */
function latmConfig(media: SdpMedia): Uint8Array {
  if (media.parameters.get('cpresent') !== '0') throw new BitstreamError('LATM configuration in the stream');
  return audioConfigOfMux(aacConfig(media));
}

function aacFormatOf(media: SdpMedia): AudioFormat | null {
  try {
    const bytes = media.encoding === 'MP4A-LATM' ? latmConfig(media) : plainConfig(media);
    const parsed: AudioSpecificConfig = parseAudioSpecificConfig(bytes);
    return {
      codec: 'aac',
      codecString: aacCodecString(parsed.objectType),
      sampleRate: parsed.sampleRate,
      channels: parsed.channels,
      config: Buffer.from(bytes),
    };
  } catch (error) {
    if (error instanceof BitstreamError) return null;
    throw error;
  }
}

// The SDP of a virtual stream (RFC 4566, RFC 6184 8.1, RFC 7798 7.1, RFC 3551, RFC 3640 4.1).

import { writeAudioSpecificConfig } from '@vedette/protocols/aac/audio-specific-config.ts';
import type { G711Law } from '@vedette/protocols/g711/g711.ts';
import { AUDIO_RATE } from './beep.ts';
import { PAYLOAD_TYPES, type AudioCodec, type VideoCodec } from './stream-format.ts';

export interface DescribedVideo {
  readonly codec: VideoCodec;
  /** H.265 has one, H.264 has none. */
  readonly vps?: Uint8Array;
  readonly sps: Uint8Array;
  readonly pps: Uint8Array;
}

export const CONTROLS = ['trackID=0', 'trackID=1'] as const;
export const BACK_CONTROL = 'trackID=talk';

export interface DescriptionParts {
  readonly name: string;
  /** Several where the device may go over from one to another without a word. */
  readonly videos: readonly DescribedVideo[];
  readonly rate: number;
  readonly audio: readonly AudioCodec[];
  /** Samples a second, of AAC alone. */
  readonly audioRate?: number;
  readonly range: string;
  /** Describes the way back too, for clients that require it (ONVIF Streaming 5.3.2). */
  readonly talk?: G711Law;
}

export function describeSession(parts: DescriptionParts): string {
  const { videos, audio, rate, audioRate = AUDIO_RATE } = parts;
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 0.0.0.0',
    `s=${parts.name.replace(/[\r\n]/g, ' ')}`,
    'c=IN IP4 0.0.0.0',
    't=0 0',
    'a=control:*',
    `a=range:${parts.range}`,
    `m=video 0 RTP/AVP ${videos.map(({ codec }) => PAYLOAD_TYPES[codec]).join(' ')}`,
    ...videos.flatMap(videoLines),
    `a=framerate:${rate}`,
    `a=control:${CONTROLS[0]}`,
    ...(parts.talk === undefined ? [] : ['a=recvonly']),
  ];
  if (audio.length > 0) {
    lines.push(
      `m=audio 0 RTP/AVP ${audio.map((codec) => PAYLOAD_TYPES[codec]).join(' ')}`,
      ...audio.flatMap((codec) => audioLines(codec, audioRate)),
      `a=control:${CONTROLS[1]}`,
      ...(parts.talk === undefined ? [] : ['a=recvonly']),
    );
  }
  if (parts.talk !== undefined) lines.push(...talkLines(parts.talk));
  return `${lines.join('\r\n')}\r\n`;
}

function videoLines({ codec, vps, sps, pps }: DescribedVideo): string[] {
  const type = PAYLOAD_TYPES[codec];
  const base64 = (set: Uint8Array): string => Buffer.from(set).toString('base64');
  if (codec === 'h265') {
    const sets = `sprop-vps=${base64(vps ?? new Uint8Array())};sprop-sps=${base64(sps)};sprop-pps=${base64(pps)}`;
    return [`a=rtpmap:${type} H265/90000`, `a=fmtp:${type} ${sets}`];
  }
  const profile = Buffer.from(sps.subarray(1, 4)).toString('hex');
  const sets = `sprop-parameter-sets=${base64(sps)},${base64(pps)}`;
  return [`a=rtpmap:${type} H264/90000`, `a=fmtp:${type} packetization-mode=1;profile-level-id=${profile};${sets}`];
}

function audioLines(codec: AudioCodec, aacRate: number): string[] {
  const type = PAYLOAD_TYPES[codec];
  if (codec !== 'aac') return [`a=rtpmap:${type} ${codec.toUpperCase()}/${AUDIO_RATE}`];
  const config = Buffer.from(writeAudioSpecificConfig(aacRate, 1)).toString('hex');
  return [
    `a=rtpmap:${type} MPEG4-GENERIC/${aacRate}/1`,
    `a=fmtp:${type} mode=AAC-hbr;config=${config};sizelength=13;indexlength=3;indexdeltalength=3`,
  ];
}

/** The directions are the client's. */
function talkLines(law: G711Law): string[] {
  const type = PAYLOAD_TYPES[law];
  return [
    `m=audio 0 RTP/AVP ${type}`,
    `a=rtpmap:${type} ${law.toUpperCase()}/8000`,
    `a=control:${BACK_CONTROL}`,
    'a=sendonly',
  ];
}

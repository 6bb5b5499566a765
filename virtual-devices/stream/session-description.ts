// The SDP of a virtual stream (RFC 4566, RFC 6184 8.1, RFC 3551).

import type { G711Law } from '@vedette/protocols/g711/g711.ts';

export interface DescribedVideo {
  readonly sps: Uint8Array;
  readonly pps: Uint8Array;
  readonly rate: number;
}

export const VIDEO_PAYLOAD_TYPE = 96;
export const PCMA_PAYLOAD_TYPE = 8;
export const CONTROLS = ['trackID=0', 'trackID=1'] as const;
export const BACK_CONTROL = 'trackID=talk';
export const TALK_PAYLOAD_TYPE = { pcma: 8, pcmu: 0 } as const;

export interface DescriptionParts {
  readonly name: string;
  readonly video: DescribedVideo;
  readonly hasSound: boolean;
  readonly range: string;
  /** Describes the way back too, for clients that require it (ONVIF Streaming 5.3.2). */
  readonly talk?: G711Law;
}

export function describeSession(parts: DescriptionParts): string {
  const { sps, pps, rate } = parts.video;
  const profile = Buffer.from(sps.subarray(1, 4)).toString('hex');
  const sets = [sps, pps].map((set) => Buffer.from(set).toString('base64')).join(',');
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 0.0.0.0',
    `s=${parts.name.replace(/[\r\n]/g, ' ')}`,
    'c=IN IP4 0.0.0.0',
    't=0 0',
    'a=control:*',
    `a=range:${parts.range}`,
    `m=video 0 RTP/AVP ${VIDEO_PAYLOAD_TYPE}`,
    `a=rtpmap:${VIDEO_PAYLOAD_TYPE} H264/90000`,
    `a=fmtp:${VIDEO_PAYLOAD_TYPE} packetization-mode=1;profile-level-id=${profile};sprop-parameter-sets=${sets}`,
    `a=framerate:${rate}`,
    `a=control:${CONTROLS[0]}`,
    ...(parts.talk === undefined ? [] : ['a=recvonly']),
  ];
  if (parts.hasSound) {
    lines.push(
      `m=audio 0 RTP/AVP ${PCMA_PAYLOAD_TYPE}`,
      `a=rtpmap:${PCMA_PAYLOAD_TYPE} PCMA/8000`,
      `a=control:${CONTROLS[1]}`,
      ...(parts.talk === undefined ? [] : ['a=recvonly']),
    );
  }
  if (parts.talk !== undefined) lines.push(...talkLines(parts.talk));
  return `${lines.join('\r\n')}\r\n`;
}

/** The directions are the client's. */
function talkLines(law: G711Law): string[] {
  const type = TALK_PAYLOAD_TYPE[law];
  return [
    `m=audio 0 RTP/AVP ${type}`,
    `a=rtpmap:${type} ${law.toUpperCase()}/8000`,
    `a=control:${BACK_CONTROL}`,
    'a=sendonly',
  ];
}

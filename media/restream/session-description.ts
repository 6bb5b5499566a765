// The session description of a re-streamed stream (RFC 4566; RFC 6184 8.1, 7798 7.1, 3640 4.1, 7587 7).
import { parseAvcC } from '@vedette/protocols/h264/avcc.ts';
import { parseHvcC } from '@vedette/protocols/h265/hvcc.ts';
import type { AudioFormat, MediaFormat, VideoFormat } from '../stream/stream.ts';

/** One track as described and sent. */
export interface TrackPlan {
  readonly track: 'video' | 'audio';
  /** The `a=control` value. */
  readonly control: string;
  readonly payloadType: number;
  readonly clockRate: number;
  readonly rtpmap: string;
  readonly fmtp: string | null;
}

const JPEG_TYPE = 26;
const VIDEO_TYPE = 96;
const AUDIO_TYPE = 97;
const VIDEO_CLOCK = 90_000;
const OPUS_CLOCK = 48_000;
/** The static payload types of G.711 mean one channel at this rate (RFC 3551). */
const G711_RATE = 8000;

export function planTracks({ video, audio }: MediaFormat): TrackPlan[] {
  const plans: TrackPlan[] = [];
  if (video) plans.push(videoPlan(video));
  if (audio) plans.push(audioPlan(audio));
  return plans;
}

/** Parameter sets of the format, sent before a keyframe. */
export function parameterSetsOf({ codec, config }: VideoFormat): Uint8Array[] {
  if (codec === 'mjpeg') return [];
  if (codec === 'h265') {
    const { vps, sps, pps } = parseHvcC(config);
    return [...vps, ...sps, ...pps];
  }
  const { sps, pps } = parseAvcC(config);
  return [...sps, ...pps];
}

function videoPlan(video: VideoFormat): TrackPlan {
  const plan = { track: 'video', control: 'trackID=0', payloadType: VIDEO_TYPE, clockRate: VIDEO_CLOCK } as const;
  switch (video.codec) {
    case 'mjpeg':
      return { ...plan, payloadType: JPEG_TYPE, rtpmap: 'JPEG/90000', fmtp: null };
    case 'h265': {
      const { vps, sps, pps } = parseHvcC(video.config);
      const fmtp = `sprop-vps=${base64(vps)};sprop-sps=${base64(sps)};sprop-pps=${base64(pps)}`;
      return { ...plan, rtpmap: 'H265/90000', fmtp };
    }
    case 'h264': {
      const { sps, pps } = parseAvcC(video.config);
      const level = Buffer.from(sps[0]?.subarray(1, 4) ?? []).toString('hex');
      const sets = base64([...sps, ...pps]);
      const fmtp = `packetization-mode=1;profile-level-id=${level};sprop-parameter-sets=${sets}`;
      return { ...plan, rtpmap: 'H264/90000', fmtp };
    }
  }
}

function audioPlan({ codec, sampleRate, channels, config }: AudioFormat): TrackPlan {
  const plan = { track: 'audio', control: 'trackID=1', payloadType: AUDIO_TYPE, clockRate: sampleRate } as const;
  switch (codec) {
    case 'aac': {
      const mode = 'streamtype=5;profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3';
      const rtpmap = `MPEG4-GENERIC/${sampleRate}/${channels}`;
      return { ...plan, rtpmap, fmtp: `${mode};config=${config.toString('hex')}` };
    }
    case 'opus':
      return { ...plan, clockRate: OPUS_CLOCK, rtpmap: 'opus/48000/2', fmtp: `sprop-stereo=${channels > 1 ? 1 : 0}` };
    case 'pcma':
    case 'pcmu': {
      const isUsual = sampleRate === G711_RATE && channels === 1;
      const payloadType = isUsual ? (codec === 'pcma' ? 8 : 0) : AUDIO_TYPE;
      const rtpmap = `${codec.toUpperCase()}/${sampleRate}${channels > 1 ? `/${channels}` : ''}`;
      return { ...plan, payloadType, rtpmap, fmtp: null };
    }
  }
}

export function describeSession(plans: readonly TrackPlan[]): string {
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 0.0.0.0',
    's=Vedette',
    'c=IN IP4 0.0.0.0',
    't=0 0',
    'a=control:*',
    'a=range:npt=now-',
    ...plans.flatMap(({ track, payloadType, rtpmap, fmtp, control }) => [
      `m=${track} 0 RTP/AVP ${payloadType}`,
      `a=rtpmap:${payloadType} ${rtpmap}`,
      ...(fmtp === null ? [] : [`a=fmtp:${payloadType} ${fmtp}`]),
      `a=control:${control}`,
    ]),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

function base64(sets: readonly Uint8Array[]): string {
  return sets.map((set) => Buffer.from(set).toString('base64')).join(',');
}
